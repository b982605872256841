"""Which dtypes a function takes is the same on every backend, and so is the error for others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import unibackend as ub
from unibackend import _dispatch, _results
from unibackend.errors import DtypeError

REFUSED: dict[str, tuple[str, ...]] = {
    "subtract negative positive sign square pow": ("bool",),
    "floor_divide remainder": ("bool", "complex64"),
    "ceil floor trunc atan2 less less_equal greater greater_equal maximum minimum": ("complex64",),
    "max min argmax argmin sort argsort clip": ("complex64",),
    "bitwise_and bitwise_or bitwise_xor bitwise_invert": ("float32", "complex64"),
    "bitwise_left_shift bitwise_right_shift": ("bool", "float32", "complex64"),
}
CASES = [
    (name, dtype)
    for names, refused in REFUSED.items()
    for name in names.split()
    for dtype in refused
]


def call(name: str, operand: Any) -> Any:
    if name == "clip":
        return ub.clip(operand, operand)
    return getattr(ub, name)(*[operand] * len(_dispatch.DECLARED[name].arrays))


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_a_dtype_that_is_not_taken_is_named(backend: str, name: str, dtype: str) -> None:
    with pytest.raises(DtypeError, match=f"^{name}: ") as caught:
        call(name, ub.asarray([1], dtype=dtype))
    if backend != "tensorflow":
        assert f"the dtype {dtype} are not allowed" in str(caught.value)
        assert "; it takes " in str(caught.value)


def test_each_function_with_a_rule_is_tried() -> None:
    assert {name for name, _ in CASES} == set(_results.KINDS)


@pytest.mark.parametrize("name", list(_results.KINDS))
def test_a_dtype_that_is_taken_works(backend: str, name: str) -> None:
    for dtype in _results.taken(name):
        assert call(name, ub.asarray([1], dtype=dtype)).shape in ((1,), ())


def test_bools_and_complex_numbers_round(backend: str) -> None:
    flags = ub.round(ub.asarray([True]))
    assert flags.dtype == bool
    assert ub.round(ub.asarray([1.5 + 0.5j])) == 2


def test_dtypes_of_jax_alone_are_refused(backend: str) -> None:
    if backend != "jax":
        return
    import jax.numpy as jnp

    calls: list[Callable[[Any], Any]] = [
        *(ub.negative, ub.exp, lambda a: ub.clip(a, 0)),
        *(lambda a: ub.add(a, a), lambda a: ub.add(a, 1), lambda a: ub.pow(a, 2)),
    ]
    for name in ("int4", "float8_e5m2"):
        for call in calls:
            with pytest.raises(DtypeError, match=f"a JAX array of dtype {name}"):
                call(jnp.zeros(2, name))
