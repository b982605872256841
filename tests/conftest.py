"""The backends and modes that tests run on, and how hard Hypothesis tries.

All three backends are needed: a missing one fails the run, nothing is skipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # TensorFlow prints its build to stderr

import hypothesis
import pytest

import unibackend as ub

BACKENDS = ("numpy", "jax", "tensorflow")

# Each way to run an operation, and the backends that have it; NumPy's `compile` runs eagerly.
MODES = {
    "eager": BACKENDS,
    "compiled": ("jax", "tensorflow"),
    "xla": ("tensorflow",),
}

_COMMON = {
    "deadline": None,  # the first call of a shape compiles
    "suppress_health_check": [
        hypothesis.HealthCheck.function_scoped_fixture,  # `backend` holds the same for all examples
        hypothesis.HealthCheck.too_slow,
        hypothesis.HealthCheck.differing_executors,
    ],
    "print_blob": True,
    # not `explain`, which runs a failing example hundreds of times, each compiled anew
    "phases": [phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.explain],
}
hypothesis.settings.register_profile("default", max_examples=25, derandomize=True, **_COMMON)
hypothesis.settings.register_profile("thorough", max_examples=200, **_COMMON)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `mode` in every mode that its backend has."""
    if "mode" in metafunc.fixturenames:
        pairs = [(backend, mode) for mode, backends in MODES.items() for backend in backends]
        metafunc.parametrize(("backend", "mode"), pairs, indirect=["backend"])
    elif "backend" in metafunc.fixturenames:
        metafunc.parametrize("backend", BACKENDS, indirect=True)


@pytest.fixture
def x64() -> bool:
    """Whether 64 bits are on; `@pytest.mark.parametrize("x64", [False])` turns them off."""
    return True


@pytest.fixture
def backend(request: pytest.FixtureRequest, x64: bool) -> Iterator[str]:
    """Run the test on each backend, inside `ub.use`, with 64 bits unless `x64` says otherwise."""
    with ub.use(request.param, x64=x64):
        yield request.param
