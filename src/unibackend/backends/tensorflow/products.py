"""Products of matrices and vectors on TensorFlow."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _linear, _shapes
from ._broadcast import apply
from ._einsum import einsum
from ._kernels import COMPLEX, HALVES, cast, raw
from ._sizes import dims_of, ints, product, reshape, ruled_shape, static_shape
from .array import DIRECT, NUMPY_DTYPES, Array
from .elementwise import multiply
from .manipulation import move
from .matmul import matmul
from .promotion import promote, to_array

__all__ = ["einsum", "kron", "matmul", "matrix_transpose", "tensordot", "vecdot"]


def kron(x1: Any, x2: Any, /) -> Array:
    t1, t2 = promote("kron", x1, x2)
    _linear.check_numbers("kron", NUMPY_DTYPES[t1.dtype])
    dims1, dims2 = dims_of(t1, "kron"), dims_of(t2, "kron")
    rank = max(len(dims1), len(dims2))
    dims1, dims2 = ([1] * (rank - len(dims)) + dims for dims in (dims1, dims2))
    t1 = reshape(t1, [size for one in dims1 for size in (one, 1)])
    t2 = reshape(t2, [size for one in dims2 for size in (1, one)])
    result = multiply(Array(t1), Array(t2))._tensor
    return Array(reshape(result, [product(pair) for pair in zip(dims1, dims2, strict=True)]))


def matrix_transpose(x: Any, /) -> Array:
    tensor = to_array("matrix_transpose", x)
    _shapes.matrices("matrix_transpose", static_shape(tensor, "matrix_transpose"))
    rank = tensor.shape.rank
    return Array(raw.Transpose(x=tensor, perm=ints((*range(rank - 2), rank - 1, rank - 2))))


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Array:
    t1, t2 = promote("tensordot", x1, x2)
    dims1, dims2 = dims_of(t1, "tensordot"), dims_of(t2, "tensordot")
    summed1, summed2 = _shapes.contracted("tensordot", ruled_shape(t1), ruled_shape(t2), axes)
    kept1 = [i for i in range(len(dims1)) if i not in summed1]
    kept2 = [i for i in range(len(dims2)) if i not in summed2]
    length = product(dims1[i] for i in summed1)
    t1 = raw.Transpose(x=t1, perm=ints((*kept1, *summed1)))
    t2 = raw.Transpose(x=t2, perm=ints((*summed2, *kept2)))
    rows = reshape(t1, [product(dims1[i] for i in kept1), length])
    columns = reshape(t2, [length, product(dims2[i] for i in kept2)])
    result = matmul(Array(rows), Array(columns))._tensor
    return Array(reshape(result, [*(dims1[i] for i in kept1), *(dims2[i] for i in kept2)]))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    t1, t2 = promote("vecdot", x1, x2)
    shape1, shape2 = ruled_shape(t1, "vecdot"), ruled_shape(t2, "vecdot")
    axis1, axis2, _ = _shapes.vectors("vecdot", shape1, shape2, axis)
    t1, t2 = move(t1, axis1, len(shape1) - 1), move(t2, axis2, len(shape2) - 1)
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
