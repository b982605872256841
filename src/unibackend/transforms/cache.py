"""Cached traces of a function: what a backend keeps, and what is counted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from threading import RLock
from typing import Any, NamedTuple, Protocol

from ..settings import Settings, current


class CacheInfo(NamedTuple):
    """What a compiled function has done: returned by its `cache_info()`."""

    hits: int
    traces: int
    evictions: int
    size: int
    limit: int


class Call(NamedTuple):
    """One call, taken apart: what is traced, and what the trace is for.

    `run` may depend on nothing but the key and the leaves, since a trace serves later calls.
    """

    leaves: list[Any]
    key: Hashable
    run: Callable[[list[Any]], Any]


class Cache(Protocol):
    """The traces of one function on one backend."""

    def call(self, call: Call) -> Any:
        """Run the function compiled, tracing it first where that call is new."""
        ...

    def fast(self, call: Call, stop: Callable[[], None]) -> Callable[..., Any] | None:
        """Return a function of the leaves for calls of this key, all of them owned arrays.

        It is used until the settings change, or until it calls `stop`, which makes the next
        call a `call` again. It counts no hits. None where there is no such way.
        """
        ...

    def explain(self, error: Exception) -> Exception:
        """Return the error to raise for one that the short way met: in this library's words."""
        ...

    def info(self) -> CacheInfo:
        """Return the counts."""
        ...

    def clear(self) -> None:
        """Forget all traces."""
        ...


def trace_settings(settings: Settings) -> Hashable:
    """Return the settings that change what is traced: part of every key."""
    return (
        settings.x64,
        settings.default_float,
        settings.float64_input,
        settings.matmul_precision,
        settings.xla,
    )


class LRU:
    """A bounded map from keys to traces, which counts, and traces once under threads."""

    def __init__(self, on_evict: Callable[[Any], None] | None = None) -> None:
        self._items: OrderedDict[Hashable, Any] = OrderedDict()
        self._on_evict = on_evict
        self._lock = RLock()
        self.hits = self.traces = self.evictions = 0
        self.generation = 0  # changes whenever a trace was dropped
        self.crowded = False  # whether it matters soon which trace was used last

    def peek(self, key: Hashable) -> Any:
        """Return the trace of a key, or None, counting nothing."""
        return self._items.get(key)

    def renew(self, key: Hashable) -> None:
        """Make a key the most recently used."""
        with suppress(KeyError):  # evicted by another thread a moment ago
            self._items.move_to_end(key)

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the trace of a key, making it if there is none."""
        found = self._items.get(key)
        if found is not None:
            self.hits += 1
            self.renew(key)
            return found
        with self._lock:  # reentrant: a function may call itself while it is traced
            found = self._items.get(key)
            if found is not None:
                self.hits += 1
                return found
            made = make()  # where it raises, nothing was stored
            self.traces += 1
            self._items[key] = made
            limit = current().trace_limit
            self.crowded = 2 * len(self._items) > limit
            while len(self._items) > limit:
                _, evicted = self._items.popitem(last=False)
                self.evictions += 1
                self.generation += 1
                if self._on_evict is not None:
                    self._on_evict(evicted)
            return made

    def info(self) -> CacheInfo:
        """Return the counts."""
        return CacheInfo(
            self.hits, self.traces, self.evictions, len(self._items), current().trace_limit
        )

    def clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            evicted = list(self._items.values())
            self._items.clear()
            self.generation += 1
            if self._on_evict is not None:
                for item in evicted:
                    self._on_evict(item)
