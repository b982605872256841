"""`compile` on JAX: its own `jit`, behind this library's rules."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any

import jax

from ... import dtypes, tree
from ...settings import current, within
from ...transforms.cache import CacheInfo, Call, trace_settings
from ._values import TRACING_ERRORS, argument, strong, tracing_error
from .promotion import check_width, traced_integers

if TYPE_CHECKING:
    from ...transforms.signature import Spec


class Jits:
    """The traces of one function: one `jax.jit` for each structure and set of static values.

    JAX keeps the compiled programs by shape. A key of our own in front of them would cost a
    fifth of a call, so traces are counted while tracing, and all are dropped at the limit.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._jits: dict[Any, Callable[..., Any]] = {}
        self._lock = RLock()
        self._calls = self._traces = self._evictions = self._kept = 0
        self._stop: Callable[[], None] | None = None

    def _jitted(self, call: Call) -> Callable[..., Any]:
        key = (call.key, trace_settings(current()))
        found = self._jits.get(key)
        if found is not None:
            return found

        integers = {
            i: ends
            for i, leaf in enumerate(call.leaves)
            if type(leaf) is int and (ends := dtypes.limits(leaf)) is not None
        }

        def traced(*leaves: Any) -> Any:
            self._traces += 1
            self._kept += 1
            if self._kept > current().trace_limit and self._stop is not None:
                self._stop()  # the next call drops the traces
            check_width(self._spec.name, *leaves)  # once a dtype, since jit traces for each
            known = {id(leaves[i]): ends for i, ends in integers.items()}
            traced_integers.update(known)
            try:
                with within("jax"):
                    return jax.tree.map(strong, call.run(list(leaves)))
            finally:
                for key in known:
                    traced_integers.pop(key, None)

        traced.__name__ = getattr(self._spec.function, "__name__", "traced")
        with self._lock:
            return self._jits.setdefault(key, jax.jit(traced, donate_argnums=self._donated(call)))

    def _donated(self, call: Call) -> tuple[int, ...]:
        """Return the places among the leaves that belong to donated arguments."""
        if not self._spec.donate_argnums:
            return ()
        key: Any = call.key
        structure, which, _ = key
        args, _ = structure.unflatten(range(len(which)))
        wanted = {
            place
            for i in self._spec.donate_argnums
            if -len(args) <= i < len(args)
            for place in tree.leaves(args[i])
        }
        dynamic = [place for place, is_static in enumerate(which) if not is_static]
        return tuple(i for i, place in enumerate(dynamic) if place in wanted)

    def call(self, call: Call) -> Any:
        """Run the function compiled, tracing it first where the call is new."""
        if self._kept > current().trace_limit:
            self._evict()
        self._calls += 1
        name = self._spec.name
        jitted = self._jitted(call)
        leaves = [argument(leaf, name) for leaf in call.leaves]
        try:
            return jitted(*leaves)
        except TRACING_ERRORS as error:
            raise tracing_error(name, error) from error

    def fast(self, call: Call, stop: Callable[[], None]) -> Callable[..., Any] | None:
        """Return the `jax.jit` itself."""
        self._stop = stop
        return self._jitted(call)

    def explain(self, error: Exception) -> Exception:
        """Return a TracingError for what JAX raises where a value was needed."""
        return tracing_error(self._spec.name, error) if isinstance(error, TRACING_ERRORS) else error

    def _evict(self) -> None:
        with self._lock:
            self._evictions += self._kept
            self.clear()

    def info(self) -> CacheInfo:
        """Return the counts."""
        hits = max(0, self._calls - self._traces)
        return CacheInfo(hits, self._traces, self._evictions, self._kept, current().trace_limit)

    def clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            jits = list(self._jits.values())
            self._jits.clear()  # the keys hold what functions captured
            self._kept = 0
        for jitted in jits:
            jitted.clear_cache()  # type: ignore[attr-defined]


def compile(spec: Spec) -> Jits:
    return Jits(spec)
