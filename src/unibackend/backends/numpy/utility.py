"""Whether elements hold, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _shapes
from .promotion import NumpyArray

__all__ = ["all", "any"]


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
