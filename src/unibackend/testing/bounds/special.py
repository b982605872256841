"""Right results of special functions: by mpmath, with 120 bits, and errors put together.

Where a function is the framework's own, the error is what its documentation or tests allow: the
OpenCL C specification 3.0, section 7.4, full profile (erf and erfc: 16 units in the last place,
exp and log: 3) or XLA's exhaustive tests of float32 (xla/tests/exhaustive/
exhaustive_unary_test_f32_or_smaller.cc: log1p 4 units, lgamma 1e-5 and 150 eps, digamma 2e-5 and
10 eps), whose absolute parts are 84 and 168 eps of float32. XLA computes wider floats by the same
formulas, so that these hold in eps of theirs.

Where it is put together, each part's error goes through the derivatives of what follows it: an
argument that is off by e moves the result by e times the slope. Results in 16 bits are computed in
float32 and rounded once more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from .answer import BITS16, WIDE, Answer, Dtype, answers, common, eps, floating, gamma, tiny, ulp

PRECISION = 120

# Units in the last place.
ERF, EXP, LOG, LOG1P = 16, 3, 3, 4


def working(dtype: Dtype) -> Dtype:
    """Return the dtype that a function computes in."""
    return np.dtype("float32") if dtype in BITS16 else dtype


def to_wide(value: Any) -> Any:
    """Return a number of mpmath's as a wide float."""
    if not isinstance(value, mpmath.mpf):
        return WIDE(value)
    if not mpmath.isfinite(value):
        return WIDE(float(value))
    mantissa, exponent = mpmath.frexp(value)
    high = float(mantissa)
    low = float(mantissa - high)
    within = min(max(int(exponent), -20000), 20000)  # beyond it is 0 or infinite
    return np.ldexp(WIDE(high) + WIDE(low), within)


def at_least_normal(value: Any, dtype: Dtype, scale: Any = 1) -> Any:
    """Return the size of results, at least that below which errors no longer shrink with them."""
    return np.maximum(np.abs(value), scale * tiny(dtype))


def each(function: Callable[[Any], Any], **edges: float) -> Callable[[Any], Any]:
    """Return a function of mpmath's numbers as one of arrays.

    Args:
        function: of finite numbers; what raises ValueError is NaN.
        edges: the results at infinity (`high`) and minus infinity (`low`), NaN if left out.
    """

    def one(x: float) -> Any:
        if math.isnan(x):
            return WIDE(np.nan)
        if math.isinf(x):
            return WIDE(edges.get("high" if x > 0 else "low", np.nan))
        with mpmath.workprec(PRECISION):
            try:
                return to_wide(function(mpmath.mpf(x)))
            except ValueError:
                return WIDE(np.nan)

    def call(x: Any) -> Any:
        found = [one(float(value)) for value in np.ravel(x)]
        return np.asarray(found, WIDE).reshape(np.shape(x))

    return call


def elementwise(
    name: str,
    function: Callable[[Any], Any],
    bound: Callable[[Any, Any, Any], Any],
    *,
    scale: bool = False,
    underflows: bool = False,
) -> None:
    """Put the answer of a function of one operand into the table.

    Args:
        name: of the operation.
        function: of an array of floats, in wide ones.
        bound: from operand, size of the result and eps to the error.
        scale: whether what is below the normal range, or made zero, is multiplied by the operand.
        underflows: whether results below the normal range may be 0 on any backend, as they are
            where Cephes' erfc ends.
    """

    @answers(name)
    def answer(x: Any, **options: Any) -> Answer:
        dtype = floating(x.dtype)
        operand = x.astype(dtype).astype(WIDE)
        value = function(operand, **options) if options else function(operand)
        more = 1 + np.where(np.isfinite(operand), np.abs(operand), 0) if scale else 1
        size = at_least_normal(value, working(dtype), more)
        with np.errstate(all="ignore"):
            error = bound(operand, size, eps(working(dtype))) + underflows * tiny(working(dtype))
        return settled(value, dtype, error, 2 * more * tiny(dtype))


def settled(value: Any, dtype: Dtype, error: Any, flushed: Any = None) -> Answer:
    """Return the answer for an error in the dtype computed in, after the last rounding."""
    last = ulp(value, dtype) / 2 if dtype in BITS16 else ulp(value, dtype) * 2.0**-10
    error = np.where(np.isfinite(value), error + 2 * last * (1 + 2.0**-10), 0)
    return Answer(value, dtype, np.where(np.isnan(error), WIDE(np.inf), error), flushed)


# ---- the error function and the normal distribution --------------------------------------------


