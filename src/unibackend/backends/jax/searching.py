"""Where elements are, on JAX."""

from __future__ import annotations

from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from ... import _results, _shapes, dtypes
from .indexing import take
from .promotion import promote, strong
from .set import known

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


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


def count_nonzero(
    x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Any:
    array, keep = strong(x), _shapes.flag("count_nonzero", "keepdims", keepdims)
    axes = _shapes.all_axes("count_nonzero", axis, array.ndim)
    return jnp.sum(array != 0, axes, dtypes.default(int), keepdims=keep)


def nonzero(x: Any, /) -> tuple[Any, ...]:
    array = strong(x)
    _shapes.has_axes("nonzero", array.shape)
    values = known("nonzero", array)
    # on the host: JAX compiles for each size of a result anew
    places = np.nonzero(np.asarray(values) != 0)
    with jax.ensure_compile_time_eval():  # a constant, in a trace
        return tuple(jax.device_put(one.astype(dtypes.default(int))) for one in places)


def searchsorted(
    x1: Any, x2: Any, /, *, side: Literal["left", "right"] = "left", sorter: Any = None
) -> Any:
    a, b = promote("searchsorted", x1, x2)
    _results.takes("searchsorted", a.dtype)
    _shapes.choice("searchsorted", "side", side, ("left", "right"))
    order = None if sorter is None else strong(sorter)
    _shapes.sorted_line("searchsorted", a.shape, None if order is None else order.shape)
    if order is not None:
        a = take(a, order)
    return jnp.searchsorted(a, b, side).astype(dtypes.default(int))


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    a, b = promote("where", x1, x2)
    choice = strong(condition != 0 if type(condition) is int else condition)  # of any size
    _shapes.broadcast("where", choice.shape, a.shape, b.shape)
    return jnp.where(choice, a, b)
