"""Elementary functions by formulas, where a framework's own are wrong.

Complex functions follow C99's Annex G: special values, signs of zeros, and with them the sides of
branch cuts; the array API standard takes its tables from there. XLA gets infinities, NaN and many
signs wrong (seen on JAX 0.10.2 and TensorFlow 2.21), NumPy some tables of `expm1` and `log1p`
(seen on 2.4.6), glibc's none.

A formula takes `xp`, functions of real arrays of the standard's names, and the real and imaginary
parts. Some complete `base`, the framework's own function of such a pair, which is right where
both parts are finite and have no sign: `_mirrored` and `_odd` take the signs away and put them
back. Selections differ from what they guard for infinities and NaN alone, so that the derivatives
of formulas are those of the functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

Pair: TypeAlias = tuple[Any, Any]
Base: TypeAlias = Callable[[Any, Any], Pair]
Formula: TypeAlias = Callable[[Any, Any, Any], Pair]

_INF, _NAN = math.inf, math.nan


def exp(xp: Any, a: Any, b: Any) -> Pair:
    """Return exp(a) cis(b), by halves, so that it overflows where the result does."""
    half = xp.exp(a * 0.5)
    lost = ~xp.isfinite(b)
    vanished = lost & (a == -_INF)
    across = xp.where(vanished, 0.0, xp.cos(b))
    up = xp.where(vanished, 0.0, xp.sin(b))
    real = xp.where(lost & (a == _INF), _INF, half * across * half)
    return real, xp.where((b == 0) & ~xp.isfinite(half), b, half * up * half)


def expm1(xp: Any, a: Any, b: Any) -> Pair:
    """Return expm1(a) cos(b) - 2 sin(b/2)**2, where no digits are lost, and exp's other part."""
    across, up = exp(xp, a, b)
    large = a > 40  # where the 1 is below half a unit in the last place of exp(a)
    small = xp.where(large, 0.0, xp.where(a == 0, xp.copysign(a, 1.0), a))  # of -0 it is +0
    sine = xp.sin(b * 0.5)
    near = xp.expm1(small) * xp.cos(b) - 2 * sine * sine
    return xp.where(large, across, xp.where(a == -_INF, -1.0, near)), up


def sinh(xp: Any, a: Any, b: Any) -> Pair:
    """Return sinh(a) cos(b) and cosh(a) sin(b), by sinh and cosh of a/2."""
    small, large = xp.sinh(a * 0.5), xp.cosh(a * 0.5)
    across, up = xp.cos(b), xp.sin(b)
    lost, zero = ~xp.isfinite(b), a == 0
    real = xp.where(lost & zero, a, 2 * small * across * large)
    real = xp.where(lost & xp.isinf(a), a, real)
    return real, xp.where((b == 0) & ~xp.isfinite(large), b, up + 2 * small * up * small)


def cosh(xp: Any, a: Any, b: Any) -> Pair:
    """Return cosh(a) cos(b) and sinh(a) sin(b), by sinh and cosh of a/2."""
    small, large = xp.sinh(a * 0.5), xp.cosh(a * 0.5)
    across, up = xp.cos(b), xp.sin(b)
    lost = ~xp.isfinite(b)
    real = across + 2 * small * across * small
    real = xp.where(lost & xp.isinf(a), _INF, real)
    zero = (lost & (a == 0)) | ((b == 0) & ~xp.isfinite(large))
    signed = xp.copysign(xp.where(zero, 0.0, b), a) * xp.copysign(xp.where(zero, 1.0, b), b)
    return real, xp.where(zero, signed, 2 * small * up * large)


def sin(xp: Any, a: Any, b: Any) -> Pair:
    return _turned(sinh)(xp, a, b)


def cos(xp: Any, a: Any, b: Any) -> Pair:
    return cosh(xp, -b, a)


def _turned(formula: Formula) -> Formula:
    """Return -i f(i z) for a function f: sin for sinh, atan for atanh."""

    def call(xp: Any, a: Any, b: Any) -> Pair:
        across, up = formula(xp, -b, a)
        return up, -across

    return call


def turned(completed: Callable[[Base], Formula]) -> Callable[[Base], Formula]:
    """Return for a formula that completes f the one of -i f(i z)."""
    return lambda base: _turned(completed(base))