def ndtr(x: Any) -> Any:
    if abs(x) > 1e6:
        return mpmath.mpf(x > 0)
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def log_ndtr(x: Any) -> Any:
    if x < -1e6:  # by the first term of its series, the next being 1e-12
        return -x * x / 2 - mpmath.log(-x * mpmath.sqrt(2 * mpmath.pi))
    return mpmath.log(ndtr(x)) if x < 0 else mpmath.log1p(-ndtr(-x))


def density(x: Any) -> Any:
    return np.exp(-x * x / 2) / np.sqrt(2 * WIDE(np.pi))


def through_erfc(x: Any, value: Any, unit: Any) -> Any:
    """The error of erfc: that of its table, and of x * x, rounded once, in exp(-x * x)."""
    slope = 2 / np.sqrt(WIDE(np.pi)) * np.exp(-x * x)
    return (ERF * value + np.abs(x) * slope) * unit


def through_normal(x: Any, value: Any, unit: Any) -> Any:
    """The error of erfc(-x / sqrt(2)) / 2, whose argument is off by two roundings more."""
    return (ERF * value + 2 * np.abs(x) * density(x)) * unit


def through_log_normal(x: Any, value: Any, unit: Any) -> Any:
    """The error of a logarithm of ndtr, the relative one of that and its own; or of log1p.

    Either adds up parts of the size of the result, whose roundings are two more.
    """
    near = np.exp(-value)  # the result is negative
    by_log = through_normal(x, near, unit) / near
    far = _ndtr(-x)
    by_log1p = through_normal(-x, far, unit) / near
    below = (ERF + 2 * (x * x + 1)) * unit  # where the probability itself is 0 in wide floats
    by_log = np.where(near > 0, by_log, below)
    return np.where(x < -1, by_log, by_log1p) + (LOG1P + 2) * unit * value


def erfc(x: Any) -> Any:
    return 2 * ndtr(-mpmath.sqrt(2) * x)


_ndtr = each(ndtr, high=1, low=0)

elementwise("special.erf", each(mpmath.erf, high=1, low=-1), lambda x, v, u: ERF * v * u)
elementwise("special.erfc", each(erfc, high=0, low=2), through_erfc, underflows=True)
elementwise("special.ndtr", _ndtr, through_normal, underflows=True)
elementwise(
    "special.log_ndtr", each(log_ndtr, high=0, low=-np.inf), through_log_normal, underflows=True
)


def erfinv(x: Any) -> Any:
    if abs(x) > 1:
        return mpmath.nan
    return mpmath.erfinv(x)


# A root of erf(y) - x below 1/2, and of erfc beyond: 16 units of these move it by less than 1.2
# times as much relative to y, since y erf'(y) is at least erf(y) / 1.2 or erfc(y) / 1.2 there. The
# argument of exp(-y * y) is off by one rounding, and the step of Newton or Halley by four.
elementwise("special.erfinv", each(erfinv), lambda x, v, u: (1.2 * ERF + 5) * v * u)


# ---- the gamma function ------------------------------------------------------------------------


def gammaln(x: Any) -> Any:
    """Return log|gamma(x)|, by reflection below 1/2: gamma(x) gamma(1 - x) = pi / sin(pi x)."""
    if x <= 0 and mpmath.isint(x):
        return mpmath.inf
    if x < 0.5:
        sine = abs(mpmath.sinpi(x))
        return mpmath.log(mpmath.pi / sine) - mpmath.loggamma(1 - x)
    return mpmath.re(mpmath.loggamma(x))


def digamma(x: Any) -> Any:
    if x == 0:
        return mpmath.ninf
    if x < 0 and mpmath.isint(x):
        return mpmath.nan
    if x < 0.5:
        return mpmath.digamma(1 - x) - mpmath.pi * mpmath.cospi(x) / mpmath.sinpi(x)
    return mpmath.digamma(x)


def _digamma(x: Any) -> Any:
    value = each(digamma, high=np.inf)(x)
    return np.where((x == 0) & np.signbit(x), WIDE(np.inf), value)


def through_digamma(x: Any, value: Any, unit: Any) -> Any:
    """XLA's error; below 0 the argument of tan, not beyond pi, is rounded twice in reflections."""
    squared = each(lambda x: (mpmath.pi / mpmath.sinpi(x)) ** 2 if not mpmath.isint(x) else 0)
    return (168 + 10 * value + np.where(x < 0, squared(x), 0)) * unit


elementwise(
    "special.gammaln",
    each(gammaln, high=np.inf, low=np.inf),
    lambda x, v, u: (84 + 150 * v) * u,
)
elementwise("special.digamma", _digamma, through_digamma)


# ---- logarithms and exponentials ---------------------------------------------------------------


def logit(x: Any) -> Any:
    if x in (0, 1):
        return mpmath.ninf if x == 0 else mpmath.inf
    if not 0 < x < 1:
        return mpmath.nan
    return mpmath.log(x) - mpmath.log1p(-x)


