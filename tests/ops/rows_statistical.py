"""The rows of sums, means and extremes."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype, default, kind

from .operands import ALL, INTEGERS, NUMBERS, REAL, arrays, axes, dtypes, elements, moderate, shapes
from .row import Case, row


@st.composite
def reductions(draw: Any, dtype: Dtype, values: Any = elements, *, filled: bool = False) -> Case:
    """Draw an array, axes and keepdims; `filled` means without axes of length 0."""
    x = draw(arrays(dtype, draw(shapes(zero=not filled)), values(dtype)))
    return Case((x,), options={"axis": draw(axes(x.ndim)), "keepdims": draw(st.booleans())})


@st.composite
def lines(draw: Any, dtype: Dtype, *, filled: bool = False, values: Any = elements) -> Case:
    """Draw an array of one axis at least, and an axis."""
    shape = draw(shapes(1, zero=not filled))
    x = draw(arrays(dtype, shape, values(dtype)))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    return Case((x,), options={"axis": axis})


def _with_nan(dtype: Dtype) -> st.SearchStrategy[Any]:
    return moderate(dtype, nan=True)


@st.composite
def accumulations(draw: Any, dtype: Dtype, of_shape: Any, values: Any) -> Case:
    """Draw a sum or product, of integers sometimes in a dtype that is asked for."""
    case = draw(of_shape(dtype, values=values))
    if dtype.name not in INTEGERS or draw(st.booleans()):
        return case  # type: ignore[no-any-return]
    wanted = draw(dtypes((dtype.name, "float32", default("i").name)))
    return Case(case.operands, options={**case.options, "dtype": wanted})


@st.composite
def _sums(draw: Any, dtype: Dtype) -> Case:
    values = elements if draw(st.booleans()) else _with_nan
    return draw(accumulations(dtype, reductions, values))  # type: ignore[no-any-return]


def _factors(dtype: Dtype) -> st.SearchStrategy[Any]:
    if kind(dtype) == "f":
        sizes = st.floats(0.5, 2, width=16) | st.floats(-2, -0.5, width=16)
        return sizes | st.sampled_from([0.0, 1.0, float("inf"), float("nan")])
    return moderate(dtype)


row("sum", ALL, _sums)
row("prod", NUMBERS, lambda dtype: accumulations(dtype, reductions, _factors))
row("mean", ALL, lambda dtype: reductions(dtype, _with_nan))


@st.composite
def _spreads(draw: Any, dtype: Dtype) -> Case:
    case = draw(reductions(dtype, _ordinary))
    correction = draw(st.sampled_from([0.0, 1.0, 0.5, 1]))
    return Case(case.operands, options={**case.options, "correction": correction})


def _ordinary(dtype: Dtype) -> st.SearchStrategy[Any]:
    low = 0 if kind(dtype) == "u" else -100
    return st.integers(low, 100) if kind(dtype) in "iu" else moderate(dtype, nan=True)


row("var", REAL, _spreads)
row("std", REAL, _spreads)
row("max", REAL, lambda dtype: reductions(dtype, filled=True))
row("min", REAL, lambda dtype: reductions(dtype, filled=True))


@st.composite
def _running(draw: Any, dtype: Dtype, values: Any = _with_nan) -> Case:
    case = draw(accumulations(dtype, lines, values))
    options = {**case.options, "include_initial": draw(st.booleans())}
    if case.operands[0].ndim == 1 and draw(st.booleans()):
        options["axis"] = None
    return Case(case.operands, options=options)


row("cumulative_sum", NUMBERS, _running)
row("cumulative_prod", NUMBERS, lambda dtype: _running(dtype, _factors))


@st.composite
def _segments(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(1))
    data = draw(arrays(dtype, shape, _with_nan(dtype)))
    index = draw(dtypes(("int32", "int64", "uint8", "int8", "uint64")))
    count = draw(st.integers(0, 4))
    numbers = draw(arrays(index, shape[:1], st.integers(-2 if kind(index) == "i" else 0, 5)))
    return Case((data, numbers), (count,))


row("segment_sum", ALL, _segments)
