"""Products of matrices and vectors on NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import _linear, _results, _shapes
from ..._einsum import plan
from ..._products import check_precision
from .promotion import NumpyArray, promote

__all__ = ["einsum", "kron", "matrix_transpose", "tensordot", "vecdot"]


def einsum(subscripts: str, /, *operands: Any, precision: str | None = None) -> NumpyArray:
    check_precision(precision, "einsum")
    said = plan(subscripts, [np.shape(x) for x in operands])
    arrays = promote("einsum", *operands)
    dtype = arrays[0].dtype
    terms: list[Any] = []
    for x, dropped, labels in zip(arrays, said.dropped, said.labels, strict=True):
        terms += [np.squeeze(x, dropped).astype(_results.wide(dtype), copy=False), labels]
    with np.errstate(all="ignore"):
        result = np.einsum(*terms, said.output, optimize=len(arrays) > 1)
        return np.asarray(result).astype(dtype, copy=False)


def kron(x1: Any, x2: Any, /) -> NumpyArray:
    a, b = promote("kron", x1, x2)
    _linear.check_numbers("kron", a.dtype)
    with np.errstate(all="ignore"):
        return np.asarray(np.kron(a, b))


def matrix_transpose(x: Any, /) -> NumpyArray:
    _shapes.matrices("matrix_transpose", np.shape(x))
    return np.matrix_transpose(x)


def _widened(function: str, x1: Any, x2: Any) -> tuple[Any, NumpyArray, NumpyArray]:
    """Return the dtype of a product, and operands to sum in float32 where it has 16 bits."""
    a, b = promote(function, x1, x2)
    wide = _results.wide(a.dtype)
    return a.dtype, a.astype(wide, copy=False), b.astype(wide, copy=False)


def tensordot(
    x1: Any, x2: Any, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> NumpyArray:
    dtype, a, b = _widened("tensordot", x1, x2)
    pairs = _shapes.contracted("tensordot", a.shape, b.shape, axes)
    return np.asarray(np.tensordot(a, b, pairs)).astype(dtype, copy=False)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> NumpyArray:
    dtype, a, b = _widened("vecdot", x1, x2)
    left, right, _ = _shapes.vectors("vecdot", a.shape, b.shape, axis)
    result = np.vecdot(np.moveaxis(a, left, -1), np.moveaxis(b, right, -1))
    return np.asarray(result).astype(dtype, copy=False)
