"""The derivatives of the operations of the main namespace."""

from __future__ import annotations

from typing import Any

import numpy as np

import unibackend as ub

from .gradients import NONE, Shape, call, calls

# ---- of each element ---------------------------------------------------------------------------

UNARY = "abs cos exp expm1 log log1p negative positive sin sqrt square tan tanh conj real imag"
calls(UNARY, ((7,),), ((2, 1, 3),), complex=UNARY)
calls("ceil floor round sign trunc", ([-1.7, -0.3, 0.3, 0.7, 1.8],))
calls("abs", ([-1.7, -0.3, 0.3],))

BINARY = "add subtract multiply divide pow maximum minimum atan2"
PAIRS: tuple[tuple[Shape, Shape], ...] = (
    *(((3, 2), (3, 2)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2,)), ((2, 0), (1, 1))),
    ((1, 2, *(1,) * 8, 2), (2, 1)),
)
calls(BINARY, *PAIRS, complex="add subtract multiply divide")
calls("pow", ((4,), (4,)), complex="pow")
calls(
    "floor_divide remainder",
    ([5.3, -5.3, 5.3, -5.3, 1.2], [2.1, 2.1, -2.1, -2.1, 3.0]),
    ([[5.3], [-4.1]], [2.1, -1.9, 0.7]),
)
call("pow", lambda x: x**3 + x**-2 + x**0 + 2**x + x**0.5, (5,))
call("pow", lambda x: x**3, [-1.5, 0.0, 2.0])
call("multiply", lambda x: 2 * x - x * 0.5 + 1, (2, 3))
call("divide", lambda x: 1 / x, (3,), complex=True)
call("clip", lambda x, low, high: ub.clip(x, low, high + 1), (2, 3), (3,), (2, 1))
call("clip", lambda x: ub.clip(x, 1.1, 1.6), (7,))
call("where", lambda x, y: ub.where(x > 1.2, x * y, x - y), (2, 3), (3,))
call("where", lambda x, y: ub.where([True, False], x, y), (2,), (), complex=True)
call("astype", lambda x: ub.astype(ub.astype(x, ub.complex128) * (2 + 1j), ub.complex128), (3,))

# ---- reductions and along an axis --------------------------------------------------------------

REDUCED = "sum prod mean std var max min"
calls(REDUCED, ((7,),), ((2, 3),))
for options in ({"axis": 0}, {"axis": (0, 2), "keepdims": True}, {"axis": -1, "keepdims": True}):
    calls(REDUCED, ((2, 3, 2),), complex="sum prod mean std var", **options)
calls("std var", ((5,),), correction=1)
calls("sum prod mean", ((0, 2),), axis=0)
call("prod", ub.prod, [5.0, 0.0, 4.0])
call("prod", ub.prod, [0.0, 0.0, 4.0])
RUNNING = "cumulative_sum cumulative_prod"
calls(RUNNING, ((3, 4),), ((2, 0),), complex=RUNNING, axis=1)
calls(RUNNING, ((3,),), include_initial=True)
call("cumulative_prod", lambda x: ub.cumulative_prod(x, axis=0), [5.0, 0.0, 4.0, 0.0, 3.0])
calls("sort", ((7,),), ((2, 3),))
calls("sort", ((3, 2),), axis=0, descending=True)

# ---- products ----------------------------------------------------------------------------------

MATRICES: tuple[tuple[Shape, Shape], ...] = (
    *(((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 2)), ((2, 0), (0, 2))),
    *(((2, 2, 3), (3, 2)), ((2, 3), (2, 3, 2)), ((2, 1, 2, 3), (2, 3, 2)), ((0, 2, 3), (3, 2))),
)
calls("matmul", *MATRICES, complex="matmul")
for one, two in ((True, False), (False, True), (True, True)):
    calls("matmul", ((3, 3), (3, 3)), ((2, 3, 3), (3, 3)), transpose_x1=one, transpose_x2=two)
    calls("matmul", ((2, 2, 2), (1, 2, 2)), complex="matmul", transpose_x1=one, transpose_x2=two)
calls("matmul", ((2, 3), (3, 2)), precision="highest")
calls("matrix_transpose", ((2, 1, 3),), complex="matrix_transpose")
for axes in (0, 1, ((0,), (1,))):
    calls("tensordot", ((3, 3), (3, 3)), complex="tensordot", axes=axes)
