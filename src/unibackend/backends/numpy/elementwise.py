"""Functions of each element on NumPy: its ufuncs, on operands of our common dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes
from .promotion import NumpyArray, binary, promote, type_of, unary

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

abs = unary("abs", np.abs)
add = binary("add", np.add)
atan2 = binary("atan2", np.arctan2, fractions=True)
bitwise_and = binary("bitwise_and", np.bitwise_and)
bitwise_invert = unary("bitwise_invert", np.bitwise_not)
bitwise_left_shift = binary("bitwise_left_shift", np.left_shift)
bitwise_or = binary("bitwise_or", np.bitwise_or)
bitwise_right_shift = binary("bitwise_right_shift", np.right_shift)
bitwise_xor = binary("bitwise_xor", np.bitwise_xor)
ceil = unary("ceil", np.ceil)
cos = unary("cos", np.cos, fractions=True)
divide = binary("divide", np.divide, fractions=True)
equal = binary("equal", np.equal)
exp = unary("exp", np.exp, fractions=True)
expm1 = unary("expm1", np.expm1, fractions=True)
floor = unary("floor", np.floor)
floor_divide = binary("floor_divide", np.floor_divide)
greater = binary("greater", np.greater)
greater_equal = binary("greater_equal", np.greater_equal)
isfinite = unary("isfinite", np.isfinite)
isinf = unary("isinf", np.isinf)
isnan = unary("isnan", np.isnan)
less = binary("less", np.less)
less_equal = binary("less_equal", np.less_equal)
log = unary("log", np.log, fractions=True)
log1p = unary("log1p", np.log1p, fractions=True)
logical_and = binary("logical_and", np.logical_and)
logical_not = unary("logical_not", np.logical_not)
logical_or = binary("logical_or", np.logical_or)
logical_xor = binary("logical_xor", np.logical_xor)
maximum = binary("maximum", np.maximum)
minimum = binary("minimum", np.minimum)
multiply = binary("multiply", np.multiply)
negative = unary("negative", np.negative)
not_equal = binary("not_equal", np.not_equal)
positive = unary("positive", np.positive)
remainder = binary("remainder", np.remainder)
sign = unary("sign", np.sign)
sin = unary("sin", np.sin, fractions=True)
sqrt = unary("sqrt", np.sqrt, fractions=True)
square = unary("square", np.square)
subtract = binary("subtract", np.subtract)
tan = unary("tan", np.tan, fractions=True)
tanh = unary("tanh", np.tanh, fractions=True)
trunc = unary("trunc", np.trunc)


def clip(x: Any, /, min: Any = None, max: Any = None) -> NumpyArray:
    array = np.asarray(x)
    _results.takes("clip", array.dtype)
    for name, end, kernel in (("min", min, np.maximum), ("max", max, np.minimum)):
        if end is None:
            continue
        number = type(end) in dtypes.PYTHON_SCALARS
        _results.kept("clip", array.dtype, **{name: type(end) if number else end.dtype})
        a, b = promote("clip", array, end)
        _shapes.broadcast("clip", a.shape, b.shape)
        array = kernel(a, b)
    return array.copy() if min is None and max is None else array


def conj(x: Any, /) -> NumpyArray:
    array = np.asarray(x)
    return np.conj(array) if array.dtype.kind == "c" else array  # ml_dtypes has no loop for it


def imag(x: Any, /) -> NumpyArray:
    array = np.asarray(x)
    return np.imag(array) if array.dtype.kind == "c" else np.zeros_like(array)


def pow(x1: Any, x2: Any, /) -> NumpyArray:
    dtype = dtypes.result_type(type_of(x1), type_of(x2))
    _results.takes("pow", dtype)
    if dtypes.kind(dtype) in "iu" and (least := np.min(np.asarray(x2), initial=0)) < 0:
        raise ValueError(_shapes.negative_power(int(least), dtype))
    base, exponent = promote("pow", x1, x2)
    try:
        return np.power(base, exponent)
    except ValueError:
        _shapes.broadcast("pow", base.shape, exponent.shape)
        raise


def real(x: Any, /) -> NumpyArray:
    array = np.asarray(x)
    return np.real(array) if array.dtype.kind == "c" else array


def round(x: Any, /) -> NumpyArray:
    array = np.asarray(x)
    # np.round goes by way of multiplication for bfloat16; np.rint makes floats of integers
    return np.rint(array) if dtypes.kind(array.dtype) in "fc" else array
