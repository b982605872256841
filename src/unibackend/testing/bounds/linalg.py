"""Right answers of linear algebra.

Where several results are right, as factors up to signs, those are that satisfy the defining
equations as well as LAPACK demands of itself. Its test programs divide what an equation leaves
over by the norms, the size and the unit of rounding, and compare the ratio with a threshold (E.
Anderson et al., LAPACK Users' Guide, 3rd ed., and LAPACK Working Note 41; files TESTING/dtest.in,
sep.in, svd.in and nep.in). All norms here are the largest sum of magnitudes in a column.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .answer import (
    WIDE,
    Answer,
    Dtype,
    Equations,
    answers,
    common,
    default,
    eps,
    floating,
    gamma,
    kind,
    limit,
    real_of,
    rounded,
    tiny,
    wide,
)
from .products import products

LINEAR = 30  # linear equations, in units of rounding: half of eps
HERMITIAN = 50  # eigenvalues of Hermitian matrices and singular values, in eps
GENERAL = 20  # eigenvalues in general, in eps


def adjoint(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def norm(x: Any) -> Any:
    """Return the largest sum of magnitudes in a column of each matrix, as [..., 1, 1]."""
    sums = np.sum(np.abs(x), axis=-2, keepdims=True, dtype=WIDE)
    return np.max(sums, axis=-1, keepdims=True, initial=0)


def eye(size: int) -> Any:
    return np.eye(size, dtype=WIDE)


def _operand(x: Any) -> tuple[Any, Dtype]:
    """Return matrices in wide arithmetic, and the dtype of the results."""
    dtype = floating(x.dtype)
    return wide(x.astype(dtype)), dtype


def _of_finite(
    x: Any,
    results: list[tuple[tuple[int, ...], Dtype]],
    residuals: Callable[..., dict[str, tuple[Any, Any]]],
) -> Equations:
    """Return equations of the factors of matrices, which are NaN where a matrix is not finite."""
    bad = ~np.isfinite(x).all(axis=(-2, -1))

    def masked(*factors: Any) -> dict[str, tuple[Any, Any]]:
        shapes = [bad.reshape(bad.shape + (1,) * (one.ndim - bad.ndim)) for one in factors]
        pairs = list(zip(shapes, factors, strict=True))
        left = {
            equation: (np.where(bad[..., None, None], 0, norm(residual)), bound)
            for equation, (residual, bound) in residuals(
                *(np.where(one, 0, factor) for one, factor in pairs)
            ).items()
        }
        for number, (one, factor) in enumerate(pairs):
            numbers = np.where(one & ~np.isnan(factor), np.abs(factor), 0)
            left[f"result {number} is NaN where the matrix is not finite"] = (numbers, 0)
        return left

    return Equations(tuple(results), masked)


def _orthonormal(columns: Any, threshold: float, unit: Any) -> tuple[Any, Any]:
    rows, count = columns.shape[-2:]
    return adjoint(columns) @ columns - eye(count), threshold * max(rows, 1) * unit


def _beyond(x: Any, keep: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Return what a triangle has outside of itself, which is nothing."""
    return x - keep(x), 0


def _from_triangle(x: Any, upper: bool) -> Any:
    """Return the Hermitian matrices of a triangle."""
    lower = np.tril(adjoint(x) if upper else x)
    diagonal = np.real(np.diagonal(x, axis1=-2, axis2=-1)).astype(lower.dtype)
    strict = np.tril(lower, -1)
    return strict + adjoint(strict) + diagonal[..., None, :] * eye(x.shape[-1])


# ---- factorisations ----------------------------------------------------------------------------


def _is_definite(x: Any) -> Any:
    """Return whether leading minors are positive, by elimination in wide arithmetic."""
    a, definite = x.copy(), np.ones(x.shape[:-2], bool)
    for k in range(x.shape[-1]):
        pivot = np.real(a[..., k, k])
        definite &= pivot > 0
        safe = np.where(pivot > 0, pivot, 1)[..., None, None]
        a = a - a[..., :, k : k + 1] * a[..., k : k + 1, :] / safe
    return definite


