"""Which dtypes a function takes is the same on every backend, and so is the error for others."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest

import unibackend as ub
from unibackend import _dispatch, _results
from unibackend.errors import DtypeError

# A dtype of each kind.
ONE_OF = {"b": "bool", "i": "int32", "u": "uint8", "f": "float32", "c": "complex64"}
REFUSED = [
    (name, dtype)
    for name, taken in _results.KINDS.items()
    for kind, dtype in ONE_OF.items()
    if kind not in taken
]


def call(name: str, operand: Any) -> Any:
    """Call an operation with one operand for all of its arrays."""
    match name.split("."):
        case ["at", update]:
            return getattr(ub.at(operand)[0], update)(operand[0])
        case ["clip"]:
            return ub.clip(operand, operand)
        case ["top_k"]:
            return ub.top_k(operand, 1).values
        case ["nn", "one_hot"]:
            return ub.nn.one_hot(operand, 1)[0]
    function = operator.attrgetter(name)(ub)  # an extension is imported when it is named
    spec = _dispatch.DECLARED[name]
    return function(*[operand] * sum(one not in spec.optional for one in spec.arrays))


@pytest.mark.parametrize(("name", "dtype"), REFUSED)
def test_a_dtype_that_is_not_taken_is_named(backend: str, name: str, dtype: str) -> None:
    with pytest.raises(DtypeError) as caught:
        call(name, ub.asarray([1], dtype=dtype))
    message = str(caught.value)
    assert message.startswith(f"{name}: operands of the dtype {dtype} are not allowed here; it ")


@pytest.mark.parametrize("name", list(_results.KINDS))
def test_a_dtype_that_is_taken_works(backend: str, name: str) -> None:
    for dtype in _results.taken(name):
        assert call(name, ub.asarray([1], dtype=dtype)).shape in ((1,), (0,), ())


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
