"""Elements by their indices, as NumPy's rules have it, in every mode of TensorFlow.

Plain integers and slices are one `StridedSlice`, axis by axis where it stops at seven. Arrays of
integers are one gather along one axis: several of them are brought to flat indices first.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _indices, _results, _shapes
from ...arrays import concrete_needed
from ...errors import DtypeError, ShapeError
from . import _kernels as k
from ._broadcast import apply, broadcast_shapes, broadcast_to
from ._derivatives import derived
from ._kernels import COMPLEX, FLOATS, HALVES, UNSIGNED, cast, raw
from ._keys import Indices, Key, Part, apply_shape, in_bounds, parse
from ._sizes import (
    around,
    dims_of,
    ints,
    product,
    reshape,
    ruled_shape,
    static_shape,
    values_of,
)
from .array import DIRECT, NUMPY_DTYPES, Array
from .manipulation import move
from .promotion import to_array, to_tensor, type_of

__all__ = ["_at", "_get", "dynamic_slice", "dynamic_update_slice", "take", "take_along_axis"]

_SLICE_AXES = 6  # `StridedSlice` stops at eight with the new ones; one is left for a loop
_INT32_MAX = 2**31 - 1


def getitem(x: Array, key: Any) -> Array:
    """Return `x[key]`.

    Raises:
        IndexError: out of bounds, too many indices, or something that is no index.
        TracingError: a boolean mask without values.
    """
    tensor = x._tensor
    dims = dims_of(tensor, "x[...]")
    return Array(_select(tensor, parse(key, dims)))


def _get(x: Any, /, *, key: tuple[Any, ...]) -> Array:
    return getitem(Array(to_array("at", x)), key)


def _select(tensor: Any, key: Key) -> Any:
    return _choose(apply_shape(tensor, key), key)


def _choose(tensor: Any, key: Key) -> Any:
    basic: list[Part] = [slice(None) if isinstance(p, Indices) else p for p in key.parts]
    sliced = _slice(tensor, basic)
    chosen = [p for p in key.parts if isinstance(p, Indices)]
    return _gather(sliced, key, chosen) if chosen else sliced


# Integers, slices and new axes.


def _slice(tensor: Any, parts: list[Part]) -> Any:
    if all(isinstance(part, slice) and part == slice(None) for part in parts):
        return tensor
    if len(parts) <= _SLICE_AXES:
        return _strided(tensor, parts)
    axis = 0
    shape: list[Any] = []
    for part in parts:
        if part is None:
            shape.append(1)
            continue
        if part != slice(None):
            rows, dims = around(tensor, axis)
            rows = _strided(rows, [slice(None), part], axis)
            dims[axis] = 1 if isinstance(part, int) else dims_of(rows)[1]
            tensor = reshape(rows, dims)
        if not isinstance(part, int):
            shape.append(dims_of(tensor)[axis])
        axis += 1
    return reshape(tensor, shape)


def _strided(tensor: Any, parts: list[Part], named: int | None = None) -> Any:
    """Return one `StridedSlice`; `named` is the axis named in an error, if it is another."""
    shape = tensor.shape
    begin, end, strides = [], [], []
    begin_mask = end_mask = new_mask = shrink_mask = 0
    axis = 0
    for bit, part in enumerate(parts):
        first, last, step = 0, 0, 1
        if part is None:
            new_mask |= 1 << bit
        elif isinstance(part, int):
            first = _checked(part, shape[axis], axis if named is None else named)
            last = first + 1
            shrink_mask |= 1 << bit
            axis += 1
        else:
            assert isinstance(part, slice)
            first, last, step, open_begin, open_end = _limits(part, shape[axis])
            begin_mask |= open_begin << bit
            end_mask |= open_end << bit
            axis += 1
        begin.append(first)
        end.append(last)
        strides.append(step)
    return raw.StridedSlice(
        input=tensor,
        begin=ints(begin),
        end=ints(end),
        strides=ints(strides),
        begin_mask=begin_mask,
        end_mask=end_mask,
        new_axis_mask=new_mask,
        shrink_axis_mask=shrink_mask,
    )


def _checked(index: int, size: int | None, axis: int) -> int:
    if size is None:
        return index
    _indices.in_bounds("x[...]", index, index, size, axis)
    return index % size


def _limits(part: slice, size: int | None) -> tuple[int, int, int, bool, bool]:
    """Return begin, end and step, and whether the first two do not count.

    With a negative step there is no number for an end before the first element.
    """
    if part.step == 0:
        raise IndexError(f"x[a:b:c]: a step of 0 in {part}")
    if size is not None:
        first, last, step = part.indices(size)
        if (last - first) * step <= 0:
            return 0, 0, 1, False, False
        step = max(-size, min(size, step))  # the op takes none beyond int32
        return first, last, step, False, last < 0
    ends = (part.start, part.stop, 1 if part.step is None else part.step)
    bounds = [0 if b is None else max(-_INT32_MAX, min(_INT32_MAX, b)) for b in ends]
    return *bounds, part.start is None, part.stop is None  # type: ignore[return-value]


# Arrays of integers.


def _gather(tensor: Any, key: Key, chosen: list[Indices]) -> Any:
    """Return a sliced tensor with its indexed axes chosen from."""
    axes, place = _axes_and_place(key.parts)
    dims = dims_of(tensor)
    sizes = [dims[axis] for axis in axes]
    named = [
        i for i, p in enumerate(q for q in key.parts if q is not None) if isinstance(p, Indices)
    ]
    indices = [in_bounds(*pair) for pair in zip(chosen, sizes, named, strict=True)]
    if not key.together:
        # NumPy's rule: arrays that stand apart have their axes at the front of the result
        rest = [i for i in range(len(dims)) if i not in axes]
        tensor = raw.Transpose(x=tensor, perm=ints((*axes, *rest)))
        dims = [dims[i] for i in (*axes, *rest)]
        place = 0
    before, after = dims[:place], dims[place + len(axes) :]
    flat, shape = _flat(indices, sizes)
    rows = reshape(tensor, [product(before), product(sizes), product(after)])
    return reshape(raw.GatherV2(params=rows, indices=flat, axis=1), [*before, *shape, *after])


def _axes_and_place(parts: list[Part]) -> tuple[list[int], int]:
    """Return the indexed axes of the sliced array, and the place of theirs in the result."""
    axes: list[int] = []
    axis = 0
    for part in parts:
        if isinstance(part, Indices):
            axes.append(axis)
        if not isinstance(part, int):
            axis += 1
    return axes, axes[0]


def _flat(indices: list[Any], sizes: list[Any]) -> tuple[Any, list[Any]]:
    """Return the indices of several axes as those of one, along one axis, and their shape."""
    if len(indices) == 1:
        shape = dims_of(indices[0])
        return reshape(indices[0], [product(shape)]), shape
    try:
        shape = broadcast_shapes("x[...]", *map(dims_of, indices))
    except ShapeError as error:
        raise IndexError(f"arrays of indices must broadcast: {error}") from None
    total = product(sizes)
    wide = not isinstance(total, int) or total > _INT32_MAX
    dtype = tf.int64 if wide or any(i.dtype is tf.int64 for i in indices) else tf.int32
    flat: Any = None
    for index, size in zip(indices, sizes, strict=True):
        one = cast(index, dtype)
        if flat is not None:
            scaled = flat * tf.cast(size, dtype)
            one = apply("x[...]", lambda a, b: raw.AddV2(x=a, y=b), scaled, one)
        flat = one
    return reshape(flat, [product(shape)]), shape


def _as_indices(function: str, indices: Any) -> Indices:
    tensor = to_array(function, indices)
    _results.indices(function, NUMPY_DTYPES[tensor.dtype])
    wide = cast(tensor, tf.int32 if tensor.dtype.size < 4 else tf.int64)
    return Indices(tensor if tensor.dtype in (tf.int32, tf.int64) else wide, values_of(tensor))


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Array:
    tensor = to_array("take", x)
    number = _shapes.line("take", ruled_shape(tensor, "take"), axis)
    rows, dims = around(tensor, number)
    places = in_bounds(_as_indices("take", indices), dims[number], number, "take")
    shape = dims_of(places)
    found = raw.GatherV2(params=rows, indices=reshape(places, [product(shape)]), axis=1)
    return Array(reshape(found, [*dims[:number], *shape, *dims[number + 1 :]]))


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Array:
    tensor = to_array("take_along_axis", x)
    chosen = _as_indices("take_along_axis", indices)
    shapes = ruled_shape(tensor, "take_along_axis"), ruled_shape(chosen.tensor)
    number, _, _ = _shapes.aligned("take_along_axis", *shapes, axis)
    rank = tensor.shape.rank
    places = in_bounds(chosen, dims_of(tensor)[number], number, "take_along_axis")
    tensor, places = move(tensor, number, rank - 1), move(places, number, rank - 1)
    dims, wanted = dims_of(tensor), dims_of(places)
    stack = broadcast_shapes("take_along_axis", dims[:-1], wanted[:-1]) if rank > 1 else []
    count = product(stack)
    rows = reshape(broadcast_to(tensor, [*stack, dims[-1]]), [count, dims[-1]])
    places = reshape(broadcast_to(places, [*stack, wanted[-1]]), [count, wanted[-1]])
    found = raw.GatherV2(params=rows, indices=places, axis=1, batch_dims=1)
    return Array(move(reshape(found, [*stack, wanted[-1]]), rank - 1, number))


# Parts whose place may be computed.


def dynamic_slice(x: Any, start_indices: Any, slice_sizes: tuple[int, ...], /) -> Array:
    tensor = to_array("dynamic_slice", x)
    return Array(_window("dynamic_slice", tensor, start_indices, slice_sizes))


def _window(function: str, tensor: Any, starts: Any, sizes: Any) -> Any:
    """Return a part that begins as near to the starts as it can.

    Where they have no values it is one gather for each axis: the gradient of `Slice` needs them
    under XLA (seen on 2.21).
    """
    index = to_array(function, starts)
    shape = ruled_shape(tensor, function)
    wanted = _shapes.window(function, shape, ruled_shape(index, function), sizes)
    if not wanted:
        return tensor
    places = _as_indices(function, Array(index))
    if places.values is not None and all(isinstance(size, int) for size in dims_of(tensor)):
        ends = zip(places.values.tolist(), tensor.shape, wanted, strict=True)
        firsts = [max(min(n + size if n < 0 else n, size - own), 0) for n, size, own in ends]
        return _slice(tensor, [slice(a, a + n) for a, n in zip(firsts, wanted, strict=True)])
    for axis, own in enumerate(wanted):
        rows, dims = around(tensor, axis)
        size = dims[axis]
        if isinstance(size, int) and size == own:
            continue
        start, size = places.tensor[axis], tf.cast(size, places.tensor.dtype)
        start = start + tf.cast(start < 0, start.dtype) * size
        start = tf.maximum(tf.minimum(start, size - own), 0)
        rows = raw.GatherV2(params=rows, indices=start + tf.range(own, dtype=start.dtype), axis=1)
        dims[axis] = own
        tensor = reshape(rows, dims)
    return tensor


def dynamic_update_slice(x: Any, update: Any, start_indices: Any, /) -> Array:
    name = "dynamic_update_slice"
    tensor = to_array(name, x)
    dtype = NUMPY_DTYPES[tensor.dtype]
    _results.kept(name, dtype, update=type_of(update))
    part = to_tensor(name, update, dtype)
    dims = dims_of(tensor)
    size = product(dims)
    numbers = reshape(tf.range(tf.cast(size, _index_dtype(size))), dims)
    sizes = static_shape(part, name)
    if None in sizes:
        raise concrete_needed(Array(part), f"{name}: the shape of update")
    places = reshape(_window(name, numbers, start_indices, sizes), [-1])
    return Array(reshape(_set(reshape(tensor, [size]), places, reshape(part, [-1])), dims))


def _index_dtype(size: Any) -> Any:
    return tf.int64 if not isinstance(size, int) or size > _INT32_MAX else tf.int32


# Elements replaced in a copy.


def _at(x: Any, values: Any, /, *, key: tuple[Any, ...], mode: str) -> Array:
    tensor = to_array("at", x)
    dims = dims_of(tensor, "at")
    dtype = NUMPY_DTYPES[tensor.dtype]
    _results.kept("at", dtype, values=type_of(values))
    size = product(dims)
    chosen = parse(key, dims)
    places, outside = _numbered(size, chosen)
    shape = dims_of(places)
    given = to_tensor(f"at(x)[...].{mode}", values, dtype)
    _check_fits(mode, dims_of(given), shape)
    flat = reshape(tensor, [size])
    count = product(shape)
    places, given = (
        reshape(places, [count]),
        reshape(broadcast_to(_fitted(given, shape), shape), [count]),
    )
    update = _UPDATES[mode]
    if mode == "set" and any(isinstance(part, Indices) for part in chosen.parts):
        update = _set_repeatedly  # the same place may be named twice
    if not outside:
        return Array(reshape(update(flat, places, given), dims))
    spare = raw.PadV2(input=flat, paddings=((0, 1),), constant_values=k.scalar(0, flat.dtype))
    return Array(reshape(update(spare, places, given)[:-1], dims))


def _numbered(size: Any, key: Key) -> tuple[Any, bool]:
    """Return the numbers of the elements that a key names, and whether `size` may be among them.

    That stands for what is out of bounds, where nothing is written. It can be wherever indices
    have no values: they are then brought to one more place along their axis.
    """
    numbers = reshape(tf.range(tf.cast(size, _index_dtype(size))), key.dims)
    parts: list[Part] = []
    axis = 0
    for part in key.parts:
        if isinstance(part, Indices) and part.values is None:
            index = part.tensor
            count = tf.cast(key.dims[axis], index.dtype)
            index = index + tf.cast(index < 0, index.dtype) * count
            inside = tf.cast(tf.logical_and(index >= 0, index < count), index.dtype)
            part = Indices(inside * index + (1 - inside) * count, None)  # noqa: PLW2901
            rows, dims = around(numbers, axis)
            extra = ((0, 0), (0, 1), (0, 0))
            dims[axis] = dims[axis] + 1
            beyond = tf.cast(size, numbers.dtype)
            numbers = reshape(raw.PadV2(input=rows, paddings=extra, constant_values=beyond), dims)
        parts.append(part)
        axis += part is not None
    outside = any(one is not own for one, own in zip(parts, key.parts, strict=True))
    return _choose(numbers, Key(dims_of(numbers), parts, key.together)), outside


def _check_fits(mode: str, own: list[Any], shape: list[Any]) -> None:
    first = next((i for i, n in enumerate(own) if not isinstance(n, int) or n != 1), len(own))
    own = own[first:]  # NumPy's rule
    common = broadcast_shapes(f"at(x)[...].{mode}", own, shape) if own else shape
    if len(common) > len(shape) or any(
        isinstance(a, int) and isinstance(b, int) and a != b
        for a, b in zip(common, shape, strict=False)
    ):
        raise ShapeError(
            f"at(x)[...].{mode}: values of shape {tuple(own)} do not broadcast to the shape "
            f"{tuple(shape)} of x[...]"
        )


def _fitted(tensor: Any, shape: list[Any]) -> Any:
    """Return values without the leading axes of length 1 that the place has not."""
    own = dims_of(tensor)
    return reshape(tensor, own[len(own) - len(shape) :]) if len(own) > len(shape) else tensor


def _set(flat: Any, places: Any, values: Any) -> Any:
    return raw.TensorScatterUpdate(tensor=flat, indices=places[:, None], updates=values)


def _set_repeatedly(flat: Any, places: Any, values: Any) -> Any:
    """Return `_set`, through which no gradient goes to a value that another one replaced."""

    def derivative(ct: Any, flat: Any, values: Any) -> tuple[Any, Any]:
        numbers = tf.range(raw.Shape(input=places)[0])
        nothing = raw.Fill(dims=raw.Shape(input=flat), value=tf.constant(-1))
        last = _set(nothing, places, numbers)
        zero = k.scalar(0, ct.dtype)
        lasting = raw.Equal(x=_at_places(last, places), y=numbers)
        return (
            k.select(raw.Equal(x=last, y=nothing), ct, zero),
            k.select(lasting, _at_places(ct, places), zero),
        )

    return derived(lambda flat, values: _set(flat, places, values), derivative)(flat, values)


def _at_places(flat: Any, places: Any) -> Any:
    return raw.GatherV2(params=flat, indices=places, axis=0)


def _segments(op: Any, flat: Any, places: Any, values: Any) -> Any:
    size = raw.Shape(input=flat)[0] if flat.shape[0] is None else flat.shape[0]
    return op(data=values, segment_ids=places, num_segments=size)


def _add(flat: Any, places: Any, values: Any) -> Any:
    return _combined(raw.UnsortedSegmentSum, raw.AddV2, raw.LogicalOr, flat, places, values)


def _subtract(flat: Any, places: Any, values: Any) -> Any:
    negative = k.unsigned_negative if values.dtype in UNSIGNED else lambda x: raw.Neg(x=x)
    return _add(flat, places, negative(values))


def _multiply(flat: Any, places: Any, values: Any) -> Any:
    if flat.dtype not in FLOATS | COMPLEX:
        return _combined(raw.UnsortedSegmentProd, raw.Mul, raw.LogicalAnd, flat, places, values)
    working = tf.float32 if flat.dtype in HALVES else flat.dtype
    return cast(_multiplied(cast(flat, working), places, cast(values, working)), flat.dtype)


def _multiplied(flat: Any, places: Any, values: Any) -> Any:
    """Return products; TensorFlow's derivative lacks a conjugate (seen on 2.21)."""

    def kernel(flat: Any, values: Any) -> Any:
        return raw.Mul(x=flat, y=_segments(raw.UnsortedSegmentProd, flat, places, values))

    def derivative(ct: Any, flat: Any, values: Any) -> tuple[Any, Any]:
        nothing, one = k.scalar(0, ct.dtype), k.scalar(1, ct.dtype)
        zero = raw.Equal(x=values, y=nothing)
        safe = k.select(zero, one, values)
        zeros = _segments(raw.UnsortedSegmentSum, flat, places, cast(zero, tf.int32))
        product = _multiplied(raw.OnesLike(x=flat), places, safe)
        others = raw.RealDiv(x=_at_places(product, places), y=safe)
        others = k.select(_at_places(zeros, places) > cast(zero, tf.int32), nothing, others)
        by_flat = ct * tf.math.conj(k.select(zeros > 0, nothing, product))
        by_values = _at_places(ct * tf.math.conj(flat), places) * tf.math.conj(others)
        return by_flat, by_values

    return derived(kernel, derivative)(flat, values)


