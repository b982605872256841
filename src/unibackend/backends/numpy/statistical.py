"""Sums, means and extremes on NumPy. The 16 bit floats are summed in float32, as elsewhere."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes
from .promotion import NumpyArray

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "segment_sum",
    "std",
    "sum",
    "var",
]

Axis = int | tuple[int, ...] | None


def cumulative_prod(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> NumpyArray:
    return _running("cumulative_prod", np.multiply, x, axis, dtype, include_initial)


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> NumpyArray:
    return _running("cumulative_sum", np.add, x, axis, dtype, include_initial)


def _running(
    function: str, join: np.ufunc, x: Any, axis: int | None, dtype: Any, include_initial: bool
) -> NumpyArray:
    array = np.asarray(x)
    where = _shapes.line(function, array.shape, axis)
    result = _results.summed(function, array.dtype, dtype)
    array = _whole(array, result)
    found = join.accumulate(array, where, dtype=_results.running(result))
    found = found.astype(result, copy=False)
    if _shapes.flag(function, "include_initial", include_initial):
        shape = (*array.shape[:where], 1, *array.shape[where + 1 :])
        found = np.concatenate([np.full(shape, join.identity, result), found], where)
    return found


def _whole(array: NumpyArray, result: dtypes.Dtype) -> NumpyArray:
    """Return floats that are summed as integers as these: NumPy's own casts do not saturate."""
    if result.kind not in "iu" or array.dtype.kind in "biu":
        return array
    return dtypes.converted(array, result)


def max(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("max", "keepdims", keepdims)
    _results.takes("max", array.dtype)
    axes = _shapes.reduced("max", array.shape, axis)
    return np.max(array, axes, keepdims=keep)  # type: ignore[no-any-return]


def mean(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("mean", "keepdims", keepdims)
    axes = _shapes.all_axes("mean", axis, array.ndim)
    result = _results.floating(array.dtype)
    return np.asarray(_mean(array, axes, result, keep)).astype(result, copy=False)


def _mean(array: NumpyArray, axes: _shapes.Shape, dtype: dtypes.Dtype, keepdims: bool) -> Any:
    # np.mean of nothing warns in Python; here it is 0 / 0 like any other
    total = np.sum(array, axes, dtype=_results.wide(dtype), keepdims=keepdims)
    return np.divide(total, math.prod(array.shape[one] for one in axes))


def min(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("min", "keepdims", keepdims)
    _results.takes("min", array.dtype)
    axes = _shapes.reduced("min", array.shape, axis)
    return np.min(array, axes, keepdims=keep)  # type: ignore[no-any-return]


def prod(x: Any, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("prod", "keepdims", keepdims)
    axes = _shapes.all_axes("prod", axis, array.ndim)
    result = _results.summed("prod", array.dtype, dtype)
    product = np.prod(_whole(array, result), axes, dtype=_results.wide(result), keepdims=keep)
    return np.asarray(product).astype(result, copy=False)


def segment_sum(data: Any, segment_ids: Any, /, num_segments: int | None = None) -> NumpyArray:
    array, numbers = np.asarray(data), np.asarray(segment_ids)
    _results.indices("segment_sum", numbers.dtype)
    _shapes.segments("segment_sum", array.shape, numbers.shape)
    if num_segments is None:
        count = int(np.max(numbers, initial=-1)) + 1
    else:
        count = _shapes.count("segment_sum", "num_segments", num_segments)
    result = _results.summed("segment_sum", array.dtype, None)
    sums = np.zeros((count, *array.shape[1:]), _results.wide(result))
    inside = (numbers >= 0) & (numbers < count)
    np.add.at(sums, numbers[inside], array[inside].astype(sums.dtype))
    return sums.astype(result, copy=False)


def std(
    x: Any, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> NumpyArray:
    dtype, variance = _variance("std", x, axis, correction, keepdims)
    return np.sqrt(variance).astype(dtype, copy=False)


def sum(x: Any, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> NumpyArray:
    array, keep = np.asarray(x), _shapes.flag("sum", "keepdims", keepdims)
    axes = _shapes.all_axes("sum", axis, array.ndim)
    result = _results.summed("sum", array.dtype, dtype)
    total = np.sum(_whole(array, result), axes, dtype=_results.wide(result), keepdims=keep)
    return np.asarray(total).astype(result, copy=False)


def var(
    x: Any, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> NumpyArray:
    dtype, variance = _variance("var", x, axis, correction, keepdims)
    return variance.astype(dtype, copy=False)


def _variance(
    function: str, x: Any, axis: Axis, correction: float, keepdims: bool
) -> tuple[dtypes.Dtype, NumpyArray]:
    """Return the dtype of the result, and the variance in the dtype that it is summed in.

    np.var warns in Python, and gives infinity, where `correction` leaves nothing to divide by.
    """
    array, keep = np.asarray(x), _shapes.flag(function, "keepdims", keepdims)
    less = _results.number(function, "correction", correction)
    axes = _shapes.all_axes(function, axis, array.ndim)
    dtype = _results.floating(array.dtype)
    array = array.astype(_results.wide(dtype), copy=False)
    distance = np.abs(array - _mean(array, axes, dtype, keepdims=True))
    total = np.sum(distance * distance, axes, keepdims=keep)
    count = math.prod(array.shape[one] for one in axes) - less
    variance = np.asarray(total / count if count > 0 else np.full_like(total, np.nan))
    return variance.dtype if dtype.kind == "c" else dtype, variance
