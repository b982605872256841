"""Where elements are, and which to choose."""

from __future__ import annotations

from .._dispatch import operation
from ..typing import Array, ArrayLike

__all__ = [
    "argmax",
    "argmin",
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
