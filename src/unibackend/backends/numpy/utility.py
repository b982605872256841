"""Whether elements hold, and how far neighbours are apart, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _results, _shapes
from .promotion import NumpyArray, promote

__all__ = ["all", "any", "diff"]


def _truth(x: Any) -> NumpyArray:
    array = np.asarray(x)
    return array if array.dtype == bool else array != 0  # ml_dtypes has no loops for `all`


def all(
    x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> NumpyArray:
    truth, keep = _truth(x), _shapes.flag("all", "keepdims", keepdims)
    return np.asarray(np.all(truth, _shapes.all_axes("all", axis, truth.ndim), keepdims=keep))


def any(
    x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> NumpyArray:
    truth, keep = _truth(x), _shapes.flag("any", "keepdims", keepdims)
    return np.asarray(np.any(truth, _shapes.all_axes("any", axis, truth.ndim), keepdims=keep))


def diff(
    x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
) -> NumpyArray:
    times = _shapes.count("diff", "n", n)
    others = [one for one in (prepend, append) if one is not None]
    array, *parts = promote("diff", x, *others)
    _results.takes("diff", array.dtype)
    where = _shapes.around_line("diff", [part.shape for part in parts], array.shape, axis)
    one = (*array.shape[:where], 1, *array.shape[where + 1 :])
    parts = [part if part.ndim else np.broadcast_to(part, one) for part in parts]
    parts.insert(0 if prepend is None else 1, array)
    return np.diff(np.concatenate(parts, where), times, where)
