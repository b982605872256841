"""Where elements are, on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ... import _results, _shapes, dtypes
from .promotion import promote, strong

__all__ = ["argmax", "argmin", "where"]


def argmax(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
    array, keep = strong(x), _shapes.flag("argmax", "keepdims", keepdims)
    _results.takes("argmax", array.dtype)
    where = None if axis is None else _shapes.one_axis("argmax", axis, array.ndim)
    _shapes.reduced("argmax", array.shape, where)
    return jnp.argmax(array, where, keepdims=keep).astype(dtypes.default(int))


def argmin(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
    array, keep = strong(x), _shapes.flag("argmin", "keepdims", keepdims)
    _results.takes("argmin", array.dtype)
    where = None if axis is None else _shapes.one_axis("argmin", axis, array.ndim)
    _shapes.reduced("argmin", array.shape, where)
    return jnp.argmin(array, where, keepdims=keep).astype(dtypes.default(int))


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    a, b = promote("where", x1, x2)
    choice = strong(condition)
    _shapes.broadcast("where", choice.shape, a.shape, b.shape)
    return jnp.where(choice, a, b)
