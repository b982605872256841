"""What a function carries besides its code: the key under which `vmap` finds an earlier trace.

A lambda made anew in a loop has the same code, and mostly the same captured values; it must hit
the cache. A changed closure or global must not. State hidden deeper is not seen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FunctionType, MethodType
from typing import Any

from .._dispatch import SCALARS
from .signature import static_key

_ABSENT = object()


class Identity:
    """Objects compared one by one with `is`; keeps them alive, so that no identity is reused."""

    __slots__ = ("_hash", "objects")

    def __init__(self, objects: tuple[Any, ...]) -> None:
        self.objects = objects
        self._hash = hash(tuple(map(id, objects)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Identity)
            and len(self.objects) == len(other.objects)
            and all(a is b for a, b in zip(self.objects, other.objects, strict=True))
        )


@lru_cache(maxsize=1024)
def _global_names(code: CodeType) -> tuple[str, ...]:
    """Return the names that code, and the code of functions made in it, looks up."""
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names.update(dict.fromkeys(_global_names(constant)))
    return tuple(names)


def captured(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Return what a function's result depends on besides its arguments, as a hashable key."""
    if isinstance(function, MethodType):
        return (Identity((function.__self__,)), *captured(function.__func__))
    if isinstance(function, functools.partial):
        given = (*function.args, *function.keywords.values())
        return (tuple(function.keywords), *_keys(given), *captured(function.func))
    if not isinstance(function, FunctionType):
        return (Identity((function,)),)
    code, look_up = function.__code__, function.__globals__.get
    values = [look_up(name, _ABSENT) for name in _global_names(code)]
    if function.__closure__:
        values += [_content(cell) for cell in function.__closure__]
    if function.__defaults__:
        values += function.__defaults__
    if function.__kwdefaults__:
        values += function.__kwdefaults__.values()
    return (code, *_keys(tuple(values)))


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return _ABSENT


def _keys(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Compare Python numbers and texts by value, everything else by identity."""
    plain = tuple(
        static_key(value) if type(value) in SCALARS or type(value) is str else None
        for value in values
    )
    return (plain, Identity(tuple(v for v, key in zip(values, plain, strict=True) if key is None)))
