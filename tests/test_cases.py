"""Real failures of framework-neutral code, as small programs with the right answer.

`cases.json` holds them, each with the public reports that it comes from; they are guards for the
kind of failure that they stand for. Values are for `x64` on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unibackend as ub

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())
NAMES = {"nan": float("nan"), "inf": float("inf"), "np": np}


@pytest.mark.parametrize("name", ["numpy", "jax", "tensorflow"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's own, for overflow and 1/0
def test_case(case: dict[str, Any], name: str) -> None:
    with ub.use(name, x64=True):
        variables: dict[str, Any] = {"ub": ub, "np": np}
        exec(case["program"], variables)
        out = variables["out"]
        check(case, out)


def check(case: dict[str, Any], out: Any) -> None:
    """Compare a result with the expected one: dtypes, shapes, NaN's places, then values."""
    expected = eval(case["expected"], NAMES)
    value, dtype = expected["value"], expected["dtype"]
    got = list(out) if isinstance(value, tuple) else [out]
    wanted = list(value) if isinstance(value, tuple) else [value]
    names = dtype if isinstance(dtype, tuple) else (dtype,) * len(wanted)
    assert len(got) == len(wanted)
    for g, w, name in zip(got, wanted, names, strict=True):
        if isinstance(w, str):
            assert g == w
            continue
        parts = [ub.to_numpy(p) if isinstance(p, ub.Array) else p for p in g] if is_list(g) else g
        actual = np.asarray(ub.to_numpy(parts) if isinstance(parts, ub.Array) else parts)
        if name is not None:
            assert actual.dtype.name == name
        reference = np.asarray(w)
        assert actual.shape == reference.shape
        np.testing.assert_allclose(
            actual.astype(complex),
            reference.astype(complex),
            rtol=case["tolerance"] or 1e-6,
            atol=0,
        )
        if case["signed_zero"]:
            np.testing.assert_array_equal(np.signbit(actual.real), np.signbit(reference.real))


def is_list(x: Any) -> bool:
    return isinstance(x, tuple | list)


def test_a_wrong_answer_is_rejected() -> None:
    case = {"expected": "{'value': [1.0, nan], 'dtype': None}", "tolerance": None, "signed_zero": 0}
    check(case, np.array([1.0, np.nan]))
    for wrong in ([1.1, np.nan], [1.0, 0.0], [[1.0, np.nan]], [np.nan, 1.0]):
        with pytest.raises(AssertionError):
            check(case, np.array(wrong))
