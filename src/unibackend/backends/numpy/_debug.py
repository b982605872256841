"""Debugging on NumPy: calls back at once, and NumPy's own switch for invalid values."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Literal, TypeAlias

import numpy as np

Handling: TypeAlias = Literal["ignore", "warn", "raise", "call", "print", "log"]

# How NumPy handled invalid values in this context before NaNs were looked for.
_before: ContextVar[Handling | None] = ContextVar("unibackend_numpy_invalid", default=None)


def watch_nans(on: bool) -> None:
    before = _before.get()
    if on and before is None:
        _before.set(np.seterr(invalid="raise")["invalid"])
    elif not on and before is not None:
        np.seterr(invalid=before)
        _before.set(None)


def callback(function: Callable[..., None], arrays: list[Any], ordered: bool) -> None:
    function(*map(np.asarray, arrays))
