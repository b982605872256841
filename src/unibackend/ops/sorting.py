"""Elements in order."""

from __future__ import annotations

from typing import NamedTuple

from .._dispatch import operation
from ..typing import Array, ArrayLike

__all__ = [
    "argsort",
    "sort",
    "top_k",
]


class TopKResult(NamedTuple):
    """What `top_k` returns."""

    values: Array
    indices: Array


@operation
def argsort(
    x: ArrayLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return the indices that sort an array along an axis.

    Args:
        x: an array of real numbers; NaN counts as larger than any.
        axis: the axis.
        descending: whether the largest comes first.
        stable: whether equal elements keep their order; False leaves it to the framework.

    Returns:
        An array of the default integer.

    Raises:
        ShapeError: no such axis.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.argsort([30, 10, 20])
        array([1, 2, 0], dtype=int32)
    """
    ...


@operation
def sort(
    x: ArrayLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Array:
    """Return an array sorted along an axis.

    Args:
        x: an array of real numbers; NaN counts as larger than any.
        axis: the axis.
        descending: whether the largest comes first.
        stable: whether equal elements keep their order; False leaves it to the framework.

    Returns:
        An array of the dtype of x.

    Raises:
        ShapeError: no such axis.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.sort([30, 10, 20], descending=True)
        array([30, 20, 10], dtype=int32)
    """
    ...


@operation
def top_k(x: ArrayLike, /, k: int, *, axis: int = -1, largest: bool = True) -> TopKResult:
    """Return the largest or smallest elements along an axis, in order.

    Args:
        x: an array of real numbers; NaN counts as larger than any.
        k: how many.
        axis: the axis.
        largest: whether the largest, beginning with the largest of all, or the smallest,
            beginning with the smallest. Of equal elements the first come first.

    Returns:
        A named tuple: `values` of the dtype of x, and `indices` of the default integer, both with
        `k` elements along the axis.

    Raises:
        ShapeError: no such axis, or fewer than `k` elements along it.
        DtypeError: complex numbers, which have no order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.top_k([30, 10, 20], 2).values
        array([30, 20], dtype=int32)
    """
    ...
