"""Distinct elements, on JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import _shapes, dtypes
from ...arrays import size_needed
from ...ops.set import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from .promotion import promote, strong

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    a, b = promote("isin", x1, x2)
    return jnp.isin(a, b, invert=_shapes.flag("isin", "invert", invert))


def unique_all(x: Any, /) -> UniqueAllResult:
    return _unique("unique_all", x)


def unique_counts(x: Any, /) -> UniqueCountsResult:
    found = _unique("unique_counts", x)
    return UniqueCountsResult(found.values, found.counts)


def unique_inverse(x: Any, /) -> UniqueInverseResult:
    found = _unique("unique_inverse", x)
    return UniqueInverseResult(found.values, found.inverse_indices)


def unique_values(x: Any, /) -> Any:
    return _unique("unique_values", x).values


def known(function: str, x: Any) -> Any:
    """Return the values of an array, without what is recorded for a derivative.

    Raises:
        TracingError: it has none, in a function being compiled or mapped.
    """
    values = jax.lax.stop_gradient(x) if isinstance(x, Tracer) else x
    if isinstance(values, Tracer):
        raise size_needed(x, function)
    return values


def _unique(function: str, x: Any) -> UniqueAllResult:
    """Return distinct elements; JAX's own makes all NaN of complex numbers one and the same.

    And its derivative is 0 (both seen on 0.10.2). Every size of a result is compiled for anew: what
    is short, and of as many elements as values say, is made on the host.
    """
    array = strong(x)
    values = known(function, array)
    index = dtypes.default(int)
    with jax.ensure_compile_time_eval():  # a constant, in a trace
        order, new, inverse = _runs(values)
        starts = np.flatnonzero(new)
        first = jax.device_put(np.asarray(order)[starts].astype(index))
        counts = jax.device_put(np.diff(starts, append=order.size).astype(index))
    return UniqueAllResult(array.reshape(-1)[first], first, inverse.astype(index), counts)


@jax.jit
def _runs(values: Any) -> tuple[Any, Any, Any]:
    """Return the order of elements, which differ from the last, and which value each of them is."""
    flat = values.reshape(-1)
    order = _order(flat)
    ordered = flat[order]
    new = jnp.ones(flat.shape, bool).at[1:].set(ordered[1:] != ordered[:-1])
    numbers = jnp.cumsum(new).astype(order.dtype) - 1
    return order, new, jnp.zeros_like(order).at[order].set(numbers).reshape(values.shape)


def _order(flat: Any) -> Any:
    if flat.dtype.kind != "c":
        return jnp.argsort(flat, stable=True)
    real, imag = flat.real, flat.imag
    return jnp.lexsort((imag, real, 2 * jnp.isnan(real) + jnp.isnan(imag)))
