"""Elements in order, on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ... import _shapes, dtypes
from .promotion import strong

__all__ = ["argsort", "sort"]


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    array = strong(x)
    where = _shapes.one_axis("argsort", axis, array.ndim)
    order = jnp.argsort(array, where, stable=stable, descending=descending)
    return order.astype(dtypes.default(int))


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    array = strong(x)
    where = _shapes.one_axis("sort", axis, array.ndim)
    return jnp.sort(array, where, stable=stable, descending=descending)
