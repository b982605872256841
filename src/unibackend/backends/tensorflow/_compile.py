"""`compile` on TensorFlow: traces of `tf.function`, called by the short way.

A `tf.function` looks its arguments over for about 150 µs at every call. A concrete function
called by the op `PartitionedCall` takes 8, so the key of a call is looked up here and the op is
called directly, but only where that is right: executing eagerly, with no tape or forward
accumulator recording (the op has no gradient), and with the captured tensors appended.

Inside another trace, the user's own `tf.function` included, the function runs in line: through an
op that calls a function, pfor and gradients lose the custom gradients inside.
"""

from __future__ import annotations

import re
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from ... import dtypes, tree
from ..._lines import stacklevel
from ...errors import FallbackWarning, TracingError, UnsupportedError, escaped
from ...settings import Settings, current, within
from ...transforms.cache import LRU, CacheInfo, Call, trace_settings, variants
from ...transforms.captured import frozen
from ...transforms.reasons import Reasons
from . import _graph, _private
from ._debug import with_line
from ._gone import refuse_gone
from ._values import TRACING_ERRORS, argument, output, tracing_error
from ._vjp import by_replay, is_inexact
from .array import Array, Weak, tensor_of

if TYPE_CHECKING:
    from ...transforms.cache import Stoppable
    from ...transforms.signature import Spec

_EVICTIONS_BETWEEN_CLEARINGS = 50

# Ops that XLA computes with a relative error of 1e-6, whatever the dtype (seen on 2.21); where it
# is known at once that XLA compiles them, they are made of others.
_ROUGH_BY_XLA = frozenset(("SelfAdjointEigV2", "Svd"))


class Trace:
    """One concrete function, its captured tensors, and the structure of its results."""

    __slots__ = (
        "__weakref__",
        "_again",
        "_by_name",
        "_call",
        "_captures",
        "_concrete",
        "_has_custom_gradient",
        "_label",
        "_name",
        "_replays",
        "_signature",
        "_structure",
        "_tout",
        "_wraps_one",
        "_xla",
        "gains_by_xla",
    )

    def __init__(self, call: Call, specs: list[tuple[Any, Any, Any]], name: str, xla: bool) -> None:
        structure: Any = None

        run = call.run

        def body(*tensors: Any) -> list[Any]:
            nonlocal structure
            outputs, structure = _run(run, tensors, [weak for _, _, weak in specs], name)
            return outputs

        self._again = frozen(body)  # what it captures may be another when it is run again
        self._label = name
        self._replays: dict[Any, Trace] = {}
        self._signature = [tf.TensorSpec(shape, dtype) for dtype, shape, _ in specs]
        self._run_by(tf.function(body, autograph=False, jit_compile=xla), xla)
        if not all(hasattr(tensor, "numpy") for tensor in self._captures):
            raise escaped(name)
        operations = self._concrete.graph.get_operations()
        custom = _graph.custom_gradients(operations)
        self._has_custom_gradient = bool(custom)
        weakref.finalize(self, _private.forget_gradients, custom).atexit = False
        self._tout = [output.dtype for output in tf.nest.flatten(self._concrete.structured_outputs)]
        stateful = any(op.op_def.is_stateful for op in operations)
        self._call = tf.raw_ops.StatefulPartitionedCall if stateful else tf.raw_ops.PartitionedCall
        self._structure = structure
        self._wraps_one = structure == tree.structure(0)
        # pfor repeats by `Tile`, which has no kernel for uint16 but XLA's.
        lacks_a_kernel = any(
            op.type == "Tile" and op.inputs[0].dtype == tf.uint16 for op in operations
        )
        # A loop that pfor has mapped calls functions, and XLA refuses it.
        types = {op.type for op in operations}
        self.gains_by_xla = (
            not stateful
            and "StatelessWhile" in types
            and "PartitionedCall" not in types
            and not _graph.uses(operations, _ROUGH_BY_XLA)
        )
        if lacks_a_kernel and not xla:
            self.compile_by_xla()

    def compile_by_xla(self) -> None:
        """Run the same graph by XLA from now on."""
        graph = self._concrete
        self._run_by(tf.function(_caller_of(graph), autograph=False, jit_compile=True), True)

    def _run_by(self, function: Any, xla: bool) -> None:
        if xla and _private.call_by_name is None:
            # PartitionedCall on a `jit_compile` function does not run XLA; on a plain function
            # that calls it, it does.
            function = tf.function(_caller_of(function), autograph=False)
        self._concrete = function.get_concrete_function(*self._signature)
        self._captures = list(self._concrete.captured_inputs)
        self._by_name = _private.call_by_name if xla else None
        self._name, self._xla = self._concrete.name, xla

    def _called(self, tensors: list[Any]) -> Any:
        """Return the results by the short way, which has no gradient."""
        arguments = tensors + self._captures
        if self._by_name is not None:
            return self._by_name(self._name, arguments, len(self._tout)) or ()
        return self._call(args=arguments, Tout=self._tout, f=self._concrete) or ()

    def _replayed(self, tensors: list[Any]) -> list[Any]:
        """Return the results with the gradient that a trace of their pullback gives.

        TensorFlow's own gradient of a function takes custom gradients out of the graphs that
        they belong to when it is asked for the second derivative, and hands lists of tensors
        from the forward to the backward program, which XLA refuses.
        """
        outputs = self._called(tensors)  # without a gradient, and `by_replay` asks for none
        outside = [x for x in self._captures if is_inexact(x) and _private.is_watched([x])]
        outside += self._concrete.trainable_variables
        body = self._again

        def run(back: Callable[[list[Any]], list[Any]], given: list[Any]) -> list[Any]:
            if not tf.executing_eagerly():
                return back(given)
            key = tuple(map(id, outside))  # all alive: captured by this trace
            trace = self._replays.get(key)
            if trace is None:
                specs = [(x.dtype, x.shape, False) for x in given]
                call = Call(given, None, lambda leaves: back([x.tensor for x in leaves]))
                trace = self._replays[key] = Trace(call, specs, self._label, self._xla)
            try:
                return [x.tensor for x in trace.run(given)]
            except tf.errors.OpError as error:
                lack = xla_lacks(error)
                if lack is None:
                    raise
                raise _without_xla(self._label, lack) from error

        return by_replay(list(outputs), tensors, outside, lambda xs: body(*xs), run, self._label)

    def run(self, tensors: list[Any]) -> Any:
        """Return the results for eager tensors of the trace's dtypes and shapes, in their order."""
        if _private.no_tape_records():
            arguments = tensors + self._captures
            if self._by_name is not None:
                outputs: Any = self._by_name(self._name, arguments, len(self._tout)) or ()
            else:
                try:
                    outputs = self._call(args=arguments, Tout=self._tout, f=self._concrete) or ()
                except tf.errors.OpError as error:
                    if self._call is tf.raw_ops.StatefulPartitionedCall:
                        raise  # it cannot be called again
                    raise with_line(error, self._concrete, tensors) from None
        elif self._xla or self._has_custom_gradient:
            outputs = self._replayed(tensors)
        else:
            outputs = self._concrete(*tensors) or ()
        if self._wraps_one:
            return Array(outputs[0])
        return tree.unflatten(self._structure, map(Array, outputs))


