"""Right answers of order: NaN counts as larger than any number, and equal elements keep theirs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .answer import Answer, answers, default, kind, wide


def order_of(x: Any, axis: int, descending: bool) -> Any:
    a = x if kind(x.dtype) in "biu" else wide(x)
    if not descending:
        return np.argsort(a, axis=axis, kind="stable")
    back = np.argsort(np.flip(a, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - back, axis)


@answers("argsort")
def argsort(x: Any, axis: int = -1, descending: bool = False) -> Answer:
    return Answer(order_of(x, axis, descending).astype(object), default("i"))


@answers("sort")
def sort(x: Any, axis: int = -1, descending: bool = False) -> Answer:
    return Answer(np.take_along_axis(wide(x), order_of(x, axis, descending), axis), x.dtype)


@answers("top_k")
def top_k(x: Any, k: int, axis: int = -1, largest: bool = True) -> list[Answer]:
    places = np.take(order_of(x, axis, largest), range(k), axis)
    values = np.take_along_axis(wide(x), places, axis)
    return [Answer(values, x.dtype), Answer(places.astype(object), default("i"))]
