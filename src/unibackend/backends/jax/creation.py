"""Making arrays on JAX."""

from __future__ import annotations

from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import _results, _shapes, dtypes
from . import x64
from .promotion import promote, strong

__all__ = [
    "arange",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


def _device(device: Any) -> Any:
    from ._backend import find_device

    return None if device is None else find_device(device)


def _dtype(function: str, dtype: Any) -> dtypes.Dtype:
    x64.check(function)
    return dtypes.as_dtype(float if dtype is None else dtype, function)


def _dtype_like(function: str, x: Any, dtype: Any) -> Any:
    x64.check(function)
    return strong(x).dtype if dtype is None else dtypes.as_dtype(dtype, function)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> Any:
    x64.check("arange")
    # On the host: jnp.arange rounds `start` and `step` to the dtype first.
    return jax.device_put(_results.arange(start, stop, step, dtype), _device(device))


def empty(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> Any:
    sizes = _shapes.as_shape("empty", shape)
    return jnp.empty(sizes, _dtype("empty", dtype), device=_device(device))


def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    return jnp.empty(x.shape, _dtype_like("empty_like", x, dtype), device=_device(device))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> Any:
    rows, columns = _shapes.as_shape("eye", (n_rows, n_rows if n_cols is None else n_cols))
    diagonal = _shapes.diagonal("eye", k)
    return jnp.eye(rows, columns, diagonal, _dtype("eye", dtype), device=_device(device))


def _filled(function: str, shape: _shapes.Shape, value: Any, dtype: Any, device: Any) -> Any:
    _results.fill(function, value)
    number = type(value) in dtypes.PYTHON_SCALARS
    own = dtypes.default(type(value)) if number else strong(value).dtype
    result = own if dtype is None else dtypes.as_dtype(dtype, function)
    _results.castable(function, own, result)
    if number:  # not by JAX, where an overflow is NumPy's warning
        value = dtypes.converted(np.asarray(dtypes.fit(value, result, function)), result)
    value = strong(value)
    return jnp.full(shape, value, result, device=_device(device))


def full(
    shape: int | tuple[int, ...], fill_value: Any, *, dtype: Any = None, device: Any = None
) -> Any:
    x64.check("full")
    return _filled("full", _shapes.as_shape("full", shape), fill_value, dtype, device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return _filled("full_like", x.shape, fill_value, _dtype_like("full_like", x, dtype), device)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Any:
    x64.check("linspace")
    traced = isinstance(start, Tracer) or isinstance(stop, Tracer)
    result = _results.linear(dtype, *(map(_like, (start, stop)) if traced else (start, stop)))
    (count,) = _shapes.as_shape("linspace", (num,))
    last = _shapes.flag("linspace", "endpoint", endpoint)
    if dtypes.kind(result) in "iu":
        whole = _results.whole_linear(start, stop, count, last, result)
        return jax.device_put(whole, _device(device))
    if traced:
        first, final = (jnp.asarray(end, _results.wide(result)) for end in (start, stop))
        return jnp.linspace(first, final, count, last).astype(result)
    # On the host and in float64: jnp.linspace computes in the dtype itself.
    numbers = np.linspace(start, stop, count, last, dtype=result)
    return jax.device_put(numbers, _device(device))


def meshgrid(*arrays: Any, indexing: Literal["xy", "ij"] = "xy") -> tuple[Any, ...]:
    parts = [promote("meshgrid", x)[0] for x in arrays]
    _shapes.grid("meshgrid", [part.shape for part in parts], indexing)
    return tuple(jnp.meshgrid(*parts, indexing=indexing))


def _like(end: Any) -> Any:
    """Return a number of the kind of a traced one, for the rule of the result's dtype."""
    if not isinstance(end, Tracer) or end.ndim:
        return end
    return 0j if end.dtype.kind == "c" else 0.0


def ones(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> Any:
    sizes = _shapes.as_shape("ones", shape)
    return jnp.ones(sizes, _dtype("ones", dtype), device=_device(device))


def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    return jnp.ones(x.shape, _dtype_like("ones_like", x, dtype), device=_device(device))


def tril(x: Any, /, *, k: int = 0) -> Any:
    _shapes.matrices("tril", x.shape)
    return jnp.tril(x, _shapes.diagonal("tril", k))


def triu(x: Any, /, *, k: int = 0) -> Any:
    _shapes.matrices("triu", x.shape)
    return jnp.triu(x, _shapes.diagonal("triu", k))


def zeros(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> Any:
    sizes = _shapes.as_shape("zeros", shape)
    return jnp.zeros(sizes, _dtype("zeros", dtype), device=_device(device))


def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Any:
    return jnp.zeros(x.shape, _dtype_like("zeros_like", x, dtype), device=_device(device))
