"""Right answers of arrays made of nothing but numbers, shapes and parts of others."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from .answer import ANSWERS, WIDE, Answer, answers, default, eps, kind, rounded, wide
from .manipulation import copied, moves

moves("tril", np.tril)
moves("triu", np.triu)


def _made(name: str, value: float, bound: Any = None) -> None:
    def answer(shape: Any, dtype: Any = None) -> Answer:
        result = default("f") if dtype is None else np.dtype(dtype)
        return Answer(wide(np.full(shape, value, result)), result, bound)

    def answer_like(x: Any, dtype: Any = None) -> Answer:
        result = x.dtype if dtype is None else np.dtype(dtype)
        return Answer(wide(np.full(x.shape, value, result)), result, bound)

    ANSWERS[name] = answer
    ANSWERS[f"{name}_like"] = answer_like


_made("zeros", 0.0)
_made("ones", 1.0)
_made("empty", 0.0, np.inf)


@answers("full")
def _full(shape: Any, value: Any, dtype: Any = None) -> Answer:
    result = np.asarray(value).dtype if dtype is None else np.dtype(dtype)
    with np.errstate(all="ignore"):
        return copied(np.full(shape, value, result), result)


@answers("full_like")
def _full_like(x: Any, value: Any) -> Answer:
    with np.errstate(all="ignore"):
        return copied(np.full(x.shape, value, x.dtype), x.dtype)


@answers("eye")
def _eye(rows: int, columns: Any, k: int = 0, dtype: Any = None) -> Answer:
    result = default("f") if dtype is None else np.dtype(dtype)
    return copied(np.eye(rows, columns, k).astype(result), result)


@answers("meshgrid")
def _meshgrid(*parts: Any, indexing: str = "xy") -> list[Answer]:
    grids = np.meshgrid(*parts, indexing=indexing)  # type: ignore[call-overload]
    return [copied(grid, part.dtype) for grid, part in zip(grids, parts, strict=True)]


@answers("arange")
def _arange(start: Any, stop: Any, step: Any, dtype: Any = None) -> Answer:
    whole = all(isinstance(x, int) for x in (start, stop, step))
    result = np.dtype(dtype) if dtype is not None else default("i" if whole else "f")
    count = max(0, math.ceil((stop - start) / step))
    if kind(result) == "i":
        return Answer(np.asarray([start + i * step for i in range(count)], object), result)
    numbers = np.arange(count, dtype=WIDE)
    value = WIDE(start) + numbers * WIDE(step)
    # `start + step - start` is rounded in float64, and each step adds that error; then once more
    drift = numbers * eps(np.dtype("float64")) * (abs(start) + abs(step))
    return Answer(value, result, drift + rounded(value, result).bound)


@answers("linspace")
def _linspace(start: Any, stop: Any, num: int, endpoint: bool = True, dtype: Any = None) -> Answer:
    result = default("f") if dtype is None else np.dtype(dtype)
    steps = max(num - 1 if endpoint else num, 1)
    if kind(result) in "iu":  # exact, then rounded down
        first, last = Fraction(start), Fraction(stop)
        exact = [math.floor(first + (last - first) * i / steps) for i in range(num)]
        return Answer(np.asarray(exact, object), result)
    carrier = np.clongdouble if kind(result) == "c" else WIDE
    numbers = np.arange(num, dtype=WIDE)
    low, high = carrier(start), carrier(stop)
    value = np.asarray(low + (high - low) * (numbers / steps), carrier)
    error = 4 * eps(np.dtype("float64")) * (abs(start) + abs(stop))
    return Answer(value, result, error + rounded(value, result).bound)
