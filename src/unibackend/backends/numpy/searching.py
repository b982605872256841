"""Where elements are, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes
from .promotion import NumpyArray, promote

__all__ = ["argmax", "argmin", "where"]


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


def where(condition: Any, x1: Any, x2: Any, /) -> NumpyArray:
    a, b = promote("where", x1, x2)
    _shapes.broadcast("where", np.shape(condition), a.shape, b.shape)
    return np.where(condition, a, b)
