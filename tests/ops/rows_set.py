"""The rows of distinct elements."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype, kind

from .operands import ALL, arrays, elements, shapes
from .row import Case, row


def _few(dtype: Dtype) -> st.SearchStrategy[Any]:
    """Return a strategy for numbers of which many are equal, and for some of all."""
    special = [0.0, -0.0, 1.0, float("inf"), float("nan")]
    if kind(dtype) == "c":
        part = st.sampled_from(special)
        return st.builds(complex, part, part)
    if kind(dtype) == "f":
        return st.sampled_from(special) | elements(dtype)
    return st.sampled_from([0, 1]) | elements(dtype)


@st.composite
def _distinct(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(arrays(dtype, draw(shapes()), _few(dtype))),))


for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
    row(name, ALL, _distinct, traced=False)


@st.composite
def _members(draw: Any, dtype: Dtype) -> Case:
    first, second = (draw(arrays(dtype, draw(shapes()), _few(dtype))) for _ in range(2))
    return Case((first, second), options={"invert": draw(st.booleans())})


row("isin", ALL, _members)
