"""Products of matrices and vectors."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ...errors import ShapeError
from ._broadcast import apply
from ._kernels import COMPLEX, HALVES, cast, raw
from ._shapes import as_int, dims_of, ints, normalize_axes, product, rank_of, reshape
from .array import DIRECT, Array
from .manipulation import move
from .matmul import matmul
from .promotion import promote, to_array

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matrix_transpose(x: Any, /) -> Array:
    tensor = to_array("matrix_transpose", x)
    rank = rank_of(tensor, "matrix_transpose")
    if rank < 2:
        raise ShapeError(
            f"matrix_transpose: x has the shape {tuple(tensor.shape)}; a matrix needs two axes"
        )
    return Array(raw.Transpose(x=tensor, perm=ints((*range(rank - 2), rank - 1, rank - 2))))


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    t1, t2 = promote("tensordot", x1, x2)
    dims1, dims2 = dims_of(t1, "tensordot"), dims_of(t2, "tensordot")
    summed1, summed2 = _summed_axes(axes, len(dims1), len(dims2))
    for a, b in zip(summed1, summed2, strict=True):
        _check_lengths("tensordot", f"axis {a} of x1", dims1[a], f"axis {b} of x2", dims2[b])
    kept1 = [i for i in range(len(dims1)) if i not in summed1]
    kept2 = [i for i in range(len(dims2)) if i not in summed2]
    length = product(dims1[i] for i in summed1)
    t1 = raw.Transpose(x=t1, perm=ints((*kept1, *summed1)))
    t2 = raw.Transpose(x=t2, perm=ints((*summed2, *kept2)))
    rows = reshape(t1, [product(dims1[i] for i in kept1), length])
    columns = reshape(t2, [length, product(dims2[i] for i in kept2)])
    result = matmul(Array(rows), Array(columns))._tensor
    return Array(reshape(result, [*(dims1[i] for i in kept1), *(dims2[i] for i in kept2)]))


def _summed_axes(axes: Any, rank1: int, rank2: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if isinstance(axes, tuple | list):
        if len(axes) != 2:
            raise ShapeError(f"tensordot: axes={axes} must be a number, or the axes of x1 and x2")
        summed1 = normalize_axes("tensordot", axes[0], rank1, "axes[0]")
        summed2 = normalize_axes("tensordot", axes[1], rank2, "axes[1]")
        if len(summed1) != len(summed2):
            raise ShapeError(f"tensordot: axes={axes} pairs {len(summed1)} with {len(summed2)}")
        return summed1, summed2
    count = as_int("tensordot", axes, "axes")
    if not 0 <= count <= min(rank1, rank2):
        raise ShapeError(
            f"tensordot: axes={count} for arrays of {rank1} and {rank2} axes; both must have them"
        )
    return tuple(range(rank1 - count, rank1)), tuple(range(count))


def _check_lengths(function: str, name1: str, size1: Any, name2: str, size2: Any) -> None:
    if isinstance(size1, int) and isinstance(size2, int) and size1 != size2:
        raise ShapeError(
            f"{function}: {name1} has the length {size1} and {name2} {size2}; they must be equal"
        )


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    t1, t2 = promote("vecdot", x1, x2)
    number = as_int("vecdot", axis, "axis")
    rank1, rank2 = rank_of(t1, "vecdot"), rank_of(t2, "vecdot")
    rank = max(rank1, rank2)
    if number >= 0:
        number -= rank
    if not -min(rank1, rank2) <= number < 0:
        raise ShapeError(
            f"vecdot: axis={axis} for arrays of {rank1} and {rank2} axes; both must have it"
        )
    t1, t2 = move(t1, rank1 + number, rank1 - 1), move(t2, rank2 + number, rank2 - 1)
    _check_lengths("vecdot", "x1 along the axis", t1.shape[-1], "x2", t2.shape[-1])
    result, last = t1.dtype, ints((-1,))
    if result is tf.bool:
        both = apply("vecdot", lambda x, y: raw.LogicalAnd(x=x, y=y), t1, t2)
        return Array(raw.Any(input=both, axis=last))
    if result in COMPLEX:
        t1 = raw.Conj(input=t1)
    if result in HALVES:
        t1, t2 = cast(t1, tf.float32), cast(t2, tf.float32)
    products = apply("vecdot", lambda x, y: raw.Mul(x=x, y=y), t1, t2)
    return Array(cast(raw.Sum(input=products, axis=last), result))


DIRECT["matmul"] = matmul
