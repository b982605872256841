"""Control flow on JAX: its own, behind this library's rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

from ._values import TRACING_ERRORS, tracing_error

Flat = Callable[[list[Any]], list[Any]]


def rehearse(function: Callable[[list[Any]], Any], leaves: list[Any], name: str) -> None:
    """Trace a function; it notes the shapes and dtypes of what it returns itself."""

    def traced(leaves: list[Any]) -> tuple[()]:
        function(leaves)
        return ()

    try:
        jax.eval_shape(traced, leaves)
    except TRACING_ERRORS as error:
        raise tracing_error(name, error) from error


def switch(index: Any, branches: list[Flat], leaves: list[Any]) -> list[Any]:
    return list(jax.lax.switch(index, branches, leaves))


def while_loop(cond: Callable[[list[Any]], Any], body: Flat, leaves: list[Any]) -> list[Any]:
    while_loop: Any = jax.lax.while_loop  # its types take a list for any iterable
    return list(while_loop(cond, body, leaves))


def scan(
    body: Callable[[list[Any], list[Any]], tuple[list[Any], list[Any]]],
    init: list[Any],
    xs: list[Any],
    length: int,
    reverse: bool,
) -> tuple[list[Any], list[Any]]:
    carry, ys = jax.lax.scan(
        lambda carry, x: body(list(carry), list(x)), init, xs, length=length, reverse=reverse
    )
    return list(carry), list(ys)


def refuse_gradient(leaves: list[Any], message: str) -> list[Any]:
    """Return the leaves: JAX refuses by itself, as it must, for it has the forward mode."""
    return leaves
