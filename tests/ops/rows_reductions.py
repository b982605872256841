"""The rows of sums, means, extremes, products of matrices, and order.

Bounds of sums are Higham's for any order of summation: gamma_n times the sum of the magnitudes.
"""

from __future__ import annotations

import math
from typing import Any

import hypothesis.strategies as st
import numpy as np

from unibackend.testing.bounds.answer import (
    WIDE,
    Answer,
    Dtype,
    common,
    default,
    eps,
    floating,
    gamma,
    kind,
    limit,
    tiny,
    wide,
)

from .operands import (
    ALL,
    NUMBERS,
    REAL,
    arrays,
    axes,
    dtypes,
    elements,
    moderate,
    shapes,
)
from .row import Case, row

BOOL = np.dtype(bool)


# ---- reductions --------------------------------------------------------------------------------


@st.composite
def reductions(draw: Any, dtype: Dtype, values: Any = elements, *, filled: bool = False) -> Case:
    """Draw an array, axes and keepdims; `filled` means without axes of length 0."""
    x = draw(arrays(dtype, draw(shapes(zero=not filled)), values(dtype)))
    return Case((x,), options={"axis": draw(axes(x.ndim)), "keepdims": draw(st.booleans())})


def counted(x: Any, axis: Any) -> int:
    """Return how many elements are reduced to one."""
    chosen = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(x.shape[one] for one in chosen)


def total(x: Any, axis: Any, keepdims: bool) -> Any:
    """Return a sum in wide or exact arithmetic."""
    if x.dtype == object:
        return np.asarray(np.sum(x, axis=axis, keepdims=keepdims, initial=0), object)
    return np.asarray(np.sum(x, axis=axis, keepdims=keepdims))


def unless(condition: Any, bound: Any) -> Any:
    """Return a bound, infinite where a condition makes the result uncertain."""
    return np.where(condition, WIDE(np.inf), bound)


def accumulated(dtype: Dtype) -> Dtype:
    """Return the dtype of a sum: for integers the default one at least."""
    match kind(dtype):
        case "b":
            return default("i")
        case "i" | "u":
            return common(dtype, default(kind(dtype)))
    return dtype


def _with_nan(dtype: Dtype) -> st.SearchStrategy[Any]:
    return moderate(dtype, nan=True)


def finite(x: Any) -> Any:
    return np.where(np.isfinite(x), np.abs(x), 0).astype(WIDE)


