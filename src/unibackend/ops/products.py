"""Products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._dispatch import operation, variadic_operation
from ..typing import Array, ArrayLike

__all__ = [
    "einsum",
    "kron",
    "matmul",
    "matrix_transpose",
    "tensordot",
    "vecdot",
]


@variadic_operation
def einsum(subscripts: str, /, *operands: ArrayLike, precision: str | None = None) -> Array:
    """Return the sums of products that Einstein's convention describes.

    Args:
        subscripts: a letter for each axis of each array, with commas between the arrays, and after
            "->" those of the result; without "->", all that occur once, in alphabetical order.
            What has one letter has one size, and what is not in the result is summed over.
            "..." stands for any number of axes, which broadcast, and come first in the result if
            it is not written out.
        operands: arrays of any dtypes. Sums of integers are exact modulo the width of their
            common dtype, those of bools are whether any product is true, and 16 bit floats are
            summed in float32.
        precision: "highest", "high" or "default", as in matmul.

    Returns:
        An array of the common dtype.

    Raises:
        ShapeError: malformed subscripts, or shapes that do not go with them.
        DtypeError: subscripts that are no text.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.einsum("ij,j->i", [[1, 2], [3, 4]], [10, 1])
        array([12, 34], dtype=int32)
    """
    ...


@operation
def kron(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the Kronecker product: copies of x2, multiplied by each element of x1.

    Args:
        x1: an array of numbers.
        x2: an array of numbers; the shorter shape is filled up with ones on the left.

    Returns:
        An array whose sizes are the products of the sizes.

    Raises:
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.kron([1, 10], [1, 2])
        array([ 1,  2, 10, 20], dtype=int32)
    """
    ...


@operation
def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    dtype: Any = None,
    precision: str | None = None,
) -> Array:
    """Return the matrix product of two arrays.

    An array of one axis is a row on the left and a column on the right, and that axis is absent
    from the result. Of more axes the last two are the matrices and the others are broadcast.

    Args:
        x1: an array of one axis at least, of any dtype. Products of integers are exact modulo
            their width, and bools give whether any pair holds.
        x2: an array of one axis at least; its last axis but one, or its only one, is as long as
            the last axis of x1.
        transpose_x1: whether the matrices of x1 are transposed first.
        transpose_x2: whether the matrices of x2 are transposed first.
        dtype: the dtype of the sums and of the result, such as float32 for bfloat16 operands or
            int32 for int8; None is the common dtype of the operands.
        precision: "highest", "high" or "default", as JAX names them; None is the setting
            `matmul_precision`. It matters on accelerators.

    Returns:
        An array of the products.

    Raises:
        ShapeError: an array without axes, lengths that differ, or shapes that do not broadcast.
        DtypeError: a dtype that cannot hold the operands.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.matmul([[1.0, 2.0]], [[3.0, 4.0]], transpose_x2=True)
        array([[11.]], dtype=float32)
    """
    ...


@operation
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Return matrices with rows and columns exchanged.

    Args:
        x: an array of two axes at least; the last two are the matrices.

    Returns:
        An array with the last two axes exchanged.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.matrix_transpose([[1, 2, 3]])
        array([[1],
               [2],
               [3]], dtype=int32)
    """
    ...


@operation
def tensordot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
) -> Array:
    """Return the sums of products over pairs of axes.

    Args:
        x1: an array of numbers.
        x2: an array of numbers.
        axes: how many of the last axes of x1 and of the first axes of x2 are summed over, or
            the axes of x1 and the axes of x2.

    Returns:
        An array with the other axes of x1 followed by the other axes of x2.

    Raises:
        ShapeError: no such axes, or paired axes of different lengths.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.tensordot([[1, 2], [3, 4]], [10, 1], axes=1)
        array([12, 34], dtype=int32)
    """
    ...


@operation
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Return the dot products of vectors; complex ones are conjugated on the left.

    Args:
        x1: an array of numbers with one axis at least.
        x2: an array of numbers; its other axes must broadcast with those of x1.
        axis: the axis of the vectors, counted from the end where the numbers of axes differ.

    Returns:
        An array of the broadcast shape without the axis.

    Raises:
        ShapeError: no such axis, vectors of different lengths, or shapes that do not broadcast.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.vecdot([[1, 2], [3, 4]], [10, 1])
        array([12, 34], dtype=int32)
    """
    ...
