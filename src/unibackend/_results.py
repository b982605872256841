"""Dtypes of results, worked out before a backend is touched."""

from __future__ import annotations

from typing import Any

from . import dtypes
from .errors import DtypeError


def floating(dtype: dtypes.Dtype) -> dtypes.Dtype:
    """Return the dtype of fractions: the default float for integers and bools, else the same."""
    return dtypes.default(float) if dtypes.kind(dtype) in "biu" else dtype


def wide(dtype: dtypes.Dtype) -> dtypes.Dtype:
    """Return the dtype to sum in: float32 for the 16 bit floats, else the same."""
    return dtypes.float32 if dtype.name in ("float16", "bfloat16") else dtype


def summed(function: str, dtype: dtypes.Dtype, given: Any) -> dtypes.Dtype:
    """Return the dtype of a sum or product: what was asked for, else the default integer at least.

    Raises:
        DtypeError: one was asked for that cannot be: see `castable`.
    """
    if given is not None:
        wanted = dtypes.as_dtype(given, function)
        castable(function, dtype, wanted)
        return wanted
    kind = dtypes.kind(dtype)
    if kind == "u":
        default = dtypes.uint64 if dtypes.default(int) == dtypes.int64 else dtypes.uint32
        return dtypes.result_type(dtype, default)
    return dtypes.result_type(dtype, dtypes.default(int)) if kind in "bi" else dtype


def castable(function: str, dtype: dtypes.Dtype, wanted: dtypes.Dtype) -> None:
    """Check that a conversion keeps the kind of numbers.

    Raises:
        DtypeError: complex numbers to others.
    """
    if dtypes.kind(dtype) == "c" and dtypes.kind(wanted) not in "cb":
        raise DtypeError(
            f"{function}: {dtype.name} to {wanted.name} would drop the imaginary parts; use "
            f"ub.real or ub.abs first"
        )


def kept(function: str, dtype: dtypes.Dtype, **others: dtypes.Dtype | type) -> None:
    """Check that other operands go along with the dtype of the first, which the result has.

    Raises:
        DtypeError: one of them would change it.
    """
    for name, other in others.items():
        if dtypes.result_type(dtype, other) != dtype:
            named = other.__name__ if isinstance(other, type) else other.name
            raise DtypeError(
                f"{function}: x is {dtype.name}, and {name} of {named} would change it; convert "
                f"one of them with ub.astype"
            )


def linear(given: Any, *ends: Any) -> dtypes.Dtype:
    """Return the dtype of a linspace.

    Raises:
        DtypeError: one of integers or bools was asked for.
    """
    is_complex = any(isinstance(end, complex) for end in ends)
    dtype = dtypes.as_dtype(
        given if given is not None else complex if is_complex else float, "linspace"
    )
    if dtypes.kind(dtype) not in ("c" if is_complex else "fc"):
        raise DtypeError(
            f"linspace: dtype={dtype.name} cannot hold the numbers from {ends[0]} to {ends[1]}; "
            f"use a {'complex' if is_complex else 'floating'} one, and ub.astype to cut them off"
        )
    return dtype


def counted(given: Any, *numbers: Any) -> dtypes.Dtype:
    """Return the dtype of an arange: the default integer or, if a number is a float, float."""
    whole = all(not isinstance(number, float) or number is None for number in numbers)
    return dtypes.as_dtype(given if given is not None else int if whole else float, "arange")


def indices(function: str, dtype: dtypes.Dtype) -> None:
    """Check the dtype of indices.

    Raises:
        DtypeError: not integers.
    """
    if dtypes.kind(dtype) not in "iu":
        raise DtypeError(
            f"{function}: indices are {dtype.name}, not integers; convert them with "
            f"ub.astype(indices, 'int32')"
        )
