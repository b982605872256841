"""Dtypes: what a function takes and what it gives, worked out before a backend is touched."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from . import dtypes
from .errors import DtypeError, RangeError, ShapeError

_ALL, _NUMBERS, _REAL, _BITS = "biufc", "iufc", "biuf", "biu"

_OF_REALS = (
    *("digamma", "erf", "erfc", "erfinv", "expit", "gammaln", "log_ndtr", "logit", "logsumexp"),
    *("ndtr", "xlogy"),
)

# What a function's operands may be: bools, integers, unsigned ones, floats, complex numbers.
# Functions that are not here take all of them.
KINDS: dict[str, str] = {
    **dict.fromkeys(("subtract", "negative", "positive", "sign", "square", "pow"), _NUMBERS),
    **dict.fromkeys(("floor_divide", "remainder"), "iuf"),
    **dict.fromkeys(("ceil", "floor", "trunc", "atan2"), _REAL),
    **dict.fromkeys(("copysign", "hypot", "logaddexp", "nextafter", "signbit"), _REAL),
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal"), _REAL),
    **dict.fromkeys(("maximum", "minimum", "clip", "max", "min"), _REAL),
    **dict.fromkeys(("argmax", "argmin", "sort", "argsort", "top_k", "searchsorted"), _REAL),
    **dict.fromkeys(("fft.rfft", "fft.rfftn", "fft.ihfft"), _REAL),
    "diff": _NUMBERS,
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert"), _BITS),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), "iu"),
    **dict.fromkeys(("at.min", "at.max"), _REAL),
    "at.subtract": _NUMBERS,
    "at.divide": "fc",
    **dict.fromkeys((f"special.{name}" for name in _OF_REALS), _REAL),
    **dict.fromkeys((f"nn.{name}" for name in ("gelu", "silu", "softplus")), _REAL),
    **dict.fromkeys(("nn.softmax", "nn.log_softmax"), _REAL),
    "nn.relu": "iuf",
    "nn.one_hot": "iu",
}

_RULES = {
    _NUMBERS: "numbers, not bools",
    "iuf": "real numbers, not bools",
    _REAL: "what has an order: real numbers and bools",
    _BITS: "integers and bools",
    "iu": "integers",
    "fc": "floats and complex numbers",
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
    return dtypes.float32 if dtype.itemsize == 2 and dtypes.kind(dtype) == "f" else dtype


def running(dtype: dtypes.Dtype) -> dtypes.Dtype:
    """Return the dtype to make running sums in, one after the other.

    In float32 those of 4 million numbers of 0.1 would be wrong by 4 % (seen on NumPy 2.4.6).
    """
    kind = dtypes.kind(dtype)
    return dtypes.float64 if kind == "f" else dtypes.complex128 if kind == "c" else dtype


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


def beyond(value: Any, dtype: dtypes.Dtype) -> int:
    """Return on which side of what an integer dtype holds a Python integer is.

    Args:
        value: anything; what is known of a traced integer is a range of them.
        dtype: the dtype.

    Returns:
        -1 below, 1 above, 0 if it fits and for anything else.
    """
    low, high = value if type(value) is tuple else (value, value)
    if type(low) is not int or dtypes.kind(dtype) not in "iu":
        return 0
    held = np.iinfo(dtype)
    return -1 if low < held.min else int(high > held.max)


def nearest(value: Any, dtype: dtypes.Dtype, known: Any = None) -> Any:
    """Return an end of a range as it is, or the nearest integer that an integer dtype holds.

    Args:
        value: the end.
        dtype: the dtype of what is brought into the range.
        known: the range of a traced integer.
    """
    side = beyond(value if known is None else known, dtype)
    if not side:
        return value
    held = np.iinfo(dtype)
    return int(held.min if side < 0 else held.max)


def linear(given: Any, *ends: Any) -> dtypes.Dtype:
    """Return the dtype of a linspace.

    Raises:
        DtypeError: one of bools was asked for, or one of real numbers between complex ends.
    """
    named = zip(("start", "stop"), ends, strict=True)
    numbers = [number("linspace", name, end, real=False) for name, end in named]
    is_complex = any(isinstance(end, complex) for end in numbers)
    dtype = dtypes.as_dtype(
        given if given is not None else complex if is_complex else float, "linspace"
    )
    if dtypes.kind(dtype) not in ("c" if is_complex else "iufc"):
        raise DtypeError(
            f"linspace: dtype={dtype.name} cannot hold the numbers from {ends[0]} to {ends[1]}; "
            f"use a {'complex' if is_complex else 'floating'} one"
        )
    return dtype


def whole_linear(start: Any, stop: Any, count: int, last: bool, dtype: dtypes.Dtype) -> Any:
    """Return the numbers of a linspace of integers on the host, each rounded down, exactly.

    Floats would round 49 * (1 / 49) to less than 1, and know no integers beyond 2**53.

    Raises:
        TracingError: an end that has no value yet.
        ShapeError: an end that is infinite or NaN.
        RangeError: numbers that the dtype cannot hold.
    """
    ends = number("linspace", "start", start), number("linspace", "stop", stop)
    for name, end in zip(("start", "stop"), ends, strict=True):
        if type(end) is float and not math.isfinite(end):
            raise ShapeError(f"linspace: {name}={end} is no end of a range of {dtype.name}")
    first, final = map(Fraction, ends)
    unit = first.denominator * final.denominator * max(count - last, 1)
    low, by = int(first * unit), int((final - first) * unit) // max(count - last, 1)
    exact = (low + by * np.arange(count, dtype=object)) // unit
    for value in (*exact[:1], *exact[-1:]):
        dtypes.fit(value, dtype, "linspace")
    return exact.astype(dtype)


def number(function: str, name: str, value: Any, *, real: bool = True) -> Any:
    """Return a Python number from one, a NumPy scalar or an array without axes.

    Raises:
        TracingError: an array that has no value yet, in a function being compiled.
        DtypeError: something else, or a complex number where a real one is needed.
        RangeError: an integer beyond 64 bits.
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
    if type(value) is int and not -(2**63) <= value < 2**64:
        raise RangeError(f"{function}: {name}={value} does not fit 64 bits; write a float")
    return value


