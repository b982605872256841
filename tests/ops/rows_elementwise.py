"""The rows of functions of each element.

Errors in units in the last place (ulp) are those that the OpenCL C specification 3.0 demands of
its built-in functions, section 7.4, "Relative Error as ULPs", full profile: the tables for single,
double and half precision. What IEEE 754 defines (sums, products, quotients, square roots) is
rounded to nearest. glibc's own maxima (manual, "Errors in Math Functions": 1 or 2) and those of
NumPy's vector functions (below 4) lie inside.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np

from unibackend.testing.bounds.answer import (
    BITS16,
    WIDE,
    Answer,
    Dtype,
    common,
    eps,
    floating,
    kind,
    python,
    real_of,
    rounded,
    tiny,
    ulp,
    wide,
)

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

BOOL = np.dtype(bool)

# Units in the last place: single precision, and half. Double's are the same or smaller.
OPENCL = {
    "atan2": (6, 2),
    "cos": (4, 2),
    "exp": (3, 2),
    "expm1": (3, 2),
    "hypot": (4, 2),
    "log": (3, 2),
    "log1p": (2, 2),
    "pow": (16, 4),
    "sin": (4, 2),
    "tan": (5, 2),
    "tanh": (5, 2),
}

# Where XLA promises less: "no worse than an error of 8 ULPs" for expm1 on the CPU
# (xla/tests/exhaustive/exhaustive_unary_test_f32_or_smaller.cc); log1p keeps the 4 ulp of OpenCL's
# embedded profile only. Measured over a million float32 each: 5.5 and 2.4.
XLA = {"expm1": 8, "log1p": 4}

# A complex function is put together from two or three real ones of 5 ulp at most and a few
# roundings: it is right to 16 eps, for an argument that is off by 16 eps (mixed stability).
COMPLEX_EPS = 16


def ulps_of(name: str, dtype: Dtype) -> int:
    return OPENCL[name][dtype in BITS16]


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


def two(names: tuple[str, ...], second: Any = None) -> tuple[tuple[str, ...], Any]:
    """Return dtypes, and from each the strategy for two operands."""
    return names, lambda dtype: pairs(dtype, names, second)


def together(x1: Any, x2: Any) -> tuple[Any, Any, Dtype]:
    """Return two operands in their common dtype; Python numbers take that of the other."""
    if not isinstance(x1, np.ndarray):
        x1 = np.asarray(x1).astype(x2.dtype)
    if not isinstance(x2, np.ndarray):
        x2 = np.asarray(x2).astype(x1.dtype)
    dtype = common(x1.dtype, x2.dtype)
    return x1.astype(dtype), x2.astype(dtype), dtype


def exact1(name: str, names: tuple[str, ...], whole: Any, real: Any = None) -> None:
    """A function of one operand without rounding; `whole` takes Python integers."""

    def answer(x: Any) -> Answer:
        if kind(x.dtype) in "iu":
            return Answer(python(whole)(wide(x)), x.dtype)
        return Answer(real(wide(x)), x.dtype, None)

    row(name, names, one, answer)


def asked(name: str, names: tuple[str, ...], question: Any) -> None:
    """A question about each element."""
    row(name, names, one, lambda x: Answer(question(x), BOOL))


def compared(name: str, names: tuple[str, ...], relation: Any) -> None:
    """A question about pairs of elements."""

    def answer(x1: Any, x2: Any) -> Answer:
        a, b, _ = together(x1, x2)
        return Answer(np.asarray(relation(wide(a), wide(b)), bool), BOOL)

    row(name, *two(names), answer)


def arithmetic(name: str, whole: Any, real: Any, complex_error: Any) -> None:
    """An operation that IEEE 754 rounds to nearest, and that is exact for integers."""

    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        a, b = wide(a), wide(b)
        if kind(dtype) in "iu":
            return Answer(python(whole)(a, b), dtype)
        value = np.asarray(real(a, b))
        if kind(dtype) == "c":
            return Answer(value, dtype, complex_error(a, b, value) * eps(dtype))
        return rounded(value, dtype)

    row(name, *two(NUMBERS), answer)


def elementary(
    name: str, function: Any, slope: Callable[[Any], Any], names: tuple[str, ...] = ALL
) -> None:
    """An elementary function; `slope` is its derivative, for the bound of complex results."""

    def answer(x: Any) -> Answer:
        dtype = floating(x.dtype)
        a = wide(x.astype(dtype))
        value = np.asarray(function(a))
        if kind(dtype) == "c":
            near = np.abs(value) + np.abs(a * slope(a))
            return Answer(value, dtype, off_cut(a, COMPLEX_EPS * eps(dtype) * near))
        ulps = ulps_of(name, dtype)
        more = max(0, XLA.get(name, 0) - ulps) * ulp(value, dtype) + 2 * tiny(dtype)
        if name == "log":  # TensorFlow's is off by 0.7 for numbers that are not normal
            more = np.where(np.abs(a) < tiny(dtype), WIDE(np.inf), more)
        return Answer(value, dtype, rounded(value, dtype, ulps).bound, more)

    row(name, names, one, answer)


def off_cut(a: Any, bound: Any) -> Any:
    """Return a bound, infinite where the sign of a zero chooses the side of a branch cut.

    The standard calls its branch cuts provisional, and XLA and TensorFlow take the upper side.
    """
    return np.where((a.real < 0) & (a.imag == 0) & np.signbit(a.imag), WIDE(np.inf), bound)


def bits(name: str, function: Any) -> None:
    """An operation on the bits of integers, or on bools."""

    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        return Answer(function(a, b), dtype)

    row(name, *two(("bool", *INTEGERS)), answer)


def shift(name: str, whole: Any) -> None:
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        width = 8 * dtype.itemsize
        return Answer(python(lambda n, by: whole(n, min(by, width)))(wide(a), wide(b)), dtype)

    row(name, *two(INTEGERS, lambda dtype: st.integers(0, 100)), answer)


# ---- without rounding --------------------------------------------------------------------------

exact1("ceil", REAL, lambda n: n, np.ceil)
exact1("floor", REAL, lambda n: n, np.floor)
exact1("trunc", REAL, lambda n: n, np.trunc)
exact1("round", NUMBERS, lambda n: n, np.rint)
exact1("positive", NUMBERS, lambda n: n, np.positive)
exact1("negative", NUMBERS, operator.neg, np.negative)
exact1("conj", NUMBERS, lambda n: n, np.conj)
row("real", NUMBERS, one, lambda x: Answer(wide(x).real, real_of(x.dtype), None))
row("imag", COMPLEX, one, lambda x: Answer(wide(x).imag, real_of(x.dtype), None))
asked("isfinite", NUMBERS, np.isfinite)
asked("isinf", NUMBERS, np.isinf)
asked("isnan", NUMBERS, np.isnan)
asked("logical_not", ALL, lambda x: x == 0)
compared("equal", ALL, operator.eq)
compared("not_equal", ALL, operator.ne)
compared("less", REAL, operator.lt)
compared("less_equal", REAL, operator.le)
compared("greater", REAL, operator.gt)
compared("greater_equal", REAL, operator.ge)
compared("logical_and", ALL, lambda a, b: (a != 0) & (b != 0))
compared("logical_or", ALL, lambda a, b: (a != 0) | (b != 0))
compared("logical_xor", ALL, lambda a, b: (a != 0) ^ (b != 0))
bits("bitwise_and", np.bitwise_and)
bits("bitwise_or", np.bitwise_or)
bits("bitwise_xor", np.bitwise_xor)
row("bitwise_invert", ("bool", *INTEGERS), one, lambda x: Answer(np.invert(x), x.dtype))
shift("bitwise_left_shift", lambda n, by: n << by)
shift("bitwise_right_shift", lambda n, by: n >> by)


def _extreme(name: str, whole: Any, real: Any) -> None:
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        function = python(whole) if kind(dtype) in "iu" else real
        return Answer(function(wide(a), wide(b)), dtype)

    row(name, *two(REAL), answer)


_extreme("maximum", max, np.maximum)
_extreme("minimum", min, np.minimum)


@st.composite
def _clips(draw: Any, dtype: Dtype) -> Case:
    first, low, high = draw(compatible(3))
    ends = [
        draw(st.none() | elements(dtype) | arrays(dtype, shape).map(lambda end: end))
        for shape in (low, high)
    ]
    return Case((draw(arrays(dtype, first)), *ends))


def _clipped(x: Any, low: Any, high: Any) -> Answer:
    value = wide(x)
    for end, whole, real in ((low, max, np.maximum), (high, min, np.minimum)):
        if end is not None:
            function = python(whole) if kind(x.dtype) in "iu" else real
            value = function(value, wide(np.asarray(end, x.dtype)))
    return Answer(value, x.dtype)


row("clip", REAL, _clips, _clipped)

# ---- rounded to nearest ------------------------------------------------------------------------

# R. Brent, C. Percival, P. Zimmermann, "Error bounds on complex floating-point multiplication":
# sqrt(5) u |xy|; complex division by any of the usual algorithms stays below 8 eps.
arithmetic("add", operator.add, np.add, lambda a, b, value: np.abs(value))
arithmetic("subtract", operator.sub, np.subtract, lambda a, b, value: np.abs(value))
arithmetic(
    "multiply", operator.mul, np.multiply, lambda a, b, value: np.sqrt(WIDE(5)) / 2 * np.abs(value)
)


def _reciprocal(a: Any, value: Any, dtype: Dtype) -> Any:
    """Return what XLA may add: it divides by a broadcast operand as a * (1 / b).

    That is one rounding more, and 1 / b may be so small that it becomes zero.
    """
    return ulp(value, dtype) + (2 + np.abs(a)) * tiny(dtype)


def _divided(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    dtype = floating(dtype)
    a, b = wide(a.astype(dtype)), wide(b.astype(dtype))
    value = np.asarray(np.divide(a, b))
    if kind(dtype) == "c":
        zero = np.broadcast_to(b == 0, value.shape)  # C99 leaves the parts of z / 0 open
        return Answer(value, dtype, np.where(zero, np.inf, 8 * eps(dtype) * np.abs(value)))
    return Answer(value, dtype, rounded(value, dtype).bound, _reciprocal(a, value, dtype))


row("divide", *two(NUMBERS), _divided)


def _squared(x: Any) -> Answer:
    if kind(x.dtype) in "iu":
        return Answer(wide(x) ** 2, x.dtype)
    value = np.square(wide(x))
    if kind(x.dtype) == "c":
        return Answer(value, x.dtype, np.sqrt(WIDE(5)) / 2 * eps(x.dtype) * np.abs(value))
    return rounded(value, x.dtype)


row("square", NUMBERS, one, _squared)


def _root(x: Any) -> Answer:
    dtype = floating(x.dtype)
    a = wide(x.astype(dtype))
    value = np.sqrt(a)
    if kind(dtype) == "c":
        return Answer(value, dtype, COMPLEX_EPS * eps(dtype) * np.abs(value))
    return rounded(value, dtype)


row("sqrt", ALL, one, _root)


def _magnitude(x: Any) -> Answer:
    if kind(x.dtype) in "iu":
        return Answer(python(abs)(wide(x)), x.dtype)
    if kind(x.dtype) == "f":
        return Answer(np.abs(wide(x)), x.dtype, None)
    return rounded(np.abs(wide(x)), real_of(x.dtype), OPENCL["hypot"][0])


row("abs", NUMBERS, one, _magnitude)


def _signs(x: Any) -> Answer:
    if kind(x.dtype) in "iu":
        return Answer(python(lambda n: (n > 0) - (n < 0))(wide(x)), x.dtype)
    value = np.sign(wide(x))
    error = COMPLEX_EPS * eps(x.dtype) if kind(x.dtype) == "c" else 0
    return Answer(value, x.dtype, error * np.abs(value))


row("sign", NUMBERS, one, _signs)


def _quotient(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    if kind(dtype) in "iu":
        return Answer(python(lambda n, by: n // by if by else 0)(wide(a), wide(b)), dtype)
    a, b = wide(a), wide(b)
    value = np.floor_divide(a, b)
    # (a - a % b) / b: two roundings, or three, and then to an integer, which is exact while the
    # dtype holds all integers and half of them
    exact = np.abs(value) * eps(dtype) < 0.25
    bound = np.where(exact, 0, 1.5 * ulp(value, dtype))
    more = np.where(exact, 0, ulp(value, dtype)) + np.where(
        np.abs(b) * tiny(dtype) > 0.5, _reciprocal(a, value, dtype), 0
    )
    return Answer(value, dtype, bound, more)


row("floor_divide", *two(REAL), _quotient)


def _rest(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    if kind(dtype) in "iu":
        return Answer(python(lambda n, by: n % by if by else 0)(wide(a), wide(b)), dtype)
    return rounded(np.remainder(wide(a), wide(b)), dtype)


row("remainder", *two(REAL), _rest)

# ---- elementary functions ----------------------------------------------------------------------

elementary("exp", np.exp, np.exp)
elementary("expm1", np.expm1, np.exp)
elementary("log", np.log, lambda z: 1 / z)
elementary("log1p", np.log1p, lambda z: 1 / (1 + z))
elementary("sin", np.sin, np.cos)
elementary("cos", np.cos, np.sin)
elementary("tan", np.tan, lambda z: 1 / np.cos(z) ** 2)
elementary("tanh", np.tanh, lambda z: 1 / np.cosh(z) ** 2)


def _angle(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    dtype = floating(dtype)
    a, b = wide(a.astype(dtype)), wide(b.astype(dtype))
    value = np.arctan2(a, b)
    # of two numbers that are not normal XLA and TensorFlow make 0 / 0
    small = (a != 0) & (b != 0) & (np.maximum(np.abs(a), np.abs(b)) < tiny(dtype))
    more = np.where(small, WIDE(np.inf), 2 * tiny(dtype))
    return Answer(value, dtype, rounded(value, dtype, ulps_of("atan2", dtype)).bound, more)


row("atan2", *two(REAL), _angle)


def _exponents(dtype: Dtype) -> st.SearchStrategy[Any]:
    return st.integers(0, 70) if kind(dtype) in "iu" else elements(dtype)


def _power(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    if kind(dtype) in "iu":
        return Answer(python(lambda n, by: pow(n, by, 2**64))(wide(a), wide(b)), dtype)
    if kind(dtype) == "c":
        a, b = wide(a), wide(b)
        logarithm = np.log(np.where(a == 0, 1, a))
        value = np.where(b == 0, 1, np.where(a == 0, 0, np.exp(b * logarithm)))
        near = np.abs(value) * (1 + np.abs(b) * (1 + np.abs(logarithm)))
        zero = np.broadcast_to((a == 0) & (b != 0), value.shape)  # 0 ** z is left open
        bound = off_cut(a, COMPLEX_EPS * eps(dtype) * near)
        return Answer(value, dtype, np.where(zero, np.inf, bound))
    return rounded(np.power(wide(a), wide(b)), dtype, ulps_of("pow", dtype))


row("pow", *two(NUMBERS, _exponents), _power)
