"""Specification and implementation, compared by machine."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import unibackend as ub
from unibackend._dispatch import DECLARED, Operation

# They need no backend: dtypes in, dtypes and bools out.
PLAIN = ("isdtype", "result_type", "at")


def parameters(function: Any) -> list[tuple[str, Any, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(one.name, one.kind, one.default) for one in found]


@pytest.mark.parametrize("operation", DECLARED.values(), ids=lambda one: one.name)
def test_every_backend_has_the_declared_signature(backend: str, operation: Operation) -> None:
    implementation = getattr(ub.namespace(backend), operation.name)
    assert parameters(implementation) == parameters(operation.declaration)


def test_the_frontend_shows_the_declared_signature() -> None:
    for operation in DECLARED.values():
        assert parameters(operation.call) == parameters(operation.declaration)
        assert operation.call.__doc__ == operation.declaration.__doc__


def test_the_frontend_has_every_operation() -> None:
    public = {name for name in DECLARED if not name.startswith("_")}
    assert set(ub.ops.__all__) == public | set(PLAIN)
    assert all(hasattr(ub, name) for name in ub.ops.__all__)


def test_a_wrong_signature_is_noticed() -> None:
    def add(x1: Any, x2: Any) -> Any: ...  # not positional only

    assert parameters(add) != parameters(DECLARED["add"].declaration)
