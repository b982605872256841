"""What a function carries besides its code: the key under which `vmap` finds an earlier trace.

A lambda made anew in a loop has the same code, and mostly the same captured values; it must hit
the cache. A changed closure or global must not. State hidden deeper, or in a large array that is
written to, is not seen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import lru_cache
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from .._dispatch import SCALARS
from .signature import static_key

_ABSENT = object()

# Larger arrays (in bytes) and longer containers are told apart by identity only.
_SMALL, _FEW = 4096, 16


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


def captured(function: Callable[..., Any], depth: int = 3) -> tuple[Any, ...]:
    """Return what a function's result depends on besides its arguments, as a hashable key.

    Closures, globals, defaults, the attributes of a bound method's object; small arrays and
    containers by their contents; and, `depth` deep, the same of functions that it calls.
    """
    if isinstance(function, MethodType):
        owner = function.__self__
        attributes = getattr(owner, "__dict__", None)
        state = _keys(tuple(attributes.values()), depth) if type(attributes) is dict else ()
        return (Identity((owner,)), state, *captured(function.__func__, depth))
    if isinstance(function, functools.partial):
        given = (*function.args, *function.keywords.values())
        return (tuple(function.keywords), *_keys(given, depth), *captured(function.func, depth))
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
    return (code, *_keys(tuple(values), depth))


def described(key: tuple[Any, ...]) -> list[tuple[str, int]]:
    """Return the names of what a key of `captured` stands for, each with a hash of its value.

    The hashes keep nothing alive; an identity that was used again looks as if nothing changed.
    """
    if not key:
        return []
    first, *rest = key
    if isinstance(first, CodeType):
        names = [f"the global `{name}`" for name in _global_names(first)]
        names += [f"the variable `{name}`" for name in first.co_freevars]
        return _values(names, *rest)
    if isinstance(first, Identity):
        (owner,) = first.objects
        described_owner = [("`self`", id(owner))]
        if not rest:
            return described_owner
        state, *inner = rest
        if state:
            names = [f"the attribute `{name}`" for name in vars(owner)]
            described_owner += _values(names, *state)
        return described_owner + described(tuple(inner))
    contents, identity, *inner = rest  # of a functools.partial, whose keywords come first
    positional = len(contents) - len(first)
    names = [f"argument {i} of functools.partial" for i in range(positional)]
    names += [f"the argument `{name}` of functools.partial" for name in first]
    return _values(names, contents, identity) + described(tuple(inner))


def _values(
    names: list[str], contents: tuple[Any, ...], identity: Identity
) -> list[tuple[str, int]]:
    names = names + [f"default {i}" for i in range(len(contents) - len(names))]
    rest = iter(identity.objects)
    return [
        (name, id(next(rest)) if content is None else hash(content))
        for name, content in zip(names, contents, strict=False)
    ]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return _ABSENT


def _keys(values: tuple[Any, ...], depth: int) -> tuple[Any, ...]:
    """Compare by contents what is plain and small, everything else by identity."""
    contents = tuple([_by_contents(value, depth) for value in values])
    rest = tuple([v for v, key in zip(values, contents, strict=True) if key is None])
    return (contents, Identity(rest))


def _by_contents(value: Any, depth: int) -> Any:
    """Return a key made of a value's contents, None where its identity must do."""
    cls = type(value)
    if cls in SCALARS or cls is str:
        return static_key(value)
    if cls is np.ndarray:
        if value.flags.writeable and value.nbytes <= _SMALL and value.dtype != object:
            return (value.shape, value.dtype, value.tobytes())
        return None
    if depth == 0:
        return None
    if cls is list or cls is tuple or cls is dict:
        if len(value) > _FEW:
            return None
        items = (*value.keys(), *value.values()) if cls is dict else tuple(value)
        return (cls, *_keys(items, depth - 1))
    if cls is FunctionType and not _is_ours(value):
        return captured(value, depth - 1)
    return None


def _is_ours(function: FunctionType) -> bool:
    """Tell whether a function is of this package; one that `exec` makes may have no module."""
    return (function.__module__ or "").partition(".")[0] == "unibackend"


def frozen(function: Any, depth: int = 6) -> Any:
    """Return a copy of a function that keeps what it captures now, to be run again later.

    A variable may be assigned anew in between, as in ``y = ub.vmap(lambda x: x * y)(xs)``. What
    the copy assigns itself (`nonlocal`) does not reach the original. Functions that it captures
    are copied too, so deep; globals are kept by name, those of the function alone.
    """
    return _frozen(function, depth, {})


def _frozen(function: Any, depth: int, copies: dict[int, Any]) -> Any:
    if isinstance(function, MethodType):
        return MethodType(_frozen(function.__func__, depth, copies), function.__self__)
    if type(function) is functools.partial:
        inner = _frozen(function.func, depth, copies)
        return functools.partial(inner, *function.args, **function.keywords)
    if not isinstance(function, FunctionType):
        return function
    ours = _is_ours(function)  # these rely on what they share
    scope = function.__globals__
    if not ours:
        names = ("__builtins__", "__name__", *_global_names(function.__code__))
        scope = {name: scope[name] for name in names if name in scope}
    cells = function.__closure__ or ()
    closure = tuple(_frozen_cell(cell, depth, copies, ours) for cell in cells)
    copy = FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, closure or None
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    copy.__module__ = function.__module__
    return copy


def _frozen_cell(cell: CellType, depth: int, copies: dict[int, Any], ours: bool) -> CellType:
    """Return a cell with the same content, the same one for all functions that share it."""
    content = _content(cell)
    is_function = isinstance(content, FunctionType | MethodType | functools.partial)
    if content is _ABSENT or (ours and not is_function):
        return cell
    if id(cell) not in copies:
        copies[id(cell)] = CellType()  # before its content, which may refer to it
        copies[id(cell)].cell_contents = (
            _frozen(content, depth - 1, copies) if is_function and depth else content
        )
    found: CellType = copies[id(cell)]
    return found
