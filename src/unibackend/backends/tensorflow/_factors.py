"""Factorisations, on stacks of matrices of a dtype that TensorFlow has kernels for.

Derivatives are JAX's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...errors import UnsupportedError
from . import _jacobi
from ._kernels import COMPLEX, PARTS, raw, scalar
from ._matrices import (
    Tensors,
    adjoint,
    all_finite,
    band,
    by_xla,
    conj,
    diagonal_of,
    like,
    nan_unless,
    of_finite,
    real,
    stacked,
    times,
    unit,
    where,
    with_derivative,
)
from ._sizes import dims_of, ints, reshape
from ._solutions import solve

# ---- Hermitian matrices ------------------------------------------------------------------------


def _from_lower(x: Any) -> Any:
    lower = band(x, -1, 0)
    if x.dtype in COMPLEX:
        lower = tf.linalg.set_diag(lower, like(real(diagonal_of(x)), x))
    return where(_below(x), lower, adjoint(lower))


def _below(x: Any) -> Any:
    """Return where the lower triangle is, the diagonal included."""
    rows = tf.range(dims_of(x)[-1])
    return raw.GreaterEqual(x=rows[:, None], y=rows[None, :])


def _mean_with_adjoint(cotangents: Any, results: Any, operands: Any) -> Tensors:
    (ct,) = cotangents
    return (scalar(0.5, ct.dtype) * (ct + adjoint(ct)),)


# The Hermitian matrices that have these lower triangles. Its derivative is symmetric, as JAX's.
from_lower = with_derivative(_from_lower, _mean_with_adjoint)


@stacked
def cholesky(x: Any) -> Any:
    """Return lower triangles; those of matrices that are not positive definite are NaN."""
    hermitian = from_lower(x)
    if x.dtype in COMPLEX:
        # TensorFlow's own kernel gives what was in memory where a complex matrix is not positive
        # definite (tensorflow#61916). A complex number a + bi is the real matrix [a -b; b a],
        # and so is each element of the factor, as its diagonal is real.
        factor = _from_blocks(raw.Cholesky(input=_as_blocks(hermitian)), x.dtype)
    else:
        factor = raw.Cholesky(input=hermitian)
    usable = raw.LogicalAnd(x=all_finite(hermitian), y=all_finite(factor))
    return band(nan_unless(usable, factor), -1, 0)


def _as_blocks(x: Any) -> Any:
    """Return complex matrices as real ones with a block of two by two for each element."""
    a, b = real(x), raw.Imag(input=x, Tout=PARTS[x.dtype])
    rows = tf.stack([tf.stack([a, -b], -1), tf.stack([b, a], -1)], -3)  # [..., row, 2, column, 2]
    *stack, count, columns = dims_of(x)
    return reshape(rows, [*stack, 2 * count, 2 * columns])


def _from_blocks(x: Any, dtype: Any) -> Any:
    return raw.Complex(real=x[..., ::2, ::2], imag=x[..., 1::2, ::2], Tout=dtype)


def _eigh_kernel(x: Any) -> Tensors:
    if by_xla() and _is_known(x) and x.dtype in (tf.float64, tf.complex128):
        return _alone(_jacobi.eigh, x)
    values, vectors = raw.SelfAdjointEigV2(input=x, compute_v=True)
    if x.dtype in COMPLEX and not tf.executing_eagerly():
        # XLA packs the real eigenvalues of complex matrices as if they were complex (seen on
        # 2.21); the vectors are right.
        sizes = conj(vectors) * times(x, vectors)
        values = tf.sort(real(tf.reduce_sum(sizes, -2)), -1)
    return real(values), vectors


def _is_known(x: Any) -> bool:
    return bool(x.shape[-2:].is_fully_defined())


def _alone(kernel: Callable[..., Tensors], x: Any, *options: Any) -> Tensors:
    """Return what a kernel of a stack makes of matrices, or of one matrix."""
    if x.shape.rank == 3:
        return kernel(x, *options)
    return tuple(one[0] for one in kernel(x[None], *options))


def _eigh_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    """M. Giles, An extended collection of matrix derivative results (2008), section 3.1.

    Vectors whose eigenvalues are equal are not turned into each other.
    """
    by_values, by_vectors = cotangents
    values, vectors = results
    apart = values[..., None, :] - values[..., :, None]
    scale = like(tf.math.reciprocal_no_nan(apart), vectors)
    turned = scale * times(adjoint(vectors), by_vectors)
    inner = turned + tf.linalg.diag(like(by_values, vectors))
    result = times(vectors, inner, adjoint(vectors))
    return (scalar(0.5, result.dtype) * (result + adjoint(result)),)


_eigh = with_derivative(lambda x: of_finite(_eigh_kernel, x), _eigh_derivative)


@stacked
def eigh(x: Any) -> Tensors:
    """Return eigenvalues and vectors of the Hermitian matrices with these lower triangles."""
    return tuple(_eigh(from_lower(x)))


# ---- eigenvalues in general --------------------------------------------------------------------


def _complex(dtype: Any) -> Any:
    return {tf.float32: tf.complex64, tf.float64: tf.complex128}.get(dtype, dtype)


def _eig_kernel(x: Any) -> Tensors:
    values, vectors = raw.Eig(input=x, compute_v=True, Tout=_complex(x.dtype))
    return values, vectors


def _no_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    raise UnsupportedError(
        "linalg.eig: the derivative of eigenvectors of matrices that are not Hermitian is not "
        "defined without a choice of their lengths; use ub.linalg.eigvals, or ub.linalg.eigh"
    )


_eig = with_derivative(lambda x: of_finite(_eig_kernel, x), _no_derivative)


@stacked
def eig(x: Any) -> Tensors:
    return tuple(_eig(x))


def _eigvals_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    (ct,), (x,) = cotangents, operands
    _, vectors = _eig_kernel(where(all_finite(x), x, scalar(0, x.dtype)))
    result = solve(adjoint(vectors), times(tf.linalg.diag(ct), adjoint(vectors)))
    return (result if x.dtype in COMPLEX else real(result),)


_eigvals = with_derivative(lambda x: of_finite(_eig_kernel, x)[0], _eigvals_derivative)


@stacked
def eigvals(x: Any) -> Any:
    return _eigvals(x)


# ---- QR and singular values --------------------------------------------------------------------


def _scale(x: Any) -> Any:
    """Return powers of two for matrices, which bring the squares of their elements into range.

    Eigen's Householder vectors overflow for elements above the root of the largest number (seen
    on 2.21: the QR of 1.5e19 is infinite in complex64), where LAPACK's do not.
    """
    parts = [raw.Abs(x=real(x))]
    if x.dtype in COMPLEX:
        parts.append(raw.Abs(x=raw.Imag(input=x, Tout=PARTS[x.dtype])))
    size = raw.Max(input=tf.math.add_n(parts), axis=ints((-2, -1)), keep_dims=True)
    half = 63 if size.dtype is tf.float32 else 511  # of the exponents
    one, down, up = (scalar(2.0**power, size.dtype) for power in (0, -half - 20, half + 20))
    low, high = (scalar(2.0**power, size.dtype) for power in (20 - half, half - 20))
    return where(size > high, down, where(size < low, up, one))


def _qr_kernel(full: bool) -> Callable[..., Tensors]:
    def kernel(x: Any) -> Tensors:
        scale = _scale(x)
        q, r = raw.Qr(input=x * like(scale, x), full_matrices=full)
        return q, band(r, 0, -1) * like(1 / scale, x)

    return kernel


def _thin_qr_derivative(by_q: Any, by_r: Any, q: Any, r: Any) -> Any:
    """J. Townsend, Differentiating the QR decomposition (2018), for a square R."""
    inner = times(adjoint(q), by_q) - times(by_r, adjoint(r))
    turn = band(inner - adjoint(inner), -1, 0)
    turn -= tf.linalg.diag(diagonal_of(turn))
    imaginary = diagonal_of(inner) - like(real(diagonal_of(inner)), inner)
    turn += tf.linalg.diag(imaginary) - inner
    outer = by_q + times(q, turn)
    # by the inverse of the adjoint of R, on the right
    return adjoint(tf.linalg.triangular_solve(r, adjoint(outer), lower=False))


def _qr_derivative(full: bool) -> Callable[..., Tensors]:
    def derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
        (by_q, by_r), (q, r), (x,) = cotangents, results, operands
        rows, columns = dims_of(x)[-2:]
        if not isinstance(rows, int) or not isinstance(columns, int):
            raise UnsupportedError(
                "linalg.qr: the derivative needs the numbers of rows and columns, which are "
                "unknown inside this tf.function; give them in its input_signature"
            )
        if rows < columns:
            # the first columns are a square decomposition; the rest of R is Q^H X
            rest, by_rest = x[..., rows:], by_r[..., rows:]
            by_q = by_q + times(rest, adjoint(by_rest))
            first = _thin_qr_derivative(by_q, by_r[..., :rows], q, r[..., :rows])
            return (tf.concat([first, times(q, by_rest)], -1),)
        if full and rows > columns:
            by_q = _by_thin(by_q, q, columns)
            q, r, by_r = q[..., :columns], r[..., :columns, :], by_r[..., :columns, :]
        return (_thin_qr_derivative(by_q, by_r, q, r),)

    return derivative


def _by_thin(by_q: Any, q: Any, columns: int) -> Any:
    """Return the cotangent of the first columns of Q, given that of all.

    The transpose of (32) and (33) in "Differentiating the full QR decomposition",
    https://arxiv.org/abs/2409.13374, for Householder's vectors, as LAPACK and Eigen make Q.
    """
    thin, rest = q[..., :columns], q[..., columns:]
    by_thin, by_rest = by_q[..., :columns], by_q[..., columns:]
    top, bottom = thin[..., :columns, :], thin[..., columns:, :]
    z = adjoint(solve(adjoint(top - unit(top)), adjoint(bottom)))
    # d rest = d thin z^H - (thin + rest z) (d bottom - z d top)^H
    by_thin = by_thin + times(by_rest, z)
    by_inner = -times(adjoint(by_rest), thin + times(rest, z))
    return by_thin + tf.concat([-times(adjoint(z), by_inner), by_inner], -2)


def _qr(full: bool) -> Callable[[Any], Tensors]:
    kernel = _qr_kernel(full)
    return with_derivative(lambda x: of_finite(kernel, x), _qr_derivative(full))


_qr_thin, _qr_full = _qr(False), _qr(True)


@stacked
def qr(x: Any, full: bool) -> Tensors:
    rows, columns = dims_of(x)[-2:]
    if 0 in [size for size in (rows, columns) if isinstance(size, int)]:
        side = rows if full else 0
        q = _empty(x, rows, side) + tf.eye(rows, side, dtype=x.dtype)
        return q, _empty(x, side, columns)
    q, r = (_qr_full if full else _qr_thin)(x)
    return q, band(r, 0, -1)


def _empty(x: Any, rows: Any, columns: Any) -> Any:
    return tf.zeros([*dims_of(x)[:-2], rows, columns], x.dtype)


def _svd_kernel(full: bool) -> Callable[..., Tensors]:
    def kernel(x: Any) -> Tensors:
        if by_xla() and _is_known(x) and x.dtype is not tf.float32:
            return _alone(_jacobi.svd, x, full)
        s, u, v = raw.Svd(input=x, compute_uv=True, full_matrices=full)
        return u, real(s), adjoint(v)

    return kernel


def _svd_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    """M. Giles, An extended collection of matrix derivative results (2008), section 3.2.

    For complex matrices with the turn of the phases as JAX has it.
    """
    by_u, by_s, by_vh = cotangents
    u, s, vh = results
    (x,) = operands
    by_v, v = adjoint(by_vh), adjoint(vh)
    across, down = s[..., None, :], s[..., :, None]
    apart = like(tf.math.reciprocal_no_nan((across + down) * (across - down)), u)
    sizes, inverse = like(across, u), like(tf.math.reciprocal_no_nan(across), u)
    turn_u = apart * times(adjoint(u), by_u)
    turn_v = apart * times(vh, by_v)
    inner = (turn_u + adjoint(turn_u)) * sizes + like(down, u) * (turn_v + adjoint(turn_v))
    inner += tf.linalg.diag(like(by_s, u))
    if x.dtype in COMPLEX:
        phases = diagonal_of(times(adjoint(u), by_u)) * inverse[..., 0, :]
        inner += tf.linalg.diag(phases - like(real(phases), u))
    result = times(u, inner, vh)
    rows, columns = dims_of(x)[-2:]
    if rows is not columns and rows != columns:
        result += times((by_u - times(u, adjoint(u), by_u)) * inverse, vh)
        result += times(u, adjoint((by_v - times(v, vh, by_v)) * inverse))
    return (result,)


def _no_full_svd_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    raise UnsupportedError(
        "linalg.svd: with full_matrices=True the derivative of matrices that are not square is "
        "not defined, since the further vectors are any; use full_matrices=False"
    )


_svd_thin = with_derivative(lambda x: of_finite(_svd_kernel(False), x), _svd_derivative)
_svd_full = with_derivative(lambda x: of_finite(_svd_kernel(True), x), _no_full_svd_derivative)


@stacked
def svd(x: Any, full: bool) -> Tensors:
    """Return U, the singular values, and the adjoint of V."""
    rows, columns = dims_of(x)[-2:]
    if 0 in [size for size in (rows, columns) if isinstance(size, int)]:
        u = _empty(x, rows, rows) + tf.eye(rows, dtype=x.dtype) if full else _empty(x, rows, 0)
        vh = _empty(x, columns, columns) if full else _empty(x, 0, columns)
        vh = vh + tf.eye(columns, dtype=x.dtype) if full else vh
        return u, real(_empty(x, 1, 0)[..., 0, :]), vh
    square = isinstance(rows, int) and rows == columns
    return tuple((_svd_full if full and not square else _svd_thin)(x))


def _svdvals_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    (ct,), (x,) = cotangents, operands
    u, _, vh = _svd_thin(x)
    return (times(u * like(ct[..., None, :], u), vh),)


def _svdvals_kernel(x: Any) -> Tensors:
    if by_xla() and _is_known(x) and x.dtype is not tf.float32:
        return (_alone(_jacobi.svd, x, False)[1],)
    s, _, _ = raw.Svd(input=x, compute_uv=False, full_matrices=False)
    return (real(s),)


_svdvals = with_derivative(lambda x: of_finite(_svdvals_kernel, x)[0], _svdvals_derivative)


@stacked
def svdvals(x: Any) -> Any:
    rows, columns = dims_of(x)[-2:]
    if 0 in [size for size in (rows, columns) if isinstance(size, int)]:
        return real(_empty(x, 1, 0)[..., 0, :])
    return _svdvals(x)
