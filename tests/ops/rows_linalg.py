"""The rows of linear algebra."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np

from unibackend.testing.bounds.answer import Dtype, NumpyArray, kind

from .operands import ALL, DENSE, NUMBERS, arrays, axes, moderate, shapes
from .row import Case, row

STACKS = st.sampled_from([(), (2,), (), (2, 1), (0,), (1,) * 8 + (2,)])
SIZES = st.sampled_from([3, 2, 1, 4, 0])


def _values(dtype: Dtype) -> st.SearchStrategy[Any]:
    """Return a strategy for numbers up to 8, those of integers too."""
    if kind(dtype) == "b":
        return st.booleans()
    if kind(dtype) in "iu":
        return st.integers(0 if kind(dtype) == "u" else -8, 8)
    if kind(dtype) == "c":
        return st.builds(complex, DENSE, DENSE)
    return DENSE | st.sampled_from([0.0, 1.0])


@st.composite
def _matrices(draw: Any, dtype: Dtype, square: bool = False, finite: bool = False) -> NumpyArray:
    rows = draw(SIZES)
    shape = (*draw(STACKS), rows, rows if square else draw(SIZES))
    x: NumpyArray = draw(arrays(dtype, shape, _values(dtype)))
    if not finite and x.size and kind(dtype) in "fc" and draw(st.integers(0, 7)) == 0:
        x[(0,) * (x.ndim - 2) + (x.shape[-2] - 1, 0)] = draw(st.sampled_from([np.nan, np.inf]))
    return x


@st.composite
def _regular(draw: Any, dtype: Dtype, square: bool = True) -> NumpyArray:
    """Draw matrices far from singular, with their rows in any order; some have a zero column."""
    x: NumpyArray = draw(_matrices(dtype, square, finite=True))
    rows, columns = x.shape[-2:]
    strong = np.eye(rows, columns) * (1 if kind(dtype) == "b" else 40)
    x = np.where(strong != 0, strong, x).astype(dtype)
    x = x[..., draw(st.permutations(range(rows))), :]
    if x.size and draw(st.integers(0, 5)) == 0:
        x[..., draw(st.integers(0, columns - 1))] = 0
    return x


def _alone(name: str, draw_of: Any, names: tuple[str, ...] = NUMBERS, **options: Any) -> None:
    """Put a row into the table whose operand is one array of matrices."""

    @st.composite
    def cases(draw: Any, dtype: Dtype) -> Case:
        x = draw(draw_of(dtype))
        return Case((x,), (), {key: draw(one) for key, one in options.items()})

    row(name, names, cases)


def _any(dtype: Dtype) -> Any:
    return _matrices(dtype)


def _square(dtype: Dtype) -> Any:
    return _matrices(dtype, square=True)


@st.composite
def _definite(draw: Any, dtype: Dtype) -> NumpyArray:
    """Draw positive definite matrices; the other triangle is never read, and some are not."""
    x: NumpyArray = draw(_matrices(dtype, square=True))
    strong = np.eye(x.shape[-1]) * (1 if kind(dtype) == "b" else 40)
    if x.size and draw(st.integers(0, 5)) == 0:
        strong[0, 0] = 0 if kind(dtype) in "bu" else -1
    return np.where(np.eye(x.shape[-1]) != 0, strong, x).astype(dtype)


_alone("linalg.cholesky", _definite, upper=st.booleans())
_alone("linalg.det", _regular)
_alone("linalg.slogdet", _regular)
_alone("linalg.inv", _regular)
_alone("linalg.eig", _square)
_alone("linalg.eigvals", _square)
_alone("linalg.eigh", _square)
_alone("linalg.eigvalsh", _square)
_alone("linalg.qr", _any, mode=st.sampled_from(["reduced", "complete"]))
_alone("linalg.svd", _any, full_matrices=st.booleans())
_alone("linalg.svdvals", _any)
RTOL = st.sampled_from([None, 0.01])
_alone("linalg.pinv", lambda dtype: _regular(dtype, square=False), rtol=RTOL)
_alone("linalg.matrix_rank", lambda dtype: _regular(dtype, square=False), rtol=RTOL)


# ---- with other arguments ----------------------------------------------------------------------


@st.composite
def _systems(draw: Any, dtype: Dtype) -> Case:
    a = draw(_regular(dtype))
    stack, size = a.shape[:-2], a.shape[-1]
    sides = draw(
        st.sampled_from(
            [(size,), (*stack, size, 2), (size, 1), (*stack[1:], size, 0), (2, size, 1)]
        )
    )
    if len(sides) == 3 and stack and stack[-1] == 0:
        sides = (size, 1)
    return Case((a, draw(arrays(dtype, sides, _values(dtype)))))


row("linalg.solve", NUMBERS, _systems)


@st.composite
def _powers(draw: Any, dtype: Dtype) -> Case:
    count = draw(st.integers(-2, 4))
    if count < 0:
        x = draw(_matrices(dtype, square=True, finite=True))
        strong = np.eye(x.shape[-1]) * (1 if kind(dtype) == "b" else 40)
        return Case((np.where(strong != 0, strong, x).astype(dtype),), (count,))
    return Case((draw(_matrices(dtype, square=True, finite=True)),), (count,))


row("linalg.matrix_power", NUMBERS, _powers)


@st.composite
def _triples(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(1, most=6))
    axis = draw(st.integers(-len(shape), -1))
    shape = (*shape[: len(shape) + axis], 3, *shape[len(shape) + axis + 1 :])
    other = shape if draw(st.booleans()) else shape[axis:]
    options = {"axis": axis}
    if other == shape and draw(st.booleans()):
        options = {"axis": axis + len(shape)}
    values = moderate(dtype)
    return Case(
        (draw(arrays(dtype, shape, values)), draw(arrays(dtype, other, values))), (), options
    )


row("linalg.cross", NUMBERS, _triples)


@st.composite
def _two_vectors(draw: Any, dtype: Dtype) -> Case:
    lengths = st.integers(0, 4)
    x1, x2 = (draw(arrays(dtype, (draw(lengths),), moderate(dtype))) for _ in range(2))
    return Case((x1, x2))


row("linalg.outer", ALL, _two_vectors)


@st.composite
def _diagonals(draw: Any, dtype: Dtype, values: Any = None) -> Case:
    x = draw(arrays(dtype, draw(shapes(2)), values and values(dtype)))
    return Case((x,), (), {"offset": draw(st.integers(-3, 3))})


row("linalg.diagonal", ALL, _diagonals)
row("linalg.trace", ALL, lambda dtype: _diagonals(dtype, moderate))


@st.composite
def _norms(draw: Any, dtype: Dtype) -> Case:
    order = draw(st.sampled_from([2, 1, 0, np.inf, -np.inf, 3, 0.5, -1, -2, 2.5]))
    shape = draw(shapes(zero=order != -np.inf))
    options = {"axis": draw(axes(len(shape))), "keepdims": draw(st.booleans()), "ord": order}
    return Case((draw(arrays(dtype, shape, _values(dtype))),), (), options)


row("linalg.vector_norm", NUMBERS, _norms)


@st.composite
def _matrix_norms(draw: Any, dtype: Dtype) -> Case:
    x = draw(_matrices(dtype))
    orders: list[Any] = ["fro", "nuc", 1, 2, np.inf]
    orders += [] if 0 in x.shape[-2:] else [-1, -2, -np.inf]
    options = {"keepdims": draw(st.booleans()), "ord": draw(st.sampled_from(orders))}
    return Case((x,), (), options)


row("linalg.matrix_norm", NUMBERS, _matrix_norms)
