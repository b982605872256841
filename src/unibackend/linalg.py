"""Linear algebra: the `linalg` extension of the array API standard."""

from __future__ import annotations

from .ops.products import matmul, matrix_transpose, tensordot, vecdot

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]
