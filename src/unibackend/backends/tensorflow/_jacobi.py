"""Singular values and eigenvalues by Jacobi's rotations, for XLA.

What XLA itself computes for TensorFlow stops at a relative error of 1e-6, whatever the dtype, and
it has no singular vectors of complex matrices (seen on 2.21). Its vectors are where this begins.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import tensorflow as tf

from ._kernels import COMPLEX, PARTS, raw, scalar
from ._matrices import Tensors, adjoint, conj, like, real, times

# Rotations of each pair: from XLA's vectors the sums of squares off the diagonal go down as
# squares do; values that are nearly equal take some more.
SWEEPS = 8


def _orthogonalized(w: Any, v: Any) -> Tensors:
    """Return w and v with their columns rotated so that those of w are orthogonal.

    G. H. Golub and C. F. Van Loan, Matrix Computations, 4th ed., section 8.6.3 (one-sided Jacobi).
    """
    rows, size = w.shape[-2], w.shape[-1]
    if size < 2 or 0 in w.shape:
        return w, v
    part = PARTS.get(w.dtype, w.dtype)
    pairs = tf.constant(np.array(list(combinations(range(size), 2)), np.int32))
    count = size * (size - 1) // 2
    zero, one = scalar(0, part), scalar(1, part)
    # columns first: a rotation then writes two whole rows of memory
    columns = tf.transpose(tf.concat([w, v], -2), [2, 0, 1])

    def rotate(k: Any, columns: Any) -> Tensors:
        places = tf.gather(pairs, k % count)
        both = tf.gather(columns, places)
        p, q = both[0], both[1]
        head_p, head_q = p[:, :rows], q[:, :rows]
        product = tf.reduce_sum(conj(head_p) * head_q, -1, keepdims=True)
        size_p = tf.reduce_sum(tf.square(tf.abs(head_p)), -1, keepdims=True)
        size_q = tf.reduce_sum(tf.square(tf.abs(head_q)), -1, keepdims=True)
        apart = tf.abs(product)
        turns = apart > zero
        safe = tf.where(turns, apart, one)
        phase = tf.where(turns, product / like(safe, product), like(one, product))
        ratio = (size_q - size_p) / (safe + safe)
        tangent = tf.where(ratio >= zero, one, -one) / (
            tf.abs(ratio) + tf.sqrt(one + ratio * ratio)
        )
        tangent = tf.where(turns, tangent, zero)
        cosine = tf.math.rsqrt(one + tangent * tangent)
        c, s = like(cosine, product), like(cosine * tangent, product)
        turned = conj(phase) * q
        rotated = tf.stack([c * p - s * turned, s * p + c * turned])
        return k + 1, tf.tensor_scatter_nd_update(columns, places[:, None], rotated)

    steps = SWEEPS * count
    _, columns = tf.while_loop(
        lambda k, columns: k < steps, rotate, (0, columns), maximum_iterations=steps
    )
    both = tf.transpose(columns, [1, 2, 0])
    return both[:, :rows], both[:, rows:]


def _lengths(columns: Any) -> Any:
    return tf.sqrt(tf.reduce_sum(tf.square(tf.abs(columns)), -2))


def _in_order(x: Any, order: Any) -> Any:
    return tf.gather(x, order, axis=2, batch_dims=1)


def svd(x: Any, full: bool) -> Tensors:
    """Return U, the singular values, and the adjoint of V, of a stack of one axis."""
    rows, columns = x.shape[-2:]
    if rows < columns:
        u, s, vh = svd(adjoint(x), full)
        return adjoint(vh), s, adjoint(u)
    if x.dtype in COMPLEX:
        _, first = raw.SelfAdjointEigV2(input=times(adjoint(x), x), compute_v=True)
    else:
        _, _, first = raw.Svd(input=x, compute_uv=True, full_matrices=False)
    w, v = _orthogonalized(times(x, first), first)
    order = tf.argsort(_lengths(w), -1, direction="DESCENDING", stable=True)
    w, v = _in_order(w, order), _in_order(v, order)
    # Q's columns are those of w divided by their lengths, where these are not zero, and others
    # that are orthogonal to them
    q, r = raw.Qr(input=w, full_matrices=full)
    heads: Any = tf.linalg.diag_part(r)
    sizes = tf.abs(heads)
    nonzero = sizes > scalar(0, sizes.dtype)
    units: Any = tf.where(
        nonzero, heads / like(tf.where(nonzero, sizes, 1), heads), tf.ones_like(heads)
    )
    u = q[..., :columns] * units[..., None, :]
    u = tf.concat([u, q[..., columns:]], -1) if full else u
    values = tf.sort(sizes, -1, "DESCENDING")
    return u, values, adjoint(v)


def eigh(x: Any) -> Tensors:
    """Return eigenvalues in ascending order, and vectors, of a stack of one axis."""
    _, first = raw.SelfAdjointEigV2(input=x, compute_v=True)
    # with a multiple of 1 that makes all eigenvalues positive and of one size, the singular
    # vectors are those of x
    length = tf.sqrt(tf.reduce_sum(tf.square(tf.abs(x)), [-2, -1], keepdims=True))
    shift = like(length + length, x) * tf.eye(x.shape[-1], dtype=x.dtype)
    _, vectors = _orthogonalized(times(x + shift, first), first)
    values = real(tf.reduce_sum(conj(vectors) * times(x, vectors), -2))
    order = tf.argsort(values, -1, stable=True)
    return tf.sort(values, -1), _in_order(vectors, order)
