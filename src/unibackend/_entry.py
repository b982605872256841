"""The one place where values enter a backend: it decides width, copy and weakness.

`enter` turns host data into an array of a backend; every operation uses it, nothing else decides:

- *width*: with `x64` off, float64 comes in as float32 (with a `PrecisionWarning` once a process,
  or as `float64_input` says), and integers are checked, never wrapped;
- *copy*: a caller may overwrite its NumPy array as soon as a call has returned;
- *weakness*: Python numbers stay numbers, so that they take the type of the array they meet.
"""

from __future__ import annotations

import math
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dispatch, dtypes
from ._lines import stacklevel
from .errors import DtypeError, PrecisionWarning, RangeError
from .settings import current

if TYPE_CHECKING:
    from .backends.contract import Backend

HostArray = np.ndarray[Any, Any]


def enter(
    backend: Backend,
    value: Any,
    *,
    function: str = "asarray",
    argument: str = "x",
    dtype: dtypes.Dtype | None = None,
    copy: bool | None = None,
    device: Any = None,
    strong: bool = False,
) -> Any:
    """Return a value as it goes into a backend: an array of it, or a weak Python number.

    Args:
        backend: where to.
        value: host data, or an array that the backend owns.
        function: the function named in errors.
        argument: its argument, named in errors.
        dtype: the type to bring it to; None keeps the value's own.
        copy: True always, False never, None where the caller could overwrite the buffer later.
        device: where to put host data; None is the active device.
        strong: make an array of a Python number too.
    """
    cls = type(value)
    owner = _dispatch.owner_of_type(cls)
    if owner is backend:
        return backend.wrap(value)
    if cls in _dispatch.SCALARS and not strong:
        return value
    if hasattr(cls, "__unibackend_enter__"):  # `ub.constant`, which keeps what it became
        if dtype is None and copy is None:
            return value.__unibackend_enter__(backend, device)
        value = np.asarray(value)
    where = f"{function}: {argument}"
    array = host(value, where, dtype)
    fresh = array is not value and not np.may_share_memory(array, _buffer(value))
    if copy is False:
        return _shared(backend, array, fresh, where)
    if not fresh and (copy or (copy is None and backend.copies_host)):
        array = array.copy()
    return backend.from_host(array, device)


def stacked(value: Any) -> Any:
    """Return a (nested) list that holds arrays of a backend as their stack, else the value.

    NumPy would copy them through the host, without their owner and their gradient.
    """
    if not isinstance(value, list | tuple):
        return value
    parts = [stacked(part) for part in value]
    if not any(_dispatch.is_owned(part) for part in parts):
        return value
    from .ops.manipulation import stack  # operations are built on this module

    return stack(parts)


def _shared(backend: Backend, array: HostArray, fresh: bool, where: str) -> Any:
    """Return an array that shares the caller's memory, as `copy=False` asks.

    Raises:
        ValueError: the numbers must be converted, or the backend cannot take this memory.
    """
    reason = f"its numbers must be converted to {array.dtype.name}"
    if not fresh:
        try:
            return backend.adopt(array) if backend.copies_host else array
        except BufferError as error:
            reason = str(error)
    raise ValueError(f"{where} cannot enter {backend.name!r} with copy=False: {reason}")


def private(value: Any, where: str) -> HostArray:
    """Return host data in the width in force, in a buffer that nobody else can write to."""
    array = host(value, where)
    return array.copy() if np.may_share_memory(array, _buffer(value)) else array


def _buffer(value: Any) -> Any:
    return value if isinstance(value, np.ndarray) else np.empty(0)


def host(value: Any, where: str, dtype: dtypes.Dtype | None = None) -> HostArray:
    """Return host data as a NumPy array of the width in force.

    Args:
        value: a NumPy array or scalar, a (nested) list of numbers, or a Python number.
        where: the function and its argument, for errors.
        dtype: the type to bring it to, checked already; None keeps the value's own.

    Raises:
        DtypeError: strings, objects, ragged lists, masked arrays, dates, extended precision.
        RangeError: an integer that does not fit.
    """
    if isinstance(value, np.ma.MaskedArray):
        raise DtypeError(f"{where} is a masked array, whose mask would be lost; use .filled(...)")
    numbers = type(value) in _dispatch.SCALARS or isinstance(value, list | tuple)
    try:
        array: HostArray = np.asarray(value)
    except ValueError as error:  # a ragged list
        raise DtypeError(f"{where} is not an array of numbers: {error}") from None
    except OverflowError as error:
        raise RangeError(f"{where} holds an integer beyond 64 bits: {error}") from None
    if array.dtype.name not in dtypes.NAMES:
        raise refused(value, array, where)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if dtype is not None and dtype != array.dtype:
        if dtype == dtypes.uint64 and array.dtype == dtypes.float64 and _all_int(value):
            return _unsigned(value, where)
        return _cast(array, dtype, where)
    if dtype is None:
        if numbers and (scalar := _python_kind(value, array)) is not None:
            if scalar is float and not _holds(value, float):  # NumPy's refuge for [1, 2**63]
                raise RangeError(f"{where}={value!r:.80} holds an integer beyond int64")
            return _cast(array, dtypes.default(scalar), where)
        if array.dtype in dtypes.NARROW and not current().x64:
            return narrow(array, where)
    return array


