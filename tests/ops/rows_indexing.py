"""The rows of elements by their places."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np

import unibackend as ub
from unibackend.testing.bounds.answer import Dtype, kind
from unibackend.testing.bounds.indexing import UPDATES
from unibackend.testing.bounds.manipulation import copied

from .operands import ALL, NUMBERS, SIGNED, array, arrays, compatible, dtypes, elements
from .row import Case, row


@st.composite
def _taken(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 1, 6))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    size = x.shape[axis]
    shape = draw(st.sampled_from([(), (3,), (0,), (2, 2)])) if size else (0,)
    places = arrays(draw(dtypes(SIGNED)), shape, st.integers(-size, max(size - 1, -size)))
    axis = None if x.ndim == 1 and draw(st.booleans()) else axis
    return Case((x, draw(places)), options={"axis": axis})


row("take", ALL, _taken)


@st.composite
def _taken_along(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 1, 6))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    size = x.shape[axis]
    shape = list(x.shape)
    shape[axis] = draw(st.integers(0, 3)) if size else 0
    places = arrays(draw(dtypes(SIGNED)), tuple(shape), st.integers(-size, max(size - 1, -size)))
    return Case((x, draw(places)), options={"axis": axis})


row("take_along_axis", ALL, _taken_along)


@st.composite
def _keys(draw: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Draw what the standard lets stand between brackets, for an array of this shape."""
    key: list[Any] = []
    for axis, size in enumerate(shape):
        if draw(st.integers(0, 7)) == 0:
            key.append(None)
        if draw(st.integers(0, 9)) == 0:
            key.append(Ellipsis)
            rest = draw(st.integers(axis, len(shape)))
            return (*key, *(draw(_part(one)) for one in shape[rest:]))
        key.append(draw(_part(size)))
    return tuple(key[: draw(st.integers(0, len(key)))] if draw(st.booleans()) else key)


@st.composite
def _part(draw: Any, size: int) -> Any:
    """Draw an integer, a slice with limits and steps of any size, a mask, or integers."""
    choice = draw(st.integers(0, 9))
    if choice < 3 and size:
        return draw(st.integers(-size, size - 1))
    if choice == 3:
        return np.asarray(draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool)
    if choice < 6 and size:
        return np.asarray(draw(st.lists(st.integers(-size, size - 1), min_size=2, max_size=2)))
    end = st.none() | st.integers(-size - 2, size + 2) | st.sampled_from([2**40, -(2**40)])
    step = st.none() | st.sampled_from([1, 2, -1, -2, 7, -7, 2**35, -(2**35)])
    return slice(draw(end), draw(end), draw(step))


def _fits(x: Any, key: tuple[Any, ...]) -> bool:
    try:
        x[key]
    except IndexError:  # masks and integers that do not broadcast
        return False
    return True


@st.composite
def _gotten(draw: Any, dtype: Dtype) -> Case:
    shape = draw(st.sampled_from([(3, 4), (5,), (2, 1, 3), (2, 0, 3), (2, *(1,) * 9, 3), ()]))
    x = draw(arrays(dtype, shape))
    key = draw(_keys(shape).filter(lambda key: _fits(x, key)))
    return Case((x,), options={"key": key})


def _get(function: Any, operands: list[Any], case: Case) -> Any:
    return ub.at(operands[0])[case.options["key"]].get()


row("_get", ALL, _gotten, call=_get)


@st.composite
def _updates(draw: Any, dtype: Dtype) -> Case:
    shape = draw(st.sampled_from([(5,), (3, 4), (2, 0, 3)]))
    whole = st.integers(0, 3)  # sums and products of these are exact in every dtype
    x = draw(arrays(dtype, shape, whole))
    size = shape[0]
    key = draw(
        st.sampled_from(
            [
                (slice(None, None, 2),),
                (Ellipsis, slice(1)),
                (slice(0), None),
                (1,),
                (np.asarray([0, 1, 0]),),
                (np.asarray([-1, -1]),),
                (np.arange(size) % 2 == 0,),
            ]
        )
    )
    values = draw(whole if draw(st.booleans()) else arrays(dtype, (), whole))
    modes = ["set", "add", "subtract", "multiply"] if kind(dtype) == "c" else list(UPDATES)
    mode = draw(st.sampled_from(modes))
    return Case((x, values), options={"key": key, "mode": mode})


def _update(function: Any, operands: list[Any], case: Case) -> Any:
    x, values = operands
    place = ub.at(x)[case.options["key"]]
    return getattr(place, case.options["mode"])(values)


row("_at", NUMBERS, _updates, call=_update)


@st.composite
def _windows(draw: Any, dtype: Dtype) -> tuple[Any, Any, tuple[int, ...]]:
    """Draw an array, where a part of it begins (or would, outside of it), and its shape."""
    x = draw(arrays(dtype, draw(st.sampled_from([(5,), (3, 4), (2, *(1,) * 10, 3), (2, 0), ()]))))
    starts = [draw(st.integers(-size - 2, size + 2)) for size in x.shape]
    sizes = tuple(draw(st.integers(min(size, 1), size)) for size in x.shape)
    if draw(st.integers(0, 7)) == 0:
        sizes = (0,) * x.ndim
    return x, np.asarray(starts, draw(st.sampled_from(["int8", "int32"]))), sizes


@st.composite
def _sliced(draw: Any, dtype: Dtype) -> Case:
    x, starts, sizes = draw(_windows(dtype))
    return Case((x, starts), (sizes,))


row("dynamic_slice", ALL, _sliced)


@st.composite
def _written(draw: Any, dtype: Dtype) -> Case:
    x, starts, sizes = draw(_windows(dtype))
    return Case((x, draw(arrays(dtype, sizes)), starts))


row("dynamic_update_slice", ALL, _written)


@st.composite
def _chosen(draw: Any, dtype: Dtype) -> Case:
    first, second, third = draw(compatible(3))
    x1 = draw(arrays(dtype, second))
    x2 = draw(arrays(dtype, third) if draw(st.integers(0, 3)) else elements(dtype))
    return Case((draw(arrays(np.dtype(bool), first)), x1, x2))


row(
    "where",
    ALL,
    _chosen,
    lambda condition, x1, x2: copied(np.where(condition, x1, np.asarray(x2, x1.dtype)), x1.dtype),
)