def _run(
    run: Callable[[list[Any]], Any], tensors: Sequence[Any], weak: Sequence[Any], name: str
) -> tuple[list[Any], Any]:
    """Run a function in the graph that is being built: its outputs, strong, and their structure."""
    leaves = [
        Array(tensor) if known is False else Weak(tensor, known)
        for tensor, known in zip(tensors, weak, strict=True)
    ]
    with within("tensorflow"):
        outputs, structure = tree.flatten(run(leaves))
        return [output(x, name) for x in outputs], structure


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
        self._reasons = Reasons(spec)
        self._without_xla = False
        self._handed_on = 0  # calls on the short way that were none

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
        if not tf.executing_eagerly():
            return self._in_line(call, tensors, weak)
        avals = tuple((t.dtype, t.shape) for t in tensors)
        key = (call.key, avals, tuple(weak), trace_settings(current()))
        specs = [(dtype, shape, w) for (dtype, shape), w in zip(avals, weak, strict=True)]
        trace = self._traces.get(key, lambda: self._trace(call, tensors, specs))
        try:
            return trace.run(tensors)
        except (TypeError, AttributeError) as error:
            refuse_gone(name, error)
            raise
        except tf.errors.OpError as error:
            lack = xla_lacks(error)
            if lack is None:
                raise
            self._traces.drop(key)
            if current().xla is True:
                raise _without_xla(name, lack) from error
        self._give_up_xla(lack)
        return self._traces.get(key, lambda: self._trace(call, tensors, specs)).run(tensors)

    def _in_line(self, call: Call, tensors: list[Any], weak: list[Any]) -> Any:
        name = self._spec.name
        try:
            outputs, structure = _run(call.run, tensors, weak, name)
        except (*TRACING_ERRORS, TypeError) as error:
            explained = _explained(name, error)
            if explained is error:
                raise
            raise explained from error
        return tree.unflatten(structure, map(Array, outputs))

    def _trace(self, call: Call, tensors: list[Any], specs: list[tuple[Any, Any, Any]]) -> Trace:
        name = self._spec.name
        if not all(hasattr(tensor, "numpy") for tensor in tensors):
            raise escaped(name)
        xla = wants_xla(current()) and not self._without_xla
        try:
            trace = Trace(call, specs, name, xla)
            if trace.gains_by_xla and current().xla == "auto" and not (xla or self._without_xla):
                trace.compile_by_xla()
        except (*TRACING_ERRORS, TypeError) as error:
            explained = _explained(name, error)
            if explained is error:
                raise
            raise explained from error
        avals = [(dtype.name, tuple(shape), weak is not False) for dtype, shape, weak in specs]
        self._reasons.note(call.key, avals)
        for key in variants(self._traces.keys(), call.key):
            self._traces.drop(key)
        return trace

    def fast(self, call: Call, caller: Stoppable) -> Callable[..., Any] | None:
        """Return a function of arrays of this backend that looks up their dtypes and shapes."""
        traces, prefix, eager = self._traces, call.key, tf.executing_eagerly
        suffix = ((False,) * len(call.leaves), trace_settings(current()))
        known: dict[Any, tuple[Any, Trace]] = {}  # a shorter key, for the time of one generation
        generation = traces.generation

        def slow(args: tuple[Any, ...]) -> Any:
            self._handed_on += 1
            return self.call(call._replace(leaves=list(args)))

        def run(*args: Any) -> Any:
            nonlocal generation
            if not eager():
                return slow(args)
            tensors = [x._tensor if type(x) is Array else tensor_of(x) for x in args]
            short = tuple([(id(t.dtype), t.shape) for t in tensors])  # hashing a dtype is slow
            if generation != traces.generation:
                known.clear()
                generation = traces.generation
            found = known.get(short)
            if found is None:
                result = slow(args)
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
        return _explained(self._spec.name, error)

    def info(self) -> CacheInfo:
        """Return the counts."""
        info = self._traces.info(self._reasons.counts)
        return info._replace(hits=info.hits - self._handed_on)

    def clear(self) -> None:
        """Forget all traces."""
        self._traces.clear()

    def _give_up_xla(self, lack: str) -> None:
        self._without_xla = True
        warnings.warn(
            f"{self._spec.name}: XLA lacks {lack}, so it runs as a graph; "
            f"ub.configure(xla=False) chooses that at once",
            FallbackWarning,
            stacklevel=stacklevel(),
        )


