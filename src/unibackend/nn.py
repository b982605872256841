"""Functions of neural networks, with the names and the meaning of `jax.nn`.

Integers and bools become the default float, but in `relu`; the 16 bit floats are computed in
float32. Complex numbers are refused.
"""

from __future__ import annotations

from typing import Any

from ._dispatch import operation
from .typing import Array, ArrayLike

__all__ = ["gelu", "log_softmax", "one_hot", "relu", "silu", "softmax", "softplus"]


@operation
def gelu(x: ArrayLike, /, *, approximate: bool = True) -> Array:
    """Return x times the probability that a standard normal variable is at most x.

    D. Hendrycks and K. Gimpel, Gaussian error linear units, 2016.

    Args:
        x: an array of real numbers.
        approximate: whether by the formula with tanh, as is the default in `jax.nn`; it is off by
            up to 5e-4. False is by the error function.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nn.gelu([-1.0, 2.0])
        ...     ub.nn.gelu([-1.0, 2.0], approximate=False)
        array([-0.158808 ,  1.9545978], dtype=float32)
        array([-0.15865526,  1.9544997 ], dtype=float32)
    """
    ...


@operation
def log_softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = -1) -> Array:
    """Return the logarithm of `softmax`, accurate where that is small.

    Args:
        x: an array of real numbers.
        axis: the axes along which exponentials are summed; None is all of them.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools: NaN where all
        elements along the axes are minus infinity, or one is infinity.

    Raises:
        ShapeError: no such axis, or one that is named twice.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nn.log_softmax([0.0, 100.0])
        array([-100.,    0.], dtype=float32)
    """
    ...


@operation
def one_hot(x: ArrayLike, /, num_classes: int, *, dtype: Any = None, axis: int = -1) -> Array:
    """Return rows with 1 at the place that each element names, and 0 elsewhere.

    Args:
        x: an array of integers. A number that is no class, as -1, makes a row of zeros.
        num_classes: the number of classes, which are 0 and following.
        dtype: the dtype of the result; None is the default float.
        axis: where in the result the new axis is.

    Returns:
        An array with one axis more than x.

    Raises:
        DtypeError: x is not of integers.
        ShapeError: no such place of an axis, or a negative number of classes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nn.one_hot([2, 0], 3)
        array([[0., 0., 1.],
               [1., 0., 0.]], dtype=float32)
    """
    ...


@operation
def relu(x: ArrayLike, /) -> Array:
    """Return the larger of each element and 0; its derivative at 0 is 0.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x.

    Raises:
        DtypeError: bools or complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nn.relu([-1.0, 2.0])
        array([0., 2.], dtype=float32)
    """
    ...


@operation
def silu(x: ArrayLike, /) -> Array:
    """Return x / (1 + exp(-x)), which is also called swish.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nn.silu([-1.0, 2.0])
        array([-0.2689414,  1.761594 ], dtype=float32)
    """
    ...


@operation
def softmax(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = -1) -> Array:
    """Return exponentials divided by their sum along axes; they do not overflow.

    The largest element is taken out before: P. Blanchard, D. J. Higham and N. J. Higham,
    Accurately computing the log-sum-exp and softmax functions, IMA J. Numer. Anal. 41, 2021.

    Args:
        x: an array of real numbers.
        axis: the axes along which the results add up to 1; None is all of them.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools: NaN where all
        elements along the axes are minus infinity, or one is infinity.

    Raises:
        ShapeError: no such axis, or one that is named twice.
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nn.softmax([1000.0, 1000.0, 0.0])
        array([0.5, 0.5, 0. ], dtype=float32)
    """
    ...


@operation
def softplus(x: ArrayLike, /) -> Array:
    """Return log(1 + exp(x)), a smooth `relu`.

    Args:
        x: an array of real numbers.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        DtypeError: complex numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nn.softplus([0.0, 100.0])
        array([  0.6931472, 100.       ], dtype=float32)
    """
    ...
