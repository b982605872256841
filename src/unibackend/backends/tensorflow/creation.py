"""Making arrays: filled, counted, from parts of others."""

from __future__ import annotations

import contextlib
from typing import Any, Literal

import numpy as np
import tensorflow as tf

from ... import _results, _shapes, dtypes
from ...errors import DtypeError
from . import _kernels as k
from ._broadcast import apply, broadcast_to
from ._kernels import cast, raw
from ._sizes import as_shape, dims_of, ints, pack, reshape, ruled_shape, static_shape
from .array import NUMPY_DTYPES, TF_DTYPES, Array, tensor_of
from .manipulation import join
from .promotion import to_array, to_tensor, type_of

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
    value = _fill_value("full", fill_value)
    own = dtypes.result_type(type_of(value))
    wanted = own if dtype is None else dtypes.as_dtype(dtype, "full")
    _results.castable("full", own, wanted)
    with on_device(device):
        tensor = to_tensor("full", value, wanted)
        return Array(raw.Fill(dims=ints(as_shape("full", shape)), value=tensor))


def _fill_value(function: str, value: Any) -> Any:
    """Return a number or an array without axes; NumPy's scalars come in as arrays do."""
    _results.fill(function, value)
    if isinstance(value, np.generic | np.ndarray):
        from ..._entry import enter
        from .. import load

        value = enter(load("tensorflow"), value, function=function, argument="fill_value")
    return value


def _filled_like(function: str, x: Any, value: Any, dtype: Any, device: Any) -> Array:
    tensor = to_array(function, x)
    wanted = NUMPY_DTYPES[tensor.dtype] if dtype is None else dtypes.as_dtype(dtype, function)
    _results.castable(function, dtypes.result_type(type_of(value)), wanted)
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


def arange(
    start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None
) -> Array:
    ends = {"start": 0 if stop is None else start, "stop": start if stop is None else stop}
    first, end, by = (
        _results.number("arange", name, value) for name, value in {**ends, "step": step}.items()
    )
    wanted = _results.counted(dtype, first, end, by)
    count = _results.count_of(first, end, by)
    whole = all(isinstance(number, int) for number in (first, end, by))
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
    to_end = _shapes.flag("linspace", "endpoint", endpoint)
    ends = _end("start", start), _end("stop", stop)
    wanted = _results.linear(dtype, *map(_like, ends))
    if dtypes.kind(wanted) in "iu":
        with on_device(device):
            return Array(tf.constant(_results.whole_linear(*ends, count, to_end, wanted)))
    working = dtypes.complex128 if complex in map(type, map(_like, ends)) else dtypes.float64
    with on_device(device):
        first, last = (to_tensor("linspace", end, working) for end in ends)
        intervals = k.scalar(max(count - to_end, 1), first.dtype)
        step = raw.RealDiv(x=raw.Sub(x=last, y=first), y=intervals)
        exact = to_end and count > 1
        places = cast(cast(_places(count - exact), tf.float64), first.dtype)
        values = raw.AddV2(x=raw.Mul(x=places, y=step), y=first)
        if exact:  # rounding must not miss the end
            values = join([values, tf.expand_dims(last, 0)], 0)
        return Array(cast(values, TF_DTYPES[wanted]))


def meshgrid(*arrays: Any, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    tensors = [to_array("meshgrid", x) for x in arrays]
    shapes = [ruled_shape(tensor, "meshgrid") for tensor in tensors]
    axes = _shapes.grid("meshgrid", shapes, indexing)
    sizes = [dims_of(tensors[axes.index(axis)])[0] for axis in range(len(axes))]
    grids = []
    for tensor, axis in zip(tensors, axes, strict=True):
        line: list[Any] = [1] * len(axes)
        line[axis] = sizes[axis]
        grids.append(Array(broadcast_to(reshape(tensor, line), sizes)))
    return tuple(grids)


def _end(name: str, value: Any) -> Any:
    """Return an end of a linspace: a Python number, or an array, for the tapes that record it."""
    if not _results.is_number(value):
        raise DtypeError(f"linspace: {name}={value!r:.80} is not a number")
    if isinstance(value, np.generic | np.ndarray):
        return _results.number("linspace", name, value, real=False)
    return value if type(value) in dtypes.PYTHON_SCALARS else Array(tensor_of(value))


def _like(end: Any) -> Any:
    """Return a number of the kind of an end, for the rule of the result's dtype."""
    if type(end) in dtypes.PYTHON_SCALARS:
        return end
    return 0j if end.dtype.kind == "c" else 0.0


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
        on = tf.equal(_diagonals(rows, columns), _shapes.diagonal("eye", k))
        return Array(cast(on, TF_DTYPES[wanted]))


def _triangle(function: str, x: Any, diagonal: int, keep: Any) -> Array:
    tensor = to_array(function, x)
    _shapes.matrices(function, static_shape(tensor, function))
    dims = dims_of(tensor)
    kept = keep(x=_diagonals(dims[-2], dims[-1]), y=_shapes.diagonal(function, diagonal))
    return Array(apply(function, k.select, kept, tensor, k.scalar(0, tensor.dtype)))


def tril(x: Any, /, *, k: int = 0) -> Array:
    return _triangle("tril", x, k, raw.LessEqual)


def triu(x: Any, /, *, k: int = 0) -> Array:
    return _triangle("triu", x, k, raw.GreaterEqual)
