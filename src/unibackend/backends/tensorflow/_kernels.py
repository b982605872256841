"""Kernels on tensors of one dtype, completed where TensorFlow lacks a dtype or a rule.

Each takes and returns tensors. In a graph they may be compiled with XLA, whose `Maximum` and `Max`
drop NaN on the CPU (seen on 2.21), so that there NaN is looked for; TensorFlow's own keep it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import tensorflow as tf

from ... import _results
from ...errors import DtypeError
from ._broadcast import EagerTensor as EagerTensor
from .array import NUMPY_DTYPES
from .promotion import cast as cast


class _Raw:
    """TensorFlow's generated ops without their wrapper, which refuses arguments by position.

    It is a tenth of the time of a small op.
    """

    def __getattr__(self, name: str) -> Any:
        op = inspect.unwrap(getattr(tf.raw_ops, name))
        setattr(self, name, op)  # found without this function from now on
        return op


raw: Any = _Raw()

HALVES = frozenset({tf.float16, tf.bfloat16})
FLOATS = frozenset({*HALVES, tf.float32, tf.float64})
COMPLEX = frozenset({tf.complex64, tf.complex128})
SIGNED = frozenset({tf.int8, tf.int16, tf.int32, tf.int64})
UNSIGNED = frozenset({tf.uint8, tf.uint16, tf.uint32, tf.uint64})
INTEGERS = SIGNED | UNSIGNED

HALVES_BY_FLOAT = dict.fromkeys(HALVES, tf.float32)
BOOL_BY_BYTE = {tf.bool: tf.uint8}
PARTS = {tf.complex64: tf.float32, tf.complex128: tf.float64}

Unary = Callable[[Any], Any]
Binary = Callable[[Any, Any], Any]


def scalar(value: Any, dtype: Any) -> Any:
    """Return a constant without axes; executing eagerly it is made once."""
    make = _eager_scalar if tf.executing_eagerly() else _scalar
    return make(value, dtype)


def _scalar(value: Any, dtype: Any) -> Any:
    return tf.constant(np.asarray(value, dtype.as_numpy_dtype))


_eager_scalar = lru_cache(maxsize=512)(_scalar)
NAN = float("nan")


def through(kernel: Callable[..., Any], wide: dict[Any, Any], *, back: bool = True) -> Any:
    """Return a kernel that computes some dtypes in wider ones, which hold them exactly.

    Args:
        kernel: a kernel.
        wide: the dtypes it lacks, and those it takes in their place.
        back: whether the result is brought back to the dtype of the operands.
    """

    def call(*tensors: Any) -> Any:
        dtype = tensors[0].dtype
        target = wide.get(dtype)
        if target is None:
            return kernel(*tensors)
        result = kernel(*(cast(tensor, target) for tensor in tensors))
        return cast(result, dtype) if back else result

    return call


def by_dtype(function: str, rule: str, *cases: tuple[frozenset[Any], Any]) -> Any:
    """Return a kernel that is another for each group of dtypes.

    Args:
        function: the function named in the error.
        rule: what it takes, for the error about other dtypes.
        cases: groups of dtypes and the kernel of each.
    """
    table = {dtype: kernel for group, kernel in cases for dtype in group}

    def call(*tensors: Any) -> Any:
        kernel = table.get(tensors[0].dtype)
        if kernel is None:
            _results.takes(function, NUMPY_DTYPES[tensors[0].dtype])  # raises the shared error
            raise DtypeError(
                f"{function}: the dtype {tensors[0].dtype.name} is not allowed here; it takes "
                f"{rule}. Convert with ub.astype"
            )
        return kernel(*tensors)

    return call


def parts(kernel: Unary) -> Unary:
    """Return a kernel for complex tensors that computes each part by itself."""

    def call(x: Any) -> Any:
        return raw.Complex(real=kernel(real(x)), imag=kernel(imag(x)), Tout=x.dtype)

    return call


def real(x: Any) -> Any:
    return raw.Real(input=x, Tout=PARTS[x.dtype])


def imag(x: Any) -> Any:
    return raw.Imag(input=x, Tout=PARTS[x.dtype])


def identity(x: Any) -> Any:
    return x


def is_nan(x: Any) -> Any:
    return raw.NotEqual(x=x, y=x)


def keeps_nan(kernel: Binary) -> Binary:
    """Return `Maximum` or `Minimum` with NaN where either operand is NaN, under XLA too."""

    def call(x: Any, y: Any) -> Any:
        result = kernel(x, y)
        if type(result) is EagerTensor:
            return result
        result = raw.SelectV2(condition=raw.Equal(x=y, y=y), t=result, e=y)
        return raw.SelectV2(condition=raw.Equal(x=x, y=x), t=result, e=x)

    return call


select: Callable[[Any, Any, Any], Any] = raw.SelectV2


def complex_log(x: Any) -> Any:
    """Return the logarithm; TensorFlow's own squares the parts, which overflows (seen on 2.21)."""
    angle, size = _polar_log(real(x), imag(x))
    return raw.Complex(real=size, imag=angle, Tout=x.dtype)


