"""Shapes and the order of elements: nothing is computed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from .. import _shapes
from .._dispatch import operation, sequence_operation, variadic_operation
from ..errors import DtypeError
from ..typing import Array, ArrayLike

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "pad",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]


@variadic_operation
def broadcast_arrays(*arrays: ArrayLike) -> tuple[Array, ...]:
    """Return arrays broadcast to the shape that they have in common.

    Args:
        arrays: any number of arrays; each keeps its dtype.

    Raises:
        ShapeError: shapes that do not broadcast.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     [x.shape for x in ub.broadcast_arrays([1, 2], [[3], [4]])]
        [(2, 2), (2, 2)]
    """
    ...


def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Return the shape that shapes broadcast to.

    Args:
        shapes: any number of tuples of sizes; one that is not known yet is None, and so it stays
            unless another shape says what it must be.

    Raises:
        ShapeError: shapes that do not broadcast, or a negative size.

    Examples:
        >>> import unibackend as ub
        >>> ub.broadcast_shapes((2, 1), (3,)), ub.broadcast_shapes((None, 1), (4,))
        ((2, 3), (None, 4))
    """
    for shape in shapes:
        if not isinstance(shape, tuple | list):
            raise DtypeError(f"broadcast_shapes: {shape!r:.80} is not a tuple of integers")
    known = [tuple(1 if n is None else n for n in shape) for shape in shapes]
    sizes = [_shapes.as_shape("broadcast_shapes", shape) for shape in known]
    found = _shapes.broadcast("broadcast_shapes", *sizes)
    unknown = {i - len(shape) for shape in shapes for i, n in enumerate(shape) if n is None}
    return tuple(None if n == 1 and i - len(found) in unknown else n for i, n in enumerate(found))


@operation
def broadcast_to(x: ArrayLike, /, shape: tuple[int, ...]) -> Array:
    """Return an array broadcast to a shape.

    Args:
        x: an array.
        shape: the size of each axis of the result.

    Returns:
        An array of this shape.

    Raises:
        ShapeError: the shape of x does not broadcast to it.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.broadcast_to([1, 2], (2, 2))
        array([[1, 2],
               [1, 2]], dtype=int32)
    """
    ...


@sequence_operation
def concat(arrays: Sequence[ArrayLike] | Array, /, *, axis: int | None = 0) -> Array:
    """Return arrays joined along an axis that they have.

    Args:
        arrays: one or more arrays, of the same shape except along the axis.
        axis: the axis; None joins the flattened arrays.

    Returns:
        An array of their common dtype.

    Raises:
        ShapeError: no arrays, no such axis, or shapes that do not fit.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.concat([[1, 2], [3]])
        array([1, 2, 3], dtype=int32)
    """
    ...


@operation
def expand_dims(x: ArrayLike, /, axis: int | tuple[int, ...]) -> Array:
    """Return an array with axes of length 1 put in.

    Args:
        x: an array.
        axis: where the new axes are in the result.

    Returns:
        An array with the same elements.

    Raises:
        ShapeError: no such place, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.expand_dims([1, 2], axis=(0, 2)).shape
        (1, 2, 1)
    """
    ...


