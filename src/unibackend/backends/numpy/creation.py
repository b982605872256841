"""Making arrays on NumPy."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ... import _results, _shapes, dtypes
from .promotion import NumpyArray, promote

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


def _placed(x: NumpyArray, device: Any) -> NumpyArray:
    from ._backend import to_device

    return x if device is None else to_device(x, device)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> NumpyArray:
    return _placed(_results.arange(start, stop, step, dtype), device)


def empty(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> NumpyArray:
    sizes = _shapes.as_shape("empty", shape)
    return _placed(np.empty(sizes, _dtype("empty", dtype)), device)


def _dtype(function: str, dtype: Any) -> dtypes.Dtype:
    return dtypes.as_dtype(float if dtype is None else dtype, function)


def _dtype_like(function: str, x: NumpyArray, dtype: Any) -> dtypes.Dtype:
    return x.dtype if dtype is None else dtypes.as_dtype(dtype, function)


def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> NumpyArray:
    return _placed(np.empty(np.shape(x), _dtype_like("empty_like", x, dtype)), device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> NumpyArray:
    rows, columns = _shapes.as_shape("eye", (n_rows, n_rows if n_cols is None else n_cols))
    return _placed(np.eye(rows, columns, _shapes.diagonal("eye", k), _dtype("eye", dtype)), device)


def _filled(function: str, shape: _shapes.Shape, value: Any, dtype: Any) -> NumpyArray:
    _results.fill(function, value)
    number = type(value) in dtypes.PYTHON_SCALARS
    own = dtypes.default(type(value)) if number else np.asarray(value).dtype
    if dtype is None and own in dtypes.NARROW:
        own = dtypes.NARROW[own] if dtypes.default(int) == dtypes.int32 else own
    result = own if dtype is None else dtypes.as_dtype(dtype, function)
    _results.castable(function, own, result)
    value = np.asarray(dtypes.fit(value, result, function) if number else value)
    return np.full(shape, dtypes.converted(value, result))


def full(
    shape: int | tuple[int, ...], fill_value: Any, *, dtype: Any = None, device: Any = None
) -> NumpyArray:
    return _placed(_filled("full", _shapes.as_shape("full", shape), fill_value, dtype), device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> NumpyArray:
    result = _dtype_like("full_like", x, dtype)
    return _placed(_filled("full_like", np.shape(x), fill_value, result), device)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> NumpyArray:
    result = _results.linear(dtype, start, stop)
    (count,) = _shapes.as_shape("linspace", (num,))
    last = _shapes.flag("linspace", "endpoint", endpoint)
    if dtypes.kind(result) in "iu":
        return _placed(_results.whole_linear(start, stop, count, last, result), device)
    return _placed(np.linspace(start, stop, count, last, dtype=result), device)


def meshgrid(*arrays: Any, indexing: Literal["xy", "ij"] = "xy") -> tuple[NumpyArray, ...]:
    parts = [promote("meshgrid", x)[0] for x in arrays]
    _shapes.grid("meshgrid", [part.shape for part in parts], indexing)
    return tuple(np.meshgrid(*parts, indexing=indexing))


def ones(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> NumpyArray:
    return _placed(np.ones(_shapes.as_shape("ones", shape), _dtype("ones", dtype)), device)


def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> NumpyArray:
    return _placed(np.ones(np.shape(x), _dtype_like("ones_like", x, dtype)), device)


def tril(x: Any, /, *, k: int = 0) -> NumpyArray:
    _shapes.matrices("tril", np.shape(x))
    return np.tril(x, _shapes.diagonal("tril", k))


def triu(x: Any, /, *, k: int = 0) -> NumpyArray:
    _shapes.matrices("triu", np.shape(x))
    return np.triu(x, _shapes.diagonal("triu", k))


def zeros(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> NumpyArray:
    return _placed(np.zeros(_shapes.as_shape("zeros", shape), _dtype("zeros", dtype)), device)


def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> NumpyArray:
    return _placed(np.zeros(np.shape(x), _dtype_like("zeros_like", x, dtype)), device)
