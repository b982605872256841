"""Elements in order, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes
from ...ops.sorting import TopKResult
from .promotion import NumpyArray

__all__ = ["argsort", "sort", "top_k"]


def _sortable(function: str, x: Any) -> NumpyArray:
    """Return what sorts alike: ml_dtypes leaves arrays with NaN in disorder."""
    array = np.asarray(x)
    _results.takes(function, array.dtype)
    return array.astype(_results.wide(array.dtype)) if array.dtype.name == "bfloat16" else array


def argsort(
    x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> NumpyArray:
    array = _sortable("argsort", x)
    where = _shapes.one_axis("argsort", axis, array.ndim)
    stable = _shapes.flag("argsort", "stable", stable)
    if _shapes.flag("argsort", "descending", descending):
        # from the other end, so that equal elements keep their order
        order = np.argsort(np.flip(array, where), where, stable=stable)
        order = np.flip(array.shape[where] - 1 - order, where)
    else:
        order = np.argsort(array, where, stable=stable)
    return order.astype(dtypes.default(int), copy=False)


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> NumpyArray:
    array = _sortable("sort", x)
    where = _shapes.one_axis("sort", axis, array.ndim)
    stable = _shapes.flag("sort", "stable", stable)
    result = np.sort(array, where, stable=stable).astype(x.dtype, copy=False)
    return np.flip(result, where) if _shapes.flag("sort", "descending", descending) else result


def top_k(x: Any, /, k: int, *, axis: int = -1, largest: bool = True) -> TopKResult:
    array: NumpyArray = np.asarray(x)
    most = _shapes.flag("top_k", "largest", largest)
    _results.takes("top_k", array.dtype)
    count, where = _shapes.top("top_k", array.shape, k, axis)
    order = argsort(array, axis=where, descending=most)
    places = np.take(order, range(count), where)
    values: Any = np.take_along_axis(array, places, where)
    return TopKResult(values, places)
