"""Right answers of distinct elements, by comparing each with each."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .answer import Answer, answers, common, default, wide

BOOL = np.dtype(bool)


def _parts(one: Any) -> tuple[Any, Any]:
    return (one.real, one.imag) if isinstance(one, complex | np.complexfloating) else (one, 0)


def _compared(first: Any, second: Any) -> int:
    """Order numbers: those with NaN last, then by the real parts, then by the imaginary ones."""
    keys = []
    for one in (first, second):
        real, imag = _parts(one)
        nans = bool(real != real), bool(imag != imag)
        keys.append((*nans, 0 if nans[0] else real, 0 if nans[1] else imag))
    return int(keys[0] > keys[1]) - int(keys[0] < keys[1])


def _distinct(x: Any) -> tuple[list[int], list[int], list[int]]:
    """Return the place of the first of each, which of them each element is, and how many."""
    flat = list(wide(x).reshape(-1))
    first: list[int] = []
    own = []
    for place, one in enumerate(flat):
        same = next((i for i, other in enumerate(first) if flat[other] == one), None)
        own.append(len(first) if same is None else same)
        if same is None:
            first.append(place)

    def compared(i: int, j: int) -> int:
        return _compared(flat[first[i]], flat[first[j]])

    order = sorted(range(len(first)), key=functools.cmp_to_key(compared))
    rank = {old: new for new, old in enumerate(order)}
    inverse = [rank[one] for one in own]
    return [first[i] for i in order], inverse, [inverse.count(i) for i in range(len(order))]


def _unique(x: Any) -> dict[str, Answer]:
    first, inverse, counts = _distinct(x)
    values = wide(x).reshape(-1)[np.asarray(first, np.int64)]
    index = default("i")
    return {
        "values": Answer(values, x.dtype),
        "indices": Answer(np.asarray(first, object), index),
        "inverse": Answer(np.asarray(inverse, object).reshape(x.shape), index),
        "counts": Answer(np.asarray(counts, object), index),
    }


@answers("unique_all")
def unique_all(x: Any) -> list[Answer]:
    return list(_unique(x).values())


@answers("unique_counts")
def unique_counts(x: Any) -> list[Answer]:
    found = _unique(x)
    return [found["values"], found["counts"]]


@answers("unique_inverse")
def unique_inverse(x: Any) -> list[Answer]:
    found = _unique(x)
    return [found["values"], found["inverse"]]


@answers("unique_values")
def unique_values(x: Any) -> Answer:
    return _unique(x)["values"]


@answers("isin")
def isin(x1: Any, x2: Any, invert: bool = False) -> Answer:
    x1, x2 = np.asarray(x1), np.asarray(x2)
    dtype = common(x1.dtype, x2.dtype)
    a, b = x1.astype(dtype), x2.astype(dtype).reshape(-1)
    found = np.asarray([bool((b == one).any()) for one in a.reshape(-1)], bool).reshape(a.shape)
    return Answer(found ^ invert, BOOL)
