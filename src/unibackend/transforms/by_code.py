"""Traces that a function finds again by its code and what it captures, made anew or not.

`ub.scan(lambda ...)` in a loop is another function object at each call; it must not be traced
at each. What is frozen in such a trace is said at `captured`.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Hashable
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from ..dtypes import limits
from ..settings import current
from .cache import Cache, Call, Key
from .captured import captured
from .signature import Spec

if TYPE_CHECKING:
    from ..backends.contract import Backend

# The caches by the code (or the class, where there is no code) of the first function.
_caches: weakref.WeakKeyDictionary[Any, dict[Any, Cache]] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def run_by_code(
    transformation: str,
    functions: tuple[Callable[..., Any], ...],
    backend: Backend,
    leaves: list[Any],
    key: Hashable,
    run: Callable[[list[Any]], Any],
) -> Any:
    """Return `run(leaves)`, compiled where that can be, with its trace found again.

    Args:
        transformation: the name of the transformation, for errors.
        functions: what the user gave; the trace is for their code and what they capture.
        backend: the owner of the leaves.
        leaves: arrays of the backend, and Python numbers, which are traced as weak.
        key: all that `run` depends on besides the functions and the leaves.
        run: it takes the leaves, traced or not, and returns a tree of arrays.
    """
    if runs_inline(backend, leaves):
        return run(leaves)
    cache = cache_of(transformation, functions[0], backend)
    ranges = tuple([(i, limits(leaf)) for i, leaf in enumerate(leaves) if type(leaf) is int])
    carried = tuple(map(captured, functions))
    return cache.call(Call(leaves, Key(ranges=ranges, options=key, captured=carried), run))


def runs_inline(backend: Backend, leaves: list[Any]) -> bool:
    """Tell whether a call is a part of what runs now, and nothing to compile by itself.

    So it is inside another trace, whose values the functions may capture, and with
    `ub.use(compile=False)`.
    """
    return not current().compile or in_trace(backend, leaves)


def in_trace(backend: Backend, leaves: list[Any]) -> bool:
    """Tell whether a call is made while something is traced, or on values of a trace."""
    return backend.is_tracing() or not all(
        backend.is_concrete(leaf) for leaf in leaves if hasattr(leaf, "dtype")
    )


def cache_of(
    transformation: str,
    function: Callable[..., Any],
    backend: Backend,
    options: Hashable = None,
) -> Cache:
    """Return the traces of all functions that have the code of this one."""
    home: Any = function
    while isinstance(home, MethodType | functools.partial):
        home = home.__func__ if isinstance(home, MethodType) else home.func
    home = home.__code__ if isinstance(home, FunctionType) else type(home)
    key = (transformation, backend.name, options)
    with _lock:
        caches = _caches.setdefault(home, {})
        found = caches.get(key)
        if found is None:
            found = caches[key] = backend.compile(Spec(function, transformation))
        return found
