"""The rows of making, converting, indexing and rearranging arrays: nothing is rounded."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np

import unibackend as ub
from unibackend.testing.bounds.answer import (
    BITS16,
    Answer,
    Dtype,
    common,
    default,
    eps,
    kind,
    rounded,
    ulp,
    wide,
)

from .operands import (
    ALL,
    COMPLEX,
    FLOATS,
    NUMBERS,
    SIGNED,
    arrays,
    axes,
    compatible,
    dtypes,
    elements,
    named,
    shapes,
)
from .row import Case, as_sequence, row


def copied(value: Any, dtype: Dtype) -> Answer:
    """Return the answer of elements that are what they were, signs of zeros and NaN included."""
    return Answer(np.asarray(value) if kind(dtype) == "b" else wide(value), dtype, None)


# ---- manipulation ------------------------------------------------------------------------------


def moves(name: str, cases: Callable[[Dtype], Any], function: Callable[..., Any]) -> None:
    """An operation that moves elements; `function` is NumPy's."""

    def answer(x: Any, *static: Any, **options: Any) -> Any:
        result = function(x, *static, **options)
        if isinstance(result, tuple):
            return [copied(one, x.dtype) for one in result]
        return copied(result, x.dtype)

    row(name, ALL, cases, answer)


@st.composite
def array(draw: Any, dtype: Dtype, least: int = 0, most: int = 12) -> Any:
    return draw(arrays(dtype, draw(shapes(least, most))))


@st.composite
def _targets(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 0, 9))
    front = draw(st.lists(st.integers(0, 2), max_size=3))
    rest = [draw(st.integers(0, 2)) if size == 1 and len(x.shape) < 4 else size for size in x.shape]
    return Case((x,), (tuple(front + rest),))


moves("broadcast_to", _targets, np.broadcast_to)


@st.composite
def _one_axis(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 1))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    return Case((x,), options={"axis": axis})


moves("unstack", _one_axis, lambda x, axis: tuple(np.moveaxis(x, axis, 0)))


@st.composite
def _new_axes(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 0, 9))
    if draw(st.booleans()):
        return Case((x,), (draw(st.integers(-x.ndim - 1, x.ndim)),))
    count = draw(st.integers(0, 3))
    places = st.integers(0, x.ndim + count - 1)
    chosen = draw(st.lists(places, min_size=count, max_size=count, unique=True)) if count else []
    return Case((x,), (tuple(chosen),))


moves("expand_dims", _new_axes, np.expand_dims)


@st.composite
def _any_axes(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    return Case((x,), options={"axis": draw(axes(x.ndim))})


moves("flip", _any_axes, np.flip)


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


moves("moveaxis", _moved, np.moveaxis)


@st.composite
def _permuted(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    return Case((x,), (tuple(draw(st.permutations(range(x.ndim)))),))


moves("permute_dims", _permuted, np.transpose)


@st.composite
def _at_least_two(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(array(dtype, 2)),))


moves("matrix_transpose", _at_least_two, lambda x: np.swapaxes(x, -1, -2))


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
    return Case((x,), (tuple(shape),), {"copy": draw(st.sampled_from([None, True]))})


moves("reshape", _reshaped, lambda x, shape, copy: np.reshape(x, shape))


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


moves("roll", _rolled, np.roll)


@st.composite
def _squeezed(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    short = [axis for axis, size in enumerate(x.shape) if size == 1]
    picked = draw(st.lists(st.sampled_from(short), unique=True)) if short else []
    if len(picked) == 1:
        return Case((x,), (picked[0] - x.ndim,))
    return Case((x,), (tuple(picked),))


moves("squeeze", _squeezed, np.squeeze)


@st.composite
def _tiled(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 0, 6))
    return Case((x,), (tuple(draw(st.lists(st.integers(0, 2), max_size=4))),))


moves("tile", _tiled, np.tile)


@st.composite
def _repeated(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    axis = draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim else None
    size = x.size if axis is None else x.shape[axis]
    if draw(st.booleans()):
        return Case((x,), (draw(st.integers(0, 3)),), {"axis": axis})
    counts = st.lists(st.integers(0, 2), min_size=size, max_size=size)
    return Case((x,), (np.asarray(draw(counts), "int64"),), {"axis": axis})


def _repeat(x: Any, repeats: Any, axis: Any) -> Any:
    return copied(np.repeat(x, repeats, axis), x.dtype)


row("repeat", ALL, _repeated, _repeat)


@st.composite
def _diagonals(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(array(dtype, 2)),), options={"k": draw(st.integers(-4, 4))})


moves("tril", _diagonals, np.tril)
moves("triu", _diagonals, np.triu)


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


@st.composite
def _layers(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes(0, 11))
    parts = [draw(arrays(dtype, shape)) for _ in range(draw(st.integers(1, 3)))]
    return Case(tuple(parts), options={"axis": draw(st.integers(-len(shape) - 1, len(shape)))})


def _joined(join: Callable[..., Any]) -> Callable[..., Answer]:
    def answer(*parts: Any, axis: Any) -> Answer:
        dtype = parts[0].dtype
        for part in parts[1:]:
            dtype = common(dtype, part.dtype)
        converted = [convert(part, dtype) for part in parts]
        return Answer(join(converted, axis=axis), dtype, ulp_of(join(converted, axis=axis), dtype))

    return answer


def convert(x: Any, dtype: Dtype) -> Any:
    """Return an operand in a common dtype, then in wide arithmetic."""
    with np.errstate(all="ignore"):
        return wide(x.astype(dtype))


def ulp_of(value: Any, dtype: Dtype) -> Any:
    """Return the bound where operands were converted: a 16 bit one may be rounded twice."""
    return 2.0**-8 * ulp(value, dtype) if kind(dtype) in "fc" else 0


row("concat", ALL, _parts, _joined(np.concatenate), call=as_sequence)
row("stack", ALL, _layers, _joined(np.stack), call=as_sequence)


@st.composite
def _together(draw: Any, dtype: Dtype) -> Case:
    count = draw(st.integers(1, 3))
    first, *rest = draw(compatible(count))
    others = [draw(arrays(draw(dtypes(ALL)), one)) for one in rest]
    return Case((draw(arrays(dtype, first)), *others))


def _spread(*parts: Any) -> list[Answer]:
    return [
        copied(one, part.dtype)
        for one, part in zip(np.broadcast_arrays(*parts), parts, strict=True)
    ]


row("broadcast_arrays", ALL, _together, _spread)


# ---- indexing and choosing ---------------------------------------------------------------------


@st.composite
def _taken(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 1, 6))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    size = x.shape[axis]
    shape = draw(st.sampled_from([(), (3,), (0,), (2, 2)])) if size else (0,)
    places = arrays(draw(dtypes(SIGNED)), shape, st.integers(-size, max(size - 1, -size)))
    axis = None if x.ndim == 1 and draw(st.booleans()) else axis
    return Case((x, draw(places)), options={"axis": axis})


