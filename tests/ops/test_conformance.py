"""Every declared operation on every backend and in every mode, against the oracle."""

from __future__ import annotations

import pytest

import unibackend as ub
from unibackend._dispatch import DECLARED

from ..gaps import GAPS
from .check import check_row
from .table import ROWS

# One dtype in so many is tried where each shape is compiled anew, others for the next operation.
STRIDE = {"numpy": 1, "jax": 3, "tensorflow": 1, "compiled": 4, "xla": 5, "32 bit": 4}


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
    _check(backend, "eager", name, "32 bit")


def _check(backend: str, mode: str, name: str, stride: str | None = None) -> None:
    with ub.use(xla=mode == "xla"):
        check_row(
            ROWS[name],
            getattr(ub, name, None),
            compiled=mode != "eager",
            flushes=backend != "numpy",
            stride=STRIDE[stride or (backend if mode == "eager" else mode)],
        )
