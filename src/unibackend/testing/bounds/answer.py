"""Right answers: wide or exact arithmetic on NumPy, and how far a result may be from them.

Integers are Python's own, wrapped to the dtype at the end. Floats are `numpy.longdouble`, whose
11 bits more than float64 make the oracle's own error a 2048th of a float64's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from ...settings import current

NumpyArray = np.ndarray[Any, Any]
Dtype = np.dtype[Any]

WIDE = np.longdouble
assert np.finfo(WIDE).eps < 2.0**-62, "the oracle needs a longdouble that is wider than float64"

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
BITS16 = (np.dtype("float16"), BFLOAT16)


def kind(dtype: Dtype) -> str:
    """Return 'b', 'i', 'u', 'f' or 'c', also for bfloat16."""
    return "f" if dtype == BFLOAT16 else dtype.kind


def default(letter: str) -> Dtype:
    """Return the default dtype of a kind by the width in force."""
    narrow = {"i": "int32", "u": "uint32", "f": "float32", "c": "complex64"}
    wide = {"i": "int64", "u": "uint64", "f": "float64", "c": "complex128"}
    return np.dtype((wide if current().x64 else narrow)[letter])


def common(first: Dtype, second: Dtype) -> Dtype:
    """Return the dtype of two operands: the standard's table, and the float's of mixed kinds."""
    if first == second:
        return first
    low, high = sorted((first, second), key=lambda dtype: "biufc".index(kind(dtype)))
    if kind(low) == "b" or (kind(low) in "iu" and kind(high) in "fc"):
        return high
    if BFLOAT16 in (low, high) and kind(high) == "f":
        return np.dtype("float64") if np.dtype("float64") in (low, high) else np.dtype("float32")
    if kind(low) == "f" and kind(high) == "c":
        return np.dtype("complex128") if low == np.float64 else high
    result = np.result_type(low, high)
    return result if current().x64 or result.itemsize < 8 else np.dtype("int32")


def floating(dtype: Dtype) -> Dtype:
    """Return the dtype of fractions."""
    return default("f") if kind(dtype) in "biu" else dtype


def real_of(dtype: Dtype) -> Dtype:
    """Return the dtype of the parts of a complex one, else the same."""
    return np.dtype(f"f{dtype.itemsize // 2}") if kind(dtype) == "c" else dtype


def wide(x: Any) -> Any:
    """Return an array in exact or wide arithmetic."""
    array = np.asarray(x)
    match kind(array.dtype):
        case "i" | "u":
            return array.astype(object)
        case "f":
            return array.astype(WIDE)
        case "c":
            return array.astype(np.clongdouble)
    return array


def info(dtype: Dtype) -> Any:
    """Return the limits of a floating dtype, of its parts if it is complex."""
    return ml_dtypes.finfo(real_of(dtype))  # type: ignore[no-untyped-call]


def eps(dtype: Dtype) -> Any:
    """Return the distance from 1 to the next number; rounding errs by half of it."""
    return WIDE(float(info(dtype).eps))


def tiny(dtype: Dtype) -> Any:
    """Return the smallest normal number: below it a backend may give 0."""
    return WIDE(float(info(dtype).smallest_normal))


def limit(dtype: Dtype) -> Any:
    """Return the number from which on rounding to nearest gives infinity."""
    largest = WIDE(float(info(dtype).max))
    return largest * (1 + eps(dtype) / 4)


def ulp(value: Any, dtype: Dtype) -> Any:
    """Return the distance between neighbours of a dtype at each value."""
    size = np.abs(value).astype(WIDE)
    _, exponent = np.frexp(np.where(np.isfinite(size) & (size > 0), size, 1))
    step = np.ldexp(eps(dtype), exponent - 1)
    return np.maximum(step, WIDE(float(info(dtype).smallest_subnormal)))


def gamma(terms: int, dtype: Dtype) -> Any:
    """Return Higham's bound of the relative error of so many roundings in a row.

    N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1:
    gamma_n = n u / (1 - n u), with u half the distance from 1 to the next number.
    """
    unit = terms * eps(dtype) / 2
    return unit / (1 - unit) if unit < 1 else WIDE(np.inf)


@dataclass(frozen=True)
class Answer:
    """What a right result is.

    Attributes:
        value: in exact or wide arithmetic; bools, Python integers, or wide floats.
        dtype: of the result.
        bound: how far a result may be away; None is not at all, the sign of zeros included.
            Where it is infinite, nothing is said.
        flushed: how much more where the backend makes zeros of numbers that are not normal;
            None is what it makes of the result itself.
    """

    value: Any
    dtype: Dtype
    bound: Any = 0
    flushed: Any = None


@dataclass(frozen=True)
class Equations:
    """What right results are where many are: all that satisfy some equations this well.

    Attributes:
        results: the shape and dtype of each.
        residuals: from the results, in wide arithmetic, to what each equation leaves over and the
            most that it may, by the equation in words.
    """

    results: tuple[tuple[tuple[int, ...], Dtype], ...]
    residuals: Callable[..., dict[str, tuple[Any, Any]]]


# For each operation: from operands (NumPy arrays, Python numbers) and options to what is right.
ANSWERS: dict[str, Callable[..., Any]] = {}


def answers(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put a function that knows the right results of operations into the table."""

    def put(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            assert name not in ANSWERS
            ANSWERS[name] = function
        return function

    return put


def rounded(value: Any, dtype: Dtype, ulps: float = 0.5) -> Answer:
    """Return the answer of a function that is right to so many units in the last place.

    A thousandth more is for the oracle, which is rounded too, and for the results in 16 bits
    that were rounded to 32 before.
    """
    parts = np.sqrt(WIDE(2)) if kind(dtype) == "c" else 1  # each part is rounded
    return Answer(value, dtype, parts * (ulps + 2.0**-10) * ulp(value, dtype))


def python(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of Python numbers as one of arrays of them."""

    def each(*arrays: Any) -> Any:
        return np.asarray(np.frompyfunc(function, len(arrays), 1)(*arrays), object)

    return each


def wrapped(value: Any, dtype: Dtype) -> NumpyArray:
    """Return Python integers as an array of a dtype, modulo its range."""
    if kind(dtype) == "b":
        return np.asarray(value).astype(bool)
    limits = np.iinfo(dtype)
    low, span = int(limits.min), int(limits.max) - int(limits.min) + 1
    fold = python(lambda n: (int(n) - low) % span + low)
    result: NumpyArray = fold(np.asarray(value, object)).astype(dtype)
    return result


def flush(x: Any) -> Any:
    """Return an operand with zeros in place of numbers that are not normal, or the same object."""
    if not isinstance(x, np.ndarray) or kind(x.dtype) not in "fc":
        return x
    parts = [x.real, x.imag] if kind(x.dtype) == "c" else [x]
    sizes = [np.abs(part.astype(WIDE)) for part in parts]
    small = [(size > 0) & (size < tiny(x.dtype)) for size in sizes]
    if not any(one.any() for one in small):
        return x
    result = x.copy()
    for part, one in zip([result.real, result.imag], small, strict=False):
        part[one] = np.copysign(np.zeros((), part.dtype), part[one])
    return result
