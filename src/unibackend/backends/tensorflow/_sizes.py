"""Sizes and axes: known ones as Python integers, unknown ones as scalar tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import tensorflow as tf

from ... import _shapes
from ...errors import TracingError

_INT32_MAX = 2**31 - 1


def values_of(tensor: Any) -> np.ndarray[Any, Any] | None:
    """Return the values of a tensor where they are known: executing eagerly, and of constants.

    Host data that enter a function being traced become constants of its graph.
    """
    if hasattr(tensor, "numpy"):
        return host_of(tensor)
    known: np.ndarray[Any, Any] | None = tf.get_static_value(tensor)
    return known


def host_of(tensor: Any) -> np.ndarray[Any, Any]:
    """Return the values of an eager tensor, in memory shared with it where it has axes.

    `__array__` of a bfloat16 tensor without axes gives no array; `numpy()` of others copies.
    """
    return np.asarray(tensor if tensor.shape.rank else tensor.numpy())


def rank_of(tensor: Any, function: str = "shape") -> int:
    """Return the number of axes of a tensor.

    Raises:
        TracingError: it is unknown, as in a tf.function of the user's that was given no shape.
    """
    rank: int | None = tensor.shape.rank
    if rank is None:
        raise TracingError(
            f"{function}: the number of axes is unknown inside this tf.function; give its argument "
            f"a shape of a known length in input_signature, or set it with tf.ensure_shape"
        )
    return rank


def static_shape(tensor: Any, function: str = "shape") -> tuple[Any, ...]:
    """Return the size of each axis, None where it is unknown."""
    shape = tensor.shape
    if shape.rank is None:
        rank_of(tensor, function)
    return tuple(shape.as_list())  # a third of the time of `tuple(shape)`


def dims_of(tensor: Any, function: str = "shape") -> list[Any]:
    """Return the size of each axis: an integer, or a scalar tensor where it is unknown."""
    dims: list[Any] = list(static_shape(tensor, function))
    if None in dims:
        shape = tf.raw_ops.Shape(input=tensor)
        dims = [shape[i] if size is None else size for i, size in enumerate(dims)]
    return dims


def product(dims: Iterable[Any]) -> Any:
    """Return the number of elements of these sizes, an integer where all are known."""
    known, unknown = 1, []
    for size in dims:
        if isinstance(size, int):
            known *= size
        else:
            unknown.append(size)
    total: Any = known
    for size in unknown:
        total = size if isinstance(total, int) and total == 1 else total * size
    return total


@lru_cache(maxsize=4096)
def _eager_constant(values: tuple[int, ...]) -> Any:
    with tf.device("CPU:0"):
        return tf.constant(_host(values))


def _host(values: Sequence[int]) -> np.ndarray[Any, Any]:
    small = all(abs(value) <= _INT32_MAX for value in values)
    return np.asarray(values, np.int32 if small else np.int64)


def ints(values: Sequence[int]) -> Any:
    """Return integers (axes, a shape) as an operand of an op.

    Executing eagerly the tensor is kept: an op converts a list anew, 40 µs each time.
    """
    return _eager_constant(tuple(values)) if tf.executing_eagerly() else _host(values)


def pack(dims: Sequence[Any]) -> Any:
    """Return sizes, some of which are scalar tensors, as one operand of an op."""
    if all(isinstance(size, int) for size in dims):
        return ints(dims)
    return tf.raw_ops.Pack(values=[tf.cast(size, tf.int32) for size in dims])


def reshape(tensor: Any, dims: Sequence[Any]) -> Any:
    """Return a tensor in another shape of as many elements."""
    unknown = [i for i, size in enumerate(dims) if not isinstance(size, int)]
    if len(unknown) == 1 and 0 not in [size for size in dims if isinstance(size, int)]:
        dims = [-1 if i in unknown else size for i, size in enumerate(dims)]
    return tf.raw_ops.Reshape(tensor=tensor, shape=pack(dims))


def around(tensor: Any, axis: int, function: str = "shape") -> tuple[Any, list[Any]]:
    """Return a tensor as one of three axes, the middle one being `axis`, and its sizes.

    Kernels that stop at rank 6 to 8 work on it at any rank.
    """
    dims = dims_of(tensor, function)
    if len(dims) == 3 and axis == 1:
        return tensor, dims
    return reshape(tensor, [product(dims[:axis]), dims[axis], product(dims[axis + 1 :])]), dims


def as_shape(function: str, shape: Any) -> tuple[int, ...]:
    """Return a shape argument as a tuple.

    Raises:
        ShapeError: a negative size.
        TracingError: an unknown size (None), or one without a value.
    """
    check_known(function, shape)
    return _shapes.as_shape(function, shape)


def check_known(function: str, shape: Any) -> None:
    """Refuse a shape argument that holds a size which is unknown in a function being traced.

    Raises:
        TracingError: it does.
    """
    if tf.executing_eagerly():
        return  # nothing is unknown, and None is a mistake like others
    if shape is None or (isinstance(shape, tuple | list) and any(size is None for size in shape)):
        raise TracingError(
            f"{function}: shape={shape}: a size is unknown inside this tf.function; give sizes in "
            f"input_signature, or write -1 in ub.reshape"
        )


class _AnySize(int):
    """An unknown size, which the rules about shapes take for equal to any other."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = int.__hash__


def ruled_shape(tensor: Any, function: str = "shape") -> tuple[int, ...]:
    """Return a shape for the shared rules: what is unknown until the call fits, whatever it is."""
    shape = static_shape(tensor, function)
    return tuple(_AnySize(1) if size is None else size for size in shape)


def ruled_shapes(tensors: Sequence[Any], function: str) -> list[tuple[int, ...]]:
    """Return shapes that should be alike, with what is unknown in one taken from the others."""
    shapes = [static_shape(tensor, function) for tensor in tensors]
    if not any(None in shape for shape in shapes):
        return shapes
    rank = max(map(len, shapes), default=0)
    known = [
        next((s[i] for s in shapes if len(s) > i and s[i] is not None), 1) for i in range(rank)
    ]
    return [
        tuple(known[i] if size is None else size for i, size in enumerate(shape))
        for shape in shapes
    ]
