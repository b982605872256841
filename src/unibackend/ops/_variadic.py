"""The dispatcher of operations whose arguments are any number of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .._dispatch import SCALARS, Operation, _declare, active, find_owner
from .._entry import enter

F = TypeVar("F", bound=Callable[..., Any])


def variadic_operation(declaration: F) -> F:
    """Make the dispatcher of an operation that is declared as `f(*arrays, ...)`."""
    spec = Operation(declaration, "variadic", ())

    def call(*arrays: Any, **kwargs: Any) -> Any:
        declaration(*arrays, **kwargs)
        named = [(f"arrays[{i}]", x) for i, x in enumerate(arrays)]
        backend = find_owner(spec.name, named) or active()
        strong = all(type(x) in SCALARS for x in arrays)
        entered = [
            enter(backend, x, function=spec.name, argument=name, strong=strong) for name, x in named
        ]
        return backend.admit(spec.implementation(backend), len(entered))(*entered, **kwargs)

    return _declare(spec, call, declaration)
