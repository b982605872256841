"""Elements by their indices: taken, and replaced in a new array.

An index out of bounds is an IndexError where indices have values. In a compiled function, where
they have none, the result at its place is the framework's choice.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .._dispatch import active, find_owner, is_array, operation
from .._entry import enter
from ..typing import Array, ArrayLike

__all__ = [
    "at",
    "take",
    "take_along_axis",
]

Mode = Literal["set", "add", "multiply", "min", "max"]


@operation
def take(x: ArrayLike, indices: ArrayLike, /, *, axis: int | None = None) -> Array:
    """Return the elements, or the slices along an axis, at indices.

    Args:
        x: an array.
        indices: integers; negative ones count from the end.
        axis: the axis that is indexed; it may be left out for an array of one axis.

    Returns:
        An array of the shape of x with the axis replaced by the axes of `indices`.

    Raises:
        IndexError: an index out of bounds.
        ShapeError: no such axis, or none given for an array of several.
        DtypeError: indices that are not integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.take([10, 20, 30], [2, 0])
        array([30, 10], dtype=int32)
    """
    ...


@operation
def take_along_axis(x: ArrayLike, indices: ArrayLike, /, *, axis: int = -1) -> Array:
    """Return elements along an axis at indices that differ from place to place.

    Args:
        x: an array.
        indices: integers with as many axes as x, which must broadcast with it except along the
            axis; negative ones count from the end.
        axis: the axis that is indexed.

    Returns:
        An array of the broadcast shape, along the axis as long as `indices`.

    Raises:
        IndexError: an index out of bounds.
        ShapeError: no such axis, other numbers of axes, or shapes that do not broadcast.
        DtypeError: indices that are not integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.take_along_axis([[10, 20], [30, 40]], [[1], [0]])
        array([[20],
               [30]], dtype=int32)
    """
    ...


def at(x: ArrayLike, /) -> At:
    """Return what replaces elements of an array in a copy: `ub.at(x)[index].set(values)`.

    Args:
        x: an array, which stays as it is.

    Returns:
        An object to be indexed like the array, with the methods `set`, `add`, `multiply`, `min`
        and `max`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.at([1, 2, 3])[1:].set(0)
        array([1, 0, 0], dtype=int32)
    """
    return At(x)


class At:
    """An array that waits for an index; made by `at`."""

    __slots__ = ("_x",)

    def __init__(self, x: ArrayLike) -> None:
        self._x = x

    def __getitem__(self, key: Any) -> Place:
        return Place(self._x, key)


class Place:
    """Elements of an array, to be replaced in a copy; made by indexing `at`.

    An index that occurs several times counts each time, except for `set`, where one of the
    values wins.
    """

    __slots__ = ("_key", "_x")

    def __init__(self, x: ArrayLike, key: Any) -> None:
        self._x = x
        self._key = key

    def set(self, values: ArrayLike, /) -> Array:
        """Return a copy with the elements replaced.

        Args:
            values: they must broadcast with the elements and are converted to their dtype.

        Raises:
            IndexError: an index out of bounds, or too many of them.
            ShapeError: values that do not broadcast.
            DtypeError: values whose dtype would change that of the array.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[0].set(9)
            array([9, 2, 3], dtype=int32)
        """
        return self._update(values, "set")

    def add(self, values: ArrayLike, /) -> Array:
        """Return a copy with values added to the elements, each time an index occurs.

        Args:
            values: as for `set`, which raises the same errors.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[[0, 0]].add(10)
            array([21,  2,  3], dtype=int32)
        """
        return self._update(values, "add")

    def multiply(self, values: ArrayLike, /) -> Array:
        """Return a copy with the elements multiplied by values, each time an index occurs.

        Args:
            values: as for `set`, which raises the same errors.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[-1].multiply(10)
            array([ 1,  2, 30], dtype=int32)
        """
        return self._update(values, "multiply")

    def min(self, values: ArrayLike, /) -> Array:
        """Return a copy with the smaller of each element and its value.

        Args:
            values: as for `set`, which raises the same errors.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[:].min(2)
            array([1, 2, 2], dtype=int32)
        """
        return self._update(values, "min")

    def max(self, values: ArrayLike, /) -> Array:
        """Return a copy with the larger of each element and its value.

        Args:
            values: as for `set`, which raises the same errors.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[:].max(2)
            array([2, 2, 3], dtype=int32)
        """
        return self._update(values, "max")

    def _update(self, values: ArrayLike, mode: Mode) -> Array:
        parts = self._key if isinstance(self._key, tuple) else (self._key,)
        named = [(f"index {i}", part) for i, part in enumerate(parts) if is_array(part)]
        owner = find_owner("at", [("x", self._x), ("values", values), *named]) or active()
        x = enter(owner, self._x, function="at", strong=True)
        key = tuple(
            # JAX refuses lists, and reads a NumPy array after the call
            enter(owner, part, function="at", argument="index")
            if isinstance(part, list | np.ndarray)
            else part
            for part in parts
        )
        return _at(x, values, key=key, mode=mode)


@operation
def _at(x: ArrayLike, values: ArrayLike, /, *, key: tuple[Any, ...], mode: Mode) -> Array:
    """Return a copy of an array with the elements at a key changed: what `at` calls.

    Args:
        x: an array.
        values: they must broadcast with `x[key]`.
        key: what `x[key]` takes, as a tuple: integers, slices, None, an ellipsis, arrays of
            integers or bools of the same backend.
        mode: what happens to the elements.
    """
    ...
