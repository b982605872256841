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
from .errors import AxisError, DomainError, DtypeError, OptionError, RangeError, ShapeError

Shape = tuple[int, ...]


def integer(function: str, name: str, value: Any) -> int:
    """Return a size, an axis or a count as an integer.

    Raises:
        TracingError: an array that has no value yet, in a function being compiled.
        DtypeError: no integer.
        RangeError: one beyond 64 bits.
    """
    try:
        number = operator.index(value)
        if not -(2**63) <= number < 2**63:
            raise RangeError(f"{function}: {name}={number} does not fit 64 bits")
        return number
    except TypeError as error:
        from ._dispatch import is_array
        from .arrays import concrete_needed

        if is_array(value) and value.ndim == 0 and value.dtype.kind in "iu":
            raise concrete_needed(value, f"{function}: {name}") from error
        raise DtypeError(f"{function}: {name}={value!r:.80} is not an integer") from None


_FAR = 2**30  # from the main diagonal: no matrix has this one, and kernels add to it in int32


def diagonal(function: str, value: Any) -> int:
    """Return the number `k` of a diagonal; one far outside of any matrix stays outside."""
    if type(value) is int:
        value = max(-_FAR, min(value, _FAR))
    return integer(function, "k", value)


def count(function: str, name: str, value: Any) -> int:
    """Return a number of things, 0 or more; errors as of `integer`.

    Raises:
        ShapeError: it is negative.
    """
    number = integer(function, name, value)
    if number < 0:
        raise ShapeError(f"{function}: {name}={number} is negative; give 0 or more")
    return number


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


def copying(function: str, value: Any) -> bool | None:
    """Return the argument `copy`: whether to copy, None where it must; errors as of `flag`."""
    return None if value is None else flag(function, "copy", value)


def choice(function: str, name: str, value: Any, allowed: Sequence[str]) -> str:
    """Return a word that an option may be.

    Raises:
        OptionError: it is none of those allowed.
    """
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(
            f"{function}: {name}={value!r:.80} is not one of {', '.join(map(repr, allowed))}"
        )
    return value


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
    if type(axis) is int:
        return (one_axis(function, axis, ndim, name),)
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


def grid(function: str, shapes: Sequence[Shape], indexing: Any) -> Shape:
    """Return the axis of the grid along which each array of a meshgrid goes.

    Raises:
        ShapeError: an array that has not one axis.
        OptionError: an `indexing` that is neither "xy" nor "ij".
    """
    word = choice(function, "indexing", indexing, ("xy", "ij"))
    for i, shape in enumerate(shapes):
        if len(shape) != 1:
            raise ShapeError(
                f"{function}: arrays[{i}] has the shape {tuple(shape)}; each array has one axis. "
                f"Flatten it with ub.reshape(x, (-1,))"
            )
    axes = tuple(range(len(shapes)))
    return (1, 0, *axes[2:]) if word == "xy" and len(axes) > 1 else axes


PADDINGS = ("constant", "edge", "reflect", "symmetric", "wrap")


def padded(function: str, shape: Shape, pad_width: Any, mode: Any) -> tuple[tuple[int, int], ...]:
    """Return how many elements are added before and after each axis.

    Raises:
        DtypeError: widths that are no integers.
        ShapeError: widths for another number of axes, a negative one, or an axis of length 0 that
            is to be continued with its own elements.
        OptionError: an unknown mode.
    """
    word = choice(function, "mode", mode, PADDINGS)
    given = [(pad_width,)] if not isinstance(pad_width, Iterable) else list(pad_width)
    if not any(isinstance(one, Iterable) for one in given):
        given = [given] * len(shape) if given or shape else []
    pairs = [several(function, "pad_width", one) for one in given]
    if len(pairs) == 1:
        pairs *= len(shape)
    pairs = [pair * 2 if len(pair) == 1 else pair for pair in pairs]
    if len(pairs) != len(shape) or any(len(pair) != 2 for pair in pairs):
        raise ShapeError(
            f"{function}: pad_width={pad_width!r:.80} does not fit an array of shape {shape}; it "
            f"is an integer, a pair (before, after), or such a pair for each axis"
        )
    if any(size < 0 for pair in pairs for size in pair):
        raise ShapeError(f"{function}: pad_width={pad_width!r:.80} has a negative width")
    for axis, (size, pair) in enumerate(zip(shape, pairs, strict=True)):
        if not size and any(pair) and word != "constant":
            raise ShapeError(
                f"{function}: axis {axis} of an array of shape {shape} has no elements that "
                f"mode={word!r} could repeat; use mode='constant'"
            )
    return tuple((before, after) for before, after in pairs)


