"""What `unibackend run` does: settings first, then somebody's script as Python would run it."""

from __future__ import annotations

import builtins
import importlib.util
import os
import runpy
import sys
import types
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from . import backends
from ._sources import ENVIRONMENT
from .settings import configure_from, current, load


def prepare(target: str, arguments: list[str], values: dict[str, Any], *, module: bool) -> None:
    """Make this process look as if Python had started the target, and put its settings in force.

    It sets ``sys.argv``, ``sys.path[0]`` and ``sys.modules["__main__"]`` and, for the processes
    that the target may start, the variables ``UNIBACKEND_<NAME>``.

    Args:
        target: The path of a script, or the name of a module.
        arguments: What the target finds in ``sys.argv`` after its own name.
        values: Settings by name.
        module: Whether the target is a module's name.

    Raises:
        FileNotFoundError: there is no such script.
        SettingsError: a value, the environment or the script's settings file is not allowed.
        BackendNotFoundError: one of them names a backend that is not installed.
        MemoryPolicyError: the environment contradicts the memory policy.
    """
    sys.argv = [target, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = os.getcwd() if module else str(Path(target).resolve().parent)
    sys.modules["__main__"] = _main(_module_file(target) if module else _script_file(target))
    load()  # the settings file is looked up beside the script, which is __main__ by now
    for name, value in values.items():
        configure_from(f"unibackend run --{name}", {name: value})
        os.environ[f"{ENVIRONMENT}{name.upper()}"] = str(value).lower() if name == "x64" else value
    if values.keys() & {"memory", "device", "x64"}:
        # The framework must hear of these before the script starts it by calls of its own.
        backends.load(current().backend)


def execute(target: str, *, module: bool) -> None:
    """Run a prepared script or module; what it raises looks as if Python had run it.

    Args:
        target: The path of a script, or the name of a module.
        module: Whether the target is a module's name.
    """
    try:
        if module:
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            main = sys.modules["__main__"]
            loader = cast("SourceFileLoader", main.__loader__)
            exec(loader.source_to_code(loader.get_data(loader.path), loader.path), vars(main))
    except BaseException as error:
        _hide_own_frames(error.__traceback__)
        raise


def _main(path: str) -> types.ModuleType:
    """Return a module ``__main__`` as Python makes it for a script."""
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__loader__ = SourceFileLoader("__main__", path)
    vars(main).update(__builtins__=builtins, __cached__=None)
    return main


def _script_file(path: str) -> str:
    if not Path(path).is_file():
        raise FileNotFoundError(f"can't open file {os.path.abspath(path)!r}: no such script")
    return os.path.abspath(path)


def _module_file(name: str) -> str:
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ImportError:
        spec = None  # Python says what is wrong when the module is run
    return "" if spec is None or spec.origin is None else spec.origin


def _hide_own_frames(traceback: TracebackType | None) -> None:
    """Let the traceback begin in the script when the interpreter prints it.

    The exception itself travels on: only so does an interrupt end the process by its signal.
    """
    own = (__name__, "runpy", "importlib._bootstrap", "importlib._bootstrap_external")
    while traceback is not None and traceback.tb_frame.f_globals.get("__name__") in own:
        traceback = traceback.tb_next
    show = sys.excepthook

    def show_without_own_frames(
        kind: type[BaseException], error: BaseException, _: TracebackType | None
    ) -> None:
        show(kind, error.with_traceback(traceback), traceback)

    sys.excepthook = show_without_own_frames
