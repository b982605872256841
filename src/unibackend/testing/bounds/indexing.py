"""Right answers of elements taken by their places, and of elements replaced in a copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from .answer import Answer, answers, wide
from .manipulation import copied, moves

UPDATES = {
    "set": None,
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


@answers("take")
def _take(x: Any, indices: Any, axis: Any = None) -> Answer:
    return copied(np.take(x, indices.astype(int), 0 if axis is None else axis), x.dtype)


@answers("take_along_axis")
def _take_along_axis(x: Any, indices: Any, axis: int = -1) -> Answer:
    return copied(np.take_along_axis(x, indices.astype(int), axis), x.dtype)


moves("_get", lambda x, key: x[key])


@answers("_at")
def _at(x: Any, values: Any, key: Any, mode: str) -> Answer:
    result = wide(x)
    value = wide(np.asarray(values, x.dtype))
    update = UPDATES[mode]
    if update is None:
        result[key] = value
    else:
        update.at(result, key, value)
    return Answer(result, x.dtype)


def _window(x: Any, starts: Any, sizes: Any) -> tuple[slice, ...]:
    """Return where a slice of these sizes is that begins as near to the starts as it can."""
    key = []
    for start, size, n in zip(map(int, starts), sizes, x.shape, strict=True):
        first = min(max(start + n if start < 0 else start, 0), n - size)
        key.append(slice(first, first + size))
    return tuple(key)


@answers("dynamic_slice")
def _dynamic_slice(x: Any, start_indices: Any, slice_sizes: Any) -> Answer:
    return copied(x[_window(x, start_indices, slice_sizes)], x.dtype)


@answers("dynamic_update_slice")
def _dynamic_update_slice(x: Any, update: Any, start_indices: Any) -> Answer:
    result = x.copy()
    result[_window(x, start_indices, update.shape)] = update
    return copied(result, x.dtype)
