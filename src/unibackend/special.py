"""Special functions, with the names and the meaning of `scipy.special` and `jax.scipy.special`.

Integers and bools become the default float; the 16 bit floats are computed in float32. Complex
numbers are refused, since not every backend can.
"""

from __future__ import annotations

from ._dispatch import operation
from .typing import Array, ArrayLike

__all__ = [
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "expit",
    "gammaln",
    "log_ndtr",
    "logit",
    "logsumexp",
    "ndtr",
    "xlogy",
]


@operation
def digamma(x: ArrayLike, /) -> Array:
    """Return the logarithmic derivative of the gamma function.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools: minus infinity
        at 0, infinity at -0, NaN at the other poles, which are the negative integers.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.digamma([1.0, 2.0])
        array([-0.5772157 ,  0.42278433], dtype=float32)
    """
    ...


@operation
def erf(x: ArrayLike, /) -> Array:
    """Return the error function, 2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.erf([0.0, 1.0])
        array([0.       , 0.8427008], dtype=float32)
    """
    ...


@operation
def erfc(x: ArrayLike, /) -> Array:
    """Return 1 - erf(x), accurate where x is large and that is small.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy", x64=True):
        ...     ub.special.erfc([0.0, 10.0])
        array([1.00000000e+00, 2.08848758e-45])
    """
    ...


@operation
def erfinv(x: ArrayLike, /) -> Array:
    """Return the inverse of the error function.

    Args:
        x: an array of numbers from -1 to 1.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools: infinite at -1
        and 1, NaN beyond them.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.erfinv([0.0, 0.5, 1.0])
        array([0.        , 0.47693628,        inf], dtype=float32)
    """
    ...


@operation
def expit(x: ArrayLike, /) -> Array:
    """Return the logistic function, 1 / (1 + exp(-x)).

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.expit([0.0, 2.0])
        array([0.5     , 0.880797], dtype=float32)
    """
    ...


@operation
def gammaln(x: ArrayLike, /) -> Array:
    """Return the logarithm of the magnitude of the gamma function.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools: infinity at
        the poles, which are 0 and the negative integers, and at both infinities.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.gammaln([0.5, 4.0])
        array([0.5723649, 1.7917595], dtype=float32)
    """
    ...


@operation
def log_ndtr(x: ArrayLike, /) -> Array:
    """Return the logarithm of `ndtr`, accurate in both tails.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.log_ndtr([-40.0, 0.0])
        array([-8.0460846e+02, -6.9314718e-01], dtype=float32)
    """
    ...


@operation
def logit(x: ArrayLike, /) -> Array:
    """Return log(x / (1 - x)), the inverse of `expit`, accurate around 1/2 too.

    Args:
        x: an array of numbers from 0 to 1.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools: minus infinity
        at 0, infinity at 1, NaN beyond them.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.logit([0.0, 0.5, 0.75])
        array([     -inf, 0.       , 1.0986123], dtype=float32)
    """
    ...


@operation
def logsumexp(
    x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Return the logarithm of the sum of exponentials along axes, which does not overflow.

    The largest element is taken out before: P. Blanchard, D. J. Higham and N. J. Higham,
    Accurately computing the log-sum-exp and softmax functions, IMA J. Numer. Anal. 41, 2021.

    Args:
        x: an array of real numbers.
        axis: the axes; None is all of them. Without elements the result is minus infinity.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools: minus infinity
        where all elements are, infinity where one is.

    Raises:
        ShapeError: no such axis, or one that is named twice.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.logsumexp([[1000.0, 1000.0], [0.0, -1000.0]], axis=1)
        array([1000.6932,    0.    ], dtype=float32)
    """
    ...


@operation
def ndtr(x: ArrayLike, /) -> Array:
    """Return the probability that a standard normal variable is at most x.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.ndtr([-1.0, 0.0])
        array([0.15865526, 0.5       ], dtype=float32)
    """
    ...


@operation
def xlogy(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return x1 * log(x2), which is 0 where x1 is 0 and x2 is not NaN.

    Args:
        x1: real numbers.
        x2: the same; it must broadcast with x1.

    Returns:
        An array of the operands' common dtype, or of the default float for integers and bools.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.special.xlogy([0.0, 2.0], [0.0, 3.0])
        array([0.       , 2.1972246], dtype=float32)
    """
    ...
