"""What an index means: NumPy's keys, taken apart into one plain description.

A key becomes a reshaped array (the axes of a boolean mask are taken together), one part for each
of its axes and each new one, and the place of the indexed axes in the result.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf

from ... import _indices
from ...arrays import asarray, concrete_needed
from ._sizes import dims_of, product, reshape, values_of
from .array import Array, tensor_of

_OWNED = (Array, tf.Tensor, tf.Variable)


@dataclass(frozen=True, slots=True)
class Indices:
    """Integers that choose along an axis: a tensor, its values where they are known."""

    tensor: Any
    values: np.ndarray[Any, Any] | None


# A part of a key: an integer, a slice, None for a new axis, or indices.
Part = int | slice | None | Indices


@dataclass(frozen=True, slots=True)
class Key:
    """A key for an array of a shape."""

    dims: list[Any]  # the shape that the array is brought to first
    parts: list[Part]  # one for each axis of that shape, and one for each new axis
    together: bool  # whether integers and indices stand side by side, with nothing between


def parse(key: Any, dims: list[Any]) -> Key:
    """Return what a key means for an array of this shape.

    Raises:
        IndexError: too many indices, indices that are no integers, a mask of another shape, two
            ellipses, a slice with a step of 0.
        TracingError: a mask without values: the shape of the result depends on them.
    """
    items = [_item(one) for one in (key if isinstance(key, tuple) else (key,))]
    ellipses = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(ellipses) > 1:
        raise IndexError("x[...]: an index can hold one ellipsis (...) only")
    used = sum(_axes_of(item) for item in items)
    if used > len(dims):
        raise IndexError(
            f"x[...]: {used} indices for an array of {len(dims)} axes, shape {_readable(dims)}"
        )
    chosen = [i for i, item in enumerate(items) if isinstance(item, int | Indices | np.ndarray)]
    together = not chosen or chosen[-1] - chosen[0] == len(chosen) - 1
    place = ellipses[0] if ellipses else len(items)
    rest: list[Any] = [slice(None)] * (len(dims) - used)
    items[place : place + len(ellipses)] = rest
    sizes: list[Any] = []
    parts: list[Part] = []
    axis = 0
    for item in items:
        count = _axes_of(item)
        here = dims[axis : axis + count]
        if isinstance(item, np.ndarray):  # a mask
            _check_mask(item, here, axis)
            parts.append(_index_tensor(np.flatnonzero(item)))
            sizes.append(product(here))
        else:
            parts.append(item)
            sizes += here
        axis += count
    return Key(sizes, parts, together)


def _axes_of(item: Any) -> int:
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if isinstance(item, np.ndarray) else 1


def _readable(dims: list[Any]) -> tuple[int | None, ...]:
    return tuple(size if isinstance(size, int) else None for size in dims)


def _check_mask(mask: np.ndarray[Any, Any], dims: list[Any], axis: int) -> None:
    for i, (size, own) in enumerate(zip(mask.shape, dims, strict=True)):
        if isinstance(own, int) and size not in (own, 0):  # the standard lets 0 select nothing
            raise IndexError(
                f"x[mask]: the mask of shape {mask.shape} does not fit: along axis {axis + i} it "
                f"has {size} elements, and x has {own}"
            )


def _item(item: Any) -> Any:
    """Return an integer, a slice, None, an ellipsis, Indices, or a mask as NumPy's array."""
    if item is None or item is Ellipsis:
        return item
    if isinstance(item, slice):
        return slice(*(_bound(value) for value in (item.start, item.stop, item.step)))
    if isinstance(item, bool | np.bool_):
        return np.asarray(item)
    if isinstance(item, int | np.integer):
        return int(item)
    if isinstance(item, list | tuple):
        item = _from_list(item)
    if isinstance(item, np.ndarray):
        return _from_host(item)
    if isinstance(item, _OWNED):
        return _from_tensor(tensor_of(item))
    try:
        return operator.index(item)
    except TypeError:
        raise _no_index(item, type(item).__name__) from None


def _bound(value: Any) -> int | None:
    if value is None:
        return None
    try:
        return operator.index(value)
    except TypeError as error:
        if isinstance(value, Array):  # traced: its error says what to do
            raise
        raise IndexError(f"x[a:b:c]: {value!r:.40} is no integer") from error


def _no_index(item: Any, what: str) -> IndexError:
    return IndexError(
        f"x[i]: {item!r:.60} is of type {what}; indices are integers, slices, None, an ellipsis, "
        f"and arrays of integers or bools"
    )


def _from_list(item: Any) -> Any:
    """Return a list as an array; NumPy's own rule for an empty one is integers."""
    flat = np.asarray(item, dtype=object).ravel()
    if any(isinstance(one, _OWNED) for one in flat):
        return asarray(item)
    return np.asarray(item) if flat.size else np.zeros(np.shape(item), np.int64)


def _from_host(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype == bool:
        return array
    if array.dtype.kind not in "iu":
        raise _no_index(array, str(array.dtype))
    return int(array) if array.ndim == 0 else _index_tensor(array)


def _index_tensor(values: np.ndarray[Any, Any]) -> Indices:
    narrow = values.astype(np.int64)  # a copy: the caller may overwrite its array
    if values.size == 0 or (abs(int(values.max())) | abs(int(values.min()))) < 2**31:
        narrow = narrow.astype(np.int32)
    return Indices(tf.constant(narrow), narrow)


def _from_tensor(tensor: Any) -> Any:
    values = values_of(tensor)
    if values is not None:
        if values.dtype == bool:
            return values
        if values.dtype.kind not in "iu":
            raise _no_index(values, str(values.dtype))
        return int(values) if values.ndim == 0 else Indices(_index_dtype(tensor), values)
    if tensor.dtype is tf.bool:
        error = concrete_needed(Array(tensor), "x[mask]")
        raise type(error)(
            f"{error}. The shape of x[mask] depends on the values of the mask; ub.where(mask, x, "
            f"other) keeps the shape"
        )
    if not tensor.dtype.is_integer:
        raise _no_index(Array(tensor), tensor.dtype.name)
    return Indices(_index_dtype(tensor), None)


def _index_dtype(tensor: Any) -> Any:
    if tensor.dtype in (tf.int32, tf.int64):
        return tensor
    wide = tensor.dtype.size >= 4
    return tf.raw_ops.Cast(x=tensor, DstT=tf.int64 if wide else tf.int32)


def in_bounds(indices: Indices, size: Any, axis: int, function: str = "x[...]") -> Any:
    """Return indices as numbers from 0.

    Those with values are checked. In a trace they are brought into the bounds, as JAX does.

    Raises:
        IndexError: one is out of bounds.
    """
    tensor, values = indices.tensor, indices.values
    if values is not None and isinstance(size, int):
        if values.size == 0:
            return tensor
        low, high = int(values.min()), int(values.max())
        _indices.in_bounds(function, low, high, size, axis)
        if low >= 0:
            return tensor
    count = tf.cast(size, tensor.dtype)
    tensor = tensor + tf.cast(tensor < 0, tensor.dtype) * count  # a select stops at eight axes
    return tensor if values is not None else tf.minimum(tf.maximum(tensor, 0), count - 1)


def apply_shape(tensor: Any, key: Key) -> Any:
    """Return a tensor in the shape that a key's parts are for."""
    dims = dims_of(tensor)
    same = len(dims) == len(key.dims) and all(a is b for a, b in zip(dims, key.dims, strict=True))
    return tensor if same else reshape(tensor, key.dims)
