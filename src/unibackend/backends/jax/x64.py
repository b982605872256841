"""JAX's 64 bit flag follows the setting `x64`: the process's for `configure`, a scope for `use`.

JAX's scope belongs to the thread, not to the context. In an asyncio task it would leak into
other tasks (4 of 8 came out wrong), so it is refused there.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import jax

from ...errors import SettingsError
from ...settings import current

if TYPE_CHECKING:
    from ...settings import Settings


class _Scope(threading.local):
    """The scope of `jax.enable_x64` that this library has entered in this thread, if any."""

    def __init__(self) -> None:
        self.entered: Any = None


_scope = _Scope()


def follow(settings: Settings) -> None:
    """Make JAX's flag in this thread what the settings say.

    A value from `ub.use` is a scope of this thread; one from a file, the environment or
    `ub.configure` is the process's. The default touches nothing: `check` sees what differs.

    Raises:
        SettingsError: that needs a scope, inside an asyncio task.
    """
    source = settings.source("x64")
    scoped = source.startswith("ub.use")
    if _scope.entered is not None and (not scoped or _flag() != settings.x64):
        scope, _scope.entered = _scope.entered, None
        scope.__exit__(None, None, None)
    if _flag() == settings.x64 or source == "default":
        return
    if not scoped:
        jax.config.update("jax_enable_x64", settings.x64)  # type: ignore[no-untyped-call]
        return
    if in_task():
        raise SettingsError(
            f"x64={settings.x64} (from {source}) inside an asyncio task: JAX's 64 bit flag belongs "
            f"to the thread and would change other tasks; use ub.configure(x64={settings.x64}) "
            f"before the tasks start"
        )
    scope = jax.enable_x64(settings.x64)
    scope.__enter__()
    _scope.entered = scope


def _flag() -> bool:
    return bool(jax.config.jax_enable_x64)  # type: ignore[attr-defined]


def on_change(old: Settings, new: Settings, kind: str) -> None:
    """Follow a change of the settings in force, before it takes effect."""
    if old.x64 != new.x64 or kind == "exit":
        follow(new)


def check(function: str) -> None:
    """Refuse to go on when somebody else has changed JAX's flag.

    Raises:
        SettingsError: JAX's flag is not what the settings say.
    """
    settings = current()
    if _flag() != settings.x64:
        state = "on" if _flag() else "off"
        raise SettingsError(
            f"{function}: JAX's own 64 bit flag is {state} but x64={settings.x64} (from "
            f"{settings.source('x64')}); set the width in one place, with "
            f"ub.configure(x64={not settings.x64})"
        )


def in_task() -> bool:
    """Tell whether this code is part of an asyncio task, which shares its thread with others."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return False
    try:
        return asyncio.current_task() is not None
    except RuntimeError:  # no running loop in this thread
        return False
