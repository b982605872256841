"""Derivatives on NumPy: there are none, and what is only a value without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import UnsupportedError

Flat = Callable[[list[Any]], list[Any]]


def vjp(
    function: Callable[[list[Any]], tuple[list[Any], Any]], leaves: list[Any], name: str
) -> tuple[list[Any], Flat, Any]:
    raise UnsupportedError(
        f"{name}: NumPy, the reference, has no derivatives; run this on JAX or TensorFlow, as "
        f'in `with ub.use("jax"):`'
    )


def custom_vjp(
    primal: Flat,
    forward: Callable[[list[Any]], tuple[list[Any], Any]],
    backward: Callable[[Any, list[Any]], list[Any]],
    leaves: list[Any],
    function: Callable[..., Any],
) -> list[Any]:
    return primal(leaves)


def stop_gradient(x: Any) -> Any:
    return x
