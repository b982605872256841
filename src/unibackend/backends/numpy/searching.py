"""Where elements are, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _shapes, dtypes
from .promotion import NumpyArray, promote

__all__ = ["argmax", "argmin", "where"]


def argmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> NumpyArray:
    _shapes.reduced("argmax", np.shape(x), axis)
    return np.asarray(np.argmax(x, axis, keepdims=keepdims), dtypes.default(int))


def argmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> NumpyArray:
    _shapes.reduced("argmin", np.shape(x), axis)
    return np.asarray(np.argmin(x, axis, keepdims=keepdims), dtypes.default(int))


def where(condition: Any, x1: Any, x2: Any, /) -> NumpyArray:
    a, b = promote("where", x1, x2)
    _shapes.broadcast("where", np.shape(condition), a.shape, b.shape)
    return np.where(condition, a, b)
