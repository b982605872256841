"""Kernels with JAX's derivative, where TensorFlow's own is another.

What differs is said with each. While nothing records, which is asked in 0.1 µs, they are the op
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from . import _private
from ._broadcast import EagerTensor, apply
from ._kernels import (
    COMPLEX,
    NAN,
    PARTS,
    cast,
    complex_log,
    imag,
    is_nan,
    keeps_nan,
    raw,
    real,
    scalar,
    select,
)


def derived(kernel: Callable[..., Any], derivative: Callable[..., Sequence[Any]]) -> Any:
    """Return a kernel with JAX's derivative where TensorFlow's own is another.

    Args:
        kernel: it takes tensors that broadcast together.
        derivative: from the cotangent of the result and the operands to the cotangents of the
            operands, those of complex ones being conjugates, as TensorFlow has them. They have
            the shape of the result.
    """

    def with_backward(*tensors: Any) -> tuple[Any, Callable[[Any], list[Any]]]:
        def backward(cotangent: Any) -> list[Any]:
            found = derivative(cotangent, *tensors)
            return [_summed_to(x, one) for x, one in zip(tensors, found, strict=True)]

        return kernel(*tensors), backward

    recorded = tf.custom_gradient(with_backward)

    def call(*tensors: Any) -> Any:
        if unrecorded(*tensors):
            return kernel(*tensors)
        if not tf.executing_eagerly():
            tensors = tuple(tf.identity(x) for x in tensors)  # where a gradient's graph finds them
        return recorded(*tensors)

    return call


def unrecorded(*tensors: Any) -> bool:
    """Tell whether no derivative of what is computed from tensors now can be asked for."""
    return all(type(x) is EagerTensor for x in tensors) and _private.no_tape_records()


def _summed_to(x: Any, cotangent: Any) -> Any:
    """Return a cotangent of what an operand was broadcast to as that of the operand."""
    if x.shape.is_fully_defined() and x.shape == cotangent.shape:
        return cotangent
    shape = raw.Shape(input=x)
    axes = raw.BroadcastGradientArgs(s0=shape, s1=raw.Shape(input=cotangent)).r0
    return raw.Reshape(tensor=raw.Sum(input=cotangent, axis=axes), shape=shape)


def _shared(ct: Any, wins: Any, ties: Any) -> Any:
    """Return the part of a cotangent that goes to an operand: half of it where both are equal."""
    half = scalar(0.5, ct.dtype)
    return ct * half * raw.AddV2(x=cast(wins, ct.dtype), y=cast(ties, ct.dtype))


def _to_larger(ct: Any, x: Any, y: Any) -> tuple[Any, Any]:
    return (
        _shared(ct, raw.Greater(x=x, y=y), raw.GreaterEqual(x=x, y=y)),
        _shared(ct, raw.Less(x=x, y=y), raw.LessEqual(x=x, y=y)),
    )


smallest = derived(
    keeps_nan(lambda x, y: raw.Minimum(x=x, y=y)), lambda ct, x, y: _to_larger(ct, x, y)[::-1]
)
largest = derived(keeps_nan(lambda x, y: raw.Maximum(x=x, y=y)), _to_larger)


def _remainder_derivative(ct: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Return JAX's: by y it is minus the quotient, cut off, and one less for unlike signs."""
    quotient, zero = raw.RealDiv(x=x, y=y), scalar(0, y.dtype)
    cut = raw.Mul(x=raw.Sign(x=quotient), y=raw.Floor(x=raw.Abs(x=quotient)))
    unlike = raw.NotEqual(x=raw.Less(x=x, y=zero), y=raw.Less(x=y, y=zero))
    less = raw.LogicalAnd(x=unlike, y=raw.NotEqual(x=raw.FloorMod(x=x, y=y), y=zero))
    return ct, apply("remainder", select, less, ct, zero) - ct * cut


def _remainder(x: Any, y: Any) -> Any:
    """Return the remainder with the divisor's sign, that of 0 included."""
    return raw.Mul(x=raw.Abs(x=raw.FloorMod(x=x, y=y)), y=raw.Sign(x=y))


float_remainder = derived(_remainder, _remainder_derivative)


def plain_power(x: Any, y: Any) -> Any:
    if x.dtype not in COMPLEX:
        return raw.Pow(x=x, y=y)
    up = imag(x)
    # on the lower side of the branch cut, by the upper one, which the op takes for both
    zero = raw.Equal(x=up, y=scalar(0, up.dtype))
    below = raw.LogicalAnd(x=zero, y=raw.Less(x=raw.Reciprocal(x=up), y=scalar(0, up.dtype)))
    below = raw.LogicalAnd(x=below, y=raw.Less(x=real(x), y=scalar(0, up.dtype)))
    conjugate = raw.Conj(input=y)
    base = apply("pow", select, below, raw.Conj(input=x), x)
    result = raw.Pow(x=base, y=apply("pow", select, below, conjugate, y))
    result = apply("pow", select, below, raw.Conj(input=result), result)
    one = scalar(1, x.dtype)  # TensorFlow's 0 ** 0 is NaN (seen on 2.21)
    return apply("pow", select, raw.Equal(x=y, y=scalar(0, y.dtype)), one, result)


def _power_derivative(ct: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Return JAX's: by the exponent it is NaN for a base below 0, and 0 for a base of 0."""
    one = scalar(1, x.dtype)
    base = apply("pow", select, raw.Equal(x=x, y=scalar(0, x.dtype)), one, x)
    logarithm = complex_log(base) if x.dtype in COMPLEX else raw.Log(x=base)
    by_base = raw.Mul(x=y, y=power(x, raw.Sub(x=y, y=one)))
    by_exponent = raw.Mul(x=logarithm, y=power(x, y))
    return ct * tf.math.conj(by_base), ct * tf.math.conj(by_exponent)


power = derived(plain_power, _power_derivative)


def _abs_derivative(ct: Any, x: Any) -> tuple[Any]:
    """Return JAX's: 1 at 0, on both sides of it."""
    at_least_0 = cast(raw.GreaterEqual(x=x, y=scalar(0, x.dtype)), x.dtype)
    return (ct * (2 * at_least_0 - 1),)  # a selection would stop at eight axes


float_abs = derived(lambda x: raw.Abs(x=x), _abs_derivative)


def _complex_abs_derivative(ct: Any, x: Any) -> tuple[Any]:
    # 0 at 0, which an infinite cotangent makes NaN; TensorFlow's own stays 0
    size = complex_abs(x)
    size = raw.AddV2(x=size, y=cast(raw.Equal(x=size, y=scalar(0, size.dtype)), size.dtype))
    parts = ct * raw.RealDiv(x=real(x), y=size), ct * raw.RealDiv(x=imag(x), y=size)
    return (raw.Complex(real=parts[0], imag=parts[1], Tout=x.dtype),)


def _complex_abs(x: Any) -> Any:
    size = raw.ComplexAbs(x=x, Tout=PARTS[x.dtype])
    if type(x) is EagerTensor:
        return size
    # XLA's is NaN or a number where one part is NaN, whatever the other (seen on 2.21)
    across, up = real(x), imag(x)
    lost = raw.LogicalOr(x=is_nan(across), y=is_nan(up))
    infinite = raw.LogicalOr(x=raw.IsInf(x=across), y=raw.IsInf(x=up))
    size = apply("abs", select, lost, scalar(NAN, size.dtype), size)
    return apply("abs", select, infinite, scalar(float("inf"), size.dtype), size)


complex_abs = derived(_complex_abs, _complex_abs_derivative)
