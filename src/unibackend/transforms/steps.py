"""Control flow as Python runs it, step by step: the reference, and the way to debug a loop."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import backends
from .._nans import not_looking
from ..errors import UnibackendError
from ..settings import current
from .by_code import in_trace

if TYPE_CHECKING:
    from ..backends.contract import Backend

Flat = Callable[[list[Any]], list[Any]]

_rehearsing: ContextVar[bool] = ContextVar("unibackend_rehearsing", default=False)


def is_rehearsal() -> bool:
    """Tell whether what runs now is run for its shapes and dtypes only."""
    return _rehearsing.get()


@contextmanager
def rehearsal() -> Iterator[None]:
    """Run a body for its shapes and dtypes only: loops in it take one step at most."""
    token = _rehearsing.set(True)
    try:
        with not_looking(*backends.loaded()):
            yield
    finally:
        _rehearsing.reset(token)


def rehearse(function: Flat, leaves: list[Any], name: str) -> None:
    """Call a function for the shapes and dtypes of what it returns, which it notes itself.

    It may never run on these values, so what Python and NumPy have against them is no error:
    an index out of range, a division by zero.
    """
    with rehearsal(), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(leaves)
        except UnibackendError:
            raise
        except Exception:
            return


def are_taken(backend: Backend, leaves: list[Any]) -> bool:
    """Tell whether control flow runs here: on NumPy, and untraced while somebody debugs."""
    if backend.while_loop is while_loop:
        return True
    settings = current()
    by_hand = not settings.compile or settings.check_nans  # each operation is looked at
    return by_hand and not in_trace(backend, leaves)


def switch(index: Any, branches: list[Flat], leaves: list[Any]) -> list[Any]:
    """Return what one branch returns; the index is in range."""
    return branches[int(index)](leaves)


def while_loop(cond: Callable[[list[Any]], Any], body: Flat, leaves: list[Any]) -> list[Any]:
    """Return the last leaves; a rehearsal cannot wait until its condition is false."""
    while bool(cond(leaves)):
        leaves = body(leaves)
        if is_rehearsal():
            break
    return leaves


def scan(
    body: Callable[[list[Any], list[Any]], tuple[list[Any], list[Any]]],
    init: list[Any],
    xs: list[Any],
    length: int,
    reverse: bool,
) -> tuple[list[Any], list[Any]]:
    """Return the last carry and the stacked outputs of each step."""
    from ..ops.creation import zeros  # operations are built on this package's neighbours
    from ..ops.manipulation import stack

    carry, rows = init, []
    steps = range(length)
    for i in reversed(steps) if reverse else steps:
        carry, ys = body(carry, [x[i] for x in xs])
        rows.append(ys)
    if not rows:  # one step on zeros tells the shapes
        ys = []

        def step(leaves: list[Any]) -> list[Any]:
            ys[:] = body(init, leaves)[1]
            return ys

        rehearse(step, [zeros(x.shape[1:], dtype=x.dtype) for x in xs], "scan")
        return init, [zeros((0, *y.shape), dtype=y.dtype) for y in ys]
    if reverse:
        rows.reverse()
    return carry, [stack(list(column)) for column in zip(*rows, strict=True)]