def _mirrored(xp: Any, base: Base, a: Any, b: Any) -> Pair:
    """Return a function that is mirrored at the real axis."""
    below = xp.signbit(b)
    across, up = base(a, xp.where(below, -b, b))
    return across, xp.where(below, -up, up)


def _odd(xp: Any, base: Base, a: Any, b: Any) -> Pair:
    """Return a function that is mirrored at both axes."""
    left = xp.signbit(a)
    across, up = _mirrored(xp, base, xp.where(left, -a, a), b)
    return xp.where(left, -across, across), up


def log(base: Base) -> Formula:
    """Complete log, log1p, log2 or log10."""

    def call(xp: Any, a: Any, b: Any) -> Pair:
        size, angle = _mirrored(xp, base, a, b)
        return xp.where(xp.isinf(a) | xp.isinf(b), _INF, size), angle

    return call


def size(xp: Any, found: Any, a: Any, b: Any) -> Any:
    """Complete the absolute value: infinite where a part is, else NaN where one is."""
    found = xp.where(xp.isnan(a) | xp.isnan(b), _NAN, found)
    return xp.where(xp.isinf(a) | xp.isinf(b), _INF, found)


def sqrt(base: Base) -> Formula:
    def call(xp: Any, a: Any, b: Any) -> Pair:
        across, up = _mirrored(xp, base, a, b)
        lost, far = xp.isnan(a) | xp.isnan(b), xp.isinf(b)
        right, left = lost & (a == _INF), lost & (a == -_INF)
        across = xp.where(far | right, _INF, xp.where(lost, _NAN, across))
        up = xp.where(left, _INF, xp.where(lost, _NAN, up))
        return across, xp.where(far, b, up)

    return call


def root(xp: Any, a: Any, b: Any) -> Pair:
    """Return the square root of a finite number above the real axis."""
    across = xp.abs(a)
    larger = xp.maximum(across, b)
    larger = xp.where((larger == 0) | ~xp.isfinite(larger), 1.0, larger)
    across, up = across / larger, b / larger  # whose squares neither overflow nor vanish
    half = xp.sqrt(larger) * xp.sqrt(0.5 * (across + xp.sqrt(across * across + up * up)))
    other = 0.5 * b / xp.where(half == 0, 1.0, half)
    left = xp.signbit(a)
    return xp.where(left, other, half), xp.where(left, half, other)


def asinh(base: Base) -> Formula:
    def call(xp: Any, a: Any, b: Any) -> Pair:
        across, up = _odd(xp, base, a, b)
        lost = xp.isnan(a) & xp.isfinite(b)
        return xp.where(lost, _NAN, across), xp.where(lost, xp.where(b == 0, b, _NAN), up)

    return call


def acos(base: Base) -> Formula:
    def call(xp: Any, a: Any, b: Any) -> Pair:
        across, up = _mirrored(xp, base, a, b)
        lost = xp.isnan(b) & xp.isfinite(a)
        right = xp.where(a == 0, math.pi / 2, b)
        return xp.where(lost, right, across), xp.where(lost, _NAN, up)

    return call


def acosh(base: Base) -> Formula:
    def call(xp: Any, a: Any, b: Any) -> Pair:
        across, up = _mirrored(xp, base, a, b)
        lost = xp.isnan(b) & xp.isfinite(a)
        right = xp.where(a == 0, math.pi / 2, b)
        return xp.where(lost, _NAN, across), xp.where(lost, right, up)

    return call


def atanh(base: Base) -> Formula:
    def call(xp: Any, a: Any, b: Any) -> Pair:
        across, up = _odd(xp, base, a, b)
        lost, far = xp.isnan(a) | xp.isnan(b), xp.isinf(b)
        nothing = (a == 0) | xp.isinf(a) | far
        right = xp.copysign(xp.where(nothing, 0.0, b), a)
        right = xp.where(nothing, right, _NAN)
        angle = xp.where(far, xp.copysign(xp.where(far, math.pi / 2, b), b), _NAN)
        return xp.where(lost, right, across), xp.where(lost, angle, up)

    return call


def tanh(base: Base) -> Formula:
    def call(xp: Any, a: Any, b: Any) -> Pair:
        across, up = _odd(xp, base, a, b)
        lost, far = (a == 0) & ~xp.isfinite(b), xp.isinf(a)
        up = xp.where(far, xp.copysign(xp.where(far, 0.0, b), b), up)  # not of sin(2 b)
        return xp.where(lost, a, across), xp.where(lost, _NAN, up)

    return call


