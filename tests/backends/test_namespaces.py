"""The namespace of each backend, as a program that knows the standard only sees it."""

from __future__ import annotations

import numpy as np
import pytest

import unibackend as ub


@pytest.mark.parametrize("name", ["numpy", "jax", "tensorflow"])
def test_a_program_of_the_standard_runs_in_it(name: str) -> None:
    """Nothing is active but another backend: the namespace alone decides."""
    other = "numpy" if name != "numpy" else "jax"
    with ub.use(other):
        xp = ub.namespace(name)
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]], dtype=xp.float32)
        y = xp.asarray(np.ones((2, 2), np.float32))
        z = xp.from_dlpack(np.ones((2, 2), np.float32))
        total = xp.sum(xp.matmul(x, y) * xp.pi + z)
        if name != "numpy":  # NumPy's arrays are host data
            assert ub.backend_of(total) == name
            assert ub.namespace(total) is xp
        assert float(total) == pytest.approx(20 * np.pi + 4, rel=1e-6)
        assert xp.isdtype(x.dtype, "real floating")
        assert xp.result_type(xp.int8, xp.int16) == xp.int16
        assert xp.newaxis is None


def test_an_array_knows_its_namespace() -> None:
    with ub.use("tensorflow"):
        x = ub.ones(2)
        assert x.__array_namespace__() is ub.backends.tensorflow
        assert ub.namespace(x) is ub.namespace("tensorflow") is ub.backends.tensorflow
