"""The rows of functions of each element."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype, common, kind

from .operands import (
    ALL,
    COMPLEX,
    INTEGERS,
    NUMBERS,
    REAL,
    arrays,
    compatible,
    dtypes,
    elements,
    shapes,
)
from .row import Case, row


@st.composite
def one(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(arrays(dtype, draw(shapes()))),))


@st.composite
def pairs(draw: Any, dtype: Dtype, names: tuple[str, ...], second: Any = None) -> Case:
    """Draw two operands: of one dtype, or a Python number with an array, or of two dtypes."""
    first, other = draw(compatible(2))
    x1 = draw(arrays(dtype, first))
    match draw(st.integers(0, 7)):
        case 0 if second is None:
            number = draw(elements(dtype))
            return Case((x1, number) if draw(st.booleans()) else (number, x1))
        case 1 | 2 if second is None:
            third = draw(dtypes(names))
            if "float64" in names or kind(common(dtype, third)) != "f":  # int64 with uint64
                return Case((x1, draw(arrays(third, other))))
    return Case((x1, draw(arrays(dtype, other, second and second(dtype)))))


def singles(text: str, names: tuple[str, ...]) -> None:
    """The rows of functions of one operand."""
    for name in text.split():
        row(name, names, one)


def doubles(text: str, names: tuple[str, ...], second: Any = None) -> None:
    """The rows of functions of two operands; `second` is the strategy for the second's elements."""
    for name in text.split():
        row(name, names, lambda dtype: pairs(dtype, names, second))


singles("abs conj isfinite isinf isnan negative positive real round sign square", NUMBERS)
singles("imag", COMPLEX)
singles("ceil floor signbit trunc", REAL)
singles("logical_not", ALL)
singles("bitwise_invert", ("bool", *INTEGERS))
singles("acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2", ALL)
singles("reciprocal sin sinh sqrt tan tanh", ALL)

doubles("add divide multiply subtract", NUMBERS)
doubles("atan2 copysign floor_divide hypot logaddexp maximum minimum nextafter remainder", REAL)
doubles("greater greater_equal less less_equal", REAL)
doubles("equal not_equal logical_and logical_or logical_xor", ALL)
doubles("bitwise_and bitwise_or bitwise_xor", ("bool", *INTEGERS))
doubles("bitwise_left_shift bitwise_right_shift", INTEGERS, lambda dtype: st.integers(0, 100))
doubles(
    "pow",
    NUMBERS,
    lambda dtype: st.integers(0, 70) if kind(dtype) in "iu" else elements(dtype),
)


@st.composite
def _clips(draw: Any, dtype: Dtype) -> Case:
    first, low, high = draw(compatible(3))
    ends = [
        draw(st.none() | elements(dtype) | arrays(dtype, shape).map(lambda end: end))
        for shape in (low, high)
    ]
    return Case((draw(arrays(dtype, first)), *ends))


row("clip", REAL, _clips)