@answers("linalg.cholesky")
def cholesky(x: Any, upper: bool = False) -> Equations:
    a, dtype = _operand(x)
    triangle = np.triu(a) if upper else np.tril(a)
    hermitian = _from_triangle(np.where(np.isfinite(triangle), triangle, 0), upper)
    definite = _is_definite(hermitian) & np.isfinite(triangle).all(axis=(-2, -1))
    size = a.shape[-1]
    bound = LINEAR * size * (eps(dtype) / 2 * norm(hermitian) + tiny(dtype) * norm(hermitian))

    def residuals(factor: Any) -> dict[str, tuple[Any, Any]]:
        lower = adjoint(factor) if upper else factor
        diagonal = np.diagonal(lower, axis1=-2, axis2=-1)
        return {
            "L L^H": (lower @ adjoint(lower) - hermitian, bound),
            "triangle": _beyond(lower, np.tril),
            "real diagonal": ((np.abs(diagonal) - diagonal)[..., None, :], 0),
        }

    marked = np.where(definite[..., None, None], hermitian, np.nan)
    return _of_finite(marked, [(a.shape, dtype)], residuals)


@answers("linalg.qr")
def qr(x: Any, mode: str = "reduced") -> Equations:
    a, dtype = _operand(x)
    *stack, rows, columns = a.shape
    side = rows if mode == "complete" else min(rows, columns)
    unit = eps(dtype) / 2 + tiny(dtype)
    bound = LINEAR * max(rows, columns) * unit * norm(np.where(np.isfinite(a), a, 0))

    def residuals(q: Any, r: Any) -> dict[str, tuple[Any, Any]]:
        return {
            "Q R": (q @ r - np.where(np.isfinite(a), a, 0), bound),
            "Q^H Q": _orthonormal(q, LINEAR, unit),
            "triangle": _beyond(r, np.triu),
        }

    shapes = [((*stack, rows, side), dtype), ((*stack, side, columns), dtype)]
    return _of_finite(a, shapes, residuals)


def _descending(values: Any) -> dict[str, tuple[Any, Any]]:
    rises = np.maximum(np.diff(values), 0)
    return {
        "order": (rises[..., None, :], 0),
        "sign": (np.minimum(values, 0)[..., None, :], 0),
    }


@answers("linalg.svd")
def svd(x: Any, full_matrices: bool = True) -> Equations:
    a, dtype = _operand(x)
    *stack, rows, columns = a.shape
    count = min(rows, columns)
    left, right = (rows, columns) if full_matrices else (count, count)
    unit = eps(dtype) + tiny(dtype)
    finite = np.where(np.isfinite(a), a, 0)
    bound = HERMITIAN * max(rows, columns) * unit * norm(finite)

    def residuals(u: Any, s: Any, vh: Any) -> dict[str, tuple[Any, Any]]:
        product = (u[..., :count] * s[..., None, :]) @ vh[..., :count, :]
        return {
            "U S V^H": (product - finite, bound),
            "U^H U": _orthonormal(u, HERMITIAN, unit),
            "V^H V": _orthonormal(adjoint(vh), HERMITIAN, unit),
            **_descending(s),
        }

    shapes = [
        ((*stack, rows, left), dtype),
        ((*stack, count), real_of(dtype)),
        ((*stack, right, columns), dtype),
    ]
    return _of_finite(a, shapes, residuals)


@answers("linalg.eigh")
def eigh(x: Any) -> Equations:
    a, dtype = _operand(x)
    triangle = np.tril(a)
    hermitian = _from_triangle(np.where(np.isfinite(triangle), triangle, 0), False)
    size = a.shape[-1]
    unit = eps(dtype) + tiny(dtype)
    bound = HERMITIAN * size * unit * norm(hermitian)

    def residuals(values: Any, vectors: Any) -> dict[str, tuple[Any, Any]]:
        left = (vectors * values[..., None, :]) @ adjoint(vectors) - hermitian
        falls = np.minimum(np.diff(values), 0)
        return {
            "V W V^H": (left, bound),
            "V^H V": _orthonormal(vectors, HERMITIAN, unit),
            "order": (falls[..., None, :], 0),
        }

    results = [(a.shape[:-1], real_of(dtype)), (a.shape, dtype)]
    return _of_finite(triangle, results, residuals)


def _complex(dtype: Dtype) -> Dtype:
    return np.dtype("complex128" if real_of(dtype) == np.float64 else "complex64")


