"""Sums, means and extremes on JAX, which sums the 16 bit floats in float32."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax.core import Tracer

from ... import _results, _shapes, dtypes
from ...arrays import concrete_needed
from .promotion import strong

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
) -> Any:
    return _running("cumulative_prod", jnp.cumulative_prod, x, axis, dtype, include_initial)


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Any:
    return _running("cumulative_sum", jnp.cumulative_sum, x, axis, dtype, include_initial)


def _running(
    function: str, op: Any, x: Any, axis: int | None, dtype: Any, include_initial: bool
) -> Any:
    array = strong(x)
    where = _shapes.line(function, array.shape, axis)
    result = _results.summed(function, array.dtype, dtype)
    initial = _shapes.flag(function, "include_initial", include_initial)
    found = op(array, axis=where, dtype=_results.wide(result), include_initial=initial)
    return found.astype(result)


def max(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    array, keep = strong(x), _shapes.flag("max", "keepdims", keepdims)
    _results.takes("max", array.dtype)
    return jnp.max(array, _shapes.reduced("max", array.shape, axis), keepdims=keep)


def mean(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    array, keep = strong(x), _shapes.flag("mean", "keepdims", keepdims)
    axes = _shapes.all_axes("mean", axis, array.ndim)
    result = _results.floating(array.dtype)
    # JAX brings the sum and the number of elements to the dtype before it divides
    return jnp.mean(array, axes, _results.wide(result), keepdims=keep).astype(result)


def min(x: Any, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    array, keep = strong(x), _shapes.flag("min", "keepdims", keepdims)
    _results.takes("min", array.dtype)
    return jnp.min(array, _shapes.reduced("min", array.shape, axis), keepdims=keep)


def prod(x: Any, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Any:
    array, keep = strong(x), _shapes.flag("prod", "keepdims", keepdims)
    axes = _shapes.all_axes("prod", axis, array.ndim)
    result = _results.summed("prod", array.dtype, dtype)
    return jnp.prod(array, axes, result, keepdims=keep)


def segment_sum(data: Any, segment_ids: Any, /, num_segments: int | None = None) -> Any:
    array, numbers = strong(data), strong(segment_ids)
    _results.indices("segment_sum", numbers.dtype)
    _shapes.segments("segment_sum", array.shape, numbers.shape)
    if num_segments is None:
        if isinstance(numbers, Tracer):
            raise concrete_needed(numbers, "segment_sum: num_segments=None, and segment_ids")
        count = int(jnp.max(numbers, initial=-1)) + 1
    else:
        count = _shapes.count("segment_sum", "num_segments", num_segments)
    result = _results.summed("segment_sum", array.dtype, None)
    # the largest of unsigned numbers become negative ones, which belong to no sum either
    numbers = numbers.astype(dtypes.default(int))
    sums = jax.ops.segment_sum(array.astype(_results.wide(result)), numbers, count)
    return sums.astype(result)


def std(x: Any, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    dtype, variance = _variance("std", x, axis, correction, keepdims)
    return jnp.sqrt(variance).astype(dtype)


def sum(x: Any, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Any:
    array, keep = strong(x), _shapes.flag("sum", "keepdims", keepdims)
    axes = _shapes.all_axes("sum", axis, array.ndim)
    result = _results.summed("sum", array.dtype, dtype)
    return jnp.sum(array, axes, result, keepdims=keep)


def var(x: Any, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    dtype, variance = _variance("var", x, axis, correction, keepdims)
    return variance.astype(dtype)


def _variance(
    function: str, x: Any, axis: Axis, correction: float, keepdims: bool
) -> tuple[dtypes.Dtype, Any]:
    """Return the dtype of the result, and the variance in the dtype that it is summed in."""
    array, keep = strong(x), _shapes.flag(function, "keepdims", keepdims)
    less = _results.number(function, "correction", correction)
    axes = _shapes.all_axes(function, axis, array.ndim)
    dtype = _results.floating(array.dtype)
    array = array.astype(_results.wide(dtype))
    variance = jnp.var(array, axes, correction=float(less), keepdims=keep)
    if math.prod(array.shape[one] for one in axes) <= less:
        variance = jnp.full_like(variance, jnp.nan)
    return variance.dtype if dtype.kind == "c" else dtype, variance
