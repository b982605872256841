"""Bad input to transforms, searches, sets and differences: one error on every backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend.errors import AxisError, DtypeError, OptionError, ShapeError, TracingError


def x(*shape: int) -> Any:
    return ub.zeros(shape, dtype="float32")


def z() -> Any:
    return ub.zeros((3,), dtype="complex64")


LINE = np.asarray([1, 2, 3], "float32")

WRONG: list[tuple[str, Callable[[], Any], type[Exception], str]] = [
    ("fft norm", lambda: ub.fft.fft(x(3), norm="half"), OptionError, "norm='half' is not one of"),  # type: ignore[arg-type]
    ("fft n", lambda: ub.fft.fft(x(3), n=0), ShapeError, "^fft.fft: a transform of 0 elements"),
    ("fft n float", lambda: ub.fft.fft(x(3), n=2.0), DtypeError, "n=2.0 is not an integer"),  # type: ignore[arg-type]
    ("fft axis", lambda: ub.fft.fft(x(3), axis=1), AxisError, "axis=1 is not an axis"),
    ("fft of nothing", lambda: ub.fft.rfft(x(2, 0)), ShapeError, "a transform of 0 elements"),
    ("fft of a number", lambda: ub.fft.fft(x()), AxisError, "an array without axes has none"),
    ("irfft of one", lambda: ub.fft.irfft(x(2, 1)), ShapeError, "a transform of 0 elements"),
    ("rfft complex", lambda: ub.fft.rfft(z()), DtypeError, "take ub.abs"),
    ("ihfft complex", lambda: ub.fft.ihfft(z()), DtypeError, "^fft.ihfft: operands"),
    ("fftn twice", lambda: ub.fft.fftn(x(2, 3), axes=(0, -2)), ShapeError, "names an axis twice"),
    ("fftn s alone", lambda: ub.fft.fftn(x(2, 3), s=(2, 2)), ShapeError, "without axes"),
    ("fftn s", lambda: ub.fft.ifftn(x(2, 3), s=(2,), axes=(0, 1)), ShapeError, "differ in length"),
    ("fftn s 0", lambda: ub.fft.fftn(x(2, 3), s=(0,), axes=(1,)), ShapeError, "1 or more as s"),
    ("rfftn none", lambda: ub.fft.rfftn(x()), ShapeError, "at least one is needed"),
    ("irfftn none", lambda: ub.fft.irfftn(x(3), axes=()), ShapeError, "at least one is needed"),
    ("fftfreq", lambda: ub.fft.fftfreq(0), ShapeError, "n=0 samples"),
    ("fftfreq d", lambda: ub.fft.fftfreq(4, d=0.0), ShapeError, "that is not 0"),
    ("fftfreq dtype", lambda: ub.fft.rfftfreq(4, dtype="int32"), DtypeError, "not one of real"),
    ("fftshift", lambda: ub.fft.fftshift(x(2, 3), axes=2), ShapeError, "axes=2 is not an axis"),
    ("nonzero", lambda: ub.nonzero(x()), ShapeError, "without axes has no places"),
    ("count_nonzero", lambda: ub.count_nonzero(x(2), axis=1), AxisError, "axis=1 is not an axis"),
    ("searchsorted", lambda: ub.searchsorted(x(2, 3), 1.0), ShapeError, "searched has one axis"),
    ("searchsorted 0", lambda: ub.searchsorted(1.0, x(2)), ShapeError, "x1 has the shape \\(\\)"),
    ("side", lambda: ub.searchsorted(x(3), 1.0, side="x"), OptionError, "'left', 'right'"),  # type: ignore[arg-type]
    ("sorter", lambda: ub.searchsorted(x(3), 1.0, sorter=[0, 1]), ShapeError, "does not fit x1"),
    ("sorter far", lambda: ub.searchsorted(x(2), 1.0, sorter=[0, 2]), IndexError, "index 2 is out"),
    ("sorter float", lambda: ub.searchsorted(x(2), 1.0, sorter=x(2)), DtypeError, "not integers"),
    ("searched complex", lambda: ub.searchsorted(z(), 1.0), DtypeError, "what has an order"),
    ("top_k", lambda: ub.top_k(x(2, 3), 4), ShapeError, "k=4, but axis 1 .* has 3 elements"),
    ("top_k negative", lambda: ub.top_k(x(3), -1), ShapeError, "k=-1 is negative"),
    ("top_k float", lambda: ub.top_k(x(3), 1.0), DtypeError, "k=1.0 is not an integer"),  # type: ignore[arg-type]
    ("top_k complex", lambda: ub.top_k(z(), 1), DtypeError, "what has an order"),
    ("top_k axis", lambda: ub.top_k(x(3), 1, axis=1), AxisError, "axis=1"),
    ("top_k flag", lambda: ub.top_k(x(3), 1, largest="no"), DtypeError, "neither True nor"),  # type: ignore[arg-type]
    ("sort complex", lambda: ub.sort(z()), DtypeError, "^sort: operands of the dtype complex64"),
    ("max complex", lambda: ub.max(z()), DtypeError, "^max: operands of the dtype complex64"),
    ("argmax complex", lambda: ub.argmax(z()), DtypeError, "^argmax: operands of the dtype"),
    ("segments", lambda: ub.segment_sum(x(3), [0, 1], 2), ShapeError, "one number for each slice"),
    ("segments 2", lambda: ub.segment_sum(x(2), [[0], [1]], 2), ShapeError, "along one axis"),
    ("segments 0", lambda: ub.segment_sum(1.0, [0], 2), ShapeError, "data of shape \\(\\)"),
    ("segments float", lambda: ub.segment_sum(x(2), x(2), 2), DtypeError, "not integers"),
    ("segments < 0", lambda: ub.segment_sum(x(2), [0, 1], -1), ShapeError, "is negative"),
    ("diff n", lambda: ub.diff(x(3), n=-1), ShapeError, "n=-1 is negative"),
    ("diff axis", lambda: ub.diff(x(3), axis=1), AxisError, "axis=1"),
    ("diff of a number", lambda: ub.diff(1.0), AxisError, "without axes has none"),
    ("diff bool", lambda: ub.diff([True, False]), DtypeError, "numbers, not bools"),
    (
        "prepend",
        lambda: ub.diff(x(2, 3), prepend=x(3, 1)),
        ShapeError,
        "differ in more than axis 1",
    ),
    ("append", lambda: ub.diff(x(2, 3), append=x(3)), ShapeError, "differ in more than axis 1"),
    ("isin flag", lambda: ub.isin(x(2), x(2), invert=1), DtypeError, "neither True nor False"),  # type: ignore[arg-type]
    ("prepend by place", lambda: ub.diff(LINE, LINE, LINE), TypeError, "positional argument"),  # type: ignore[call-arg, arg-type]
]


@pytest.mark.parametrize(
    ("call", "error", "message"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_bad_input_is_the_same_error_everywhere(
    backend: str, call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()


SIZED: list[Callable[[Any], Any]] = [
    ub.nonzero,
    ub.unique_all,
    ub.unique_counts,
    ub.unique_inverse,
    ub.unique_values,
]


@pytest.mark.parametrize("function", SIZED)
@pytest.mark.parametrize("transform", [ub.compile, ub.vmap])
def test_what_has_as_many_elements_as_values_say_cannot_be_traced(
    backend: str, function: Callable[[Any], Any], transform: Any
) -> None:
    if backend == "numpy":  # it runs compiled functions eagerly
        return
    with pytest.raises(TracingError, match=rf"^{function.__name__}: .* How many elements"):
        transform(lambda x: function(x)[0])(ub.ones((2, 3)))


def test_as_many_sums_as_numbers_say_cannot_be_traced(backend: str) -> None:
    if backend == "numpy":  # it runs compiled functions eagerly
        return
    with pytest.raises(TracingError, match=r"^segment_sum: num_segments=None, and segment_ids"):
        ub.compile(lambda x, i: ub.segment_sum(x, i))(ub.ones(2), ub.ones(2, dtype="int32"))


def test_constants_have_values_in_a_trace(backend: str) -> None:
    table = np.asarray([2, 1, 2], "float32")
    mapped = ub.compile(lambda x: ub.unique_values(table) + x + ub.sum(ub.nonzero(table - 1)[0]))
    assert ub.to_numpy(mapped(ub.asarray(1.0))).tolist() == [4, 5]


def test_distinct_values_have_a_derivative(backend: str) -> None:
    if backend == "numpy":  # it has no derivatives
        return
    slope = ub.grad(lambda x: ub.sum(ub.unique_values(x) ** 2))(ub.asarray([1.0, 2.0, 1.0]))
    assert ub.to_numpy(slope).tolist() == [2, 4, 0]  # of equal ones the first is the value


def test_the_first_of_equal_zeros_is_the_value(backend: str) -> None:
    for first in (0.0, -0.0):
        value = ub.to_numpy(ub.unique_values([1.0, first, -first]))[0]
        assert np.signbit(value) == np.signbit(first)


def test_results_have_names(backend: str) -> None:
    found = ub.unique_all([3, 1])
    assert found._fields == ("values", "indices", "inverse_indices", "counts")
    assert ub.unique_counts([3, 1])._fields == ("values", "counts")
    assert ub.unique_inverse([3, 1])._fields == ("values", "inverse_indices")
    assert ub.top_k([3, 1], 1)._fields == ("values", "indices")


def test_operands_given_by_name_decide_the_owner(backend: str) -> None:
    with ub.use("numpy"):
        host = np.asarray([1, 2], "float32")
    one = ub.asarray([4.0], dtype="float32")
    with ub.use("numpy"):
        assert ub.backend_of(ub.diff(host, append=one)) == backend
        assert ub.to_numpy(ub.diff(host, append=one)).tolist() == [1, 2]
