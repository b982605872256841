"""Functions of neural networks on JAX: `jax.nn`'s."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
from jax import nn

from ... import _results, _shapes, dtypes
from .promotion import strong, unary
from .special import widened

__all__ = ["gelu", "log_softmax", "one_hot", "relu", "silu", "softmax", "softplus"]

Axis = int | tuple[int, ...] | None


@functools.partial(jax.jit, inline=True)
def _gelu(x: Any) -> Any:
    # 0.5 * (1 + tanh(u)) is the logistic function of 2 * u, which is accurate where it is small
    return x * jax.lax.logistic(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))


_gelus = {
    True: unary("nn.gelu", widened(_gelu), fractions=True),
    False: unary("nn.gelu", widened(functools.partial(nn.gelu, approximate=False)), fractions=True),
}


def gelu(x: Any, /, *, approximate: bool = True) -> Any:
    return _gelus[_shapes.flag("nn.gelu", "approximate", approximate)](x)


relu = unary("nn.relu", nn.relu)
silu = unary("nn.silu", widened(nn.silu), fractions=True)
softplus = unary("nn.softplus", widened(nn.softplus), fractions=True)


def softmax(x: Any, /, *, axis: Axis = -1) -> Any:
    return _softened("nn.softmax", nn.softmax, x, axis)


def log_softmax(x: Any, /, *, axis: Axis = -1) -> Any:
    return _softened("nn.log_softmax", nn.log_softmax, x, axis)


def _softened(function: str, kernel: Callable[..., Any], x: Any, axis: Axis) -> Any:
    array = strong(x)
    _results.takes(function, array.dtype)
    axes = _shapes.all_axes(function, axis, array.ndim)
    array = array.astype(_results.floating(array.dtype))
    return widened(functools.partial(kernel, axis=axes))(array)


def one_hot(x: Any, /, num_classes: int, *, dtype: Any = None, axis: int = -1) -> Any:
    array = strong(x)
    _results.takes("nn.one_hot", array.dtype)
    count = _shapes.count("nn.one_hot", "num_classes", num_classes)
    place = _shapes.one_axis("nn.one_hot", axis, array.ndim + 1)
    wanted = dtypes.as_dtype(float if dtype is None else dtype, "nn.one_hot")
    # the default integer holds every class, which int8 does not; what wraps becomes negative
    whole = array.astype(dtypes.default(int))
    return nn.one_hot(whole, count, dtype=wanted, axis=place).astype(wanted)
