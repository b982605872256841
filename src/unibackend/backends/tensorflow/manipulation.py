"""Shapes and the order of elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import tensorflow as tf

from ... import _results, _shapes, dtypes
from ...arrays import concrete_needed
from ...errors import TracingError
from ...ops.manipulation import broadcast_shapes
from ._broadcast import ERRORS
from ._broadcast import broadcast_shapes as _common_shape
from ._broadcast import broadcast_to as _broadcast
from ._kernels import raw
from ._sizes import (
    around,
    check_known,
    dims_of,
    ints,
    pack,
    product,
    rank_of,
    ruled_shape,
    ruled_shapes,
    static_shape,
    values_of,
)
from ._sizes import reshape as _reshape
from .array import NUMPY_DTYPES, Array, tensor_of
from .promotion import promote, to_array, to_tensor, type_of

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "pad",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]

_SLICE_AXES = 6  # `Slice`, the gradient of joining, stops at seven
_JOINED_AT_ONCE = frozenset(range(1, _SLICE_AXES + 1))
_REVERSE_AXES = 7  # `ReverseV2` stops at eight; one is left for the loop of a vectorized_map


def move(tensor: Any, source: int, destination: int) -> Any:
    """Return a tensor with one axis moved, both places counted from 0."""
    if source == destination:
        return tensor
    order = [i for i in range(tensor.shape.rank) if i != source]
    order.insert(destination, source)
    return raw.Transpose(x=tensor, perm=ints(order))


def broadcast_arrays(*arrays: Any) -> tuple[Array, ...]:
    tensors = [to_array("broadcast_arrays", x) for x in arrays]
    if not tensors:
        return ()
    shape = _common_shape("broadcast_arrays", *(dims_of(t) for t in tensors))
    return tuple(Array(_broadcast(tensor, shape)) for tensor in tensors)


def broadcast_to(x: Any, /, shape: tuple[int, ...]) -> Array:
    tensor = to_array("broadcast_to", x)
    check_known("broadcast_to", shape)
    wanted = _shapes.broadcast_to("broadcast_to", ruled_shape(tensor, "broadcast_to"), shape)
    return Array(_broadcast(tensor, wanted))


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Array:
    found = _joined_at_once(arrays, axis)
    if found is not None:
        return found
    tensors = promote("concat", *arrays) if arrays else []
    if axis is None:
        tensors, axis = [_reshape(tensor, [-1]) for tensor in tensors], 0
    shapes = ruled_shapes(tensors, "concat")
    return Array(join(tensors, _shapes.joined("concat", shapes, axis)))


def _joined_at_once(arrays: Sequence[Any], axis: Any) -> Array | None:
    """Return arrays joined by the op, if it takes them as they are; else the rules say why not."""
    tensors = []
    rank = None
    for x in arrays:
        if type(x) is not Array:
            return None
        tensor = x._tensor
        if rank is None:
            rank = tensor.shape.rank
        elif tensor.shape.rank != rank:  # the op joins arrays without axes to others
            return None
        tensors.append(tensor)
    if rank not in _JOINED_AT_ONCE or type(axis) is not int:
        return None
    try:
        return Array(raw.ConcatV2(tensors, axis))
    except (*ERRORS, TypeError):
        return None


def join(tensors: list[Any], axis: int) -> Any:
    """Return tensors joined along an axis; of many axes three are made, for the gradient."""
    if len(tensors) == 1:
        return tensors[0]
    if tensors[0].shape.rank <= _SLICE_AXES:
        return raw.ConcatV2(values=tensors, axis=axis)
    dims = dims_of(tensors[0])
    rows = [around(tensor, axis) for tensor in tensors]
    sizes = [dims[axis] for _, dims in rows]
    dims[axis] = sum(sizes[1:], sizes[0])
    return _reshape(raw.ConcatV2(values=[row for row, _ in rows], axis=1), dims)


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> Array:
    tensors = promote("stack", *arrays) if arrays else []
    place = _shapes.stacked("stack", ruled_shapes(tensors, "stack"), axis)
    return Array(raw.Pack(values=tensors, axis=place))


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    tensor = to_array("unstack", x)
    number = _shapes.one_axis("unstack", axis, rank_of(tensor, "unstack"))
    size = _length("unstack", tensor, number)
    if size == 0:
        return ()  # in a graph the op without results is None
    return tuple(map(Array, raw.Unpack(value=tensor, num=size, axis=number)))


def _length(function: str, tensor: Any, axis: int) -> int:
    size: int | None = tensor.shape[axis]
    if size is None:
        raise TracingError(
            f"{function}: the length of axis {axis} is unknown inside this tf.function, and the "
            f"result depends on it; give it in input_signature"
        )
    return size


def expand_dims(x: Any, /, axis: int | tuple[int, ...]) -> Array:
    tensor = to_array("expand_dims", x)
    dims = tuple(dims_of(tensor, "expand_dims"))
    return Array(_reshape(tensor, _shapes.expanded("expand_dims", dims, axis)))


def squeeze(x: Any, /, axis: int | tuple[int, ...]) -> Array:
    tensor = to_array("squeeze", x)
    axes = _shapes.squeezed("squeeze", ruled_shape(tensor, "squeeze"), axis)
    return Array(raw.Squeeze(input=tensor, axis=list(axes)) if axes else tensor)


def pad(
    x: Any,
    /,
    pad_width: int | tuple[Any, ...],
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    *,
    constant_values: Any = 0,
) -> Array:
    tensor = to_array("pad", x)
    widths = _shapes.padded("pad", ruled_shape(tensor, "pad"), pad_width, mode)
    dtype = NUMPY_DTYPES[tensor.dtype]
    value = None
    if mode == "constant":
        given = _results.constant("pad", dtype, constant_values, type_of)
        value = to_tensor("pad", given, dtype)
    for axis, (before, after) in enumerate(widths):
        if before or after:
            rows, dims = around(tensor, axis)
            if value is None:
                places = _beyond(mode, before, dims[axis], after)
                rows = raw.GatherV2(params=rows, indices=places, axis=1)
            else:  # `PadV2` has no derivative by the constant
                first, _, last = dims_of(rows)
                ends = [raw.Fill(dims=pack([first, n, last]), value=value) for n in (before, after)]
                rows = raw.ConcatV2(values=[ends[0], rows, ends[1]], axis=1)
            dims[axis] = dims[axis] + (before + after)
            tensor = _reshape(rows, dims)
    return Array(tensor)


def _beyond(mode: str, before: int, size: Any, after: int) -> Any:
    """Return where the elements of a line come from that is continued at both ends."""
    places = tf.range(-before, size + after)
    if mode == "edge":
        return tf.clip_by_value(places, 0, size - 1)
    if mode == "wrap":
        return tf.math.floormod(places, size)
    # there and back again: `reflect` passes the ends once, `symmetric` twice
    back = 2 * size - 1 if mode == "symmetric" else tf.maximum(2 * size - 2, 1)
    period = back + 1 if mode == "symmetric" else back
    places = tf.math.floormod(places, period)
    return tf.minimum(places, back - places)


def reshape(
    x: Any,
    /,
    shape: Any,
    *,
    copy: bool | None = None,
    order: Literal["C", "F"] = "C",
) -> Array:
    tensor = to_array("reshape", x)
    check_known("reshape", shape)
    copy = _shapes.copying("reshape", copy)
    if _shapes.choice("reshape", "order", order, ("C", "F")) == "F":
        if copy is False and rank_of(tensor, "reshape") > 1:
            raise ValueError("reshape: copy=False, but order='F' needs a copy on TensorFlow")
        return _reshape_by_columns(tensor, shape)
    own = static_shape(tensor, "reshape")
    if None not in own:
        return Array(_reshape(tensor, _shapes.reshape("reshape", own, shape)))
    given = shape if isinstance(shape, tuple | list) else (shape,)
    sizes = [_shapes.integer("reshape", "shape", size) for size in given]
    return Array(raw.Reshape(tensor=tensor, shape=ints(sizes)))


def _reshape_by_columns(tensor: Any, shape: Any) -> Array:
    sizes = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    return _reversed(reshape(_reversed(Array(tensor)), sizes[::-1]))


def _reversed(x: Array) -> Array:
    return permute_dims(x, tuple(range(x.ndim))[::-1])


def permute_dims(x: Any, /, axes: tuple[int, ...]) -> Array:
    tensor = to_array("permute_dims", x)
    order = _shapes.permutation("permute_dims", axes, rank_of(tensor, "permute_dims"))
    return Array(raw.Transpose(x=tensor, perm=ints(order)))


def moveaxis(x: Any, source: Any, destination: Any, /) -> Array:
    tensor = to_array("moveaxis", x)
    order = _shapes.moved("moveaxis", source, destination, rank_of(tensor, "moveaxis"))
    return Array(raw.Transpose(x=tensor, perm=ints(order)))


def flip(x: Any, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    tensor = to_array("flip", x)
    rank = rank_of(tensor, "flip")
    axes = _shapes.all_axes("flip", axis, rank)
    if rank <= _REVERSE_AXES:
        return Array(raw.ReverseV2(tensor=tensor, axis=ints(axes)))
    for i in axes:
        rows, dims = around(tensor, i)
        tensor = _reshape(raw.ReverseV2(tensor=rows, axis=ints((1,))), dims)
    return Array(tensor)


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    tensor = to_array("roll", x)
    if axis is None:
        (by,), _ = _shapes.rolled("roll", shift, 0, 1)
        return Array(_reshape(rolled(_reshape(tensor, [-1]), by, 0), dims_of(tensor)))
    shifts, axes = _shapes.rolled("roll", shift, axis, rank_of(tensor, "roll"))
    for one, by in zip(axes, shifts, strict=True):  # an axis named twice is rolled twice
        tensor = rolled(tensor, by, one)
    return Array(tensor)


def rolled(tensor: Any, shift: Any, axis: int) -> Any:
    rows, dims = around(tensor, axis)
    size = dims[axis]
    if isinstance(size, int):
        start = -shift % size if size else 0
        if start == 0:
            return tensor
    else:
        start = tf.math.floormod(-shift, tf.maximum(size, 1))
    head, tail = rows[:, :start], rows[:, start:]
    return _reshape(raw.ConcatV2(values=[tail, head], axis=1), dims)


def tile(x: Any, repetitions: tuple[int, ...], /) -> Array:
    tensor = to_array("tile", x)
    dims, counts = _shapes.tiled("tile", tuple(dims_of(tensor, "tile")), repetitions)
    tensor = _reshape(tensor, dims)
    for i, count in enumerate(counts):
        if count != 1:
            tensor = _repeated(tensor, i, count, each=False)
    return Array(tensor)


def _repeated(tensor: Any, axis: int, count: int, *, each: bool) -> Any:
    """Return a tensor repeated along an axis, each element or all of them together."""
    dims = dims_of(tensor)
    before, size, after = product(dims[:axis]), dims[axis], product(dims[axis + 1 :])
    one = [before, size, 1, after] if each else [before, 1, size, after]
    many = [before, size, count, after] if each else [before, count, size, after]
    dims[axis] = product([size, count])
    return _reshape(_broadcast(_reshape(tensor, one), many), dims)


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
    tensor = to_array("repeat", x)
    if axis is None:
        tensor, axis = _reshape(tensor, [-1]), 0
    number = _shapes.one_axis("repeat", axis, rank_of(tensor, "repeat"))
    counts = _counts(repeats)
    if counts.size == 1:
        _shapes.repetitions("repeat", (int(counts.reshape(())),), 1)
        return Array(_repeated(tensor, number, int(counts.reshape(())), each=True))
    size = _length("repeat", tensor, number)
    _shapes.repetitions("repeat", tuple(counts.reshape(-1).tolist()), size)
    places = np.repeat(np.arange(size, dtype=np.int32), counts)
    rows, dims = around(tensor, number)
    dims[number] = places.size
    return Array(_reshape(raw.GatherV2(params=rows, indices=places, axis=1), dims))


def _counts(repeats: Any) -> np.ndarray[Any, Any]:
    if type(repeats) in dtypes.PYTHON_SCALARS:
        _results.indices("repeat", dtypes.default(type(repeats)))
        return np.asarray(_shapes.integer("repeat", "repeats", repeats))
    _results.indices("repeat", NUMPY_DTYPES[tensor_of(repeats).dtype])
    tensor = tensor_of(repeats)
    values = values_of(tensor)
    if values is None:
        raise concrete_needed(Array(tensor), "repeat: repeats")
    return values