row(
    "take",
    ALL,
    _taken,
    lambda x, i, axis: copied(np.take(x, i.astype(int), 0 if axis is None else axis), x.dtype),
)


@st.composite
def _taken_along(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype, 1, 6))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    size = x.shape[axis]
    shape = list(x.shape)
    shape[axis] = draw(st.integers(0, 3)) if size else 0
    places = arrays(draw(dtypes(SIGNED)), tuple(shape), st.integers(-size, max(size - 1, -size)))
    return Case((x, draw(places)), options={"axis": axis})


row(
    "take_along_axis",
    ALL,
    _taken_along,
    lambda x, i, axis: copied(np.take_along_axis(x, i.astype(int), axis), x.dtype),
)


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
    modes = ["set", "add", "multiply"] if kind(dtype) == "c" else list(_MODES)
    mode = draw(st.sampled_from(modes))
    return Case((x, values), options={"key": key, "mode": mode})


_MODES = {
    "set": None,
    "add": np.add,
    "multiply": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


def _updated(x: Any, values: Any, key: Any, mode: str) -> Answer:
    result = wide(x)
    value = wide(np.asarray(values, x.dtype))
    if mode == "set":
        result[key] = value
    else:
        _MODES[mode].at(result, key, value)  # type: ignore[union-attr]
    return Answer(result, x.dtype)


def _update(function: Any, operands: list[Any], case: Case) -> Any:
    x, values = operands
    place = ub.at(x)[case.options["key"]]
    return getattr(place, case.options["mode"])(values)


row("_at", NUMBERS, _updates, _updated, call=_update)


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


# ---- making and converting ---------------------------------------------------------------------


@st.composite
def _converted(draw: Any, dtype: Dtype) -> Case:
    """Draw a conversion that keeps its meaning: floats to integers only where they fit."""
    source, target = dtype, draw(dtypes(ALL))
    if kind(source) == "c" and kind(target) not in "cb":
        target = source
    values = None
    if kind(source) in "f" and kind(target) in "iu":
        values = st.floats(0 if kind(target) == "u" else -100, 100, width=16)
    x = draw(arrays(source, draw(shapes()), values))
    return Case((x,), (target.name,), {"copy": draw(st.booleans())})


def _astype(x: Any, target: str, copy: bool = True) -> Answer:
    dtype = named(target)
    if x.dtype == dtype:
        return copied(x, dtype)
    a = wide(x)
    if kind(dtype) == "b":
        return Answer(a != 0, dtype)
    if kind(dtype) in "iu":
        return Answer(
            np.trunc(a).astype(object) if kind(x.dtype) == "f" else a.astype(object), dtype
        )
    value = a.astype(np.clongdouble if kind(dtype) == "c" else np.longdouble)
    # float64 to a 16 bit float may go by way of float32, and is rounded twice then
    answer = rounded(value, dtype)
    return Answer(value, dtype, answer.bound * (1 + 2.0**-7)) if dtype in BITS16 else answer


row("astype", ALL, _converted, _astype)


def _typed(draw: Any, dtype: Dtype) -> dict[str, Any]:
    """Return the keyword `dtype`, which may be absent."""
    return {"dtype": dtype.name} if draw(st.booleans()) else {}


@st.composite
def _made(draw: Any, dtype: Dtype) -> Case:
    shape = draw(shapes())
    shape = shape[0] if len(shape) == 1 and draw(st.booleans()) else shape
    return Case((), (shape,), _typed(draw, dtype))


def made(name: str, value: float, bound: Any = None) -> None:
    def answer(shape: Any, dtype: Any = None) -> Answer:
        result = default("f") if dtype is None else named(dtype)
        return Answer(wide(np.full(shape, value, result)), result, bound)

    def answer_like(x: Any, dtype: Any = None) -> Answer:
        result = x.dtype if dtype is None else named(dtype)
        return Answer(wide(np.full(x.shape, value, result)), result, bound)

    row(name, ALL, _made, answer)
    row(f"{name}_like", ALL, _made_like, answer_like)


@st.composite
def _made_like(draw: Any, dtype: Dtype) -> Case:
    return Case((draw(array(draw(dtypes(ALL)))),), options=_typed(draw, dtype))


made("zeros", 0.0)
made("ones", 1.0)
made("empty", 0.0, np.inf)


@st.composite
def _full(draw: Any, dtype: Dtype) -> Case:
    return Case((), (draw(shapes()), draw(elements(dtype))), {"dtype": dtype.name})


def _filled(shape: Any, value: Any, dtype: str) -> Answer:
    with np.errstate(all="ignore"):
        return copied(np.full(shape, value, named(dtype)), named(dtype))


@st.composite
def _full_like(draw: Any, dtype: Dtype) -> Case:
    x = draw(array(dtype))
    return Case((x,), (draw(elements(x.dtype)),))


row("full", ALL, _full, _filled)
row("full_like", ALL, _full_like, lambda x, value: _filled(x.shape, value, x.dtype.name))


@st.composite
def _eyes(draw: Any, dtype: Dtype) -> Case:
    rows, columns = draw(st.integers(0, 4)), draw(st.none() | st.integers(0, 4))
    options = {"k": draw(st.integers(-5, 5)), **_typed(draw, dtype)}
    return Case((), (rows, columns), options)


def _eye(rows: int, columns: Any, k: int, dtype: Any = None) -> Answer:
    result = default("f") if dtype is None else named(dtype)
    return copied(np.eye(rows, columns, k).astype(result), result)


row("eye", NUMBERS, _eyes, _eye)


@st.composite
def _ranges(draw: Any, dtype: Dtype) -> Case:
    options = _typed(draw, dtype)
    whole = kind(dtype) == "i" or draw(st.booleans())
    numbers = st.integers(-20, 20) if whole else st.floats(-20, 20, width=16)
    step = draw(numbers.filter(lambda x: abs(x) > 0.1))
    return Case((), (draw(numbers), draw(numbers), step), options)


def _range(start: Any, stop: Any, step: Any, dtype: Any = None) -> Answer:
    whole = all(isinstance(x, int) for x in (start, stop, step))
    result = named(dtype) if dtype is not None else default("i" if whole else "f")
    count = max(0, math.ceil((stop - start) / step))
    if kind(result) == "i":
        return Answer(np.asarray([start + i * step for i in range(count)], object), result)
    numbers = np.arange(count, dtype=np.longdouble)
    value = np.longdouble(start) + numbers * np.longdouble(step)
    # `start + step - start` is rounded in float64, and each step adds that error; then once more
    drift = numbers * eps(np.dtype("float64")) * (abs(start) + abs(step))
    return Answer(value, result, drift + rounded(value, result).bound)


row("arange", (*SIGNED, *FLOATS), _ranges, _range)


@st.composite
def _spaces(draw: Any, dtype: Dtype) -> Case:
    options = _typed(draw, dtype)
    ends = elements(dtype) if kind(dtype) == "c" and options else st.floats(-100, 100, width=16)
    options["endpoint"] = draw(st.booleans())
    return Case((), (draw(ends), draw(ends), draw(st.integers(0, 6))), options)


def _space(start: Any, stop: Any, num: int, endpoint: bool, dtype: Any = None) -> Answer:
    result = default("f") if dtype is None else named(dtype)
    carrier = np.clongdouble if kind(result) == "c" else np.longdouble
    steps = num - 1 if endpoint else num
    numbers = np.arange(num, dtype=np.longdouble)
    first, last = carrier(start), carrier(stop)
    value = np.asarray(first + (last - first) * (numbers / max(steps, 1)), carrier)
    error = 4 * eps(np.dtype("float64")) * (abs(start) + abs(stop))
    return Answer(value, result, error + rounded(value, result).bound)


row("linspace", (*FLOATS, *COMPLEX), _spaces, _space)
