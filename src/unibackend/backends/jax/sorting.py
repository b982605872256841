"""Elements in order, on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ... import _results, _shapes, dtypes
from .promotion import strong

__all__ = ["argsort", "sort"]


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    array = strong(x)
    _results.takes("argsort", array.dtype)
    where = _shapes.one_axis("argsort", axis, array.ndim)
    stable = _shapes.flag("argsort", "stable", stable)
    descending = _shapes.flag("argsort", "descending", descending)
    order = jnp.argsort(array, where, stable=stable, descending=descending)
    return order.astype(dtypes.default(int))


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    array = strong(x)
    _results.takes("sort", array.dtype)
    where = _shapes.one_axis("sort", axis, array.ndim)
    stable = _shapes.flag("sort", "stable", stable)
    descending = _shapes.flag("sort", "descending", descending)
    return jnp.sort(array, where, stable=stable, descending=descending)
