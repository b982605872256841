"""Shapes and axes, worked out before a backend is touched: plain integers in and out.

Every function takes the name of the operation for its errors. What does not fit is a ShapeError
on every backend, with the shapes, the rule and the remedy.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import dtypes
from .errors import AxisError, DtypeError, ShapeError

Shape = tuple[int, ...]


def integer(function: str, name: str, value: Any) -> int:
    """Return a size, an axis or a count as an integer.

    Raises:
        TracingError: an array that has no value yet, in a function being compiled.
        DtypeError: no integer.
    """
    try:
        return operator.index(value)
    except TypeError as error:
        from ._dispatch import is_array
        from .arrays import concrete_needed

        if is_array(value) and value.ndim == 0 and value.dtype.kind in "iu":
            raise concrete_needed(value, f"{function}: {name}") from error
        raise DtypeError(f"{function}: {name}={value!r:.80} is not an integer") from None


def several(function: str, name: str, value: Any) -> Shape:
    """Return a tuple of axes or counts.

    Raises:
        DtypeError: no tuple of integers.
    """
    try:
        given = tuple(value)
    except TypeError:
        raise DtypeError(
            f"{function}: {name}={value!r:.80} is not a tuple of integers; write ({name},) for one"
        ) from None
    return tuple(integer(function, name, one) for one in given)


def flag(function: str, name: str, value: Any) -> bool:
    """Return a switch, a bool of Python's or NumPy's.

    Raises:
        DtypeError: something else, which Python would count as true or false.
    """
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise DtypeError(f"{function}: {name}={value!r:.80} is neither True nor False")


def as_shape(function: str, shape: Any) -> Shape:
    """Return a shape as a tuple; one integer stands for one axis.

    Raises:
        DtypeError: no integers.
        ShapeError: a negative size.
    """
    if hasattr(shape, "__index__") and not hasattr(shape, "__len__"):
        sizes: Shape = (integer(function, "shape", shape),)
    elif isinstance(shape, Iterable) and getattr(shape, "ndim", 1) > 0:
        sizes = tuple(integer(function, "shape", size) for size in shape)
    else:
        sizes = (integer(function, "shape", shape),)
    if any(size < 0 for size in sizes):
        raise ShapeError(f"{function}: shape={sizes} has a negative size; sizes are 0 or more")
    return sizes


def one_axis(function: str, axis: Any, ndim: int, name: str = "axis") -> int:
    """Return an axis counted from the front.

    Raises:
        AxisError: there is no such axis.
    """
    number = integer(function, name, axis)
    if not -ndim <= number < ndim:
        if ndim == 0:
            raise AxisError(f"{function}: {name}={number}, but an array without axes has none")
        raise AxisError(
            f"{function}: {name}={number} is not an axis of an array of {ndim}; "
            f"they are {-ndim} to {ndim - 1}"
        )
    return number % ndim


def all_axes(function: str, axis: Any, ndim: int, name: str = "axis") -> Shape:
    """Return axes counted from the front, in the order given; None is all of them.

    Raises:
        ShapeError: there is no such axis, or one is named twice.
    """
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, tuple | list) else (axis,)
    axes = tuple(one_axis(function, one, ndim, name) for one in given)
    if len(set(axes)) != len(axes):
        raise ShapeError(f"{function}: {name}={axis!r} names an axis twice")
    return axes


def reduced(function: str, shape: Shape, axis: Any) -> Shape:
    """Return the axes of a reduction without an identity, which needs elements.

    Raises:
        ShapeError: an axis of length 0.
    """
    axes = all_axes(function, axis, len(shape))
    if any(shape[one] == 0 for one in axes):
        raise ShapeError(
            f"{function}: no elements along axis={axis!r} of an array of shape {shape}, and "
            f"{function} of nothing is not defined"
        )
    return axes


def line(function: str, shape: Shape, axis: Any) -> int:
    """Return the axis of an operation along one; None where there is no other choice.

    Raises:
        ShapeError: None for an array of several axes.
    """
    if axis is None:
        if len(shape) != 1:
            raise ShapeError(
                f"{function}: axis=None needs an array of one axis, and this one has the shape "
                f"{shape}; give the axis, or flatten it with ub.reshape(x, (-1,))"
            )
        return 0
    return one_axis(function, axis, len(shape))


def broadcast(function: str, *shapes: Sequence[int]) -> Shape:
    """Return the shape that shapes broadcast to.

    Raises:
        ShapeError: two sizes of one axis that differ, and neither is 1.
    """
    ndim = max(map(len, shapes), default=0)
    result = [1] * ndim
    for shape in shapes:
        for place, size in enumerate(shape, ndim - len(shape)):
            if size == 1 or size == result[place]:
                continue
            if result[place] != 1:
                described = " and ".join(str(tuple(shape)) for shape in shapes)
                raise ShapeError(
                    f"{function}: the shapes {described} do not broadcast: counted from the end, "
                    f"axis {place - ndim} has both {result[place]} and {size} elements"
                )
            result[place] = size
    return tuple(result)


def broadcast_to(function: str, shape: Shape, target: Any) -> Shape:
    """Return a shape that another broadcasts to.

    Raises:
        ShapeError: it does not.
    """
    wanted = as_shape(function, target)
    try:
        fits = broadcast(function, shape, wanted) == wanted
    except ShapeError:
        fits = False
    if not fits:
        raise ShapeError(f"{function}: the shape {shape} does not broadcast to {wanted}")
    return wanted


def reshape(function: str, shape: Shape, target: Any) -> Shape:
    """Return the shape that a reshape gives, with -1 replaced by what is left.

    Raises:
        ShapeError: another number of elements, or a -1 that is not determined.
    """
    given = (target,) if not isinstance(target, Iterable) else tuple(target)
    sizes = [integer(function, "shape", size) for size in given]
    total = math.prod(shape)
    if sizes.count(-1) == 1:
        known = math.prod(size for size in sizes if size != -1)
        if known > 0 and total % known == 0:
            sizes[sizes.index(-1)] = total // known
    if any(size < 0 for size in sizes) or math.prod(sizes) != total:
        raise ShapeError(
            f"{function}: an array of shape {shape} has {total} elements, which do not fill "
            f"shape={tuple(given)}"
        )
    return tuple(sizes)


def squeezed(function: str, shape: Shape, axis: Any) -> Shape:
    """Return the axes that a squeeze removes.

    Raises:
        ShapeError: no such axis, or one that is longer than 1.
    """
    axes = all_axes(function, axis, len(shape))
    long = [one for one in axes if shape[one] != 1]
    if long:
        raise ShapeError(
            f"{function}: axis {long[0]} of an array of shape {shape} has {shape[long[0]]} "
            f"elements; only axes of length 1 can go"
        )
    return axes


def expanded(function: str, shape: Shape, axis: Any) -> Shape:
    """Return the shape with axes of length 1 put in.

    Raises:
        ShapeError: no such place, or one that is named twice.
    """
    if axis is None:
        raise DtypeError(f"{function}: axis=None is not an integer or a tuple of integers")
    count = len(axis) if isinstance(axis, tuple | list) else 1
    new = set(all_axes(function, axis, len(shape) + count))
    sizes = iter(shape)
    return tuple(1 if place in new else next(sizes) for place in range(len(shape) + count))


def permutation(function: str, axes: Any, ndim: int) -> Shape:
    """Return an order of all axes, counted from the front.

    Raises:
        ShapeError: not each axis named once.
    """
    order = all_axes(function, several(function, "axes", axes), ndim, "axes")
    if len(order) != ndim:
        raise ShapeError(
            f"{function}: axes={tuple(axes)} must name each of the {ndim} axes of the array once"
        )
    return order


def moved(function: str, source: Any, destination: Any, ndim: int) -> Shape:
    """Return the order of axes that moves some of them to other places.

    Raises:
        ShapeError: no such axis, one that is named twice, or not as many places as axes.
    """
    start = all_axes(function, source, ndim, "source")
    end = all_axes(function, destination, ndim, "destination")
    if len(start) != len(end):
        raise ShapeError(
            f"{function}: source={source!r} and destination={destination!r} differ in length"
        )
    order = [axis for axis in range(ndim) if axis not in start]
    for place, axis in sorted(zip(end, start, strict=True)):
        order.insert(place, axis)
    return tuple(order)


def rolled(function: str, shift: Any, axis: Any, ndim: int) -> tuple[Shape, Shape]:
    """Return one shift for each of the axes of a roll; an axis may occur again.

    Raises:
        ShapeError: no such axis, or not as many shifts as axes.
    """
    axes = tuple(
        one_axis(function, one, ndim) for one in (axis if isinstance(axis, tuple) else (axis,))
    )
    shifts = tuple(
        integer(function, "shift", one) for one in (shift if isinstance(shift, tuple) else (shift,))
    )
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(shifts) != len(axes):
        raise ShapeError(f"{function}: shift={shift!r} and axis={axis!r} differ in length")
    return shifts, axes


def tiled(function: str, shape: Shape, repetitions: Any) -> tuple[Shape, Shape]:
    """Return the shape and the numbers of copies, both filled up with ones on the left.

    Raises:
        ShapeError: a negative number of copies.
    """
    copies = several(function, "repetitions", repetitions)
    if any(one < 0 for one in copies):
        raise ShapeError(f"{function}: repetitions={copies} has a negative number of copies")
    ndim = max(len(shape), len(copies))
    return (
        (1,) * (ndim - len(shape)) + tuple(shape),
        (1,) * (ndim - len(copies)) + copies,
    )


def joined(function: str, shapes: Sequence[Shape], axis: Any) -> int:
    """Return the axis along which arrays are joined.

    Raises:
        ShapeError: no arrays, no such axis, or shapes that differ elsewhere.
    """
    if not shapes:
        raise ShapeError(f"{function}: at least one array is needed")
    where = one_axis(function, axis, len(shapes[0]))
    rest = [(*shape[:where], *shape[where + 1 :]) for shape in shapes]
    if any(len(shape) != len(shapes[0]) for shape in shapes) or len(set(rest)) != 1:
        raise ShapeError(
            f"{function}: the shapes {', '.join(map(str, shapes))} differ in more than "
            f"axis {where}, along which they are joined"
        )
    return where


def stacked(function: str, shapes: Sequence[Shape], axis: Any) -> int:
    """Return the place of the new axis of a stack.

    Raises:
        ShapeError: no arrays, no such place, or shapes that differ.
    """
    if not shapes:
        raise ShapeError(f"{function}: at least one array is needed")
    if len(set(shapes)) != 1:
        raise ShapeError(
            f"{function}: the shapes {', '.join(map(str, shapes))} differ; a stack is of arrays "
            f"of one shape"
        )
    return one_axis(function, axis, len(shapes[0]) + 1)


def contracted(function: str, first: Shape, second: Shape, axes: Any) -> tuple[Shape, Shape]:
    """Return the paired axes of a tensordot, counted from the front.

    Raises:
        ShapeError: no such axes, or paired axes of different lengths.
    """
    if isinstance(axes, tuple | list):
        left = all_axes(function, tuple(axes[0]), len(first), "axes[0]")
        right = all_axes(function, tuple(axes[1]), len(second), "axes[1]")
    else:
        count = integer(function, "axes", axes)
        if not 0 <= count <= min(len(first), len(second)):
            raise ShapeError(
                f"{function}: axes={count}, but the shapes are {first} and {second}; it is 0 "
                f"to the smaller number of axes"
            )
        left = tuple(range(len(first) - count, len(first)))
        right = tuple(range(count))
    if [first[one] for one in left] != [second[one] for one in right]:
        raise ShapeError(
            f"{function}: the axes {left} of shape {first} and {right} of shape {second} are "
            f"summed over in pairs, and differ in length"
        )
    return left, right


def vectors(function: str, first: Shape, second: Shape, axis: Any) -> tuple[int, int, Shape]:
    """Return the axis of each operand of a vecdot, and the shape of the result.

    Raises:
        ShapeError: no such axis, vectors of different lengths, or shapes that do not broadcast.
    """
    number = integer(function, "axis", axis)
    if number >= 0 and len(first) != len(second):
        raise ShapeError(
            f"{function}: axis={number} is counted from the front, but the shapes {first} and "
            f"{second} differ in their number of axes; count it from the end, as in axis=-1"
        )
    left = one_axis(function, number, len(first))
    right = one_axis(function, number, len(second))
    if first[left] != second[right]:
        raise ShapeError(
            f"{function}: the vectors have {first[left]} and {second[right]} elements; the shapes "
            f"are {first} and {second}, and axis={number}"
        )
    rest = broadcast(
        function,
        (*first[:left], *first[left + 1 :]),
        (*second[:right], *second[right + 1 :]),
    )
    return left, right, rest


def aligned(function: str, shape: Shape, indices: Shape, axis: Any) -> tuple[int, Shape, Shape]:
    """Return the axis of a take_along_axis, and the shapes that both operands broadcast to.

    Raises:
        ShapeError: no such axis, other numbers of axes, or shapes that do not broadcast.
    """
    where = one_axis(function, axis, len(shape))
    if len(shape) != len(indices):
        raise ShapeError(
            f"{function}: x of shape {shape} and indices of shape {indices} must have the same "
            f"number of axes"
        )
    rest = broadcast(
        function,
        (*shape[:where], 1, *shape[where + 1 :]),
        (*indices[:where], 1, *indices[where + 1 :]),
    )
    return (
        where,
        (*rest[:where], shape[where], *rest[where + 1 :]),
        (*rest[:where], indices[where], *rest[where + 1 :]),
    )


def matrices(function: str, shape: Shape) -> None:
    """Check that an array has rows and columns.

    Raises:
        ShapeError: fewer than two axes.
    """
    if len(shape) < 2:
        raise ShapeError(
            f"{function}: an array of shape {shape} has no rows and columns; two axes are needed"
        )


def repetitions(function: str, counts: Shape, size: int) -> None:
    """Check the numbers of a repeat: one for all, or one for each element, none negative.

    Raises:
        ShapeError: otherwise.
    """
    if len(counts) not in (1, size):
        raise ShapeError(
            f"{function}: {len(counts)} repeats for {size} elements; give one integer, or one each"
        )
    if any(count < 0 for count in counts):
        raise ShapeError(f"{function}: repeats={min(counts)} is negative")


def negative_power(exponent: int, dtype: dtypes.Dtype | type) -> str:
    """Return the message about an integer to a negative power."""
    return (
        f"pow: {dtypes.result_type(dtype)} to the power of {exponent} would be fractions; make "
        f"the base a float with ub.astype, or the exponent one, as {float(exponent)}"
    )


def without_leading_ones(shape: Sequence[int]) -> Shape:
    """Return a shape without leading axes of length 1, which broadcasts alike."""
    first = next((axis for axis, size in enumerate(shape) if size != 1), len(shape))
    return tuple(shape[first:])
