"""The rows of order."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype

from .operands import REAL
from .row import Case, row
from .rows_statistical import lines


@st.composite
def _orders(draw: Any, dtype: Dtype) -> Case:
    case = draw(lines(dtype))
    return Case(case.operands, options={**case.options, "descending": draw(st.booleans())})


row("argsort", ("bool", *REAL), _orders)
row("sort", ("bool", *REAL), _orders)


@st.composite
def _first(draw: Any, dtype: Dtype) -> Case:
    case = draw(lines(dtype))
    count = draw(st.integers(0, case.operands[0].shape[case.options["axis"]]))
    return Case(case.operands, (count,), {**case.options, "largest": draw(st.booleans())})


row("top_k", ("bool", *REAL), _first)
