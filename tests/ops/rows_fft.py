"""The rows of Fourier transforms."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np

from unibackend.testing.bounds.answer import Dtype, info, kind

from .operands import ALL, FLOATS, INTEGERS, arrays, axes, moderate, shapes
from .row import Case, row

REAL = ("bool", *INTEGERS, *FLOATS)
LENGTHS = st.sampled_from([1, 2, 3, 4, 5, 7, 8, 12, 16, 17])

# Shapes that are transformed: of every rank, without elements, of odd, even and prime lengths.
SHAPES: tuple[tuple[int, ...], ...] = (
    *((16,), (7,), (1,), (2, 3), (3, 4, 2), (0, 5), (2, 0), (1, 17), (13, 2), (30,)),
    (2, *(1,) * 10, 3),
)
NORMS = st.sampled_from(["backward", "ortho", "forward"])


def _values(dtype: Dtype) -> st.SearchStrategy[Any]:
    """Return a strategy for numbers of all sizes, few of them infinite or NaN."""
    if kind(dtype) != "f":
        return moderate(dtype)
    limits = info(dtype)
    sizes = [float(limits.max) / 64, float(limits.smallest_normal), 1e-3, 1e3]
    return moderate(dtype, nan=True) | moderate(dtype) | st.sampled_from(sizes)


@st.composite
def _along_one(draw: Any, dtype: Dtype, from_half: bool) -> Case:
    shape = draw(st.sampled_from(SHAPES))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    options = {"axis": axis, "norm": draw(NORMS)}
    if shape[axis] < (2 if from_half else 1) or draw(st.booleans()):
        options["n"] = draw(LENGTHS)
    return Case((draw(arrays(dtype, shape, _values(dtype))),), options=options)


@st.composite
def _along_several(draw: Any, dtype: Dtype, least: int, from_half: bool) -> Case:
    shape = draw(st.sampled_from(SHAPES) | st.just(()) if least == 0 else st.sampled_from(SHAPES))
    x = draw(arrays(dtype, shape, _values(dtype)))
    chosen = draw(st.permutations(range(x.ndim)))[: draw(st.integers(least, 3))]
    options: dict[str, Any] = {"axes": tuple(axis - x.ndim * (axis % 2) for axis in chosen)}
    lengths = [draw(st.just(-1) | st.integers(1, 5)) for _ in chosen]
    own = [shape[axis] for axis in chosen]
    short = [
        n < (2 if from_half and axis == chosen[-1] else 1)
        for n, axis in zip(own, chosen, strict=True)
    ]
    lengths = [3 if n == -1 and few else n for n, few in zip(lengths, short, strict=True)]
    if any(short) or draw(st.booleans()):
        options["s"] = tuple(lengths)
    elif len(chosen) == x.ndim and draw(st.booleans()) and (not from_half or shape[-1] > 1):
        options["axes"] = None
    return Case((x,), options={**options, "norm": draw(NORMS)})


def _one(name: str, names: tuple[str, ...], *, from_half: bool = False) -> None:
    row(f"fft.{name}", names, lambda dtype: _along_one(dtype, from_half))


def _several(name: str, names: tuple[str, ...], least: int, *, from_half: bool = False) -> None:
    row(f"fft.{name}", names, lambda dtype: _along_several(dtype, least, from_half))


_one("fft", ALL)
_one("ifft", ALL)
_one("rfft", REAL)
_one("irfft", ALL, from_half=True)
_one("hfft", ALL, from_half=True)
_one("ihfft", REAL)
_several("fftn", ALL, 0)
_several("ifftn", ALL, 0)
_several("rfftn", REAL, 1)
_several("irfftn", ALL, 1, from_half=True)


@st.composite
def _shifted(draw: Any, dtype: Dtype) -> Case:
    x = draw(arrays(dtype, draw(shapes())))
    return Case((x,), options={"axes": draw(axes(x.ndim))})


row("fft.fftshift", ALL, _shifted)
row("fft.ifftshift", ALL, _shifted)


@st.composite
def _frequencies(draw: Any, dtype: Dtype) -> Case:
    n = draw(st.integers(1, 40))
    options: dict[str, Any] = {"d": draw(st.floats(0.01, 100) | st.floats(-5, -0.5) | st.just(2))}
    if dtype != np.dtype("float64") or draw(st.booleans()):
        options["dtype"] = dtype
    return Case((), (n,), options)


row("fft.fftfreq", FLOATS, _frequencies)
row("fft.rfftfreq", FLOATS, _frequencies)
