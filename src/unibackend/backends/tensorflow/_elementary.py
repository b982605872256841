"""Kernels of elementary functions: TensorFlow's ops, completed by formulas where they are wrong.

Executed eagerly, most ops take complex numbers to the C++ library's functions, which are right. In
graphs XLA may compile them, whose own are not: there the formulas of `unibackend._elementary` do.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import tensorflow as tf

from ... import _elementary as formulas
from . import _kernels as k
from ._broadcast import EagerTensor, apply
from ._derivatives import complex_abs, derived
from ._kernels import COMPLEX, HALVES, HALVES_BY_FLOAT, Unary, cast, imag, raw, real, scalar, select
from .array import Array

# Functions of real arrays for the formulas, filled by `elementwise` once they exist.
NAMES = (
    *("abs", "copysign", "cos", "cosh", "exp", "expm1", "isfinite", "isinf", "isnan", "log"),
    *("log1p", "maximum", "signbit", "sin", "sinh", "sqrt"),
)
REALS = SimpleNamespace()


def _base(op: Any) -> formulas.Base:
    """Return an op as a function of the parts of a complex number."""

    def call(a: Any, b: Any) -> tuple[Any, Any]:
        result = op(x=_complex(a._tensor, b._tensor))
        return Array(real(result)), Array(imag(result))

    return call


def _complex(a: Any, b: Any) -> Any:
    kind = tf.complex64 if a.dtype is tf.float32 else tf.complex128
    return raw.Complex(real=a, imag=b, Tout=kind)


def _by_parts(formula: formulas.Formula) -> Unary:
    """Return the kernel of a formula for complex numbers."""

    def call(x: Any) -> Any:
        across, up = formula(REALS, Array(real(x)), Array(imag(x)))
        return _complex(across._tensor, up._tensor)

    return call


def _eager(op: Any, in_graph: Unary) -> Unary:
    """Return an op, and another kernel for graphs."""
    return lambda x: op(x=x) if type(x) is EagerTensor else in_graph(x)


def _of_kinds(of_reals: Any, of_complex: Unary) -> Unary:
    """Return a kernel that is another for complex numbers."""
    return lambda x: of_complex(x) if x.dtype in COMPLEX else of_reals(x=x)


def _in_graphs(op: Any, formula: Callable[..., Any], *dtypes: Any) -> Unary:
    """Return an op with a formula for graphs, for some dtypes or all; halves by way of float32."""

    def in_graph(x: Any) -> Any:
        if dtypes and x.dtype not in dtypes:
            return op(x=x)
        result: Any = formula(REALS, lambda x: Array(op(x=x._tensor)), Array(x))
        return result._tensor

    of_floats = k.through(_eager(op, in_graph), HALVES_BY_FLOAT)

    def call(x: Any) -> Any:
        return of_floats(x)

    return call


def _completed(op: Any, formula: Callable[[formulas.Base], formulas.Formula]) -> Unary:
    return _by_parts(formula(_base(op)))


def _by_float(op: Any, wide: dict[Any, Any] = HALVES_BY_FLOAT) -> Any:
    """Return an op that takes halves by way of float32, where XLA rounds more than once."""
    kernel = k.through(lambda x: op(x=x), wide)

    def call(x: Any) -> Any:
        return kernel(x)

    return call


# TensorFlow's kernels of float32 are off by up to 4.4 ulp (seen on 2.21).
_BY_DOUBLE = {**HALVES_BY_FLOAT, tf.float32: tf.float64}

acos = _of_kinds(_by_float(raw.Acos, _BY_DOUBLE), _completed(raw.Acos, formulas.acos))
acosh = _of_kinds(_by_float(raw.Acosh), _completed(raw.Acosh, formulas.acosh))
asin = _of_kinds(
    _by_float(raw.Asin, _BY_DOUBLE),
    _eager(raw.Asin, _completed(raw.Asinh, formulas.turned(formulas.asinh))),
)
asinh = _of_kinds(_by_float(raw.Asinh), _eager(raw.Asinh, _completed(raw.Asinh, formulas.asinh)))
atan = _of_kinds(raw.Atan, _eager(raw.Atan, _completed(raw.Atanh, formulas.turned(formulas.atanh))))
atanh = _of_kinds(
    _in_graphs(raw.Atanh, formulas.real_atanh, tf.float64),
    _eager(raw.Atanh, _completed(raw.Atanh, formulas.atanh)),
)
cos = _of_kinds(raw.Cos, _eager(raw.Cos, _by_parts(formulas.cos)))
cosh = _of_kinds(
    _in_graphs(raw.Cosh, lambda xp, base, x: formulas.real_cosh(xp, x)),
    _eager(raw.Cosh, _by_parts(formulas.cosh)),
)
exp = _of_kinds(raw.Exp, _eager(raw.Exp, _by_parts(formulas.exp)))
expm1 = _of_kinds(raw.Expm1, _by_parts(formulas.expm1))
log1p = _of_kinds(_in_graphs(raw.Log1p, formulas.real_log1p, tf.float64), k.complex_log1p)
sin = _of_kinds(raw.Sin, _eager(raw.Sin, _by_parts(formulas.sin)))
sinh = _of_kinds(
    _in_graphs(raw.Sinh, formulas.real_sinh), _eager(raw.Sinh, _by_parts(formulas.sinh))
)
tan = _of_kinds(raw.Tan, _completed(raw.Tanh, formulas.turned(formulas.tanh)))
tanh = _of_kinds(
    _in_graphs(raw.Tanh, formulas.real_tanh, tf.float64), _completed(raw.Tanh, formulas.tanh)
)


def _reciprocal_derivative(ct: Any, x: Any) -> tuple[Any]:
    # XLA's own is not that of complex numbers (seen on 2.21)
    inverse = reciprocal(x)
    return (raw.Neg(x=ct * tf.math.conj(inverse * inverse)),)


_reciprocal = derived(lambda x: raw.Reciprocal(x=x), _reciprocal_derivative)


def reciprocal(x: Any) -> Any:
    return _reciprocal(x)


def float_sign(x: Any) -> Any:
    sign = raw.Sign(x=x)
    if type(x) is EagerTensor:
        return sign
    zero = scalar(0, x.dtype)  # of -0.0 XLA's is -0.0
    return apply("sign", select, raw.Equal(x=x, y=zero), zero, sign)


_sign = _by_parts(formulas.sign)


def complex_sign(x: Any) -> Any:
    """Return x / abs(x); its derivative counts as 0, as JAX's does."""
    return _sign(raw.StopGradient(input=x))


