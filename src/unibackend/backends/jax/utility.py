"""Whether elements hold, and how far neighbours are apart, on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ... import _results, _shapes
from .promotion import promote, strong

__all__ = ["all", "any", "diff"]


def _truth(x: Any) -> Any:
    array = strong(x)
    return array != 0 if array.dtype.kind == "c" else array  # JAX drops the imaginary part


def all(x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    array, keep = _truth(x), _shapes.flag("all", "keepdims", keepdims)
    return jnp.all(array, _shapes.all_axes("all", axis, array.ndim), keepdims=keep)


def any(x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Any:
    array, keep = _truth(x), _shapes.flag("any", "keepdims", keepdims)
    return jnp.any(array, _shapes.all_axes("any", axis, array.ndim), keepdims=keep)


def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    times = _shapes.count("diff", "n", n)
    others = [one for one in (prepend, append) if one is not None]
    array, *parts = promote("diff", x, *others)
    _results.takes("diff", array.dtype)
    where = _shapes.around_line("diff", [part.shape for part in parts], array.shape, axis)
    one = (*array.shape[:where], 1, *array.shape[where + 1 :])
    parts = [part if part.ndim else jnp.broadcast_to(part, one) for part in parts]
    parts.insert(0 if prepend is None else 1, array)
    return jnp.diff(jnp.concatenate(parts, where), times, where)
