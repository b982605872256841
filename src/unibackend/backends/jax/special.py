"""Special functions on JAX: `jax.scipy.special`'s, and ours where those lose digits."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.scipy import special

from ... import _results, _shapes
from .promotion import binary, strong, unary

__all__ = [
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "expit",
    "gammaln",
    "log_ndtr",
    "logit",
    "logsumexp",
    "ndtr",
    "xlogy",
]


def widened(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that computes the 16 bit floats in float32."""

    def call(*arrays: Any) -> Any:
        dtype = arrays[0].dtype
        wide = _results.wide(dtype)
        if wide == dtype:
            return kernel(*arrays)
        return kernel(*(array.astype(wide) for array in arrays)).astype(dtype)

    return call


def _special(name: str, kernel: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return unary(f"special.{name}", widened(kernel), fractions=True)


def with_derivative(kernel: Callable[[Any], Any], slope: Callable[[Any], Any]) -> Any:
    """Return a kernel that is compiled as one, with a derivative of its own."""
    found = jax.custom_jvp(functools.partial(jax.jit, inline=True)(kernel))
    found.defjvp(
        lambda primals, tangents: (found(primals[0]), tangents[0] * slope(primals[0])),
    )
    return found


# JAX's own is NaN at 0 (seen on 0.10.2), where the function goes to infinity.
_digamma = with_derivative(
    lambda x: jnp.where(x == 0, -1 / x, special.digamma(x)),
    lambda x: special.polygamma(1, x),
)


def _inverse(x: Any) -> Any:
    """Return JAX's result after a step of Halley's method.

    Its own is wrong by 64 units in the last place of float32 and 500 000 of float64 near 1, since
    XLA takes the logarithm of 1 - x * x (seen on 0.10.2).
    """
    size = jnp.abs(x)
    guess = special.erfinv(size)
    missing = jnp.where(size < 0.5, jax.lax.erf(guess) - size, (1 - size) - jax.lax.erfc(guess))
    step = missing / (2 / math.sqrt(math.pi) * jnp.exp(-guess * guess))
    better = guess - step / (1 + guess * step)
    return jnp.copysign(jnp.where(size == 1, guess, better), x)


_erfinv: Any = with_derivative(
    _inverse, lambda x: math.sqrt(math.pi) / 2 * jnp.exp(jnp.square(_erfinv(x)))
)


def _tail(x: Any) -> Any:
    """Return ndtr(x) * -x / phi(x) for x far below 0, by its asymptotic series.

    M. Abramowitz and I. A. Stegun, Handbook of mathematical functions, 26.2.12.
    """
    square, total = x * x, jnp.ones_like(x)
    for odd in range(2 * _TERMS - 1, 0, -2):
        total = 1 - odd / square * total
    return total


# The first term left out is 21!! / 20**22 = 3e-17 of the sum, and 21!! / 10**22 = 1e-12.
_TERMS = 11


def _cut(x: Any) -> float:
    return -20.0 if x.dtype == "float64" else -10.0


def _log_normal(x: Any) -> Any:
    """Return log(ndtr(x)) by the form that keeps its digits.

    JAX's own loses all of them from 5 on, and half of float64's around -20 (seen on 0.10.2).
    """
    far = x < _cut(x)
    low = -x * x / 2 - jnp.log(-x * math.sqrt(2 * math.pi)) + jnp.log(_tail(x))
    near = jnp.log(_normal(x))
    high = jnp.log1p(-_normal(-x))
    return jnp.where(far, low, jnp.where(x < -1, near, high))


def _normal(x: Any) -> Any:
    return jax.lax.erfc(-x * math.sqrt(0.5)) / 2


def _log_normal_slope(x: Any) -> Any:
    safe = jnp.maximum(x, _cut(x))
    near = jnp.exp(-safe * safe / 2 - math.log(2 * math.pi) / 2 - _log_ndtr(safe))
    return jnp.where(x < _cut(x), -x / _tail(x), near)


_log_ndtr = with_derivative(_log_normal, _log_normal_slope)


def _log_odds(x: Any) -> Any:
    """Return log(x / (1 - x)); JAX's own loses its digits around 1/2 (seen on 0.10.2)."""
    return jnp.where(x < 0.25, jnp.log(x / (1 - x)), jnp.log1p((2 * x - 1) / (1 - x)))


_logit = with_derivative(_log_odds, lambda x: 1 / (x * (1 - x)))

digamma = _special("digamma", _digamma)
erf = _special("erf", jax.lax.erf)
erfc = _special("erfc", jax.lax.erfc)
erfinv = _special("erfinv", _erfinv)
expit = _special("expit", jax.lax.logistic)
gammaln = _special("gammaln", jax.lax.lgamma)
log_ndtr = _special("log_ndtr", _log_ndtr)
logit = _special("logit", _logit)
ndtr = _special("ndtr", functools.partial(jax.jit, inline=True)(_normal))
xlogy = binary("special.xlogy", widened(special.xlogy), fractions=True)


def logsumexp(
    x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Any:
    array = strong(x)
    _results.takes("special.logsumexp", array.dtype)
    keep = _shapes.flag("special.logsumexp", "keepdims", keepdims)
    axes = _shapes.all_axes("special.logsumexp", axis, array.ndim)

    def kernel(a: Any) -> Any:
        return special.logsumexp(a, axes, keepdims=keep)

    return widened(kernel)(array.astype(_results.floating(array.dtype)))
