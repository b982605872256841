"""Whether elements hold."""

from __future__ import annotations

from .._dispatch import operation
from ..typing import Array, ArrayLike

__all__ = [
    "all",
    "any",
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
