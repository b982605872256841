"""Where elements are, and which to choose."""

from __future__ import annotations

from typing import Literal

from .._dispatch import operation
from ..typing import Array, ArrayLike

__all__ = [
    "argmax",
    "argmin",
    "count_nonzero",
    "nonzero",
    "searchsorted",
    "where",
]


@operation
def argmax(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the index of the largest element along an axis, the first of several.

    Args:
        x: an array of real numbers; NaN counts as the largest.
        axis: the axis; None is the flattened array.
        keepdims: whether the axis stays, with length 1.

    Returns:
        An array of the default integer.

    Raises:
        ShapeError: no such axis, or one without elements.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.argmax([[1, 9], [8, 3]], axis=1)
        array([1, 0], dtype=int32)
    """
    ...


@operation
def argmin(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the index of the smallest element along an axis, the first of several.

    Args:
        x: an array of real numbers; NaN counts as the smallest.
        axis: the axis; None is the flattened array.
        keepdims: whether the axis stays, with length 1.

    Returns:
        An array of the default integer.

    Raises:
        ShapeError: no such axis, or one without elements.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.argmin([[1, 9], [8, 3]], axis=1)
        array([0, 1], dtype=int32)
    """
    ...


@operation
def count_nonzero(
    x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Return how many elements along axes are not zero.

    Args:
        x: an array; NaN is not zero.
        axis: the axes; None is all of them.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of the default integer.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.count_nonzero([[1, 0], [2, 3]], axis=1)
        array([1, 2], dtype=int32)
    """
    ...


@operation
def nonzero(x: ArrayLike, /) -> tuple[Array, ...]:
    """Return the places of the elements that are not zero.

    Args:
        x: an array with one axis at least; NaN is not zero.

    Returns:
        For each axis an array of indices along it, of the default integer, in the order of the
        elements.

    Raises:
        ShapeError: an array without axes.
        TracingError: in a function being compiled or mapped, where their number is not known.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.nonzero([[0, 5], [7, 0]])
        (array([0, 1], dtype=int32), array([1, 0], dtype=int32))
    """
    ...


@operation(arrays=("x1", "x2", "sorter"))
def searchsorted(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: ArrayLike | None = None,
) -> Array:
    """Return where elements would be put into a sorted array that stays in order.

    Args:
        x1: an array of real numbers with one axis, in the order of `sort`: NaN last.
        x2: the elements to put in.
        side: "left" is before elements that are equal, "right" behind them.
        sorter: indices that sort x1, as `argsort` gives them, if it is not sorted itself.

    Returns:
        An array of the default integer and the shape of x2.

    Raises:
        ShapeError: an x1 of several axes or none, or a sorter of another shape.
        DtypeError: complex numbers, which have no order, or a sorter that is not of integers.
        OptionError: another `side`.
        IndexError: an index of the sorter that is out of bounds, where it is known.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.searchsorted([10, 20, 20, 30], [5, 20, 40])
        array([0, 1, 4], dtype=int32)
    """
    ...


@operation
def where(condition: ArrayLike, x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return elements of one array where a condition holds, and of another elsewhere.

    Args:
        condition: bools.
        x1: the elements where it holds.
        x2: the elements elsewhere; all three must broadcast.

    Returns:
        An array of the common dtype of x1 and x2.

    Raises:
        ShapeError: shapes that do not broadcast.
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.where([True, False], [1, 2], 0)
        array([1, 0], dtype=int32)
    """
    ...
