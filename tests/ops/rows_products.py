"""The rows of products of matrices and vectors."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype

from .operands import ALL, NUMBERS, arrays, moderate, shapes
from .row import Case, row


@st.composite
def _matrices(draw: Any, dtype: Dtype) -> Case:
    inner, rows, columns = (draw(st.sampled_from([3, 2, 1, 4, 0])) for _ in range(3))
    if draw(st.integers(0, 3)) == 0:
        rows = None
    if draw(st.integers(0, 3)) == 0:
        columns = None
    stack = draw(st.sampled_from([(), (2,), (2, 1, 3), (), (2, *(1,) * 9), (0,)]))
    first = () if rows is None else stack
    second = () if columns is None else draw(st.sampled_from([stack, stack[1:], ()]))
    left = (*first, *(() if rows is None else (rows,)), inner)
    right = (*second, inner, *(() if columns is None else (columns,)))
    options = {}
    if rows is not None and draw(st.booleans()):
        left, options["transpose_x1"] = (*first, inner, rows), True
    if columns is not None and draw(st.booleans()):
        right, options["transpose_x2"] = (*second, columns, inner), True
    values = moderate(dtype, nan=draw(st.booleans()))
    return Case(
        (draw(arrays(dtype, left, values)), draw(arrays(dtype, right, values))), (), options
    )


row("matmul", ALL, _matrices)


@st.composite
def _vectors(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(1))
    axis = draw(st.integers(-len(shape), -1))
    other = shape if draw(st.booleans()) else shape[axis:]
    values = moderate(dtype)
    x1, x2 = draw(arrays(dtype, shape, values)), draw(arrays(dtype, other, values))
    return Case((x1, x2) if draw(st.booleans()) else (x2, x1), options={"axis": axis})


row("vecdot", NUMBERS, _vectors)


@st.composite
def _contractions(draw: Any, dtype: Dtype) -> Case:
    shared = draw(st.lists(st.integers(0, 3), max_size=2))
    left = draw(st.lists(st.integers(0, 2), max_size=2))
    right = draw(st.lists(st.integers(0, 2), max_size=2))
    values = moderate(dtype)
    x1 = draw(arrays(dtype, (*left, *shared), values))
    if draw(st.booleans()):
        x2 = draw(arrays(dtype, (*shared, *right), values))
        return Case((x1, x2), options={"axes": len(shared)})
    x2 = draw(arrays(dtype, (*right, *shared), values))
    pairs = (
        tuple(len(left) + i for i in range(len(shared))),
        tuple(i - len(shared) for i in range(len(shared))),
    )
    return Case((x1, x2), options={"axes": pairs})


row("tensordot", NUMBERS, _contractions)
