"""Derivatives on JAX: its own `vjp` and `custom_vjp`, behind this library's rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ... import dtypes, tree
from ..._dispatch import SCALARS
from ...errors import UnsupportedError
from ...transforms.custom_vjp import refusal
from ...transforms.signature import name_of
from ._values import TRACING_ERRORS, strong, tracing_error

Flat = Callable[[list[Any]], list[Any]]


def vjp(
    function: Callable[[list[Any]], tuple[list[Any], Any]], leaves: list[Any], name: str
) -> tuple[list[Any], Flat, Any]:
    def of_leaves(*leaves: Any) -> tuple[list[Any], Any]:
        outputs, aux = function(list(leaves))
        return [strong(x) for x in outputs], aux

    # As a weak array, since JAX hands a bare Python number to `custom_vjp` as NumPy's.
    arrays = [jnp.asarray(x) if type(x) in SCALARS else x for x in leaves]
    try:
        outputs, pull, aux = jax.vjp(of_leaves, *arrays, has_aux=True)
    except TRACING_ERRORS as error:
        raise tracing_error(name, error) from error
    except UnsupportedError:
        raise
    except NotImplementedError as error:
        raise UnsupportedError(f"{name}: JAX has no derivative here: {error}") from error

    def pullback(cotangents: list[Any]) -> list[Any]:
        given = [
            ct if dtypes.kind(np.dtype(y.dtype)) in "fc" else np.zeros(y.shape, jax.dtypes.float0)
            for y, ct in zip(outputs, cotangents, strict=True)
        ]
        try:
            return [strong(x) for x in pull(given)]
        except ValueError as error:
            if "Reverse-mode differentiation does not work" not in str(error):
                raise
            raise UnsupportedError(
                f"{name}: a while_loop, or a fori_loop whose bounds are not Python integers, has "
                f"no gradient in reverse, since the number of its steps is not known; use "
                f"ub.scan, or ub.fori_loop with static bounds"
            ) from error

    return list(outputs), pullback, aux


def custom_vjp(
    primal: Flat,
    forward: Callable[[list[Any]], tuple[list[Any], Any]],
    backward: Callable[[Any, list[Any]], list[Any]],
    leaves: list[Any],
    function: Callable[..., Any],
) -> list[Any]:
    @jax.custom_vjp
    def with_rule(*leaves: Any) -> list[Any]:
        return [strong(x) for x in primal(list(leaves))]

    def fwd(*leaves: Any) -> tuple[list[Any], Any]:
        outputs, residuals = forward(list(leaves))
        return [strong(x) for x in outputs], residuals

    def bwd(residuals: Any, cotangents: list[Any]) -> tuple[Any, ...]:
        return tuple(backward(residuals, cotangents))

    with_rule.defvjp(fwd, bwd)
    if _holds_differentiated(function):  # in a `jit` JAX notices at its end, and says not where
        raise UnsupportedError(refusal(name_of(function)))
    try:
        return list(with_rule(*leaves))
    except jax.errors.UnexpectedTracerError as error:
        raise UnsupportedError(refusal(name_of(function))) from error


def _holds_differentiated(function: Any, depth: int = 3) -> bool:
    """Tell whether a function closes over a value that is differentiated, or a function does."""
    for cell in getattr(function, "__closure__", None) or ():
        try:
            content = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
        # Only tracers of derivatives have a primal value.
        if any(isinstance(x, Tracer) and hasattr(x, "primal") for x in tree.leaves(content)):
            return True
        if depth and _holds_differentiated(content, depth - 1):
            return True
    return False


def stop_gradient(x: Any) -> Any:
    return jax.lax.stop_gradient(jnp.asarray(x))
