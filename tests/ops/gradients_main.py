"""The derivatives of the operations of the main namespace."""

from __future__ import annotations

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

# ---- without a derivative ----------------------------------------------------------------------

NONE.update(
    (
        *("equal", "greater", "greater_equal", "less", "less_equal", "not_equal"),
        *("isfinite", "isinf", "isnan"),
        *("logical_and", "logical_not", "logical_or", "logical_xor"),
        *("bitwise_and", "bitwise_invert", "bitwise_or", "bitwise_xor"),
        *("bitwise_left_shift", "bitwise_right_shift"),
    )
)
