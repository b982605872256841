"""Whether elements hold, and how far neighbours are apart."""

from __future__ import annotations

from .._dispatch import operation
from ..typing import Array, ArrayLike

__all__ = [
    "all",
    "any",
    "diff",
]


@operation
def all(
    x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Return whether all elements along axes are true, which is to say not zero.

    Args:
        x: an array; NaN is true.
        axis: the axes; None is all of them. Without elements the result is True.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of bools.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.all([[True, False], [True, True]], axis=1)
        array([False,  True])
    """
    ...


@operation
def any(
    x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    """Return whether any element along axes is true, which is to say not zero.

    Args:
        x: an array; NaN is true.
        axis: the axes; None is all of them. Without elements the result is False.
        keepdims: whether the axes stay, with length 1.

    Returns:
        An array of bools.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.any([[True, False], [False, False]], axis=1)
        array([ True, False])
    """
    ...


@operation(arrays=("x", "prepend", "append"))
def diff(
    x: ArrayLike,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Array:
    """Return the differences of neighbours along an axis.

    Args:
        x: an array of numbers with one axis at least.
        axis: the axis.
        n: how many times differences are taken; 0 leaves the elements as they are.
        prepend: what comes before the elements along the axis: an array of the shape of x but for
            the axis, or a number.
        append: what comes after them.

    Returns:
        An array of the common dtype, `n` elements shorter along the axis. Integers wrap around.

    Raises:
        ShapeError: no such axis, a negative `n`, or arrays that do not go together.
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.diff([1, 4, 9, 16])
        array([3, 5, 7], dtype=int32)
    """
    ...
