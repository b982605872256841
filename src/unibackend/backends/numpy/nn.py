"""Functions of neural networks on NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes
from .promotion import NumpyArray, unary
from .special import logistic, widened

__all__ = ["gelu", "log_softmax", "one_hot", "relu", "silu", "softmax", "softplus"]

Axis = int | tuple[int, ...] | None


def _gelu(x: Any) -> Any:
    # 0.5 * (1 + tanh(u)) is the logistic function of 2 * u, which is accurate where it is small
    return x * logistic(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))


def _exact_gelu(x: Any) -> Any:
    import scipy.special

    return 0.5 * x * scipy.special.erfc(-x / np.sqrt(x.dtype.type(2)))


_gelus = {
    True: unary("nn.gelu", widened(_gelu), fractions=True),
    False: unary("nn.gelu", widened(_exact_gelu), fractions=True),
}


def gelu(x: Any, /, *, approximate: bool = True) -> NumpyArray:
    return _gelus[_shapes.flag("nn.gelu", "approximate", approximate)](x)  # type: ignore[no-any-return]


relu = unary("nn.relu", lambda x: np.maximum(x, x.dtype.type(0)))
silu = unary("nn.silu", widened(lambda x: x * logistic(x)), fractions=True)
softplus = unary("nn.softplus", widened(lambda x: np.logaddexp(x, x.dtype.type(0))), fractions=True)


def softmax(x: Any, /, *, axis: Axis = -1) -> NumpyArray:
    array, axes = _softened("nn.softmax", x, axis)

    def kernel(a: Any) -> Any:
        powers = np.exp(a - np.max(a, axes, keepdims=True, initial=-np.inf))
        return powers / np.sum(powers, axes, keepdims=True)

    return widened(kernel)(array)  # type: ignore[no-any-return]


def log_softmax(x: Any, /, *, axis: Axis = -1) -> NumpyArray:
    array, axes = _softened("nn.log_softmax", x, axis)

    def kernel(a: Any) -> Any:
        shifted = a - np.max(a, axes, keepdims=True, initial=-np.inf)
        return shifted - np.log(np.sum(np.exp(shifted), axes, keepdims=True))

    return widened(kernel)(array)  # type: ignore[no-any-return]


def _softened(function: str, x: Any, axis: Axis) -> tuple[NumpyArray, _shapes.Shape]:
    array = np.asarray(x)
    _results.takes(function, array.dtype)
    axes = _shapes.all_axes(function, axis, array.ndim)
    return array.astype(_results.floating(array.dtype), copy=False), axes


def one_hot(x: Any, /, num_classes: int, *, dtype: Any = None, axis: int = -1) -> NumpyArray:
    array = np.asarray(x)
    _results.takes("nn.one_hot", array.dtype)
    count = _shapes.count("nn.one_hot", "num_classes", num_classes)
    place = _shapes.one_axis("nn.one_hot", axis, array.ndim + 1)
    wanted = dtypes.as_dtype(float if dtype is None else dtype, "nn.one_hot")
    classes = np.arange(count).reshape(-1, *(1,) * (array.ndim - place))
    # uint64 beyond int64 wraps to negative numbers, which are no class either
    return np.equal(np.expand_dims(array.astype(np.int64), place), classes).astype(wanted)
