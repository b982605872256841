"""The line of a program that an error is about: of its innermost frame outside of libraries."""

from __future__ import annotations

import linecache
import os
import re
import sys
from types import FrameType, TracebackType

# Modules whose frames are not the user's.
_LIBRARIES = frozenset(
    ("unibackend", "jax", "jaxlib", "tensorflow", "keras", "numpy", "optree", "opt_einsum")
    + ("contextlib", "functools")
)


def of_error(error: BaseException) -> str:
    """Return the line that an error was raised in, as `of_stack`."""
    return _innermost(error.__traceback__)


def of_stack() -> str:
    """Return the line that is running, as the end of a message: file, number, source.

    Returns:
        The text, which starts with a new line; "" where all frames are libraries'.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_library(frame):
        frame = frame.f_back
    return "" if frame is None else _described(frame, frame.f_lineno)


def stacklevel() -> int:
    """Return the `stacklevel` by which the caller's warning points at the user's line."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and _is_library(frame):
        frame, level = frame.f_back, level + 1
    return level


def of_listing(text: str) -> str:
    """Return the last line of the user's in a listing as Python prints it, as `of_stack`."""
    roots = tuple(
        os.path.dirname(file) + os.sep
        for name in _LIBRARIES - {"contextlib", "functools"}  # whose folder is all of Python's
        if (file := getattr(sys.modules.get(name), "__file__", None))
    )
    for file, number, function in reversed(re.findall(r'File "(.+)", line (\d+), in (.+)', text)):
        if not file.startswith(roots):
            return at(file, int(number), function)
    return ""


def at(file: str, number: int, function: str) -> str:
    """Return a line of a file as the end of a message."""
    source = linecache.getline(file, number).strip()
    end = f"\n    {source}" if source else ""
    return f'\n  File "{file}", line {number}, in {function}{end}'


def _innermost(traceback: TracebackType | None) -> str:
    text = ""
    while traceback is not None:
        if not _is_library(traceback.tb_frame):
            text = _described(traceback.tb_frame, traceback.tb_lineno)
        traceback = traceback.tb_next
    return text


def _is_library(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__") or ""
    return name.partition(".")[0] in _LIBRARIES


def _described(frame: FrameType, number: int) -> str:
    return at(frame.f_code.co_filename, number, frame.f_code.co_name)
