"""The rows of what moves elements and computes nothing."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np

from unibackend.testing.bounds.answer import Dtype

from .operands import ALL, array, arrays, axes, compatible, dtypes, elements, shapes
from .row import Case, as_sequence, row


@st.composite
def _targets(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 0, 9))
    front = draw(st.lists(st.integers(0, 2), max_size=3))
    rest = [draw(st.integers(0, 2)) if size == 1 and len(x.shape) < 4 else size for size in x.shape]
    return Case((x,), (tuple(front + rest),))


row("broadcast_to", ALL, _targets)


@st.composite
def _one_axis(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 1))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    return Case((x,), options={"axis": axis})


row("unstack", ALL, _one_axis)


@st.composite
def _new_axes(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 0, 9))
    if draw(st.booleans()):
        return Case((x,), (draw(st.integers(-x.ndim - 1, x.ndim)),))
    count = draw(st.integers(0, 3))
    places = st.integers(0, x.ndim + count - 1)
    chosen = draw(st.lists(places, min_size=count, max_size=count, unique=True)) if count else []
    return Case((x,), (tuple(chosen),))


row("expand_dims", ALL, _new_axes)


@st.composite
def _any_axes(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    return Case((x,), options={"axis": draw(axes(x.ndim))})


row("flip", ALL, _any_axes)


@st.composite
def _moved(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 1))
    if draw(st.booleans()):
        place = st.integers(-x.ndim, x.ndim - 1)
        return Case((x,), (draw(place), draw(place)))
    source = draw(st.permutations(range(x.ndim)))
    count = draw(st.integers(0, x.ndim))
    destination = draw(st.permutations(range(x.ndim)))
    return Case((x,), (tuple(source[:count]), tuple(destination[:count])))


row("moveaxis", ALL, _moved)


@st.composite
def _permuted(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    return Case((x,), (tuple(draw(st.permutations(range(x.ndim)))),))


row("permute_dims", ALL, _permuted)


@st.composite
def _at_least_two(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(array(dtype, 2)),))


row("matrix_transpose", ALL, _at_least_two)


@st.composite
def _reshaped(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    sizes = [size for size in x.shape if size != 1]
    shape = list(draw(st.permutations(sizes)))
    for _ in range(draw(st.integers(0, 3))):
        shape.insert(draw(st.integers(0, len(shape))), 1)
    if 0 not in shape and shape and draw(st.booleans()):
        shape[draw(st.integers(0, len(shape) - 1))] = -1
    if draw(st.integers(0, 3)) == 0 and x.size:
        shape = [-1]
    options = {"copy": draw(st.sampled_from([None, True])), "order": draw(st.sampled_from("CF"))}
    return Case((x,), (tuple(shape),), options)


row("reshape", ALL, _reshaped)


@st.composite
def _rolled(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    shift = st.integers(-5, 5)
    if x.ndim == 0 or draw(st.booleans()):
        return Case((x,), (draw(shift),), {"axis": None})
    chosen = draw(axes(x.ndim, none=False))
    if isinstance(chosen, tuple):
        return Case((x,), (tuple(draw(shift) for _ in chosen),), {"axis": chosen})
    return Case((x,), (draw(shift),), {"axis": chosen})


row("roll", ALL, _rolled)


@st.composite
def _squeezed(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    short = [axis for axis, size in enumerate(x.shape) if size == 1]
    picked = draw(st.lists(st.sampled_from(short), unique=True)) if short else []
    if len(picked) == 1:
        return Case((x,), (picked[0] - x.ndim,))
    return Case((x,), (tuple(picked),))


row("squeeze", ALL, _squeezed)


@st.composite
def _tiled(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 0, 6))
    return Case((x,), (tuple(draw(st.lists(st.integers(0, 2), max_size=4))),))


row("tile", ALL, _tiled)


@st.composite
def _repeated(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    axis = draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim else None
    size = x.size if axis is None else x.shape[axis]
    if draw(st.booleans()):
        return Case((x,), (draw(st.integers(0, 3)),), {"axis": axis})
    counts = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    return Case((x,), (np.asarray(draw(counts), "int64"),), {"axis": axis})


row("repeat", ALL, _repeated)


@st.composite
def _parts(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(1, 9))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        sizes = list(shape)
        sizes[axis] = draw(st.integers(0, 2))
        other = dtype if draw(st.integers(0, 3)) else draw(dtypes(ALL))
        parts.append(draw(arrays(other, tuple(sizes))))
    return Case(tuple(parts), options={"axis": draw(st.sampled_from([None, axis]))})


row("concat", ALL, _parts, call=as_sequence)


@st.composite
def _layers(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(0, 11))
    parts = [draw(arrays(dtype, shape)) for _ in range(draw(st.integers(1, 3)))]
    return Case(tuple(parts), options={"axis": draw(st.integers(-len(shape) - 1, len(shape)))})


row("stack", ALL, _layers, call=as_sequence)


@st.composite
def _together(draw: Any, dtype: Dtype) -> Case:
    count = draw(st.integers(1, 3))
    first, *rest = draw(compatible(count))
    others = [draw(arrays(draw(dtypes(ALL)), one)) for one in rest]
    return Case((draw(arrays(dtype, first)), *others))


row("broadcast_arrays", ALL, _together)


@st.composite
def _padded(draw: Any, dtype: Dtype) -> Case:
    mode = draw(st.sampled_from(["constant", "edge", "reflect", "symmetric", "wrap"]))
    x = draw(array(dtype))
    width = st.integers(0, 7)  # longer than the axes, which are repeated then
    pairs = [
        (draw(width), draw(width))
        if (mode == "constant" or size) and (x.ndim < 4 or size > 1)
        else (0, 0)
        for size in x.shape
    ]
    widths = draw(st.sampled_from([tuple(pairs), 1])) if x.ndim < 4 and x.size else tuple(pairs)
    options = {"mode": mode}
    if mode == "constant" and draw(st.booleans()):
        options["constant_values"] = draw(elements(dtype))
    return Case((x,), (widths,), options)


row("pad", ALL, _padded)
