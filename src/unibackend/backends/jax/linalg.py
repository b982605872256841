"""Linear algebra: the `linalg` extension of the array API standard on JAX."""

from __future__ import annotations

from .matmul import matmul
from .products import matrix_transpose, tensordot, vecdot

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]
