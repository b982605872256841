"""`compile` on JAX: its own `jit`, behind this library's rules."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any

import jax

from ... import dtypes, tree
from ...errors import UnibackendError
from ...settings import current, within
from ...transforms.cache import CacheInfo, Call, LongWay, Stoppable, trace_settings, variants
from ...transforms.reasons import Aval, Reasons
from ._gone import refuse_gone
from ._outputs import Outputs, opened, packed
from ._values import TRACING_ERRORS, argument, tracing_error
from .promotion import check_width, traced_integers

if TYPE_CHECKING:
    from ...transforms.signature import Spec

# How JAX says, by other errors, that a slice has a traced end, or that a value is to be formatted.
_VALUE_NEEDED = re.compile(r"Slice entries must be static integers|format string .* \w*Tracer\.")


class Jits:
    """The traces of one function: one `jax.jit` for each structure and set of static values.

    JAX keeps the compiled programs by shape. A key of our own in front of them would cost a
    fifth of a call, so traces are counted while tracing, and all are dropped at the limit.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._jits: dict[Any, Callable[..., Any]] = {}
        self._sizes: dict[Any, int] = {}  # traces of each
        self._lock = RLock()
        self._calls = self._traces = self._evictions = self._kept = 0
        self._packed: set[Any] = set()  # the keys whose results must be opened
        self._bare: weakref.WeakSet[Any] = weakref.WeakSet()  # traced for who does not open
        self._callers: weakref.WeakSet[Stoppable] = weakref.WeakSet()  # on the short way
        self._reasons = Reasons(spec)

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
            check_width(self._spec.name, *leaves)  # once a dtype, since jit traces for each
            known = {id(leaves[i]): ends for i, ends in integers.items()}
            traced_integers.update(known)
            try:
                with within("jax"):
                    result = packed(call.run(list(leaves)), self._spec.name)
            finally:
                for place in known:
                    traced_integers.pop(place, None)
            if type(result) is Outputs:
                if traced in self._bare:
                    raise LongWay
                self._packed.add(key)
            self._count(key, leaves)
            return result

        traced.__name__ = self._spec.name.rpartition(".")[2]  # `origins` reads it
        with self._lock:
            for old in variants(self._jits, call.key):
                self._drop(old)
            return self._jits.setdefault(key, jax.jit(traced, donate_argnums=self._donated(call)))

    def _count(self, key: Any, leaves: tuple[Any, ...]) -> None:
        """Count a trace that was made."""
        with self._lock:
            self._traces += 1
            self._kept += 1
            self._sizes[key] = self._sizes.get(key, 0) + 1
            if self._kept > current().trace_limit:
                for caller in list(self._callers):
                    caller.stop()  # the next call drops the traces
        self._reasons.note(key[0], [_aval(x) for x in leaves])

    def _donated(self, call: Call) -> tuple[int, ...]:
        """Return the places among the leaves that belong to donated arguments."""
        key = call.key
        if not self._spec.donate_argnums or key is None:
            return ()
        args, _ = key.structure.unflatten(range(len(key.which)))
        wanted = {
            place
            for i in self._spec.donate_argnums
            if -len(args) <= i < len(args)
            for place in tree.leaves(args[i])
        }
        dynamic = [place for place, is_static in enumerate(key.which) if not is_static]
        return tuple(i for i, place in enumerate(dynamic) if place in wanted)

    def call(self, call: Call) -> Any:
        """Run the function compiled, tracing it first where the call is new."""
        if self._kept > current().trace_limit:
            self._evict()
        name = self._spec.name
        jitted = self._jitted(call)
        leaves = [argument(leaf, name) for leaf in call.leaves]
        try:
            result = opened(jitted(*leaves))
        except LongWay:  # the results were one array for other shapes; now they are a tree
            key = (call.key, trace_settings(current()))
            with self._lock:
                self._drop(key)
                self._packed.add(key)
            return self.call(call)
        except Exception as error:
            explained = self.explain(error)
            if explained is error:
                raise
            raise explained from error
        self._calls += 1
        return result

    def fast(self, call: Call, caller: Stoppable) -> Callable[..., Any] | None:
        """Return the `jax.jit` itself, which returned one array so far, or what opens results."""
        self._callers.add(caller)
        jitted, key = self._jitted(call), (call.key, trace_settings(current()))
        if key not in self._packed:
            self._bare.add(jitted.__wrapped__)  # type: ignore[attr-defined]
            return jitted
        return lambda *leaves: opened(jitted(*leaves))

    def explain(self, error: Exception) -> Exception:
        """Return the error of this library for one of JAX's: a value was needed, or is gone."""
        name = self._spec.name
        if isinstance(error, TRACING_ERRORS) or _VALUE_NEEDED.search(str(error)):
            return tracing_error(name, error)
        try:
            refuse_gone(name, error)
        except UnibackendError as explained:
            return explained
        return error

    def _evict(self) -> None:
        with self._lock:
            self._evictions += self._kept
            self.clear()

    def _drop(self, key: Any) -> None:
        count = self._sizes.pop(key, 0)
        self._kept -= count
        self._evictions += count
        self._packed.discard(key)
        jitted = self._jits.pop(key, None)
        if jitted is not None:
            jitted.clear_cache()  # type: ignore[attr-defined]

    def info(self) -> CacheInfo:
        """Return the counts."""
        return CacheInfo(
            self._calls - self._traces,
            self._traces,
            self._evictions,
            self._kept,
            current().trace_limit,
            dict(self._reasons.counts),
        )

    def clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            jits = list(self._jits.values())
            self._jits.clear()  # the keys hold what functions captured
            self._sizes.clear()
            self._packed.clear()
            self._kept = 0
        for jitted in jits:
            jitted.clear_cache()  # type: ignore[attr-defined]


def _aval(x: Any) -> Aval:
    """Return what is known of a traced leaf, which may be a container that JAX alone knows."""
    name = x.dtype.name if hasattr(x, "dtype") else type(x).__name__
    return name, tuple(getattr(x, "shape", ())), bool(getattr(x, "weak_type", False))


def compile(spec: Spec) -> Jits:
    return Jits(spec)
