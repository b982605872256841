"""Making arrays: filled, counted, from parts of others.

Those without an array argument are served by the active backend. `device` is None for the active
device, or a name as "cpu" or "gpu:1".
"""

from __future__ import annotations

from typing import Any, Literal

from .._dispatch import creation, operation, variadic_operation
from ..typing import Array, ArrayLike

__all__ = [
    "arange",
    "empty",
    "empty_like",
    "eye",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


@creation
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return evenly spaced numbers from a half-open interval.

    Args:
        start: the first number, or, when `stop` is not given, the end of an interval from 0.
        stop: the end, which is not included.
        step: the distance between numbers, not 0.
        dtype: None is the default integer, or the default float if any number is a float.
        device: where to put the result.

    Returns:
        An array of one axis with ceil((stop - start) / step) numbers.

    Raises:
        ShapeError: a step of 0, or a number that is infinite or NaN.
        RangeError: integers that the dtype cannot hold.
        DtypeError: ends or a step that are not real numbers, or a dtype of bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.arange(1, 7, 2)
        array([1, 3, 5], dtype=int32)
    """
    ...


@creation
def empty(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array whose values mean nothing yet.

    Args:
        shape: the size of each axis, or of the only one.
        dtype: None is the default float.
        device: where to put the result.

    Returns:
        An array of this shape.

    Raises:
        ShapeError: a negative size.
        TracingError: a size that is an array of a function being compiled.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.empty((2, 3)).shape
        (2, 3)
    """
    ...


@operation
def empty_like(x: ArrayLike, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of another's shape whose values mean nothing yet.

    Args:
        x: the array whose shape is taken.
        dtype: None is that of x.
        device: where to put the result.

    Returns:
        An array of the shape of x.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.empty_like([1.0, 2.0]).shape
        (2,)
    """
    ...


@creation
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return a matrix with ones on a diagonal and zeros elsewhere.

    Args:
        n_rows: the number of rows.
        n_cols: the number of columns; None is that of the rows.
        k: which diagonal: 0 the main one, above it positive, below it negative.
        dtype: None is the default float.
        device: where to put the result.

    Returns:
        An array of shape (n_rows, n_cols).

    Raises:
        ShapeError: a negative size.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.eye(2, 3, dtype="int32")
        array([[1, 0, 0],
               [0, 1, 0]], dtype=int32)
    """
    ...


@creation
def full(
    shape: int | tuple[int, ...],
    fill_value: complex | Array,
    *,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return an array with one value everywhere.

    Args:
        shape: the size of each axis, or of the only one.
        fill_value: a number, or an array without axes.
        dtype: None is that of `fill_value`: the default one of a Python number.
        device: where to put the result.

    Returns:
        An array of this shape.

    Raises:
        ShapeError: a negative size, or a `fill_value` with axes.
        RangeError: a Python integer that the dtype cannot hold.
        DtypeError: a `fill_value` that is not a number, or a complex one for real numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.full(3, 7)
        array([7, 7, 7], dtype=int32)
    """
    ...


@operation
def full_like(
    x: ArrayLike, /, fill_value: complex | Array, *, dtype: Any = None, device: Any = None
) -> Array:
    """Return an array of another's shape with one value everywhere.

    Args:
        x: the array whose shape is taken.
        fill_value: a number, or an array without axes.
        dtype: None is that of x.
        device: where to put the result.

    Returns:
        An array of the shape of x.

    Raises:
        ShapeError: a `fill_value` with axes.
        RangeError: a Python integer that the dtype cannot hold.
        DtypeError: a `fill_value` that is not a number, or a complex one for real numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.full_like([1, 2], 7)
        array([7, 7], dtype=int32)
    """
    ...


@creation
def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Array:
    """Return a number of evenly spaced numbers from an interval.

    Args:
        start: the first number.
        stop: the last number, or, without `endpoint`, the end that is not included.
        num: how many numbers.
        dtype: None is the default float, or complex if an end is complex. Integers are the numbers
            rounded down, exactly, and need ends that have values.
        device: where to put the result.
        endpoint: whether `stop` is included.

    Returns:
        An array of one axis with `num` numbers.

    Raises:
        ShapeError: a negative `num`.
        RangeError: integers that the dtype cannot hold.
        DtypeError: a dtype of bools, or one of real numbers between complex ends, or ends that are
            not numbers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linspace(0, 1, 5)
        array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    ...


@variadic_operation
def meshgrid(*arrays: ArrayLike, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Return the coordinates of all points of a grid, one array for each of its axes.

    Args:
        arrays: the coordinates along each axis, in arrays of one axis.
        indexing: "ij" has the axes in order; "xy" has the first two the other way round, as
            pictures do.

    Returns:
        As many arrays as were given, each of its dtype, and of the grid's shape.

    Raises:
        ShapeError: an array that has not one axis.
        OptionError: another indexing.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     x, y = ub.meshgrid([1, 2, 3], [10, 20])
        ...     x + y
        array([[11, 12, 13],
               [21, 22, 23]], dtype=int32)
    """
    ...


@creation
def ones(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of ones.

    Args:
        shape: the size of each axis, or of the only one.
        dtype: None is the default float.
        device: where to put the result.

    Returns:
        An array of this shape.

    Raises:
        ShapeError: a negative size.
        TracingError: a size that is an array of a function being compiled.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.ones(2)
        array([1., 1.], dtype=float32)
    """
    ...


@operation
def ones_like(x: ArrayLike, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of ones of another's shape.

    Args:
        x: the array whose shape is taken.
        dtype: None is that of x.
        device: where to put the result.

    Returns:
        An array of the shape of x.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.ones_like([[1, 2]])
        array([[1, 1]], dtype=int32)
    """
    ...


@operation
def tril(x: ArrayLike, /, *, k: int = 0) -> Array:
    """Return matrices with everything above a diagonal set to zero.

    Args:
        x: an array of two axes at least; the last two are the matrices.
        k: the last diagonal that is kept: 0 the main one, above it positive.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.tril([[1, 2], [3, 4]])
        array([[1, 0],
               [3, 4]], dtype=int32)
    """
    ...


@operation
def triu(x: ArrayLike, /, *, k: int = 0) -> Array:
    """Return matrices with everything below a diagonal set to zero.

    Args:
        x: an array of two axes at least; the last two are the matrices.
        k: the first diagonal that is kept: 0 the main one, above it positive.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.triu([[1, 2], [3, 4]])
        array([[1, 2],
               [0, 4]], dtype=int32)
    """
    ...


@creation
def zeros(shape: int | tuple[int, ...], *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of zeros.

    Args:
        shape: the size of each axis, or of the only one.
        dtype: None is the default float.
        device: where to put the result.

    Returns:
        An array of this shape.

    Raises:
        ShapeError: a negative size.
        TracingError: a size that is an array of a function being compiled.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.zeros((1, 2))
        array([[0., 0.]], dtype=float32)
    """
    ...


@operation
def zeros_like(x: ArrayLike, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of zeros of another's shape.

    Args:
        x: the array whose shape is taken.
        dtype: None is that of x.
        device: where to put the result.

    Returns:
        An array of the shape of x.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.zeros_like([[1, 2]])
        array([[0, 0]], dtype=int32)
    """
    ...