@answers("linalg.eig")
def eig(x: Any) -> Equations:
    a, dtype = _operand(x)
    finite = np.where(np.isfinite(a), a, 0)
    size, unit = a.shape[-1], eps(_complex(dtype)) + tiny(_complex(dtype))
    bad = ~np.isfinite(a).all(axis=(-2, -1))

    def residuals(values: Any, vectors: Any) -> dict[str, tuple[Any, Any]]:
        left = finite @ vectors - vectors * values[..., None, :]
        bound = GENERAL * size * unit * norm(finite) * np.maximum(norm(vectors), 1)
        lengths = np.sum(np.abs(vectors) ** 2, axis=-2, keepdims=True) - 1
        lengths = np.where(bad[..., None, None], 0, lengths)
        return {"A V": (left, bound), "length": (lengths, GENERAL * size * unit)}

    shapes = [(a.shape[:-1], _complex(dtype)), (a.shape, _complex(dtype))]
    return _of_finite(a, shapes, residuals)


@answers("linalg.eigvals")
def eigvals(x: Any) -> Equations:
    """Each value is one of a matrix that is nearly x, and so is their sum.

    The distance to the next matrix with this eigenvalue is the smallest singular value of x less
    the value times the unit matrix, which NumPy computes in complex128.
    """
    a, dtype = _operand(x)
    finite = np.where(np.isfinite(a), a, 0)
    size, unit = a.shape[-1], eps(_complex(dtype)) + tiny(_complex(dtype))
    bound = GENERAL * size * unit * norm(finite) + size * np.finfo("float64").eps * norm(finite)

    def residuals(values: Any) -> dict[str, tuple[Any, Any]]:
        shifted = finite[..., None, :, :] - values[..., None, None] * eye(size)
        distances = np.zeros(values.shape)
        if values.size:
            distances = np.linalg.svdvals(shifted.astype("complex128"))[..., -1]
        trace = np.sum(values, -1) - np.trace(finite, axis1=-2, axis2=-1)
        return {
            "distance": (np.max(distances, axis=-1, initial=0)[..., None, None], bound),
            "trace": (trace[..., None, None], size * bound),
        }

    return _of_finite(a, [(a.shape[:-1], _complex(dtype))], residuals)


# ---- values ------------------------------------------------------------------------------------


def _by_mpmath(function: Callable[[Any, Any], Any], x: Any, count: int) -> Any:
    """Return numbers of each matrix with 30 digits."""
    import mpmath

    result = np.zeros((*x.shape[:-2], count), WIDE)
    with mpmath.workdps(30):
        for index in np.ndindex(x.shape[:-2]):
            one = x[index]
            if count == 0:
                continue
            entries = [[_exact(mpmath, number) for number in row] for row in one]
            found = function(mpmath, mpmath.matrix(entries))
            result[index] = [WIDE(mpmath.nstr(number, 25)) for number in found]
    return result


def _exact(mpmath: Any, number: Any) -> Any:
    if np.iscomplexobj(number):
        return mpmath.mpc(float(number.real), float(number.imag))
    return mpmath.mpf(float(number))


def _singular_values(x: Any) -> Any:
    """Return the singular values of finite matrices whose numbers are float64's at most."""

    def found(mpmath: Any, matrix: Any) -> Any:
        matrix = matrix if matrix.rows >= matrix.cols else matrix.H
        svd = mpmath.svd_c if np.iscomplexobj(x) else mpmath.svd_r
        return sorted(svd(matrix, compute_uv=False), reverse=True)

    return _by_mpmath(found, x, min(x.shape[-2:]))


def _svdvals(x: Any) -> tuple[Any, Any, Dtype]:
    """Return singular values, the bound of each, and the dtype of the results.

    By Weyl's theorem they are as near as the matrix that they belong to (G. H. Golub and C. F.
    Van Loan, Matrix Computations, 4th ed., corollary 8.6.2).
    """
    a, dtype = _operand(x)
    bad = ~np.isfinite(a).all(axis=(-2, -1))[..., None]
    finite = np.where(np.isfinite(a), a, 0)
    unit = eps(dtype) + tiny(dtype)
    # the distance of matrices in norm 2 is at most that of Frobenius
    size = np.sqrt(np.sum(np.abs(finite) ** 2, axis=(-2, -1), dtype=WIDE))[..., None]
    bound = HERMITIAN * max(a.shape[-2:]) * unit * size
    values = _singular_values(finite)
    return np.where(bad, np.nan, values), bound + np.zeros_like(values), real_of(dtype)


