"""Linear algebra that is the same on every backend: its rules, its results, and what is built on
other operations.

What is composed here takes the namespace of a backend as `xp`, and arrays of a floating dtype that
are wide enough to compute in.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from . import _results, _shapes, dtypes
from ._shapes import Shape
from .errors import DtypeError, OptionError, ShapeError

Order: TypeAlias = float | Literal["fro", "nuc"]


class EigResult(NamedTuple):
    """Eigenvalues, and eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and orthonormal eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """Orthonormal columns, and an upper triangle."""

    Q: Any
    R: Any


class SlogdetResult(NamedTuple):
    """Sign, and logarithm of the absolute value, of a determinant."""

    sign: Any
    logabsdet: Any


class SVDResult(NamedTuple):
    """Left singular vectors as columns, singular values, and right ones as conjugate rows."""

    U: Any
    S: Any
    Vh: Any


# ---- dtypes ------------------------------------------------------------------------------------


def real(dtype: dtypes.Dtype) -> dtypes.Dtype:
    """Return the dtype of the parts of complex numbers, else the same."""
    return {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}.get(dtype, dtype)


def complex_of(dtype: dtypes.Dtype) -> dtypes.Dtype:
    """Return the dtype of complex numbers with parts of a dtype; it has 32 bits at least."""
    return dtypes.complex128 if real(dtype) == dtypes.float64 else dtypes.complex64


def epsilon(dtype: dtypes.Dtype) -> float:
    """Return the distance from 1 to the next number of a floating dtype."""
    if dtype.name == "bfloat16":
        return 2.0**-7
    return float(np.finfo(dtype).eps)


# ---- shapes ------------------------------------------------------------------------------------


def square(function: str, shape: Shape, name: str = "x") -> None:
    """Check that an array holds square matrices.

    Raises:
        ShapeError: fewer than two axes, or the last two differ.
    """
    _shapes.matrices(function, shape)
    if shape[-2] != shape[-1]:
        raise ShapeError(
            f"{function}: {name} of shape {tuple(shape)} has matrices of {shape[-2]} rows and "
            f"{shape[-1]} columns; they must be square"
        )


def right_sides(function: str, first: Shape, second: Shape) -> bool:
    """Check the operands of a solve, and tell whether the second is one vector.

    Raises:
        ShapeError: the first is not square, the second has other rows, or the stacks do not
            broadcast.
    """
    square(function, first, "x1")
    if not second:
        raise ShapeError(f"{function}: x2 has no axes; it is a vector, or matrices")
    vector = len(second) == 1
    rows = second[-1] if vector else second[-2]
    if rows != first[-1]:
        raise ShapeError(
            f"{function}: x1 of shape {tuple(first)} has {first[-1]} rows, and x2 of shape "
            f"{tuple(second)} has {rows}; an x2 of one axis is a vector, one of more holds matrices"
        )
    _shapes.broadcast(function, first[:-2], () if vector else second[:-2])
    return vector


def crossed(function: str, first: Shape, second: Shape, axis: Any) -> tuple[int, int, int]:
    """Return the axis of each operand of a cross product, and that of the result, from the end.

    Raises:
        ShapeError: no such axis, vectors without three elements, or shapes that do not broadcast.
    """
    left, right, _ = _shapes.vectors(function, first, second, axis)
    if first[left] != 3:
        raise ShapeError(
            f"{function}: the vectors have {first[left]} elements; the shapes are {tuple(first)} "
            f"and {tuple(second)}, axis={axis}, and a cross product is of vectors of 3"
        )
    return left, right, left - len(first)


def vector(function: str, name: str, shape: Shape) -> None:
    """Check that an array is a vector.

    Raises:
        ShapeError: it has another number of axes than one.
    """
    if len(shape) != 1:
        raise ShapeError(
            f"{function}: {name} of shape {tuple(shape)} is not a vector; it must have one axis"
        )


def diagonal(function: str, shape: Shape, offset: Any) -> int:
    """Return the offset of a diagonal.

    Raises:
        ShapeError: fewer than two axes.
        DtypeError: an offset that is not an integer.
    """
    _shapes.matrices(function, shape)
    return _shapes.integer(function, "offset", offset)


def diagonal_length(rows: int, columns: int, offset: int) -> int:
    """Return how many elements a diagonal has."""
    return max(0, min(rows + min(offset, 0), columns - max(offset, 0)))


def qr_mode(function: str, mode: Any) -> bool:
    """Tell whether a QR decomposition has all columns of Q.

    Raises:
        OptionError: neither "reduced" nor "complete".
    """
    return _shapes.choice(function, "mode", mode, ("reduced", "complete")) == "complete"


def tolerance(function: str, rtol: Any) -> None:
    """Check the part of the largest singular value from which on others count.

    Raises:
        DtypeError: it is complex.
    """
    if type(rtol) is complex or getattr(rtol, "dtype", dtypes.bool_).kind == "c":
        raise DtypeError(f"{function}: rtol is complex; give a real number, as ub.real(rtol)")


# ---- norms -------------------------------------------------------------------------------------

MATRIX_ORDERS = ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)


def matrix_order(function: str, order: Any, shape: Shape) -> Order:
    """Return the order of a matrix norm.

    Raises:
        ShapeError: fewer than two axes, or the least of nothing.
        OptionError: no such order.
    """
    _shapes.matrices(function, shape)
    if isinstance(order, bool) or np.ndim(order) or order not in MATRIX_ORDERS:
        raise OptionError(
            f"{function}: ord={order!r:.80} is not one of {', '.join(map(repr, MATRIX_ORDERS))}"
        )
    counted = {-1: shape[-1], -math.inf: shape[-2], -2: min(shape[-2:])}
    if counted.get(order) == 0:
        raise ShapeError(_of_nothing(function, order, shape))
    return order  # type: ignore[no-any-return]