def log1p(base: Base) -> Formula:
    """Return log(1 + z), accurate for small z too, by the logarithm."""

    def call(xp: Any, a: Any, b: Any) -> Pair:
        near = (xp.abs(a) < 0.5) & (xp.abs(b) < 0.5)
        small, little = xp.where(near, a, 0.0), xp.where(near, b, 0.0)
        square = small * (small + 2) + little * little  # |1 + z|**2 - 1
        size, angle = base(a + 1, b)
        return xp.where(near, 0.5 * xp.log1p(square), size), angle

    return call


def sign(xp: Any, a: Any, b: Any) -> Pair:
    """Return z / abs(z), 0 at 0; of infinite parts the direction counts, and NaN stays."""
    far, nothing = xp.isinf(a) | xp.isinf(b), xp.zeros_like(a)
    across = xp.where(far, xp.copysign(xp.where(xp.isinf(a), 1.0, nothing), a), a)
    up = xp.where(far, xp.copysign(xp.where(xp.isinf(b), 1.0, nothing), b), b)
    larger = xp.maximum(xp.abs(across), xp.abs(up))
    zero, lost = larger == 0, xp.isnan(a) | xp.isnan(b)
    larger = xp.where(zero, 1.0, larger)
    across, up = across / larger, up / larger
    size = xp.where(zero, 1.0, xp.sqrt(across * across + up * up))
    across, up = xp.where(lost, _NAN, across / size), xp.where(lost, _NAN, up / size)
    return xp.where(zero, 0.0, across), xp.where(zero, 0.0, up)


def floor_divide(xp: Any, found: Any, x: Any, y: Any) -> Any:
    """Complete a floor division of floats as the standard prefers: floor(x / y) of infinities."""
    ratio = x / y
    signed = xp.where(found == 0, 0.0 * ratio, found)
    return xp.where(xp.isinf(x) | xp.isinf(y), ratio, signed)


# Real functions, which XLA computes by way of others.


def real_sinh(xp: Any, base: Any, x: Any) -> Any:
    """Return sinh; exp(x - log(2)) is off by as many units in the last place as x is large."""
    y = xp.where(x < 0, -x, x)
    large = y > 1
    grown, shrunk = _halves(xp, xp.where(large, y, 1.0))
    far = grown - shrunk
    return xp.where(large, xp.where(x < 0, -far, far), base(xp.where(large, 0.0, x)))


def real_cosh(xp: Any, x: Any) -> Any:
    grown, shrunk = _halves(xp, xp.where(x < 0, -x, x))
    return grown + shrunk


def _halves(xp: Any, y: Any) -> Pair:
    """Return exp(y) / 2 and exp(-y) / 2."""
    root = xp.exp(y * 0.5)
    return 0.5 * root * root, 0.5 * xp.exp(-y)


def real_log1p(xp: Any, base: Any, x: Any) -> Any:
    """Return log(1 + x), in double precision by the logarithm where XLA's loses 7 bits.

    From -0.4142 to -0.3528 it is off by up to 128 ulp (seen on JAX 0.10.2). So far from 0 the
    rounding of 1 + x does little harm.
    """
    inside = (x < -0.25) & (x > -0.5)
    near = base(xp.where(inside, 0.0, x))
    return xp.where(inside, xp.log(1 + xp.where(inside, x, 0.0)), near)


def real_atanh(xp: Any, base: Any, x: Any) -> Any:
    """Return atanh, which XLA makes of log1p: in double precision by a positive argument."""
    y = xp.where(x < 0, -x, x)
    inside = (y > 0.25) & (y < 0.5)
    safe = xp.where(inside, y, 0.0)
    half = 0.5 * xp.log1p(2 * safe / (1 - safe))
    return xp.where(inside, xp.where(x < 0, -half, half), base(xp.where(inside, 0.0, x)))


def real_tanh(xp: Any, base: Any, x: Any) -> Any:
    """Return tanh, in double precision by exp(-2 x) beyond 1, where XLA's is off by up to 7 ulp."""
    y = xp.where(x < 0, -x, x)
    large = y > 1
    shrunk = xp.exp(-2 * xp.where(large, y, 1.0))
    far = (1 - shrunk) / (1 + shrunk)
    return xp.where(large, xp.where(x < 0, -far, far), base(xp.where(large, 0.0, x)))
