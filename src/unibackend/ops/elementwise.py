"""Functions of each element: arithmetic, comparisons, logic, bits, elementary functions.

Two operands are broadcast together and brought to one dtype by `unibackend.dtypes.result_type`;
a Python number takes the dtype of the array that it meets. Functions whose results are fractions
(`divide`, `exp`, `sin`, ...) give the default float for integers and bools.
"""

from __future__ import annotations

from .._dispatch import operation
from ..typing import Array, ArrayLike

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


@operation
def abs(x: ArrayLike, /) -> Array:
    """Return the absolute value of each element.

    Args:
        x: numbers, for complex ones the magnitude, as real numbers.

    Returns:
        An array of the dtype of x, of its parts' for complex numbers. The most negative
        integer stays as it is.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.abs([-1.5, 2.0])
        array([1.5, 2. ], dtype=float32)
    """
    ...


@operation
def acos(x: ArrayLike, /) -> Array:
    """Return the angle whose cosine is each element, in radians from 0 to pi.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. NaN for
        real numbers outside of -1 to 1. Complex: branch cuts on the real axis outside of it,
        where the sign of a zero imaginary part chooses the side.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.acos([1.0, -1.0])
        array([0.       , 3.1415927], dtype=float32)
    """
    ...


@operation
def acosh(x: ArrayLike, /) -> Array:
    """Return the number that is not negative whose hyperbolic cosine is each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. NaN for
        real numbers below 1. Complex: a branch cut on the real axis below 1, where the sign
        of a zero imaginary part chooses the side.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.acosh([1.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def add(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the sums of the elements of two arrays.

    Args:
        x1: numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. Integers wrap around.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.add([1, 2], 10)
        array([11, 12], dtype=int32)
    """
    ...


@operation
def asin(x: ArrayLike, /) -> Array:
    """Return the angle whose sine is each element, in radians from -pi/2 to pi/2.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. NaN for
        real numbers outside of -1 to 1. Complex: branch cuts on the real axis outside of it,
        where the sign of a zero imaginary part chooses the side.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.asin([0.0, 1.0])
        array([0.       , 1.5707964], dtype=float32)
    """
    ...


@operation
def asinh(x: ArrayLike, /) -> Array:
    """Return the number whose hyperbolic sine is each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. Complex:
        branch cuts on the imaginary axis beyond -1j and 1j, where the sign of a zero real
        part chooses the side.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.asinh([0.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def atan(x: ArrayLike, /) -> Array:
    """Return the angle whose tangent is each element, in radians from -pi/2 to pi/2.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. Complex:
        branch cuts on the imaginary axis beyond -1j and 1j, where the sign of a zero real
        part chooses the side.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.atan([0.0, ub.inf])
        array([0.       , 1.5707964], dtype=float32)
    """
    ...


@operation
def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the angles of the points (x2, x1), in radians from -pi to pi.

    Args:
        x1: numbers; integers become the default float.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype, or of the default float for integers.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.atan2([0.0, 1.0], [1.0, 0.0])
        array([0.       , 1.5707964], dtype=float32)
    """
    ...


@operation
def atanh(x: ArrayLike, /) -> Array:
    """Return the number whose hyperbolic tangent is each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. Infinite
        at -1 and 1, NaN for real numbers outside of them. Complex: branch cuts there, where
        the sign of a zero imaginary part chooses the side.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.atanh([0.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def bitwise_and(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the bits that are set in both elements; for bools, whether both hold.

    Args:
        x1: integers or bools.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: floats or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.bitwise_and([6, 3], 5)
        array([4, 1], dtype=int32)
    """
    ...


@operation
def bitwise_invert(x: ArrayLike, /) -> Array:
    """Return each element with its bits flipped; for bools the negation.

    Args:
        x: integers or bools.

    Returns:
        An array of the dtype of x.

    Raises:
        DtypeError: floats or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.bitwise_invert([0, 5])
        array([-1, -6], dtype=int32)
    """
    ...


@operation
def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 with its bits moved left by x2 places.

    Args:
        x1: integers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. Zero where x2 is the number of bits or
        more.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: bools, floats or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.bitwise_left_shift([1, 3], 2)
        array([ 4, 12], dtype=int32)
    """
    ...


@operation
def bitwise_or(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the bits that are set in one or both elements; for bools, whether any holds.

    Args:
        x1: integers or bools.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: floats or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.bitwise_or([6, 3], 1)
        array([7, 3], dtype=int32)
    """
    ...


