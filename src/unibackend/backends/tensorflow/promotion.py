"""Operands of one dtype, by this library's rule: TensorFlow itself promotes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from ... import _results, dtypes
from ._broadcast import ERRORS, EagerTensor, apply, at_any_rank
from ._gone import refuse_gone
from .array import NUMPY_DTYPES, TF_DTYPES, Array, Weak, tensor_of

_SMALL = 2**31


def type_of(x: Any) -> Any:
    """Return what an operand counts as in promotion: its dtype, or a Python type if weak."""
    if isinstance(x, Weak):
        return dtypes.PYTHON_TYPES[x.dtype.kind]
    if type(x) in dtypes.PYTHON_SCALARS:
        return type(x)
    return NUMPY_DTYPES[tensor_of(x).dtype]


def to_tensor(function: str, x: Any, dtype: np.dtype[Any]) -> Any:
    """Return an operand as a tensor of a dtype; a Python integer is checked, never wrapped."""
    if type(x) in dtypes.PYTHON_SCALARS:
        x = dtypes.fit(x, dtype, function)
        small = type(x) is int and -_SMALL < x < _SMALL and dtype.kind != "b"
        if small or (type(x) is float and x != 0 and dtype.kind == "f"):
            return tf.constant(x, TF_DTYPES[dtype])
        with np.errstate(over="ignore"):
            # TensorFlow's own way gives 0 for -0 if it has made that before, and is wrong in
            # graphs for large unsigned integers
            return tf.constant(np.asarray(x).astype(dtype))
    if isinstance(x, Weak) and x.limits is not None:
        for end in x.limits:
            dtypes.fit(end, dtype, function)
    return cast(tensor_of(x), TF_DTYPES[dtype])


def cast(tensor: Any, dtype: Any) -> Any:
    """Return a tensor in a TensorFlow dtype, itself where it has it."""
    if tensor.dtype is dtype:
        return tensor
    if dtype is tf.bool and tensor.dtype.is_complex:  # the op looks at the real part alone
        return tf.raw_ops.NotEqual(x=tensor, y=tf.zeros((), tensor.dtype))
    if dtype.is_complex and tensor.dtype.is_floating:
        # TensorFlow's gradient of this cast logs a warning for each: it drops imaginary parts
        part = tf.float32 if dtype is tf.complex64 else tf.float64
        return tf.raw_ops.Complex(real=cast(tensor, part), imag=tf.zeros((), part), Tout=dtype)
    if dtype.is_integer and tensor.dtype.is_floating:
        return apply("astype", lambda x: _saturated(x, dtype), tensor)
    return tf.raw_ops.Cast(x=tensor, DstT=dtype)


def _saturated(x: Any, dtype: Any) -> Any:
    """Return floats as integers: the nearest that there is, 0 for NaN, as JAX and XLA do.

    The op does what the processor does with them.
    """
    if x.dtype.size == 2:
        x = tf.raw_ops.Cast(x=x, DstT=tf.float32)  # which holds the ends of every range
    ends = dtype.min, dtype.max
    low, beyond = (tf.constant(end, x.dtype) for end in (float(ends[0]), float(ends[1] + 1)))
    above, below = tf.raw_ops.Greater(x=x, y=low), tf.raw_ops.Less(x=x, y=beyond)
    fits = tf.raw_ops.LogicalAnd(x=above, y=below)
    zero = tf.constant(0, x.dtype)
    result = tf.raw_ops.Cast(x=tf.raw_ops.SelectV2(condition=fits, t=x, e=zero), DstT=dtype)
    for outside, end in zip((x <= low, x >= beyond), ends, strict=True):
        limit = tf.constant(np.asarray(end, dtype.as_numpy_dtype))
        result = tf.raw_ops.SelectV2(condition=outside, t=limit, e=result)
    return result


_FLOATS = frozenset({tf.bfloat16, tf.float16, tf.float32, tf.float64})
_TAKE_INTEGERS = _FLOATS | {tf.int32, tf.int64}


def _with_number(x: Any, number: Any) -> Any:
    """Return a Python number as a tensor of the dtype of an array, None if that is not at once
    clear; `promote` has the whole rule.
    """
    dtype = x._tensor.dtype
    if type(number) is float:
        return tf.constant(number, dtype) if number != 0 and dtype in _FLOATS else None
    if type(number) is int and dtype in _TAKE_INTEGERS and -_SMALL < number < _SMALL:
        return tf.constant(number, dtype)
    return None


def promote(function: str, *operands: Any) -> list[Any]:
    """Return operands as tensors of their common dtype; Python numbers are weak.

    Raises:
        RangeError: a Python integer that the common dtype cannot hold.
    """
    tensors: list[Any] = []
    first = None
    for x in operands:  # arrays of one dtype, as nearly always
        if type(x) is not Array:
            break
        dtype = x._tensor.dtype
        if dtype is not first:
            if first is not None:
                break
            first = dtype
        tensors.append(x._tensor)
    else:
        return tensors
    dtype = dtypes.result_type(*map(type_of, operands))
    return [to_tensor(function, x, dtype) for x in operands]


def comparable(function: str, x1: Any, x2: Any) -> list[Any]:
    """Return two operands to compare: as `promote` does, but a number that does not fit is one.

    It is below or above all that the array can hold, as 0 is to 1.
    """
    dtype = dtypes.result_type(type_of(x1), type_of(x2))
    for number, other in ((x1, x2), (x2, x1)):
        side = _results.beyond(getattr(number, "limits", None) or number, dtype)
        if side and isinstance(type_of(other), np.dtype):
            zeros = tf.raw_ops.ZerosLike(x=cast(tensor_of(other), TF_DTYPES[dtype]))
            ones = tf.raw_ops.OnesLike(x=zeros)
            zero, one = (tf.constant(n, TF_DTYPES[dtype]) for n in (0, 1))
            pair = [zeros, one] if side > 0 else [ones, zero]
            return pair if other is x1 else pair[::-1]
    return promote(function, x1, x2)


def to_array(function: str, x: Any) -> Any:
    """Return one operand as a tensor, a Python number as one of the default dtype."""
    return x._tensor if type(x) is Array else promote(function, x)[0]


def binary(
    name: str,
    kernel: Callable[[Any, Any], Any],
    *,
    select: bool = False,
    prepare: Callable[[str, Any, Any], list[Any]] = promote,
) -> Callable[[Any, Any], Array]:
    """Return the operation of two operands that a kernel on tensors computes.

    Args:
        name: the operation.
        kernel: it takes tensors of one dtype.
        select: whether it, or its gradient, selects, which TensorFlow does for eight axes at
            most even without broadcasting.
        prepare: what brings the operands to one dtype.
    """

    def call(x1: Any, x2: Any, /) -> Array:
        if type(x1) is Array and type(x2) is Array:
            t1, t2 = x1._tensor, x2._tensor
            if t1.dtype is not t2.dtype:
                t1, t2 = prepare(name, x1, x2)
        elif type(x1) is Array and (number := _with_number(x1, x2)) is not None:
            t1, t2 = x1._tensor, number
        else:
            t1, t2 = prepare(name, x1, x2)
        if type(t1) is EagerTensor and type(t2) is EagerTensor and not select:
            try:
                return Array(kernel(t1, t2))
            except ERRORS:
                return Array(at_any_rank(name, kernel, (t1, t2)))
        return Array(apply(name, kernel, t1, t2))

    call.__name__ = call.__qualname__ = name
    return call


def unary(name: str, kernel: Callable[[Any], Any]) -> Callable[[Any], Array]:
    """Return the operation of one operand that a kernel on a tensor computes."""

    def call(x: Any, /) -> Array:
        try:
            return Array(kernel(x._tensor if type(x) is Array else promote(name, x)[0]))
        except TypeError as error:
            refuse_gone(name, error)
            raise

    call.__name__ = call.__qualname__ = name
    return call