def is_number(value: Any) -> bool:
    """Tell whether a value is a number, or an array without axes of a dtype here."""
    if isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic):
        return True
    dtype = getattr(value, "dtype", None)
    return getattr(dtype, "name", "") in dtypes.NAMES and len(value.shape) == 0


def fill(function: str, value: Any, name: str = "fill_value") -> None:
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
            f"{function}: {name} has the shape {shape}; it is a number or an array without "
            f"axes. Use ub.broadcast_to for others"
        )
    raise DtypeError(f"{function}: {name}={value!r:.80} is not a number or an array without axes")


def constant(
    function: str, dtype: dtypes.Dtype, value: Any, type_of: Callable[[Any], dtypes.Dtype | type]
) -> Any:
    """Return the constant of a padding, checked to go along with the dtype of the array.

    Args:
        function: the operation, for errors.
        dtype: of the array.
        value: a number or an array without axes; 0, which is what is meant if none is given, is
            False among bools.
        type_of: what an array, or a number, counts as in promotion.

    Raises:
        DtypeError: a value that would change the dtype, or is no number.
        ShapeError: an array with axes.
        RangeError: a Python integer that the dtype cannot hold.
    """
    fill(function, value, "constant_values")
    if isinstance(value, np.generic | np.ndarray):
        from ._entry import host

        value = host(value, f"{function}: constant_values")
        kind: dtypes.Dtype | type = value.dtype
    else:
        kind = type_of(value)
    if type(value) is int and value == 0 and dtype.kind == "b":
        return False
    kept(function, dtype, constant_values=kind)
    return value if isinstance(kind, np.dtype) else dtypes.fit(value, dtype, function)


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


def real_float(function: str, dtype: dtypes.Dtype) -> None:
    """Check a dtype that is asked for where results are fractions.

    Raises:
        DtypeError: it is not one of real floats.
    """
    if dtypes.kind(dtype) != "f":
        raise DtypeError(f"{function}: dtype={dtype.name!r} is not one of real floats")


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
