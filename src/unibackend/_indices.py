"""The rules of indices that hold on every backend, before one is touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _results, _shapes
from ._entry import stacked
from ._shapes import Shape
from .errors import BoundsError, ShapeError


def in_bounds(function: str, low: int, high: int, size: int, axis: int) -> None:
    """Check the smallest and largest index along an axis.

    Raises:
        BoundsError: one is out of bounds.
    """
    if low < -size or high >= size:
        wrong = low if low < -size else high
        raise BoundsError(
            f"{function}: index {wrong} is out of bounds for axis {axis} with {size} elements"
        )


def within(function: str, values: Any, size: int, axis: int) -> None:
    """Check all indices along an axis, in NumPy's array or None where they have no values.

    Raises:
        IndexError: one is out of bounds.
    """
    if values is not None and values.size:
        in_bounds(function, int(values.min()), int(values.max()), size, axis)


def is_mask(part: Any) -> bool:
    """Tell whether a part of a key is an array of bools."""
    return getattr(getattr(part, "dtype", None), "kind", "") == "b"


def listed(part: Any) -> Any:
    """Return a list of indices with arrays of a backend in it as their stack.

    An empty one is of integers, as it is for NumPy.
    """
    if not isinstance(part, list):
        return part
    part = stacked(part)
    empty = isinstance(part, list) and not np.size(part)
    return np.zeros(np.shape(part), np.int32) if empty else part


def plain(function: str, part: Any, shape: Shape) -> Any:
    """Return what stands between brackets with plain integers in it; arrays stay as they are.

    Numbers of slices beyond the longest axis are brought near it: some kernels stop at 32 bits.

    Raises:
        TracingError: the end of a slice that has no value yet, in a function being compiled.
        IndexError: something that is no index.
    """
    if part is None or part is Ellipsis or hasattr(part, "shape"):
        return part
    if isinstance(part, bool):
        return np.asarray(part)
    if isinstance(part, slice):
        ends = (part.start, part.stop, part.step)
        if part.step == 0:
            raise ShapeError(f"{function}: a step of 0 in {part}")
        far = 2**31 - 1 if None in shape else max(shape, default=0) + 1
        whole = (x if x is None else _shapes.integer(function, "slice", x) for x in ends)
        return slice(*(x if x is None else max(-far, min(far, x)) for x in whole))
    if not hasattr(part, "__index__"):
        raise IndexError(
            f"{function}: {part!r:.60} is not an index; indices are integers, slices, None, an "
            f"ellipsis, and arrays of integers or bools"
        )
    return part.__index__()


def check(
    function: str, shape: Shape, key: tuple[Any, ...], values_of: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """Check a key for an array of a shape, and return NumPy's for the same place.

    Args:
        function: the operation, for errors.
        shape: of the array; None is a size that is not known.
        key: what stands between the brackets, made `plain`.
        values_of: from an array in it to NumPy's of its values, None where it has none yet.

    Raises:
        IndexError: too many indices, one out of bounds, a mask of another shape, two ellipses,
            arrays that do not broadcast.
        DtypeError: an array of indices that are not integers.
    """
    counts = [
        0 if part is None or part is Ellipsis else part.ndim if is_mask(part) else 1 for part in key
    ]
    missing = len(shape) - sum(counts)
    if missing < 0 or sum(part is Ellipsis for part in key) > 1:
        what = f"{sum(counts)} indices" if missing < 0 else "two ellipses"
        raise IndexError(f"{function}: {what} for an array of {len(shape)} axes, shape {shape}")
    found, axis = [], 0
    for part, count in zip(key, counts, strict=True):
        sizes = shape[axis : axis + count]
        if is_mask(part):
            pairs = zip(part.shape, sizes, strict=True)
            if any(own not in (0, size) for own, size in pairs if None not in (own, size)):
                raise IndexError(
                    f"{function}: a mask of shape {tuple(part.shape)} for axes of shape {sizes}"
                )
            found.append(values_of(part))
        elif hasattr(part, "shape"):
            _results.indices(function, part.dtype)
            values = values_of(part)
            if sizes[0] is not None:
                within(function, values, sizes[0], axis)
            known = tuple(1 if size is None else size for size in part.shape)
            found.append(np.zeros(known, int) if values is None else values)
        else:
            if isinstance(part, int) and sizes[0] is not None:
                in_bounds(function, part, part, sizes[0], axis)
            found.append(part)
        axis += missing if part is Ellipsis else count
    _check_together(function, found)
    return tuple(found)


def _check_together(function: str, key: list[Any]) -> None:
    shapes = [
        (int(np.count_nonzero(part)),) if is_mask(part) else part.shape
        for part in key
        if hasattr(part, "shape")
    ]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        raise IndexError(
            f"{function}: arrays of indices of the shapes {', '.join(map(str, shapes))} do not "
            f"broadcast"
        ) from None


def selected(shape: Shape, key: tuple[Any, ...]) -> Shape:
    """Return the shape of what a key, as `check` returns it, selects from an array of a shape."""
    place: Shape = np.broadcast_to(np.False_, shape)[key].shape
    return place


def fits(function: str, own: Shape, place: Shape) -> None:
    """Check that values broadcast to the place that they are for.

    Raises:
        ShapeError: they do not.
    """
    own = _shapes.without_leading_ones(own)  # NumPy's rule
    if len(own) > len(place) or any(
        a not in (1, b) for a, b in zip(own[::-1], place[::-1], strict=False)
    ):
        raise ShapeError(
            f"{function}: values of shape {own} do not broadcast to the shape {place} of x[...]"
        )
