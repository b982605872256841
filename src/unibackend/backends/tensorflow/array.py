"""TensorFlow's array as the standard's array object: one slot around a `tf.Tensor`."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from ..._operators import Operators

# TensorFlow's dtypes to NumPy's, for the dtypes of this library.
NUMPY_DTYPES: dict[Any, np.dtype[Any]] = {
    dtype: np.dtype(dtype.as_numpy_dtype)
    for dtype in (
        tf.bool,
        *(tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64),
        *(tf.bfloat16, tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128),
    )
}
TF_DTYPES: dict[np.dtype[Any], Any] = {dtype: key for key, dtype in NUMPY_DTYPES.items()}


class Array(Operators):
    """An array on TensorFlow. `.tensor` is the `tf.Tensor`."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    @property
    def tensor(self) -> Any:
        """The `tf.Tensor` behind the array."""
        return self._tensor

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, NumPy's object."""
        return NUMPY_DTYPES[self._tensor.dtype]

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each axis; None for one that is unknown in the user's own tf.function."""
        return tuple(self._tensor.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._tensor.shape.rank  # type: ignore[no-any-return]

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        if dtype is not None and dtype != self._tensor.dtype:
            raise TypeError(
                f"an array of dtype {self.dtype} was given where TensorFlow needs {dtype.name}; "
                f"use ub.astype(x, {dtype.name!r})"
            )
        return self._tensor


class Weak(Array):
    """A Python number inside a traced function: it takes the dtype of the array it meets."""

    __slots__ = ()


def tensor_of(x: Any) -> Any:
    """Return the tensor of one of our arrays, a native tensor or a variable."""
    if isinstance(x, Array):
        return x._tensor
    return tf.convert_to_tensor(x) if isinstance(x, tf.Variable) else x
