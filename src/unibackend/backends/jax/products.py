"""Products of matrices and vectors on JAX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ... import _linear, _results, _shapes
from ..._einsum import plan
from ..._products import check_precision
from .promotion import promote

__all__ = ["einsum", "kron", "matrix_transpose", "tensordot", "vecdot"]


def einsum(subscripts: str, /, *operands: Any, precision: str | None = None) -> Any:
    precision = check_precision(precision, "einsum")
    said = plan(subscripts, [jnp.shape(x) for x in operands])
    arrays = promote("einsum", *operands)
    dtype = arrays[0].dtype
    terms: list[Any] = []
    for x, dropped, labels in zip(arrays, said.dropped, said.labels, strict=True):
        terms += [jnp.squeeze(x, dropped).astype(_results.wide(dtype)), labels]
    return jnp.einsum(*terms, said.output, precision=precision).astype(dtype)


def kron(x1: Any, x2: Any, /) -> Any:
    a, b = promote("kron", x1, x2)
    _linear.check_numbers("kron", a.dtype)
    return jnp.kron(a, b)


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
