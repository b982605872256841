"""The rows of special functions and of those of neural networks."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np

from unibackend.testing.bounds.answer import Dtype, kind

from .operands import (
    DENSE,
    FLOATS,
    INTEGERS,
    arrays,
    axes,
    compatible,
    dtypes,
    elements,
    moderate,
    shapes,
)
from .row import Case, row

REAL = ("bool", *INTEGERS, *FLOATS)


def mixed(dtype: Dtype, here: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return numbers from where a function is not flat, and any others now and then."""
    if kind(dtype) in "biu":
        small = st.integers(0 if kind(dtype) == "u" else -30, 30)
        return elements(dtype) if kind(dtype) == "b" else small | elements(dtype)
    return here | here | DENSE | elements(dtype)


@st.composite
def one(draw: Any, dtype: Dtype, here: st.SearchStrategy[Any]) -> Case:
    return Case((draw(arrays(dtype, draw(shapes()), mixed(dtype, here))),))


def unit_interval(low: float) -> st.SearchStrategy[Any]:
    """Return numbers from low to 1, close to 0, 1/2 and 1 too."""
    near = DENSE.map(lambda x: x / 8 if low < 0 else abs(x) / 8)
    small = st.tuples(near, st.integers(1, 30)).map(lambda pair: pair[0] * 2.0 ** -pair[1])
    ends = st.sampled_from([0.0, 1.0, 0.5, 0.25, low])
    return near | small | small.map(lambda x: 1 - abs(x)) | small.map(lambda x: 0.5 + x / 2) | ends


RANGES = {
    "digamma": DENSE.map(lambda x: 5 * x) | st.integers(-9, 9).map(float),
    "erf": DENSE,
    "erfc": DENSE.map(lambda x: 3.5 * x),
    "erfinv": unit_interval(-1),
    "expit": DENSE.map(lambda x: 90 * x),
    "gammaln": DENSE.map(lambda x: 5 * x) | st.integers(-9, 9).map(float),
    "log_ndtr": DENSE.map(lambda x: 6 * x),
    "logit": unit_interval(0),
    "ndtr": DENSE.map(lambda x: 5 * x),
}
for name, numbers in RANGES.items():
    row(f"special.{name}", REAL, lambda dtype, numbers=numbers: one(dtype, numbers))
for name in ("silu", "softplus"):
    row(f"nn.{name}", REAL, lambda dtype: one(dtype, DENSE.map(lambda x: 90 * x)))
row("nn.relu", REAL[1:], lambda dtype: one(dtype, DENSE))


@st.composite
def _gelus(draw: Any, dtype: Dtype) -> Case:
    case = draw(one(dtype, DENSE))
    return Case(case.operands, options={"approximate": draw(st.booleans())})


row("nn.gelu", REAL, _gelus)


@st.composite
def _pairs(draw: Any, dtype: Dtype) -> Case:
    first, other = draw(compatible(2))
    values = mixed(dtype, st.sampled_from([0.0, 1.0]) | DENSE.map(abs))
    x1 = draw(arrays(dtype, first, values))
    if draw(st.integers(0, 4)) == 0:
        return Case((x1, kind(dtype) == "b" or 2))
    return Case((x1, draw(arrays(dtype, other, values))))


row("special.xlogy", REAL, _pairs)


def _rare(dtype: Dtype) -> st.SearchStrategy[Any]:
    """Return numbers far and near, equal ones, and infinities."""
    if kind(dtype) in "biu":
        return mixed(dtype, st.nothing())
    return DENSE.map(lambda x: 20 * x) | moderate(dtype, nan=True) | st.sampled_from([0.0, -np.inf])


@st.composite
def _sums(draw: Any, dtype: Dtype) -> Case:
    x = draw(arrays(dtype, draw(shapes()), _rare(dtype)))
    return Case((x,), options={"axis": draw(axes(x.ndim)), "keepdims": draw(st.booleans())})


@st.composite
def _soft(draw: Any, dtype: Dtype) -> Case:
    x = draw(arrays(dtype, draw(shapes(1)), _rare(dtype)))
    return Case((x,), options={"axis": draw(axes(x.ndim))})


row("special.logsumexp", REAL, _sums)
row("nn.softmax", REAL, _soft)
row("nn.log_softmax", REAL, _soft)


@st.composite
def _classes(draw: Any, dtype: Dtype) -> Case:
    x = draw(arrays(dtype, draw(shapes(most=11)), st.integers(0, 4) | elements(dtype)))
    options = {"axis": draw(st.integers(-x.ndim - 1, x.ndim))}
    if draw(st.booleans()):
        options["dtype"] = draw(dtypes(("bool", "int8", "uint64", "float32", "bfloat16")))
    return Case((x,), (draw(st.integers(0, 5)),), options)


row("nn.one_hot", INTEGERS, _classes)
