"""Strategies for operands: every dtype, ranks to 12, zero-size axes, special values, limits."""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np

import unibackend as ub
from unibackend.testing.bounds.answer import BFLOAT16, Dtype, NumpyArray, info, kind

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = ("float16", "float32", "float64", "bfloat16")
COMPLEX = ("complex64", "complex128")
REAL = (*INTEGERS, *FLOATS)
NUMBERS = (*REAL, *COMPLEX)
ALL = ("bool", *NUMBERS)
WIDE_NAMES = ("int64", "uint64", "float64", "complex128")

# Shapes that come again and again, since each new one compiles anew on JAX.
SHAPES: tuple[tuple[int, ...], ...] = (
    (16,),
    (),
    (2, 3),
    (0,),
    (3, 0, 2),
    (2, 1, 3),
    (2, *(1,) * 10, 3),
)


@st.composite
def shapes(draw: Any, least: int = 0, most: int = 12, zero: bool = True) -> tuple[int, ...]:
    """Draw a shape: three axes at most are longer than 1, so that it has few elements."""
    usual = [s for s in SHAPES if least <= len(s) <= most and (zero or 0 not in s)]
    if usual and draw(st.integers(0, 3)):
        return draw(st.sampled_from(usual))  # type: ignore[no-any-return]
    ndim = draw(st.integers(least, most))
    sizes = [1] * ndim
    for _ in range(draw(st.integers(0, 3)) if ndim else 0):
        sizes[draw(st.integers(0, ndim - 1))] = draw(st.integers(0 if zero else 1, 3))
    return tuple(sizes)


@st.composite
def compatible(draw: Any, count: int) -> list[tuple[int, ...]]:
    """Draw shapes that broadcast."""
    shape = draw(shapes())
    result = []
    for _ in range(count):
        if draw(st.integers(0, 2)):
            result.append(shape)
            continue
        cut = shape[draw(st.integers(0, len(shape))) :]
        ones = draw(st.lists(st.booleans(), min_size=len(cut), max_size=len(cut)))
        result.append(tuple(1 if one else size for one, size in zip(ones, cut, strict=True)))
    return result


@st.composite
def dtypes(draw: Any, names: tuple[str, ...]) -> Dtype:
    """Draw one of some dtypes that exist in the width in force."""
    return named(draw(st.sampled_from(existing(names))))


def existing(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of dtypes that exist in the width in force."""
    return names if ub.settings().x64 else tuple(x for x in names if x not in WIDE_NAMES)


def named(name: str) -> Dtype:
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


# Numbers from -8 to 8 with digits in every place (a multiplicative hash spreads them): those that
# Hypothesis likes are whole or have few digits, and a product of float16 went unnoticed.
DENSE = st.integers(0, 2**30).map(lambda n: (n + 1) * 0x9E3779B97F4A7C15 % 2**64 / 2**60 - 8)


def _special(dtype: Dtype) -> list[float]:
    limits = info(dtype)
    finite = [0.0, 1.0, 0.5, 2.5, float(limits.max), float(limits.smallest_normal)]
    finite += [float(limits.smallest_subnormal), float(limits.eps), 3.14159274]
    return [*finite, *(-x for x in finite), np.inf, -np.inf, np.nan]


# On both sides of the branch cuts of elementary functions, where the sign of a zero chooses.
BESIDE_CUTS = [
    *(complex(across, up) for across in (-2.5, 0.25, 2.5) for up in (0.0, -0.0)),
    *(complex(across, up) for across in (0.0, -0.0) for up in (-2.5, 0.25, 2.5)),
]


def elements(dtype: Dtype) -> st.SearchStrategy[Any]:
    """Return a strategy for numbers of a dtype anywhere in its range, special ones often."""
    if kind(dtype) == "b":
        return st.booleans()
    if kind(dtype) in "iu":
        limits = np.iinfo(dtype)
        low, high = int(limits.min), int(limits.max)
        edges = [x for x in (low, low + 1, -1, 0, 1, 2, 7, high - 1, high) if x >= low]
        return st.sampled_from(edges) | st.integers(max(low, -100), 100) | st.integers(low, high)
    if kind(dtype) == "c":
        # C99 leaves much open where a part is infinite or NaN, so that parts are moderate
        part = moderate(np.empty(0, dtype).real.dtype)
        return st.builds(complex, part, part) | st.sampled_from(BESIDE_CUTS)
    width = {"float16": 16, "float32": 32, "float64": 64, "bfloat16": 32}[dtype.name]
    return st.sampled_from(_special(dtype)) | DENSE | st.floats(width=width)


def moderate(dtype: Dtype, *, nan: bool = False) -> st.SearchStrategy[Any]:
    """Return a strategy for numbers whose sums and products stay in range, some infinite."""
    if kind(dtype) == "b":
        return st.booleans()
    if kind(dtype) in "iu":
        return elements(dtype)
    if kind(dtype) == "c":
        part = moderate(np.empty(0, dtype).real.dtype)
        return st.builds(complex, part, part)
    rare = [0.0, -0.0, 1.0, -1.0, *([np.inf, -np.inf, np.nan] if nan else [])]
    return DENSE | DENSE | st.sampled_from(rare)


@st.composite
def arrays(
    draw: Any,
    dtype: Dtype,
    shape: tuple[int, ...],
    values: st.SearchStrategy[Any] | None = None,
) -> NumpyArray:
    """Draw an array; bfloat16 ones are rounded from float32, which Hypothesis knows."""
    carrier = np.dtype("float32") if dtype == BFLOAT16 else dtype
    chosen = elements(dtype) if values is None else values
    # each element on its own: Hypothesis would fill most of the array with one value
    found = draw(hnp.arrays(np.dtype(object), shape, elements=chosen, fill=st.nothing()))
    with np.errstate(all="ignore"):
        return found.astype(carrier).astype(dtype)  # type: ignore[no-any-return]


@st.composite
def array(draw: Any, dtype: Dtype, least: int = 0, most: int = 12) -> NumpyArray:
    """Draw an array of so many axes."""
    return draw(arrays(dtype, draw(shapes(least, most))))  # type: ignore[no-any-return]


@st.composite
def axes(draw: Any, ndim: int, *, none: bool = True) -> Any:
    """Draw the axes of a reduction: None, one (counted from either end), or several."""
    choices = [None] if none else []
    choices += ["one", "several"] if ndim else ["several"]
    choice = draw(st.sampled_from(choices))
    if choice is None:
        return None
    if choice == "one":
        return draw(st.integers(-ndim, ndim - 1))
    picked = draw(st.lists(st.integers(0, ndim - 1), unique=True, max_size=3)) if ndim else []
    return tuple(axis - ndim if draw(st.booleans()) else axis for axis in picked)
