"""Scopes: a list of them in one context variable, and functions whose steps run in a scope.

`settings` says what a scope means; here is how scopes nest, interleave, and come and go with the
steps of generators and coroutines.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeAlias

from ._values import Override

if TYPE_CHECKING:
    from ._values import Settings

# What identifies a scope, and what it changes.
Layer: TypeAlias = tuple[object, tuple[Override, ...]]

_NOT_CACHED: Any = (object(), None)


class Node:
    """One scope on top of others: an immutable list."""

    __slots__ = ("cache", "layer", "parent")

    def __init__(self, parent: Node | None, layer: Layer) -> None:
        self.parent = parent
        self.layer = layer
        # The process's settings, and with them the settings in force under this node. One tuple,
        # so that threads that share the node never see half of a change.
        self.cache: tuple[object, Settings] = _NOT_CACHED


top: ContextVar[Node | None] = ContextVar("unibackend_scopes", default=None)


def split(node: Node | None, key: object) -> tuple[list[Layer], Node | None]:
    """Return the layers above the topmost node of a key, outermost first, and that node."""
    above: list[Layer] = []
    while node is not None and node.layer[0] is not key:
        above.append(node.layer)
        node = node.parent
    return above[::-1], node


def without(node: Node | None, key: object) -> Node | None:
    """Return the list without the topmost node of a key, wherever that is: scopes interleave.

    A key that is not there (a generator was finished in another thread or task) changes nothing.
    """
    above, found = split(node, key)
    if found is None:
        return node
    kept = found.parent
    for layer in above:
        kept = Node(kept, layer)
    return kept


class Steps:
    """Drives a generator or awaitable: its scope holds during each step, not between the steps.

    Scopes that the body opens in one step and leaves in a later one come and go with it.
    """

    __slots__ = ("_driven", "_enter", "_key", "_layers", "_leave")

    def __init__(self, enter: Enter, leave: Leave, overrides: tuple[Override, ...]) -> None:
        self._enter = enter
        self._leave = leave
        self._key = object()
        self._layers: tuple[Layer, ...] = ((self._key, overrides),)
        self._driven: Any = None

    def of(self, driven: Any) -> Steps:
        """Drive this generator or awaitable from now on."""
        self._driven = driven
        return self

    def __iter__(self) -> Steps:
        return self

    __await__ = __iter__

    def __next__(self) -> Any:
        return self._step(self._driven.send, None)

    def send(self, value: Any) -> Any:
        return self._step(self._driven.send, value)

    def throw(self, *error: Any) -> Any:
        return self._step(self._driven.throw, *error)

    def close(self) -> None:
        self._step(self._driven.close)

    def _step(self, action: Callable[..., Any], *arguments: Any) -> Any:
        self._enter(self._layers)
        try:
            return action(*arguments)
        finally:
            self._layers = self._leave(self._key)


# Opens layers of scopes.
Enter: TypeAlias = Callable[[tuple[Layer, ...]], object]
# Closes the scope of a key and those above it, and returns their layers.
Leave: TypeAlias = Callable[[object], tuple[Layer, ...]]


def wrap(
    function: Callable[..., Any], scope: AbstractContextManager[Any], steps: Callable[[], Steps]
) -> Callable[..., Any]:
    """Return a function of the same kind and signature whose body runs in a scope.

    Args:
        function: a plain function, generator, coroutine or asynchronous generator function.
        scope: where a plain function runs.
        steps: makes what drives one call of the other kinds.
    """
    import inspect  # slow to import

    def plain(*args: Any, **kwargs: Any) -> Any:
        with scope:
            return function(*args, **kwargs)

    def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        return (yield from steps().of(function(*args, **kwargs)))

    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        return await steps().of(function(*args, **kwargs))

    async def async_generator(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        generator, body = function(*args, **kwargs), steps()
        step = generator.asend(None)
        while True:
            try:
                value = await body.of(step)
            except StopAsyncIteration:
                return
            try:
                step = generator.asend((yield value))
            except GeneratorExit:
                await body.of(generator.aclose())
                raise
            except BaseException as error:  # thrown in by the caller
                step = generator.athrow(error)

    wrapper: Callable[..., Any] = plain
    if inspect.isasyncgenfunction(function):
        wrapper = async_generator
    elif inspect.iscoroutinefunction(function):
        wrapper = coroutine
    elif inspect.isgeneratorfunction(function):
        wrapper = generator
    return functools.wraps(function)(wrapper)
