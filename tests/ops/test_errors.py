"""What does not fit is the same error on every backend, and says what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend.errors import DtypeError, RangeError, ShapeError, TracingError


def x(*shape: int) -> Any:
    return ub.zeros(shape, dtype="float32")


WRONG: list[tuple[str, Callable[[], Any], type[Exception], str]] = [
    ("add", lambda: ub.add(x(2), x(3)), ShapeError, r"shapes \(2,\) and \(3,\) do not broadcast"),
    ("add number", lambda: ub.add(ub.asarray([1], dtype="int8"), 300), RangeError, "300 does not"),
    ("where", lambda: ub.where(ub.asarray([True]), x(2), x(3)), ShapeError, "do not broadcast"),
    ("sum", lambda: ub.sum(x(2, 3), axis=2), ShapeError, "axis=2 is not an axis .* -2 to 1"),
    ("sum twice", lambda: ub.sum(x(2, 3), axis=(0, -2)), ShapeError, "names an axis twice"),
    ("max", lambda: ub.max(x(0)), ShapeError, "no elements"),
    ("argmin", lambda: ub.argmin(x(2, 0), axis=1), ShapeError, "no elements"),
    ("argmax", lambda: ub.argmax(x(2, 2), axis=(0, 1)), DtypeError, "is not an integer"),  # type: ignore[arg-type]
    ("at far", lambda: ub.at(x(3))[2**70].set(1.0), IndexError, "is out of bounds"),
    ("cumulative_sum", lambda: ub.cumulative_sum(x(2, 3)), ShapeError, "give the axis"),
    ("sort", lambda: ub.sort(x(2), axis=1), ShapeError, "axis=1"),
    ("reshape", lambda: ub.reshape(x(2, 3), (4,)), ShapeError, "6 elements, which do not fill"),
    ("reshape -1", lambda: ub.reshape(x(2, 3), (4, -1)), ShapeError, "do not fill"),
    ("squeeze", lambda: ub.squeeze(x(2, 1), 0), ShapeError, "only axes of length 1"),
    ("expand_dims", lambda: ub.expand_dims(x(2), 3), ShapeError, "axis=3"),
    ("broadcast_to", lambda: ub.broadcast_to(x(2), (3,)), ShapeError, "does not broadcast to"),
    ("broadcast_arrays", lambda: ub.broadcast_arrays(x(2), x(3)), ShapeError, "do not broadcast"),
    ("permute_dims", lambda: ub.permute_dims(x(2, 3), (0,)), ShapeError, "each of the 2 axes"),
    ("moveaxis", lambda: ub.moveaxis(x(2, 3), 0, (0, 1)), ShapeError, "differ in length"),
    ("concat", lambda: ub.concat([x(2, 3), x(2, 4)]), ShapeError, "differ in more than axis 0"),
    ("concat none", lambda: ub.concat([]), ShapeError, "at least one array"),
    ("stack", lambda: ub.stack([x(2), x(3)]), ShapeError, "a stack is of arrays of one shape"),
    ("roll", lambda: ub.roll(x(2), (1, 2), axis=(0,)), ShapeError, "differ in length"),
    ("tile", lambda: ub.tile(x(2), (-1,)), ShapeError, "negative"),
    ("repeat", lambda: ub.repeat(x(3), [1, 2]), ShapeError, "2 repeats for 3 elements"),
    ("tril", lambda: ub.tril(x(3)), ShapeError, "two axes are needed"),
    ("vecdot", lambda: ub.vecdot(x(2), x(3)), ShapeError, "2 and 3 elements"),
    ("tensordot", lambda: ub.tensordot(x(2, 3), x(4), axes=1), ShapeError, "in pairs"),
    ("take", lambda: ub.take(x(3), [0, 3]), IndexError, "index 3 is out of bounds"),
    ("take below", lambda: ub.take(x(3), [-4]), IndexError, "index -4 is out of bounds"),
    ("take axis", lambda: ub.take(x(3, 2), [0]), ShapeError, "give the axis"),
    ("take float", lambda: ub.take(x(3), [0.5]), DtypeError, "not integers"),
    ("take_along_axis", lambda: ub.take_along_axis(x(3), [3]), IndexError, "index 3 is out of"),
    ("at", lambda: ub.at(x(3))[3].set(1.0), IndexError, "index 3 is out of bounds"),
    ("at array", lambda: ub.at(x(3))[[0, 5]].add(1.0), IndexError, "index 5 is out of bounds"),
    ("at shape", lambda: ub.at(x(3))[0].set(x(2)), ShapeError, "^at"),
    ("at dtype", lambda: ub.at(ub.asarray([1]))[0].set(0.5), DtypeError, "would change it"),
    ("clip", lambda: ub.clip(ub.asarray([1]), 0.5, 2), DtypeError, "would change it"),
    ("zeros", lambda: ub.zeros((2, -1)), ShapeError, "negative size"),
    ("full", lambda: ub.full((2,), 300, dtype="int8"), RangeError, "300 does not fit int8"),
    ("arange", lambda: ub.arange(0, 3, 0), ShapeError, "step=0"),
    ("linspace", lambda: ub.linspace(0, 1, 3, dtype="bool"), DtypeError, "cannot hold"),
    ("astype", lambda: ub.astype(ub.asarray([1j]), "float32"), DtypeError, "imaginary"),
    ("pow", lambda: ub.pow(ub.asarray([2]), -1), ValueError, "pow: int64 to the power of -1"),
    ("pow array", lambda: ub.pow(ub.asarray([2, 3]), [-1, 2]), ValueError, "pow: int64 to the"),
    ("pow number", lambda: ub.pow(2, ub.asarray([-1, 2])), ValueError, "pow: int64 to the power"),
    ("full text", lambda: ub.full(3, "a"), DtypeError, "fill_value"),  # type: ignore[arg-type]
    ("full none", lambda: ub.full(3, None), DtypeError, "fill_value"),  # type: ignore[arg-type]
    ("full list", lambda: ub.full(3, [1, 2]), DtypeError, "fill_value"),  # type: ignore[arg-type]
    ("full array", lambda: ub.full(3, x(2)), ShapeError, "fill_value has the shape"),
    ("full_like", lambda: ub.full_like(x(2), "a"), DtypeError, "fill_value"),  # type: ignore[arg-type]
    ("arange bool", lambda: ub.arange(5, dtype="bool"), DtypeError, "cannot count"),
    ("arange range", lambda: ub.arange(2**40, dtype="int32"), RangeError, "does not fit int32"),
    ("arange text", lambda: ub.arange("a"), DtypeError, "stop='a' is not a real number"),  # type: ignore[arg-type]
    ("arange none", lambda: ub.arange(None), DtypeError, "stop=None"),  # type: ignore[arg-type]
    ("arange nan", lambda: ub.arange(float("nan")), ShapeError, "stop=nan"),
    ("arange inf", lambda: ub.arange(float("inf")), ShapeError, "stop=inf"),
    ("linspace text", lambda: ub.linspace("0", 1, 3), DtypeError, "start='0' is not a number"),  # type: ignore[arg-type]
    ("permute_dims none", lambda: ub.permute_dims(x(2, 3), None), DtypeError, "axes=None"),  # type: ignore[arg-type]
    ("permute_dims 1", lambda: ub.permute_dims(x(2, 3), 1), DtypeError, "a tuple of integers"),  # type: ignore[arg-type]
    ("tile number", lambda: ub.tile(x(2), -1), DtypeError, "repetitions=-1"),  # type: ignore[arg-type]
    ("tile none", lambda: ub.tile(x(2), None), DtypeError, "repetitions=None"),  # type: ignore[arg-type]
    ("expand_dims none", lambda: ub.expand_dims(x(2), None), DtypeError, "axis=None"),  # type: ignore[arg-type]
    ("eye", lambda: ub.eye(2, k=1.5), DtypeError, "k=1.5 is not an integer"),  # type: ignore[arg-type]
    ("tril text", lambda: ub.tril(x(2, 2), k="1"), DtypeError, "k='1' is not an integer"),  # type: ignore[arg-type]
    ("std", lambda: ub.std(x(2), correction="1"), DtypeError, "correction='1'"),  # type: ignore[arg-type]
    ("zeros none", lambda: ub.zeros(None), DtypeError, "shape=None"),  # type: ignore[arg-type]
    ("sum keepdims", lambda: ub.sum(x(2), keepdims=1), DtypeError, "keepdims=1"),  # type: ignore[arg-type]
    ("all keepdims", lambda: ub.all(x(2), keepdims="no"), DtypeError, "keepdims='no'"),  # type: ignore[arg-type]
    ("take_along", lambda: ub.take_along_axis(x(3), [-4]), IndexError, "take_along_axis: index -4"),
    ("dtype", lambda: ub.zeros(2, dtype="string"), DtypeError, "not one of the dtypes"),
]


@pytest.mark.parametrize(
    ("call", "error", "text"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG]
)
def test_is_an_error(
    backend: str, call: Callable[[], Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("x64", [False])
def test_64_bit_types_are_refused_in_the_32_bit_world(backend: str, x64: bool) -> None:
    for call in (ub.zeros, ub.arange):
        with pytest.raises(DtypeError, match="x64 is off"):
            call(2, dtype="float64")


def test_a_traced_size_is_a_tracing_error(backend: str) -> None:
    if backend == "numpy":  # it runs compiled functions eagerly
        return
    with pytest.raises(TracingError, match="static_argnames"):
        ub.compile(lambda n: ub.zeros(n))(ub.asarray(3))
    with pytest.raises(TracingError, match="arange: stop.*static_argnames"):
        ub.compile(lambda n: ub.arange(n))(ub.asarray(3))


def test_results_keep_their_dtype_among_python_numbers(backend: str) -> None:
    narrow = ub.asarray([1.0], dtype="float16")
    for result in (ub.where(narrow > 0, narrow, 0), ub.full_like(narrow, 2), ub.sum(narrow)):
        assert ub.add(result, ub.asarray([1.0], dtype="bfloat16")).dtype == np.float32


@pytest.mark.parametrize("x64", [False])
def test_a_long_range_is_refused_before_it_takes_memory(backend: str, x64: bool) -> None:
    with pytest.raises(RangeError, match="arange: the number 1099511627775 does not fit int32"):
        ub.arange(2**40)


@pytest.mark.parametrize("x64", [False])
def test_a_python_name_of_a_64_bit_type_is_explained(backend: str, x64: bool) -> None:
    with pytest.raises(DtypeError, match=r"write 'float32', float \(the type, not the text\)"):
        ub.zeros(1, dtype="float")


def test_a_dtype_of_the_other_byte_order_is_the_native_one(backend: str) -> None:
    result = ub.zeros(1, dtype=">f4")
    assert result.dtype == np.float32
    assert result.dtype.isnative