def expit(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


def through_logistic(x: Any, value: Any, unit: Any) -> Any:
    """The error of 1 / (1 + exp(-x)): that of exp, and two roundings."""
    return (EXP + 2) * value * unit


# log1p((2 x - 1) / (1 - x)) from 1/4 on, and log(x / (1 - x)) before: an argument off by two
# roundings, which move the result by less than 1.9 times as much, and the logarithm's own error.
elementwise("special.logit", each(logit), lambda x, v, u: (LOG1P + 4) * v * u)
elementwise("special.expit", each(expit, high=1, low=0), through_logistic)


@answers("special.xlogy")
def xlogy(x1: Any, x2: Any) -> Answer:
    """x1 * log(x2), whose logarithm has an error of 3 units and whose product has another."""
    pair = [np.asarray(x) for x in (x1, x2)]
    if not isinstance(x1, np.ndarray):
        pair[0] = pair[0].astype(x2.dtype)
    if not isinstance(x2, np.ndarray):
        pair[1] = pair[1].astype(x1.dtype)
    dtype = floating(common(pair[0].dtype, pair[1].dtype))
    a, b = (x.astype(dtype).astype(WIDE) for x in pair)
    logarithm = np.log(b)
    value = np.where((a == 0) & ~np.isnan(b), WIDE(0), a * logarithm)
    unit = eps(working(dtype))
    # a logarithm that is 0 is exact
    flushed = (2 + np.where(np.isfinite(a), np.abs(a), 0)) * tiny(dtype)
    size = at_least_normal(value, working(dtype), flushed / tiny(dtype))
    return settled(value, dtype, (LOG + 1) * size * unit, flushed)


def shifted(x: Any, axis: Any) -> tuple[Dtype, Any, Any, Any, int]:
    """Return what sums of exponentials are made of.

    Returns:
        The dtype, the operand, each element less the largest, the logarithm of the sum of the
        exponentials of these, and how many are summed.
    """
    dtype = floating(x.dtype)
    a = x.astype(dtype).astype(WIDE)
    most = np.max(a, axis=axis, keepdims=True, initial=-np.inf)
    less = a - most
    total = np.log(np.sum(np.exp(less), axis=axis, keepdims=True))
    chosen = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return dtype, a, less, total, math.prod(a.shape[one] for one in chosen)


def sum_error(less: Any, axis: Any, count: int, dtype: Dtype) -> Any:
    """Return the relative error of a sum of exponentials.

    P. Blanchard, D. J. Higham and N. J. Higham, Accurately computing the log-sum-exp and softmax
    functions, IMA J. Numer. Anal. 41 (2021), section 4: each exponential has the error of exp,
    and that of the difference, rounded once, which is its own argument's; sums have gamma_n.
    """
    unit = eps(working(dtype))
    size = np.where(np.isfinite(less), np.abs(less), 0)
    powers = np.exp(less)
    weighted = np.sum(powers * (EXP + size / 2), axis=axis, keepdims=True)
    mean = weighted / np.sum(powers, axis=axis, keepdims=True)
    return mean * unit + gamma(count + 1, working(dtype))


@answers("special.logsumexp")
def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    dtype, a, less, total, count = shifted(x, axis)
    most = np.max(a, axis=axis, keepdims=True, initial=-np.inf)
    value = np.where(np.isinf(most), most, most + total)  # NaN passes
    unit = eps(working(dtype))
    error = sum_error(less, axis, count, dtype) + (LOG * np.abs(total) + np.abs(value)) * unit
    if not keepdims:
        chosen = tuple(range(a.ndim)) if axis is None else axis
        value, error = np.squeeze(value, chosen), np.squeeze(error, chosen)
    return settled(value, dtype, error, (count + 2) * tiny(dtype))


@answers("nn.softmax")
def softmax(x: Any, axis: Any = -1) -> Answer:
    dtype, _, less, total, count = shifted(x, axis)
    unit = eps(working(dtype))
    value = np.exp(less - total)
    own = (EXP + 1 + np.where(np.isfinite(less), np.abs(less), 0) / 2) * unit
    size = at_least_normal(value, working(dtype))
    return settled(value, dtype, size * (own + sum_error(less, axis, count, dtype)))


@answers("nn.log_softmax")
def log_softmax(x: Any, axis: Any = -1) -> Answer:
    dtype, _, less, total, count = shifted(x, axis)
    unit = eps(working(dtype))
    value = less - total
    own = (np.abs(less) + LOG * np.abs(total) + np.abs(value)) * unit
    error = own + sum_error(less, axis, count, dtype)
    return settled(value, dtype, error, (count + 2) * tiny(dtype))
