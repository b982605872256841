"""Elements by their indices on JAX.

JAX clips or drops indices out of bounds, or gives NaN for them. They are looked at here while they
have values; in a trace, where they have none, the nearest element is taken.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import _indices, _results, _shapes, dtypes
from .promotion import strong, type_of

__all__ = ["_at", "_get", "dynamic_slice", "dynamic_update_slice", "take", "take_along_axis"]


def _places(function: str, indices: Any, size: int, axis: int) -> Any:
    """Return indices that are all in bounds, those with values being checked."""
    index = strong(indices)
    _results.indices(function, index.dtype)
    if isinstance(index, Tracer):
        return _from_0(index, size, size - 1)
    _indices.within(function, np.asarray(index), size, axis)
    return index


def _from_0(index: Any, size: Any, last: Any) -> Any:
    """Return indices counted from the front, brought between 0 and the last one.

    Args:
        index: integers; negative ones count from the end.
        size: of the axis.
        last: the largest index that there may be.
    """
    wide = dtypes.default(int)
    if index.dtype.kind == "u":  # those that the wide type does not hold are beyond any end
        index = jnp.minimum(index, min(np.iinfo(index.dtype).max, np.iinfo(wide).max))
    index = index.astype(wide)
    return jnp.clip(jnp.where(index < 0, index + size, index), 0, jnp.maximum(last, 0))


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    array = strong(x)
    _results.indices("take", strong(indices).dtype)
    where = _shapes.line("take", array.shape, axis)
    return jnp.take(array, _places("take", indices, array.shape[where], where), where)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    array = strong(x)
    _results.indices("take_along_axis", strong(indices).dtype)
    where, _, _ = _shapes.aligned("take_along_axis", array.shape, jnp.shape(indices), axis)
    places = _places("take_along_axis", indices, array.shape[where], where)
    return jnp.take_along_axis(array, places, where)


def _starts(function: str, array: Any, starts: Any, sizes: _shapes.Shape) -> list[Any]:
    """Return where a part begins along each axis, within the array."""
    index = strong(starts)
    if not index.size:
        return []
    _results.indices(function, index.dtype)
    shape = np.asarray(array.shape)
    return list(_from_0(index, shape, shape - np.asarray(sizes)))


def dynamic_slice(x: Any, start_indices: Any, slice_sizes: tuple[int, ...], /) -> Any:
    array = strong(x)
    sizes = _shapes.window("dynamic_slice", array.shape, jnp.shape(start_indices), slice_sizes)
    starts = _starts("dynamic_slice", array, start_indices, sizes)
    return jax.lax.dynamic_slice(array, starts, sizes)


def dynamic_update_slice(x: Any, update: Any, start_indices: Any, /) -> Any:
    name = "dynamic_update_slice"
    array = strong(x)
    _results.kept(name, array.dtype, update=type_of(update))
    if type(update) in dtypes.PYTHON_SCALARS:
        dtypes.fit(update, array.dtype, name)
    part = jnp.asarray(update, array.dtype)
    sizes = _shapes.window(name, array.shape, jnp.shape(start_indices), part.shape)
    return jax.lax.dynamic_update_slice(array, part, _starts(name, array, start_indices, sizes))


_OF_BOOLS = {"add": "max", "multiply": "min", "min": "min", "max": "max"}


def _at(x: Any, values: Any, /, *, key: tuple[Any, ...], mode: str) -> Any:
    array = strong(x)
    _results.kept("at", array.dtype, values=type_of(values))
    if type(values) in dtypes.PYTHON_SCALARS:
        dtypes.fit(values, array.dtype, "at")
    update = jnp.asarray(values, array.dtype)
    update = update.reshape(_shapes.without_leading_ones(update.shape))
    if array.dtype == bool and mode != "set":  # JAX has no sums, products and extremes of them
        bits = _at(array.astype("uint8"), update.astype("uint8"), key=key, mode=_OF_BOOLS[mode])
        return bits.astype(bool)
    if mode == "multiply" and any(hasattr(part, "dtype") for part in key):
        return _multiplied(array, key, update)
    return getattr(array.at[key], mode)(update)


def _get(x: Any, /, *, key: tuple[Any, ...]) -> Any:
    array = strong(x)
    # as x[key] does, whose gradient does not reach the element in place of one out of bounds
    return array.at[key].get(mode="clip")


def _multiplied(array: Any, key: tuple[Any, ...], update: Any) -> Any:
    """Return `array.at[key].multiply(update)`, with a gradient where places may be repeated."""
    numbers = jnp.arange(array.size).reshape(array.shape)
    places = numbers.at[key].get(mode="fill", fill_value=array.size)  # one outside is dropped
    values = jnp.broadcast_to(update, places.shape).reshape(-1)
    return _product(array.reshape(-1), places.reshape(-1), values).reshape(array.shape)


@jax.custom_jvp
def _product(flat: Any, places: Any, values: Any) -> Any:
    return flat.at[places].multiply(values)


@_product.defjvp
def _product_jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
    # JAX has a derivative by the values for places that differ only (seen on 0.10.2)
    flat, places, values = primals
    by_flat, _, by_values = tangents
    zero = values == 0
    ones = jnp.ones_like(flat)
    safe = jnp.where(zero, 1, values)
    zeros = jnp.zeros(flat.shape, jnp.int32).at[places].add(zero)
    others = jnp.where(zeros[places] > zero, 0, _product(ones, places, safe)[places] / safe)
    changes = jnp.zeros_like(flat).at[places].add(by_values * others)
    tangent = by_flat * _product(ones, places, values) + flat * changes
    return _product(flat, places, values), tangent