@answers("linalg.svdvals")
def svdvals(x: Any) -> Answer:
    values, bound, dtype = _svdvals(x)
    return Answer(values, dtype, bound)


@answers("linalg.eigvalsh")
def eigvalsh(x: Any) -> Answer:
    a, dtype = _operand(x)
    triangle = np.tril(a)
    bad = ~np.isfinite(triangle).all(axis=(-2, -1))[..., None]
    hermitian = _from_triangle(np.where(np.isfinite(triangle), triangle, 0), False)
    size = np.sqrt(np.sum(np.abs(hermitian) ** 2, axis=(-2, -1), dtype=WIDE))[..., None]

    def found(mpmath: Any, matrix: Any) -> Any:
        return sorted((mpmath.eighe if np.iscomplexobj(a) else mpmath.eigsy)(matrix, True))

    values = _by_mpmath(found, hermitian, a.shape[-1])
    bound = HERMITIAN * a.shape[-1] * (eps(dtype) + tiny(dtype)) * size + np.zeros_like(values)
    return Answer(np.where(bad, np.nan, values), real_of(dtype), bound)


@answers("linalg.matrix_rank")
def matrix_rank(x: Any, rtol: Any = None) -> Answer:
    """Nothing is said where a singular value is as near to the cut-off as its bound."""
    values, bound, dtype = _svdvals(x)
    part = max(x.shape[-2:]) * eps(dtype) if rtol is None else np.asarray(rtol, WIDE)[..., None]
    cut = part * np.max(values, axis=-1, keepdims=True, initial=0)
    error = bound + part * np.max(bound, axis=-1, keepdims=True, initial=0)
    # zeros of a matrix with rows and columns of zeros are zeros
    open_ = ((np.abs(values - cut) <= error) & (values > 0) & np.isfinite(values)).any(axis=-1)
    rank = np.sum(np.nan_to_num(values) > np.nan_to_num(cut), axis=-1)
    return Answer(np.asarray(rank, object), default("i"), np.where(open_, WIDE(np.inf), 0))


def _determinant(x: Any) -> Any:
    """Return determinants in wide arithmetic, along the first row."""
    size = x.shape[-1]
    if size == 0:
        return np.ones(x.shape[:-2], x.dtype)
    total = np.zeros(x.shape[:-2], x.dtype)
    for column in range(size):
        rest = np.delete(x[..., 1:, :], column, axis=-1)
        total = total + (-1) ** column * x[..., 0, column] * _determinant(rest)
    return total


def _determinant_bound(a: Any, dtype: Dtype) -> Any:
    """Return how far the determinants of matrices nearby are away.

    I. Ipsen and R. Rehman, Perturbation bounds for determinants and characteristic polynomials,
    SIAM J. Matrix Anal. Appl. 30 (2008), corollary 2.7.
    """
    size = a.shape[-1]
    length = np.sqrt(np.sum(np.abs(a) ** 2, axis=(-2, -1), dtype=WIDE))
    away = LINEAR * size * (eps(dtype) / 2 + tiny(dtype)) * length
    rounding = gamma(4 * size + 4, dtype) * length**size
    return size * away * (length + away) ** max(size - 1, 0) + rounding


@answers("linalg.det")
def det(x: Any) -> Answer:
    a, dtype = _operand(x)
    value, bound = _determinant(a), _determinant_bound(a, dtype)
    return Answer(value, dtype, np.where(np.isfinite(value), bound, 0), tiny(dtype) * (1 + bound))


