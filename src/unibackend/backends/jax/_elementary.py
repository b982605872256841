"""Kernels of elementary functions: JAX's own, completed by formulas where XLA's are wrong."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp

from ... import _elementary as formulas
from ... import _results, dtypes

Kernel: TypeAlias = Callable[..., Any]


def jitted(kernel: Kernel) -> Kernel:
    """Return a kernel of several operations as one."""
    return functools.partial(jax.jit, inline=True)(kernel)


def in_float(kernel: Kernel) -> Kernel:
    """Return a kernel that computes 16 bit floats in float32, since it rounds more than once."""

    def call(*operands: Any) -> Any:
        dtype = operands[0].dtype
        wide = [x.astype(_results.wide(dtype)) for x in operands]
        return kernel(*wide).astype(dtype)

    return jitted(call)


def _base(kernel: Kernel) -> formulas.Base:
    """Return a function of JAX as one of the parts of a complex number."""

    def call(a: Any, b: Any) -> tuple[Any, Any]:
        result = kernel(jax.lax.complex(a, b))
        return jnp.real(result), jnp.imag(result)

    return call


def by_parts(kernel: Kernel, formula: formulas.Formula) -> Kernel:
    """Return a kernel with a formula for complex numbers."""

    @jitted
    def of_complex(x: Any) -> Any:
        return jax.lax.complex(*formula(jnp, jnp.real(x), jnp.imag(x)))

    return lambda x: of_complex(x) if x.dtype.kind == "c" else kernel(x)


def completed(kernel: Kernel, *steps: Callable[[Any], Any]) -> Kernel:
    """Return a function of JAX with its complex results completed, one step after the other."""
    formula: Any = _base(kernel)
    for step in steps:
        formula = step(formula)
    return by_parts(kernel, formula)


def _in_double(kernel: Kernel, formula: Any) -> Kernel:
    """Return a function of JAX with a formula for float64."""
    of_double = jitted(lambda x: formula(jnp, kernel, x))
    return lambda x: of_double(x) if x.dtype == dtypes.float64 else kernel(x)


acos = completed(jnp.arccos, formulas.acos)


def _parts_of_acosh(a: Any, b: Any) -> tuple[Any, Any]:
    """Return i acos(z) above the real axis; jnp.arccosh's derivative has the wrong sign there."""
    across, up = _base(jnp.arccos)(a, b)
    return -up, across


acosh = by_parts(jnp.arccosh, formulas.acosh(_parts_of_acosh))
asin = by_parts(jnp.arcsin, formulas.turned(formulas.asinh)(_base(jnp.arcsinh)))
asinh = completed(jnp.arcsinh, formulas.asinh)
_real_atanh = _in_double(jnp.arctanh, formulas.real_atanh)
atan = by_parts(jnp.arctan, formulas.turned(formulas.atanh)(_base(jnp.arctanh)))
atanh = by_parts(_real_atanh, formulas.atanh(_base(jnp.arctanh)))
cos = by_parts(jnp.cos, formulas.cos)
cosh = by_parts(in_float(lambda x: formulas.real_cosh(jnp, x)), formulas.cosh)
exp = by_parts(jnp.exp, formulas.exp)
expm1 = by_parts(jnp.expm1, formulas.expm1)
log = completed(jnp.log, formulas.log)
log10 = completed(jnp.log10, formulas.log)
log1p = by_parts(_in_double(jnp.log1p, formulas.real_log1p), formulas.log(_base(jnp.log1p)))
log2 = completed(jnp.log2, formulas.log)
sin = by_parts(jnp.sin, formulas.sin)
sinh = by_parts(in_float(lambda x: formulas.real_sinh(jnp, jnp.sinh, x)), formulas.sinh)
sqrt = completed(jnp.sqrt, formulas.sqrt)
tan = by_parts(jnp.tan, formulas.turned(formulas.tanh)(_base(jnp.tanh)))
tanh = by_parts(_in_double(jnp.tanh, formulas.real_tanh), formulas.tanh(_base(jnp.tanh)))


def _constant(formula: formulas.Formula) -> formulas.Formula:
    """Return a formula whose derivative is 0."""
    return lambda xp, a, b: formula(xp, jax.lax.stop_gradient(a), jax.lax.stop_gradient(b))


@jitted
def _real_sign(x: Any) -> Any:
    return jnp.where(x == 0, jnp.zeros_like(x), jnp.sign(x))  # of -0.0 XLA's is -0.0


sign = by_parts(_real_sign, _constant(formulas.sign))


@jitted
def _complex_abs(x: Any) -> Any:
    return formulas.size(jnp, jnp.abs(x), jnp.real(x), jnp.imag(x))


def abs(x: Any) -> Any:
    return _complex_abs(x) if x.dtype.kind == "c" else jnp.abs(x)


@jitted
def atan2(y: Any, x: Any) -> Any:
    """Return the angle; of two numbers below the normal range XLA makes 0 / 0 (seen on 0.10.2)."""
    return jnp.arctan2(_flushed(y), _flushed(x))


def _smallest_normal(dtype: Any) -> Any:
    return jnp.finfo(dtype).smallest_normal  # type: ignore[no-untyped-call]


@jax.custom_jvp
def _flushed(x: Any) -> Any:
    small = jnp.abs(x) < _smallest_normal(x.dtype)
    return jnp.where(small, jnp.copysign(jnp.zeros_like(x), x), x)


_flushed.defjvps(lambda tangent, _, x: tangent)


@jax.custom_jvp
def _remainder(x: Any, y: Any) -> Any:
    rest = jnp.remainder(x, y)
    return jnp.where(rest == 0, jnp.copysign(jnp.zeros_like(rest), y), rest)


@_remainder.defjvp
def _remainder_jvp(primals: Any, tangents: Any) -> Any:
    return remainder(*primals), jax.jvp(jnp.remainder, primals, tangents)[1]


def remainder(x: Any, y: Any) -> Any:
    """Return the remainder of floats; one of 0 has the divisor's sign (jax#40028)."""
    return _jitted_remainder(x, y)


_jitted_remainder = jitted(_remainder)


@jax.custom_jvp
def _logaddexp(x: Any, y: Any) -> Any:
    return jnp.logaddexp(x, y)


@_logaddexp.defjvp
def _logaddexp_jvp(primals: Any, tangents: Any) -> Any:
    """Return the sigmoids of the differences, where JAX's has e for infinite numbers."""
    x, y = primals
    ahead = jnp.where(x == y, 0, x - y)
    shares = jax.nn.sigmoid(ahead), jax.nn.sigmoid(-ahead)
    return _logaddexp(x, y), shares[0] * tangents[0] + shares[1] * tangents[1]


@jitted
def _complex_power(x: Any, y: Any) -> Any:
    """Return the power; on the lower side of the branch cut by the upper one, as XLA's is."""
    below = (jnp.imag(x) == 0) & jnp.signbit(jnp.imag(x)) & (jnp.real(x) < 0)
    result = jnp.power(jnp.where(below, jnp.conj(x), x), jnp.where(below, jnp.conj(y), y))
    return jnp.where(below, jnp.conj(result), result)


def power(x: Any, y: Any) -> Any:
    return _complex_power(x, y) if x.dtype.kind == "c" else jnp.power(x, y)


@jitted
def floor_divide(x: Any, y: Any) -> Any:
    """Return the quotient of floats, a step function: its derivative is 0 where it has one."""
    x, y = jax.lax.stop_gradient((x, y))
    return formulas.floor_divide(jnp, jnp.floor_divide(x, y), x, y)


hypot = in_float(jnp.hypot)
logaddexp = in_float(_logaddexp)