def complex_log1p(x: Any) -> Any:
    """Return log(1 + x), accurate for small x too."""
    across, up = real(x), imag(x)
    half, zero = scalar(0.5, across.dtype), scalar(0, across.dtype)
    angle, size = _polar_log(raw.AddV2(x=across, y=scalar(1, across.dtype)), up)
    near = raw.LogicalAnd(
        x=raw.Less(x=raw.Abs(x=across), y=half), y=raw.Less(x=raw.Abs(x=up), y=half)
    )
    a, b = select(near, across, zero), select(near, up, zero)  # or its gradient may be NaN
    square = raw.AddV2(x=a * (a + scalar(2, a.dtype)), y=raw.Square(x=b))  # |1 + x|**2 - 1
    size = select(near, half * raw.Log1p(x=square), size)
    return raw.Complex(real=size, imag=angle, Tout=x.dtype)


def _polar_log(across: Any, up: Any) -> tuple[Any, Any]:
    """Return the angle of complex numbers, and the logarithm of their size.

    Both are divided by the larger part, so that squares neither overflow nor vanish.
    """
    one, infinity = scalar(1, up.dtype), scalar(np.inf, up.dtype)
    larger = raw.Maximum(x=raw.Abs(x=across), y=raw.Abs(x=up))
    usable = raw.LogicalAnd(x=raw.IsFinite(x=larger), y=raw.Greater(x=larger, y=one - one))
    unit = raw.StopGradient(input=select(usable, larger, one))  # any constant would do
    a, b = raw.RealDiv(x=across, y=unit), raw.RealDiv(x=up, y=unit)
    a2, b2 = raw.Square(x=a), raw.Square(x=b)
    # a2 + b2 - 1 without rounding, for one of them is 1
    rest = raw.Sub(x=raw.Mul(x=a2, y=b2), y=raw.Mul(x=one - a2, y=one - b2))
    size = raw.AddV2(x=scalar(0.5, up.dtype) * raw.Log1p(x=rest), y=raw.Log(x=unit))
    infinite = raw.LogicalOr(x=raw.IsInf(x=across), y=raw.IsInf(x=up))
    return raw.Atan2(y=b, x=a), select(infinite, infinity, size)


def unsigned_negative(x: Any) -> Any:
    return raw.AddV2(x=raw.Invert(x=x), y=scalar(1, x.dtype))


def subtract(x: Any, y: Any) -> Any:
    """Return x - y. In graphs TensorFlow rewrites 0 - y to `Neg`, which has no unsigned kernel."""
    if type(x) is EagerTensor or x.dtype not in UNSIGNED:
        return raw.Sub(x=x, y=y)
    return raw.AddV2(x=x, y=unsigned_negative(y))


def integer_floor_divide(x: Any, y: Any) -> Any:
    """Return x // y, 0 where y is: TensorFlow raises then, and only on the CPU."""
    zero = scalar(0, y.dtype)
    by_zero = raw.Equal(x=y, y=zero)
    quotient = raw.FloorDiv(x=x, y=select(by_zero, scalar(1, y.dtype), y))
    return select(by_zero, zero, quotient)


def integer_remainder(x: Any, y: Any) -> Any:
    """Return x % y with the sign of y, 0 where y is."""
    zero = scalar(0, y.dtype)
    by_zero = raw.Equal(x=y, y=zero)
    rest = raw.FloorMod(x=x, y=select(by_zero, scalar(1, y.dtype), y))
    return select(by_zero, zero, rest)


