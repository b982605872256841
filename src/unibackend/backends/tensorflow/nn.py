"""Functions of neural networks on TensorFlow."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from ... import _results, _shapes, dtypes
from ._broadcast import apply
from ._derivatives import derived
from ._kernels import UNSIGNED, cast, raw, scalar, select
from ._sizes import dims_of, ints, rank_of, reshape
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .promotion import to_array, unary
from .special import largest_along, widened

__all__ = ["gelu", "log_softmax", "one_hot", "relu", "silu", "softmax", "softplus"]

Axis = int | tuple[int, ...] | None


def _gelu(x: Any) -> Any:
    # 0.5 * (1 + tanh(u)) is the logistic function of 2 * u, which is accurate where it is small
    return x * raw.Sigmoid(x=2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))


def _exact_gelu(x: Any) -> Any:
    return x * raw.Erfc(x=-math.sqrt(0.5) * x) / 2


_gelus = {
    True: unary("nn.gelu", widened("nn.gelu", _gelu)),
    False: unary("nn.gelu", widened("nn.gelu", _exact_gelu)),
}


def gelu(x: Any, /, *, approximate: bool = True) -> Array:
    return _gelus[_shapes.flag("nn.gelu", "approximate", approximate)](x)


def _cut_below(x: Any) -> Any:
    def kernel(x: Any) -> Any:  # XLA's maximum drops NaN on the CPU
        zero = scalar(0, x.dtype)
        return select(raw.LessEqual(x=x, y=zero), zero, x)

    return apply("nn.relu", kernel, x)


_rectified = derived(
    _cut_below, lambda ct, x: (ct * cast(raw.Greater(x=x, y=scalar(0, x.dtype)), x.dtype),)
)


def _relu(x: Any) -> Any:
    _results.takes("nn.relu", NUMPY_DTYPES[x.dtype])
    return x if x.dtype in UNSIGNED else _rectified(x)


relu = unary("nn.relu", _relu)
silu = unary("nn.silu", widened("nn.silu", lambda x: x * raw.Sigmoid(x=x)))
softplus = unary("nn.softplus", widened("nn.softplus", lambda x: raw.Softplus(features=x)))


def _softened(function: str, kernel: Any, x: Any, axis: Axis) -> Array:
    tensor = to_array(function, x)
    _results.takes(function, NUMPY_DTYPES[tensor.dtype])
    axes = ints(_shapes.all_axes(function, axis, rank_of(tensor, function)))

    def shifted(tensor: Any) -> Any:
        most = largest_along(function, tensor, axes)
        return kernel(apply(function, lambda a, b: raw.Sub(x=a, y=b), tensor, most), axes)

    return Array(widened(function, shifted)(tensor))


def softmax(x: Any, /, *, axis: Axis = -1) -> Array:
    def kernel(shifted: Any, axes: Any) -> Any:
        powers = raw.Exp(x=shifted)
        total = raw.Sum(input=powers, axis=axes, keep_dims=True)
        return apply("nn.softmax", lambda a, b: raw.RealDiv(x=a, y=b), powers, total)

    return _softened("nn.softmax", kernel, x, axis)


def log_softmax(x: Any, /, *, axis: Axis = -1) -> Array:
    def kernel(shifted: Any, axes: Any) -> Any:
        total = raw.Log(x=raw.Sum(input=raw.Exp(x=shifted), axis=axes, keep_dims=True))
        return apply("nn.log_softmax", lambda a, b: raw.Sub(x=a, y=b), shifted, total)

    return _softened("nn.log_softmax", kernel, x, axis)


def one_hot(x: Any, /, num_classes: int, *, dtype: Any = None, axis: int = -1) -> Array:
    tensor = to_array("nn.one_hot", x)
    _results.takes("nn.one_hot", NUMPY_DTYPES[tensor.dtype])
    count = _shapes.count("nn.one_hot", "num_classes", num_classes)
    rank = rank_of(tensor, "nn.one_hot")
    place = _shapes.one_axis("nn.one_hot", axis, rank + 1)
    wanted = dtypes.as_dtype(float if dtype is None else dtype, "nn.one_hot")
    dims = dims_of(tensor, "nn.one_hot")
    # uint64 beyond int64 wraps to negative numbers, which are no class either
    names = reshape(cast(tensor, tf.int64), [*dims[:place], 1, *dims[place:]])
    classes = reshape(tf.range(count, dtype=tf.int64), [count, *[1] * (rank - place)])
    found = apply("nn.one_hot", lambda a, b: raw.Equal(x=a, y=b), names, classes)
    return Array(cast(found, TF_DTYPES[wanted]))
