"""Every declared operation on every backend and in every mode, against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import settings

import unibackend as ub
from unibackend._dispatch import DECLARED

from ..gaps import GAPS, LACKS
from .check import check_row
from .table import ROWS

# One dtype in so many is tried where each shape is compiled anew, others for the next operation;
# all of them when Hypothesis is told to be thorough.
STRIDE = {
    ("numpy", "eager"): 1,
    ("jax", "eager"): 6,
    ("jax", "compiled"): 8,
    ("tensorflow", "eager"): 2,
    ("tensorflow", "compiled"): 4,
    ("tensorflow", "xla"): 8,
}


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
    _check(backend, "eager", name, 6)


def _check(backend: str, mode: str, name: str, stride: int = 1) -> None:
    thorough = settings().max_examples >= 100
    with ub.use(xla=mode == "xla"):
        check_row(
            ROWS[name],
            DECLARED[name].call,
            compiled=mode != "eager",
            flushes=backend != "numpy",
            stride=1 if thorough else max(stride, STRIDE[backend, mode]),
            lacks=LACKS.get((backend, mode, name), ""),
        )
