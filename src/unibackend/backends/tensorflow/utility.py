"""Whether elements hold, and how far neighbours are apart."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _results, _shapes
from . import _kernels as k
from ._broadcast import broadcast_to
from ._kernels import cast, raw
from ._sizes import around, dims_of, ints, rank_of, reshape, ruled_shapes
from .array import NUMPY_DTYPES, Array
from .manipulation import join
from .promotion import promote, to_array

__all__ = ["all", "any", "diff"]


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


def diff(
    x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
) -> Array:
    times = _shapes.count("diff", "n", n)
    others = [one for one in (prepend, append) if one is not None]
    tensor, *parts = promote("diff", x, *others)
    _results.takes("diff", NUMPY_DTYPES[tensor.dtype])
    own, *shapes = ruled_shapes([tensor, *(p if p.shape.rank else tensor for p in parts)], "diff")
    number = _shapes.around_line("diff", shapes, own, axis)
    one = dims_of(tensor, "diff")
    one[number] = 1
    parts = [part if part.shape.rank else broadcast_to(part, one) for part in parts]
    parts.insert(0 if prepend is None else 1, tensor)
    rows, dims = around(join(parts, number), number)
    for _ in range(times):
        rows = k.subtract(rows[:, 1:], rows[:, :-1])
    dims[number] = dims_of(rows)[1]
    return Array(reshape(rows, dims))
