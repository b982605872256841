"""Functions of each element on JAX: `jax.numpy`'s, on operands of our common dtype."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import _results, _shapes, dtypes
from .promotion import binary, check_known, check_width, promote, strong, type_of, unary

__all__ = [
    "abs",
    "add",
    "atan2",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "cos",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "not_equal",
    "positive",
    "pow",
    "real",
    "remainder",
    "round",
    "sign",
    "sin",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


def _guarded(kernel: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a division that gives 0 for integers over zero, where XLA gives -1 or the dividend."""

    def call(x1: Any, x2: Any) -> Any:
        if dtypes.kind(x1.dtype) == "f":
            return kernel(x1, x2)
        zero = x2 == 0
        return jnp.where(zero, jnp.zeros((), x1.dtype), kernel(x1, jnp.where(zero, 1, x2)))

    return call


abs = unary("abs", jnp.abs)
add = binary("add", jnp.add)
atan2 = binary("atan2", jnp.arctan2, fractions=True)
bitwise_and = binary("bitwise_and", jnp.bitwise_and)
bitwise_invert = unary("bitwise_invert", jnp.bitwise_not)
bitwise_left_shift = binary("bitwise_left_shift", jnp.left_shift)
bitwise_or = binary("bitwise_or", jnp.bitwise_or)
bitwise_right_shift = binary("bitwise_right_shift", jnp.right_shift)
bitwise_xor = binary("bitwise_xor", jnp.bitwise_xor)
ceil = unary("ceil", jnp.ceil)
conj = unary("conj", jnp.conj)
cos = unary("cos", jnp.cos, fractions=True)
divide = binary("divide", jnp.divide, fractions=True)
equal = binary("equal", jnp.equal)
exp = unary("exp", jnp.exp, fractions=True)
expm1 = unary("expm1", jnp.expm1, fractions=True)
floor = unary("floor", jnp.floor)
floor_divide = binary("floor_divide", _guarded(jnp.floor_divide))
greater = binary("greater", jnp.greater)
greater_equal = binary("greater_equal", jnp.greater_equal)
imag = unary("imag", jnp.imag)
isfinite = unary("isfinite", jnp.isfinite)
isinf = unary("isinf", jnp.isinf)
isnan = unary("isnan", jnp.isnan)
less = binary("less", jnp.less)
less_equal = binary("less_equal", jnp.less_equal)
log = unary("log", jnp.log, fractions=True)
log1p = unary("log1p", jnp.log1p, fractions=True)
logical_and = binary("logical_and", jnp.logical_and)
logical_not = unary("logical_not", jnp.logical_not)
logical_or = binary("logical_or", jnp.logical_or)
logical_xor = binary("logical_xor", jnp.logical_xor)
maximum = binary("maximum", jnp.maximum)
minimum = binary("minimum", jnp.minimum)
multiply = binary("multiply", jnp.multiply)
negative = unary("negative", jnp.negative)
not_equal = binary("not_equal", jnp.not_equal)
positive = unary("positive", jnp.positive)
real = unary("real", jnp.real)
remainder = binary("remainder", _guarded(jnp.remainder))
round = unary("round", lambda x: x if x.dtype == bool else jnp.round(x))
sign = unary("sign", jnp.sign)
sin = unary("sin", jnp.sin, fractions=True)


@functools.partial(jax.jit, inline=True)
def _principal_sqrt(x: Any) -> Any:
    """Return the root whose imaginary part has the operand's sign, that of -0.0 included.

    XLA's own is on the wrong side of the branch cut there (seen on 0.10.2).
    """
    root = jnp.sqrt(x)
    if x.dtype.kind != "c":
        return root
    wrong = jnp.signbit(jnp.imag(x)) != jnp.signbit(jnp.imag(root))
    return jnp.where(wrong, jnp.conj(root), root)


sqrt = unary("sqrt", _principal_sqrt, fractions=True)
square = unary("square", jnp.square)
subtract = binary("subtract", jnp.subtract)
tan = unary("tan", jnp.tan, fractions=True)
tanh = unary("tanh", jnp.tanh, fractions=True)
trunc = unary("trunc", jnp.trunc)


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    check_width("clip", x)
    check_known("clip", x)
    array = strong(x)
    _results.takes("clip", array.dtype)
    for name, end, kernel in (("min", min, jnp.maximum), ("max", max, jnp.minimum)):
        if end is None:
            continue
        number = type(end) in dtypes.PYTHON_SCALARS
        _results.kept("clip", array.dtype, **{name: type(end) if number else end.dtype})
        a, b = promote("clip", array, end)
        _shapes.broadcast("clip", a.shape, b.shape)
        array = kernel(a, b)
    return array


def pow(x1: Any, x2: Any, /) -> Any:
    check_known("pow", x1, x2)
    dtype = dtypes.result_type(type_of(x1), type_of(x2))
    _results.takes("pow", dtype)
    if dtypes.kind(dtype) in "iu" and (least := _least(x2)) < 0:
        raise ValueError(_shapes.negative_power(least, dtype))
    base, exponent = promote("pow", x1, x2)
    if type(x2) is int and x2 == 0:
        base = jax.lax.stop_gradient(base)  # 0 as for `x1 ** 0`, where 0 * x ** -1 is NaN at 0
    _shapes.broadcast("pow", base.shape, exponent.shape)
    whole = dtypes.kind(base.dtype) in "iu"
    return _whole_power(base, exponent) if whole else jnp.power(base, exponent)


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
