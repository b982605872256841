"""Functions of each element on NumPy: its ufuncs, on operands of our common dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _elementary, _results, _shapes, dtypes
from .promotion import NumpyArray, binary, comparable, promote, type_of, unary

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


def _by_parts(
    kernel: Callable[..., Any], formula: _elementary.Formula
) -> Callable[[NumpyArray], NumpyArray]:
    """Return a ufunc with a formula for complex numbers, of which it gets some wrong."""

    def call(x: NumpyArray) -> Any:
        return _joined(*formula(np, x.real, x.imag)) if x.dtype.kind == "c" else kernel(x)

    return call


def _joined(real: NumpyArray, imag: NumpyArray) -> NumpyArray:
    real, imag = np.broadcast_arrays(real, imag)
    result = np.empty(real.shape, np.result_type(real, np.complex64))
    result.real, result.imag = real, imag
    return result


def _base(kernel: Callable[..., Any]) -> _elementary.Base:
    """Return a ufunc as a function of the parts of a complex number."""

    def call(a: NumpyArray, b: NumpyArray) -> tuple[NumpyArray, NumpyArray]:
        result = kernel(_joined(a, b))
        return result.real, result.imag

    return call


_log1p = _elementary.log1p(_base(np.log))
_tan = _elementary.turned(_elementary.tanh)(_base(np.tanh))
_tanh = _elementary.tanh(_base(np.tanh))


def _sign(x: NumpyArray) -> Any:
    # ml_dtypes gives -0 for -0 (seen on 0.6)
    return np.sign(x) + np.zeros((), x.dtype) if x.dtype.name == "bfloat16" else np.sign(x)


def _floor_divide(a: NumpyArray, b: NumpyArray) -> Any:
    found = np.floor_divide(a, b)
    if dtypes.kind(a.dtype) != "f":
        return found
    completed: NumpyArray = _elementary.floor_divide(np, found, a, b)
    return completed.astype(a.dtype, copy=False)  # bfloat16 times a Python number is float32


abs = unary("abs", np.abs)
acos = unary("acos", np.arccos, fractions=True)
acosh = unary("acosh", np.arccosh, fractions=True)
add = binary("add", np.add)
asin = unary("asin", np.arcsin, fractions=True)
asinh = unary("asinh", np.arcsinh, fractions=True)
atan = unary("atan", np.arctan, fractions=True)
atan2 = binary("atan2", np.arctan2, fractions=True)
atanh = unary("atanh", np.arctanh, fractions=True)
bitwise_and = binary("bitwise_and", np.bitwise_and)
bitwise_invert = unary("bitwise_invert", np.bitwise_not)
bitwise_left_shift = binary("bitwise_left_shift", np.left_shift)
bitwise_or = binary("bitwise_or", np.bitwise_or)
bitwise_right_shift = binary("bitwise_right_shift", np.right_shift)
bitwise_xor = binary("bitwise_xor", np.bitwise_xor)
ceil = unary("ceil", np.ceil)
copysign = binary("copysign", np.copysign, fractions=True)
cos = unary("cos", np.cos, fractions=True)
cosh = unary("cosh", np.cosh, fractions=True)
divide = binary("divide", np.divide, fractions=True)
equal = binary("equal", np.equal, prepare=comparable)
exp = unary("exp", np.exp, fractions=True)
expm1 = unary("expm1", _by_parts(np.expm1, _elementary.expm1), fractions=True)
floor = unary("floor", np.floor)
floor_divide = binary("floor_divide", _floor_divide)
greater = binary("greater", np.greater, prepare=comparable)
greater_equal = binary("greater_equal", np.greater_equal, prepare=comparable)
hypot = binary("hypot", np.hypot, fractions=True)
isfinite = unary("isfinite", np.isfinite)
isinf = unary("isinf", np.isinf)
isnan = unary("isnan", np.isnan)
less = binary("less", np.less, prepare=comparable)
less_equal = binary("less_equal", np.less_equal, prepare=comparable)
log = unary("log", np.log, fractions=True)
log10 = unary("log10", np.log10, fractions=True)
log1p = unary("log1p", _by_parts(np.log1p, _log1p), fractions=True)
log2 = unary("log2", np.log2, fractions=True)
logaddexp = binary("logaddexp", np.logaddexp, fractions=True)
logical_and = binary("logical_and", np.logical_and)
logical_not = unary("logical_not", np.logical_not)
logical_or = binary("logical_or", np.logical_or)
logical_xor = binary("logical_xor", np.logical_xor)
maximum = binary("maximum", np.maximum)
minimum = binary("minimum", np.minimum)
multiply = binary("multiply", np.multiply)
negative = unary("negative", np.negative)
nextafter = binary("nextafter", np.nextafter, fractions=True)
not_equal = binary("not_equal", np.not_equal, prepare=comparable)
positive = unary("positive", np.positive)
reciprocal = unary("reciprocal", np.reciprocal, fractions=True)
remainder = binary("remainder", np.remainder)
sign = unary("sign", _by_parts(_sign, _elementary.sign))
signbit = unary("signbit", lambda x: np.signbit(x) if dtypes.kind(x.dtype) == "f" else x < 0)
sin = unary("sin", np.sin, fractions=True)
sinh = unary("sinh", np.sinh, fractions=True)
sqrt = unary("sqrt", np.sqrt, fractions=True)
square = unary("square", np.square)
subtract = binary("subtract", np.subtract)
tan = unary("tan", _by_parts(np.tan, _tan), fractions=True)
tanh = unary("tanh", _by_parts(np.tanh, _tanh), fractions=True)
trunc = unary("trunc", np.trunc)


def clip(x: Any, /, min: Any = None, max: Any = None) -> NumpyArray:
    array = np.asarray(x)
    _results.takes("clip", array.dtype)
    for name, end, kernel in (("min", min, np.maximum), ("max", max, np.minimum)):
        if end is None:
            continue
        number = type(end) in dtypes.PYTHON_SCALARS
        _results.kept("clip", array.dtype, **{name: type(end) if number else end.dtype})
        a, b = promote("clip", array, _results.nearest(end, array.dtype))
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
        raise _shapes.negative_power(int(least), dtype)
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
