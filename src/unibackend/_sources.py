"""What a settings file and the environment say, each value with its source."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from ._values import FLAGS, NAMES, Override, check, suggestion
from .errors import SettingsError

ENVIRONMENT = "UNIBACKEND_"  # the prefix of the environment variables
CONFIG_VARIABLE = "UNIBACKEND_CONFIG"  # names the settings file

_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")


# ---- the environment ---------------------------------------------------------------------------


def read_environment() -> Iterator[Override]:
    """Yield what the variables ``UNIBACKEND_*`` say; an empty one counts as not set."""
    known = [ENVIRONMENT + name.upper() for name in NAMES]
    for variable, text in os.environ.items():
        if not variable.startswith(ENVIRONMENT) or variable == CONFIG_VARIABLE or not text:
            continue
        source = f"environment variable {variable}"
        if variable not in known:
            listed = ", ".join((*known, CONFIG_VARIABLE))
            raise SettingsError(
                f"{source}: no setting has this variable{suggestion(variable, known)}. "
                f"The variables are {listed}"
            )
        name = variable.removeprefix(ENVIRONMENT).lower()
        yield check(name, _from_text(name, text, source), source)


def _from_text(name: str, text: str, source: str) -> Any:
    word = text.lower()
    if name == "trace_limit" and re.fullmatch(r"[+-]?\d+", text, re.ASCII):
        return int(text)
    if name == "xla" and word == "auto":
        return word
    if name not in FLAGS:
        return text
    if word not in _YES + _NO:
        more = ", or auto" if name == "xla" else ""
        raise SettingsError(
            f"{source}: {text!r} is not a yes or a no. "
            f"Allowed are {', '.join(_YES)}, {', '.join(_NO)}{more}"
        )
    return word in _YES


# ---- the file ----------------------------------------------------------------------------------


def read_file(folder: str | None) -> tuple[str | None, list[Override]]:
    """Return the path of the settings file, None where there is none, and what it says.

    Args:
        folder: where the search begins; None for the folder of the running script, or the working
            folder where no script runs.
    """
    path = os.environ.get(CONFIG_VARIABLE)
    if path:
        return _read(os.path.abspath(path), named=True)
    path = _search(folder if folder is not None else _start())
    return (None, []) if path is None else _read(path, named=False)


def _start() -> str | None:
    """Return the folder of the running script, or the working folder.

    Without a script (REPL, ``-c``, notebook) and for an installed tool (pytest, jupyter,
    unibackend itself), which is in nobody's project, it is the working folder.
    """
    script: str | None = getattr(sys.modules.get("__main__"), "__file__", None)
    if script:
        folder = os.path.dirname(os.path.realpath(script))
        if not _is_installed_tool(folder):
            return folder
    try:
        return os.getcwd()
    except FileNotFoundError:  # it was deleted
        return None


def _is_installed_tool(folder: str) -> bool:
    import sysconfig  # once in a process

    of_user = sysconfig.get_preferred_scheme("user")
    scripts = (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", of_user))
    standard_library = os.path.realpath(sysconfig.get_path("stdlib"))
    return (
        folder in map(os.path.realpath, scripts)
        or not {"site-packages", "dist-packages"}.isdisjoint(folder.split(os.sep))
        or (folder + os.sep).startswith(standard_library + os.sep)
    )


def _search(folder: str | None) -> str | None:
    """Return the file of the nearest folder, going up, that is the root of a project."""
    while folder:
        for name in ("unibackend.toml", "pyproject.toml"):
            path = os.path.join(folder, name)
            if os.path.lexists(path):
                return path
        parent = os.path.dirname(folder)
        folder = None if parent == folder else parent
    return None


def _read(path: str, *, named: bool) -> tuple[str | None, list[Override]]:
    text = _text(path)
    content = _parsed(path, text)
    table = ""
    if os.path.basename(path) == "pyproject.toml":
        table = "tool.unibackend."
        tools = content.get("tool", {})
        if "unibackend" not in tools and not named:
            return None, []
        content = tools.get("unibackend")
        if not isinstance(content, dict):
            raise SettingsError(f"{path}: it has no table [tool.unibackend]")
    line_of = _line_numbers(text)
    source = partial(_source, path, line_of, table)
    return path, [check(name, value, source(name)) for name, value in content.items()]


def _source(path: str, line_of: dict[str, int], table: str, name: str) -> str:
    line = line_of.get(table + name)
    return path if line is None else f"{path}:{line}"


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except OSError as error:
        where = f" ({CONFIG_VARIABLE} names it)" if os.environ.get(CONFIG_VARIABLE) else ""
        raise SettingsError(f"{path}: cannot be read{where}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML, which is UTF-8: {error}") from error


def _parsed(path: str, text: str) -> dict[str, Any]:
    import tomllib  # only where there is a file

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = re.search(r"at line (\d+)", str(error))
        line = told[1] if told else str(len(text.splitlines()) or 1)
        raise SettingsError(f"{path}:{line}: not valid TOML: {error}") from error


def _line_numbers(text: str) -> dict[str, int]:
    """Return the line of each ``table.key``, which tomllib does not tell."""
    table = ""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.sub(r"[\s\"']", "", line.partition("#")[0])
        if re.fullmatch(r"\[{1,2}[\w.-]+\]{1,2}", bare):
            table = bare.strip("[]") + "."
        elif "=" in bare:
            lines.setdefault(table + bare.partition("=")[0], number)
    return lines
