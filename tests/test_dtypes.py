"""The one rule of promotion, and what is known of Python integers while tracing."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unibackend as ub
from unibackend import dtypes


@given(st.integers(-(2**64), 2**65))
def test_limits_hold_the_number_and_fit_the_same_dtypes(value: int) -> None:
    found = dtypes.limits(value)
    low, high = (0, 127) if found is None else found
    assert low <= value <= high
    for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"):
        info = np.iinfo(name)
        fits = info.min <= value <= info.max
        assert (info.min <= low and high <= info.max) == fits


@pytest.mark.parametrize("a", dtypes.NAMES)
@pytest.mark.parametrize("b", dtypes.NAMES)
def test_promotion_is_the_standards_and_for_mixed_kinds_jaxs(a: str, b: str) -> None:
    with ub.use("jax", x64=True):
        x, y = dtypes.as_dtype(a), dtypes.as_dtype(b)
        assert dtypes.result_type(x, y) == dtypes.result_type(y, x)
        assert dtypes.result_type(x, y) == jnp.promote_types(x, y)


@pytest.mark.parametrize("name", dtypes.NAMES)
@pytest.mark.parametrize(
    ("scalar", "kinds"), [(bool, "biufc"), (int, "iufc"), (float, "fc"), (complex, "c")]
)
def test_python_numbers_are_weak(name: str, scalar: type, kinds: str) -> None:
    with ub.use("numpy", x64=True):
        dtype = dtypes.as_dtype(name)
        result = dtypes.result_type(dtype, scalar)
        if dtypes.kind(dtype) in kinds:
            assert result == dtype
        elif scalar is complex and dtypes.kind(dtype) == "f":
            assert result == ("complex128" if name == "float64" else "complex64")
        else:
            assert result == dtypes.default(scalar)


def test_the_32_bit_world() -> None:
    with ub.use("numpy"):
        assert dtypes.result_type(ub.uint32, ub.int32) == ub.int32
        assert [dtypes.default(t).name for t in (bool, int, float, complex)] == [
            "bool",
            "int32",
            "float32",
            "complex64",
        ]
        # 64 bit TensorFlow tensors keep their type
        assert dtypes.result_type(ub.int64, ub.int32) == ub.int64
