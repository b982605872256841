"""Numbers that do not fit a dtype: one rule for conversions, and an error for what is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend.errors import RangeError

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
EDGES = [float("nan"), float("inf"), -float("inf"), -1.5, 1.5, -0.5, 0.0]
EDGES += [sign * 2.0**power for power in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (1, -1)]
EDGES += [sign * (2.0**power + 0.5) for power in (7, 8, 15, 16, 31, 32) for sign in (1, -1)]


def nearest(value: float, name: str) -> int:
    """Return the integer of a dtype that a number becomes: cut off, and saturated."""
    limits = np.iinfo(name)
    if np.isnan(value):
        return 0
    return int(min(max(value, int(limits.min)), int(limits.max)))


@pytest.mark.parametrize("name", INTEGERS)
def test_floats_out_of_range_saturate(backend: str, mode: str, name: str) -> None:
    def cast(x: Any) -> Any:
        return ub.astype(x, name)

    with ub.use(xla=mode == "xla"), np.errstate(over="ignore"):
        function = cast if mode == "eager" else ub.compile(cast)
        for source in FLOATS:
            x = np.array(EDGES).astype(getattr(ub, source))
            right = [nearest(float(number), name) for number in x]
            for shape in ((-1,), (*(1,) * 11, -1)):
                result = ub.to_numpy(function(ub.reshape(ub.asarray(x), shape)))
                assert result.reshape(-1).tolist() == right, source


@pytest.mark.parametrize("name", FLOATS)
def test_all_but_zero_is_true(backend: str, name: str) -> None:
    x = ub.asarray([0.0, -0.0, 0.25, float("nan"), -float("inf")], dtype=name)
    assert ub.to_numpy(ub.astype(x, "bool")).tolist() == [False, False, True, True, True]
    assert ub.astype(ub.asarray([2j, 0j]), "bool").tolist() == [True, False]


def test_floats_beyond_a_narrower_one_are_infinite(backend: str) -> None:
    x = ub.asarray([65504.0, 70000.0, -1e300])
    assert ub.to_numpy(ub.astype(x, "float16")).tolist() == [65504, np.inf, -np.inf]
    assert ub.to_numpy(ub.full(1, 1e300, dtype="float32")).tolist() == [np.inf]


WRITTEN: dict[str, Callable[[], Any]] = {
    "asarray of a list": lambda: ub.asarray([300], dtype="uint8"),
    "asarray of NumPy's": lambda: ub.asarray(np.array([-1]), dtype="uint64"),
    "asarray of floats": lambda: ub.asarray([1e20], dtype="int64"),
    "asarray of NaN": lambda: ub.asarray(np.array([np.nan]), dtype="int32"),
    "asarray of bfloat16": lambda: ub.asarray(np.array([512], ub.bfloat16), dtype="int8"),
    "full": lambda: ub.full(2, 1e20, dtype="int32"),
    "full of NaN": lambda: ub.full(2, float("nan"), dtype="int32"),
    "full of a long integer": lambda: ub.full(2, 10**400, dtype="float32"),
    "full_like": lambda: ub.full_like(ub.asarray([1], dtype="int8"), -129),
    "linspace": lambda: ub.linspace(0, 300, 4, dtype="int8"),
    "pad": lambda: ub.pad(ub.asarray([1], dtype="int8"), 1, constant_values=300),
    "at": lambda: ub.at(ub.asarray([1], dtype="int8"))[0].add(300),
    "add": lambda: ub.add(ub.asarray([1.0]), 10**400),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_number_that_does_not_fit_is_refused(backend: str, name: str) -> None:
    with pytest.raises(RangeError):
        WRITTEN[name]()


def test_integers_between_ends_are_exact(backend: str) -> None:
    # 49 * (1 / 49) is less than 1, and float64 knows no integers beyond 2**53
    assert ub.linspace(0, 2, 99, dtype="int32")[49] == 1
    assert ub.linspace(0, 2**60 + 4, 5, dtype="int64")[1] == 2**58 + 1
    assert ub.linspace(-1, 1, 5, dtype="int8").tolist() == [-1, -1, 0, 0, 1]


def test_limits_are_pythons_numbers() -> None:
    for name in (*FLOATS, "complex64", "complex128"):
        limits = ub.finfo(getattr(ub, name))
        numbers = (limits.eps, limits.max, limits.min, limits.smallest_normal)
        assert {*map(type, numbers)} == {float}
        assert limits.bits == 8 * limits.dtype.itemsize
    assert ub.finfo(ub.bfloat16).eps == 2.0**-7
    assert ub.finfo("complex64").dtype == ub.float32
    for name in INTEGERS:
        whole = ub.iinfo(name)
        assert {type(whole.bits), type(whole.max), type(whole.min)} == {int}
        assert whole.max - whole.min == 2**whole.bits - 1


def test_limits_are_asked_of_arrays_too(backend: str) -> None:
    assert ub.finfo(ub.ones(2, dtype="float32")).bits == 32
    assert ub.iinfo(ub.ones(2, dtype="int8")).max == 127
    assert ub.can_cast(ub.ones(2, dtype="int8"), ub.int16)
    for ask in (lambda: ub.finfo(ub.int8), lambda: ub.iinfo("float32"), lambda: ub.finfo(1.0)):
        with pytest.raises(TypeError):
            ask()


def test_unknown_sizes_broadcast() -> None:
    assert ub.broadcast_shapes() == ()
    assert ub.broadcast_shapes((2, 1), (3,), ()) == (2, 3)
    assert ub.broadcast_shapes((None, 1), (4,)) == (None, 4)
    assert ub.broadcast_shapes((None,), (3,)) == (3,)
    with pytest.raises(ub.errors.ShapeError, match="do not broadcast"):
        ub.broadcast_shapes((2,), (3,))
    with pytest.raises(TypeError):
        ub.broadcast_shapes(3)  # type: ignore[arg-type]
