"""Where elements are, and which to choose."""

from __future__ import annotations

from typing import Any, Literal

import tensorflow as tf

from ... import _results, _shapes, dtypes
from . import _kernels as k
from ._broadcast import apply
from ._kernels import FLOATS, cast, raw
from ._sizes import around, dims_of, ints, product, rank_of, reshape, ruled_shape, static_shape
from .array import NUMPY_DTYPES, TF_DTYPES, Array, tensor_of
from .indexing import take
from .promotion import promote, to_array
from .set import eager
from .sorting import keys_of

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def _place(function: str, op: Any) -> Any:
    def call(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        _results.takes(function, NUMPY_DTYPES[tensor.dtype])
        shape, keep = static_shape(tensor, function), _shapes.flag(function, "keepdims", keepdims)
        if axis is not None:
            axis = _shapes.one_axis(function, axis, len(shape))
        _shapes.reduced(function, shape, axis)
        rank = len(shape)
        number = 0 if axis is None else _shapes.one_axis(function, axis, rank)
        flat = reshape(tensor, [-1]) if axis is None else tensor
        rows, dims = around(flat, number, function)  # `ArgMax` stops at seven axes
        found = _first(op, rows, TF_DTYPES[dtypes.default(int)])
        dims[number] = 1
        if axis is None:
            return Array(reshape(found, [1] * rank if keep else []))
        return Array(reshape(found, dims if keep else dims[:number] + dims[number + 1 :]))

    call.__name__ = call.__qualname__ = function
    return call


def _first(op: Any, rows: Any, dtype: Any) -> Any:
    found = op(input=rows, dimension=1, output_type=dtype)
    if rows.dtype not in FLOATS:
        return found
    nan = k.is_nan(rows)  # the kernels pass over NaN, or take the last one
    first_nan = raw.ArgMax(input=nan, dimension=1, output_type=dtype)
    return k.select(raw.Any(input=nan, axis=1), first_nan, found)


argmax = _place("argmax", raw.ArgMax)
argmin = _place("argmin", raw.ArgMin)


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    tensor = to_array("count_nonzero", x)
    keep = _shapes.flag("count_nonzero", "keepdims", keepdims)
    axes = _shapes.all_axes("count_nonzero", axis, rank_of(tensor, "count_nonzero"))
    counted = cast(cast(tensor, tf.bool), TF_DTYPES[dtypes.default(int)])
    return Array(raw.Sum(input=counted, axis=ints(axes), keep_dims=keep))


def nonzero(x: Any, /) -> tuple[Array, ...]:
    tensor = to_array("nonzero", x)
    _shapes.has_axes("nonzero", static_shape(tensor, "nonzero"))
    tensor = eager("nonzero", tensor)
    with tf.init_scope():  # in no graph, since the sizes depend on values
        places = reshape(raw.Where(condition=reshape(cast(tensor, tf.bool), [-1])), [-1])
        found = []
        for size in reversed(tensor.shape):
            by = k.scalar(max(size, 1), tf.int64)
            found.append(raw.FloorMod(x=places, y=by))
            places = raw.FloorDiv(x=places, y=by)
    index = TF_DTYPES[dtypes.default(int)]
    return tuple(Array(cast(one, index)) for one in reversed(found))


def searchsorted(
    x1: Any, x2: Any, /, *, side: Literal["left", "right"] = "left", sorter: Any = None
) -> Array:
    t1, t2 = promote("searchsorted", x1, x2)
    _results.takes("searchsorted", NUMPY_DTYPES[t1.dtype])
    _shapes.choice("searchsorted", "side", side, ("left", "right"))
    order = None if sorter is None else to_array("searchsorted", sorter)
    line = None if order is None else ruled_shape(order, "searchsorted")
    _shapes.sorted_line("searchsorted", ruled_shape(t1, "searchsorted"), line)
    if order is not None:
        t1 = take(Array(t1), Array(order)).tensor
    search = raw.LowerBound if side == "left" else raw.UpperBound
    dims = dims_of(t2)
    found = search(
        sorted_inputs=keys_of(t1)[None],
        values=keys_of(reshape(t2, [product(dims)]))[None],
        out_type=TF_DTYPES[dtypes.default(int)],
    )
    return Array(reshape(found, dims))


_BOOL = tf.bool


def where(condition: Any, x1: Any, x2: Any, /) -> Array:
    t1, t2 = promote("where", x1, x2)
    if type(condition) is Array and condition._tensor.dtype is _BOOL:
        chosen = condition._tensor
    elif type(condition) in dtypes.PYTHON_SCALARS:
        chosen = tf.constant(bool(condition))
    else:
        chosen = cast(tensor_of(condition), tf.bool)
    return Array(apply("where", k.select, chosen, t1, t2))
