"""Right answers of functions of each element.

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

import numpy as np

from .answer import (
    BITS16,
    WIDE,
    Answer,
    Dtype,
    answers,
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

BOOL = np.dtype(bool)

# Units in the last place: single precision, and half. Double's are the same or smaller.
OPENCL = {
    "acos": (4, 2),
    "acosh": (4, 2),
    "asin": (4, 2),
    "asinh": (4, 2),
    "atan": (5, 2),
    "atan2": (6, 2),
    "atanh": (5, 2),
    "cos": (4, 2),
    "cosh": (4, 2),
    "exp": (3, 2),
    "expm1": (3, 2),
    "hypot": (4, 2),
    "log": (3, 2),
    "log10": (3, 2),
    "log1p": (2, 2),
    "log2": (3, 2),
    "pow": (16, 4),
    "sin": (4, 2),
    "sinh": (4, 2),
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
    """Return how many units in the last place a result of a function may be off."""
    return OPENCL[name][dtype in BITS16]


def together(x1: Any, x2: Any) -> tuple[Any, Any, Dtype]:
    """Return two operands in their common dtype; Python numbers take that of the other."""
    if not isinstance(x1, np.ndarray):
        x1 = np.asarray(x1).astype(x2.dtype)
    if not isinstance(x2, np.ndarray):
        x2 = np.asarray(x2).astype(x1.dtype)
    dtype = common(x1.dtype, x2.dtype)
    return x1.astype(dtype), x2.astype(dtype), dtype


def _exact1(name: str, whole: Any, real: Any) -> None:
    """Answer for a function of one operand without rounding; `whole` takes Python integers."""

    @answers(name)
    def answer(x: Any) -> Answer:
        if kind(x.dtype) in "iu":
            return Answer(python(whole)(wide(x)), x.dtype)
        return Answer(real(wide(x)), x.dtype, None)


def _asked(name: str, question: Any) -> None:
    """Answer for a question about each element."""

    @answers(name)
    def answer(x: Any) -> Answer:
        return Answer(question(x), BOOL)


def _compared(name: str, relation: Any) -> None:
    """Answer for a question about pairs of elements."""

    @answers(name)
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, _ = together(x1, x2)
        return Answer(np.asarray(relation(wide(a), wide(b)), bool), BOOL)


def _arithmetic(name: str, whole: Any, real: Any, complex_error: Any) -> None:
    """Answer for what IEEE 754 rounds to nearest, and what is exact for integers."""

    @answers(name)
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        a, b = wide(a), wide(b)
        if kind(dtype) in "iu":
            return Answer(python(whole)(a, b), dtype)
        value = np.asarray(real(a, b))
        if kind(dtype) == "c":
            return Answer(value, dtype, complex_error(a, b, value) * eps(dtype))
        return rounded(value, dtype)


def _elementary(name: str, function: Any, slope: Callable[[Any], Any]) -> None:
    """Answer for an elementary function; `slope` is its derivative, for complex bounds."""

    @answers(name)
    def answer(x: Any) -> Answer:
        dtype = floating(x.dtype)
        a = wide(x.astype(dtype))
        value = np.asarray(function(a))
        if kind(dtype) == "c":
            moved = np.abs(a * slope(a))  # infinite or NaN at a branch point, where all are exact
            near = np.abs(value) + np.where(np.isfinite(moved), moved, 0)
            return Answer(value, dtype, COMPLEX_EPS * eps(dtype) * near)
        ulps = ulps_of(name, dtype)
        more = max(0, XLA.get(name, 0) - ulps) * ulp(value, dtype) + 2 * tiny(dtype)
        return Answer(value, dtype, rounded(value, dtype, ulps).bound, more)


def _bits(name: str, function: Any) -> None:
    """Answer for an operation on the bits of integers, or on bools."""

    @answers(name)
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        return Answer(function(a, b), dtype)


def _shift(name: str, whole: Any) -> None:
    @answers(name)
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        width = 8 * dtype.itemsize
        return Answer(python(lambda n, by: whole(n, min(by, width)))(wide(a), wide(b)), dtype)


# ---- without rounding --------------------------------------------------------------------------

_exact1("ceil", lambda n: n, np.ceil)
_exact1("floor", lambda n: n, np.floor)
_exact1("trunc", lambda n: n, np.trunc)
_exact1("round", lambda n: n, np.rint)
_exact1("positive", lambda n: n, np.positive)
_exact1("negative", operator.neg, np.negative)
_exact1("conj", lambda n: n, np.conj)
_asked("signbit", lambda x: np.signbit(x) if kind(x.dtype) == "f" else x < 0)
_asked("isfinite", np.isfinite)
_asked("isinf", np.isinf)
_asked("isnan", np.isnan)
_asked("logical_not", lambda x: x == 0)
_compared("equal", operator.eq)
_compared("not_equal", operator.ne)
_compared("less", operator.lt)
_compared("less_equal", operator.le)
_compared("greater", operator.gt)
_compared("greater_equal", operator.ge)
_compared("logical_and", lambda a, b: (a != 0) & (b != 0))
_compared("logical_or", lambda a, b: (a != 0) | (b != 0))
_compared("logical_xor", lambda a, b: (a != 0) ^ (b != 0))
_bits("bitwise_and", np.bitwise_and)
_bits("bitwise_or", np.bitwise_or)
_bits("bitwise_xor", np.bitwise_xor)
_shift("bitwise_left_shift", lambda n, by: n << by)
_shift("bitwise_right_shift", lambda n, by: n >> by)


@answers("bitwise_invert")
def _inverted(x: Any) -> Answer:
    return Answer(np.invert(x), x.dtype)


@answers("real")
def _real_part(x: Any) -> Answer:
    return Answer(wide(x).real, real_of(x.dtype), None)


@answers("imag")
def _imaginary_part(x: Any) -> Answer:
    return Answer(wide(x).imag, real_of(x.dtype), None)


def _extreme(name: str, whole: Any, real: Any) -> None:
    @answers(name)
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        function = python(whole) if kind(dtype) in "iu" else real
        return Answer(function(wide(a), wide(b)), dtype)


_extreme("maximum", max, np.maximum)
_extreme("minimum", min, np.minimum)


@answers("clip")
def _clipped(x: Any, low: Any, high: Any) -> Answer:
    value = wide(x)
    for end, whole, real in ((low, max, np.maximum), (high, min, np.minimum)):
        if end is None:
            continue
        if kind(x.dtype) in "iu":
            held = np.iinfo(x.dtype)
            near = python(lambda n: min(max(n, int(held.min)), int(held.max)))  # noqa: B023
            value = python(whole)(value, near(np.asarray(end, object)))
        else:
            value = real(value, wide(np.asarray(end, x.dtype)))
    return Answer(value, x.dtype)


def _of_floats(name: str, function: Any) -> None:
    """Answer for a function of two floats without rounding, the sign of zeros included."""

    @answers(name)
    def answer(x1: Any, x2: Any) -> Answer:
        a, b, dtype = together(x1, x2)
        dtype = floating(dtype)
        return Answer(wide(function(a.astype(dtype), b.astype(dtype))), dtype, None)


_of_floats("copysign", np.copysign)
_of_floats("nextafter", np.nextafter)


# ---- rounded to nearest ------------------------------------------------------------------------

# R. Brent, C. Percival, P. Zimmermann, "Error bounds on complex floating-point multiplication":
# sqrt(5) u |xy|; complex division by any of the usual algorithms stays below 8 eps.
_arithmetic("add", operator.add, np.add, lambda a, b, value: np.abs(value))
_arithmetic("subtract", operator.sub, np.subtract, lambda a, b, value: np.abs(value))
_arithmetic(
    "multiply", operator.mul, np.multiply, lambda a, b, value: np.sqrt(WIDE(5)) / 2 * np.abs(value)
)


def _reciprocal(a: Any, value: Any, dtype: Dtype) -> Any:
    """Return what XLA may add: it divides by a broadcast operand as a * (1 / b).

    That is one rounding more, and 1 / b may be so small that it becomes zero.
    """
    return ulp(value, dtype) + (2 + np.abs(a)) * tiny(dtype)


@answers("divide")
def _divided(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    dtype = floating(dtype)
    a, b = wide(a.astype(dtype)), wide(b.astype(dtype))
    value = np.asarray(np.divide(a, b))
    if kind(dtype) == "c":
        zero = np.broadcast_to(b == 0, value.shape)  # C99 leaves the parts of z / 0 open
        return Answer(value, dtype, np.where(zero, np.inf, 8 * eps(dtype) * np.abs(value)))
    return Answer(value, dtype, rounded(value, dtype).bound, _reciprocal(a, value, dtype))


@answers("reciprocal")
def _inverse(x: Any) -> Answer:
    found: Answer = _divided(np.ones((), floating(x.dtype)), x)
    return found


@answers("square")
def _squared(x: Any) -> Answer:
    if kind(x.dtype) in "iu":
        return Answer(wide(x) ** 2, x.dtype)
    value = np.square(wide(x))
    if kind(x.dtype) == "c":
        return Answer(value, x.dtype, np.sqrt(WIDE(5)) / 2 * eps(x.dtype) * np.abs(value))
    return rounded(value, x.dtype)


@answers("sqrt")
def _root(x: Any) -> Answer:
    dtype = floating(x.dtype)
    a = wide(x.astype(dtype))
    value = np.sqrt(a)
    if kind(dtype) == "c":
        return Answer(value, dtype, COMPLEX_EPS * eps(dtype) * np.abs(value))
    return rounded(value, dtype)


@answers("abs")
def _magnitude(x: Any) -> Answer:
    if kind(x.dtype) in "iu":
        return Answer(python(abs)(wide(x)), x.dtype)
    if kind(x.dtype) == "f":
        return Answer(np.abs(wide(x)), x.dtype, None)
    return rounded(np.abs(wide(x)), real_of(x.dtype), OPENCL["hypot"][0])


@answers("sign")
def _signs(x: Any) -> Answer:
    if kind(x.dtype) in "iu":
        return Answer(python(lambda n: (n > 0) - (n < 0))(wide(x)), x.dtype)
    value = np.sign(wide(x))
    error = COMPLEX_EPS * eps(x.dtype) if kind(x.dtype) == "c" else 0
    return Answer(value, x.dtype, error * np.abs(value))


@answers("floor_divide")
def _quotient(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    if kind(dtype) in "iu":
        return Answer(python(lambda n, by: n // by if by else 0)(wide(a), wide(b)), dtype)
    a, b = wide(a), wide(b)
    value = np.where(np.isinf(a) | np.isinf(b), a / b, np.floor_divide(a, b))  # the standard's
    # (a - a % b) / b: two roundings, or three, and then to an integer, which is exact while the
    # dtype holds all integers and half of them
    exact = np.abs(value) * eps(dtype) < 0.25
    bound = np.where(exact, 0, 1.5 * ulp(value, dtype))
    more = np.where(exact, 0, ulp(value, dtype)) + np.where(
        np.abs(b) * tiny(dtype) > 0.5, _reciprocal(a, value, dtype), 0
    )
    return Answer(value, dtype, bound, more)


@answers("remainder")
def _rest(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    if kind(dtype) in "iu":
        return Answer(python(lambda n, by: n % by if by else 0)(wide(a), wide(b)), dtype)
    return rounded(np.remainder(wide(a), wide(b)), dtype)


# ---- elementary functions ----------------------------------------------------------------------

_elementary("exp", np.exp, np.exp)
_elementary("expm1", np.expm1, np.exp)
_elementary("log", np.log, lambda z: 1 / z)
_elementary("log10", np.log10, lambda z: 1 / z)
_elementary("log1p", np.log1p, lambda z: 1 / (1 + z))
_elementary("log2", np.log2, lambda z: 1 / z)
_elementary("sin", np.sin, np.cos)
_elementary("cos", np.cos, np.sin)
_elementary("tan", np.tan, lambda z: 1 / np.cos(z) ** 2)
_elementary("asin", np.arcsin, lambda z: 1 / np.sqrt((1 - z) * (1 + z)))
_elementary("acos", np.arccos, lambda z: 1 / np.sqrt((1 - z) * (1 + z)))
_elementary("atan", np.arctan, lambda z: 1 / (1 + z * z))
_elementary("sinh", np.sinh, np.cosh)
_elementary("cosh", np.cosh, np.sinh)
_elementary("tanh", np.tanh, lambda z: 1 / np.cosh(z) ** 2)
_elementary("asinh", np.arcsinh, lambda z: 1 / np.sqrt(1 + z * z))
_elementary("acosh", np.arccosh, lambda z: 1 / np.sqrt((z - 1) * (z + 1)))
_elementary("atanh", np.arctanh, lambda z: 1 / ((1 - z) * (1 + z)))


@answers("atan2")
def _angle(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    dtype = floating(dtype)
    a, b = wide(a.astype(dtype)), wide(b.astype(dtype))
    value = np.arctan2(a, b)
    return rounded(value, dtype, ulps_of("atan2", dtype))


@answers("hypot")
def _length(x1: Any, x2: Any) -> Answer:
    a, b, dtype = together(x1, x2)
    dtype = floating(dtype)
    value = np.hypot(wide(a.astype(dtype)), wide(b.astype(dtype)))
    return rounded(value, dtype, ulps_of("hypot", dtype))


@answers("logaddexp")
def _added_exponentials(x1: Any, x2: Any) -> Answer:
    """Answer for the larger one plus log1p(exp(-d)), d being how far they are apart.

    The difference is rounded, which changes the exponential by d exp(-d) of half a unit, at most
    1 / e; exp and log1p have errors of their own, and so has the sum.
    """
    a, b, dtype = together(x1, x2)
    dtype = floating(dtype)
    a, b = wide(a.astype(dtype)), wide(b.astype(dtype))
    value = np.logaddexp(a, b)
    rest = np.log1p(np.exp(-np.abs(a - b)))
    terms = ulps_of("exp", dtype) + max(ulps_of("log1p", dtype), XLA["log1p"])
    bound = rounded(value, dtype).bound
    return Answer(value, dtype, bound + eps(dtype) * np.where(rest > 0, terms * rest + 0.2, 0))


@answers("pow")
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
        return Answer(value, dtype, np.where(zero, np.inf, COMPLEX_EPS * eps(dtype) * near))
    return rounded(np.power(wide(a), wide(b)), dtype, ulps_of("pow", dtype))
