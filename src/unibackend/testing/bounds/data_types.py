"""Right answers of conversions between dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .answer import BITS16, WIDE, Answer, Dtype, answers, kind, python, rounded, wide
from .manipulation import copied


@answers("astype")
def _astype(x: Any, target: str, copy: bool = True) -> Answer:
    dtype = np.dtype(target)
    if x.dtype == dtype:
        return copied(x, dtype)
    a = wide(x)
    if kind(dtype) == "b":
        return Answer(a != 0, dtype)
    if kind(dtype) in "iu":
        return Answer(saturated(a, dtype) if kind(x.dtype) == "f" else a.astype(object), dtype)
    value = a.astype(np.clongdouble if kind(dtype) == "c" else WIDE)
    # float64 to a 16 bit float may go by way of float32, and is rounded twice then
    answer = rounded(value, dtype)
    return Answer(value, dtype, answer.bound * (1 + 2.0**-7)) if dtype in BITS16 else answer


def saturated(value: Any, dtype: Dtype) -> Any:
    """Return wide floats as Python integers: cut off, the nearest that fit, 0 for NaN."""
    limits = np.iinfo(dtype)

    def one(x: Any) -> int:
        if np.isnan(x):
            return 0
        return int(min(max(x, WIDE(limits.min)), WIDE(limits.max)))

    return python(one)(value)
