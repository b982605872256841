"""Sums, means and extremes along axes."""

from __future__ import annotations

import builtins
from typing import Any

import tensorflow as tf

from ... import dtypes
from ...errors import DtypeError, ShapeError
from . import _kernels as k
from ._kernels import COMPLEX, FLOATS, HALVES, INTEGERS, PARTS, cast, raw
from ._shapes import (
    dims_of,
    ints,
    normalize_axes,
    normalize_axis,
    product,
    rank_of,
    static_shape,
)
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .promotion import to_array

__all__ = ["cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]


def _axes(function: str, tensor: Any, axis: Any) -> Any:
    return ints(normalize_axes(function, axis, rank_of(tensor, function)))


def _sum_dtype(function: str, tensor: Any, dtype: Any) -> Any:
    """Return TensorFlow's dtype of a sum: small integers give the default one, bools count."""
    if dtype is not None:
        return TF_DTYPES[dtypes.as_dtype(dtype, function)]
    own = NUMPY_DTYPES[tensor.dtype]
    kind, least = dtypes.kind(own), dtypes.default(int)
    if kind == "u":
        least = dtypes.uint64 if least == dtypes.int64 else dtypes.uint32
    if kind == "b" or (kind in "iu" and own.itemsize < least.itemsize):
        return TF_DTYPES[least]
    return tensor.dtype


def _accumulator(tensor: Any, dtype: Any) -> Any:
    """Return the dtype to add in: halves lose too much, and overflow."""
    if dtype not in HALVES:
        return dtype
    return tf.float64 if tensor.dtype is tf.float64 else tf.float32


def _accumulated(function: str, op: Any) -> Any:
    def call(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        result = _sum_dtype(function, tensor, dtype)
        _check_real(function, tensor, result)
        total = op(
            input=cast(tensor, _accumulator(tensor, result)),
            axis=_axes(function, tensor, axis),
            keep_dims=keepdims,
        )
        return Array(cast(total, result))

    call.__name__ = call.__qualname__ = function
    return call


def _check_real(function: str, tensor: Any, dtype: Any) -> None:
    if tensor.dtype in COMPLEX and dtype not in COMPLEX:
        raise DtypeError(
            f"{function}: x is complex and dtype={dtype.name!r} would lose its imaginary part; "
            f"take ub.real(x) or ub.abs(x) first"
        )


sum = _accumulated("sum", raw.Sum)
prod = _accumulated("prod", raw.Prod)


# What `Cumsum` is computed in where XLA has no kernel; integers wrap alike in the wider type.
_CUMSUM = {
    **dict.fromkeys((tf.int8, tf.int16, tf.uint8, tf.uint16), tf.int32),
    **dict.fromkeys((tf.uint32, tf.uint64), tf.int64),
}


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    tensor = to_array("cumulative_sum", x)
    rank = rank_of(tensor, "cumulative_sum")
    if rank == 0 or (axis is None and rank != 1):
        raise ShapeError(
            f"cumulative_sum: axis={axis} for an array of {rank} axes; it must have one, and of "
            f"several the axis must be named"
        )
    number = normalize_axis("cumulative_sum", 0 if axis is None else axis, rank)
    result = _sum_dtype("cumulative_sum", tensor, dtype)
    _check_real("cumulative_sum", tensor, result)
    working = _accumulator(tensor, _CUMSUM.get(result, result))

    def cumsum(part: Any) -> Any:
        return raw.Cumsum(x=part, axis=number)

    kernel = k.parts(cumsum) if working in COMPLEX else cumsum  # XLA has no complex one
    sums = cast(kernel(cast(tensor, working)), result)
    if include_initial:
        dims = dims_of(sums)
        dims[number] = 1
        first = tf.zeros(tf.stack(dims) if None in static_shape(sums) else dims, result)
        sums = raw.ConcatV2(values=[first, sums], axis=number)
    return Array(sums)


def _extreme(function: str, op: Any, of_bools: Any) -> Any:
    def call(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        axes = normalize_axes(function, axis, rank_of(tensor, function))
        shape = static_shape(tensor)
        if builtins.any(shape[i] == 0 for i in axes):
            raise ShapeError(
                f"{function}: axis={axis} of the shape {shape} has no elements, and of none there "
                f"is no {function}imum"
            )
        along = ints(axes)
        if tensor.dtype in COMPLEX:
            raise DtypeError(f"{function}: complex numbers have no order; take ub.abs(x) first")
        if tensor.dtype is tf.bool:
            return Array(of_bools(input=tensor, axis=along, keep_dims=keepdims))
        result = op(input=tensor, axis=along, keep_dims=keepdims)
        if tensor.dtype in FLOATS and type(result) is not k.EagerTensor:
            # XLA drops NaN on the CPU
            nan = raw.Any(input=k.is_nan(tensor), axis=along, keep_dims=keepdims)
            result = k.select(nan, k.scalar(float("nan"), tensor.dtype), result)
        return Array(result)

    call.__name__ = call.__qualname__ = function
    return call


max = _extreme("max", raw.Max, raw.Any)
min = _extreme("min", raw.Min, raw.All)


def _float(tensor: Any) -> tuple[Any, Any]:
    """Return a tensor in the dtype to compute means in, and the dtype of the result."""
    result = tensor.dtype
    if result in INTEGERS or result is tf.bool:
        result = TF_DTYPES[dtypes.default(float)]
    return cast(tensor, _accumulator(tensor, result)), result


def mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    tensor, result = _float(to_array("mean", x))
    along = _axes("mean", tensor, axis)
    return Array(cast(raw.Mean(input=tensor, axis=along, keep_dims=keepdims), result))


def _variance(function: str, x: Any, axis: Any, correction: float, keepdims: bool) -> Any:
    """Return the variance in the dtype it is computed in, and the dtype of the result."""
    tensor, result = _float(to_array(function, x))
    axes = normalize_axes(function, axis, rank_of(tensor, function))
    along = ints(axes)
    away = raw.Sub(x=tensor, y=raw.Mean(input=tensor, axis=along, keep_dims=True))
    if tensor.dtype in COMPLEX:
        away, result = raw.ComplexAbs(x=away, Tout=PARTS[tensor.dtype]), PARTS[result]
    squares = raw.Sum(input=raw.Square(x=away), axis=along, keep_dims=keepdims)
    dims = dims_of(tensor)
    divisor = tf.cast(product(dims[i] for i in axes), squares.dtype) - correction
    nothing = k.scalar(float("nan"), squares.dtype)
    divisor = k.select(raw.Greater(x=divisor, y=k.scalar(0, squares.dtype)), divisor, nothing)
    return raw.RealDiv(x=squares, y=divisor), result


def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    variance, result = _variance("var", x, axis, correction, keepdims)
    return Array(cast(variance, result))


def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    variance, result = _variance("std", x, axis, correction, keepdims)
    return Array(cast(raw.Sqrt(x=variance), result))