def vector_order(function: str, order: Any, shape: Shape, axis: Any) -> float:
    """Return the order of a vector norm.

    Raises:
        DtypeError: no number.
        ShapeError: the least of nothing.
    """
    given = _results.number(function, "ord", order)
    axes = _shapes.all_axes(function, axis, len(shape))
    if given == -math.inf and any(shape[one] == 0 for one in axes):
        raise ShapeError(_of_nothing(function, given, shape))
    return float(given)


def _of_nothing(function: str, order: Any, shape: Shape) -> str:
    return (
        f"{function}: ord={order!r} is the least of some numbers, and an array of shape "
        f"{tuple(shape)} has none"
    )


def _largest(xp: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """Return the largest of numbers that are not negative: 0 of nothing."""
    axes = _shapes.all_axes("max", axis, x.ndim)
    if any(x.shape[one] == 0 for one in axes):
        return xp.sum(x, axis=axes, keepdims=keepdims)
    return xp.max(x, axis=axes, keepdims=keepdims)


def _root_of_squares(xp: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    squares = xp.square(x)
    if x.dtype.kind == "c":
        squares = xp.add(xp.square(xp.real(x)), xp.square(xp.imag(x)))
    return xp.sqrt(xp.sum(squares, axis=axis, keepdims=keepdims))


def matrix_norm(xp: Any, x: Any, keepdims: bool, order: Order) -> Any:
    """Return the norms of matrices."""
    if order == "fro":
        return _root_of_squares(xp, x, (-2, -1), keepdims)
    if order == "nuc" or abs(order) == 2:
        values = xp.linalg.svdvals(x)
        if order == "nuc":
            result = xp.sum(values, axis=-1)
        elif order == 2:
            result = _largest(xp, values, -1, False)
        else:
            result = xp.min(values, axis=-1)
        return xp.expand_dims(result, (-2, -1)) if keepdims else result
    by_columns = abs(order) == 1
    sums = xp.sum(xp.abs(x), axis=-2 if by_columns else -1, keepdims=True)
    axis = (-2, -1)
    return (_largest if order > 0 else _least)(xp, sums, axis, keepdims)


def _least(xp: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    return xp.min(x, axis=axis, keepdims=keepdims)


def vector_norm(xp: Any, x: Any, axis: Any, keepdims: bool, order: float) -> Any:
    """Return the norms of vectors."""
    if order == 2:
        return _root_of_squares(xp, x, axis, keepdims)
    size = xp.abs(x)
    if order == math.inf:
        return _largest(xp, size, axis, keepdims)
    if order == -math.inf:
        return _least(xp, size, axis, keepdims)
    if order == 0:
        return xp.sum(xp.astype(xp.not_equal(x, 0), size.dtype), axis=axis, keepdims=keepdims)
    if order == 1:
        return xp.sum(size, axis=axis, keepdims=keepdims)
    powers = xp.sum(xp.pow(size, order), axis=axis, keepdims=keepdims)
    return xp.pow(powers, 1 / order)


# ---- of singular values ------------------------------------------------------------------------


def cut_off(xp: Any, values: Any, rtol: Any, shape: Shape, dtype: dtypes.Dtype) -> Any:
    """Return the numbers, with an axis at the end, up to which singular values count as zero.

    Args:
        xp: the namespace.
        values: singular values, in descending order.
        rtol: the part of the largest one; None is the larger side times the dtype's epsilon.
        shape: of the matrices.
        dtype: of the matrices as they were given.
    """
    largest = _largest(xp, values, -1, True)
    if rtol is None:
        return xp.multiply(largest, max(shape[-2:]) * epsilon(dtype))
    part = xp.astype(xp.asarray(rtol), values.dtype)
    return xp.multiply(xp.expand_dims(part, -1), largest)


def matrix_rank(xp: Any, x: Any, rtol: Any, dtype: dtypes.Dtype) -> Any:
    """Return how many singular values are not zero."""
    values = xp.linalg.svdvals(x)
    nonzero = xp.greater(values, cut_off(xp, values, rtol, x.shape, dtype))
    return xp.sum(xp.astype(nonzero, dtypes.default(int)), axis=-1)


def pinv(xp: Any, x: Any, rtol: Any, dtype: dtypes.Dtype) -> Any:
    """Return pseudo-inverses by singular values."""
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    zero = xp.less_equal(s, cut_off(xp, s, rtol, x.shape, dtype))
    inverse = xp.where(zero, 0.0, xp.divide(1.0, xp.where(zero, 1.0, s)))
    v = xp.matrix_transpose(xp.conj(vh))
    scaled = xp.multiply(v, xp.astype(xp.expand_dims(inverse, -2), x.dtype))
    return xp.matmul(scaled, xp.matrix_transpose(xp.conj(u)), precision="highest")


def matrix_power(xp: Any, x: Any, count: int) -> Any:
    """Return the product of so many equal matrices, by squaring."""
    if count == 0:
        one = xp.eye(x.shape[-1], dtype=x.dtype)
        return xp.broadcast_to(one, x.shape)
    result = None
    while True:
        if count % 2:
            result = x if result is None else xp.matmul(result, x)
        count //= 2
        if not count:
            return result
        x = xp.matmul(x, x)


def check_numbers(function: str, dtype: dtypes.Dtype) -> None:
    """Check that an operand is of numbers.

    Raises:
        DtypeError: it is of bools.
    """
    if dtypes.kind(dtype) == "b":
        raise DtypeError(
            f"{function}: operands of the dtype bool are not allowed here; it takes numbers, not "
            f"bools; convert them with ub.astype(x, 'int32')"
        )
