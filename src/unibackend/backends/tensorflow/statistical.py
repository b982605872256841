"""Sums, means and extremes along axes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _results, _shapes
from ...arrays import concrete_needed
from . import _kernels as k
from ._broadcast import apply
from ._derivatives import derived, unrecorded
from ._elementary import square_root
from ._kernels import COMPLEX, FLOATS, HALVES, PARTS, cast, raw
from ._sizes import (
    around,
    dims_of,
    ints,
    pack,
    product,
    rank_of,
    reshape,
    ruled_shape,
    static_shape,
    values_of,
)
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .manipulation import join
from .promotion import to_array

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


def _axes(function: str, tensor: Any, axis: Any) -> Any:
    return ints(_shapes.all_axes(function, axis, rank_of(tensor, function)))


_AS_IT_IS = (FLOATS | COMPLEX) - HALVES


def _summed(function: str, tensor: Any, dtype: Any) -> tuple[Any, Any]:
    """Return the dtype of a sum, and the one to add in: halves lose too much, and overflow."""
    if dtype is None and tensor.dtype in _AS_IT_IS:
        return tensor.dtype, tensor.dtype
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
        return Array(total if working is result else cast(total, result))

    call.__name__ = call.__qualname__ = function
    return call


sum = _accumulated("sum", raw.Sum, raw.Any)


def _product(input: Any, axis: Any, keep_dims: bool) -> Any:
    """Return `Prod`, whose own second derivative is wrong where an element is 0 (seen on 2.21)."""
    if input.dtype not in FLOATS | COMPLEX or unrecorded(input):
        return raw.Prod(input=input, axis=axis, keep_dims=keep_dims)
    axes, dims = [int(i) for i in axis], dims_of(input)
    kept = [i for i in range(len(dims)) if i not in axes]
    shape = [1 if i in axes else dims[i] for i in range(len(dims)) if keep_dims or i in kept]
    rows = reshape(
        raw.Transpose(x=input, perm=ints((*kept, *axes))),
        [product(dims[i] for i in kept), product(dims[i] for i in axes)],
    )
    return reshape(_row_products(rows), shape)


def _row_products_derivative(ct: Any, rows: Any) -> tuple[Any]:
    back = ints((1,))
    before = _products_before(rows)
    reverse = raw.ReverseV2(tensor=rows, axis=back)
    after = raw.ReverseV2(tensor=_products_before(reverse), axis=back)
    return (tf.expand_dims(ct, 1) * tf.math.conj(raw.Mul(x=before, y=after)),)


def _products_before(rows: Any) -> Any:
    """Return for each element of a row the product of those before it."""
    first = raw.Fill(dims=pack([dims_of(rows)[0], 1]), value=k.scalar(1, rows.dtype))
    return join([first, _products(rows, 1)], 1)[:, :-1]


_row_products = derived(lambda rows: raw.Prod(input=rows, axis=1), _row_products_derivative)
prod = _accumulated("prod", _product, raw.All)


# What running sums and products are computed in where there is no kernel, with XLA or at all;
# integers wrap alike in the wider type.
_RUNNING = {
    tf.bool: tf.int64,
    **dict.fromkeys((tf.int8, tf.int16, tf.uint8, tf.uint16), tf.int32),
    **dict.fromkeys((tf.uint32, tf.uint64), tf.int64),
}


def _running(function: str, kernel: Any, start: int) -> Any:
    def call(
        x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
    ) -> Array:
        tensor = to_array(function, x)
        number = _shapes.line(function, ruled_shape(tensor, function), axis)
        result, _ = _summed(function, tensor, dtype)
        working = TF_DTYPES[_results.running(NUMPY_DTYPES[result])]
        initial = _shapes.flag(function, "include_initial", include_initial)
        if result is tf.bool or (result.is_integer and tensor.dtype.is_floating):
            tensor = cast(tensor, result)  # whether any, or all, of them are true; and saturated
        found = cast(kernel(cast(tensor, _RUNNING.get(working, working)), number), result)
        if initial:
            dims = dims_of(found)
            dims[number] = 1
            first = raw.Fill(dims=pack(dims), value=k.scalar(start, result))
            found = join([first, found], number)
        return Array(found)

    call.__name__ = call.__qualname__ = function
    return call


def _sums(tensor: Any, axis: int) -> Any:
    def cumsum(part: Any) -> Any:
        return raw.Cumsum(x=part, axis=axis)

    # XLA has no complex one
    return (k.parts(cumsum) if tensor.dtype in COMPLEX else cumsum)(tensor)


def _products(tensor: Any, axis: int) -> Any:
    """Return running products; in doubling steps where there is no kernel, or for the gradient.

    That of `Cumprod` divides by the elements, and is wrong where one is 0 (tensorflow#119430).
    """
    if tensor.dtype not in COMPLEX and (tensor.dtype not in FLOATS or unrecorded(tensor)):
        return raw.Cumprod(x=tensor, axis=axis)
    rows, dims = around(tensor, axis)
    size = dims[axis]
    steps = (size - 1).bit_length() if isinstance(size, int) and size else 31
    for step in (2**i for i in range(steps)):
        by = step if isinstance(size, int) else raw.Minimum(x=tf.cast(size, tf.int32), y=step)
        rest = raw.Mul(x=rows[:, by:], y=rows[:, : dims_of(rows)[1] - by])
        rows = join([rows[:, :by], rest], 1)
    return reshape(rows, dims)


cumulative_sum = _running("cumulative_sum", _sums, 0)
cumulative_prod = _running("cumulative_prod", _products, 1)


def _extreme(function: str, op: Any, of_bools: Any) -> Any:
    def call(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        keep = _shapes.flag(function, "keepdims", keepdims)
        _results.takes(function, NUMPY_DTYPES[tensor.dtype])
        along = ints(_shapes.reduced(function, static_shape(tensor, function), axis))
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


def segment_sum(data: Any, segment_ids: Any, /, num_segments: int | None = None) -> Array:
    tensor, numbers = to_array("segment_sum", data), to_array("segment_sum", segment_ids)
    _results.indices("segment_sum", NUMPY_DTYPES[numbers.dtype])
    shapes = ruled_shape(tensor, "segment_sum"), ruled_shape(numbers, "segment_sum")
    _shapes.segments("segment_sum", *shapes)
    # the largest of unsigned numbers become negative ones, which belong to no sum either
    numbers = cast(numbers, tf.int64 if numbers.dtype.size >= 4 else tf.int32)
    if num_segments is None:
        values = values_of(numbers)
        if values is None:
            asked = "segment_sum: num_segments=None, and segment_ids"
            raise concrete_needed(Array(numbers), asked)
        count = int(values.max(initial=-1)) + 1
    else:
        count = _shapes.count("segment_sum", "num_segments", num_segments)
    result, working = _summed("segment_sum", tensor, None)
    dims = dims_of(tensor)
    rows = reshape(cast(tensor, working), [dims[0], product(dims[1:])])
    limit = k.scalar(count, numbers.dtype)
    inside = raw.LogicalAnd(
        x=raw.GreaterEqual(x=numbers, y=k.scalar(0, numbers.dtype)), y=raw.Less(x=numbers, y=limit)
    )
    # what belongs to no sum makes one more: the kernel refuses what is out of bounds
    numbers = k.select(inside, numbers, limit)
    sums = raw.UnsortedSegmentSum(data=rows, segment_ids=numbers, num_segments=count + 1)
    return Array(cast(reshape(sums[:count], [count, *dims[1:]]), result))


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
    dims = dims_of(tensor)
    count = product(dims[i] for i in axes)
    divisor = tf.cast(count, away.dtype.real_dtype) - less
    enough = raw.Greater(x=divisor, y=k.scalar(0, divisor.dtype))
    if not isinstance(count, int) or count <= less:
        # where nothing is left to divide by the result is NaN, and depends on nothing
        away = apply(function, k.select, enough, away, raw.StopGradient(input=away))
    if away.dtype in COMPLEX:
        squares = raw.AddV2(x=raw.Square(x=k.real(away)), y=raw.Square(x=k.imag(away)))
        result = PARTS[result]
    else:
        squares = raw.Square(x=away)
    total = raw.Sum(input=squares, axis=along, keep_dims=keep)
    return raw.RealDiv(x=total, y=k.select(enough, divisor, k.scalar(k.NAN, divisor.dtype))), result


def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    variance, result = _variance("var", x, axis, correction, keepdims)
    return Array(cast(variance, result))


def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    variance, result = _variance("std", x, axis, correction, keepdims)
    return Array(cast(square_root(variance), result))
