"""The rules of indices that hold on every backend, before one is touched."""

from __future__ import annotations

import operator
from typing import Any

from ._shapes import Shape


def in_bounds(function: str, low: int, high: int, size: int, axis: int) -> None:
    """Check the smallest and largest index along an axis.

    Raises:
        IndexError: one is out of bounds.
    """
    if low < -size or high >= size:
        wrong = low if low < -size else high
        raise IndexError(
            f"{function}: index {wrong} is out of bounds for axis {axis} with {size} elements"
        )


def indexed(function: str, shape: Shape, key: tuple[Any, ...]) -> list[tuple[int, int, Any]]:
    """Return the axis, its size and the index, for each integer and array of integers of a key.

    Args:
        function: the operation, for errors.
        shape: of the array.
        key: what stands between the brackets: integers, slices, None, an ellipsis, arrays.

    Raises:
        IndexError: too many indices, a mask of another shape, or something that is no index.
    """

    def width(part: Any) -> int:
        if part is None or part is Ellipsis or part is True or part is False:
            return 0
        dtype = getattr(part, "dtype", None)
        return part.ndim if getattr(dtype, "kind", "") == "b" else 1

    missing = len(shape) - sum(map(width, key))
    if missing < 0:
        raise IndexError(
            f"{function}: an index of {len(shape) - missing} axes for an array of shape {shape}"
        )
    found, axis = [], 0
    for part in key:
        size = width(part)
        if part is Ellipsis:
            axis += missing
        elif hasattr(part, "dtype"):
            if part.dtype == bool:
                if tuple(part.shape) != shape[axis : axis + size]:
                    raise IndexError(
                        f"{function}: a mask of shape {tuple(part.shape)} for axes of shape "
                        f"{shape[axis : axis + size]}"
                    )
            else:
                found.append((axis, shape[axis], part))
        elif size and not isinstance(part, slice):
            if not hasattr(part, "__index__"):
                raise IndexError(f"{function}: {part!r:.80} is not an index")
            found.append((axis, shape[axis], operator.index(part)))
        axis += size
    return found
