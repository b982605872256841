"""Elements by their indices on JAX.

JAX clips or drops indices out of bounds. They are looked at here while they have values; in a
trace they have none.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import _indices, _results, _shapes, dtypes
from ...errors import ShapeError
from .promotion import strong

__all__ = ["_at", "take", "take_along_axis"]


def _values(index: Any) -> np.ndarray[Any, Any] | None:
    """Return the numbers of an index, None while there are none or in a trace."""
    if isinstance(index, Tracer) or index.size == 0:
        return None
    return np.asarray(index)


def _check(function: str, index: Any, size: int, axis: int) -> None:
    _results.indices(function, index.dtype)
    values = _values(index)
    if values is not None:
        _indices.in_bounds(function, int(values.min()), int(values.max()), size, axis)


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    array, index = strong(x), strong(indices)
    where = _shapes.line("take", array.shape, axis)
    _check("take", index, array.shape[where], where)
    return jnp.take(array, index, where)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    array, index = strong(x), strong(indices)
    where, _, _ = _shapes.aligned("take_along_axis", array.shape, index.shape, axis)
    _check("take_along_axis", index, array.shape[where], where)
    return jnp.take_along_axis(array, index, where)


_OF_BOOLS = {"add": "max", "multiply": "min", "min": "min", "max": "max"}


def _at(x: Any, values: Any, /, *, key: tuple[Any, ...], mode: str) -> Any:
    array = strong(x)
    number = type(values) in dtypes.PYTHON_SCALARS
    _results.kept("at", array.dtype, values=type(values) if number else strong(values).dtype)
    if number:
        dtypes.fit(values, array.dtype, "at")
    for axis, size, part in _indices.indexed("at", array.shape, key):
        if hasattr(part, "dtype"):
            _check("at", part, size, axis)
        else:
            _indices.in_bounds("at", part, part, size, axis)
    update = jnp.asarray(values, array.dtype)
    update = update.reshape(_shapes.without_leading_ones(update.shape))
    if array.dtype == bool and mode != "set":  # JAX has no sums, products and extremes of them
        bits = _at(array.astype("uint8"), update.astype("uint8"), key=key, mode=_OF_BOOLS[mode])
        return bits.astype(bool)
    try:
        if mode == "multiply" and any(hasattr(part, "dtype") for part in key):
            return _multiplied(array, key, update)
        return getattr(array.at[key], mode)(update)
    except ValueError as error:
        raise ShapeError(f"at: {error}") from None


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
