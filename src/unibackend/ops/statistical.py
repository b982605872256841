"""Sums, means and extremes along axes.

Sums and products of integers are of the default integer at least, so that small types do not
overflow; those of bools count. Means of integers are of the default float.
"""

from __future__ import annotations

from typing import Any

from .._dispatch import operation
from ..typing import Array, ArrayLike

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "segment_sum",
    "std",
    "sum",
    "var",
]


@operation
def cumulative_prod(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the products of the elements up to each place along an axis.

    Args:
        x: an array of numbers with one axis at least.
        axis: the axis; it may be left out for an array of one axis.
        dtype: the dtype of the products; None is that of x, for integers the default one at
            least.
        include_initial: whether the products begin with 1, and are one more.

    Returns:
        An array of products.

    Raises:
        ShapeError: no such axis, or none given for an array of several.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.cumulative_prod([1, 2, 3], include_initial=True)
        array([1, 1, 2, 6], dtype=int32)
    """
    ...


@operation
def cumulative_sum(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Array:
    """Return the sums of the elements up to each place along an axis.

    Args:
        x: an array of numbers with one axis at least.
        axis: the axis; it may be left out for an array of one axis.
        dtype: the dtype of the sums; None is that of x, for integers the default one at least.
        include_initial: whether the sums begin with 0, and are one more.

    Returns:
        An array of sums.

    Raises:
        ShapeError: no such axis, or none given for an array of several.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.cumulative_sum([1, 2, 3], include_initial=True)
        array([0, 1, 3, 6], dtype=int32)
    """
    ...


@operation
def max(
    x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Return the largest element along axes.

    Args:
        x: an array of real numbers.
        axis: the axes; None is all of them.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of the dtype of x; NaN where there is one.

    Raises:
        ShapeError: no such axis, one that is named twice, or no elements along it.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.max([[1, 9], [8, 3]], axis=1)
        array([9, 8], dtype=int32)
    """
    ...


@operation
def mean(
    x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Return the mean of the elements along axes.

    Args:
        x: an array of numbers.
        axis: the axes; None is all of them. Without elements the result is NaN.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of the dtype of x, or of the default float for integers and bools.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.mean([[1, 2], [3, 5]], axis=1)
        array([1.5, 4. ], dtype=float32)
    """
    ...


@operation
def min(
    x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Return the smallest element along axes.

    Args:
        x: an array of real numbers.
        axis: the axes; None is all of them.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of the dtype of x; NaN where there is one.

    Raises:
        ShapeError: no such axis, one that is named twice, or no elements along it.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.min([[1, 9], [8, 3]], axis=1)
        array([1, 3], dtype=int32)
    """
    ...


@operation
def prod(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
) -> Array:
    """Return the product of the elements along axes.

    Args:
        x: an array of numbers.
        axis: the axes; None is all of them. Without elements the result is 1.
        dtype: the dtype of the products; None is that of x, for integers the default one at
            least.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of products.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.prod([[1, 2], [3, 5]], axis=1)
        array([ 2, 15], dtype=int32)
    """
    ...


@operation
def segment_sum(
    data: ArrayLike, segment_ids: ArrayLike, /, num_segments: int | None = None
) -> Array:
    """Return the sums of the elements, or slices along the first axis, that have one number.

    Args:
        data: an array of numbers, or of bools to count, with one axis at least.
        segment_ids: integers, the number of the sum for each slice along the first axis of data;
            those below 0 and from `num_segments` on belong to none.
        num_segments: how many sums; None is the largest number and one more, which must be known.

    Returns:
        An array of the sums, as the function `sum` makes them, along the first axis; 0 where there
        is nothing to add.

    Raises:
        ShapeError: another number of slices than of numbers, or several axes of numbers.
        DtypeError: numbers that are no integers.
        TracingError: no `num_segments` in a function being compiled or mapped.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.segment_sum([1, 2, 3], [0, 2, 0], 3)
        array([4, 0, 2], dtype=int32)
    """
    ...


@operation
def std(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Array:
    """Return the standard deviation of the elements along axes.

    Args:
        x: an array of real numbers.
        axis: the axes; None is all of them.
        correction: what is subtracted from the number of elements: 1 for that of a sample.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of the dtype of x, or of the default float for integers; NaN where `correction`
        leaves nothing to divide by.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.std([[1.0, 3.0], [2.0, 2.0]], axis=1)
        array([1., 0.], dtype=float32)
    """
    ...


@operation
def sum(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: Any = None,
    keepdims: bool = False,
) -> Array:
    """Return the sum of the elements along axes.

    Args:
        x: an array of numbers, or of bools to count.
        axis: the axes; None is all of them. Without elements the result is 0.
        dtype: the dtype of the sums; None is that of x, for integers the default one at least.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of sums.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.sum([[1, 2], [3, 5]], axis=1)
        array([3, 8], dtype=int32)
    """
    ...


@operation
def var(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Array:
    """Return the variance of the elements along axes.

    Args:
        x: an array of real numbers.
        axis: the axes; None is all of them.
        correction: what is subtracted from the number of elements: 1 for that of a sample.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of the dtype of x, or of the default float for integers; NaN where `correction`
        leaves nothing to divide by.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.var([[1.0, 3.0], [2.0, 2.0]], axis=1)
        array([1., 0.], dtype=float32)
    """
    ...
