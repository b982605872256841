"""Elements by their indices on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _indices, _results, _shapes, dtypes
from .promotion import NumpyArray

__all__ = ["_at", "_get", "dynamic_slice", "dynamic_update_slice", "take", "take_along_axis"]


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> NumpyArray:
    array, index = np.asarray(x), np.asarray(indices)
    _results.indices("take", index.dtype)
    where = _shapes.line("take", array.shape, axis)
    _indices.within("take", index, array.shape[where], where)
    return np.take(array, index, where)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> NumpyArray:
    array, index = np.asarray(x), np.asarray(indices)
    _results.indices("take_along_axis", index.dtype)
    where, _, _ = _shapes.aligned("take_along_axis", array.shape, index.shape, axis)
    _indices.within("take_along_axis", index, array.shape[where], where)
    return np.take_along_axis(array, index, where)


def _window(function: str, array: NumpyArray, starts: Any, sizes: Any) -> tuple[slice, ...]:
    """Return where a part is that begins as near to the starts as it can."""
    index = np.asarray(starts)
    shape = _shapes.window(function, array.shape, index.shape, sizes)
    if index.size:
        _results.indices(function, index.dtype)
    ends = zip(map(int, index), shape, array.shape, strict=True)
    firsts = [min(max(n, n + size if n < 0 else 0), size - own) for n, own, size in ends]
    return tuple(
        slice(max(first, 0), max(first, 0) + own) for first, own in zip(firsts, shape, strict=True)
    )


def dynamic_slice(x: Any, start_indices: Any, slice_sizes: tuple[int, ...], /) -> NumpyArray:
    array = np.asarray(x)
    return array[_window("dynamic_slice", array, start_indices, slice_sizes)]


def dynamic_update_slice(x: Any, update: Any, start_indices: Any, /) -> NumpyArray:
    name = "dynamic_update_slice"
    result, part = np.array(x), np.asarray(update)
    number = type(update) in dtypes.PYTHON_SCALARS
    _results.kept(name, result.dtype, update=type(update) if number else part.dtype)
    key = _window(name, result, start_indices, part.shape)
    result[key] = dtypes.fit(update, result.dtype, name) if number else part
    return result


_UPDATES = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


def _at(x: Any, values: Any, /, *, key: tuple[Any, ...], mode: str) -> NumpyArray:
    result = np.array(x)
    number = type(values) in dtypes.PYTHON_SCALARS
    other = type(values) if number else np.asarray(values).dtype
    _results.kept("at", result.dtype, values=other)
    if number:
        dtypes.fit(values, result.dtype, "at")
    update = np.asarray(values, result.dtype)
    update = update.reshape(_shapes.without_leading_ones(update.shape))
    if mode == "set":
        result[key] = update
    elif any(getattr(part, "dtype", None) is not None and part.ndim for part in key):
        _UPDATES[mode].at(result, key, update)  # counts an index each time it occurs
    else:
        result[key] = _UPDATES[mode](result[key], update)
    return result


def _get(x: Any, /, *, key: tuple[Any, ...]) -> NumpyArray:
    result: NumpyArray = np.asarray(x)[key]
    return result
