"""Sums, means and extremes along axes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _results, _shapes
from ...errors import DtypeError
from . import _kernels as k
from ._broadcast import apply
from ._kernels import COMPLEX, FLOATS, PARTS, cast, raw
from ._sizes import dims_of, ints, pack, product, rank_of, ruled_shape, static_shape
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .manipulation import join
from .promotion import to_array

__all__ = ["cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]


def _axes(function: str, tensor: Any, axis: Any) -> Any:
    return ints(_shapes.all_axes(function, axis, rank_of(tensor, function)))


def _summed(function: str, tensor: Any, dtype: Any) -> tuple[Any, Any]:
    """Return the dtype of a sum, and the one to add in: halves lose too much, and overflow."""
    result = _results.summed(function, NUMPY_DTYPES[tensor.dtype], dtype)
    return TF_DTYPES[result], TF_DTYPES[_results.wide(result)]


def _accumulated(function: str, op: Any, of_bools: Any) -> Any:
    def call(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        result, working = _summed(function, tensor, dtype)
        along = _axes(function, tensor, axis)
        keep = _shapes.flag(function, "keepdims", keepdims)
        kernel = of_bools if working is tf.bool else op
        total = kernel(input=cast(tensor, working), axis=along, keep_dims=keep)
        return Array(cast(total, result))

    call.__name__ = call.__qualname__ = function
    return call


sum = _accumulated("sum", raw.Sum, raw.Any)
prod = _accumulated("prod", raw.Prod, raw.All)


# What `Cumsum` is computed in where it has no kernel, with XLA or at all; integers wrap alike in
# the wider type.
_CUMSUM = {
    tf.bool: tf.int64,
    **dict.fromkeys((tf.int8, tf.int16, tf.uint8, tf.uint16), tf.int32),
    **dict.fromkeys((tf.uint32, tf.uint64), tf.int64),
}


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    tensor = to_array("cumulative_sum", x)
    number = _shapes.line("cumulative_sum", ruled_shape(tensor, "cumulative_sum"), axis)
    result, working = _summed("cumulative_sum", tensor, dtype)
    first_of_sums = _shapes.flag("cumulative_sum", "include_initial", include_initial)
    if result is tf.bool:
        tensor = cast(tensor, tf.bool)  # a sum of bools is whether any is true
    working = _CUMSUM.get(working, working)

    def cumsum(part: Any) -> Any:
        return raw.Cumsum(x=part, axis=number)

    kernel = k.parts(cumsum) if working in COMPLEX else cumsum  # XLA has no complex one
    sums = cast(kernel(cast(tensor, working)), result)
    if first_of_sums:
        dims = dims_of(sums)
        dims[number] = 1
        first = raw.Fill(dims=pack(dims), value=k.scalar(0, result))
        sums = join([first, sums], number)
    return Array(sums)


def _extreme(function: str, op: Any, of_bools: Any) -> Any:
    def call(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        axes = _shapes.reduced(function, static_shape(tensor, function), axis)
        along, keep = ints(axes), _shapes.flag(function, "keepdims", keepdims)
        if tensor.dtype in COMPLEX:
            raise DtypeError(f"{function}: complex numbers have no order; take ub.abs(x) first")
        if tensor.dtype is tf.bool:
            return Array(of_bools(input=tensor, axis=along, keep_dims=keep))
        result = op(input=tensor, axis=along, keep_dims=keep)
        if tensor.dtype in FLOATS and type(result) is not k.EagerTensor:
            # XLA drops NaN on the CPU
            nan = raw.Any(input=k.is_nan(tensor), axis=along, keep_dims=keep)
            result = apply(function, k.select, nan, k.scalar(k.NAN, tensor.dtype), result)
        return Array(result)

    call.__name__ = call.__qualname__ = function
    return call


max = _extreme("max", raw.Max, raw.Any)
min = _extreme("min", raw.Min, raw.All)


def _float(tensor: Any) -> tuple[Any, Any]:
    """Return a tensor in the dtype to compute means in, and the dtype of the result."""
    result = _results.floating(NUMPY_DTYPES[tensor.dtype])
    return cast(tensor, TF_DTYPES[_results.wide(result)]), TF_DTYPES[result]


def mean(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    tensor, result = _float(to_array("mean", x))
    along, keep = _axes("mean", tensor, axis), _shapes.flag("mean", "keepdims", keepdims)
    if tensor.dtype in COMPLEX:  # whose own mean of nothing is 0, not NaN (seen on 2.21)
        parts = (tf.math.real(tensor), tf.math.imag(tensor))
        means = [raw.Mean(input=part, axis=along, keep_dims=keep) for part in parts]
        return Array(cast(tf.complex(*means), result))
    return Array(cast(raw.Mean(input=tensor, axis=along, keep_dims=keep), result))


def _variance(function: str, x: Any, axis: Any, correction: float, keepdims: bool) -> Any:
    """Return the variance in the dtype it is computed in, and the dtype of the result."""
    less = _results.number(function, "correction", correction)
    tensor, result = _float(to_array(function, x))
    axes = _shapes.all_axes(function, axis, rank_of(tensor, function))
    along, keep = ints(axes), _shapes.flag(function, "keepdims", keepdims)
    away = raw.Sub(x=tensor, y=raw.Mean(input=tensor, axis=along, keep_dims=True))
    if tensor.dtype in COMPLEX:
        away, result = raw.ComplexAbs(x=away, Tout=PARTS[tensor.dtype]), PARTS[result]
    squares = raw.Sum(input=raw.Square(x=away), axis=along, keep_dims=keep)
    dims = dims_of(tensor)
    divisor = tf.cast(product(dims[i] for i in axes), squares.dtype) - less
    nothing = k.scalar(k.NAN, squares.dtype)
    divisor = k.select(raw.Greater(x=divisor, y=k.scalar(0, squares.dtype)), divisor, nothing)
    return raw.RealDiv(x=squares, y=divisor), result


def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    variance, result = _variance("var", x, axis, correction, keepdims)
    return Array(cast(variance, result))


def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    variance, result = _variance("std", x, axis, correction, keepdims)
    return Array(cast(raw.Sqrt(x=variance), result))
