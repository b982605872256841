"""The rows of whether elements hold, and of differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype

from .operands import ALL, NUMBERS, arrays, elements, moderate, shapes
from .row import Case, row
from .rows_statistical import reductions

row("all", ALL, reductions)
row("any", ALL, reductions)


@st.composite
def _differences(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(1))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    values = draw(st.sampled_from([elements, moderate]))(dtype)
    operands = [draw(arrays(dtype, shape, values)), None, None]
    for place in (1, 2):
        size = draw(st.sampled_from([None, None, (), 0, 1, 3]))
        if size is not None:
            where = axis % len(shape)
            wanted = () if size == () else (*shape[:where], size, *shape[where + 1 :])
            operands[place] = draw(arrays(dtype, wanted, values))
    return Case(tuple(operands), options={"axis": axis, "n": draw(st.integers(0, 4))})


def _by_name(function: Callable[..., Any], operands: list[Any], case: Case) -> Any:
    x, prepend, append = operands
    return function(x, prepend=prepend, append=append, **case.options)


row("diff", NUMBERS, _differences, call=_by_name)
