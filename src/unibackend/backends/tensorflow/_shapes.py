"""Sizes and axes: known ones as Python integers, unknown ones as scalar tensors."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import tensorflow as tf

from ...errors import DtypeError, ShapeError, TracingError

_INT32_MAX = 2**31 - 1


def values_of(tensor: Any) -> np.ndarray[Any, Any] | None:
    """Return the values of a tensor where they are known: executing eagerly, and of constants.

    Host data that enter a function being traced become constants of its graph.
    """
    if hasattr(tensor, "numpy"):
        return np.asarray(tensor)
    known: np.ndarray[Any, Any] | None = tf.get_static_value(tensor)
    return known


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


def static_shape(tensor: Any, function: str = "shape") -> tuple[int | None, ...]:
    """Return the size of each axis, None where it is unknown."""
    rank_of(tensor, function)
    return tuple(tensor.shape)


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


def normalize_axis(function: str, axis: Any, rank: int, argument: str = "axis") -> int:
    """Return an axis as a number from 0.

    Raises:
        ShapeError: there is no such axis.
    """
    number = as_int(function, axis, argument)
    if not -rank <= number < rank:
        raise ShapeError(
            f"{function}: {argument}={number} is out of range for an array of {rank} axes; it must "
            f"be from {-rank} to {rank - 1}"
        )
    return number % rank


def normalize_axes(function: str, axis: Any, rank: int, argument: str = "axis") -> tuple[int, ...]:
    """Return one, several or (for None) all axes as numbers from 0, in the order given.

    Raises:
        ShapeError: there is no such axis, or it is named twice.
    """
    if axis is None:
        return tuple(range(rank))
    if not isinstance(axis, tuple | list):
        return (normalize_axis(function, axis, rank, argument),)
    axes = tuple(normalize_axis(function, one, rank, argument) for one in axis)
    if len(set(axes)) < len(axes):
        raise ShapeError(f"{function}: {argument}={axis} names an axis twice")
    return axes


def as_int(function: str, value: Any, argument: str) -> int:
    """Return a Python integer from what counts as one.

    Raises:
        DtypeError: it is none.
        TracingError: it is an array of a function being compiled.
    """
    try:
        return operator.index(value)
    except TracingError:
        raise
    except TypeError:
        raise DtypeError(
            f"{function}: {argument}={value!r:.80} is a {type(value).__name__}, not an integer"
        ) from None


def as_shape(function: str, shape: Any, *, unknown: bool = False) -> tuple[int, ...]:
    """Return a shape argument, one integer or several, as a tuple.

    Args:
        function: the function named in errors.
        shape: the argument.
        unknown: whether one size may be -1.

    Raises:
        ShapeError: a negative size.
        TracingError: an unknown size (None), or a traced one.
    """
    sizes = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    if None in [size for size in sizes if size is None]:
        raise TracingError(
            f"{function}: shape={shape} holds None, a size that is unknown inside this "
            f"tf.function; give sizes in input_signature, or write -1 in ub.reshape"
        )
    result = tuple(as_int(function, size, "shape") for size in sizes)
    if any(size < (-1 if unknown else 0) for size in result) or result.count(-1) > 1:
        rule = "one of them may be -1, others" if unknown else "sizes"
        raise ShapeError(f"{function}: shape={result}: {rule} must not be negative")
    return result