def float_floor_divide(x: Any, y: Any) -> Any:
    """Return x // y by way of the remainder, as Python and NumPy do: 1 // 0.1 is 9.

    `FloorDiv` rounds the quotient, which gives 10. Of infinities it is the standard's floor(x / y).
    """
    zero, one = scalar(0, x.dtype), scalar(1, x.dtype)
    rest = raw.TruncateMod(x=x, y=y)
    exact = raw.RealDiv(x=raw.Sub(x=x, y=rest), y=y)
    signs = raw.NotEqual(x=raw.Less(x=rest, y=zero), y=raw.Less(x=y, y=zero))
    lower = raw.LogicalAnd(x=raw.NotEqual(x=rest, y=zero), y=signs)
    exact = select(lower, raw.Sub(x=exact, y=one), exact)
    floor = raw.Floor(x=exact)
    up = raw.Greater(x=raw.Sub(x=exact, y=floor), y=scalar(0.5, x.dtype))
    floor = select(up, raw.AddV2(x=floor, y=one), floor)
    ratio = raw.RealDiv(x=x, y=y)
    floor = select(raw.Equal(x=floor, y=zero), raw.Mul(x=ratio, y=zero), floor)
    by_ratio = raw.LogicalOr(x=raw.IsInf(x=x), y=raw.IsInf(x=y))
    by_ratio = raw.LogicalOr(x=by_ratio, y=raw.Equal(x=y, y=zero))
    # a step function: its derivative is 0 wherever it has one
    return raw.StopGradient(input=select(by_ratio, ratio, floor))


def _in_width(x: Any, places: Any) -> Any:
    bits = scalar(x.dtype.size * 8, x.dtype)
    at_least_0 = raw.GreaterEqual(x=places, y=scalar(0, x.dtype))
    return raw.LogicalAnd(x=at_least_0, y=raw.Less(x=places, y=bits))


def left_shift(x: Any, places: Any) -> Any:
    """Return x << places, 0 for the width and more, where TensorFlow shifts by less."""
    shifted = raw.LeftShift(x=x, y=places)
    return select(_in_width(x, places), shifted, scalar(0, x.dtype))


def right_shift(x: Any, places: Any) -> Any:
    """Return x >> places, nothing but the sign for the width and more."""
    zero = scalar(0, x.dtype)
    beyond = zero
    if x.dtype in SIGNED:
        beyond = select(raw.Less(x=x, y=zero), scalar(-1, x.dtype), zero)
    return select(_in_width(x, places), raw.RightShift(x=x, y=places), beyond)


def signed_pow(x: Any, y: Any) -> Any:
    """Return x ** y of int32 or int64, or of narrower ones; the result wraps around.

    XLA looks at six bits of the exponent, so that in graphs it is taken in parts of six.
    """
    known = tf.get_static_value(y)
    if type(x) is EagerTensor or (known is not None and np.all(known < 64)):
        return raw.Pow(x=x, y=y)
    low, six, half = scalar(63, y.dtype), scalar(6, y.dtype), scalar(32, y.dtype)
    result = raw.Pow(x=x, y=raw.BitwiseAnd(x=y, y=low))
    for _ in range(6, y.dtype.size * 8, 6):
        x = raw.Square(x=raw.Pow(x=x, y=half))
        y = raw.RightShift(x=y, y=six)
        result = raw.Mul(x=result, y=raw.Pow(x=x, y=raw.BitwiseAnd(x=y, y=low)))
    return result


def uint64_pow(x: Any, y: Any) -> Any:
    """Return x ** y modulo 2**64 by the kernel of int64.

    Exponents of 2**62 and more are brought below 2**63: odd numbers to the power of 2**62 are 1,
    and even ones have become 0 long before.
    """
    top, rest = scalar(2**62, tf.uint64), scalar(2**62 - 1, tf.uint64)
    small = raw.BitwiseAnd(x=y, y=rest)
    exponent = select(raw.Less(x=y, y=top), small, raw.BitwiseOr(x=small, y=top))
    return cast(signed_pow(cast(x, tf.int64), cast(exponent, tf.int64)), tf.uint64)
