"""Functions of each element on JAX: `jax.numpy`'s, on operands of our common dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import _results, _shapes, dtypes
from . import _elementary as kernels
from .promotion import (
    binary,
    check_known,
    check_width,
    comparable,
    promote,
    strong,
    traced_integers,
    type_of,
    unary,
)

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


def _guarded(
    kernel: Callable[[Any, Any], Any], of_floats: Callable[[Any, Any], Any]
) -> Callable[[Any, Any], Any]:
    """Return a division that gives 0 for integers over zero, where XLA gives -1 or the dividend."""

    def call(x1: Any, x2: Any) -> Any:
        if dtypes.kind(x1.dtype) == "f":
            return of_floats(x1, x2)
        zero = x2 == 0
        return jnp.where(zero, jnp.zeros((), x1.dtype), kernel(x1, jnp.where(zero, 1, x2)))

    return call


abs = unary("abs", kernels.abs)
acos = unary("acos", kernels.acos, fractions=True)
acosh = unary("acosh", kernels.acosh, fractions=True)
add = binary("add", jnp.add)
asin = unary("asin", kernels.asin, fractions=True)
asinh = unary("asinh", kernels.asinh, fractions=True)
atan = unary("atan", kernels.atan, fractions=True)
atan2 = binary("atan2", kernels.atan2, fractions=True)
atanh = unary("atanh", kernels.atanh, fractions=True)
bitwise_and = binary("bitwise_and", jnp.bitwise_and)
bitwise_invert = unary("bitwise_invert", jnp.bitwise_not)
bitwise_left_shift = binary("bitwise_left_shift", jnp.left_shift)
bitwise_or = binary("bitwise_or", jnp.bitwise_or)
bitwise_right_shift = binary("bitwise_right_shift", jnp.right_shift)
bitwise_xor = binary("bitwise_xor", jnp.bitwise_xor)
ceil = unary("ceil", jnp.ceil)
conj = unary("conj", jnp.conj)
copysign = binary("copysign", jnp.copysign, fractions=True)
cos = unary("cos", kernels.cos, fractions=True)
cosh = unary("cosh", kernels.cosh, fractions=True)
divide = binary("divide", jnp.divide, fractions=True)
equal = binary("equal", jnp.equal, prepare=comparable)
exp = unary("exp", kernels.exp, fractions=True)
expm1 = unary("expm1", kernels.expm1, fractions=True)
floor = unary("floor", jnp.floor)
floor_divide = binary("floor_divide", _guarded(jnp.floor_divide, kernels.floor_divide))
greater = binary("greater", jnp.greater, prepare=comparable)
greater_equal = binary("greater_equal", jnp.greater_equal, prepare=comparable)
hypot = binary("hypot", kernels.hypot, fractions=True)
imag = unary("imag", jnp.imag)
isfinite = unary("isfinite", jnp.isfinite)
isinf = unary("isinf", jnp.isinf)
isnan = unary("isnan", jnp.isnan)
less = binary("less", jnp.less, prepare=comparable)
less_equal = binary("less_equal", jnp.less_equal, prepare=comparable)
log = unary("log", kernels.log, fractions=True)
log10 = unary("log10", kernels.log10, fractions=True)
log1p = unary("log1p", kernels.log1p, fractions=True)
log2 = unary("log2", kernels.log2, fractions=True)
logaddexp = binary("logaddexp", kernels.logaddexp, fractions=True)
logical_and = binary("logical_and", jnp.logical_and)
logical_not = unary("logical_not", jnp.logical_not)
logical_or = binary("logical_or", jnp.logical_or)
logical_xor = binary("logical_xor", jnp.logical_xor)
maximum = binary("maximum", jnp.maximum)
minimum = binary("minimum", jnp.minimum)
multiply = binary("multiply", jnp.multiply)
negative = unary("negative", jnp.negative)
nextafter = binary("nextafter", jnp.nextafter, fractions=True)
not_equal = binary("not_equal", jnp.not_equal, prepare=comparable)
positive = unary("positive", jnp.positive)
real = unary("real", jnp.real)
reciprocal = unary("reciprocal", jnp.reciprocal, fractions=True)
remainder = binary("remainder", _guarded(jnp.remainder, kernels.remainder))
round = unary("round", lambda x: x if x.dtype == bool else jnp.round(x))
sign = unary("sign", kernels.sign)
signbit = unary("signbit", jnp.signbit)
sin = unary("sin", kernels.sin, fractions=True)
sinh = unary("sinh", kernels.sinh, fractions=True)
sqrt = unary("sqrt", kernels.sqrt, fractions=True)
square = unary("square", jnp.square)
subtract = binary("subtract", jnp.subtract)
tan = unary("tan", kernels.tan, fractions=True)
tanh = unary("tanh", kernels.tanh, fractions=True)
trunc = unary("trunc", jnp.trunc)


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    check_width("clip", x)
    check_known("clip", x)
    array = strong(x)
    _results.takes("clip", array.dtype)
    for name, end, kernel in (("min", min, jnp.maximum), ("max", max, jnp.minimum)):
        if end is None:
            continue
        _results.kept("clip", array.dtype, **{name: type_of(end)})
        nearest = _results.nearest(end, array.dtype, traced_integers.get(id(end)))
        a, b = promote("clip", array, nearest)
        _shapes.broadcast("clip", a.shape, b.shape)
        array = kernel(a, b)
    return array


def pow(x1: Any, x2: Any, /) -> Any:
    check_known("pow", x1, x2)
    dtype = dtypes.result_type(type_of(x1), type_of(x2))
    _results.takes("pow", dtype)
    if dtypes.kind(dtype) in "iu" and (least := _least(x2)) < 0:
        raise _shapes.negative_power(least, dtype)
    base, exponent = promote("pow", x1, x2)
    if type(x2) is int and x2 == 0:
        base = jax.lax.stop_gradient(base)  # 0 as for `x1 ** 0`, where 0 * x ** -1 is NaN at 0
    _shapes.broadcast("pow", base.shape, exponent.shape)
    whole = dtypes.kind(base.dtype) in "iu"
    return _whole_power(base, exponent) if whole else kernels.power(base, exponent)


def _least(exponent: Any) -> int:
    """Return the smallest exponent, 0 where none is negative or, in a trace, known."""
    if isinstance(exponent, Tracer) or getattr(exponent, "dtype", dtypes.int32).kind in "bu":
        return 0
    return int(np.min(np.asarray(exponent), initial=0))


@jax.jit
def _whole_power(base: Any, exponent: Any) -> Any:
    """Return integer powers by squaring; jnp.power looks at six bits of the exponent only."""
    base, exponent = jnp.broadcast_arrays(base, exponent)

    def step(_: int, state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        result, square, rest = state
        result = jnp.where(rest & 1 == 1, result * square, result)
        return result, square * square, rest >> 1

    count = 8 * base.dtype.itemsize
    return jax.lax.fori_loop(0, count, step, (jnp.ones_like(base), base, exponent))[0]


pow.checks_width = True  # type: ignore[attr-defined]
clip.checks_width = True  # type: ignore[attr-defined]