def _explained(name: str, error: Exception) -> Exception:
    """Return the error to raise for one that came up while a function was traced."""
    if isinstance(error, TRACING_ERRORS):
        return tracing_error(name, error)
    try:
        refuse_gone(name, error)
    except TracingError as explained:
        return explained
    return error


def wants_xla(settings: Settings) -> bool:
    """Tell whether all traces are compiled by XLA: where asked for, and for "auto" on GPUs.

    On the CPU "auto" is a graph but for loops (`Trace.gains_by_xla`), which TensorFlow runs op by
    op: XLA needs a tenth of the time for a scan of 200 steps, and 0.1 to 0.8 s once to compile
    it. Of the rest, on two cores, XLA needs 0.4 to 1.4 times the graph's time, and compiles for
    three times as long, which pays after hundreds of calls or never.
    """
    if settings.xla == "auto":
        return bool(tf.config.list_logical_devices("GPU"))
    return settings.xla


def _without_xla(name: str, lack: str) -> UnsupportedError:
    return UnsupportedError(
        f"{name}: XLA lacks {lack}, and xla=True wants all of it compiled by XLA; run it with "
        f'ub.use(xla=False), or leave xla="auto"'
    )


def xla_lacks(error: Exception) -> str | None:
    """Return what XLA has no kernel for, by TensorFlow's error; None for any other error."""
    text = str(error)
    op = re.search(r" on XLA_\w+_JIT: (\w+) \(No registered", text)
    if op is not None:
        return f"TensorFlow's op {op[1]}"
    if "tf2xla conversion failed" not in text:
        return None
    node = re.search(r"\{\{node ([^}]+)\}\}", text)
    return f"an op in this form: {node[1] if node else text[:200]}"


_donation_warned = False


def _warn_donation() -> None:
    global _donation_warned
    if not _donation_warned:
        _donation_warned = True
        warnings.warn(
            "compile: donate_argnums has no effect on TensorFlow, which cannot reuse the memory "
            "of arguments; the results are the same",
            FallbackWarning,
            stacklevel=stacklevel(),
        )


def compile(spec: Spec) -> Traces:
    return Traces(spec)
