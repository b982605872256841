"""Shapes and the order of elements on NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import array_api_compat.numpy as compat
import numpy as np

from ... import _results, _shapes
from ...ops.manipulation import broadcast_shapes
from .promotion import NumpyArray, promote

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


def broadcast_arrays(*arrays: Any) -> tuple[NumpyArray, ...]:
    parts = [promote("broadcast_arrays", x)[0] for x in arrays]
    shape = _shapes.broadcast("broadcast_arrays", *(part.shape for part in parts))
    return tuple(np.broadcast_to(part, shape) for part in parts)


def broadcast_to(x: Any, /, shape: tuple[int, ...]) -> NumpyArray:
    return np.broadcast_to(x, _shapes.broadcast_to("broadcast_to", np.shape(x), shape))


def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> NumpyArray:
    parts = promote("concat", *arrays) if arrays else []
    if axis is None:
        parts, axis = [part.reshape(-1) for part in parts], 0
    return np.concatenate(parts, _shapes.joined("concat", [part.shape for part in parts], axis))


def expand_dims(x: Any, /, axis: int | tuple[int, ...]) -> NumpyArray:
    return np.reshape(x, _shapes.expanded("expand_dims", np.shape(x), axis))


def flip(x: Any, /, *, axis: int | tuple[int, ...] | None = None) -> NumpyArray:
    return np.flip(x, _shapes.all_axes("flip", axis, np.ndim(x)))


def moveaxis(
    x: Any, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> NumpyArray:
    return np.transpose(x, _shapes.moved("moveaxis", source, destination, np.ndim(x)))


def permute_dims(x: Any, /, axes: tuple[int, ...]) -> NumpyArray:
    return np.transpose(x, _shapes.permutation("permute_dims", axes, np.ndim(x)))


def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> NumpyArray:
    array, counts = np.asarray(x), np.asarray(repeats)
    _results.indices("repeat", counts.dtype)
    if axis is None:
        array, axis = array.reshape(-1), 0
    where = _shapes.one_axis("repeat", axis, array.ndim)
    _shapes.repetitions("repeat", tuple(counts.reshape(-1).tolist()), array.shape[where])
    return np.repeat(array, counts.astype(np.int64), where)


def pad(
    x: Any,
    /,
    pad_width: int | tuple[Any, ...],
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    *,
    constant_values: complex | NumpyArray = 0,
) -> NumpyArray:
    array = np.asarray(x)
    widths = _shapes.padded("pad", array.shape, pad_width, mode)
    if not widths:
        return array
    if mode != "constant":
        return np.pad(array, widths, mode)
    value = _results.constant("pad", array.dtype, constant_values, type)
    return np.pad(array, widths, mode, constant_values=np.asarray(value).astype(array.dtype))


def reshape(
    x: Any,
    /,
    shape: tuple[int, ...],
    *,
    copy: bool | None = None,
    order: Literal["C", "F"] = "C",
) -> NumpyArray:
    array = np.asarray(x)
    sizes = _shapes.reshape("reshape", array.shape, shape)
    copy = _shapes.copying("reshape", copy)
    if _shapes.choice("reshape", "order", order, ("C", "F")) == "F":
        return reshape(array.T, sizes[::-1], copy=copy).T
    result: NumpyArray = compat.reshape(array, sizes, copy=copy)  # np.reshape has no `copy` on 2.0
    return result


def roll(
    x: Any,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> NumpyArray:
    if axis is None:
        (places,), _ = _shapes.rolled("roll", shift, 0, 1)
        return np.roll(x, places)
    shifts, axes = _shapes.rolled("roll", shift, axis, np.ndim(x))
    return np.roll(x, shifts, axes)


def squeeze(x: Any, /, axis: int | tuple[int, ...]) -> NumpyArray:
    result: NumpyArray = np.squeeze(x, _shapes.squeezed("squeeze", np.shape(x), axis))
    return result


def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> NumpyArray:
    parts = promote("stack", *arrays) if arrays else []
    return np.stack(parts, _shapes.stacked("stack", [part.shape for part in parts], axis))


def tile(x: Any, repetitions: tuple[int, ...], /) -> NumpyArray:
    return np.tile(x, _shapes.tiled("tile", np.shape(x), repetitions)[1])


def unstack(x: Any, /, *, axis: int = 0) -> tuple[NumpyArray, ...]:
    return tuple(np.moveaxis(x, _shapes.one_axis("unstack", axis, np.ndim(x)), 0))
