"""Every declared operation on every backend and in every mode, against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unibackend as ub
from unibackend._dispatch import DECLARED

from ..gaps import GAPS
from .check import conforms
from .table import ROWS

# How many times fewer examples are tried where each shape is compiled anew.
SHARE = {"numpy": 1, "jax": 2, "tensorflow": 1, "compiled": 4, "xla": 5}


def test_every_operation_has_a_row() -> None:
    assert set(ROWS) == set(DECLARED)


@pytest.mark.parametrize("name", ROWS)
def test_conforms(backend: str, mode: str, name: str, request: pytest.FixtureRequest) -> None:
    reason = GAPS.get((backend, name))
    if reason is not None:
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
    _check(backend, mode, name)


@pytest.mark.parametrize("x64", [False])
@pytest.mark.parametrize("name", ROWS)
def test_conforms_in_the_32_bit_world(backend: str, x64: bool, name: str) -> None:
    _check(backend, "eager", name, share=5)


def _check(backend: str, mode: str, name: str, share: int | None = None) -> None:
    row = ROWS[name]
    function = getattr(ub, name, None)
    count = max(
        3, settings().max_examples // (share or SHARE[backend if mode == "eager" else mode])
    )

    @settings(max_examples=count)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        case = data.draw(row.cases)
        with ub.use(xla=mode == "xla"):
            conforms(row, case, function, compiled=mode != "eager", flushes=backend != "numpy")

    check()
