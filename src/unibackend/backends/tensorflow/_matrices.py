"""Stacks of matrices: functions of them with derivatives of their own, and what is made of them.

TensorFlow's kernels raise where a matrix is singular or not finite, which XLA cannot; in the
modules that build on this one the result is NaN, as on JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ...settings import current
from ._derivatives import unrecorded
from ._kernels import COMPLEX, PARTS, raw, scalar
from ._sizes import dims_of, ints, product, reshape
from .matmul import matrix_product

Tensors = tuple[Any, ...]


def stacked(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that takes one stack axis at most as one for any number of them.

    Args:
        kernel: from a tensor of matrices, and options, to tensors that begin with the same stack.
    """

    def call(x: Any, *options: Any) -> Any:
        dims = dims_of(x)
        if len(dims) <= 3:
            return kernel(x, *options)
        results = kernel(reshape(x, [product(dims[:-2]), *dims[-2:]]), *options)

        def unfolded(one: Any) -> Any:
            return reshape(one, [*dims[:-2], *dims_of(one)[1:]])

        if isinstance(results, tuple):
            return tuple(map(unfolded, results))
        return unfolded(results)

    return call


def with_derivative(
    kernel: Callable[..., Any], derivative: Callable[..., Sequence[Any]]
) -> Callable[..., Any]:
    """Return a kernel of several results with a derivative of its own.

    Args:
        kernel: from tensors to a tensor or a tuple of tensors.
        derivative: from the cotangents, the results and the operands to the operands' cotangents.
    """

    def call(*tensors: Any) -> Any:
        if unrecorded(*tensors):
            return kernel(*tensors)

        def recorded(*operands: Any) -> tuple[Any, Callable[..., Any]]:
            results = kernel(*operands)

            def backward(*cotangents: Any) -> Any:
                found = results
                if not unrecorded(*operands):  # its derivative may be asked for
                    found = call(*operands)
                found = found if isinstance(found, tuple) else (found,)
                return list(derivative(cotangents, found, operands))

            return results, backward

        if not tf.executing_eagerly():
            tensors = tuple(tf.identity(x) for x in tensors)  # where a gradient's graph finds them
        return tf.custom_gradient(recorded)(*tensors)

    return call


# ---- matrices ----------------------------------------------------------------------------------


def transpose(x: Any) -> Any:
    rank = x.shape.rank
    return raw.Transpose(x=x, perm=ints((*range(rank - 2), rank - 1, rank - 2)))


def conj(x: Any) -> Any:
    return raw.Conj(input=x) if x.dtype in COMPLEX else x


def adjoint(x: Any) -> Any:
    return conj(transpose(x))


def times(*matrices: Any) -> Any:
    """Return the product of some stacks of matrices."""
    result, *rest = matrices
    for one in rest:
        result = matrix_product(result, one, False, False)
    return result


def real(x: Any) -> Any:
    return raw.Real(input=x, Tout=PARTS[x.dtype]) if x.dtype in COMPLEX else x


def like(values: Any, x: Any) -> Any:
    """Return real numbers in the dtype of an array, which may be complex."""
    if values.dtype is x.dtype:
        return values
    return raw.Complex(real=values, imag=tf.zeros_like(values), Tout=x.dtype)


def unit(x: Any) -> Any:
    """Return the unit matrix as large as the rows of matrices, alone."""
    return tf.eye(dims_of(x)[-1], dtype=x.dtype)


def band(x: Any, below: int, above: int) -> Any:
    """Return matrices with zeros but for some diagonals; -1 is all of a side."""
    kind = tf.int64
    return raw.MatrixBandPart(input=x, num_lower=scalar(below, kind), num_upper=scalar(above, kind))


def diagonal_of(x: Any) -> Any:
    return tf.linalg.diag_part(x)


def where(condition: Any, x: Any, y: Any) -> Any:
    return raw.SelectV2(condition=condition, t=x, e=y)


def all_finite(x: Any, axes: tuple[int, ...] = (-2, -1)) -> Any:
    """Return whether all elements along some axes are finite, which keep a length of 1."""
    finite = raw.IsFinite(x=x) if x.dtype not in COMPLEX else _parts_finite(x)
    return raw.All(input=finite, axis=ints(axes), keep_dims=True)


def _parts_finite(x: Any) -> Any:
    return raw.LogicalAnd(
        x=raw.IsFinite(x=real(x)), y=raw.IsFinite(x=raw.Imag(input=x, Tout=PARTS[x.dtype]))
    )


def _nan(dtype: Any) -> Any:
    return scalar(complex(float("nan"), 0) if dtype in COMPLEX else float("nan"), dtype)


def nan_unless(condition: Any, x: Any) -> Any:
    return where(condition, x, _nan(x.dtype))


def of_finite(kernel: Callable[..., Tensors], x: Any, *options: Any) -> Tensors:
    """Return the results for matrices, all NaN where a matrix is not finite.

    Kernels raise for those, or never return.
    """
    finite = all_finite(x)
    results = kernel(where(finite, x, scalar(0, x.dtype)), *options)
    flat = raw.Squeeze(input=finite, axis=[-1])
    return tuple(
        nan_unless(finite if one.shape.rank == x.shape.rank else flat, one) for one in results
    )


def by_xla() -> bool:
    """Tell whether what is computed now is to be compiled by XLA, which lacks some kernels."""
    from ._compile import wants_xla  # it builds on all of this

    return not tf.executing_eagerly() and wants_xla(current())
