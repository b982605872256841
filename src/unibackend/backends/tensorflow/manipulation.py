"""Shapes and the order of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from ...arrays import concrete_needed
from ...errors import ShapeError
from ._broadcast import broadcast_shapes
from ._broadcast import broadcast_to as _broadcast
from ._kernels import raw
from ._shapes import (
    around,
    as_int,
    as_shape,
    dims_of,
    ints,
    normalize_axes,
    normalize_axis,
    product,
    rank_of,
    static_shape,
    values_of,
)
from ._shapes import reshape as _reshape
from .array import Array, tensor_of
from .promotion import promote, to_array

__all__ = [
    "broadcast_arrays",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]

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
    shape = broadcast_shapes("broadcast_arrays", *(dims_of(t) for t in tensors))
    return tuple(Array(_broadcast(tensor, shape)) for tensor in tensors)


def broadcast_to(x: Any, /, shape: tuple[int, ...]) -> Array:
    tensor = to_array("broadcast_to", x)
    wanted = as_shape("broadcast_to", shape)
    own = static_shape(tensor, "broadcast_to")
    fits = len(own) <= len(wanted) and all(
        size in (1, None, target) for size, target in zip(own[::-1], wanted[::-1], strict=False)
    )
    if not fits:
        raise ShapeError(
            f"broadcast_to: the shape {own} of x does not broadcast to shape={wanted}: counted "
            f"from the end, sizes must be equal or 1"
        )
    return Array(_broadcast(tensor, wanted))


def _operands(function: str, arrays: Sequence[Any]) -> list[Any]:
    if not arrays:
        raise ShapeError(f"{function}: no arrays were given; it needs one at least")
    return promote(function, *arrays)


def _check_alike(function: str, tensors: list[Any], axis: int | None) -> None:
    """Check that shapes are equal, except along an axis.

    Raises:
        ShapeError: they are not.
    """
    first = static_shape(tensors[0], function)
    for i, tensor in enumerate(tensors[1:], 1):
        shape = static_shape(tensor, function)
        if len(shape) != len(first) or any(
            None not in (a, b) and a != b and j != axis
            for j, (a, b) in enumerate(zip(first, shape, strict=True))
        ):
            but = "" if axis is None else f" except along axis {axis}"
            raise ShapeError(
                f"{function}: arrays[0] has the shape {first} and arrays[{i}] {shape}; they must "
                f"be equal{but}"
            )


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Array:
    tensors = _operands("concat", arrays)
    if axis is None:
        tensors, axis = [_reshape(tensor, [-1]) for tensor in tensors], 0
    number = normalize_axis("concat", axis, rank_of(tensors[0], "concat"))
    _check_alike("concat", tensors, number)
    return Array(raw.ConcatV2(values=tensors, axis=number) if len(tensors) > 1 else tensors[0])


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> Array:
    tensors = _operands("stack", arrays)
    number = normalize_axis("stack", axis, rank_of(tensors[0], "stack") + 1)
    _check_alike("stack", tensors, None)
    return Array(raw.Pack(values=tensors, axis=number))


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    tensor = to_array("unstack", x)
    number = normalize_axis("unstack", axis, rank_of(tensor, "unstack"))
    size = as_shape("unstack", tensor.shape[number])[0]
    return tuple(map(Array, raw.Unpack(value=tensor, num=size, axis=number)))


def expand_dims(x: Any, /, axis: int | tuple[int, ...]) -> Array:
    tensor = to_array("expand_dims", x)
    dims = dims_of(tensor, "expand_dims")
    count = len(axis) if isinstance(axis, tuple | list) else 1
    for place in sorted(normalize_axes("expand_dims", axis, len(dims) + count)):
        dims.insert(place, 1)
    return Array(_reshape(tensor, dims))


def squeeze(x: Any, /, axis: int | tuple[int, ...]) -> Array:
    tensor = to_array("squeeze", x)
    shape = static_shape(tensor, "squeeze")
    axes = normalize_axes("squeeze", axis, len(shape))
    if any(shape[i] not in (1, None) for i in axes):
        raise ShapeError(
            f"squeeze: axis={axis} of the shape {shape}: only an axis of length 1 can be removed"
        )
    return Array(raw.Squeeze(input=tensor, axis=list(axes)) if axes else tensor)


def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Array:
    tensor = to_array("reshape", x)
    wanted = as_shape("reshape", shape, unknown=True)
    own = static_shape(tensor, "reshape")
    if None not in own:
        size, known = product(own), product(n for n in wanted if n != -1)
        fits = size == known if -1 not in wanted else known and size % known == 0
        if not fits:
            raise ShapeError(
                f"reshape: an array of the shape {own} has {size} elements, which do not go into "
                f"shape={wanted}"
            )
        wanted = tuple(size // known if n == -1 else n for n in wanted)
    return Array(_reshape(tensor, wanted))


def permute_dims(x: Any, /, axes: tuple[int, ...]) -> Array:
    tensor = to_array("permute_dims", x)
    rank = rank_of(tensor, "permute_dims")
    order = normalize_axes("permute_dims", axes, rank, "axes")
    if len(order) != rank:
        raise ShapeError(f"permute_dims: axes={axes} must name each of the {rank} axes once")
    return Array(raw.Transpose(x=tensor, perm=ints(order)))


def moveaxis(x: Any, source: Any, destination: Any, /) -> Array:
    tensor = to_array("moveaxis", x)
    rank = rank_of(tensor, "moveaxis")
    sources = normalize_axes("moveaxis", source, rank, "source")
    places = normalize_axes("moveaxis", destination, rank, "destination")
    if len(sources) != len(places):
        raise ShapeError(
            f"moveaxis: source={source} names {len(sources)} axes and destination={destination} "
            f"{len(places)} places"
        )
    order = [i for i in range(rank) if i not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return Array(raw.Transpose(x=tensor, perm=ints(order)))


def flip(x: Any, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    tensor = to_array("flip", x)
    rank = rank_of(tensor, "flip")
    axes = normalize_axes("flip", axis, rank)
    if rank <= _REVERSE_AXES:
        return Array(raw.ReverseV2(tensor=tensor, axis=ints(axes)))
    for i in axes:
        rows, dims = around(tensor, i)
        tensor = _reshape(raw.ReverseV2(tensor=rows, axis=ints((1,))), dims)
    return Array(tensor)


def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Array:
    tensor = to_array("roll", x)
    rank = rank_of(tensor, "roll")
    if axis is None:
        total = sum(as_int("roll", s, "shift") for s in _sequence(shift))
        flat = _rolled(_reshape(tensor, [-1]), total, 0)
        return Array(_reshape(flat, dims_of(tensor)))
    # an axis that is named twice is rolled twice
    axes = [normalize_axis("roll", one, rank) for one in _sequence(axis)]
    shifts = [as_int("roll", one, "shift") for one in _sequence(shift)]
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(shifts) != len(axes):
        raise ShapeError(f"roll: shift={shift} has {len(shifts)} numbers for axis={axis}")
    for one, by in zip(axes, shifts, strict=True):
        tensor = _rolled(tensor, by, one)
    return Array(tensor)


def _sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, tuple | list) else (value,)


def _rolled(tensor: Any, shift: int, axis: int) -> Any:
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
    counts = as_shape("tile", repetitions)
    dims = dims_of(tensor, "tile")
    dims = [1] * (len(counts) - len(dims)) + dims
    counts = (1,) * (len(dims) - len(counts)) + counts
    tensor = _reshape(tensor, dims)
    for i, count in enumerate(counts):
        if count != 1:
            tensor, dims = _repeated(tensor, i, count, each=False)
    return Array(tensor)


def _repeated(tensor: Any, axis: int, count: int, *, each: bool) -> tuple[Any, list[Any]]:
    """Return a tensor repeated along an axis, each element or all of them, and its sizes."""
    dims = dims_of(tensor)
    before, size, after = product(dims[:axis]), dims[axis], product(dims[axis + 1 :])
    one = [before, size, 1, after] if each else [before, 1, size, after]
    many = [before, size, count, after] if each else [before, count, size, after]
    dims[axis] = product([size, count])
    return _reshape(_broadcast(_reshape(tensor, one), many), dims), dims


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Array:
    tensor = to_array("repeat", x)
    if axis is None:
        tensor, axis = _reshape(tensor, [-1]), 0
    number = normalize_axis("repeat", axis, rank_of(tensor, "repeat"))
    counts = _counts(repeats)
    if counts.size and counts.min() < 0:
        raise ShapeError(f"repeat: repeats holds {counts.min()}; numbers must not be negative")
    if counts.ndim == 0:
        return Array(_repeated(tensor, number, int(counts), each=True)[0])
    size = as_shape("repeat", tensor.shape[number])[0]
    if counts.shape not in ((size,), (1,)):
        raise ShapeError(
            f"repeat: repeats has the shape {counts.shape} for an axis of {size} elements; give "
            f"one number, or one for each"
        )
    places = np.repeat(np.arange(size, dtype=np.int32), counts)
    rows, dims = around(tensor, number)
    dims[number] = places.size
    return Array(_reshape(raw.GatherV2(params=rows, indices=places, axis=1), dims))


def _counts(repeats: Any) -> np.ndarray[Any, Any]:
    if isinstance(repeats, int):
        return np.asarray(repeats)
    tensor = tensor_of(repeats)
    values = values_of(tensor)
    if values is None:
        raise concrete_needed(Array(tensor), "repeat: repeats")
    return values
