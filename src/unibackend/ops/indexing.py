"""Elements by their indices: taken, and replaced in a new array.

An index out of bounds is an IndexError where indices have values. In a compiled function, where
they have none, the nearest element is taken, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from .. import _indices, _results
from .._dispatch import active, find_owner, is_array, operation, owner_of
from .._entry import enter, stacked
from ..arrays import concrete_needed
from ..typing import Array, ArrayLike
from .creation import ones_like
from .data_types import kind_of
from .elementwise import add, divide, maximum, minimum, multiply, pow, subtract
from .manipulation import expand_dims
from .searching import where

__all__ = [
    "at",
    "dynamic_slice",
    "dynamic_update_slice",
    "take",
    "take_along_axis",
]

Mode = Literal["set", "add", "subtract", "multiply", "min", "max"]


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


@operation(arrays=("x", "start_indices"))
def dynamic_slice(x: ArrayLike, start_indices: ArrayLike, slice_sizes: tuple[int, ...], /) -> Array:
    """Return a part of an array whose size is fixed and whose place may be computed.

    Args:
        x: an array.
        start_indices: where the part begins along each axis: an array of integers, or a list of
            integers and arrays without axes. Negative ones count from the end. A start is brought
            to where the part lies within the array.
        slice_sizes: how long the part is along each axis.

    Returns:
        An array of the shape `slice_sizes`.

    Raises:
        ShapeError: not one start and one size for each axis, or a part larger than the array.
        DtypeError: starts that are not integers.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     x = ub.asarray([10, 20, 30, 40])
        ...     ub.dynamic_slice(x, [1], (2,)), ub.dynamic_slice(x, [9], (2,))
        (array([20, 30], dtype=int32), array([30, 40], dtype=int32))
    """
    ...


@operation
def dynamic_update_slice(x: ArrayLike, update: ArrayLike, start_indices: ArrayLike, /) -> Array:
    """Return a copy of an array with a part replaced, whose place may be computed.

    Args:
        x: an array.
        update: what is written, with as many axes as x; it is converted to the dtype of x.
        start_indices: where it begins along each axis, as for `dynamic_slice`.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        ShapeError: not one start for each axis, or an update that is larger than the array.
        DtypeError: starts that are not integers, or an update whose dtype would change that of x.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.dynamic_update_slice([1, 2, 3, 4], [0, 0], [1])
        array([1, 0, 0, 4], dtype=int32)
    """
    ...


def at(x: ArrayLike, /) -> At:
    """Return what replaces elements of an array in a copy: `ub.at(x)[index].set(values)`.

    Args:
        x: an array, which stays as it is.

    Returns:
        An object to be indexed like the array, with the methods `set`, `add`, `subtract`,
        `multiply`, `divide`, `power`, `min`, `max` and `apply`, and `get`.

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

    An index that occurs several times counts each time, except for `set` and `apply`, where one
    of the values wins. A mask without values, in a compiled function, is taken by all that have
    one number for all places.
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

    def subtract(self, values: ArrayLike, /) -> Array:
        """Return a copy with values subtracted from the elements, each time an index occurs.

        Args:
            values: as for `set`, which raises the same errors.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[0].subtract(10)
            array([-9,  2,  3], dtype=int32)
        """
        return self._update(values, "subtract")

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

    def divide(self, values: ArrayLike, /) -> Array:
        """Return a copy with the elements divided by values, each time an index occurs.

        Args:
            values: as for `set`, which raises the same errors.

        Raises:
            DtypeError: an array of integers or bools, which cannot hold fractions.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1.0, 2.0, 3.0])[1:].divide(2)
            array([1. , 1. , 1.5], dtype=float32)
        """
        x = self._array()
        _results.takes("at.divide", x.dtype)
        return divide(x, Place(ones_like(x), self._key).multiply(values))

    def power(self, values: ArrayLike, /) -> Array:
        """Return a copy with the elements raised to powers, each time an index occurs.

        Args:
            values: as for `set`, which raises the same errors.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[1:].power(2)
            array([1, 4, 9], dtype=int32)
        """
        x = self._array()
        return pow(x, Place(ones_like(x), self._key).multiply(values))

    def apply(self, function: Callable[[Array], ArrayLike], /) -> Array:
        """Return a copy with the elements replaced by a function of them.

        Args:
            function: from the elements to what replaces them, as for `set`.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1.0, 4.0, 9.0])[1:].apply(ub.sqrt)
            array([1., 2., 3.], dtype=float32)
        """
        return self.set(function(self.get()))

    def get(self) -> Array:
        """Return the elements, by the same rules on every backend, JAX's lists and bounds too.

        Raises:
            IndexError: an index out of bounds, or too many of them.
            TracingError: a mask without values, on which the shape of the result would depend.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy"):
            ...     ub.at([1, 2, 3])[[0, -1]].get()
            array([1, 3], dtype=int32)
        """
        x = self._array()
        key = self._entered(x)
        self._check(x, key)
        return _get(x, key=key)

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

    def _array(self, *operands: ArrayLike) -> Array:
        """Return the array in the backend that the operands belong to."""
        parts = self._key if isinstance(self._key, tuple) else (self._key,)
        named = [(f"index {i}", stacked(part)) for i, part in enumerate(parts) if _is_indices(part)]
        values = [("values", operand) for operand in operands]
        owner = find_owner("at", [("x", self._x), *values, *named]) or active()
        x: Array = enter(owner, stacked(self._x), function="at", strong=True)
        return x

    def _entered(self, x: Array) -> tuple[Any, ...]:
        """Return the key with its arrays in the backend of the array."""
        parts = self._key if isinstance(self._key, tuple) else (self._key,)
        owner = find_owner("at", [("x", x)]) or active()
        return tuple(
            # JAX refuses lists, and reads a NumPy array after the call
            enter(owner, _indices.listed(part), function="at", argument="index")
            if _is_indices(part)
            else _indices.plain("at", part, x.shape)
            for part in parts
        )

    def _check(self, x: Array, key: tuple[Any, ...], values: Any = None) -> None:
        """Check the key, and that values broadcast with what it selects."""
        found = _indices.check("at", x.shape, key, _values)
        for mask in (one for one in key if _indices.is_mask(one) and _values(one) is None):
            error = concrete_needed(mask, "at(x)[mask]")
            raise type(error)(
                f"{error}. The shape of x[mask] depends on the values of the mask; "
                f"ub.where(mask, other, x) does not, nor does one number for all places"
            )
        shape = getattr(values, "shape", ())
        if shape and None not in (*x.shape, *shape):
            _indices.fits("at", tuple(shape), _indices.selected(x.shape, found))

    def _update(self, values: ArrayLike, mode: Mode) -> Array:
        values = stacked(values)
        if isinstance(values, list | tuple):
            values = np.asarray(values)
        x = self._array(values)
        _results.takes(f"at.{mode}", x.dtype)
        key = self._entered(x)
        unknown = len(key) == 1 and _indices.is_mask(key[0]) and _values(key[0]) is None
        if unknown and getattr(values, "shape", ()) == ():
            return self._masked(x, key[0], values, mode)
        self._check(x, key, values)
        return _at(x, values, key=key, mode=mode)

    def _masked(self, x: Array, mask: Array, values: Any, mode: Mode) -> Array:
        """Return the update at a mask without values, by one number for all places."""
        _indices.check("at", x.shape, (mask,), lambda part: None)
        _results.kept("at", x.dtype, values=kind_of(values))
        new = values if mode == "set" else _UPDATES[mode](x, values)
        return where(expand_dims(mask, tuple(range(mask.ndim, x.ndim))), new, x)


_UPDATES = {
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "min": minimum,
    "max": maximum,
}


def _is_indices(part: Any) -> bool:
    return is_array(part) or isinstance(part, list)


def _values(part: Any) -> Any:
    """Return NumPy's array of the values of an array, None where it has none yet."""
    owner = owner_of(part)
    return part if owner is None else owner.known(part)


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


@operation
def _get(x: ArrayLike, /, *, key: tuple[Any, ...]) -> Array:
    """Return the elements of an array at a key: what `at` calls.

    Args:
        x: an array.
        key: as for `_at`.
    """
    ...
