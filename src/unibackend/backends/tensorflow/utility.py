"""Whether elements hold."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _shapes
from ._kernels import cast, raw
from ._sizes import ints, rank_of
from .array import Array
from .promotion import to_array

__all__ = ["all", "any"]


def _over(function: str, op: Any) -> Any:
    def call(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        axes = _shapes.all_axes(function, axis, rank_of(tensor, function))
        keep = _shapes.flag(function, "keepdims", keepdims)
        return Array(op(input=cast(tensor, tf.bool), axis=ints(axes), keep_dims=keep))

    call.__name__ = call.__qualname__ = function
    return call


all = _over("all", raw.All)
any = _over("any", raw.Any)
