"""Elements by their indices on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _indices, _results, _shapes, dtypes
from ...errors import ShapeError
from .promotion import NumpyArray

__all__ = ["_at", "take", "take_along_axis"]


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> NumpyArray:
    array, index = np.asarray(x), np.asarray(indices)
    _results.indices("take", index.dtype)
    where = _shapes.line("take", array.shape, axis)
    try:
        return np.take(array, index, where)
    except IndexError:
        raise _out_of_bounds("take", array, index, where) from None


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> NumpyArray:
    array, index = np.asarray(x), np.asarray(indices)
    _results.indices("take_along_axis", index.dtype)
    where, _, _ = _shapes.aligned("take_along_axis", array.shape, index.shape, axis)
    try:
        return np.take_along_axis(array, index, where)
    except IndexError:
        raise _out_of_bounds("take_along_axis", array, index, where) from None


def _out_of_bounds(function: str, array: NumpyArray, index: Any, axis: int) -> IndexError:
    """Return the error that names the function: NumPy's does not."""
    try:
        _indices.in_bounds(function, int(index.min()), int(index.max()), array.shape[axis], axis)
    except IndexError as error:
        return error
    return IndexError(f"{function}: an index is out of bounds for axis {axis}")


_UPDATES = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}


def _at(x: Any, values: Any, /, *, key: tuple[Any, ...], mode: str) -> NumpyArray:
    result = np.array(x)
    number = type(values) in dtypes.PYTHON_SCALARS
    other = type(values) if number else np.asarray(values).dtype
    _results.kept("at", result.dtype, values=other)
    if number:
        dtypes.fit(values, result.dtype, "at")
    for axis, size, part in _indices.indexed("at", result.shape, key):
        if not hasattr(part, "dtype"):
            _indices.in_bounds("at", part, part, size, axis)
        elif part.size:
            _results.indices("at", part.dtype)
            _indices.in_bounds("at", int(part.min()), int(part.max()), size, axis)
    update = np.asarray(values, result.dtype)
    update = update.reshape(_shapes.without_leading_ones(update.shape))
    try:
        if mode == "set":
            result[key] = update
        elif any(getattr(part, "dtype", None) is not None and part.ndim for part in key):
            _UPDATES[mode].at(result, key, update)  # counts an index each time it occurs
        else:
            result[key] = _UPDATES[mode](result[key], update)
    except ValueError as error:
        raise ShapeError(f"at: {error}") from None
    return result