def _combined(op: Any, join: Any, of_bools: Any, flat: Any, places: Any, values: Any) -> Any:
    if flat.dtype is tf.bool:
        op = raw.UnsortedSegmentMax if of_bools is raw.LogicalOr else raw.UnsortedSegmentMin
        found = _segments(op, flat, places, cast(values, tf.int32))
        return of_bools(x=flat, y=found > 0)
    working = tf.float32 if flat.dtype in HALVES else flat.dtype
    found = _segments(op, flat, places, cast(values, working))
    return cast(join(x=cast(flat, working), y=found), flat.dtype)


def _extreme(op: Any, join: Any, flat: Any, places: Any, values: Any) -> Any:
    if flat.dtype in COMPLEX:
        raise DtypeError("at(x)[...].min and max: complex numbers have no order")
    if flat.dtype is tf.bool:
        return cast(
            _extreme(op, join, cast(flat, tf.int32), places, cast(values, tf.int32)), tf.bool
        )
    if flat.dtype not in FLOATS:
        return join(x=flat, y=_segments(op, flat, places, values))
    return derived(
        lambda flat, values: _extreme_of_floats(op, join, flat, places, values),
        lambda ct, flat, values: _to_extremes(
            ct, _extreme_of_floats(op, join, flat, places, values), flat, places, values
        ),
    )(flat, values)


