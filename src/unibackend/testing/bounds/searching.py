"""Right answers of where elements are."""

from __future__ import annotations

from typing import Any

import numpy as np

from .answer import Answer, answers, common, default, kind, wide


@answers("argmax")
def argmax(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    # the first of several, and NaN before all: what NumPy does with wide floats
    a = x if kind(x.dtype) in "iu" else wide(x)
    return Answer(np.asarray(np.argmax(a, axis=axis, keepdims=keepdims), object), default("i"))


@answers("argmin")
def argmin(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    a = x if kind(x.dtype) in "iu" else wide(x)
    return Answer(np.asarray(np.argmin(a, axis=axis, keepdims=keepdims), object), default("i"))


@answers("count_nonzero")
def count_nonzero(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    found = np.sum(x != 0, axis=axis, keepdims=keepdims, dtype=np.int64)
    return Answer(np.asarray(found, object), default("i"))


@answers("nonzero")
def nonzero(x: Any) -> list[Answer]:
    places = [place for place in np.ndindex(x.shape) if x[place] != 0]
    indices = np.asarray(places, object).reshape(len(places), x.ndim)
    return [Answer(indices[:, i], default("i")) for i in range(x.ndim)]


@answers("searchsorted")
def searchsorted(x1: Any, x2: Any, sorter: Any = None, side: str = "left") -> Answer:
    """Count the elements that are smaller, or not larger, NaN being larger than any."""
    x2 = np.asarray(x2)
    dtype = common(x1.dtype, x2.dtype)
    a, b = wide(x1.astype(dtype)), wide(x2.astype(dtype))
    found = np.empty(b.shape, object)
    for place in np.ndindex(b.shape):
        found[place] = sum(_before(one, b[place], equal=side == "right") for one in a)
    return Answer(found, default("i"))


def _before(one: Any, other: Any, *, equal: bool) -> bool:
    nan, nan_too = bool(one != one), bool(other != other)
    if nan or nan_too:
        return nan_too and (not nan or equal)
    return bool(one <= other if equal else one < other)
