"""Rows added and cut off on JAX; on the CPU through NumPy's views, since those compile nothing.

An eager `x[:n]` is compiled once for each n: 7.6 s for 200 sizes, where the views take 0.02 s. On
accelerators the views would be two transfers, so there a slice is compiled.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ._values import strong
from .promotion import check_width


def pad_rows(x: Any, size: int, zeros: bool = False) -> Any:
    check_width("compile", x)  # `device_put` would narrow it without a word
    if not _is_of_host(x) or x.weak_type:  # NumPy would lose the weakness
        return _padded(x, size, zeros)
    count = len(x)
    rows = np.zeros((size, *x.shape[1:]), x.dtype)  # private: JAX may keep it
    rows[:count] = np.asarray(x)
    if count and not zeros:
        rows[count:] = rows[count - 1]
    return _put(rows, x)


@functools.partial(jax.jit, static_argnums=(1, 2))
def _padded(x: Any, size: int, zeros: bool) -> Any:
    count = len(x)
    if count == 0:
        return jnp.zeros_like(x, shape=(size, *x.shape[1:]))
    if zeros and isinstance(x.dtype, np.dtype):  # random keys have no zeros
        return jnp.take(x, np.arange(size), axis=0, mode="fill", fill_value=0)
    return x[np.minimum(np.arange(size), count - 1)]


def first_rows(x: Any, count: int) -> Any:
    if not _is_of_host(x):
        return jax.lax.slice_in_dim(x, 0, count)
    return _put(np.asarray(x)[:count], x)  # the view keeps the memory of `x` alive


@functools.partial(jax.jit, static_argnums=(2, 3))
def part(x: Any, start: Any, size: int, axis: int) -> Any:
    return jax.lax.dynamic_slice_in_dim(x, start, size, axis)


def _put(rows: np.ndarray[Any, Any], like: Any) -> Any:
    """Return rows on the device of an array, committed to it if that is."""
    return jax.device_put(rows, like.sharding if like.committed else None)


def _is_of_host(x: Any) -> bool:
    """Tell whether NumPy can look at an array: in the host's memory, no array of random keys."""
    devices = x.devices()
    on_cpu = len(devices) == 1 and next(iter(devices)).platform == "cpu"
    return on_cpu and isinstance(x.dtype, np.dtype)


def output_shapes(
    function: Callable[[list[Any]], list[Any]], leaves: list[Any], sizes: list[int | None]
) -> list[tuple[int | None, ...]]:
    spec: Any = jax.ShapeDtypeStruct
    specs = [
        spec(
            x.shape if size is None else (size, *x.shape[1:]),
            x.dtype,
            weak_type=getattr(x, "weak_type", False),  # random keys have none
        )
        for x, size in zip(leaves, sizes, strict=True)
    ]
    outputs = jax.eval_shape(lambda arrays: [strong(x) for x in function(arrays)], specs)
    return [x.shape for x in outputs]
