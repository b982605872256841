"""Linear algebra: the `linalg` extension of the array API standard on NumPy.

NumPy raises for a whole stack where one of its matrices is singular, not definite or not finite.
Here, as in compiled code, which cannot raise, that one gives NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _linear, _results, _shapes, dtypes
from ..._linear import EighResult, EigResult, Order, QRResult, SlogdetResult, SVDResult
from .. import numpy as xp
from .matmul import matmul
from .products import matrix_transpose, tensordot, vecdot
from .promotion import NumpyArray, promote

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def _floats(x: Any) -> tuple[NumpyArray, dtypes.Dtype]:
    """Return an operand in a dtype to compute in, and the dtype of the result."""
    array = np.asarray(x)
    dtype = _results.floating(array.dtype)
    return array.astype(_results.wide(dtype), copy=False), dtype


def _each(function: Callable[..., Any], *stacks: NumpyArray) -> tuple[NumpyArray, ...]:
    """Return the results of a function of matrices, NaN for those that NumPy raises for."""

    def run(*matrices: NumpyArray) -> tuple[NumpyArray, ...]:
        found = function(*matrices)
        return tuple(found) if isinstance(found, tuple) else (found,)

    with np.errstate(all="ignore"):
        try:
            return run(*stacks)
        except np.linalg.LinAlgError:
            pass
        # what cannot be done is done for the unit matrix, for the shapes and dtypes
        first, *rest = stacks
        unit = np.broadcast_to(np.eye(*first.shape[-2:], dtype=first.dtype), first.shape)
        results = [np.array(x) for x in run(unit, *rest)]
        for index in np.ndindex(first.shape[:-2]):
            try:
                found = run(first[index], *(x[index] for x in rest))
            except np.linalg.LinAlgError:
                found = tuple(np.asarray(np.nan) for _ in results)
            for result, one in zip(results, found, strict=True):
                result[index] = one
        return tuple(results)


def _factors(function: Callable[..., Any], x: NumpyArray) -> tuple[NumpyArray, ...]:
    """Return the factors of matrices, all NaN where a matrix is not finite."""
    results = _each(function, x)
    finite = np.isfinite(x).all(axis=(-2, -1))
    if finite.all():
        return results
    for result in results:
        result[~finite] = np.nan
    return results


def cholesky(x: Any, /, *, upper: bool = False) -> NumpyArray:
    name = "linalg.cholesky"
    a, dtype = _floats(x)
    _linear.square(name, a.shape)
    upper = _shapes.flag(name, "upper", upper)
    lower = np.tril(a) if not upper else np.conj(np.matrix_transpose(np.triu(a)))
    (factor,) = _factors(np.linalg.cholesky, lower)
    factor = np.tril(factor)
    factor = np.conj(np.matrix_transpose(factor)) if upper else factor
    return factor.astype(dtype, copy=False)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> NumpyArray:
    a, b = promote("linalg.cross", x1, x2)
    _linear.check_numbers("linalg.cross", a.dtype)
    left, right, end = _linear.crossed("linalg.cross", a.shape, b.shape, axis)
    a, b = np.moveaxis(a, left, -1), np.moveaxis(b, right, -1)
    with np.errstate(all="ignore"):
        return np.moveaxis(np.linalg.cross(a, b), -1, end)


def det(x: Any, /) -> NumpyArray:
    a, dtype = _floats(x)
    _linear.square("linalg.det", a.shape)
    with np.errstate(all="ignore"):
        return np.asarray(np.linalg.det(a)).astype(dtype, copy=False)


def diagonal(x: Any, /, *, offset: int = 0) -> NumpyArray:
    a = np.asarray(x)
    return np.linalg.diagonal(a, offset=_linear.diagonal("linalg.diagonal", a.shape, offset))


def eig(x: Any, /) -> EigResult:
    a, dtype = _floats(x)
    _linear.square("linalg.eig", a.shape)
    result = _linear.complex_of(dtype)
    return EigResult(*_factors(lambda one: tuple(y.astype(result) for y in np.linalg.eig(one)), a))


def eigvals(x: Any, /) -> NumpyArray:
    a, dtype = _floats(x)
    _linear.square("linalg.eigvals", a.shape)
    result = _linear.complex_of(dtype)  # NumPy's own dtype depends on the values
    return _factors(lambda one: np.linalg.eigvals(one).astype(result), a)[0]


def eigh(x: Any, /) -> EighResult:
    a, dtype = _floats(x)
    _linear.square("linalg.eigh", a.shape)
    values, vectors = _factors(np.linalg.eigh, np.tril(a))
    return EighResult(
        values.astype(_linear.real(dtype), copy=False), vectors.astype(dtype, copy=False)
    )


def eigvalsh(x: Any, /) -> NumpyArray:
    a, dtype = _floats(x)
    _linear.square("linalg.eigvalsh", a.shape)
    (values,) = _factors(np.linalg.eigvalsh, np.tril(a))
    return values.astype(_linear.real(dtype), copy=False)


def inv(x: Any, /) -> NumpyArray:
    a, dtype = _floats(x)
    _linear.square("linalg.inv", a.shape)
    return _solved(np.linalg.inv, a).astype(dtype, copy=False)


def solve(x1: Any, x2: Any, /) -> NumpyArray:
    a, b = promote("linalg.solve", x1, x2)
    (a, dtype), (b, _) = _floats(a), _floats(b)
    vector = _linear.right_sides("linalg.solve", a.shape, b.shape)
    b = b[:, np.newaxis] if vector else b
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = np.broadcast_to(a, (*stack, *a.shape[-2:]))
    b = np.broadcast_to(b, (*stack, *b.shape[-2:]))
    result = _solved(np.linalg.solve, a, b)
    return (result[..., 0] if vector else result).astype(dtype, copy=False)


def _solved(function: Callable[..., Any], a: NumpyArray, *rest: NumpyArray) -> NumpyArray:
    """Return solutions, with the columns that are not finite all NaN."""
    (result,) = _each(function, a, *rest)
    finite = np.isfinite(result).all(axis=-2, keepdims=True)
    finite = finite & np.isfinite(a).all(axis=(-2, -1), keepdims=True)
    return result if finite.all() else np.where(finite, result, np.nan).astype(result.dtype)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Order = "fro") -> NumpyArray:
    name = "linalg.matrix_norm"
    a, dtype = _floats(x)
    order = _linear.matrix_order(name, ord, a.shape)
    with np.errstate(all="ignore"):
        norm = _linear.matrix_norm(xp, a, _shapes.flag(name, "keepdims", keepdims), order)
    return np.asarray(norm).astype(_linear.real(dtype), copy=False)


def vector_norm(
    x: Any,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> NumpyArray:
    name = "linalg.vector_norm"
    a, dtype = _floats(x)
    order = _linear.vector_order(name, ord, a.shape, axis)
    with np.errstate(all="ignore"):
        norm = _linear.vector_norm(xp, a, axis, _shapes.flag(name, "keepdims", keepdims), order)
    return np.asarray(norm).astype(_linear.real(dtype), copy=False)


def matrix_power(x: Any, n: int, /) -> NumpyArray:
    name = "linalg.matrix_power"
    a = np.asarray(x)
    _linear.square(name, a.shape)
    count = _shapes.integer(name, "n", n)
    if count < 0:
        a, dtype = _floats(a)
        power: NumpyArray = _linear.matrix_power(xp, inv(a), -count)
        return power.astype(dtype, copy=False)
    return np.asarray(_linear.matrix_power(xp, a, count))


def matrix_rank(x: Any, /, *, rtol: Any = None) -> NumpyArray:
    _linear.tolerance("linalg.matrix_rank", rtol)
    a, dtype = _floats(x)
    _shapes.matrices("linalg.matrix_rank", a.shape)
    return np.asarray(_linear.matrix_rank(xp, a, rtol, dtype))


def outer(x1: Any, x2: Any, /) -> NumpyArray:
    a, b = promote("linalg.outer", x1, x2)
    _linear.vector("linalg.outer", "x1", a.shape)
    _linear.vector("linalg.outer", "x2", b.shape)
    with np.errstate(all="ignore"):
        return np.multiply(a[:, np.newaxis], b)


def pinv(x: Any, /, *, rtol: Any = None) -> NumpyArray:
    _linear.tolerance("linalg.pinv", rtol)
    a, dtype = _floats(x)
    _shapes.matrices("linalg.pinv", a.shape)
    with np.errstate(all="ignore"):
        return np.asarray(_linear.pinv(xp, a, rtol, dtype)).astype(dtype, copy=False)


def qr(x: Any, /, *, mode: str = "reduced") -> QRResult:
    a, dtype = _floats(x)
    _shapes.matrices("linalg.qr", a.shape)
    way: Any = "complete" if _linear.qr_mode("linalg.qr", mode) else "reduced"
    q, r = _factors(lambda one: tuple(np.linalg.qr(one, mode=way)), a)
    return QRResult(q.astype(dtype, copy=False), np.triu(r).astype(dtype, copy=False))


def slogdet(x: Any, /) -> SlogdetResult:
    a, dtype = _floats(x)
    _linear.square("linalg.slogdet", a.shape)
    with np.errstate(all="ignore"):
        sign, size = map(np.asarray, np.linalg.slogdet(a))
    return SlogdetResult(
        sign.astype(dtype, copy=False), size.astype(_linear.real(dtype), copy=False)
    )


def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    a, dtype = _floats(x)
    _shapes.matrices("linalg.svd", a.shape)
    full = _shapes.flag("linalg.svd", "full_matrices", full_matrices)
    u, s, vh = _factors(lambda one: tuple(np.linalg.svd(one, full_matrices=full)), a)
    return SVDResult(
        u.astype(dtype, copy=False),
        s.astype(_linear.real(dtype), copy=False),
        vh.astype(dtype, copy=False),
    )


def svdvals(x: Any, /) -> NumpyArray:
    a, dtype = _floats(x)
    _shapes.matrices("linalg.svdvals", a.shape)
    (values,) = _factors(np.linalg.svdvals, a)
    return values.astype(_linear.real(dtype), copy=False)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> NumpyArray:
    a = np.asarray(x)
    _linear.diagonal("linalg.trace", a.shape, offset)
    wanted = _results.summed("linalg.trace", a.dtype, dtype)
    return np.asarray(xp.sum(diagonal(a, offset=offset), axis=-1, dtype=wanted))