def refused(value: Any, array: HostArray, where: str) -> Exception:
    flat = list(array.flat) if array.dtype == object and value is not array else []
    if flat and all(type(x) in (int, bool) for x in flat):
        return RangeError(f"{where}={value!r:.80} holds an integer beyond 64 bits")
    return DtypeError(
        f"{where}={value!r:.80} has the NumPy dtype {array.dtype}; the dtypes here are "
        f"{', '.join(dtypes.NAMES)}"
    )


def _python_kind(value: Any, array: HostArray) -> type | None:
    """Return the Python type of a number, or of a list of nothing but Python numbers."""
    if type(value) in _dispatch.SCALARS or all_python(value):
        return dtypes.PYTHON_TYPES[dtypes.kind(array.dtype)]
    return None


def _holds(value: Any, scalar: type) -> bool:
    """Tell whether a number is of a Python type, or any of a nested, not empty, list."""
    if isinstance(value, list | tuple):
        return not value or any(_holds(v, scalar) for v in value)
    return type(value) is scalar


def _all_int(value: Any) -> bool:
    """Tell whether a nested list holds nothing but Python integers."""
    return all(map(_all_int, value)) if isinstance(value, list | tuple) else type(value) is int


def _unsigned(value: Any, where: str) -> HostArray:
    """Return integers as uint64; NumPy makes floats of [0, 2**63], unless it is told."""
    try:
        return np.asarray(value, dtypes.uint64)
    except OverflowError as error:
        raise RangeError(f"{where} holds an integer that does not fit uint64: {error}") from None


def all_python(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(all_python, value))
    return type(value) in _dispatch.SCALARS


def _cast(array: HostArray, dtype: dtypes.Dtype, where: str) -> HostArray:
    kinds = dtypes.kind(array.dtype) + dtypes.kind(dtype)
    if kinds[0] == "c" and kinds[1] != "c":
        raise DtypeError(
            f"{where} is complex and dtype={dtype.name!r} would lose its imaginary part"
        )
    if kinds[0] in "iuf" and kinds[1] in "iu":
        _check_range(array, dtype, where)
    return dtypes.converted(array, dtype)


def _check_range(array: HostArray, dtype: dtypes.Dtype, where: str) -> None:
    if array.size == 0:
        return
    number, limits = int if dtypes.kind(array.dtype) in "iu" else float, np.iinfo(dtype)
    for end in (array.min(), array.max()):  # a NaN is both
        value = number(end)
        if not math.isfinite(value) or not limits.min <= int(value) <= limits.max:
            cut = array.dtype in dtypes.NARROW and not current().x64
            cure = "; ub.configure(x64=True) keeps 64 bits" if cut else ""
            raise RangeError(
                f"{where} holds {value}, which does not fit {dtype.name} "
                f"({limits.min} to {limits.max}){cure}"
            )


# Whether this process has been told that float64 was narrowed; once is enough.
_warned = threading.Event()


def narrow(array: HostArray, where: str) -> HostArray:
    """Return a 64 bit array in the 32 bit world: checked integers, or floats by `float64_input`.

    Raises:
        RangeError: an integer that does not fit 32 bits.
        DtypeError: a 64 bit float while `float64_input` is "error".
    """
    dtype = dtypes.NARROW[array.dtype]
    if dtypes.kind(dtype) in "iu":
        _check_range(array, dtype, where)
        return array.astype(dtype)
    rule = current().float64_input
    message = (
        f"{where} is {array.dtype.name} and comes in as {dtype.name}, since x64 is off. "
        f"Keep 64 bits with ub.configure(x64=True), bring the data to {dtype.name} with "
        f".astype({dtype.name!r}), or silence this with ub.configure(float64_input='allow')"
    )
    if rule == "error":
        raise DtypeError(message)
    if rule == "warn" and not _warned.is_set():
        _warned.set()
        warnings.warn(message, PrecisionWarning, stacklevel=stacklevel())
    with np.errstate(over="ignore"):
        return array.astype(dtype)
