"""Shapes and the order of elements on JAX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import _results, _shapes
from ...arrays import concrete_needed
from ...ops.manipulation import broadcast_shapes
from .promotion import promote, strong, type_of

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


def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    parts = [promote("broadcast_arrays", x)[0] for x in arrays]
    shape = _shapes.broadcast("broadcast_arrays", *(part.shape for part in parts))
    return tuple(jnp.broadcast_to(part, shape) for part in parts)


def broadcast_to(x: Any, /, shape: tuple[int, ...]) -> Any:
    array = strong(x)
    return jnp.broadcast_to(array, _shapes.broadcast_to("broadcast_to", array.shape, shape))


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Any:
    parts = promote("concat", *arrays) if arrays else []
    if axis is None:
        parts, axis = [part.reshape(-1) for part in parts], 0
    return jnp.concatenate(parts, _shapes.joined("concat", [part.shape for part in parts], axis))


def expand_dims(x: Any, /, axis: int | tuple[int, ...]) -> Any:
    array = strong(x)
    return jnp.reshape(array, _shapes.expanded("expand_dims", array.shape, axis))


def flip(x: Any, /, *, axis: int | tuple[int, ...] | None = None) -> Any:
    array = strong(x)
    return jnp.flip(array, _shapes.all_axes("flip", axis, array.ndim))


def moveaxis(x: Any, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Any:
    array = strong(x)
    return jnp.transpose(array, _shapes.moved("moveaxis", source, destination, array.ndim))


def permute_dims(x: Any, /, axes: tuple[int, ...]) -> Any:
    array = strong(x)
    return jnp.transpose(array, _shapes.permutation("permute_dims", axes, array.ndim))


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    if isinstance(repeats, Tracer):
        raise concrete_needed(repeats, "repeat: repeats")
    array, counts = strong(x), np.asarray(repeats)
    _results.indices("repeat", counts.dtype)
    if axis is None:
        array, axis = array.reshape(-1), 0
    where = _shapes.one_axis("repeat", axis, array.ndim)
    numbers = tuple(counts.reshape(-1).tolist())
    _shapes.repetitions("repeat", numbers, array.shape[where])
    total = sum(numbers) if len(numbers) == array.shape[where] else numbers[0] * array.shape[where]
    return jnp.repeat(array, counts, where, total_repeat_length=total)


def pad(
    x: Any,
    /,
    pad_width: int | tuple[Any, ...],
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    *,
    constant_values: Any = 0,
) -> Any:
    array = strong(x)
    widths = _shapes.padded("pad", array.shape, pad_width, mode)
    if not widths:
        return array
    if mode != "constant":
        return jnp.pad(array, widths, mode)
    value = _results.constant("pad", array.dtype, constant_values, type_of)
    return jnp.pad(array, widths, mode, constant_values=jnp.asarray(value, array.dtype))


def reshape(
    x: Any,
    /,
    shape: tuple[int, ...],
    *,
    copy: bool | None = None,
    order: Literal["C", "F"] = "C",
) -> Any:
    array = strong(x)
    sizes = _shapes.reshape("reshape", array.shape, shape)
    _shapes.choice("reshape", "order", order, ("C", "F"))
    copy = _shapes.copying("reshape", copy)
    if copy is False and sizes != array.shape:
        raise ValueError(
            "reshape: copy=False, but JAX does not say whether it copies; leave `copy` out"
        )
    return jnp.reshape(array, sizes, order, copy=copy)


def roll(
    x: Any,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> Any:
    array = strong(x)
    if axis is None:
        (places,), _ = _shapes.rolled("roll", shift, 0, 1)
        return jnp.roll(array, places)
    shifts, axes = _shapes.rolled("roll", shift, axis, array.ndim)
    return jnp.roll(array, shifts, axes)


def squeeze(x: Any, /, axis: int | tuple[int, ...]) -> Any:
    array = strong(x)
    return jnp.squeeze(array, _shapes.squeezed("squeeze", array.shape, axis))


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> Any:
    parts = promote("stack", *arrays) if arrays else []
    return jnp.stack(parts, _shapes.stacked("stack", [part.shape for part in parts], axis))


def tile(x: Any, repetitions: tuple[int, ...], /) -> Any:
    array = strong(x)
    return jnp.tile(array, _shapes.tiled("tile", array.shape, repetitions)[1])


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    array = strong(x)
    return jnp.unstack(array, axis=_shapes.one_axis("unstack", axis, array.ndim))
