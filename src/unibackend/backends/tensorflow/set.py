"""Distinct elements, found side by side once they are in order."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _shapes, dtypes
from ...arrays import size_needed
from ...ops.set import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from . import _kernels as k
from ._kernels import COMPLEX, FLOATS, cast, raw
from ._sizes import dims_of, pack, product, reshape, values_of
from .array import TF_DTYPES, Array
from .promotion import promote, to_array
from .sorting import keys_of

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
    t1, t2 = promote("isin", x1, x2)
    inverse = _shapes.flag("isin", "invert", invert)
    own, other = reshape(t1, [product(dims_of(t1))]), reshape(t2, [product(dims_of(t2))])
    flat = raw.ConcatV2(values=[other, own], axis=0)
    count, size = dims_of(other)[0], dims_of(flat)[0]
    order, new = _runs(flat)
    numbers = raw.Cumsum(x=cast(new, tf.int32), axis=0) - 1
    among = cast(order < tf.cast(count, order.dtype), tf.int32)
    found = raw.UnsortedSegmentSum(data=among, segment_ids=numbers, num_segments=size)
    found = _in_place(_gather(found, numbers), order, size)[count:]
    chosen = raw.Equal if inverse else raw.NotEqual
    return Array(reshape(chosen(x=found, y=k.scalar(0, tf.int32)), dims_of(t1)))


def unique_all(x: Any, /) -> UniqueAllResult:
    return _unique("unique_all", x)


def unique_counts(x: Any, /) -> UniqueCountsResult:
    found = _unique("unique_counts", x)
    return UniqueCountsResult(found.values, found.counts)


def unique_inverse(x: Any, /) -> UniqueInverseResult:
    found = _unique("unique_inverse", x)
    return UniqueInverseResult(found.values, found.inverse_indices)


def unique_values(x: Any, /) -> Any:
    return _unique("unique_values", x).values


def eager(function: str, tensor: Any) -> Any:
    """Return a tensor with values, also in a graph that has it as a constant.

    Raises:
        TracingError: it has none, in a function being compiled or mapped.
    """
    if hasattr(tensor, "numpy"):
        return tensor
    values = values_of(tensor)
    if values is None:
        raise size_needed(Array(tensor), function)
    with tf.init_scope():
        return tf.constant(values)


def _unique(function: str, x: Any) -> UniqueAllResult:
    tensor = eager(function, to_array(function, x))
    with tf.init_scope():  # in no graph, since the sizes depend on values
        size = product(tensor.shape)
        flat = reshape(tensor, [size])
        order, new = _runs(flat)
        starts = cast(tf.reshape(raw.Where(condition=new), [-1]), tf.int32)
        numbers = raw.Cumsum(x=cast(new, tf.int32), axis=0) - 1
        ends = raw.ConcatV2(
            values=[starts[1:], tf.constant([size][: len(starts)], tf.int32)], axis=0
        )
        places = (
            _gather(order, starts),
            reshape(_in_place(numbers, order, size), tensor.shape),
            ends - starts,
        )
    first, inverse, counts = (cast(one, TF_DTYPES[dtypes.default(int)]) for one in places)
    values = _gather(reshape(tensor, [size]), places[0])
    return UniqueAllResult(Array(values), Array(first), Array(inverse), Array(counts))


def _gather(flat: Any, places: Any) -> Any:
    return raw.GatherV2(params=flat, indices=places, axis=0)


def _in_place(flat: Any, order: Any, size: Any) -> Any:
    """Return elements that stand in some order as they were before."""
    return raw.ScatterNd(indices=order[:, None], updates=flat, shape=pack([size]))


def _runs(flat: Any) -> tuple[Any, Any]:
    """Return the order of elements, and which of them in that order differ from the last one."""
    keys = _keys(flat)
    order = _sorted(keys[0])
    for key in keys[1:]:  # each keeps the order that there is of what is equal
        order = _gather(order, _sorted(_gather(key, order)))
    new = raw.GreaterEqual(x=order, y=k.scalar(0, order.dtype))[:1]  # True, if there is one
    differs = _gather(_is_nan(flat), order)[1:]
    for key in keys:
        ordered = _gather(key, order)
        differs = raw.LogicalOr(x=differs, y=raw.NotEqual(x=ordered[1:], y=ordered[:-1]))
    return order, raw.ConcatV2(values=[new, differs], axis=0)


def _keys(flat: Any) -> list[Any]:
    """Return integers to sort by, one after the other."""
    if flat.dtype not in COMPLEX:
        return [keys_of(flat)]
    real, imag = k.real(flat), k.imag(flat)
    nans = 2 * cast(k.is_nan(real), tf.int32) + cast(k.is_nan(imag), tf.int32)
    return [keys_of(imag), keys_of(real), nans]


def _is_nan(flat: Any) -> Any:
    if flat.dtype in FLOATS | COMPLEX:
        return k.is_nan(flat)
    return raw.Fill(dims=raw.Shape(input=flat), value=tf.constant(False))


def _sorted(keys: Any) -> Any:
    return raw.TopKV2(input=raw.Invert(x=keys), k=dims_of(keys)[0]).indices
