"""Specification and implementation, compared by machine."""

from __future__ import annotations

import inspect
import operator
from typing import Any

import pytest

import unibackend as ub
from unibackend._dispatch import DECLARED, Operation

# They need no backend: dtypes in, dtypes and bools out.
PLAIN = ("at", "broadcast_shapes", "can_cast", "finfo", "iinfo", "isdtype", "result_type")
MAIN = ("matmul", "matrix_transpose", "tensordot", "vecdot")


def parameters(function: Any) -> list[tuple[str, Any, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(one.name, one.kind, one.default) for one in found]


@pytest.mark.parametrize("operation", DECLARED.values(), ids=lambda one: one.name)
def test_every_backend_has_the_declared_signature(backend: str, operation: Operation) -> None:
    implementation = operator.attrgetter(operation.name)(ub.namespace(backend))
    assert parameters(implementation) == parameters(operation.declaration)


def test_the_frontend_shows_the_declared_signature() -> None:
    for operation in DECLARED.values():
        assert parameters(operation.call) == parameters(operation.declaration)
        assert operation.call.__doc__ == operation.declaration.__doc__


def test_the_frontend_has_every_operation() -> None:
    modules = ("fft", "linalg", "nn", "special")
    # they declare what they have as they are imported
    extensions = [f"{module}.{name}" for module in modules for name in getattr(ub, module).__all__]
    public = {name for name in DECLARED if not name.startswith("_")}
    alias = {f"linalg.{name}" for name in MAIN}
    assert {*ub.ops.__all__, *extensions} - alias == public | set(PLAIN)
    assert all(operator.attrgetter(name)(ub) for name in (*ub.ops.__all__, *extensions))


@pytest.mark.parametrize("name", MAIN)
def test_products_are_in_both_namespaces(backend: str, name: str) -> None:
    assert getattr(ub.linalg, name) is getattr(ub, name)
    namespace = ub.namespace(backend)
    assert getattr(namespace.linalg, name) is getattr(namespace, name)


def test_a_wrong_signature_is_noticed() -> None:
    def add(x1: Any, x2: Any) -> Any: ...  # not positional only

    assert parameters(add) != parameters(DECLARED["add"].declaration)
