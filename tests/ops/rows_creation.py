"""The rows of arrays made of numbers, shapes and parts of others."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype, kind

from .operands import (
    ALL,
    COMPLEX,
    FLOATS,
    INTEGERS,
    NUMBERS,
    SIGNED,
    array,
    arrays,
    dtypes,
    elements,
    shapes,
)
from .row import Case, row


@st.composite
def _diagonals(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(array(dtype, 2)),), options={"k": draw(st.integers(-4, 4))})


row("tril", ALL, _diagonals)
row("triu", ALL, _diagonals)


def _typed(draw: Any, dtype: Dtype) -> dict[str, Any]:
    """Return the keyword `dtype`, which may be absent."""
    return {"dtype": dtype.name} if draw(st.booleans()) else {}


@st.composite
def _made(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes())
    shape = shape[0] if len(shape) == 1 and draw(st.booleans()) else shape
    return Case((), (shape,), _typed(draw, dtype))


@st.composite
def _made_like(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(array(draw(dtypes(ALL)))),), options=_typed(draw, dtype))


for _name in ("zeros", "ones", "empty"):
    row(_name, ALL, _made)
    row(f"{_name}_like", ALL, _made_like)


@st.composite
def _full(draw: Any, dtype: Dtype) -> Case:
    return Case((), (draw(shapes()), draw(elements(dtype))), {"dtype": dtype.name})


@st.composite
def _full_like(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    return Case((x,), (draw(elements(x.dtype)),))


row("full", ALL, _full)
row("full_like", ALL, _full_like)


@st.composite
def _eyes(draw: Any, dtype: Dtype) -> Case:
    rows, columns = draw(st.integers(0, 4)), draw(st.none() | st.integers(0, 4))
    options = {"k": draw(st.integers(-5, 5)), **_typed(draw, dtype)}
    return Case((), (rows, columns), options)


row("eye", NUMBERS, _eyes)


@st.composite
def _ranges(draw: Any, dtype: Dtype) -> Case:
    options = _typed(draw, dtype)
    whole = kind(dtype) == "i" or draw(st.booleans())
    numbers = st.integers(-20, 20) if whole else st.floats(-20, 20, width=16)
    step = draw(numbers.filter(lambda x: abs(x) > 0.1))
    return Case((), (draw(numbers), draw(numbers), step), options)


row("arange", (*SIGNED, *FLOATS), _ranges)


@st.composite
def _spaces(draw: Any, dtype: Dtype) -> Case:
    options = _typed(draw, dtype)
    ends = elements(dtype) if kind(dtype) == "c" and options else st.floats(-100, 100, width=16)
    if kind(dtype) in "iu":  # an integer type is asked for, and the numbers are in its range
        options["dtype"] = dtype.name
        ends = st.integers(0, 100) | st.floats(0, 100, width=16)
    options["endpoint"] = draw(st.booleans())
    return Case((), (draw(ends), draw(ends), draw(st.integers(0, 6))), options)


row("linspace", (*FLOATS, *COMPLEX, *INTEGERS), _spaces)


@st.composite
def _grids(draw: Any, dtype: Dtype) -> Case:
    sizes = draw(st.lists(st.integers(0, 3), max_size=4))
    kinds = [dtype if draw(st.integers(0, 3)) else draw(dtypes(ALL)) for _ in sizes]
    parts = tuple(draw(arrays(one, (size,))) for one, size in zip(kinds, sizes, strict=True))
    return Case(parts, options={"indexing": draw(st.sampled_from(["xy", "ij"]))})


row("meshgrid", ALL, _grids)