@answers("linalg.slogdet")
def slogdet(x: Any) -> list[Answer]:
    a, dtype = _operand(x)
    size = a.shape[-1]
    if size == 0:
        one = np.ones(a.shape[:-2], WIDE)
        return [Answer(one, dtype), Answer(one - 1, real_of(dtype))]
    value, bound = _determinant(a), _determinant_bound(a, dtype)
    magnitude = np.abs(value)
    zero = (a == 0).all(axis=-2).any(axis=-1)
    relative = np.where(magnitude > bound, bound / magnitude, WIDE(np.inf))
    error = np.where(relative < 0.5, -np.log1p(-np.minimum(relative, 0.5)), np.inf)
    # pivots lie between the smallest singular value, divided by the size, and twice the largest
    # for each step: L has no number beyond 1
    length = np.sqrt(np.sum(np.abs(a) ** 2, axis=(-2, -1), dtype=WIDE))
    smallest = magnitude / np.maximum(length, 1) ** (size - 1) / size
    logs = size * np.maximum(np.abs(np.log(smallest)), np.abs(np.log(length * 2**size)))
    rounding = gamma(size + 4, real_of(dtype)) * logs
    nan = np.isnan(value)
    sign = np.where(zero, 0, value / np.where(magnitude > 0, magnitude, 1))
    turn = np.where(zero | nan, 0, relative + gamma(4 * size + 4, dtype))
    if kind(dtype) != "c":
        turn = np.where(zero | nan | (relative < 1), 0, WIDE(np.inf))
    size_error = np.where(zero | nan, 0, error + rounding)
    return [
        Answer(sign, dtype, turn),
        Answer(np.where(zero, -np.inf, np.log(magnitude)), real_of(dtype), size_error),
    ]


# ---- solutions ---------------------------------------------------------------------------------


def _has_zero_column(x: Any) -> Any:
    return np.asarray((x == 0).all(axis=-2).any(axis=-1))


@answers("linalg.inv")
def inv(x: Any) -> Equations:
    a, dtype = _operand(x)
    size = a.shape[-1]
    marked = np.where(_has_zero_column(a)[..., None, None], np.nan, a)
    finite = np.isfinite(marked).all(axis=(-2, -1), keepdims=True)
    regular = np.where(finite, a, eye(size))

    def residuals(inverse: Any) -> dict[str, tuple[Any, Any]]:
        bound = LINEAR * size * (eps(dtype) / 2 + tiny(dtype)) * norm(regular) * norm(inverse)
        return {"A A^-1": (regular @ inverse - eye(size), bound)}

    return _of_finite(marked, [(a.shape, dtype)], residuals)


@answers("linalg.solve")
def solve(x1: Any, x2: Any) -> Equations:
    dtype = floating(common(x1.dtype, x2.dtype))
    a, b = wide(x1.astype(dtype)), wide(x2.astype(dtype))
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = np.broadcast_to(a, (*stack, *a.shape[-2:]))
    b = np.broadcast_to(b, (*stack, *b.shape[-2:]))
    bad = ~np.isfinite(a).all(axis=(-2, -1)) | _has_zero_column(a)
    bad_columns = bad[..., None, None] | ~np.isfinite(b).all(axis=-2, keepdims=True)
    shape = b.shape[:-1] if vector else b.shape

    def residuals(x: Any) -> dict[str, tuple[Any, Any]]:
        x = x[..., None] if vector else x
        numbers = np.where(bad_columns & ~np.isnan(x), 1, 0)
        regular = np.where(bad[..., None, None], 0, a)
        x = np.where(bad_columns, 0, x)
        left = np.where(bad_columns, 0, regular @ x - np.where(bad_columns, 0, b))
        columns = np.sum(np.abs(x), axis=-2, keepdims=True)
        unit = eps(dtype) / 2 + tiny(dtype)
        bound = LINEAR * unit * norm(regular) * (columns + tiny(dtype))
        return {
            "A X": (np.sum(np.abs(left), axis=-2, keepdims=True), bound),
            "NaN where there is no solution": (numbers, 0),
        }

    return Equations(((shape, dtype),), residuals)


