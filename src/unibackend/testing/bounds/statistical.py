"""Right answers of sums, means and extremes.

Bounds are Higham's (Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 3.1 and 4.2):
a sum of n terms errs by gamma_n times the sum of their magnitudes, in any order of summation, and a
product of n factors by gamma_n times its magnitude.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from .answer import (
    WIDE,
    Answer,
    Dtype,
    answers,
    common,
    default,
    eps,
    floating,
    gamma,
    kind,
    limit,
    tiny,
    wide,
)


def counted(x: Any, axis: Any) -> int:
    """Return how many elements are reduced to one."""
    chosen = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(x.shape[one] for one in chosen)


def total(x: Any, axis: Any, keepdims: bool) -> Any:
    """Return a sum in wide or exact arithmetic."""
    if x.dtype == object:
        return np.asarray(np.sum(x, axis=axis, keepdims=keepdims, initial=0), object)
    return np.asarray(np.sum(x, axis=axis, keepdims=keepdims))


def unless(condition: Any, bound: Any) -> Any:
    """Return a bound, infinite where a condition makes the result uncertain."""
    return np.where(condition, WIDE(np.inf), bound)


def accumulated(dtype: Dtype, given: Any = None) -> Dtype:
    """Return the dtype of a sum: for integers the default one at least."""
    if given is not None:
        return cast("Dtype", np.dtype(given))
    match kind(dtype):
        case "b":
            return default("i")
        case "i" | "u":
            return common(dtype, default(kind(dtype)))
    return dtype


def finite(x: Any) -> Any:
    return np.where(np.isfinite(x), np.abs(x), 0).astype(WIDE)


@answers("sum")
def sum_(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Answer:
    result = accumulated(x.dtype, dtype)
    if kind(result) in "iu":
        return Answer(total(wide(x.astype(result)), axis, keepdims), result)
    a = wide(x.astype(result))
    size = total(finite(a), axis, keepdims)
    count = counted(x, axis)
    return Answer(
        total(a, axis, keepdims),
        result,
        unless(size >= limit(result), gamma(count, result) * size),
        (count + 1) * tiny(result),
    )


@answers("prod")
def prod(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Answer:
    result = accumulated(x.dtype, dtype)
    a = wide(x.astype(result))
    if kind(result) in "iu":
        value = np.asarray(np.prod(a, axis=axis, keepdims=keepdims, initial=1), object)
        return Answer(value, result)
    value = np.asarray(np.prod(a, axis=axis, keepdims=keepdims))
    size = np.where(np.isfinite(a) & (a != 0), np.abs(a), 1).astype(WIDE)
    largest = np.prod(np.maximum(size, 1), axis=axis, keepdims=keepdims)
    smallest = np.prod(np.minimum(size, 1), axis=axis, keepdims=keepdims)
    count = counted(x, axis)
    # a complex product costs sqrt(5) u, where a real one costs u
    each = 3 if kind(result) == "c" else 1
    bound = gamma(each * count + 1, result) * np.abs(value)
    outside = (largest >= limit(result)) | (smallest < tiny(result) / eps(result))
    return Answer(value, result, unless(outside, bound))


@answers("mean")
def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    result = floating(x.dtype)
    a = wide(x.astype(result))
    count = counted(x, axis)
    size = total(finite(a), axis, keepdims)
    with np.errstate(all="ignore"):
        value = np.asarray(total(a, axis, keepdims) / count if count else size * np.nan)
        bound = gamma(count + 2, result) * size / max(count, 1)
    return Answer(value, result, unless(size >= limit(result), bound), 2 * tiny(result))


def _spread(x: Any, axis: Any, correction: float, keepdims: bool) -> tuple[Dtype, Any, Any]:
    """Return the dtype, the variance and its bound.

    The mean is wrong by e <= gamma_(n+2) mean|x|. The sum of the squared distances from it is the
    right sum plus n e^2, times what its own n + 5 roundings do.
    """
    result = floating(x.dtype)
    a = wide(x.astype(result))
    count = counted(x, axis)
    left = count - correction
    if left <= 0:
        nothing = total(a.astype(WIDE) * 0, axis, keepdims) + WIDE(np.nan)
        return result, np.asarray(nothing), 0
    center = total(a, axis, True) / count
    squares = total(np.abs(a - center) ** 2, axis, keepdims)
    size = total(finite(a), axis, keepdims) / count
    shift = count * (gamma(count + 2, result) * size) ** 2
    bound = (gamma(count + 5, result) * (squares + shift) + shift) / left
    return result, np.asarray(squares / left), bound


@answers("var")
def var(x: Any, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Answer:
    result, value, bound = _spread(x, axis, correction, keepdims)
    return Answer(value, result, bound, 64 * tiny(result))


@answers("std")
def std(x: Any, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Answer:
    result, variance, bound = _spread(x, axis, correction, keepdims)
    value = np.sqrt(variance)
    # |sqrt(a) - sqrt(b)| is at most |a - b| / sqrt(b) and at most sqrt(|a - b|)
    with np.errstate(all="ignore"):
        error = np.minimum(np.where(value > 0, bound / value, np.inf), np.sqrt(bound))
    flushed = np.sqrt(64 * tiny(result))
    return Answer(value, result, error + eps(result) * np.abs(value), flushed)


@answers("max")
def max_(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    return Answer(np.asarray(np.max(wide(x), axis=axis, keepdims=keepdims)), x.dtype)


@answers("min")
def min_(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    return Answer(np.asarray(np.min(wide(x), axis=axis, keepdims=keepdims)), x.dtype)


@answers("cumulative_sum")
def cumulative_sum(
    x: Any, axis: Any = None, include_initial: bool = False, dtype: Any = None
) -> Answer:
    result = accumulated(x.dtype, dtype)
    axis = 0 if axis is None else axis % x.ndim
    a = wide(x.astype(result))

    def prefixes(values: Any) -> Any:
        sums = np.cumsum(values, axis=axis)
        if include_initial:
            first = np.zeros((*x.shape[:axis], 1, *x.shape[axis + 1 :]), sums.dtype)
            sums = np.concatenate([first, sums], axis=axis)
        return sums

    if kind(result) in "iu":
        return Answer(prefixes(a), result)
    size = prefixes(finite(a))
    count = x.shape[axis] + 1
    bound = unless(size >= limit(result), gamma(count, result) * size)
    return Answer(prefixes(a), result, bound, count * tiny(result))


@answers("cumulative_prod")
def cumulative_prod(
    x: Any, axis: Any = None, include_initial: bool = False, dtype: Any = None
) -> Answer:
    axis = 0 if axis is None else axis % x.ndim
    first = 0 if include_initial else 1
    # each place is the product of what is before it
    parts = [
        prod(np.take(x, range(count), axis), axis, keepdims=True, dtype=dtype)
        for count in range(first, x.shape[axis] + 1)
    ]
    result = accumulated(x.dtype, dtype)
    if not parts:
        return Answer(wide(x), result)
    value = np.concatenate([part.value for part in parts], axis)
    if kind(result) in "iu":
        return Answer(value, result)
    return Answer(value, result, np.concatenate([part.bound for part in parts], axis))


@answers("segment_sum")
def segment_sum(data: Any, segment_ids: Any, num_segments: int | None = None) -> Answer:
    numbers = [int(one) for one in segment_ids]
    count = max([-1, *numbers]) + 1 if num_segments is None else num_segments
    rest = data.shape[1:]
    parts = [
        sum_(data[[i for i, number in enumerate(numbers) if number == segment]], 0)
        for segment in range(count)
    ]
    result = accumulated(data.dtype)

    def stack(values: list[Any]) -> Any:
        return np.concatenate([np.broadcast_to(one, (1, *rest)) for one in values])

    if not parts:
        return Answer(wide(np.zeros((0, *rest), result)), result)
    value = stack([part.value for part in parts])
    if kind(result) in "iu":
        return Answer(value, result)
    return Answer(
        value,
        result,
        stack([part.bound for part in parts]),
        stack([part.flushed for part in parts]),
    )
