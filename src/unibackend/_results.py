"""Dtypes: what a function takes and what it gives, worked out before a backend is touched."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from . import dtypes
from .errors import DtypeError, ShapeError

_ALL, _NUMBERS, _REAL, _BITS = "biufc", "iufc", "biuf", "biu"

# What a function's operands may be: bools, integers, unsigned ones, floats, complex numbers.
# Functions that are not here take all of them.
KINDS: dict[str, str] = {
    **dict.fromkeys(("subtract", "negative", "positive", "sign", "square", "pow"), _NUMBERS),
    **dict.fromkeys(("floor_divide", "remainder"), "iuf"),
    **dict.fromkeys(("ceil", "floor", "trunc", "atan2"), _REAL),
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal"), _REAL),
    **dict.fromkeys(("maximum", "minimum", "clip", "max", "min"), _REAL),
    **dict.fromkeys(("argmax", "argmin", "sort", "argsort"), _REAL),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert"), _BITS),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), "iu"),
}

_RULES = {
    _NUMBERS: "numbers, not bools",
    "iuf": "real numbers, not bools",
    _REAL: "what has an order: real numbers and bools",
    _BITS: "integers and bools",
    "iu": "integers",
}


def takes(function: str, dtype: dtypes.Dtype) -> None:
    """Check that a function takes operands of a dtype, by the kinds in `KINDS`.

    Raises:
        DtypeError: it does not.
    """
    kinds, kind = KINDS.get(function, _ALL), dtypes.kind(dtype)
    if kind in kinds:
        return
    cure = "convert them with ub.astype(x, 'int32')"
    if kind == "c" and "f" in kinds:
        cure = "take ub.abs(x) or ub.real(x) first"
    elif function == "subtract":
        cure += ", or use ub.logical_xor"
    raise DtypeError(
        f"{function}: operands of the dtype {dtype.name} are not allowed here; it takes "
        f"{_RULES[kinds]}; {cure}"
    )


@cache
def taken(function: str) -> frozenset[dtypes.Dtype]:
    """Return the dtypes that `takes` accepts, without bfloat16, whose package may not be loaded."""
    kinds = KINDS.get(function, _ALL)
    named = (np.dtype(name) for name in dtypes.NAMES if name != "bfloat16")
    return frozenset(dtype for dtype in named if dtype.kind in kinds)


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
    named = zip(("start", "stop"), ends, strict=True)
    numbers = [number("linspace", name, end, real=False) for name, end in named]
    is_complex = any(isinstance(end, complex) for end in numbers)
    dtype = dtypes.as_dtype(
        given if given is not None else complex if is_complex else float, "linspace"
    )
    if dtypes.kind(dtype) not in ("c" if is_complex else "fc"):
        raise DtypeError(
            f"linspace: dtype={dtype.name} cannot hold the numbers from {ends[0]} to {ends[1]}; "
            f"use a {'complex' if is_complex else 'floating'} one, and ub.astype to cut them off"
        )
    return dtype


def number(function: str, name: str, value: Any, *, real: bool = True) -> Any:
    """Return a Python number from one, a NumPy scalar or an array without axes.

    Raises:
        TracingError: an array that has no value yet, in a function being compiled.
        DtypeError: something else, or a complex number where a real one is needed.
    """
    if is_number(value) and type(value) not in dtypes.PYTHON_SCALARS:
        from ._dispatch import owner_of
        from .arrays import concrete_needed, to_numpy

        owner = owner_of(value)
        if owner is not None and not owner.is_concrete(value):
            raise concrete_needed(value, f"{function}: {name}")
        array = np.asarray(to_numpy(value) if hasattr(value, "dtype") else value)
        value = dtypes.PYTHON_TYPES[dtypes.kind(array.dtype)](array)
    if type(value) not in dtypes.PYTHON_SCALARS or (real and type(value) is complex):
        wanted = "a real number" if real else "a number"
        raise DtypeError(f"{function}: {name}={value!r:.80} is not {wanted}")
    return value


def is_number(value: Any) -> bool:
    """Tell whether a value is a number, or an array without axes of a dtype here."""
    if isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic):
        return True
    dtype = getattr(value, "dtype", None)
    return getattr(dtype, "name", "") in dtypes.NAMES and len(value.shape) == 0


def fill(function: str, value: Any) -> None:
    """Check a fill value: a number, or an array without axes.

    Raises:
        DtypeError: something else, as a text, None or a list.
        ShapeError: an array with axes.
    """
    if is_number(value):
        return
    shape = tuple(getattr(value, "shape", ()))
    if shape:
        raise ShapeError(
            f"{function}: fill_value has the shape {shape}; it is a number or an array without "
            f"axes. Use ub.broadcast_to for others"
        )
    raise DtypeError(
        f"{function}: fill_value={value!r:.80} is not a number or an array without axes"
    )


def counted(given: Any, first: Any, end: Any, step: Any) -> dtypes.Dtype:
    """Return the dtype of an arange: the default integer or, if a number is a float, float.

    Raises:
        DtypeError: one of bools was asked for, or the ends or the step are not real numbers.
        RangeError: the first or the last number does not fit.
        ShapeError: the step is 0, or a number is infinite or NaN.
    """
    named = {"start": first, "stop": end, "step": step}
    first, end, step = (number("arange", name, value) for name, value in named.items())
    for name, value in zip(named, (first, end, step), strict=True):
        if type(value) is float and not math.isfinite(value):
            raise ShapeError(f"arange: {name}={value}; count between finite numbers")
    if step == 0:
        raise ShapeError("arange: step=0 never reaches the end; give a step that is not 0")
    whole = all(type(value) is not float for value in (first, end, step))
    dtype = dtypes.as_dtype(given if given is not None else int if whole else float, "arange")
    if dtypes.kind(dtype) == "b":
        raise DtypeError("arange: dtype=bool cannot count; use ub.astype on numbers")
    count = count_of(first, end, step)
    if count and dtypes.kind(dtype) in "iu":
        for value in (first, first + (count - 1) * step):
            dtypes.fit(int(value), dtype, "arange")
    return dtype


def count_of(first: float, end: float, step: float) -> int:
    """Return how many numbers there are from the first to before the end."""
    if isinstance(first, int) and isinstance(end, int) and isinstance(step, int):
        return max(0, -((first - end) // step))  # exact beyond 2**53
    return max(0, math.ceil((end - first) / step))


def arange(start: Any, stop: Any, step: Any, given: Any) -> Any:
    """Return the numbers of an arange on the host, as NumPy's array; errors as of `counted`.

    Floats are computed in float64: NumPy adds up in the dtype itself, and numbers drift by a
    step's rounding error each. Integers are computed in int64, where they wrap as the dtype does.
    """
    ends = {"start": 0 if stop is None else start, "stop": start if stop is None else stop}
    first, end, step = (
        number("arange", name, value) for name, value in {**ends, "step": step}.items()
    )
    dtype = counted(given, first, end, step)
    places = np.arange(count_of(first, end, step), dtype=np.int64)
    if dtypes.kind(dtype) in "iu" and all(isinstance(one, int) for one in (first, step)):
        low, by = (np.array(one % 2**64, np.uint64).astype(np.int64) for one in (first, step))
        return (places * by + low).astype(dtype)
    return (places * float(step) + float(first)).astype(dtype)


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
