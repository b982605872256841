"""The matrix product on NumPy, which is the reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._products import check_matmul, check_precision, product_dtype
from .promotion import promote

__all__ = ["matmul"]

_HALVES = ("float16", "bfloat16")


def matmul(
    x1: Any,
    x2: Any,
    /,
    *,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    dtype: Any = None,
    precision: str | None = None,
) -> Any:
    check_precision(precision)  # NumPy always computes at the highest
    x1, x2 = promote("matmul", x1, x2)
    check_matmul(x1.shape, x2.shape, transpose_x1, transpose_x2)
    result = product_dtype(x1.dtype, dtype)
    # Sums of half precision are made in float32, as on JAX and TensorFlow; NumPy with ml_dtypes
    # makes a bfloat16 product float32.
    working = np.dtype("float32") if result.name in _HALVES else result
    x1, x2 = x1.astype(working, copy=False), x2.astype(working, copy=False)
    x1 = np.swapaxes(x1, -1, -2) if transpose_x1 else x1
    x2 = np.swapaxes(x2, -1, -2) if transpose_x2 else x2
    with np.errstate(all="ignore"):
        return np.asarray(np.matmul(x1, x2)).astype(result, copy=False)
