"""Whether elements hold, on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ... import _shapes
from .promotion import strong

__all__ = ["all", "any"]


def _truth(x: Any) -> Any:
    array = strong(x)
    return array != 0 if array.dtype.kind == "c" else array  # JAX drops the imaginary part


def all(x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    array, keep = _truth(x), _shapes.flag("all", "keepdims", keepdims)
    return jnp.all(array, _shapes.all_axes("all", axis, array.ndim), keepdims=keep)


def any(x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    array, keep = _truth(x), _shapes.flag("any", "keepdims", keepdims)
    return jnp.any(array, _shapes.all_axes("any", axis, array.ndim), keepdims=keep)
