"""Where elements are, and which to choose."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _shapes, dtypes
from ...errors import DtypeError
from . import _kernels as k
from ._broadcast import apply
from ._kernels import COMPLEX, FLOATS, cast, raw
from ._sizes import around, reshape, static_shape
from .array import TF_DTYPES, Array, tensor_of
from .promotion import promote, to_array

__all__ = ["argmax", "argmin", "where"]


def _place(function: str, op: Any) -> Any:
    def call(x: Any, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
        tensor = to_array(function, x)
        if tensor.dtype in COMPLEX:
            raise DtypeError(f"{function}: complex numbers have no order; take ub.abs(x) first")
        shape, keep = static_shape(tensor, function), _shapes.flag(function, "keepdims", keepdims)
        _shapes.reduced(function, shape, axis)
        rank = len(shape)
        number = 0 if axis is None else _shapes.one_axis(function, axis, rank)
        flat = reshape(tensor, [-1]) if axis is None else tensor
        rows, dims = around(flat, number, function)  # `ArgMax` stops at seven axes
        found = _first(op, rows, TF_DTYPES[dtypes.default(int)])
        dims[number] = 1
        if axis is None:
            return Array(reshape(found, [1] * rank if keep else []))
        return Array(reshape(found, dims if keep else dims[:number] + dims[number + 1 :]))

    call.__name__ = call.__qualname__ = function
    return call


def _first(op: Any, rows: Any, dtype: Any) -> Any:
    found = op(input=rows, dimension=1, output_type=dtype)
    if rows.dtype not in FLOATS:
        return found
    nan = k.is_nan(rows)  # the kernels pass over NaN, or take the last one
    first_nan = raw.ArgMax(input=nan, dimension=1, output_type=dtype)
    return k.select(raw.Any(input=nan, axis=1), first_nan, found)


argmax = _place("argmax", raw.ArgMax)
argmin = _place("argmin", raw.ArgMin)


def where(condition: Any, x1: Any, x2: Any, /) -> Array:
    t1, t2 = promote("where", x1, x2)
    if type(condition) in dtypes.PYTHON_SCALARS:
        chosen = tf.constant(bool(condition))
    else:
        chosen = cast(tensor_of(condition), tf.bool)
    return Array(apply("where", k.select, chosen, t1, t2))
