"""The transformations on JAX: its own `jit` and `vmap`, behind this library's rules."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ... import dtypes, tree
from ..._dispatch import SCALARS, owner_of_type
from ..._entry import enter, private
from ...errors import DtypeError, ShapeError, TracingError, value_needed
from ...settings import current, within
from ...transforms.axes import place
from ...transforms.cache import CacheInfo, Call, trace_settings
from .promotion import check_width, traced_integers

if TYPE_CHECKING:
    from ...transforms.signature import Spec

# What JAX raises where a value was needed that a trace does not have.
_TRACING_ERRORS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
    jax.errors.UnexpectedTracerError,
)


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
                    return jax.tree.map(_strong, call.run(list(leaves)))
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
        leaves = [_argument(leaf, name) for leaf in call.leaves]
        try:
            return jitted(*leaves)
        except _TRACING_ERRORS as error:
            raise _tracing_error(name, error) from error

    def fast(self, call: Call, stop: Callable[[], None]) -> Callable[..., Any] | None:
        """Return the `jax.jit` itself."""
        self._stop = stop
        return self._jitted(call)

    def explain(self, error: Exception) -> Exception:
        """Return a TracingError for what JAX raises where a value was needed."""
        return (
            _tracing_error(self._spec.name, error) if isinstance(error, _TRACING_ERRORS) else error
        )

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


def _argument(leaf: Any, name: str) -> Any:
    """Return a leaf as `jax.jit` may have it: numbers weak, NumPy arrays private."""
    cls = type(leaf)
    if cls in SCALARS:
        return dtypes.fit(leaf, dtypes.default(int), name) if cls is int else leaf
    owner = owner_of_type(cls)
    if owner is not None:
        return leaf  # an array, or a container that JAX knows
    if isinstance(leaf, np.ndarray | np.generic):
        return private(leaf, f"{name}: an argument")
    from . import _backend  # the backend is made of this module

    return enter(_backend, leaf, function=name)


def _strong(x: Any) -> Any:
    """Return an output without weakness: a number becomes an array of the default dtype.

    Raises:
        DtypeError: it is no array or number.
    """
    from . import _backend

    if type(x) in SCALARS:
        return jnp.asarray(np.asarray(x, dtypes.default(type(x))))
    owner = owner_of_type(type(x))
    if owner is None:
        return enter(_backend, x, function="compile", argument="an output")
    if owner is not _backend:
        raise DtypeError(
            f"a compiled or mapped function on JAX returned {x!r:.60}, a {type(x).__name__}; it "
            f"returns arrays of JAX, numbers, None, or trees of these"
        )
    if getattr(x, "weak_type", False):
        kind = {"b": bool, "i": int, "u": int, "f": float, "c": complex}[x.dtype.kind]
        return jax.lax.convert_element_type(x, dtypes.default(kind))
    return x


def _tracing_error(name: str, error: Exception) -> TracingError:
    lines = str(error).strip().splitlines()
    return value_needed(name, f"JAX says: {lines[0] if lines else type(error).__name__}")


def compile(spec: Spec) -> Jits:
    return Jits(spec)


def vmap(
    function: Callable[[list[Any]], Any],
    leaves: list[Any],
    axes: list[int | None],
    size: int,
    out_axes: Any,
    fallback: str | None,
) -> Any:
    """Map by `jax.vmap`; Python numbers are no leaves of it, since they are compiled in."""
    numbers = {i: leaf for i, leaf in enumerate(leaves) if type(leaf) in SCALARS}

    def of_arrays(*arrays: Any) -> Any:
        rest = iter(arrays)
        examples = [numbers[i] if i in numbers else next(rest) for i in range(len(leaves))]
        return jax.tree.map(_strong, function(examples))

    arrays = [leaf for i, leaf in enumerate(leaves) if i not in numbers]
    in_axes = tuple(axis for i, axis in enumerate(axes) if i not in numbers)
    name = function.__qualname__
    native = not isinstance(out_axes, int) or type(out_axes) is bool
    mapped = jax.vmap(
        of_arrays, in_axes=in_axes, out_axes=out_axes if native else 0, axis_size=size
    )
    try:
        outputs = mapped(*arrays)
    except _TRACING_ERRORS as error:
        raise _tracing_error(name, error) from error
    except ValueError as error:
        if "out_axes" in str(error):
            raise ShapeError(f"vmap: out_axes={out_axes!r}: {error}") from None
        raise
    if native or out_axes == 0:
        return outputs
    return jax.tree.map(lambda x: place(x, out_axes, name, jnp.moveaxis, mapped=True), outputs)