@operation
def flip(x: ArrayLike, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Return an array with the order along axes reversed.

    Args:
        x: an array.
        axis: the axes; None is all of them.

    Returns:
        An array of the same shape.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.flip([1, 2, 3])
        array([3, 2, 1], dtype=int32)
    """
    ...


@operation(arrays=("x",))
def moveaxis(
    x: ArrayLike, source: int | tuple[int, ...], destination: int | tuple[int, ...], /
) -> Array:
    """Return an array with axes moved to other places, the others staying in order.

    Args:
        x: an array.
        source: the axes to move.
        destination: where each of them is in the result.

    Returns:
        An array with the same elements.

    Raises:
        ShapeError: no such axis, one that is named twice, or not as many places as axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.moveaxis(ub.zeros((2, 3, 4)), 0, -1).shape
        (3, 4, 2)
    """
    ...


@operation
def pad(
    x: ArrayLike,
    /,
    pad_width: int | tuple[Any, ...],
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    *,
    constant_values: complex | Array = 0,
) -> Array:
    """Return an array with elements added before and after those along its axes.

    Args:
        x: an array.
        pad_width: how many: an integer for all ends, a pair (before, after) for all axes, or such
            a pair for each axis.
        mode: what they are: "constant", "edge" (the nearest element), "reflect" (mirrored at the
            last element, which is not repeated), "symmetric" (mirrored behind it), or "wrap" (the
            elements from the other end). They go on as long as is needed.
        constant_values: the number, or array without axes, of the mode "constant".

    Returns:
        An array of the dtype of x.

    Raises:
        ShapeError: widths that do not fit the axes, a negative one, or an axis of length 0 in
            another mode than "constant".
        OptionError: an unknown mode.
        DtypeError: a constant whose dtype would change that of the array.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.pad([1, 2, 3], 1), ub.pad([1, 2, 3], (0, 2), mode="reflect")
        (array([0, 1, 2, 3, 0], dtype=int32), array([1, 2, 3, 2, 1], dtype=int32))
    """
    ...


@operation
def permute_dims(x: ArrayLike, /, axes: tuple[int, ...]) -> Array:
    """Return an array with its axes in another order.

    Args:
        x: an array.
        axes: which axis of x comes first, second, ...

    Returns:
        An array with the same elements.

    Raises:
        ShapeError: not each axis named once.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.permute_dims([[1, 2, 3]], (1, 0))
        array([[1],
               [2],
               [3]], dtype=int32)
    """
    ...


@operation
def repeat(x: ArrayLike, repeats: ArrayLike, /, *, axis: int | None = None) -> Array:
    """Return an array with each element along an axis repeated.

    Args:
        x: an array.
        repeats: how often, not negative: one integer for all, or one for each element.
        axis: the axis; None flattens x first.

    Returns:
        An array that is longer along the axis.

    Raises:
        ShapeError: no such axis, or not as many numbers as elements, or a negative one.
        TracingError: numbers without values in a function being compiled: they set a shape.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.repeat([10, 20], [1, 3])
        array([10, 20, 20, 20], dtype=int32)
    """
    ...


@operation
def reshape(
    x: ArrayLike,
    /,
    shape: tuple[int, ...],
    *,
    copy: bool | None = None,
    order: Literal["C", "F"] = "C",
) -> Array:
    """Return the elements of an array, in order, in another shape.

    Args:
        x: an array.
        shape: the new shape, with as many elements; one size may be -1, to be computed.
        copy: True always copies; False raises where a copy would be needed.
        order: of the elements, in both shapes: "C" has the last axis change fastest, "F" the
            first.

    Returns:
        An array of this shape.

    Raises:
        ShapeError: a shape with another number of elements.
        OptionError: another order.
        ValueError: `copy=False` where a copy is needed.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.reshape([1, 2, 3, 4], (2, -1))
        array([[1, 2],
               [3, 4]], dtype=int32)
    """
    ...


@operation
def roll(
    x: ArrayLike,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
) -> Array:
    """Return an array with its elements moved along axes; those moved out come in again.

    Args:
        x: an array.
        shift: by how many places; one for all axes or one for each.
        axis: the axes; None rolls the flattened array and keeps the shape.

    Returns:
        An array of the same shape.

    Raises:
        ShapeError: no such axis, or not as many shifts as axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.roll([1, 2, 3], 1)
        array([3, 1, 2], dtype=int32)
    """
    ...


@operation
def squeeze(x: ArrayLike, /, axis: int | tuple[int, ...]) -> Array:
    """Return an array without some of its axes of length 1.

    Args:
        x: an array.
        axis: the axes to remove.

    Returns:
        An array with the same elements.

    Raises:
        ShapeError: no such axis, or one that is longer.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.squeeze([[1, 2]], axis=0)
        array([1, 2], dtype=int32)
    """
    ...


@sequence_operation
def stack(arrays: Sequence[ArrayLike] | Array, /, *, axis: int = 0) -> Array:
    """Return arrays of one shape joined along a new axis.

    Args:
        arrays: one or more arrays of the same shape.
        axis: where the new axis is in the result.

    Returns:
        An array of their common dtype.

    Raises:
        ShapeError: no arrays, no such place, or shapes that differ.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.stack([[1, 2], [3, 4]], axis=1)
        array([[1, 3],
               [2, 4]], dtype=int32)
    """
    ...


@operation(arrays=("x",))
def tile(x: ArrayLike, repetitions: tuple[int, ...], /) -> Array:
    """Return copies of an array side by side.

    Args:
        x: an array.
        repetitions: how many copies along each axis; the shorter of it and the shape is filled
            up with ones on the left.

    Returns:
        An array whose sizes are the products.

    Raises:
        ShapeError: a negative number of copies.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.tile([1, 2], (2,))
        array([1, 2, 1, 2], dtype=int32)
    """
    ...


@operation
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return the slices of an array along an axis.

    Args:
        x: an array of one axis at least.
        axis: the axis, which the slices have no longer.

    Returns:
        As many arrays as the axis is long.

    Raises:
        ShapeError: no such axis.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.unstack([[1, 2], [3, 4]], axis=1)
        (array([1, 3], dtype=int32), array([2, 4], dtype=int32))
    """
    ...
