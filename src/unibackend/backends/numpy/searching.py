"""Where elements are, on NumPy."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ... import _results, _shapes, dtypes
from .indexing import take
from .promotion import NumpyArray, promote

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def argmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("argmax", "keepdims", keepdims)
    _results.takes("argmax", array.dtype)
    where = None if axis is None else _shapes.one_axis("argmax", axis, array.ndim)
    _shapes.reduced("argmax", array.shape, where)
    return np.asarray(np.argmax(array, where, keepdims=keep), dtypes.default(int))


def argmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("argmin", "keepdims", keepdims)
    _results.takes("argmin", array.dtype)
    where = None if axis is None else _shapes.one_axis("argmin", axis, array.ndim)
    _shapes.reduced("argmin", array.shape, where)
    return np.asarray(np.argmin(array, where, keepdims=keep), dtypes.default(int))


def count_nonzero(
    x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("count_nonzero", "keepdims", keepdims)
    axes = _shapes.all_axes("count_nonzero", axis, array.ndim)
    return np.asarray(np.sum(array != 0, axes, dtypes.default(int), keepdims=keep))


def nonzero(x: Any, /) -> tuple[NumpyArray, ...]:
    array = np.asarray(x)
    _shapes.has_axes("nonzero", array.shape)
    return tuple(one.astype(dtypes.default(int)) for one in np.nonzero(array != 0))


def searchsorted(
    x1: Any, x2: Any, /, *, side: Literal["left", "right"] = "left", sorter: Any = None
) -> NumpyArray:
    a, b = promote("searchsorted", x1, x2)
    _results.takes("searchsorted", a.dtype)
    _shapes.choice("searchsorted", "side", side, ("left", "right"))
    _shapes.sorted_line("searchsorted", a.shape, None if sorter is None else np.shape(sorter))
    if sorter is not None:
        a = take(a, sorter)
    dtype = _results.wide(a.dtype)  # ml_dtypes puts NaN anywhere
    found = np.searchsorted(a.astype(dtype, copy=False), b.astype(dtype, copy=False), side)
    return np.asarray(found, dtypes.default(int))


def where(condition: Any, x1: Any, x2: Any, /) -> NumpyArray:
    a, b = promote("where", x1, x2)
    _shapes.broadcast("where", np.shape(condition), a.shape, b.shape)
    return np.where(condition, a, b)