@operation
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 with its bits moved right by x2 places, the sign kept.

    Args:
        x1: integers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. 0, or -1 for negative numbers, where x2
        is the number of bits or more.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: bools, floats or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.bitwise_right_shift([8, -8], 2)
        array([ 2, -2], dtype=int32)
    """
    ...


@operation
def bitwise_xor(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the bits that are set in one element only; for bools, whether they differ.

    Args:
        x1: integers or bools.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: floats or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.bitwise_xor([6, 3], 5)
        array([3, 6], dtype=int32)
    """
    ...


@operation
def ceil(x: ArrayLike, /) -> Array:
    """Return each element rounded to the nearest integer that is not less.

    Args:
        x: real numbers.

    Returns:
        An array of the dtype of x.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.ceil([1.2, -1.2])
        array([ 2., -1.], dtype=float32)
    """
    ...


@operation(arrays=("x", "min", "max"))
def clip(x: ArrayLike, /, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
    """Return each element brought into a range: the nearer end where it is outside.

    Args:
        x: real numbers.
        min: the lower ends, which must broadcast with x; None for no limit. A Python integer
            that the dtype of x cannot hold counts as the nearest one that it can.
        max: the upper ends; where they are below `min`, they win.

    Returns:
        An array of the dtype of x. NaN where x or an end is NaN.

    Raises:
        DtypeError: complex numbers, or an end whose dtype would change that of x; bring it to
            x's with `astype`.
        ShapeError: shapes that do not broadcast.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.clip([-5, 2, 9], 0, 3)
        array([0, 2, 3], dtype=int32)
    """
    ...


@operation
def conj(x: ArrayLike, /) -> Array:
    """Return the complex conjugate of each element.

    Args:
        x: numbers.

    Returns:
        An array of the dtype of x.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.conj([1 + 2j])
        array([1.-2.j], dtype=complex64)
    """
    ...


@operation
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the sizes of x1 with the signs of x2, those of zeros and NaN included.

    Args:
        x1: real numbers; integers become the default float.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype, or of the default float for integers.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.copysign([1.0, -2.0], -0.0)
        array([-1., -2.], dtype=float32)
    """
    ...


@operation
def cos(x: ArrayLike, /) -> Array:
    """Return the cosine of each element, in radians.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.cos([0.0])
        array([1.], dtype=float32)
    """
    ...


@operation
def cosh(x: ArrayLike, /) -> Array:
    """Return the hyperbolic cosine of each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.cosh([0.0])
        array([1.], dtype=float32)
    """
    ...


@operation
def divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the quotients x1 / x2, fractions for integers too.

    Args:
        x1: numbers; integers become the default float.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype, or of the default float for integers.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.divide([1.0, 3.0], 2.0)
        array([0.5, 1.5], dtype=float32)
    """
    ...


@operation
def equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether elements are equal.

    Args:
        x1: anything.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools. A Python integer that the other operand's dtype cannot hold is
        compared by its value. NaN equals nothing.

    Raises:
        ShapeError: shapes that do not broadcast.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.equal([1, 2], 2)
        array([False,  True])
    """
    ...


@operation
def exp(x: ArrayLike, /) -> Array:
    """Return e to the power of each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.exp([0.0, 1.0])
        array([1.      , 2.718282], dtype=float32)
    """
    ...


@operation
def expm1(x: ArrayLike, /) -> Array:
    """Return exp(x) - 1 of each element, exact near zero.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.expm1([0.0, 1e-10])
        array([0.e+00, 1.e-10], dtype=float32)
    """
    ...


@operation
def floor(x: ArrayLike, /) -> Array:
    """Return each element rounded to the nearest integer that is not greater.

    Args:
        x: real numbers.

    Returns:
        An array of the dtype of x.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.floor([1.8, -1.2])
        array([ 1., -2.], dtype=float32)
    """
    ...


@operation
def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the quotients x1 // x2 rounded down, as Python's.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. An integer divided by zero gives 0.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: bools or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.floor_divide([7, -7], 2)
        array([ 3, -4], dtype=int32)
    """
    ...


@operation
def greater(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether x1 > x2.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools. A Python integer that the other operand's dtype cannot hold is
        compared by its value.

    Raises:
        ShapeError: shapes that do not broadcast.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.greater([1, 2, 3], 2)
        array([False, False,  True])
    """
    ...


@operation
def greater_equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether x1 >= x2.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools. A Python integer that the other operand's dtype cannot hold is
        compared by its value.

    Raises:
        ShapeError: shapes that do not broadcast.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.greater_equal([1, 2, 3], 2)
        array([False,  True,  True])
    """
    ...


@operation
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the lengths sqrt(x1**2 + x2**2), without overflow on the way.

    Args:
        x1: real numbers; integers become the default float.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype, or of the default float for integers.
        Infinite where either is, even with NaN.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.hypot([3.0], [4.0])
        array([5.], dtype=float32)
    """
    ...


@operation
def imag(x: ArrayLike, /) -> Array:
    """Return the imaginary part of each element, as real numbers.

    Args:
        x: numbers; of real ones the result is zero.

    Returns:
        An array of the dtype of x, of its parts' for complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.imag([1 + 2j])
        array([2.], dtype=float32)
    """
    ...


@operation
def isfinite(x: ArrayLike, /) -> Array:
    """Return whether each element is neither infinite nor NaN.

    Args:
        x: numbers.

    Returns:
        An array of bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.isfinite([1.0, ub.inf])
        array([ True, False])
    """
    ...


@operation
def isinf(x: ArrayLike, /) -> Array:
    """Return whether each element is infinite, in either part for complex numbers.

    Args:
        x: numbers.

    Returns:
        An array of bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.isinf([1.0, ub.inf])
        array([False,  True])
    """
    ...


@operation
def isnan(x: ArrayLike, /) -> Array:
    """Return whether each element is NaN, in either part for complex numbers.

    Args:
        x: numbers.

    Returns:
        An array of bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.isnan([1.0, ub.nan])
        array([False,  True])
    """
    ...


@operation
def less(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether x1 < x2.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools. A Python integer that the other operand's dtype cannot hold is
        compared by its value.

    Raises:
        ShapeError: shapes that do not broadcast.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.less([1, 2, 3], 2)
        array([ True, False, False])
    """
    ...


@operation
def less_equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether x1 <= x2.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools. A Python integer that the other operand's dtype cannot hold is
        compared by its value.

    Raises:
        ShapeError: shapes that do not broadcast.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.less_equal([1, 2, 3], 2)
        array([ True,  True, False])
    """
    ...


@operation
def log(x: ArrayLike, /) -> Array:
    """Return the natural logarithm of each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. NaN for
        negative real numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.log([1.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def log10(x: ArrayLike, /) -> Array:
    """Return the logarithm of each element to the base 10.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. NaN for
        negative real numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.log10([1.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def log1p(x: ArrayLike, /) -> Array:
    """Return log(1 + x) of each element, exact near zero.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.log1p([0.0, 1e-10])
        array([0.e+00, 1.e-10], dtype=float32)
    """
    ...


@operation
def log2(x: ArrayLike, /) -> Array:
    """Return the logarithm of each element to the base 2.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. NaN for
        negative real numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.log2([1.0, 8.0])
        array([0., 3.], dtype=float32)
    """
    ...


@operation
def logaddexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return log(exp(x1) + exp(x2)), without overflow on the way.

    Args:
        x1: real numbers; integers become the default float.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype, or of the default float for integers.
        NaN where either is NaN.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.logaddexp([1000.0], [-1000.0])
        array([1000.], dtype=float32)
    """
    ...


@operation
def logical_and(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether both elements are true, which is to say not zero.

    Args:
        x1: anything.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.logical_and([True, False], True)
        array([ True, False])
    """
    ...


@operation
def logical_not(x: ArrayLike, /) -> Array:
    """Return whether each element is false, which is to say zero.

    Args:
        x: anything.

    Returns:
        An array of bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.logical_not([True, False])
        array([False,  True])
    """
    ...


@operation
def logical_or(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether one element at least is true, which is to say not zero.

    Args:
        x1: anything.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.logical_or([True, False], False)
        array([ True, False])
    """
    ...


@operation
def logical_xor(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether exactly one element is true, which is to say not zero.

    Args:
        x1: anything.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.logical_xor([True, False], True)
        array([False,  True])
    """
    ...


@operation
def maximum(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the larger of the elements of two arrays.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. NaN where either is NaN.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.maximum([1, 5], 3)
        array([3, 5], dtype=int32)
    """
    ...


@operation
def minimum(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the smaller of the elements of two arrays.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. NaN where either is NaN.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.minimum([1, 5], 3)
        array([1, 3], dtype=int32)
    """
    ...


@operation
def multiply(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the products of the elements of two arrays.

    Args:
        x1: numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. Integers wrap around.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.multiply([1, 2], 10)
        array([10, 20], dtype=int32)
    """
    ...


@operation
def negative(x: ArrayLike, /) -> Array:
    """Return each element with its sign changed.

    Args:
        x: numbers.

    Returns:
        An array of the dtype of x. The most negative integer stays as it is.

    Raises:
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.negative([1, -2])
        array([-1,  2], dtype=int32)
    """
    ...


@operation
def nextafter(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the next number of the dtype after x1 in the direction of x2.

    Args:
        x1: real numbers; integers become the default float.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype, or of the default float for integers.
        x2 itself where both are equal.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nextafter([1.0], 2.0)
        array([1.0000001], dtype=float32)
    """
    ...


@operation
def not_equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return whether elements differ.

    Args:
        x1: anything.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of bools. A Python integer that the other operand's dtype cannot hold is
        compared by its value. NaN differs from everything.

    Raises:
        ShapeError: shapes that do not broadcast.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.not_equal([1, 2], 2)
        array([ True, False])
    """
    ...


@operation
def positive(x: ArrayLike, /) -> Array:
    """Return each element as it is.

    Args:
        x: numbers.

    Returns:
        An array of the dtype of x.

    Raises:
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.positive([1, -2])
        array([ 1, -2], dtype=int32)
    """
    ...


@operation
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 to the power of x2.

    Args:
        x1: numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        ValueError: integers to negative integers, which would be fractions. In a compiled
            function only a Python integer is looked at.
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.pow([2, 3], 2)
        array([4, 9], dtype=int32)
    """
    ...


@operation
def real(x: ArrayLike, /) -> Array:
    """Return the real part of each element, as real numbers.

    Args:
        x: numbers.

    Returns:
        An array of the dtype of x, of its parts' for complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.real([1 + 2j])
        array([1.], dtype=float32)
    """
    ...


@operation
def reciprocal(x: ArrayLike, /) -> Array:
    """Return 1 divided by each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. Infinite
        at 0.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.reciprocal([2.0, -4.0])
        array([ 0.5 , -0.25], dtype=float32)
    """
    ...


@operation
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the remainders x1 % x2 with the sign of x2, as Python's.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. An integer divided by zero gives 0.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: bools or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.remainder([7, -7], 3)
        array([1, 2], dtype=int32)
    """
    ...


@operation
def round(x: ArrayLike, /) -> Array:
    """Return each element rounded to the nearest integer, halves to the even one.

    Args:
        x: numbers.

    Returns:
        An array of the dtype of x.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.round([0.5, 1.5, 2.6])
        array([0., 2., 3.], dtype=float32)
    """
    ...


@operation
def sign(x: ArrayLike, /) -> Array:
    """Return -1, 0 or 1 by the sign of each element.

    Args:
        x: numbers; complex ones give x / abs(x).

    Returns:
        An array of the dtype of x. NaN for NaN.

    Raises:
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.sign([-2.5, 0.0, 3.0])
        array([-1.,  0.,  1.], dtype=float32)
    """
    ...


@operation
def signbit(x: ArrayLike, /) -> Array:
    """Return whether the sign bit of each element is set, that of zeros and NaN included.

    Args:
        x: real numbers.

    Returns:
        An array of bools; whether they are below 0 for integers.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.signbit([-1.0, -0.0, 0.0])
        array([ True,  True, False])
    """
    ...


@operation
def sin(x: ArrayLike, /) -> Array:
    """Return the sine of each element, in radians.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.sin([0.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def sinh(x: ArrayLike, /) -> Array:
    """Return the hyperbolic sine of each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.sinh([0.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def sqrt(x: ArrayLike, /) -> Array:
    """Return the square root of each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers. NaN for
        negative real numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.sqrt([4.0, 9.0])
        array([2., 3.], dtype=float32)
    """
    ...


@operation
def square(x: ArrayLike, /) -> Array:
    """Return the square of each element.

    Args:
        x: numbers.

    Returns:
        An array of the dtype of x.

    Raises:
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.square([3, -4])
        array([ 9, 16], dtype=int32)
    """
    ...


@operation
def subtract(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the differences x1 - x2.

    Args:
        x1: numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype. Integers wrap around.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.subtract([1, 2], 10)
        array([-9, -8], dtype=int32)
    """
    ...


@operation
def tan(x: ArrayLike, /) -> Array:
    """Return the tangent of each element, in radians.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.tan([0.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def tanh(x: ArrayLike, /) -> Array:
    """Return the hyperbolic tangent of each element.

    Args:
        x: numbers; integers become the default float.

    Returns:
        An array of the dtype of x, or of the default float for integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.tanh([0.0])
        array([0.], dtype=float32)
    """
    ...


@operation
def trunc(x: ArrayLike, /) -> Array:
    """Return each element rounded to the nearest integer towards zero.

    Args:
        x: real numbers.

    Returns:
        An array of the dtype of x.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.trunc([1.8, -1.8])
        array([ 1., -1.], dtype=float32)
    """
    ...
