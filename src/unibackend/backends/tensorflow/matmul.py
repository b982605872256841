"""The matrix product on TensorFlow: exact integers, and no broadcasting by its kernel.

`tf.matmul` gives wrong numbers or corrupts the heap where its kernel broadcasts stacks, as in
(4, 1, 5, 5) @ (5, 5) (tensorflow#117700, fixed after 2.21). The stack is flattened here: to a
2-D product where the right operand is 2-D, else to a 3-D product of equal stacks.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import tensorflow as tf

from ... import dtypes
from ..._lines import stacklevel
from ..._products import check_matmul, check_precision, product_dtype
from ...errors import PrecisionWarning
from .array import TF_DTYPES, Array
from .promotion import to_tensor, type_of

__all__ = ["matmul"]

# The types with a kernel, by identity, since hashing TensorFlow's dtypes is slow; the others are
# computed in one of these that wraps alike.
_KERNELS = frozenset(
    map(id, (tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.complex128))
)
_THROUGH: dict[str, Any] = {
    **dict.fromkeys(("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32"), tf.int32),
    **dict.fromkeys(("int64", "uint64"), tf.int64),
}

_mat_mul = tf.raw_ops.MatMul


def matmul(
    x1: Any,
    x2: Any,
    /,
    *,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    dtype: Any = None,
    precision: str | None = None,
) -> Array:
    if precision is not None or not _precision_known:
        _check_tf32(check_precision(precision))
    if type(x1) is Array and type(x2) is Array and dtype is None:
        t1, t2 = x1._tensor, x2._tensor
        kind = t1.dtype
        fits = t1.shape.rank == 2 and t2.shape.rank == 2
        said = transpose_x1 is not None and transpose_x2 is not None
        if kind is t2.dtype and id(kind) in _KERNELS and fits and said:
            try:
                return Array(
                    _mat_mul(a=t1, b=t2, transpose_a=transpose_x1, transpose_b=transpose_x2)
                )
            except (TypeError, ValueError, tf.errors.InvalidArgumentError):
                pass  # sizes that do not fit: what follows says so
    common = dtypes.result_type(type_of(x1), type_of(x2))
    result = product_dtype(common, dtype)
    t1, t2 = to_tensor("matmul", x1, common), to_tensor("matmul", x2, common)
    check_matmul(tuple(t1.shape), tuple(t2.shape), transpose_x1, transpose_x2)
    working = _THROUGH.get(result.name, TF_DTYPES[result])
    product = matrix_product(
        _cast(t1, working), _cast(t2, working), bool(transpose_x1), bool(transpose_x2)
    )
    if result == dtypes.bool_:
        return Array(tf.not_equal(product, 0))
    return Array(_cast(product, TF_DTYPES[result]))


def _cast(tensor: Any, dtype: Any) -> Any:
    return tensor if tensor.dtype is dtype else tf.cast(tensor, dtype)


def matrix_product(t1: Any, t2: Any, transpose1: bool, transpose2: bool) -> Any:
    """Return the product of two tensors of a dtype with a kernel, by the standard's shapes."""
    rank1, rank2 = t1.shape.rank, t2.shape.rank
    if rank1 == 1:
        product = matrix_product(tf.expand_dims(t1, 0), t2, False, transpose2)
        return tf.squeeze(product, -1 if rank2 == 1 else -2)
    if rank2 == 1:
        return tf.squeeze(matrix_product(t1, tf.expand_dims(t2, 1), transpose1, False), -1)
    if rank1 == 2 and rank2 == 2:
        return _mat_mul(a=t1, b=t2, transpose_a=transpose1, transpose_b=transpose2)
    shape1, shape2 = _shape(t1), _shape(t2)
    if rank2 == 2 and not transpose1:
        rows = tf.reshape(t1, [-1 if shape1[-1] else _count(shape1[:-1]), shape1[-1]])
        product = _mat_mul(a=rows, b=t2, transpose_a=False, transpose_b=transpose2)
        return tf.reshape(product, [*shape1[:-1], shape2[-2 if transpose2 else -1]])
    stack = _broadcast(shape1[:-2], shape2[:-2])
    count = _count(stack)
    if isinstance(count, int) and count == 1:  # pfor would let the kernel broadcast a stack of one
        t1, t2 = tf.reshape(t1, shape1[-2:]), tf.reshape(t2, shape2[-2:])
        product = _mat_mul(a=t1, b=t2, transpose_a=transpose1, transpose_b=transpose2)
        return tf.reshape(product, [*stack, *_shape(product)])
    flat1 = tf.reshape(_broadcast_to(t1, [*stack, *shape1[-2:]]), [count, *shape1[-2:]])
    flat2 = tf.reshape(_broadcast_to(t2, [*stack, *shape2[-2:]]), [count, *shape2[-2:]])
    product = _batch_mat_mul(flat1, flat2, transpose1, transpose2)
    rows_columns = [shape1[-1 if transpose1 else -2], shape2[-2 if transpose2 else -1]]
    return tf.reshape(product, [*stack, *rows_columns])