def _extreme_of_floats(op: Any, join: Any, flat: Any, places: Any, values: Any) -> Any:
    result = k.keeps_nan(lambda x, y: join(x=x, y=y))(flat, _segments(op, flat, places, values))
    # the segment kernels drop NaN
    nan = _segments(raw.UnsortedSegmentMax, flat, places, cast(k.is_nan(values), tf.int32))
    return k.select(nan > 0, k.scalar(k.NAN, flat.dtype), result)


def _to_extremes(ct: Any, result: Any, flat: Any, places: Any, values: Any) -> tuple[Any, Any]:
    """Return JAX's cotangents: all that are equal to the extreme have the same part of it."""
    zero = k.scalar(0, ct.dtype)
    chosen = raw.Equal(x=_at_places(result, places), y=values)
    ones = raw.OnesLike(x=values)
    named = _segments(raw.UnsortedSegmentSum, flat, places, ones)
    equal = _segments(raw.UnsortedSegmentSum, flat, places, k.select(chosen, ones, zero))
    own = raw.LogicalOr(x=raw.Equal(x=flat, y=result), y=raw.Equal(x=named, y=zero))
    part = raw.RealDiv(x=ct, y=raw.AddV2(x=equal, y=cast(own, ct.dtype)))
    return k.select(own, part, zero), k.select(chosen, _at_places(part, places), zero)


_UPDATES = {
    "set": _set,
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "min": lambda *args: _extreme(raw.UnsortedSegmentMin, raw.Minimum, *args),
    "max": lambda *args: _extreme(raw.UnsortedSegmentMax, raw.Maximum, *args),
}

DIRECT["getitem"] = getitem
