"""Dtypes of arrays: conversion, kinds and the rule of promotion."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._dispatch import operation
from ..errors import DtypeError
from ..typing import Array, ArrayLike

__all__ = [
    "astype",
    "isdtype",
    "result_type",
]


@operation(arrays=("x",))
def astype(x: ArrayLike, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """Return an array with its elements converted to a dtype.

    Integers wrap around in a narrower type, floats lose their fractions. What a float that is NaN
    or out of range becomes as an integer is the framework's choice.

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
        ...     ub.astype([1.5, -1.5], "int32")
        array([ 1, -1], dtype=int32)
    """
    ...


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
    return dtypes.result_type(*map(_operand, arrays_and_dtypes))


def _operand(value: Any) -> np.dtype[Any] | type:
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