@answers("linalg.pinv")
def pinv(x: Any, rtol: Any = None) -> Equations:
    """The four equations of Penrose, for a pseudo-inverse of a matrix nearby.

    P.-A. Wedin, Perturbation theory for pseudo-inverses, BIT 13 (1973): it moves by at most three
    times the square of its norm times the distance of the matrices.
    """
    a, dtype = _operand(x)
    *stack, rows, columns = a.shape
    finite = np.where(np.isfinite(a), a, 0)
    unit = 3 * HERMITIAN * max(rows, columns) * (eps(dtype) + tiny(dtype))

    def residuals(inverse: Any) -> dict[str, tuple[Any, Any]]:
        there, back = norm(finite), norm(inverse)
        moved = unit * (there * back) ** 2 * max(rows, columns)  # norm 2 by sums of columns
        left, right = finite @ inverse, inverse @ finite
        return {
            "A X A": (left @ finite - finite, moved * there),
            "X A X": (right @ inverse - inverse, moved * back),
            "A X is Hermitian": (left - adjoint(left), moved),
            "X A is Hermitian": (right - adjoint(right), moved),
        }

    return _of_finite(a, [((*stack, columns, rows), dtype)], residuals)


@answers("linalg.matrix_power")
def matrix_power(x: Any, n: int) -> Any:
    dtype = x.dtype if n >= 0 else floating(x.dtype)
    size = x.shape[-1]
    if n >= 0:
        a = wide(x.astype(dtype))
        unit = np.broadcast_to(np.eye(size, dtype=a.dtype), a.shape)
        value, magnitude = unit, np.abs(unit)
        for _ in range(n):
            value, magnitude = value @ a, magnitude @ np.abs(a)
        if kind(dtype) == "b":
            return Answer(value != 0, dtype)
        # (3.13) of Higham's book: gamma_n for each product
        return products(value, magnitude, magnitude, max(n - 1, 0) * (size + 2), dtype)
    a, count = wide(x.astype(dtype)), -n

    def residuals(power: Any) -> dict[str, tuple[Any, Any]]:
        product = power
        for _ in range(count):
            product = a @ product
        unit = LINEAR * size * (eps(dtype) / 2 + tiny(dtype))
        # what one inverse leaves over, and the products of them
        condition = norm(a) * _norm_of_inverse(a)
        return {"A^n X": (product - eye(size), 2 * count * unit * condition ** (count + 1))}

    return Equations(((a.shape, dtype),), residuals)


def _norm_of_inverse(a: Any) -> Any:
    """Return the norm of inverses, which are cofactors by the determinant."""
    size = a.shape[-1]
    cofactors = np.zeros(a.shape, a.dtype)
    for row in range(size):
        for column in range(size):
            rest = np.delete(np.delete(a, row, axis=-2), column, axis=-1)
            cofactors[..., column, row] = _determinant(rest)
    return norm(cofactors) / np.abs(_determinant(a))[..., None, None]


# ---- products and norms ------------------------------------------------------------------------


@answers("linalg.cross")
def cross(x1: Any, x2: Any, axis: int = -1) -> Answer:
    dtype = common(x1.dtype, x2.dtype)
    a, b = wide(x1.astype(dtype)), wide(x2.astype(dtype))
    a, b = np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)

    def component(one: Any, other: Any, sign: int, i: int) -> Any:
        j, k = (i + 1) % 3, (i + 2) % 3
        return one[..., j] * other[..., k] + sign * one[..., k] * other[..., j]

    value = np.stack([component(a, b, -1, i) for i in range(3)], -1)
    end = axis if axis < 0 else axis - x1.ndim
    value = np.moveaxis(value, -1, end)
    if kind(dtype) in "iu":
        return Answer(value, dtype)
    size, other = np.abs(a), np.abs(b)
    sizes = np.moveaxis(np.stack([component(size, other, 1, i) for i in range(3)], -1), -1, end)
    one, two = np.ones_like(size), np.ones_like(other)
    more = component(size, two, 1, 0) + component(one, other, 1, 0)
    return products(value, sizes, np.max(more, initial=0), 2, dtype)


@answers("linalg.outer")
def outer(x1: Any, x2: Any) -> Answer:
    dtype = common(x1.dtype, x2.dtype)
    a, b = wide(x1.astype(dtype))[:, None], wide(x2.astype(dtype))
    if kind(dtype) in "biu":
        return Answer(a * b, dtype)
    return products(a * b, np.abs(a) * np.abs(b), np.abs(a) + np.abs(b), 1, dtype)


@answers("linalg.diagonal")
def diagonal(x: Any, offset: int = 0) -> Answer:
    return Answer(
        wide(np.diagonal(x, offset, -2, -1)), x.dtype, None if kind(x.dtype) in "fc" else 0
    )