def _parts_of_root(a: Any, b: Any) -> tuple[Any, Any]:
    if type(a._tensor) is EagerTensor:
        return _base(raw.Sqrt)(a, b)
    return formulas.root(REALS, a, b)  # XLA's is a power: of -1 not quite 1j


_complex_root = _by_parts(formulas.sqrt(_parts_of_root))


def _root_derivative(ct: Any, x: Any) -> tuple[Any]:
    # Infinite at 0. TensorFlow's own is 0 there for a cotangent of 0, but not with XLA, where
    # that of complex numbers lacks a conjugate (seen on 2.21).
    return (ct * tf.math.conj(raw.RealDiv(x=scalar(0.5, x.dtype), y=square_root(x))),)


_square_root = derived(_of_kinds(raw.Sqrt, _complex_root), _root_derivative)


def square_root(x: Any) -> Any:
    return _square_root(x)


# Logarithms.


def _by_hand(x: Any) -> Any:
    small = raw.Less(x=raw.Abs(x=x), y=scalar(np.finfo(x.dtype.as_numpy_dtype).tiny, x.dtype))
    return select(small, raw.Mul(x=x, y=scalar(0, x.dtype)), x)


_flushed_in_graphs = derived(_by_hand, lambda ct, x: (ct,))


def _flushed(x: Any) -> Any:
    """Return floats with zeros in place of those below the normal range.

    The kernels make of them 0 in some places and not in others: log(1e-40) is -104, and the angle
    of (1e-40, 1e-40) is that of 0 / 0 (seen on 2.21).
    """
    one = scalar(1, x.dtype)
    if type(x) is EagerTensor:
        return raw.Mul(x=x, y=one)  # all arithmetic flushes; in graphs this is left out
    return _flushed_in_graphs(x)


def _flushing(x: Any) -> Any:
    return x if x.dtype in HALVES else _flushed(x)


def log(x: Any) -> Any:
    return k.complex_log(x) if x.dtype in COMPLEX else raw.Log(x=_flushing(x))


def _to_base(base: float) -> Unary:
    """Return the kernel of the logarithm to a base."""

    def scaled(x: Any) -> Any:
        return raw.Mul(x=x, y=scalar(1 / np.log(np.longdouble(base)), x.dtype))

    def call(x: Any) -> Any:
        if x.dtype not in COMPLEX:
            return scaled(log(x))
        found = k.complex_log(x)
        return _complex(scaled(real(found)), scaled(imag(found)))

    return k.through(call, HALVES_BY_FLOAT)  # type: ignore[no-any-return]


