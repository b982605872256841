"""Elements in order, by `TopKV2`: the only sort of TensorFlow that all its modes have.

It puts the largest first, and the first of equal ones first; NaN breaks it.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _shapes, dtypes
from ...errors import DtypeError
from . import _kernels as k
from ._kernels import COMPLEX, FLOATS, cast, raw
from ._sizes import dims_of, ints, product, rank_of, reshape
from .array import TF_DTYPES, Array
from .manipulation import move
from .promotion import to_array

__all__ = ["argsort", "sort"]


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    rows, back = _as_rows("argsort", x, axis)
    _shapes.flag("argsort", "stable", stable)
    order = _order(rows, _shapes.flag("argsort", "descending", descending))
    return Array(back(cast(order, TF_DTYPES[dtypes.default(int)])))


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    rows, back = _as_rows("sort", x, axis)
    _shapes.flag("sort", "stable", stable)
    rows = _in_order(rows, _order(rows, False))
    if _shapes.flag("sort", "descending", descending):
        rows = raw.ReverseV2(tensor=rows, axis=ints((1,)))  # the last of equal ones first
    return Array(back(rows))


def _as_rows(function: str, x: Any, axis: int) -> tuple[Any, Any]:
    """Return an array as rows to sort, and what brings such rows back to its shape."""
    tensor = to_array(function, x)
    if tensor.dtype in COMPLEX:
        raise DtypeError(f"{function}: complex numbers have no order; take ub.abs(x) first")
    rank = rank_of(tensor, function)
    number = _shapes.one_axis(function, axis, rank)
    last = move(tensor, number, rank - 1)
    dims = dims_of(last)
    rows = reshape(last, [product(dims[:-1]), dims[-1]])
    return rows, lambda result: move(reshape(result, dims), rank - 1, number)


def _in_order(rows: Any, order: Any) -> Any:
    return raw.GatherV2(params=rows, indices=order, axis=1, batch_dims=1)


def _order(rows: Any, descending: bool) -> Any:
    """Return the indices that sort each row; NaN counts as larger than any number."""
    if rows.dtype is tf.bool:
        rows = cast(rows, tf.uint8)
    if rows.dtype is tf.uint16:
        rows = cast(rows, tf.int32)  # XLA has no such kernel
    if rows.dtype not in FLOATS:
        return _largest_first(rows if descending else raw.Invert(x=rows))
    zero, infinity = k.scalar(0, rows.dtype), k.scalar(float("inf"), rows.dtype)
    nan = k.is_nan(rows)
    keys = k.select(nan, infinity, rows)
    keys = k.select(raw.Equal(x=keys, y=zero), zero, keys)  # XLA puts -0 before 0
    order = _largest_first(keys if descending else raw.Neg(x=keys))
    if type(nan) is k.EagerTensor and not raw.Any(input=nan, axis=[0, 1]):
        return order
    # NaN beyond infinity: again, by whether it is one, keeping the order that there is
    beyond = cast(_in_order(nan, order), tf.int32)
    return _in_order(order, _largest_first(beyond if descending else raw.Neg(x=beyond)))


def _largest_first(rows: Any) -> Any:
    return raw.TopKV2(input=rows, k=dims_of(rows)[1]).indices
