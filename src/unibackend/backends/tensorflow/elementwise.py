"""Functions of each element, most of them one entry in a table: the name and its kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ... import _results, _shapes, dtypes
from . import _elementary as e
from . import _kernels as k
from ._broadcast import apply
from ._derivatives import (
    complex_abs,
    float_abs,
    float_remainder,
    largest,
    plain_power,
    power,
    smallest,
)
from ._kernels import COMPLEX, FLOATS, INTEGERS, SIGNED, UNSIGNED, by_dtype, raw, through
from ._sizes import host_of
from .array import DIRECT, NUMPY_DTYPES, TF_DTYPES, Array, Weak, tensor_of
from .promotion import (
    binary,
    cast,
    comparable,
    promote,
    to_array,
    to_tensor,
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

_BOOL = frozenset({tf.bool})
_REAL = INTEGERS | FLOATS
_NUMERIC = _REAL | COMPLEX
_NUMBERS = "numbers"
_REALS = "real numbers"


def _op1(op: Any) -> k.Unary:
    return lambda x: op(x=x)


def _op2(op: Any) -> k.Binary:
    return lambda x, y: op(x=x, y=y)


# Arithmetic. The kernels of `add`, `subtract` and `multiply` are the op itself: nothing is looked
# up on the way, and bools, which it refuses, come back through `_for_bools`.


def _for_bools(function: str, op: Any, logical: Any) -> k.Binary:
    def call(x: Any, y: Any) -> Any:
        if x.dtype is not tf.bool:
            return op(x=x, y=y)
        if logical is not None:
            return logical(x=x, y=y)
        return _results.takes(function, dtypes.bool_)  # raises

    return call


add = binary("add", _for_bools("add", raw.AddV2, raw.LogicalOr))
subtract = binary("subtract", _for_bools("subtract", k.subtract, None))
multiply = binary("multiply", _for_bools("multiply", raw.Mul, raw.LogicalAnd))


_min = by_dtype(
    "minimum",
    _REALS,
    (FLOATS, smallest),
    (INTEGERS, _op2(raw.Minimum)),
    (_BOOL, _op2(raw.LogicalAnd)),
)
_max = by_dtype(
    "maximum",
    _REALS,
    (FLOATS, largest),
    (INTEGERS, _op2(raw.Maximum)),
    (_BOOL, _op2(raw.LogicalOr)),
)
minimum = binary("minimum", _min, select=True)
maximum = binary("maximum", _max, select=True)

_floor_divide = by_dtype(
    "floor_divide",
    _REALS,
    (INTEGERS, k.integer_floor_divide),
    (FLOATS, through(k.float_floor_divide, k.HALVES_BY_FLOAT)),
)


_remainder = by_dtype(
    "remainder",
    _REALS,
    (INTEGERS, k.integer_remainder),
    (FLOATS, float_remainder),
)
_exact_floor_divide = binary("floor_divide", _floor_divide)
_exact_remainder = binary("remainder", _remainder)
_plain_floor_divide = binary("floor_divide", _op2(raw.FloorDiv))
_plain_remainder = binary("remainder", _op2(raw.FloorMod))


def _divides_integers(x1: Any, x2: Any) -> bool:
    """Tell whether x2 is a Python integer other than 0 and x1 an array of integers."""
    return type(x2) is int and x2 != 0 and type(x1) is Array and x1._tensor.dtype in INTEGERS


def floor_divide(x1: Any, x2: Any, /) -> Array:
    plain = _divides_integers(x1, x2)
    return (_plain_floor_divide if plain else _exact_floor_divide)(x1, x2)


def remainder(x1: Any, x2: Any, /) -> Array:
    return (_plain_remainder if _divides_integers(x1, x2) else _exact_remainder)(x1, x2)


def _powers(of_floats: k.Binary) -> Callable[[Any, Any], Array]:
    kernel = by_dtype(
        "pow",
        _NUMBERS,
        (FLOATS | COMPLEX, of_floats),
        (SIGNED, k.signed_pow),
        (
            frozenset({tf.uint8, tf.uint16, tf.uint32}),
            through(k.signed_pow, dict.fromkeys(UNSIGNED, tf.int64)),
        ),
        (frozenset({tf.uint64}), k.uint64_pow),
    )
    return binary("pow", kernel)


_power = _powers(power)
_power_of_number = _powers(plain_power)  # whose derivative by the base is JAX's


def pow(x1: Any, x2: Any, /) -> Array:
    if type(x2) is int and x2 < 0:
        common = dtypes.result_type(type_of(x1), int)
        if dtypes.kind(common) in "iu":
            raise _shapes.negative_power(x2, common)
    if type(x2) is int and x2 == 0 and isinstance(x1, Array) and not isinstance(x1, Weak):
        x1 = Array(tf.stop_gradient(x1._tensor))  # 0, where 0 * x ** -1 is NaN at 0
    by_number = type(x2) in dtypes.PYTHON_SCALARS
    try:
        return (_power_of_number if by_number else _power)(x1, x2)
    except tf.errors.InvalidArgumentError as error:  # the kernel refuses such arrays too
        if "negative" not in str(error):
            raise
        common = dtypes.result_type(type_of(x1), type_of(x2))
        raise _shapes.negative_power(int(host_of(tensor_of(x2)).min()), common) from None


# Functions whose results are fractions: integers and bools become the default float.


def _floats(name: str, *operands: Any) -> list[Any]:
    tensors = promote(name, *operands)
    wanted = TF_DTYPES[_results.floating(NUMPY_DTYPES[tensors[0].dtype])]
    return [cast(tensor, wanted) for tensor in tensors]


def _fraction(name: str, op: Any) -> Any:
    def call(x: Any, /) -> Array:
        if type(x) is Array and (tensor := x._tensor).dtype in _FRACTIONS:
            return Array(op(x=tensor))
        return Array(op(x=_floats(name, x)[0]))

    call.__name__ = call.__qualname__ = name
    return call


_FRACTIONS = FLOATS | COMPLEX


def _selecting(name: str, kernel: k.Unary) -> Any:
    """Return a kernel that selects, which TensorFlow does for eight axes at most."""
    return lambda x: apply(name, kernel, x)


acos = _fraction("acos", e.acos)
acosh = _fraction("acosh", e.acosh)
asin = _fraction("asin", e.asin)
asinh = _fraction("asinh", e.asinh)
atan = _fraction("atan", e.atan)
atanh = _fraction("atanh", e.atanh)
cos = _fraction("cos", e.cos)
cosh = _fraction("cosh", e.cosh)
exp = _fraction("exp", e.exp)
expm1 = _fraction("expm1", e.expm1)
log = _fraction("log", _selecting("log", e.log))
log10 = _fraction("log10", _selecting("log10", e.log10))
log1p = _fraction("log1p", _selecting("log1p", e.log1p))
log2 = _fraction("log2", _selecting("log2", e.log2))
sin = _fraction("sin", e.sin)
sinh = _fraction("sinh", e.sinh)
sqrt = _fraction("sqrt", e.square_root)
tan = _fraction("tan", e.tan)
tanh = _fraction("tanh", e.tanh)
reciprocal = _fraction("reciprocal", e.reciprocal)

_quotient = binary("divide", _op2(raw.RealDiv))


def divide(x1: Any, x2: Any, /) -> Array:
    if type(x1) is Array and x1._tensor.dtype in _FRACTIONS and type(x2) is Array:
        return _quotient(x1, x2)
    return Array(apply("divide", _op2(raw.RealDiv), *_floats("divide", x1, x2)))


def _fractions(name: str, kernel: Any) -> Any:
    """Return the operation of two real operands whose results are fractions."""
    of_floats = by_dtype(name, _REALS, (FLOATS, kernel))

    def call(x1: Any, x2: Any, /) -> Array:
        return Array(apply(name, of_floats, *_floats(name, x1, x2)))

    call.__name__ = call.__qualname__ = name
    return call


atan2 = _fractions("atan2", e.atan2)
copysign = _fractions("copysign", e.copysign)
hypot = _fractions("hypot", e.hypot)
logaddexp = _fractions("logaddexp", e.logaddexp)
nextafter = _fractions("nextafter", e.nextafter)


# Signs, parts and rounding.


abs = unary(
    "abs",
    by_dtype(
        "abs",
        _NUMBERS,
        (SIGNED, _op1(raw.Abs)),
        (FLOATS, float_abs),
        (UNSIGNED | _BOOL, k.identity),
        (COMPLEX, complex_abs),
    ),
)
negative = unary(
    "negative",
    by_dtype(
        "negative",
        _NUMBERS,
        (SIGNED | FLOATS | COMPLEX, _op1(raw.Neg)),
        (UNSIGNED, k.unsigned_negative),
    ),
)
positive = unary("positive", by_dtype("positive", _NUMBERS, (_NUMERIC, k.identity)))
sign = unary(
    "sign",
    by_dtype(
        "sign",
        _NUMBERS,
        (SIGNED, _op1(raw.Sign)),
        (FLOATS, e.float_sign),
        (COMPLEX, e.complex_sign),
        (UNSIGNED, lambda x: cast(cast(x, tf.bool), x.dtype)),
    ),
)
signbit = unary(
    "signbit",
    by_dtype(
        "signbit",
        _REALS,
        (FLOATS, e.signbit),
        (SIGNED, lambda x: raw.Less(x=x, y=k.scalar(0, x.dtype))),
        (UNSIGNED | _BOOL, lambda x: raw.NotEqual(x=x, y=x)),
    ),
)
square = unary("square", by_dtype("square", _NUMBERS, (_NUMERIC, _op1(raw.Square))))
_COMPLEX_OR_REAL = (_REAL | _BOOL, k.identity)
conj = unary(
    "conj", by_dtype("conj", _NUMBERS, (COMPLEX, lambda x: raw.Conj(input=x)), _COMPLEX_OR_REAL)
)
real = unary("real", by_dtype("real", _NUMBERS, (COMPLEX, k.real), _COMPLEX_OR_REAL))
imag = unary(
    "imag",
    by_dtype("imag", _NUMBERS, (COMPLEX, k.imag), (_REAL | _BOOL, lambda x: raw.ZerosLike(x=x))),
)


def _truncate(x: Any) -> Any:
    def kernel(x: Any) -> Any:
        below = raw.Less(x=x, y=k.scalar(0, x.dtype))
        return k.select(below, raw.Ceil(x=x), raw.Floor(x=x))

    return apply("trunc", kernel, x)


def _rounding(name: str, kernel: k.Unary, *more: Any) -> Any:
    return unary(
        name, by_dtype(name, _REALS, (FLOATS, kernel), (INTEGERS | _BOOL, k.identity), *more)
    )


ceil = _rounding("ceil", _op1(raw.Ceil))
floor = _rounding("floor", _op1(raw.Floor))
round = _rounding("round", _op1(raw.Round), (COMPLEX, k.parts(_op1(raw.Round))))
trunc = _rounding("trunc", _truncate)


# Comparisons.

equal = binary("equal", _op2(raw.Equal), prepare=comparable)
not_equal = binary("not_equal", _op2(raw.NotEqual), prepare=comparable)


def _ordering(name: str, op: Any) -> Any:
    def kernel(x: Any, y: Any) -> Any:
        return op(x=x, y=y)

    of_bools = through(kernel, k.BOOL_BY_BYTE, back=False)
    kernels = by_dtype(name, _REALS, (_REAL, kernel), (_BOOL, of_bools))
    return binary(name, kernels, prepare=comparable)


greater = _ordering("greater", raw.Greater)
greater_equal = _ordering("greater_equal", raw.GreaterEqual)
less = _ordering("less", raw.Less)
less_equal = _ordering("less_equal", raw.LessEqual)


def _test(name: str, op: Any, both: Any, of_integers: Any) -> Any:
    return unary(
        name,
        by_dtype(
            name,
            _NUMBERS,
            (FLOATS, _op1(op)),
            (COMPLEX, lambda x: both(x=op(x=k.real(x)), y=op(x=k.imag(x)))),
            (INTEGERS | _BOOL, lambda x: of_integers(x=x, y=x)),
        ),
    )


isfinite = _test("isfinite", raw.IsFinite, raw.LogicalAnd, raw.Equal)
isinf = _test("isinf", raw.IsInf, raw.LogicalOr, raw.NotEqual)
isnan = _test("isnan", raw.IsNan, raw.LogicalOr, raw.NotEqual)


# Logic and bits.


def _truth(name: str, x: Any) -> Any:
    """Return an operand as bools, each by itself: true is what is not zero."""
    if type(x) in dtypes.PYTHON_SCALARS:
        return tf.constant(x != 0)
    return cast(tensor_of(x), tf.bool)


def _logical(name: str, op: Any) -> Any:
    kernel = _op2(op)

    def call(x1: Any, x2: Any, /) -> Array:
        return Array(apply(name, kernel, _truth(name, x1), _truth(name, x2)))

    call.__name__ = call.__qualname__ = name
    return call


logical_and = _logical("logical_and", raw.LogicalAnd)
logical_or = _logical("logical_or", raw.LogicalOr)
logical_xor = _logical("logical_xor", raw.NotEqual)


def logical_not(x: Any, /) -> Array:
    return Array(raw.LogicalNot(x=_truth("logical_not", x)))


_BITS = "integers and bools"


def _bitwise(name: str, op: Any, logical: Any) -> Any:
    return binary(name, by_dtype(name, _BITS, (INTEGERS, _op2(op)), (_BOOL, _op2(logical))))


bitwise_and = _bitwise("bitwise_and", raw.BitwiseAnd, raw.LogicalAnd)
bitwise_or = _bitwise("bitwise_or", raw.BitwiseOr, raw.LogicalOr)
bitwise_xor = _bitwise("bitwise_xor", raw.BitwiseXor, raw.NotEqual)
bitwise_invert = unary(
    "bitwise_invert",
    by_dtype("bitwise_invert", _BITS, (INTEGERS, _op1(raw.Invert)), (_BOOL, _op1(raw.LogicalNot))),
)
bitwise_left_shift = binary(
    "bitwise_left_shift", by_dtype("bitwise_left_shift", "integers", (INTEGERS, k.left_shift))
)
bitwise_right_shift = binary(
    "bitwise_right_shift", by_dtype("bitwise_right_shift", "integers", (INTEGERS, k.right_shift))
)


def clip(x: Any, /, min: Any = None, max: Any = None) -> Array:
    tensor = to_array("clip", x)
    dtype = NUMPY_DTYPES[tensor.dtype]
    _results.takes("clip", dtype)
    for name, end, kernel in (("min", min, _max), ("max", max, _min)):
        if end is None:
            continue
        _results.kept("clip", dtype, **{name: type_of(end)})
        nearest = _results.nearest(end, dtype, getattr(end, "limits", None))
        tensor = apply("clip", kernel, tensor, to_tensor("clip", nearest, dtype))
    return Array(tensor)


DIRECT.update(
    add=add,
    subtract=subtract,
    multiply=multiply,
    divide=divide,
    equal=equal,
    not_equal=not_equal,
    less=less,
    less_equal=less_equal,
    greater=greater,
    greater_equal=greater_equal,
)


def _where(condition: Any, x: Any, y: Any) -> Array:
    """Return a selection, of which one operand may be a Python number."""
    dtype = (x if isinstance(x, Array) else y)._tensor.dtype
    pair = [one._tensor if isinstance(one, Array) else k.scalar(one, dtype) for one in (x, y)]
    return Array(apply("where", k.select, condition._tensor, *pair))


vars(e.REALS).update(
    {name: globals()[name] for name in e.NAMES},
    where=_where,
    zeros_like=lambda x: Array(raw.ZerosLike(x=x._tensor)),
)
