"""Right answers of products of matrices and vectors.

N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1 and (3.6): a sum
of n products errs by gamma_n times the sum of their magnitudes, in any order of summation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .answer import WIDE, Answer, Dtype, answers, common, gamma, kind, limit, tiny, wide


def products(value: Any, size: Any, more: Any, count: int, dtype: Dtype) -> Answer:
    """Return the answer of a sum of products.

    Args:
        value: of the sum.
        size: the same of the magnitudes.
        more: the sum of the magnitudes of the factors: one that is not normal may count as zero.
        count: how many terms.
        dtype: of the result.
    """
    if kind(dtype) in "biu":
        return Answer(value, dtype)
    # a complex product costs sqrt(5) u, where a real one costs u
    each = 2 if kind(dtype) == "c" else 1
    bound = each * gamma(count + 2, dtype) * size
    return Answer(
        value,
        dtype,
        np.where(size >= limit(dtype), WIDE(np.inf), bound),
        (count + 1 + 2 * more) * tiny(dtype),
    )


def dot(a: Any, b: Any, product: Any, count: int, dtype: Dtype) -> Answer:
    """Return the answer of a function that sums products of elements of two arrays.

    Args:
        a: an array of the dtype.
        b: another.
        product: the function, of arrays of any kind.
        count: how many products are summed.
        dtype: of the result.
    """
    if kind(dtype) == "b":
        return Answer(np.asarray(product(a, b)), dtype)
    a, b = wide(a), wide(b)
    if a.dtype == object:
        return products(np.asarray(product(a, b), object), 0, 0, count, dtype)
    absolute, other = _finite(a), _finite(b)
    one, two = np.ones_like(absolute), np.ones_like(other)
    value = np.asarray(product(a, b))
    size = product(absolute, other)
    return products(value, size, product(absolute, two) + product(one, other), count, dtype)


def _finite(x: Any) -> Any:
    return np.where(np.isfinite(x), np.abs(x), 0).astype(WIDE)


def _pair(x1: Any, x2: Any) -> tuple[Any, Any, Dtype]:
    dtype = common(x1.dtype, x2.dtype)
    return x1.astype(dtype), x2.astype(dtype), dtype


@answers("matmul")
def matmul(x1: Any, x2: Any, transpose_x1: bool = False, transpose_x2: bool = False) -> Answer:
    a, b, dtype = _pair(x1, x2)
    a = np.swapaxes(a, -1, -2) if transpose_x1 else a
    b = np.swapaxes(b, -1, -2) if transpose_x2 else b
    return dot(a, b, np.matmul, a.shape[-1], dtype)


@answers("vecdot")
def vecdot(x1: Any, x2: Any, axis: int = -1) -> Answer:
    a, b, dtype = _pair(x1, x2)
    a = np.conj(a) if kind(dtype) == "c" else a
    a, b = np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)
    return dot(a, b, lambda x, y: np.sum(x * y, axis=-1), a.shape[-1], dtype)


@answers("tensordot")
def tensordot(x1: Any, x2: Any, axes: Any = 2) -> Answer:
    a, b, dtype = _pair(x1, x2)
    chosen = range(a.ndim - axes, a.ndim) if isinstance(axes, int) else axes[0]
    count = math.prod(a.shape[axis] for axis in chosen)
    return dot(a, b, lambda x, y: np.tensordot(x, y, axes), count, dtype)


@answers("einsum")
def einsum(*operands: Any, subscripts: str) -> Answer:
    """A product of k factors is rounded k - 1 times, or 2 (k - 1) and more for complex ones."""
    dtype = operands[0].dtype
    for x in operands[1:]:
        dtype = common(dtype, x.dtype)
    text = _with_all_axes("".join(subscripts.split()))

    def product(*factors: Any) -> Any:
        result = np.einsum(text, *factors)
        if text != "".join(subscripts.split()):
            first = tuple(range(result.ndim - text.partition("->")[2].count("i")))
            result = result.any(first) if result.dtype == bool else result.sum(first)
        return np.asarray(result)

    arrays = [x.astype(dtype) for x in operands]
    if kind(dtype) == "b":
        return Answer(product(*arrays), dtype)
    exact = [wide(x) for x in arrays]
    if kind(dtype) in "iu":
        return Answer(np.asarray(product(*exact), object), dtype)
    sizes = [np.abs(x).astype(WIDE) for x in exact]
    ones = [np.ones_like(x) for x in sizes]
    size, terms = product(*sizes), product(*ones)
    count = int(np.max(terms, initial=0))
    # a factor that is not normal may count as zero
    small = np.asarray(
        sum(
            product(*[ones[j] if i == j else np.maximum(x, 1) for j, x in enumerate(sizes)])
            for i in range(len(sizes))
        )
    )
    return products(product(*exact), size, small, count + 2 * len(operands), dtype)


def _with_all_axes(text: str) -> str:
    """Return subscripts whose result has the axes of `...`, as NumPy wants it."""
    left, arrow, right = text.partition("->")
    if arrow and "..." in left and "..." not in right:
        return f"{left}->...{right}"
    return text


@answers("kron")
def kron(x1: Any, x2: Any) -> Answer:
    a, b, dtype = _pair(x1, x2)
    a, b = wide(a), wide(b)
    value = np.asarray(np.kron(a, b))
    if kind(dtype) in "iu":
        return Answer(value, dtype)
    size, other = np.abs(a), np.abs(b)
    more = np.kron(size, np.ones_like(other)) + np.kron(np.ones_like(size), other)
    return products(value, np.kron(size, other), more, 1, dtype)
