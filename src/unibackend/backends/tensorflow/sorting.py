"""Elements in order, by `TopKV2`: the only sort of TensorFlow that all its modes have.

It puts the largest first, and the first of equal ones first. NaN breaks it, and XLA puts -0.0
before 0.0, so that what is sorted are integers in the order of the numbers.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _results, _shapes, dtypes
from ...ops.sorting import TopKResult
from . import _kernels as k
from ._kernels import HALVES, cast, raw
from ._sizes import dims_of, ints, product, rank_of, reshape, ruled_shape
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .manipulation import move
from .promotion import to_array

__all__ = ["argsort", "sort", "top_k"]


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    rows, back = _as_rows("argsort", x, axis)
    _shapes.flag("argsort", "stable", stable)
    order = order_of(rows, descending=_shapes.flag("argsort", "descending", descending))
    return Array(back(cast(order, TF_DTYPES[dtypes.default(int)])))


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    rows, back = _as_rows("sort", x, axis)
    _shapes.flag("sort", "stable", stable)
    rows = in_order(rows, order_of(rows))
    if _shapes.flag("sort", "descending", descending):
        rows = raw.ReverseV2(tensor=rows, axis=ints((1,)))  # the last of equal ones first
    return Array(back(rows))


def top_k(x: Any, /, k: int, *, axis: int = -1, largest: bool = True) -> TopKResult:
    most = _shapes.flag("top_k", "largest", largest)
    tensor = to_array("top_k", x)
    _results.takes("top_k", NUMPY_DTYPES[tensor.dtype])
    count, number = _shapes.top("top_k", ruled_shape(tensor, "top_k"), k, axis)
    rows, back = _as_rows("top_k", x, number)
    order = order_of(rows, descending=most, count=count)
    places = cast(order, TF_DTYPES[dtypes.default(int)])
    return TopKResult(Array(back(in_order(rows, order))), Array(back(places)))


def _as_rows(function: str, x: Any, axis: int) -> tuple[Any, Any]:
    """Return an array as rows to sort, and what brings such rows back to its shape."""
    tensor = to_array(function, x)
    _results.takes(function, NUMPY_DTYPES[tensor.dtype])
    rank = rank_of(tensor, function)
    number = _shapes.one_axis(function, axis, rank)
    last = move(tensor, number, rank - 1)
    dims = dims_of(last)
    rows = reshape(last, [product(dims[:-1]), dims[-1]])

    def back(result: Any) -> Any:
        return move(reshape(result, [*dims[:-1], dims_of(result)[1]]), rank - 1, number)

    return rows, back


def in_order(rows: Any, order: Any) -> Any:
    return raw.GatherV2(params=rows, indices=order, axis=1, batch_dims=1)


def order_of(rows: Any, *, descending: bool = False, count: Any = None) -> Any:
    """Return the indices that sort each row, or the first so many of them."""
    keys = keys_of(rows)
    count = dims_of(rows)[1] if count is None else count
    return raw.TopKV2(input=keys if descending else raw.Invert(x=keys), k=count).indices


def keys_of(tensor: Any) -> Any:
    """Return integers in the order of real numbers or bools: NaN last, both zeros alike."""
    tensor = cast(tensor, tf.float32) if tensor.dtype in HALVES else tensor
    match tensor.dtype:
        case tf.float32:
            return _keys_of_floats(tensor, tf.int32)
        case tf.float64:
            return _keys_of_floats(tensor, tf.int64)
        case tf.int32 | tf.int64:
            return tensor
        case tf.uint32:
            return cast(tensor, tf.int64)
        case tf.uint64:
            bits = raw.Bitcast(input=tensor, type=tf.int64)
            return raw.BitwiseXor(x=bits, y=k.scalar(tf.int64.min, tf.int64))
    return cast(tensor, tf.int32)


def _keys_of_floats(tensor: Any, dtype: Any) -> Any:
    bits = raw.Bitcast(input=tensor, type=dtype)
    zero, most, least = (k.scalar(value, dtype) for value in (0, dtype.max, dtype.min))
    bits = k.select(raw.Equal(x=bits, y=least), zero, bits)  # -0.0
    # negative numbers have the larger bits the smaller they are
    turned = raw.BitwiseXor(x=bits, y=most)
    return k.select(k.is_nan(tensor), most, k.select(raw.Less(x=bits, y=zero), turned, bits))
