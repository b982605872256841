"""Dtypes of arrays: conversion, limits, kinds and the rule of promotion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import dtypes
from .._dispatch import is_array, operation
from ..errors import DtypeError
from ..typing import Array, ArrayLike

__all__ = [
    "astype",
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
]


@operation(arrays=("x",))
def astype(x: ArrayLike, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """Return an array with its elements converted to a dtype.

    Integers wrap around in a narrower type. Floats lose their fractions as they become integers:
    those out of range and infinities become the nearest integer that there is, and NaN becomes 0.
    Numbers beyond a narrower float become infinities. All but 0 is True.

    Args:
        x: an array.
        dtype: the new dtype.
        copy: False returns x itself where nothing changes.
        device: where to put the result; None leaves it.

    Returns:
        An array of this dtype.

    Raises:
        DtypeError: complex numbers to real ones, which would drop a part: use `real` or `abs`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.astype([1.5, -1.5, 300.0], "int8")
        array([  1,  -1, 127], dtype=int8)
    """
    ...


def can_cast(from_: Any, to: Any, /) -> bool:
    """Tell whether promotion can bring a dtype to another: whether both together give that.

    Args:
        from_: a dtype or an array, whose dtype is meant.
        to: a dtype.

    Raises:
        DtypeError: something that is no dtype and has none.

    Examples:
        >>> import unibackend as ub
        >>> ub.can_cast(ub.int8, ub.int16), ub.can_cast(ub.int16, ub.int8)
        (True, False)
    """
    own, wanted = _dtype("can_cast", _of("can_cast", from_)), _dtype("can_cast", to)
    return dtypes.result_type(own, wanted) == wanted


@dataclass(frozen=True, slots=True)
class FloatLimits:
    """The limits of a floating dtype, as Python's numbers.

    Attributes:
        bits: how many bits a number has.
        eps: from 1 to the next larger number.
        max: the largest number.
        min: the most negative number.
        smallest_normal: the smallest positive number with full precision.
        dtype: the real dtype that this is about.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class IntegerLimits:
    """The limits of an integer dtype.

    Attributes:
        bits: how many bits a number has.
        max: the largest number.
        min: the smallest number.
        dtype: the dtype that this is about.
    """

    bits: int
    max: int
    min: int
    dtype: np.dtype[Any]


def finfo(type: Any, /) -> FloatLimits:
    """Return the limits of a floating dtype, for a complex one those of its parts.

    Args:
        type: a dtype or an array, whose dtype is meant.

    Raises:
        DtypeError: not of floats or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> ub.finfo(ub.float32).bits, ub.finfo(ub.complex128).dtype
        (32, dtype('float64'))
    """
    dtype = _dtype("finfo", _of("finfo", type))
    if dtypes.kind(dtype) not in "fc":
        raise DtypeError(
            f"finfo: {dtype.name} is not a dtype of floats or complex numbers; use ub.iinfo for "
            f"integers"
        )
    if dtype.name == "bfloat16":
        import ml_dtypes

        found: Any = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
    else:
        found = np.finfo(dtype)
    return FloatLimits(
        bits=int(found.bits),
        eps=float(found.eps),
        max=float(found.max),
        min=float(found.min),
        smallest_normal=float(found.smallest_normal),
        dtype=np.dtype(found.dtype),
    )


def iinfo(type: Any, /) -> IntegerLimits:
    """Return the limits of an integer dtype.

    Args:
        type: a dtype or an array, whose dtype is meant.

    Raises:
        DtypeError: not of integers.

    Examples:
        >>> import unibackend as ub
        >>> ub.iinfo(ub.int8).max, ub.iinfo(ub.uint16).min
        (127, 0)
    """
    dtype = _dtype("iinfo", _of("iinfo", type))
    if dtypes.kind(dtype) not in "iu":
        raise DtypeError(
            f"iinfo: {dtype.name} is not a dtype of integers; use ub.finfo for floats and complex "
            f"numbers"
        )
    found = np.iinfo(dtype)
    return IntegerLimits(int(found.bits), int(found.max), int(found.min), dtype)


def isdtype(dtype: Any, kind: Any) -> bool:
    """Tell whether a dtype is another, or of a kind.

    Args:
        dtype: a dtype.
        kind: a dtype, one of "bool", "signed integer", "unsigned integer", "integral",
            "real floating", "complex floating", "numeric", or a tuple of these.

    Raises:
        DtypeError: a kind that is neither.

    Examples:
        >>> import unibackend as ub
        >>> ub.isdtype(ub.int8, "integral"), ub.isdtype(ub.int8, ("bool", ub.float32))
        (True, False)
    """
    checked = _dtype("isdtype", dtype)
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, str) and (one == "bool" or one not in dtypes.NAMES):
            found = dtypes.is_dtype_kind(checked, one)
        else:
            found = checked == _dtype("isdtype", one)
        if found:
            return True
    return False


def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """Return the dtype that operands have in common.

    Args:
        arrays_and_dtypes: arrays, dtypes and Python numbers, which are weak: they change the kind
            at most. At least one.

    Returns:
        A dtype, by the rule of `unibackend.dtypes.result_type`.

    Raises:
        DtypeError: nothing was given, or something that has no dtype.

    Examples:
        >>> import unibackend as ub
        >>> ub.result_type(ub.int64, ub.float32), ub.result_type(ub.float32, 2.0)
        (dtype('float32'), dtype('float32'))
    """
    if not arrays_and_dtypes:
        raise DtypeError("result_type: give at least one array, dtype or number")
    return dtypes.result_type(*map(kind_of, arrays_and_dtypes))


def _of(function: str, value: Any) -> Any:
    """Return the dtype of an array, else the value."""
    if is_array(value):
        return value.dtype
    if isinstance(value, list | tuple) or type(value) in dtypes.PYTHON_SCALARS:
        raise DtypeError(f"{function}: {value!r:.80} is neither a dtype nor an array")
    return value


def kind_of(value: Any) -> np.dtype[Any] | type:
    """Return what counts in promotion: a dtype, or Python's type of a number, traced ones too."""
    if type(value) in dtypes.PYTHON_SCALARS:
        return type(value)
    if hasattr(value, "dtype") and not isinstance(value, type):
        dtype = _dtype("result_type", value.dtype)
        if getattr(value, "weak_type", False):  # a Python number inside a traced function
            return dtypes.PYTHON_TYPES[dtype.kind]
        return dtype
    if isinstance(value, type) and value in dtypes.PYTHON_SCALARS:
        return dtypes.default(value)
    return _dtype("result_type", value)


def _dtype(function: str, value: Any) -> np.dtype[Any]:
    """Return a dtype of any width: asking about one is not making an array of it."""
    if isinstance(value, np.dtype) and value.name in dtypes.NAMES:
        return value
    try:
        wide = np.dtype(getattr(value, "as_numpy_dtype", value))
    except TypeError:
        return dtypes.as_dtype(value, function)  # raises, and says which dtypes there are
    return wide if wide in dtypes.NARROW else dtypes.as_dtype(value, function)
