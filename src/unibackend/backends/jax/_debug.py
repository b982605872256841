"""Debugging on JAX: its own callbacks, and its own look at NaNs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ._values import strong
from .x64 import in_task


class _Scope(threading.local):
    """The scope of `jax.debug_nans` that this library has entered in this thread, if any."""

    def __init__(self) -> None:
        self.entered: Any = None


_scope = _Scope()


def watch_nans(on: bool) -> None:
    """Switch JAX's own look at NaNs, but in an asyncio task: it would look in other tasks too."""
    if on and _scope.entered is None and not in_task():
        _scope.entered = jax.debug_nans(True)
        _scope.entered.__enter__()
    elif not on and _scope.entered is not None:
        scope, _scope.entered = _scope.entered, None
        scope.__exit__(None, None, None)


def callback(function: Callable[..., None], arrays: list[Any], ordered: bool) -> None:
    """Call by `jax.debug.callback`, under `vmap` once, which then goes through the examples.

    Its own batching rule puts one callback for each example into the program, and takes those of
    nested maps in the order of the inner axis.
    """

    def with_values(*values: Any) -> None:
        function(*map(np.asarray, values))

    @jax.custom_batching.custom_vmap
    def call(*values: Any) -> tuple[()]:
        jax.debug.callback(with_values, *values, ordered=ordered)
        return ()

    @call.def_vmap
    def of_batch(size: int, mapped: list[bool], *values: Any) -> Any:
        def for_each(*batches: Any) -> None:
            for i in range(size):
                function(*(x[i] if own else x for x, own in zip(batches, mapped, strict=True)))

        callback(for_each, list(values), ordered)
        return (), ()

    call(*(jax.lax.stop_gradient(strong(x)) for x in arrays))
