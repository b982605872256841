"""The rows of where elements are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np

from unibackend.testing.bounds.answer import Dtype, default, kind, wide

from .operands import ALL, REAL, arrays, elements, shapes
from .row import Case, row
from .rows_statistical import lines, reductions


@st.composite
def _choices(draw: Any, dtype: Dtype) -> Case:
    case = draw(lines(dtype, filled=True))
    axis = draw(st.sampled_from([None, case.options["axis"]]))
    return Case(case.operands, options={"axis": axis, "keepdims": draw(st.booleans())})


row("argmax", REAL, _choices)
row("argmin", REAL, _choices)
row("count_nonzero", ALL, reductions)


@st.composite
def _of_some_axes(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(arrays(dtype, draw(shapes(1)))),))


row("nonzero", ALL, _of_some_axes, traced=False)


@st.composite
def _searches(draw: Any, dtype: Dtype) -> Case:
    x1 = draw(arrays(dtype, (draw(st.sampled_from([16, 5, 1, 0])),)))
    common = st.sampled_from([*x1]) if x1.size else elements(dtype)
    x2 = draw(arrays(dtype, draw(shapes(most=3)), elements(dtype) | common))
    order = np.argsort(wide(x1) if kind(dtype) == "f" else x1, kind="stable")
    options = {"side": draw(st.sampled_from(["left", "right"]))}
    if draw(st.booleans()):
        return Case((x1, x2, order.astype(default("i"))), options=options)
    return Case((x1[order], x2, None), options=options)


def _with_sorter(function: Callable[..., Any], operands: list[Any], case: Case) -> Any:
    x1, x2, sorter = operands
    return function(x1, x2, sorter=sorter, **case.options)


row("searchsorted", REAL, _searches, call=_with_sorter)