@answers("linalg.trace")
def trace(x: Any, offset: int = 0, dtype: Any = None) -> Answer:
    letter = "i" if kind(x.dtype) == "b" else kind(x.dtype)
    result = common(x.dtype, default(letter)) if letter in "iu" else x.dtype
    result = result if dtype is None else np.dtype(dtype)
    a = wide(np.diagonal(x, offset, -2, -1).astype(result))
    if kind(result) in "iu":
        return Answer(np.asarray(np.sum(a, axis=-1, initial=0), object), result)
    size = np.sum(np.where(np.isfinite(a), np.abs(a), 0), axis=-1, dtype=WIDE)
    bound = np.where(size >= limit(result), WIDE(np.inf), gamma(a.shape[-1], result) * size)
    return Answer(np.sum(a, axis=-1), result, bound, (a.shape[-1] + 1) * tiny(result))


POWER = 16  # units in the last place: OpenCL's bound of `pow` (OpenCL C, section 7.4)


@answers("linalg.vector_norm")
def vector_norm(x: Any, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Answer:
    """Sums as Higham's; a root halves a relative error, and one of order p divides it by p."""
    a, dtype = _operand(x)
    result = real_of(dtype)
    size = np.abs(a).astype(WIDE)
    axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    count = math.prod(a.shape[one] for one in axes)
    options: dict[str, Any] = {"axis": axes, "keepdims": keepdims}
    each = 4 if kind(dtype) == "c" else 0  # the magnitude of a complex number
    match ord:
        case math.inf:
            return rounded(np.asarray(np.max(size, initial=0, **options)), result, 0.5 + each)
        case _ if ord == -math.inf:
            return rounded(np.asarray(np.min(size, **options)), result, 0.5 + each)
        case 0:
            value, relative = np.sum(size != 0, **options).astype(WIDE), gamma(0, result)
        case 1:
            value, relative = np.sum(size, **options), gamma(count + each, result)
        case 2:
            value = np.sqrt(np.sum(size**2, **options))
            relative = gamma(2 * count + 4, result)
        case _:
            value = np.sum(size**ord, **options) ** (WIDE(1) / WIDE(ord))
            one = POWER * eps(result) + abs(ord) * gamma(each, result)
            # rounding 1 / p moves the root by its logarithm
            logs = np.abs(np.log(np.where((value > 0) & np.isfinite(value), value, 1)))
            relative = (one + gamma(count, result)) / abs(ord) + POWER * eps(result)
            relative = relative + eps(result) * abs(ord) * logs / abs(ord)
    value = np.asarray(value, WIDE)
    bound = 2 * relative * np.where(np.isfinite(value), np.abs(value), 0) + eps(result) * (ord == 0)
    return Answer(value, result, bound, (count + 2) * np.sqrt(tiny(result)))


@answers("linalg.matrix_norm")
def matrix_norm(x: Any, keepdims: bool = False, ord: Any = "fro") -> Answer:
    if ord == "fro":
        found: Answer = vector_norm(x, (-2, -1), keepdims, 2)
        return found
    if ord == "nuc" or abs(ord) == 2:
        values, bound, dtype = _svdvals(x)
        rounding = gamma(values.shape[-1] + 1, dtype) * np.sum(np.nan_to_num(values), axis=-1)
        far = np.sum(bound, axis=-1) + rounding
        if ord == "nuc":
            value = np.asarray(np.sum(values, axis=-1))
        else:
            value = _extreme(values, ord, {"axis": -1})
        if keepdims:
            value, far = value[..., None, None], far[..., None, None]
        return Answer(value, dtype, far)
    sums: Answer = vector_norm(x, -2 if abs(ord) == 1 else -1, True, 1)
    options: dict[str, Any] = {"axis": (-2, -1), "keepdims": keepdims}
    largest = np.max(np.broadcast_to(sums.bound, sums.value.shape), initial=0, **options)
    return Answer(_extreme(sums.value, ord, options), sums.dtype, largest, sums.flushed)


def _extreme(values: Any, ord: float, options: dict[str, Any]) -> Any:
    """Return the largest of numbers that are not negative, or the smallest."""
    found = np.max(values, initial=0, **options) if ord > 0 else np.min(values, **options)
    return np.asarray(found)