calls("vecdot", ((2, 3), (3,)), complex="vecdot")
calls("vecdot", ((3, 2), (3, 1)), complex="vecdot", axis=-2)

# ---- elements by their places ------------------------------------------------------------------

FIRST_TWICE = np.array([0, 2, 0])
calls("take", ((3, 2), FIRST_TWICE), complex="take", axis=0)
calls("take", ((2, 3), [[-1, 0], [1, 1]]), axis=1)
calls("take_along_axis", ((3, 4), [[0, 0], [1, -1], [2, 0]]), complex="take_along_axis")
KEYS: tuple[Any, ...] = (
    *(1, slice(1, None), (slice(None, None, -2), slice(1, None)), (None, -1), (..., 0)),
    *(FIRST_TWICE, (FIRST_TWICE, np.array([0, 1, 0])), (slice(None), np.array([-1, -1]))),
    np.array([True, False, True]),
)
for key in KEYS:
    call("take", lambda x, key=key: x[ub.asarray(key) if hasattr(key, "dtype") else key], (3, 2))
for mode in ("add", "multiply", "min", "max"):

    def updated(x: Any, values: Any, key: Any = FIRST_TWICE, mode: str = mode) -> Any:
        return getattr(ub.at(x)[key], mode)(values)

    call("_at", updated, (3, 2), (3, 2), complex=mode in ("add", "multiply"))
    call("_at", lambda x, v, f=updated: f(x, v, (slice(1, None), 0)), (3, 2), ())
call("_at", lambda x, v: ub.at(x)[[2, 0]].set(v), (3, 2), (2,), complex=True)
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].set(v), (3, 2), (1,))  # the same for all places
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].multiply(v), (3,), [0.0, 3.0, 2.0])
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].multiply(v), (3,), [0.0, 3.0, 0.0])

# ---- shapes and order --------------------------------------------------------------------------

call("broadcast_arrays", ub.broadcast_arrays, (2, 1), (3,), complex=True)
calls("broadcast_to", ((2, 1),), shape=(2, 2, 3))
for axis in (0, 1, None):
    call("concat", lambda x, y, axis=axis: ub.concat([x, y, x], axis=axis), (2, 2), (2, 2))
call("stack", lambda x, y: ub.stack([x, y, x], axis=-1), (2, 2), (2, 2), complex=True)
call("stack", lambda x: ub.stack([x[0], 3.0, x[1] * 2]), (3,))
calls("unstack", ((2, 3),), axis=1)
calls("expand_dims", ((2, 2),), axis=(0, 2))
calls("flip", ((2, 3),))
calls("flip", ((2, 3),), axis=1)
call("moveaxis", lambda x: ub.moveaxis(x, 0, -1), (2, 3, 2))
calls("permute_dims", ((2, 3, 2),), axes=(2, 0, 1))
call("repeat", lambda x: ub.repeat(x, 2, axis=1), (2, 2))
call("repeat", lambda x: ub.repeat(x, [1, 0, 2], axis=0), (3, 2))
calls("reshape", ((2, 3),), shape=(3, 2))
calls("roll", ((2, 3),), shift=(1, -1), axis=(0, 1))
calls("roll", ((2, 3),), shift=2)
calls("squeeze", ((1, 2, 1),), axis=(0, 2))
call("tile", lambda x: ub.tile(x, (2, 1, 3)), (2, 2))
calls("tril triu", ((3, 3),), ((2, 2, 3),), complex="tril")

# ---- arrays made of numbers that are differentiated --------------------------------------------

call("full", lambda x: ub.full((2, 2), x), ())
call("full_like", lambda x, y: ub.full_like(x, y), (2, 2), ())
call("linspace", lambda x, y: ub.linspace(x, y, 5), (), (), complex=True)
call("linspace", lambda x: ub.linspace(x, 3.0, 4, endpoint=False), ())

# ---- without a derivative ----------------------------------------------------------------------

NONE.update(
    (
        *("all", "any", "argmax", "argmin", "argsort"),
        *("equal", "greater", "greater_equal", "less", "less_equal", "not_equal"),
        *("isfinite", "isinf", "isnan"),
        *("logical_and", "logical_not", "logical_or", "logical_xor"),
        *("bitwise_and", "bitwise_invert", "bitwise_or", "bitwise_xor"),
        *("bitwise_left_shift", "bitwise_right_shift"),
        *("arange", "empty", "empty_like", "eye", "ones", "ones_like", "zeros", "zeros_like"),
    )
)
