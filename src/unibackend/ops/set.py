"""Distinct elements, and which elements are among others.

Elements are the same where they are equal: NaN is not the same as any, 0.0 and -0.0 are the same.
How many distinct ones there are depends on the values, so that a function being compiled or mapped
has no use for these functions but `isin`.
"""

from __future__ import annotations

from typing import NamedTuple

from .._dispatch import operation
from ..typing import Array, ArrayLike

__all__ = [
    "isin",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """What `unique_all` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` returns."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` returns."""

    values: Array
    inverse_indices: Array


@operation
def isin(x1: ArrayLike, x2: ArrayLike, /, *, invert: bool = False) -> Array:
    """Return which elements of an array are equal to any of another.

    Args:
        x1: the elements to look for.
        x2: the elements to look among, of any shape; NaN is equal to none.
        invert: whether the result says which are not.

    Returns:
        An array of bools of the shape of x1.

    Raises:
        RangeError: a Python integer that the other operand's dtype cannot hold.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.isin([1, 2, 3], [3, 1])
        array([ True, False,  True])
    """
    ...


@operation
def unique_all(x: ArrayLike, /) -> UniqueAllResult:
    """Return the distinct elements, where each is first, where they are, and how many of each.

    Args:
        x: an array, taken as flat.

    Returns:
        A named tuple: `values`, in the order of `sort`, complex ones by their real parts first,
        and NaN last, each as often as it occurs; `indices` into the flat x, of the first of each;
        `inverse_indices` into the values, in the shape of x; `counts`. Of 0.0 and -0.0 it is the
        first.

    Raises:
        TracingError: in a function being compiled or mapped.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     found = ub.unique_all([30, 10, 30])
        >>> found.values, found.indices
        (array([10, 30], dtype=int32), array([1, 0], dtype=int32))
        >>> found.inverse_indices, found.counts
        (array([1, 0, 1], dtype=int32), array([1, 2], dtype=int32))
    """
    ...


@operation
def unique_counts(x: ArrayLike, /) -> UniqueCountsResult:
    """Return the distinct elements, and how many of each there are.

    Args:
        x: an array, taken as flat.

    Returns:
        A named tuple of `values` and `counts`, as of `unique_all`.

    Raises:
        TracingError: in a function being compiled or mapped.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.unique_counts([30, 10, 30]).counts
        array([1, 2], dtype=int32)
    """
    ...


@operation
def unique_inverse(x: ArrayLike, /) -> UniqueInverseResult:
    """Return the distinct elements, and which of them each element is.

    Args:
        x: an array, taken as flat.

    Returns:
        A named tuple of `values` and `inverse_indices`, as of `unique_all`.

    Raises:
        TracingError: in a function being compiled or mapped.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.unique_inverse([30, 10, 30]).inverse_indices
        array([1, 0, 1], dtype=int32)
    """
    ...


@operation
def unique_values(x: ArrayLike, /) -> Array:
    """Return the distinct elements.

    Args:
        x: an array, taken as flat.

    Returns:
        An array of one axis and the dtype of x, as the `values` of `unique_all`.

    Raises:
        TracingError: in a function being compiled or mapped.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.unique_values([30, 10, 30])
        array([10, 30], dtype=int32)
    """
    ...
