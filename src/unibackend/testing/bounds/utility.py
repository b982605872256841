"""Right answers of whether elements hold, and of differences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .answer import WIDE, Answer, answers, common, gamma, kind, limit, tiny, wide

BOOL = np.dtype(bool)


@answers("all")
def all_(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    return Answer(np.all(x != 0, axis=axis, keepdims=keepdims), BOOL)


@answers("any")
def any_(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    return Answer(np.any(x != 0, axis=axis, keepdims=keepdims), BOOL)


@answers("diff")
def diff(x: Any, prepend: Any = None, append: Any = None, axis: int = -1, n: int = 1) -> Answer:
    """Return differences, each a sum of n + 1 elements times binomial coefficients.

    An element goes through n subtractions, each of which rounds once: Higham, Accuracy and
    Stability of Numerical Algorithms, 2nd ed., lemma 3.1.
    """
    where = axis % x.ndim
    parts = [np.asarray(one) for one in (prepend, x, append) if one is not None]
    result = x.dtype
    for part in parts:
        result = common(result, part.dtype)
    one_wide = (*x.shape[:where], 1, *x.shape[where + 1 :])
    whole = np.concatenate(
        [np.broadcast_to(p, p.shape if p.ndim else one_wide).astype(result) for p in parts], where
    )
    a = wide(whole)
    places = max(whole.shape[where] - n, 0)

    def sums(values: Any, sign: int) -> Any:
        found: Any = np.zeros((*one_wide[:where], places, *one_wide[where + 1 :]), values.dtype)
        for i in range(n + 1 if places else 0):
            weight = math.comb(n, i) * (sign if (n - i) % 2 else 1)
            found = found + np.take(values, range(i, i + places), where) * weight
        return found

    if kind(result) in "iu":
        return Answer(np.asarray(sums(a, -1), object), result)
    size = sums(np.abs(a).astype(WIDE), 1)
    value = sums(a, -1)
    # infinities and NaN, and what overflows on the way: nothing is said of n > 1
    uncertain = (n > 1) & ~(size < limit(result))
    bound = np.where(np.isfinite(size), gamma(n, result) * size, 0)
    return Answer(
        value, result, np.where(uncertain, WIDE(np.inf), bound), 2.0 ** (n + 1) * tiny(result)
    )
