"""Elements by their indices on JAX.

JAX clips or drops indices out of bounds. They are looked at here while they have values; in a
trace they have none.
"""

from __future__ import annotations

from typing import Any

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
        return getattr(array.at[key], mode)(update)
    except ValueError as error:
        raise ShapeError(f"at: {error}") from None
