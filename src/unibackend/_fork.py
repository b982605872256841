"""A child made by `fork` after a framework was started: an error there in place of a hang.

JAX and TensorFlow compute in threads, of which a forked child has none: it waits for ever. So a
backend that was loaded before the fork is refused in the child, except NumPy. What never comes to
this library, as the operators of JAX's own arrays, cannot be refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, cast

from . import _dispatch, backends
from .errors import UnsupportedError

if TYPE_CHECKING:
    from .backends.contract import Backend

# Told in the child: for ways around the dispatcher.
on_fork: list[Callable[[], None]] = []


class Refused:
    """Stands for a backend in the child: only that arrays belong to it is known."""

    def __init__(self, backend: Backend) -> None:
        self.owns = backend.owns
        self._was = backend.name

    def __getattr__(self, member: str) -> NoReturn:
        refuse(self._was)


def refuse(name: str, *_: Any) -> NoReturn:
    """Raise the error for a backend that was started before this process was forked.

    Raises:
        UnsupportedError: always.
    """
    raise UnsupportedError(
        f"the backend {name!r} was started before this process was forked from its parent, and "
        f"its framework would hang here, since its threads are not in the child. Start children "
        f'with multiprocessing.get_context("spawn"), or fork before anything is computed'
    )


@cache
def watch_forks() -> None:
    """See to it that children are told; on Windows there is no fork."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_refuse_started)


def _refuse_started() -> None:
    started = [backend for backend in backends.loaded() if not isinstance(backend, Refused)]
    for backend in started:
        if backend.name not in backends.BUILT_IN or backend.name == "numpy":
            continue
        stand_in = cast("Backend", Refused(backend))
        backends.replace(backend.name, stand_in)
        _dispatch.replace_owner(backend, stand_in)
    for tell in on_fork:
        tell()