log2, log10 = _to_base(2), _to_base(10)


# Signs, by their bits.

_BITS = {
    tf.float16: tf.int16,
    tf.bfloat16: tf.int16,
    tf.float32: tf.int32,
    tf.float64: tf.int64,
}


def _bits(x: Any) -> Any:
    return raw.Bitcast(input=x, type=_BITS[x.dtype])


def signbit(x: Any) -> Any:
    bits = _bits(x)
    return raw.Less(x=bits, y=scalar(0, bits.dtype))


def _copysign(x: Any, y: Any) -> Any:
    size, sign = _bits(x), _bits(y)
    lowest = scalar(size.dtype.min, size.dtype)  # the sign bit alone
    size = raw.BitwiseAnd(x=size, y=raw.Invert(x=lowest))
    sign = raw.BitwiseAnd(x=sign, y=lowest)
    return raw.Bitcast(input=raw.BitwiseOr(x=size, y=sign), type=x.dtype)


def _copysign_derivative(ct: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Return JAX's: that of abs, which is 1 at 0, with the sign of y; 0 by y."""
    one, two = scalar(1, x.dtype), scalar(2, x.dtype)
    rising = two * cast(raw.GreaterEqual(x=x, y=one - one), x.dtype) - one
    sign = one - two * cast(signbit(y), x.dtype)
    return ct * (rising * sign), raw.ZerosLike(x=ct)


copysign = derived(_copysign, _copysign_derivative)


def nextafter(x: Any, y: Any) -> Any:
    """Return the next number, by counting in bits: the op takes no halves, and +0 for -0."""
    zero = scalar(0, _BITS[x.dtype])
    lowest = scalar(zero.dtype.min, zero.dtype)

    def turned(n: Any) -> Any:
        """Return bits of a sign and a size in the order of the numbers, and back."""
        return select(raw.Less(x=n, y=zero), raw.Sub(x=lowest, y=n), n)

    here, there = turned(_bits(x)), turned(_bits(y))
    up = cast(raw.Less(x=here, y=there), zero.dtype)
    down = cast(raw.Less(x=there, y=here), zero.dtype)
    after = raw.Sub(x=raw.AddV2(x=here, y=up), y=down)
    # the zero that comes after a negative number is -0
    risen = raw.LogicalAnd(x=raw.Equal(x=after, y=zero), y=raw.Less(x=here, y=zero))
    bits = select(risen, lowest, turned(after))
    result = raw.Bitcast(input=bits, type=x.dtype)
    result = select(raw.Equal(x=here, y=there), y, result)
    lost = raw.LogicalOr(x=k.is_nan(x), y=k.is_nan(y))
    return select(lost, scalar(np.nan, x.dtype), result)


# Two operands.


def atan2(y: Any, x: Any) -> Any:
    return raw.Atan2(y=_flushing(y), x=_flushing(x))


def _hypot(x: Any, y: Any) -> Any:
    return complex_abs(_complex(x, y))


def _hypot_derivative(ct: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Return JAX's: a half of each at 0."""
    size = _hypot(x, y)
    zero = raw.Equal(x=size, y=scalar(0, x.dtype))
    half, one = scalar(0.5, x.dtype), scalar(1, x.dtype)
    size = select(zero, one, size)
    parts = (select(zero, half, raw.RealDiv(x=part, y=size)) for part in (x, y))
    across, up = (ct * part for part in parts)
    return across, up


hypot = k.through(derived(_hypot, _hypot_derivative), HALVES_BY_FLOAT)


def _logaddexp(x: Any, y: Any) -> Any:
    larger, apart = raw.Maximum(x=x, y=y), raw.Abs(x=_ahead(x, y))
    return raw.AddV2(x=larger, y=raw.Log1p(x=raw.Exp(x=raw.Neg(x=apart))))


def _ahead(x: Any, y: Any) -> Any:
    """Return x - y, 0 for equal infinities."""
    return select(raw.Equal(x=x, y=y), scalar(0, x.dtype), raw.Sub(x=x, y=y))


def _logaddexp_derivative(ct: Any, x: Any, y: Any) -> tuple[Any, Any]:
    ahead = _ahead(x, y)
    return ct * raw.Sigmoid(x=ahead), ct * raw.Sigmoid(x=raw.Neg(x=ahead))


logaddexp = k.through(derived(_logaddexp, _logaddexp_derivative), HALVES_BY_FLOAT)
