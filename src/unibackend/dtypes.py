"""The dtypes, their defaults by width, and the one rule of promotion.

Dtypes are `numpy.dtype` objects on every backend, so ``x.dtype == ub.float32`` holds anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from .errors import DtypeError, RangeError
from .settings import current

Dtype = np.dtype[Any]

bool_ = np.dtype("bool")  # `ub.bool`
int8, int16, int32, int64 = map(np.dtype, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(np.dtype, ("uint8", "uint16", "uint32", "uint64"))
float16, float32, float64 = map(np.dtype, ("float16", "float32", "float64"))
complex64, complex128 = map(np.dtype, ("complex64", "complex128"))

NAMES = (
    "bool",
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
)

# 64 bit types and what they become in the 32 bit world.
NARROW: dict[Dtype, Dtype] = {
    float64: float32,
    int64: int32,
    uint64: uint32,
    complex128: complex64,
}

# Python's types of numbers by the kind of dtype that they are.
PYTHON_TYPES: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "c": complex}

PYTHON_SCALARS: frozenset[type] = frozenset(PYTHON_TYPES.values())

_KIND_ORDER = "biufc"


def __getattr__(name: str) -> Dtype:
    if name == "bfloat16":  # ml_dtypes is imported when somebody asks for its type
        import ml_dtypes

        dtype: Dtype = np.dtype(ml_dtypes.bfloat16)
        globals()[name] = dtype
        return dtype
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def kind(dtype: Dtype) -> str:
    """Return 'b', 'i', 'u', 'f' or 'c'; NumPy calls bfloat16 a void, which it is not to us."""
    kind = dtype.kind
    return "f" if kind == "V" and dtype.name == "bfloat16" else kind  # NumPy makes names anew


def default(scalar: type) -> Dtype:
    """Return the dtype that a Python type stands for, by the settings in force.

    Args:
        scalar: `bool`, `int`, `float` or `complex`.

    Returns:
        float32 with `x64` off and float64 with it on, or what `default_float` says; integers
        and complex numbers follow `x64`.
    """
    settings = current()
    if scalar is int:
        return int64 if settings.x64 else int32
    if scalar is float or scalar is complex:
        wide = settings.x64 and settings.default_float != "float32"
        if scalar is float:
            return float64 if wide else float32
        return complex128 if wide else complex64
    return bool_


_PYTHON_NAMES = ("int", "float", "complex")  # as texts NumPy's names of 64 bit types


def as_dtype(value: Any, function: str = "dtype") -> Dtype:
    """Return a dtype from what a user may write: a dtype, its name, a NumPy or a Python type.

    Args:
        value: ``ub.float32``, ``"float32"``, ``np.float32``, or ``float`` for the default.
        function: the function named in an error.

    Raises:
        DtypeError: not a dtype of this library, or a 64 bit one while `x64` is off.
    """
    if isinstance(value, type) and value in PYTHON_SCALARS:
        return default(value)
    name = value if isinstance(value, str) else None
    if name == "bfloat16":
        return __getattr__(name)
    dtype: Dtype | None = None
    if not isinstance(value, tuple | list | dict):  # of which NumPy makes records
        with suppress(TypeError):
            own = getattr(value, "as_numpy_dtype", value)  # TensorFlow's have one
            dtype = np.dtype(own)
    if dtype is None or dtype.name not in NAMES:
        raise DtypeError(
            f"{function}: dtype={value!r} is not one of the dtypes here: {', '.join(NAMES)}, "
            f"or bool, int, float, complex for the defaults"
        )
    if not dtype.isnative:
        dtype = dtype.newbyteorder("=")
    if dtype in NARROW and not current().x64:
        default_too = f", {name} (the type, not the text)" if name in _PYTHON_NAMES else ""
        raise DtypeError(
            f"{function}: dtype={dtype.name!r} is 64 bits wide and x64 is off; write "
            f"{NARROW[dtype].name!r}{default_too}, or turn 64 bits on with ub.configure(x64=True)"
        )
    return dtype


def result_type(*operands: Dtype | type) -> Dtype:
    """Return the dtype that operands share.

    Within a kind this is the array API standard's table. Of mixed kinds, which the standard
    leaves open, the float (or complex) operand's width wins, as in JAX, PyTorch and Keras:
    int64 with float32 is float32. A Python type is weak: it changes the kind at most.

    Args:
        operands: dtypes, and `bool`, `int`, `float`, `complex` for Python numbers.

    Examples:
        >>> import unibackend as ub
        >>> ub.dtypes.result_type(ub.int64, ub.float32), ub.dtypes.result_type(ub.int8, int)
        (dtype('float32'), dtype('int8'))
    """
    first = operands[0]
    if isinstance(first, np.dtype) and all(other == first for other in operands[1:]):
        return first
    settings = current()
    return _result_type(frozenset(operands), settings.x64, settings.default_float)


@lru_cache(maxsize=4096)
def _result_type(operands: frozenset[Dtype | type], x64: bool, default_float: str) -> Dtype:
    strong = [dtype for dtype in operands if isinstance(dtype, np.dtype)]
    weak = [scalar for scalar in operands if not isinstance(scalar, np.dtype)]
    result = strong[0] if strong else default(weak[0])
    for dtype in strong[1:]:
        result = _pair(result, dtype)
    for scalar in weak:
        result = _with_scalar(result, scalar)
    if not x64 and result in NARROW and not any(dtype in NARROW for dtype in strong):
        return NARROW[result]  # uint32 with int32 is int64, which the 32 bit world has not
    return result


def _pair(a: Dtype, b: Dtype) -> Dtype:
    if a == b:
        return a
    if _KIND_ORDER.index(kind(a)) > _KIND_ORDER.index(kind(b)):
        a, b = b, a
    low, high = kind(a), kind(b)
    if low == "b" or (low in "iu" and high in "fc"):
        return b
    if low == "f" and high == "c":
        return complex128 if float64 in (a, b) else b
    if "bfloat16" in (a.name, b.name):  # with float16: neither holds the other
        return float32 if float64 not in (a, b) else float64
    return np.result_type(a, b)  # within a kind NumPy's table is the standard's


def _with_scalar(dtype: Dtype, scalar: type) -> Dtype:
    rank = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
    wanted = {bool: 0, int: 1, float: 2, complex: 3}[scalar]
    if rank[kind(dtype)] >= wanted:
        return dtype
    if wanted == 3 and kind(dtype) == "f":
        return complex128 if dtype == float64 else complex64
    return default(scalar)


def fit(value: complex, dtype: Dtype, function: str) -> complex:
    """Return a Python number that an array of a dtype can take, or raise.

    Args:
        value: the number.
        dtype: the dtype that it must take.
        function: the function named in the error.

    Raises:
        RangeError: the dtype is one of integers and cannot hold the number, which would wrap
            around or saturate, or the number is an integer beyond all floats.
    """
    if type(value) is int and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            cure = "ub.configure(x64=True)" if dtype.name in ("int32", "uint32") else "astype"
            raise RangeError(
                f"{function}: the number {value} does not fit {dtype.name} "
                f"({limits.min} to {limits.max}); widen the array first ({cure})"
            )
    elif type(value) is float and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not (math.isfinite(value) and limits.min <= int(value) <= limits.max):
            raise RangeError(
                f"{function}: the number {value} does not fit {dtype.name} "
                f"({limits.min} to {limits.max}); use a floating dtype"
            )
    elif type(value) is int and value.bit_length() > 1023:
        raise RangeError(
            f"{function}: an integer of {value.bit_length()} bits does not fit {dtype.name}; "
            f"divide it first, or use math.inf"
        )
    return value


def converted(array: np.ndarray[Any, Any], dtype: Dtype) -> np.ndarray[Any, Any]:
    """Return a NumPy array in another dtype, by the rule of all backends.

    Floats become integers by cutting off their fractions; those out of range and infinities become
    the nearest integer that there is, NaN becomes 0, as with JAX and XLA. NumPy's own way gives
    what the processor does. Integers wrap around in a narrower type.
    """
    if kind(dtype) not in "iu" or kind(array.dtype) != "f":
        with np.errstate(over="ignore", invalid="ignore"):
            return array.astype(dtype)
    x = array.astype(float32) if array.dtype.itemsize == 2 else array
    limits = np.iinfo(dtype)
    low, end = x.dtype.type(limits.min), x.dtype.type(int(limits.max) + 1)  # floats hold both
    result = np.where((x > low) & (x < end), x, 0).astype(dtype)
    result[x <= low] = limits.min
    result[x >= end] = limits.max
    return result


def limits(value: int) -> tuple[int, int] | None:
    """Return the range of integers that fit the same dtypes as a Python integer does.

    It is part of the key of a trace, where the value itself is not known: promotion can then
    raise for an integer that its partner's dtype cannot hold. None is for what fits them all.
    """
    if 0 <= value <= 127:
        return None
    size = (-value - 1 if value < 0 else value).bit_length()
    # Where one more dtype can no longer hold it: signed ones for negative numbers.
    steps = (0, 7, 15, 31, 63, 64) if value < 0 else (7, 8, 15, 16, 31, 32, 63, 64)
    low, high = 64, size
    for below, bits in pairwise(steps):
        if size <= bits:
            low, high = below, bits
            break
    if value < 0:
        return (-(2**high), -(2**low) - (low > 0))
    return (2**low, 2**high - 1)


def is_dtype_kind(dtype: Dtype, kinds: str | Iterable[str]) -> bool:
    """Tell whether a dtype is of one of the standard's kinds, as `isdtype` does."""
    groups = {
        "bool": "b",
        "signed integer": "i",
        "unsigned integer": "u",
        "integral": "iu",
        "real floating": "f",
        "complex floating": "c",
        "numeric": "iufc",
    }
    wanted = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    unknown = [k for k in wanted if k not in groups]
    if unknown:
        raise DtypeError(f"isdtype: kind {unknown[0]!r} is not one of {', '.join(groups)}")
    return any(kind(dtype) in groups[k] for k in wanted)
