"""Making arrays: filled, counted, from parts of others."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
import tensorflow as tf

from ... import _results, _shapes, dtypes
from ...errors import ShapeError
from . import _kernels as k
from ._broadcast import apply
from ._kernels import cast, raw
from ._sizes import as_shape, dims_of, ints, pack, rank_of, static_shape
from .array import NUMPY_DTYPES, TF_DTYPES, Array, tensor_of
from .promotion import to_array, to_tensor, type_of

__all__ = [
    "arange",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


def on_device(device: Any) -> Any:
    """Return the scope of a device, of the active one for None."""
    if device is None:
        return contextlib.nullcontext()
    from ._backend import find_device

    return tf.device(find_device(device))


def _filled(function: str, shape: Any, value: Any, dtype: Any, device: Any) -> Array:
    sizes = as_shape(function, shape)
    wanted = dtypes.as_dtype(float if dtype is None else dtype, function)
    with on_device(device):
        return Array(raw.Fill(dims=ints(sizes), value=to_tensor(function, value, wanted)))


def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    return _filled("empty", shape, 0, dtype, device)


def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    return _filled("zeros", shape, 0, dtype, device)


def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    return _filled("ones", shape, 1, dtype, device)


def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    if dtype is None:
        dtype = dtypes.result_type(type_of(_fill_value("full", fill_value)))
    value = to_tensor("full", _fill_value("full", fill_value), dtypes.as_dtype(dtype, "full"))
    with on_device(device):
        return Array(raw.Fill(dims=ints(as_shape("full", shape)), value=value))


def _fill_value(function: str, value: Any) -> Any:
    """Return a number or an array without axes; NumPy's scalars come in as arrays do."""
    if isinstance(value, np.generic | np.ndarray):
        from ..._entry import enter
        from .. import load

        value = enter(load("tensorflow"), value, function=function, argument="fill_value")
    if type(value) not in dtypes.PYTHON_SCALARS and rank_of(tensor_of(value)):
        raise ShapeError(
            f"{function}: fill_value has the shape {tuple(tensor_of(value).shape)}; it must be a "
            f"number or an array without axes. Use ub.broadcast_to for others"
        )
    return value


def _filled_like(function: str, x: Any, value: Any, dtype: Any, device: Any) -> Array:
    tensor = to_array(function, x)
    wanted = NUMPY_DTYPES[tensor.dtype] if dtype is None else dtypes.as_dtype(dtype, function)
    with on_device(device):
        return Array(raw.Fill(dims=pack(dims_of(tensor)), value=to_tensor(function, value, wanted)))


def empty_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    return _filled_like("empty_like", x, 0, dtype, device)


def zeros_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    return _filled_like("zeros_like", x, 0, dtype, device)


def ones_like(x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    return _filled_like("ones_like", x, 1, dtype, device)


def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    return _filled_like("full_like", x, _fill_value("full_like", fill_value), dtype, device)


def _number(value: Any) -> Any:
    """Return a Python number from one, a NumPy scalar or a concrete array without axes."""
    return value if type(value) in dtypes.PYTHON_SCALARS else value.item()


def arange(
    start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None
) -> Array:
    first, end = (0, _number(start)) if stop is None else (_number(start), _number(stop))
    by = _number(step)
    if by == 0:
        raise ShapeError("arange: step=0; the numbers would never reach the end")
    wanted = _results.counted(dtype, first, end, by)
    whole = all(isinstance(number, int) for number in (first, end, by))
    count = max(0, -((first - end) // by) if whole else math.ceil((end - first) / by))
    if count and dtypes.kind(wanted) in "iu":
        for number in (first, first + (count - 1) * by):
            dtypes.fit(int(number), wanted, "arange")
    with on_device(device):
        places = _places(count)
        if whole and dtypes.kind(wanted) in "iu":
            # counted in int64, where products wrap as the result does
            low = np.int64(first - 2**64 if first >= 2**63 else first)
            return Array(cast(places * np.int64(by) + low, TF_DTYPES[wanted]))
        values = cast(places, tf.float64) * float(by) + float(first)
        return Array(cast(values, TF_DTYPES[wanted]))


def _places(count: int) -> Any:
    return raw.Range(start=np.int64(0), limit=np.int64(count), delta=np.int64(1))


def linspace(
    start: Any,
    stop: Any,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Array:
    (count,) = as_shape("linspace", (num,))
    first, last = _number(start), _number(stop)
    is_complex = isinstance(first, complex) or isinstance(last, complex)
    wanted = _results.linear(dtype, first, last)
    working: Any = tf.complex128 if is_complex else tf.float64
    steps = count - 1 if endpoint else count
    with on_device(device):
        places = _places(count)
        step = (last - first) / steps if steps > 0 else 0.0
        values = cast(cast(places, tf.float64), working) * step + first
        if endpoint and count > 1:  # rounding must not miss the end
            values = k.select(tf.equal(places, count - 1), k.scalar(last, working), values)
        return Array(cast(values, TF_DTYPES[wanted]))


def _diagonals(rows: Any, columns: Any) -> Any:
    """Return column minus row for each element of a matrix: which diagonal it is on."""
    down = tf.range(tf.cast(rows, tf.int32))
    across = tf.range(tf.cast(columns, tf.int32))
    return raw.Sub(x=tf.expand_dims(across, 0), y=tf.expand_dims(down, 1))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    rows, columns = as_shape("eye", (n_rows, n_rows if n_cols is None else n_cols))
    wanted = dtypes.as_dtype(float if dtype is None else dtype, "eye")
    with on_device(device):
        on = tf.equal(_diagonals(rows, columns), _shapes.integer("eye", "k", k))
        return Array(cast(on, TF_DTYPES[wanted]))


def _triangle(function: str, x: Any, diagonal: int, keep: Any) -> Array:
    tensor = to_array(function, x)
    _shapes.matrices(function, static_shape(tensor, function))
    dims = dims_of(tensor)
    kept = keep(x=_diagonals(dims[-2], dims[-1]), y=_shapes.integer(function, "k", diagonal))
    return Array(apply(function, k.select, kept, tensor, k.scalar(0, tensor.dtype)))


def tril(x: Any, /, *, k: int = 0) -> Array:
    return _triangle("tril", x, k, raw.LessEqual)


def triu(x: Any, /, *, k: int = 0) -> Array:
    return _triangle("triu", x, k, raw.GreaterEqual)