def _batch_mat_mul(t1: Any, t2: Any, transpose1: bool, transpose2: bool) -> Any:
    # `adj` conjugates, a transpose does not.
    if t1.dtype.is_complex:
        t1, t2 = tf.math.conj(t1) if transpose1 else t1, tf.math.conj(t2) if transpose2 else t2
    return tf.raw_ops.BatchMatMulV2(x=t1, y=t2, adj_x=transpose1, adj_y=transpose2)


def _shape(tensor: Any) -> list[Any]:
    """Return the sizes of the axes: integers where they are known, else scalar tensors."""
    static = tensor.shape.as_list()
    if None not in static:
        return list(static)
    dynamic = tf.shape(tensor)
    return [dynamic[i] if size is None else size for i, size in enumerate(static)]


def _count(sizes: list[Any]) -> Any:
    if all(isinstance(size, int) for size in sizes):
        return int(np.prod(sizes, dtype=np.int64))
    return tf.reduce_prod(tf.stack(sizes))


def _broadcast(stack1: list[Any], stack2: list[Any]) -> list[Any]:
    length = max(len(stack1), len(stack2))
    padded1 = [1] * (length - len(stack1)) + stack1
    padded2 = [1] * (length - len(stack2)) + stack2

    def one(a: Any, b: Any) -> Any:
        if isinstance(a, int):
            return b if a == 1 else a
        if isinstance(b, int):
            return a if b == 1 else b
        return tf.maximum(a, b)

    return [one(a, b) for a, b in zip(padded1, padded2, strict=True)]


def _broadcast_to(tensor: Any, shape: list[Any]) -> Any:
    """Broadcast the stack; TensorFlow's own stops at rank 8, so axes are merged first."""
    from .manipulation import broadcast_to  # made after this module

    if tensor.shape.as_list() == shape:
        return tensor
    if all(isinstance(size, int) for size in shape):
        return broadcast_to(Array(tensor), tuple(shape))._tensor
    return tf.broadcast_to(tensor, tf.stack(shape))


# Whether the process's TF32 switch was looked at: it matters on GPUs only, and is never touched.
_precision_known = False


def _check_tf32(precision: str) -> None:
    global _precision_known
    if precision != "highest":
        return
    _precision_known = True
    if not tf.config.list_physical_devices("GPU"):
        return
    if tf.config.experimental.tensor_float_32_execution_enabled():
        warnings.warn(
            "matmul: precision='highest', but TensorFlow computes float32 products on this GPU "
            "with TF32 (10 bits), a switch of the whole process that unibackend does not touch. "
            "Turn it off with tf.config.experimental.enable_tensor_float_32_execution(False), or "
            "accept it with ub.configure(matmul_precision='default')",
            PrecisionWarning,
            stacklevel=stacklevel(),
        )
