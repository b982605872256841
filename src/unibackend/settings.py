"""What can be set, from where and by whom: the settings in force, and how to change them.

Sources, the later winning: the defaults, a file, the environment, `configure`, `use`. The file is
the one that ``UNIBACKEND_CONFIG`` names, else ``unibackend.toml``, else ``[tool.unibackend]`` of
``pyproject.toml``, in the nearest folder that has one of the two, going up from the folder of the
running script, or from the working folder where there is no script (REPL, notebook, an installed
tool). File and environment are read once, when a setting is first needed; what changes there
later needs `configure`. While one of them is broken, every use says so.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, Unpack, cast

from . import _sources
from ._scopes import Layer, Node, Steps, split, top, without, wrap
from ._values import NAMES, PREFERRED, Override, Settings, Values, check
from .errors import SettingsError

__all__ = [
    "Settings",
    "config_file",
    "configure",
    "configure_from",
    "current",
    "load",
    "on_change",
    "settings",
    "use",
    "within",
    "without_nan_checks",
]

P = ParamSpec("P")
R = TypeVar("R")

# Called as (old, new, kind) with the settings in force here before and after a change, before it
# takes effect. Kind is "configure", "enter" or "exit". One that raises prevents the change, except
# on "exit", where it must not raise. (The old backend may be "auto" in the very first change.)
on_change: list[Callable[[Settings, Settings, str], None]] = []

_lock = threading.RLock()
_base: Settings | None = None  # of the process: everything but `use`; None until first needed
_file: str | None = None  # the settings file that was read


# ---- the settings in force ---------------------------------------------------------------------


def current() -> Settings:
    """Return the settings in force: the same object for as long as nothing changes.

    Raises:
        SettingsError: the settings file or the environment is broken.
        BackendNotFoundError: one of them names a backend that is not installed.
    """
    node = top.get()
    if node is None:
        return _base or load()
    base, merged = node.cache
    return merged if base is _base else _refresh(node)


def settings() -> Settings:
    """Return the settings in force here; printed, they show each value with its source.

    Returns:
        The `Settings`, whose ``backend`` is always the name of a backend.

    Raises:
        SettingsError: the settings file or the environment is broken.
        BackendNotFoundError: one of them names a backend that is not installed.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.settings().backend
        'numpy'
    """
    return current()


def config_file() -> str | None:
    """Return the path of the settings file that is in use, or None where there is none."""
    load()
    return _file


def load(folder: str | None = None) -> Settings:
    """Read file and environment, if that was not done, and return the settings of the process.

    Args:
        folder: where the search for the file begins, in place of the running script's folder.
    """
    global _base, _file
    with _lock:
        if _base is None:
            base, path = _read(folder)
            _base, _file = _resolved(base), path
        return _base


def _read(folder: str | None = None) -> tuple[Settings, str | None]:
    path, overrides = _sources.read_file(folder)
    overrides.extend(_sources.read_environment())
    base = _merged(Settings(), tuple(overrides))
    _check_together(base)
    return base, path


def _resolved(base: Settings) -> Settings:
    if base.backend != "auto":
        return base
    return _merged(base, (("backend", _auto_backend(), base.source("backend")),))


def _refresh(node: Node) -> Settings:
    base = load()
    merged = _in_force(node, base)
    _check_together(merged)
    node.cache = (base, merged)
    return merged


def _in_force(node: Node | None, base: Settings) -> Settings:
    if node is None:
        return base
    return _merged(_in_force(node.parent, base), node.layer[1])


@functools.lru_cache(maxsize=256)  # a scope that is entered again gives the same object again
def _merged(below: Settings, overrides: tuple[Override, ...]) -> Settings:
    values = {name: getattr(below, name) for name in NAMES}
    origin = dict(below._origin)
    for name, value, source in overrides:
        values[name] = value
        origin[name] = source
    if origin == below._origin and all(getattr(below, name) == values[name] for name in NAMES):
        return below
    return Settings(**values, _origin=origin)


def _check_together(merged: Settings) -> None:
    if merged.default_float == "float64" and not merged.x64:
        raise SettingsError(
            f"default_float='float64' (from: {merged.source('default_float')}) needs x64=True, but "
            f"x64=False is in force (from: {merged.source('x64')}); set x64=True with it, or "
            f"default_float to 'auto' or 'float32'"
        )


@functools.cache
def _auto_backend() -> str:
    import logging  # only where no backend is named

    from . import backends  # it reads the settings

    name = next(name for name in PREFERRED if backends.is_installed(name))
    logging.getLogger("unibackend").info(
        "backend 'auto': %s is used, the first that is installed of %s. Name one by "
        "ub.configure(...), UNIBACKEND_BACKEND or unibackend.toml",
        name,
        ", ".join(PREFERRED),
    )
    return name


def _announce(old: Settings, new: Settings, kind: str) -> None:
    for done, listener in enumerate(on_change):
        try:
            listener(old, new, kind)
        except BaseException as error:
            for earlier in reversed(on_change[:done]):
                try:
                    earlier(new, old, kind)
                except Exception as second:  # the first error is the one to report
                    error.add_note(f"and while taking the change back: {second!r}")
            raise


# ---- configure ---------------------------------------------------------------------------------


def configure(name: str | None = None, /, **values: Unpack[Values]) -> Settings:
    """Change settings for the whole process: for applications, near their first lines.

    A library should rather use `use`. Scopes of `use` that are active go on hiding what they name.

    Args:
        name: the name of the backend, the same as the keyword ``backend=``.
        **values: any settings by name, see `Settings`.

    Returns:
        The settings in force after the change.

    Raises:
        SettingsError: an unknown setting, or a value that is not allowed; nothing was changed.
        BackendNotFoundError: the backend is not installed; nothing was changed.

    Examples:
        >>> import unibackend as ub
        >>> ub.configure(trace_limit=100).trace_limit
        100
        >>> ub.configure(trace_limit=256).trace_limit
        256
    """
    return configure_from(_caller("ub.configure"), _given("ub.configure", name, values))


def configure_from(source: str, values: dict[str, Any]) -> Settings:
    """Change settings for the whole process on behalf of `source`, such as a command line."""
    global _base, _file
    overrides = _checked(source, values)
    with _lock:
        base, path = (_base, _file) if _base is not None else _read()
        changed = _resolved(_merged(base, overrides))
        old, new = _in_force(top.get(), base), _in_force(top.get(), changed)
        for merged in (changed, new):
            _check_together(merged)
        if changed is not base:
            _announce(old, new, "configure")
        _base, _file = changed, path
        return new


def _given(function: str, name: str | None, values: Values) -> dict[str, Any]:
    given = dict(values)
    if name is not None:
        if "backend" in given:
            raise SettingsError(
                f"{_caller(function, 3)}: the backend is given twice, as {name!r} and as "
                f"backend={given['backend']!r}; give it once"
            )
        given["backend"] = name
    return given


def _checked(source: str, values: dict[str, Any]) -> tuple[Override, ...]:
    overrides = [check(name, value, source) for name, value in values.items()]
    return tuple(
        (name, _auto_backend(), source)
        if (name, value) == ("backend", "auto")
        else (name, value, source)
        for name, value, source in overrides
    )


def _caller(function: str, depth: int = 2) -> str:
    frame = sys._getframe(depth)
    return f"{function}(...) at {frame.f_code.co_filename}:{frame.f_lineno}"


# ---- use ---------------------------------------------------------------------------------------


def use(name: str | None = None, /, **values: Unpack[Values]) -> Scope:
    """Change settings for a block or a function: a context manager and a decorator.

    The change is seen by this thread or asyncio task only; a new thread starts from what
    `configure` set. A decorated generator, coroutine or asynchronous generator has the setting
    during each of its steps, and its caller does not have it between them. Only the settings that
    are named change, so what `configure` does meanwhile to others is seen.

    Args:
        name: the name of the backend, the same as the keyword ``backend=``.
        **values: any settings by name, see `Settings`.

    Returns:
        A context manager, which may be entered again and again, and gives the settings in force;
        called with a function, it decorates it.

    Raises:
        SettingsError: an unknown setting, or a value that is not allowed.
        BackendNotFoundError: the backend is not installed.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy", x64=True):
        ...     ub.settings().x64
        True
        >>> @ub.use("numpy")
        ... def active():
        ...     return ub.settings().backend
        >>> active()
        'numpy'
    """
    source = _caller("ub.use")
    return Scope(source, _checked(source, _given("ub.use", name, values)))


class Scope:
    """What `use` returns: settings that hold in a block or a function."""

    __slots__ = ("_overrides", "_source")

    def __init__(self, source: str, overrides: tuple[Override, ...]) -> None:
        self._source = source
        self._overrides = overrides

    def __repr__(self) -> str:
        named = ", ".join(f"{name}={value!r}" for name, value, _ in self._overrides)
        return f"<{self._source}: {named}>"

    def __enter__(self) -> Settings:
        return _enter(((self, self._overrides),))

    def __exit__(self, *_: object) -> None:
        _leave(without(top.get(), self))

    def __call__(self, function: Callable[P, R], /) -> Callable[P, R]:
        """Decorate a function of any kind: plain, generator, coroutine, asynchronous generator."""
        if not callable(function) or isinstance(function, type | staticmethod | classmethod):
            raise SettingsError(
                f"{self._source}: it decorates functions and methods, not {function!r}; put it "
                f"below @staticmethod and @classmethod, and on each method of a class"
            )
        steps = functools.partial(Steps, _enter, _leave_step, self._overrides)
        return cast("Callable[P, R]", wrap(function, self, steps))


class _Within:
    """A scope for one backend, without checks and listeners."""

    __slots__ = ("_overrides",)

    def __init__(self, overrides: tuple[Override, ...]) -> None:
        self._overrides = overrides

    def __enter__(self) -> None:
        top.set(Node(top.get(), (self, self._overrides)))

    def __exit__(self, *_: object) -> None:
        top.set(without(top.get(), self))


def within(owner_name: str) -> _Within:
    """Make a backend the active one in a block: for bodies of functions that are traced."""
    return _Within((("backend", owner_name, "the function being compiled"),))


_WITHOUT_NAN_CHECKS = _Within((("check_nans", False, "a function that is looked through"),))


def without_nan_checks() -> _Within:
    """Let operations give NaNs in a block."""
    return _WITHOUT_NAN_CHECKS


def _enter(layers: tuple[Layer, ...]) -> Settings:
    base = load()
    node = top.get()
    old = _in_force(node, base)
    for layer in layers:
        node = Node(node, layer)
    new = _in_force(node, base)
    _check_together(new)
    _announce(old, new, "enter")
    top.set(node)
    return new


def _leave(node: Node | None) -> None:
    base = load()
    old, new = _in_force(top.get(), base), _in_force(node, base)
    top.set(node)
    for listener in on_change:
        listener(old, new, "exit")


def _leave_step(key: object) -> tuple[Layer, ...]:
    """Leave the scope of a key and all above it, and return them to be entered again."""
    above, node = split(top.get(), key)
    assert node is not None, "a step leaves the scope that it entered"
    _leave(node.parent)
    return (node.layer, *above)
