"""Cached traces of a function: what a backend keeps, and what is counted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from operator import attrgetter
from threading import RLock
from typing import Any, NamedTuple, Protocol

from ..settings import Settings, current

# A trace keeps alive what its function captured. So many are kept that differ in that alone: a
# function that captures something new at every call may not hold all of it until the limit.
_VARIANTS = 32


class CacheInfo(NamedTuple):
    """What a compiled function has done: returned by its `cache_info()`.

    `reasons` counts why it was traced: "first call", "shape of x", "static value of n", ...
    """

    hits: int
    traces: int
    evictions: int
    size: int
    limit: int
    reasons: dict[str, int]


class Key(NamedTuple):
    """What a trace is for, besides dtypes, shapes and settings."""

    structure: Any = None  # of the arguments; None where there are only leaves
    which: tuple[bool, ...] = ()  # for each leaf of the structure whether it is static
    statics: tuple[Hashable, ...] = ()  # the static leaves
    ranges: tuple[Any, ...] = ()  # of each Python integer that is traced, its place and range
    options: Hashable = ()  # of the transformation
    captured: tuple[Any, ...] = ()  # by each function, from `transforms.captured`


class Call(NamedTuple):
    """One call, taken apart: what is traced, and what the trace is for.

    `run` may depend on nothing but the key and the leaves, since a trace serves later calls.
    Without a key it is run as it is.
    """

    leaves: list[Any]
    key: Key | None
    run: Callable[[list[Any]], Any]


class LongWay(Exception):  # noqa: N818 - no error: it never reaches the caller
    """Raised by a cache on the short way: this call must take the long one."""


class Cache(Protocol):
    """The traces of one function on one backend."""

    def call(self, call: Call) -> Any:
        """Run the function compiled, tracing it first where that call is new."""
        ...

    def fast(self, call: Call, caller: Stoppable) -> Callable[..., Any] | None:
        """Return a function of the leaves for calls of this key, all of them owned arrays.

        It is used until the settings change, or until the caller is told to stop, which makes
        its next call a `call` again. It counts no hits. None where there is no such way.
        """
        ...

    def explain(self, error: Exception) -> Exception:
        """Return the error to raise for one that the short way met: in this library's words."""
        ...

    def info(self) -> CacheInfo:
        """Return the counts; the hits without those of the short way, and less its misses."""
        ...

    def clear(self) -> None:
        """Forget all traces."""
        ...


class Stoppable(Protocol):
    """Who takes a short way into a cache, and can be told to stop that."""

    def stop(self) -> None:
        """Take the long way at the next call."""
        ...


# The settings that change what is traced.
TRACE_SETTINGS = ("x64", "default_float", "float64_input", "matmul_precision", "xla")


# Their values: part of every key.
trace_settings: Callable[[Settings], tuple[Any, ...]] = attrgetter(*TRACE_SETTINGS)


def variants(keys: Iterable[Any], key: Key | None) -> list[Any]:
    """Return those of a cache's keys, the oldest first, that must go before one more is added.

    Args:
        keys: each a tuple that begins with a `Key`, the oldest first.
        key: of the new trace.
    """
    if key is None or not key.captured:
        return []
    alone = key._replace(captured=())
    alike: dict[Any, list[Any]] = {}  # by what was captured
    for full in keys:
        if full[0]._replace(captured=()) == alone:
            alike.setdefault(full[0].captured, []).append(full)
    alike.pop(key.captured, None)
    old = list(alike.values())
    return [full for group in old[: max(0, len(old) - _VARIANTS + 1)] for full in group]


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
                self._evict(self._items.popitem(last=False)[1])
            return made

    def keys(self) -> list[Any]:
        """Return the keys, the least recently used first."""
        while True:
            try:
                return list(self._items)
            except RuntimeError:  # another thread, which takes no lock, has just renewed one
                pass

    def drop(self, key: Hashable) -> None:
        """Forget one trace."""
        with self._lock:
            if key in self._items:
                self._evict(self._items.pop(key))

    def _evict(self, trace: Any) -> None:
        self.evictions += 1
        self.generation += 1
        if self._on_evict is not None:
            self._on_evict(trace)

    def info(self, reasons: dict[str, int]) -> CacheInfo:
        """Return the counts."""
        limit = current().trace_limit
        return CacheInfo(
            self.hits, self.traces, self.evictions, len(self._items), limit, dict(reasons)
        )

    def clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            items, self._items = self._items, OrderedDict()
            self.generation += 1
            while items:
                _, trace = items.popitem()
                if self._on_evict is not None:
                    self._on_evict(trace)
