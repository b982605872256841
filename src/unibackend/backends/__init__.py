"""Which backends there are, which are installed, and the one place that imports them.

A backend of somebody else's joins through the entry point group ``unibackend.backends``: the
entry point names a module (or object) that satisfies `unibackend.backends.contract.Backend`.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, cast

from ..errors import BackendNotFoundError
from ..settings import Settings, current, on_change

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .contract import Backend

# The built-in backends in the order of preference when none is named, and the modules that
# each needs. An array's class tells by its module's root which framework it is from.
BUILT_IN: dict[str, tuple[str, ...]] = {
    "jax": ("jax", "jaxlib"),
    "tensorflow": ("tensorflow",),
    "numpy": ("numpy",),
}

_loaded: dict[str, Backend] = {}
on_load: list[Callable[[Backend], None]] = []  # told of each backend once it is there
_lock = threading.RLock()


@cache
def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # reads every installed package

    found = entry_points(group="unibackend.backends")
    return {point.name: point for point in found if point.name not in BUILT_IN}


def names() -> tuple[str, ...]:
    """Return the names of all backends that are known, installed or not.

    Examples:
        >>> from unibackend import backends
        >>> backends.names()[:3]
        ('jax', 'tensorflow', 'numpy')
    """
    return (*BUILT_IN, *_entry_points())


def is_installed(name: str) -> bool:
    """Tell whether a backend could be loaded, without importing its framework.

    Args:
        name: one of `names`.

    Examples:
        >>> from unibackend import backends
        >>> backends.is_installed("numpy")
        True
    """
    modules = BUILT_IN.get(name)
    if modules is None:
        return name in _entry_points()
    return all(module in sys.modules or importlib.util.find_spec(module) for module in modules)


def loaded() -> tuple[Backend, ...]:
    """Return the backends that have been loaded so far, in the order of their loading."""
    return tuple(_loaded.values())


def load(name: str) -> Backend:
    """Return a backend, importing and starting it at its first use.

    Args:
        name: one of `names`.

    Raises:
        BackendNotFoundError: the backend is unknown, or its framework is not installed.
    """
    backend = _loaded.get(name)
    return backend if backend is not None else _load(name)


def replace(name: str, stand_in: Backend) -> None:
    """Put something in the place of a backend that has been loaded."""
    _loaded[name] = stand_in


def _load(name: str) -> Backend:
    from .._fork import watch_forks  # made of this module

    with _lock:
        if name in _loaded:
            return _loaded[name]
        if name not in names():
            known = ", ".join(names())
            raise BackendNotFoundError(f"no backend is called {name!r}; there are: {known}")
        if not is_installed(name):
            raise BackendNotFoundError(missing(name))
        if name in BUILT_IN:
            backend = cast("Backend", importlib.import_module(f"{__name__}.{name}._backend"))
        else:
            backend = _entry_points()[name].load()
            _check_contract(name, backend)
        backend.start(current())
        _loaded[name] = backend
        watch_forks()
        for tell in on_load:
            tell(backend)
        return backend


# In the user's own tf.function, which may be where TensorFlow is first met, AutoGraph must not
# rewrite the import. This is the mark that `tf.autograph.experimental.do_not_convert` sets; later
# calls are left alone by a rule of the backend's.
_load.autograph_info__ = None  # type: ignore[attr-defined]


def _on_change(old: Settings, new: Settings, kind: str) -> None:
    """Load JAX where its width changes and the user's own JAX code may depend on it."""
    if old.x64 != new.x64 and new.backend == "jax" and "jax" in sys.modules and kind != "exit":
        load("jax")  # adds a listener of its own, which is told of this change too


on_change.append(_on_change)


def missing(name: str) -> str:
    """Return the text that says that a known backend is not installed, and how to install it."""
    modules = " and ".join(BUILT_IN.get(name, (name,)))
    return (
        f"the backend {name!r} needs {modules}, which cannot be imported here; "
        f'install it with: pip install "unibackend[{name}]"'
    )


def _check_contract(name: str, backend: object) -> None:
    from .contract import MEMBERS

    absent = [member for member in MEMBERS if not hasattr(backend, member)]
    if absent:
        raise BackendNotFoundError(
            f"the entry point {name!r} of the group 'unibackend.backends' is {backend!r}, which "
            f"lacks {', '.join(absent)}; see unibackend.backends.contract.Backend"
        )


def of_type(cls: type) -> Backend | None:
    """Return the backend that owns the arrays of a class, or None where nobody does.

    A framework that was not imported cannot have made an array, so only the backends whose
    framework's name stands in the class's ancestry are loaded to be asked.
    """
    for backend in _loaded.values():
        if backend.owns(cls):
            return backend
    roots = {base.__module__.partition(".")[0] for base in cls.__mro__}
    candidates = [
        name for name, modules in BUILT_IN.items() if name != "numpy" and roots & set(modules)
    ]
    if hasattr(cls, "__tf_tensor__") and is_installed("tensorflow"):  # a variable of Keras
        candidates.append("tensorflow")
    for name in (*candidates, *_entry_points()):
        if name not in _loaded and load(name).owns(cls):
            return _loaded[name]
    return None
