"""Products of matrices and vectors on JAX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ... import _results, _shapes
from ..._products import check_precision
from .promotion import promote

__all__ = ["matrix_transpose", "tensordot", "vecdot"]


def matrix_transpose(x: Any, /) -> Any:
    _shapes.matrices("matrix_transpose", x.shape)
    return jnp.matrix_transpose(x)


def tensordot(x1: Any, x2: Any, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Any:
    a, b = promote("tensordot", x1, x2)
    pairs = _shapes.contracted("tensordot", a.shape, b.shape, axes)
    wide = _results.wide(a.dtype)
    precision = check_precision(None)
    result = jnp.tensordot(a, b, pairs, precision=precision, preferred_element_type=wide)
    return result.astype(a.dtype)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    a, b = promote("vecdot", x1, x2)
    left, right, _ = _shapes.vectors("vecdot", a.shape, b.shape, axis)
    a, b = jnp.moveaxis(a, left, -1), jnp.moveaxis(b, right, -1)
    wide = _results.wide(a.dtype)
    precision = check_precision(None)
    return jnp.vecdot(a, b, precision=precision, preferred_element_type=wide).astype(a.dtype)