def window(function: str, shape: Shape, starts: Shape, sizes: Any) -> Shape:
    """Return the shape of a slice whose place is known later.

    Args:
        function: the operation, for errors.
        shape: of the array.
        starts: the shape of the array of starts.
        sizes: of the slice, one for each axis.

    Raises:
        ShapeError: not one start and one size for each axis, or a slice that is larger than the
            array.
    """
    wanted = several(function, "slice_sizes", sizes)
    if tuple(starts) != (len(shape),):
        raise ShapeError(
            f"{function}: start_indices has the shape {tuple(starts)}; it is one integer for each "
            f"of the {len(shape)} axes of an array of shape {shape}"
        )
    if len(wanted) != len(shape) or any(
        one < 0 or (one != size and one > size) for one, size in zip(wanted, shape, strict=True)
    ):
        raise ShapeError(
            f"{function}: a slice of shape {wanted} is not part of an array of shape {shape}"
        )
    return wanted


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
        DtypeError: neither an integer nor two sequences of integers.
    """
    if isinstance(axes, tuple | list):
        if len(axes) != 2 or not all(isinstance(one, tuple | list) for one in axes):
            raise DtypeError(
                f"{function}: axes={axes!r:.80} is neither an integer nor two sequences of "
                f"integers, the axes of x1 and of x2"
            )
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


def negative_power(exponent: int, dtype: dtypes.Dtype | type) -> DomainError:
    """Return the error for an integer to a negative power."""
    return DomainError(
        f"pow: {dtypes.result_type(dtype)} to the power of {exponent} would be fractions; make "
        f"the base a float with ub.astype, or the exponent one, as {float(exponent)}"
    )


def without_leading_ones(shape: Sequence[int]) -> Shape:
    """Return a shape without leading axes of length 1, which broadcasts alike."""
    first = next((axis for axis, size in enumerate(shape) if size != 1), len(shape))
    return tuple(shape[first:])


def has_axes(function: str, shape: Shape) -> None:
    """Check that an array has an axis.

    Raises:
        ShapeError: it has none.
    """
    if not shape:
        raise ShapeError(
            f"{function}: an array without axes has no places; write ub.reshape(x, (1,))"
        )


def sorted_line(function: str, shape: Shape, sorter: Shape | None) -> None:
    """Check that an array to search is one line of elements, and that a sorter is as long.

    Raises:
        ShapeError: otherwise.
    """
    if len(shape) != 1:
        raise ShapeError(
            f"{function}: x1 has the shape {shape}; what is searched has one axis; flatten it "
            f"with ub.reshape(x1, (-1,))"
        )
    if sorter is not None and sorter != shape:
        raise ShapeError(f"{function}: sorter of shape {sorter} does not fit x1 of shape {shape}")


def top(function: str, shape: Shape, k: Any, axis: Any) -> tuple[int, int]:
    """Return how many elements are taken along an axis, and the axis.

    Raises:
        ShapeError: no such axis, a negative number, or more than there are.
    """
    where, most = one_axis(function, axis, len(shape)), count(function, "k", k)
    if most > shape[where]:
        raise ShapeError(
            f"{function}: k={most}, but axis {where} of an array of shape {shape} has "
            f"{shape[where]} elements"
        )
    return most, where


def segments(function: str, shape: Shape, numbers: Shape) -> None:
    """Check that there is one number for each slice along the first axis.

    Raises:
        ShapeError: otherwise.
    """
    if not shape or len(numbers) != 1 or shape[0] != numbers[0]:
        raise ShapeError(
            f"{function}: data of shape {shape} and segment_ids of shape {numbers}; there is one "
            f"number for each slice along the first axis of data, along one axis"
        )


def around_line(function: str, shapes: Sequence[Shape], own: Shape, axis: Any) -> int:
    """Return the axis along which an array is lengthened by others.

    Args:
        function: the function, for errors.
        shapes: of the others; one without axes stands for one element everywhere.
        own: of the array.
        axis: the axis asked for.

    Raises:
        ShapeError: no such axis, or shapes that differ elsewhere.
    """
    where = one_axis(function, axis, len(own))
    return joined(function, [own, *(shape for shape in shapes if shape)], where)
