"""`compile` on TensorFlow: traces of `tf.function`, called by the short way.

A `tf.function` looks its arguments over for about 150 µs at every call. A concrete function
called by the op `PartitionedCall` takes 8, so the key of a call is looked up here and the op is
called directly, but only where that is right: executing eagerly, with no tape or forward
accumulator recording (the op has no gradient), and with the captured tensors appended.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from ... import dtypes, tree
from ...errors import FallbackWarning
from ...settings import current, within
from ...transforms.cache import LRU, CacheInfo, Call, trace_settings
from . import _private
from ._values import TRACING_ERRORS, argument, output, tracing_error
from .array import Array, Weak, tensor_of

if TYPE_CHECKING:
    from ...transforms.signature import Spec

_EVICTIONS_BETWEEN_CLEARINGS = 50


class Trace:
    """One concrete function, its captured tensors, and the structure of its results."""

    __slots__ = (
        "_by_name",
        "_call",
        "_captures",
        "_concrete",
        "_name",
        "_structure",
        "_tout",
        "_wraps_one",
    )

    def __init__(self, call: Call, specs: list[tuple[Any, Any, Any]], name: str, xla: bool) -> None:
        structure: Any = None

        def body(*tensors: Any) -> list[Any]:
            nonlocal structure
            leaves = [
                Array(tensor) if weak is False else Weak(tensor, weak)
                for tensor, (_, _, weak) in zip(tensors, specs, strict=True)
            ]
            with within("tensorflow"):
                outputs, structure = tree.flatten(call.run(leaves))
                return [output(x, name) for x in outputs]

        signature = [tf.TensorSpec(shape, dtype) for dtype, shape, _ in specs]
        function = tf.function(body, autograph=False, jit_compile=xla)
        if xla and _private.call_by_name is None:
            # PartitionedCall on a `jit_compile` function does not run XLA; on a plain function
            # that calls it, it does.
            function = tf.function(_caller_of(function), autograph=False)
        self._concrete = concrete = function.get_concrete_function(*signature)
        self._by_name = _private.call_by_name if xla else None
        self._captures = list(concrete.captured_inputs)
        self._tout = [output.dtype for output in tf.nest.flatten(concrete.structured_outputs)]
        stateful = any(op.op_def.is_stateful for op in concrete.graph.get_operations())
        self._call = tf.raw_ops.StatefulPartitionedCall if stateful else tf.raw_ops.PartitionedCall
        self._name = concrete.name
        self._structure = structure
        self._wraps_one = structure == tree.structure(0)

    def lacks_a_kernel(self) -> bool:
        """Tell whether the graph needs XLA: pfor repeats by `Tile`, which has none for uint16."""
        operations = self._concrete.graph.get_operations()
        return any(op.type == "Tile" and op.inputs[0].dtype is tf.uint16 for op in operations)

    def run(self, tensors: list[Any]) -> Any:
        """Return the results for tensors of the trace's dtypes and shapes, in their order."""
        if _private.no_tape_records() and tf.executing_eagerly():
            arguments = tensors + self._captures
            if self._by_name is not None:
                outputs: Any = self._by_name(self._name, arguments, len(self._tout)) or ()
            else:
                outputs = self._call(args=arguments, Tout=self._tout, f=self._concrete) or ()
        else:
            outputs = self._concrete(*tensors) or ()
        if self._wraps_one:
            return Array(outputs[0])
        return tree.unflatten(self._structure, map(Array, outputs))


def _caller_of(function: Any) -> Callable[..., Any]:
    def caller(*tensors: Any) -> Any:
        return function(*tensors)

    return caller


class Traces:
    """The traces of one function, by dtypes, shapes, structure, static values and settings."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._evicted = 0
        self._traces = LRU(self._on_evict)

    def _on_evict(self, trace: Trace) -> None:
        self._evicted += 1
        if self._evicted % _EVICTIONS_BETWEEN_CLEARINGS == 0:
            _private.clear_kernel_cache()

    def call(self, call: Call) -> Any:
        """Run the function compiled, tracing it first where the call is new."""
        name = self._spec.name
        if self._spec.donate_argnums:
            _warn_donation()
        tensors = []
        weak: list[Any] = []  # False, or what is known of a Python number
        for leaf in call.leaves:
            cls = type(leaf)
            if cls is int:
                weak.append(dtypes.limits(leaf))
            elif cls is Weak:
                weak.append(leaf.limits)
            else:
                weak.append(None if cls in (float, complex) else False)
            tensors.append(leaf._tensor if cls is Array else argument(leaf, name))
        avals = tuple((t.dtype, t.shape) for t in tensors)
        key = (call.key, avals, tuple(weak), trace_settings(current()))
        specs = [(dtype, shape, w) for (dtype, shape), w in zip(avals, weak, strict=True)]
        return self._traces.get(key, lambda: self._trace(call, specs)).run(tensors)

    def _trace(self, call: Call, specs: list[tuple[Any, Any, Any]]) -> Trace:
        name = self._spec.name
        try:
            trace = Trace(call, specs, name, current().xla is True)
            return Trace(call, specs, name, True) if trace.lacks_a_kernel() else trace
        except TRACING_ERRORS as error:
            raise tracing_error(name, error) from error

    def fast(self, call: Call, stop: Callable[[], None]) -> Callable[..., Any] | None:
        """Return a function of arrays of this backend that looks up their dtypes and shapes."""
        traces, prefix, slow = self._traces, call.key, self.call
        suffix = ((False,) * len(call.leaves), trace_settings(current()))
        known: dict[Any, tuple[Any, Trace]] = {}  # a shorter key, for the time of one generation
        generation = traces.generation

        def run(*args: Any) -> Any:
            nonlocal generation
            tensors = [x._tensor if type(x) is Array else tensor_of(x) for x in args]
            short = tuple([(id(t.dtype), t.shape) for t in tensors])  # hashing a dtype is slow
            if generation != traces.generation:
                known.clear()
                generation = traces.generation
            found = known.get(short)
            if found is None:
                result = slow(call._replace(leaves=list(args)))
                key = (prefix, tuple((t.dtype, t.shape) for t in tensors), *suffix)
                trace = traces.peek(key)
                if trace is not None:
                    known[short] = (key, trace)
                return result
            if traces.crowded:
                traces.renew(found[0])
            return found[1].run(tensors)

        return run

    def explain(self, error: Exception) -> Exception:
        return error

    def info(self) -> CacheInfo:
        """Return the counts."""
        return self._traces.info()

    def clear(self) -> None:
        """Forget all traces."""
        self._traces.clear()


_donation_warned = False


def _warn_donation() -> None:
    global _donation_warned
    if not _donation_warned:
        _donation_warned = True
        warnings.warn(
            "compile: donate_argnums has no effect on TensorFlow, which cannot reuse the memory "
            "of arguments; the results are the same",
            FallbackWarning,
            stacklevel=5,
        )


def compile(spec: Spec) -> Traces:
    return Traces(spec)