def _sum(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Answer:
    result = accumulated(x.dtype) if dtype is None else np.dtype(dtype)
    if kind(result) in "iu":
        return Answer(total(wide(x.astype(result)), axis, keepdims), result)
    a = wide(x.astype(result))
    size = total(finite(a), axis, keepdims)
    count = counted(x, axis)
    return Answer(
        total(a, axis, keepdims),
        result,
        unless(size >= limit(result), gamma(count, result) * size),
        (count + 1) * tiny(result),
    )


@st.composite
def _sums(draw: Any, dtype: Dtype) -> Case:
    case = draw(reductions(dtype, elements if draw(st.booleans()) else _with_nan))
    if kind(dtype) in "iu" and draw(st.booleans()):
        wanted = draw(dtypes((dtype.name, "float32", default("i").name)))
        return Case(case.operands, options={**case.options, "dtype": wanted})
    return case


row("sum", ALL, _sums, _sum)


def _factors(dtype: Dtype) -> st.SearchStrategy[Any]:
    if kind(dtype) == "f":
        sizes = st.floats(0.5, 2, width=16) | st.floats(-2, -0.5, width=16)
        return sizes | st.sampled_from([0.0, 1.0, np.inf, np.nan])
    return moderate(dtype)


def _prod(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    result = accumulated(x.dtype)
    a = wide(x.astype(result))
    if kind(result) in "iu":
        value = np.asarray(np.prod(a, axis=axis, keepdims=keepdims, initial=1), object)
        return Answer(value, result)
    value = np.asarray(np.prod(a, axis=axis, keepdims=keepdims))
    size = np.where(np.isfinite(a) & (a != 0), np.abs(a), 1).astype(WIDE)
    largest = np.prod(np.maximum(size, 1), axis=axis, keepdims=keepdims)
    smallest = np.prod(np.minimum(size, 1), axis=axis, keepdims=keepdims)
    count = counted(x, axis)
    # a complex product costs sqrt(5) u, where a real one costs u
    each = 3 if kind(result) == "c" else 1
    bound = gamma(each * count + 1, result) * np.abs(value)
    outside = (largest >= limit(result)) | (smallest < tiny(result) / eps(result))
    return Answer(value, result, unless(outside, bound))


row("prod", NUMBERS, lambda dtype: reductions(dtype, _factors), _prod)


def _mean(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
    result = floating(x.dtype)
    a = wide(x.astype(result))
    count = counted(x, axis)
    size = total(finite(a), axis, keepdims)
    with np.errstate(all="ignore"):
        value = np.asarray(total(a, axis, keepdims) / count if count else size * np.nan)
        bound = gamma(count + 2, result) * size / max(count, 1)
    return Answer(value, result, unless(size >= limit(result), bound), 2 * tiny(result))


row("mean", ALL, lambda dtype: reductions(dtype, _with_nan), _mean)


def _spread(x: Any, axis: Any, correction: float, keepdims: bool) -> tuple[Dtype, Any, Any]:
    """Return the dtype, the variance and its bound.

    The mean is wrong by e <= gamma_(n+2) mean|x|. The sum of the squared distances from it is the
    right sum plus n e^2, times what its own n + 5 roundings do.
    """
    result = floating(x.dtype)
    a = wide(x.astype(result))
    count = counted(x, axis)
    left = count - correction
    if left <= 0:
        nothing = total(a.astype(WIDE) * 0, axis, keepdims) + WIDE(np.nan)
        return result, np.asarray(nothing), 0
    mean = total(a, axis, True) / count
    squares = total(np.abs(a - mean) ** 2, axis, keepdims)
    size = total(finite(a), axis, keepdims) / count
    shift = count * (gamma(count + 2, result) * size) ** 2
    bound = (gamma(count + 5, result) * (squares + shift) + shift) / left
    return result, np.asarray(squares / left), bound


@st.composite
def _spreads(draw: Any, dtype: Dtype) -> Case:
    case = draw(reductions(dtype, _ordinary))
    correction = draw(st.sampled_from([0.0, 1.0, 0.5, 1]))
    return Case(case.operands, options={**case.options, "correction": correction})


def _ordinary(dtype: Dtype) -> st.SearchStrategy[Any]:
    low = 0 if kind(dtype) == "u" else -100
    return st.integers(low, 100) if kind(dtype) in "iu" else moderate(dtype, nan=True)


def _var(x: Any, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Answer:
    result, value, bound = _spread(x, axis, correction, keepdims)
    return Answer(value, result, bound, 64 * tiny(result))


def _std(x: Any, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Answer:
    result, variance, bound = _spread(x, axis, correction, keepdims)
    value = np.sqrt(variance)
    # |sqrt(a) - sqrt(b)| is at most |a - b| / sqrt(b) and at most sqrt(|a - b|)
    with np.errstate(all="ignore"):
        error = np.minimum(np.where(value > 0, bound / value, np.inf), np.sqrt(bound))
    flushed = np.sqrt(64 * tiny(result))
    return Answer(value, result, error + eps(result) * np.abs(value), flushed)


row("var", REAL, _spreads, _var)
row("std", REAL, _spreads, _std)


def _most(name: str, choose: Any) -> None:
    def answer(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
        return Answer(np.asarray(choose(wide(x), axis=axis, keepdims=keepdims)), x.dtype)

    row(name, REAL, lambda dtype: reductions(dtype, filled=True), answer)


_most("max", np.max)
_most("min", np.min)
row(
    "all",
    ALL,
    reductions,
    lambda x, axis=None, keepdims=False: Answer(np.all(x != 0, axis=axis, keepdims=keepdims), BOOL),
)
row(
    "any",
    ALL,
    reductions,
    lambda x, axis=None, keepdims=False: Answer(np.any(x != 0, axis=axis, keepdims=keepdims), BOOL),
)


# ---- along one axis ----------------------------------------------------------------------------


@st.composite
def lines(draw: Any, dtype: Dtype, *, filled: bool = False, values: Any = elements) -> Case:
    """Draw an array of one axis at least, and an axis."""
    shape = draw(shapes(1, zero=not filled))
    x = draw(arrays(dtype, shape, values(dtype)))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    return Case((x,), options={"axis": axis})


@st.composite
def _running(draw: Any, dtype: Dtype, values: Any = _with_nan) -> Case:
    case = draw(lines(dtype, values=values))
    options = {**case.options, "include_initial": draw(st.booleans())}
    if case.operands[0].ndim == 1 and draw(st.booleans()):
        options["axis"] = None
    return Case(case.operands, options=options)


def _cumulative(x: Any, axis: Any = None, include_initial: bool = False) -> Answer:
    result = accumulated(x.dtype)
    axis = 0 if axis is None else axis % x.ndim
    a = wide(x.astype(result))

    def prefixes(values: Any) -> Any:
        sums = np.cumsum(values, axis=axis)
        if include_initial:
            first = np.zeros((*x.shape[:axis], 1, *x.shape[axis + 1 :]), sums.dtype)
            sums = np.concatenate([first, sums], axis=axis)
        return sums

    if kind(result) in "iu":
        return Answer(prefixes(a), result)
    size = prefixes(finite(a))
    count = x.shape[axis] + 1
    bound = unless(size >= limit(result), gamma(count, result) * size)
    return Answer(prefixes(a), result, bound, count * tiny(result))


row("cumulative_sum", NUMBERS, _running, _cumulative)


def _cumulative_prod(x: Any, axis: Any = None, include_initial: bool = False) -> Answer:
    axis = 0 if axis is None else axis % x.ndim
    first = 0 if include_initial else 1
    # each place is the product of what is before it
    parts = [
        _prod(np.take(x, range(count), axis), axis, keepdims=True)
        for count in range(first, x.shape[axis] + 1)
    ]
    result = accumulated(x.dtype)
    if not parts:
        return Answer(wide(x), result)
    value = np.concatenate([part.value for part in parts], axis)
    if kind(result) in "iu":
        return Answer(value, result)
    return Answer(value, result, np.concatenate([part.bound for part in parts], axis))


row(
    "cumulative_prod",
    NUMBERS,
    lambda dtype: _running(dtype, _factors),
    _cumulative_prod,
)


@st.composite
def _choices(draw: Any, dtype: Dtype) -> Case:
    case = draw(lines(dtype, filled=True))
    axis = draw(st.sampled_from([None, case.options["axis"]]))
    return Case(case.operands, options={"axis": axis, "keepdims": draw(st.booleans())})


def _chosen(name: str, choose: Any) -> None:
    def answer(x: Any, axis: Any = None, keepdims: bool = False) -> Answer:
        # the first of several, and NaN before all: what NumPy does with wide floats
        a = x if kind(x.dtype) in "iu" else wide(x)
        return Answer(np.asarray(choose(a, axis=axis, keepdims=keepdims), object), default("i"))

    row(name, REAL, _choices, answer)


_chosen("argmax", np.argmax)
_chosen("argmin", np.argmin)


@st.composite
def _orders(draw: Any, dtype: Dtype) -> Case:
    case = draw(lines(dtype))
    return Case(case.operands, options={**case.options, "descending": draw(st.booleans())})


def _order(x: Any, axis: int, descending: bool) -> Any:
    a = x if kind(x.dtype) in "iu" else wide(x)
    if not descending:
        return np.argsort(a, axis=axis, kind="stable")
    back = np.argsort(np.flip(a, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - back, axis)


row(
    "argsort",
    REAL,
    _orders,
    lambda x, axis, descending: Answer(_order(x, axis, descending).astype(object), default("i")),
)
row(
    "sort",
    REAL,
    _orders,
    lambda x, axis, descending: Answer(
        np.take_along_axis(wide(x), _order(x, axis, descending), axis), x.dtype
    ),
)


# ---- products of matrices and vectors ----------------------------------------------------------


def products(value: Any, size: Any, more: Any, count: int, dtype: Dtype) -> Answer:
    """Return the answer of a sum of products.

    Args:
        value: of the sum.
        size: the same of the magnitudes.
        more: the sum of the magnitudes of the factors: one that is not normal may count as zero.
        count: how many terms.
        dtype: of the result.
    """
    if kind(dtype) in "biu":
        return Answer(value, dtype)
    each = 2 if kind(dtype) == "c" else 1
    bound = each * gamma(count + 2, dtype) * size
    return Answer(
        value, dtype, unless(size >= limit(dtype), bound), (count + 1 + 2 * more) * tiny(dtype)
    )


def _dot(a: Any, b: Any, product: Any, count: int, dtype: Dtype) -> Answer:
    if kind(dtype) == "b":
        return Answer(np.asarray(product(a, b)), dtype)
    a, b = wide(a), wide(b)
    if a.dtype == object:
        return products(np.asarray(product(a, b), object), 0, 0, count, dtype)
    absolute, other = finite(a), finite(b)
    one, two = np.ones_like(absolute), np.ones_like(other)
    value = np.asarray(product(a, b))
    size = product(absolute, other)
    return products(value, size, product(absolute, two) + product(one, other), count, dtype)


def _pair(x1: Any, x2: Any) -> tuple[Any, Any, Dtype]:
    dtype = common(x1.dtype, x2.dtype)
    return x1.astype(dtype), x2.astype(dtype), dtype


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


def _matmul(x1: Any, x2: Any, transpose_x1: bool = False, transpose_x2: bool = False) -> Answer:
    a, b, dtype = _pair(x1, x2)
    a = np.swapaxes(a, -1, -2) if transpose_x1 else a
    b = np.swapaxes(b, -1, -2) if transpose_x2 else b
    return _dot(a, b, np.matmul, a.shape[-1], dtype)


row("matmul", ALL, _matrices, _matmul)


@st.composite
def _vectors(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(1))
    axis = draw(st.integers(-len(shape), -1))
    other = shape if draw(st.booleans()) else shape[axis:]
    values = moderate(dtype)
    x1, x2 = draw(arrays(dtype, shape, values)), draw(arrays(dtype, other, values))
    return Case((x1, x2) if draw(st.booleans()) else (x2, x1), options={"axis": axis})


def _vecdot(x1: Any, x2: Any, axis: int = -1) -> Answer:
    a, b, dtype = _pair(x1, x2)
    a = np.conj(a) if kind(dtype) == "c" else a
    a, b = np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)
    return _dot(a, b, lambda x, y: np.sum(x * y, axis=-1), a.shape[-1], dtype)


row("vecdot", NUMBERS, _vectors, _vecdot)


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


def _tensordot(x1: Any, x2: Any, axes: Any) -> Answer:
    a, b, dtype = _pair(x1, x2)
    chosen = range(a.ndim - axes, a.ndim) if isinstance(axes, int) else axes[0]
    count = math.prod(a.shape[axis] for axis in chosen)
    return _dot(a, b, lambda x, y: np.tensordot(x, y, axes), count, dtype)


row("tensordot", NUMBERS, _contractions, _tensordot)
