"""Determinants and solutions, on stacks of matrices of a dtype that TensorFlow has kernels for.

Derivatives are JAX's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

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
    real,
    stacked,
    times,
    unit,
    where,
    with_derivative,
)
from ._sizes import dims_of, product, reshape


def lu(x: Any) -> Tensors:
    """Return L (below) and U in one matrix, the orders of rows and columns, and their sign.

    G. H. Golub and C. F. Van Loan, Matrix Computations, 4th ed., section 3.4.8: by complete
    pivoting, so that zeros among the pivots come last. For XLA, which lacks LU, and for singular
    matrices, for which TensorFlow's op raises. It takes stacks of one axis.
    """
    stack, size, _ = dims_of(x)
    places = tf.range(size)
    order = tf.zeros([stack, 1], tf.int32) + places
    part: Any = PARTS.get(x.dtype, x.dtype)
    sign = tf.ones([stack], part)
    if isinstance(size, int) and size == 0:
        return x, order, order, sign
    zero, one = scalar(0, x.dtype), scalar(1, x.dtype)

    def step(k: Any, a: Any, rows: Any, columns: Any, sign: Any) -> Tensors:
        later = places >= k
        sizes = where(tf.logical_and(later[:, None], later), tf.abs(a), scalar(-1, sign.dtype))
        largest: Any = tf.argmax(reshape(sizes, [stack, size * size]), -1, output_type=tf.int32)[
            :, None
        ]
        for axis, pivot in ((1, largest // size), (2, largest % size)):
            swapped = where(tf.equal(places, k), pivot, where(tf.equal(places, pivot), k, places))
            a = tf.gather(a, swapped, axis=axis, batch_dims=1)
            if axis == 1:
                rows = tf.gather(rows, swapped, axis=1, batch_dims=1)
            else:
                columns = tf.gather(columns, swapped, axis=1, batch_dims=1)
            stays = tf.equal(pivot[:, 0], k)
            sign = sign * where(stays, scalar(1, sign.dtype), scalar(-1, sign.dtype))
        column, row = tf.gather(a, k, axis=2), tf.gather(a, k, axis=1)
        head = tf.gather(column, k, axis=1)[:, None]
        head = where(tf.equal(head, zero), one, head)  # all that is left is zero
        after = places > k
        factors = where(after, column / head, zero)[:, :, None]
        a = a - factors * where(after, row, zero)[:, None, :]
        at_column = tf.logical_and(after[:, None], tf.equal(places, k))
        return k + 1, where(at_column, factors, a), rows, columns, sign

    _, a, rows, columns, sign = tf.while_loop(
        lambda k, *rest: k < size, step, (0, x, order, order, sign), maximum_iterations=size
    )
    return a, rows, columns, sign


def _ordered(x: Any, order: Any) -> Any:
    """Return matrices with their rows in another order."""
    return tf.gather(x, order, axis=1, batch_dims=1)


def _triangles(packed: Any) -> Tensors:
    """Return L, with ones on its diagonal, and U."""
    below = band(packed, -1, 0)
    return below - tf.linalg.diag(diagonal_of(packed)) + unit(packed), band(packed, 0, -1)


def _triangular(a: Any, b: Any, *, lower: bool) -> Any:
    return raw.MatrixTriangularSolve(matrix=a, rhs=b, lower=lower, adjoint=False)


def _lu_solve(a: Any, b: Any) -> Any:
    if a.shape.rank == 2:
        return _lu_solve(a[None], b[None])[0]
    packed, rows, columns, _ = lu(a)
    lower, upper = _triangles(packed)
    x = _triangular(upper, _triangular(lower, _ordered(b, rows), lower=True), lower=False)
    return _ordered(x, tf.argsort(columns, -1))


def _solve_kernel(a: Any, b: Any) -> Any:
    finite = all_finite(a)
    x = _lu_solve(a, b) if by_xla() else _guarded_solve(a, b)
    return nan_unless(raw.LogicalAnd(x=finite, y=all_finite(x, (-2,))), x)


def _guarded_solve(a: Any, b: Any) -> Any:
    if tf.executing_eagerly():
        try:
            return raw.MatrixSolve(matrix=a, rhs=b)
        except tf.errors.InvalidArgumentError:
            pass
    # its kernel raises where a pivot is zero, and the logarithm of the determinant is infinite
    _, size = raw.LogMatrixDeterminant(input=a)
    regular = raw.IsFinite(x=real(size))[..., None, None]
    x = raw.MatrixSolve(matrix=where(regular, a, unit(a)), rhs=b)
    return nan_unless(regular, x)


def _solve_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    (ct,), (x,), (a, _) = cotangents, results, operands
    by_b = _solve(adjoint(a), ct)
    return -times(by_b, adjoint(x)), by_b


_solve = with_derivative(_solve_kernel, _solve_derivative)


def solve(a: Any, b: Any) -> Any:
    """Return the solutions of a x = b, for equal stacks of matrices."""
    dims, sides = dims_of(a), dims_of(b)
    if len(dims) <= 3:
        return _solve(a, b)
    count = product(dims[:-2])
    x = _solve(reshape(a, [count, *dims[-2:]]), reshape(b, [count, *sides[-2:]]))
    return reshape(x, sides)


def inverse(x: Any) -> Any:
    return solve(x, tf.zeros_like(x) + unit(x))


def _det_kernel(x: Any) -> Any:
    if not by_xla():
        return raw.MatrixDeterminant(input=x)
    if x.shape.rank == 2:
        return _det_kernel(x[None])[0]
    packed, _, _, sign = lu(x)
    return like(sign, x) * tf.reduce_prod(diagonal_of(packed), -1)


def _det_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    (ct,), (x,) = cotangents, operands
    return (adjoint(_adjugate(x)) * ct[..., None, None],)


def _adjugate(x: Any) -> Any:
    """Return the inverses times the determinants, which singular matrices have too.

    The last pivot, which is zero where the rank is one less than full, is divided out of the
    determinant. Where more are zero, so are all cofactors.
    """
    if x.shape.rank == 2:
        return _adjugate(x[None])[0]
    if x.shape[-1] == 0:
        return x
    packed, rows, columns, sign = lu(x)
    lower, upper = _triangles(packed)
    heads = diagonal_of(packed)
    rest = like(sign, x) * tf.reduce_prod(heads[:, :-1], -1)
    whole = rest * heads[:, -1]
    full = tf.not_equal(rest, scalar(0, x.dtype))[:, None, None]
    safe = where(full, upper, unit(x))
    rest = where(full[:, 0, 0], rest, scalar(1, x.dtype))
    last = tf.math.reciprocal(rest)[:, None]
    safe = tf.linalg.set_diag(safe, tf.concat([diagonal_of(safe)[:, :-1], last], -1))
    turned = _triangular(lower, _ordered(tf.zeros_like(x) + unit(x), rows), lower=True)
    scaled = tf.concat([turned[:, :-1] * whole[:, None, None], turned[:, -1:]], -2)
    result = _ordered(_triangular(safe, scaled, lower=False), tf.argsort(columns, -1))
    return where(full, result, scalar(0, x.dtype))


_det = with_derivative(_det_kernel, _det_derivative)


@stacked
def det(x: Any) -> Any:
    return _det(x)


def _slogdet_kernel(x: Any) -> Tensors:
    if not by_xla():
        sign, size = raw.LogMatrixDeterminant(input=x)
        return sign, real(size)
    if x.shape.rank == 2:
        sign, size = _slogdet_kernel(x[None])
        return sign[0], size[0]
    packed, _, _, order_sign = lu(x)
    heads = diagonal_of(packed)
    sizes = tf.abs(heads)
    units = heads / like(where(tf.equal(sizes, 0), tf.ones_like(sizes), sizes), heads)
    sign = like(order_sign, x) * tf.reduce_prod(units, -1)
    return sign, tf.reduce_sum(tf.math.log(sizes), -1)


def _slogdet_derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
    (by_sign, by_size), (sign, _), (x,) = cotangents, results, operands
    scale = like(by_size, x)
    if x.dtype in COMPLEX:
        turn = conj(by_sign) * sign
        scale = raw.Complex(real=by_size, imag=-tf.math.imag(turn), Tout=x.dtype)
    return (adjoint(inverse(x)) * scale[..., None, None],)


_slogdet = with_derivative(_slogdet_kernel, _slogdet_derivative)


@stacked
def slogdet(x: Any) -> Tensors:
    return tuple(_slogdet(x))


# ---- pseudo-inverses ---------------------------------------------------------------------------


def pinv(x: Any, compute: Callable[[Any], Any]) -> Any:
    """Return pseudo-inverses, with the derivative that is right for equal singular values too.

    G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses and nonlinear least squares
    problems whose variables separate, SIAM J. Numer. Anal. 10 (1973), (4.12).
    """

    def derivative(cotangents: Any, results: Any, operands: Any) -> Tensors:
        (ct,), (p,), (a,) = cotangents, results, operands
        ph = adjoint(p)
        left, right = adjoint(ct) - times(a, p, adjoint(ct)), adjoint(ct) - times(adjoint(ct), p, a)
        return (-times(ph, ct, ph) + times(left, p, ph) + times(ph, p, right),)

    return with_derivative(compute, derivative)(x)
