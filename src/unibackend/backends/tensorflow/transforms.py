"""The transformations on TensorFlow: traces of `tf.function` called by the short way, and pfor.

A `tf.function` looks its arguments over for about 150 µs at every call. A concrete function
called by the op `PartitionedCall` takes 8, so the key of a call is looked up here and the op is
called directly, but only where that is right: executing eagerly, with no tape or forward
accumulator recording (the op has no gradient), and with the captured tensors appended.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from ... import dtypes, tree
from ..._dispatch import SCALARS, owner_of_type
from ..._entry import enter
from ...errors import (
    DtypeError,
    FallbackWarning,
    TracingError,
    UnsupportedError,
    value_needed,
)
from ...settings import current, within
from ...transforms.axes import out_axes_of, place
from ...transforms.cache import LRU, CacheInfo, Call, trace_settings
from . import _private
from .array import TF_DTYPES, Array, Weak, tensor_of

if TYPE_CHECKING:
    from ...transforms.signature import Spec

_TRACING_ERRORS = (tf.errors.OperatorNotAllowedInGraphError,)
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
                return [output_tensor(x, name) for x in outputs]

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


def output_tensor(x: Any, name: str) -> Any:
    """Return a result of a traced function as a tensor of its graph.

    Raises:
        DtypeError: it is no array or number.
    """
    if type(x) in SCALARS:
        return tf.constant(np.asarray(x, dtypes.default(type(x))))
    if isinstance(x, Weak):
        kind = {"b": bool, "i": int, "f": float, "c": complex}[x.dtype.kind]
        return tf.cast(tensor_of(x), TF_DTYPES[dtypes.default(kind)])
    if owner_of_type(type(x)) is None:
        from . import _backend  # the backend is made of this module

        return enter(_backend, x, function=name, argument="an output")._tensor
    if not isinstance(x, Array | tf.Tensor | tf.Variable):
        raise DtypeError(
            f"{name}: it returned {x!r:.60}, a {type(x).__name__}; a compiled or mapped function "
            f"returns arrays, numbers, None, or trees of these"
        )
    # A captured eager tensor as output breaks pfor: it must become a tensor of this graph.
    return tf.identity(tensor_of(x))


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
            tensors.append(leaf._tensor if cls is Array else _argument(leaf, name))
        avals = tuple((t.dtype, t.shape) for t in tensors)
        key = (call.key, avals, tuple(weak), trace_settings(current()))
        specs = [(dtype, shape, w) for (dtype, shape), w in zip(avals, weak, strict=True)]
        return self._traces.get(key, lambda: self._trace(call, specs)).run(tensors)

    def _trace(self, call: Call, specs: list[tuple[Any, Any, Any]]) -> Trace:
        name = self._spec.name
        try:
            trace = Trace(call, specs, name, current().xla is True)
            return Trace(call, specs, name, True) if trace.lacks_a_kernel() else trace
        except _TRACING_ERRORS as error:
            raise _tracing_error(name, error) from error

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


def _tracing_error(name: str, error: Exception) -> TracingError:
    return value_needed(name, f"TensorFlow says: {str(error)[:200]}")


def _argument(leaf: Any, name: str) -> Any:
    """Return a leaf as a tensor; a Python number in the widest type, to be cast at first use."""
    cls = type(leaf)
    if cls in SCALARS:
        if cls is int:
            dtypes.fit(leaf, dtypes.default(int), name)
        wide = {bool: tf.bool, int: tf.int64, float: tf.float64, complex: tf.complex128}[cls]
        return tf.constant(leaf, wide)
    if owner_of_type(cls) is None:
        from . import _backend

        return enter(_backend, leaf, function=name, argument="an argument")._tensor
    return tensor_of(leaf)


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


def vmap(
    function: Callable[[list[Any]], Any],
    leaves: list[Any],
    axes: list[int | None],
    size: int,
    out_axes: Any,
    fallback: str | None,
) -> Any:
    """Map by pfor, the machinery of `tf.vectorized_map`."""
    from .manipulation import moveaxis  # the namespace is made before transforms

    name = function.__qualname__
    mapped = [i for i, axis in enumerate(axes) if axis is not None]
    batches = [
        tensor_of(moveaxis(leaves[i], axes[i] or 0, 0) if axes[i] else leaves[i]) for i in mapped
    ]
    whole = [
        leaf if axis is not None or type(leaf) in SCALARS else Array(tensor_of(leaf))
        for leaf, axis in zip(leaves, axes, strict=True)
    ]
    structure: Any = None

    def body(elements: list[Any]) -> list[Any]:
        nonlocal structure
        examples = list(whole)
        for i, element in zip(mapped, elements, strict=True):
            examples[i] = Array(element)
        outputs, structure = tree.flatten(function(examples))
        return [output_tensor(x, name) for x in outputs]

    outputs = _vectorized(body, batches, size, fallback, name)
    spread = tree.unflatten(structure, map(Array, outputs))
    places = out_axes_of(out_axes, spread)
    mapped_outputs = _depends(body, batches) if None in places else [True] * len(places)
    placed = [
        place(Array(x), axis, name, moveaxis, mapped=used)
        for x, axis, used in zip(outputs, places, mapped_outputs, strict=True)
    ]
    return tree.unflatten(structure, placed)


def _vectorized(
    body: Callable[[list[Any]], list[Any]],
    batches: list[Any],
    size: int,
    fallback: str | None,
    name: str,
) -> list[Any]:
    """Return the stacked outputs of a body over the leading axis of batches."""
    if size == 0:  # pfor needs an example: one of zeros, cut off again
        padded = [tf.zeros((1, *batch.shape[1:]), batch.dtype) for batch in batches]
        return [x[:0] for x in _vectorized(body, padded, 1, fallback, name)]
    raised: list[Exception] = []

    def run(elements: list[Any]) -> list[Any]:
        try:
            return body(elements if batches else [])
        except Exception as error:
            raised.append(error)  # pfor may wrap it in an error of its own
            raise

    def by_pfor(loop: bool) -> list[Any]:
        mapped = tf.autograph.experimental.do_not_convert(run)
        elements = batches or [tf.range(size)]  # something to iterate over
        return list(tf.vectorized_map(mapped, elements, fallback_to_while_loop=loop))

    try:
        return by_pfor(False)
    except _TRACING_ERRORS as error:
        raise _tracing_error(name, error) from error
    except Exception as error:
        if raised and raised[0] is not error:
            raise raised[0] from None
        op = re.search(r"No (?:pfor vectorization|converter) defined for (\w+)", str(error))
        if op is None:
            raise
        lacks = f"vmap: {name} uses TensorFlow's op {op[1]}, for which there is no batching rule"
        if fallback != "loop":
            raise UnsupportedError(
                f'{lacks}; vmap(..., fallback="loop") runs it example by example'
            ) from error
    warnings.warn(f"{lacks}; it runs example by example", FallbackWarning, stacklevel=2)
    return by_pfor(True)


def _depends(body: Callable[[list[Any]], list[Any]], batches: list[Any]) -> list[bool]:
    """Tell which outputs of a body depend on its arguments: what reaches them in its graph."""
    signature = [tf.TensorSpec(batch.shape[1:], batch.dtype) for batch in batches]
    graph = tf.function(lambda *e: body(list(e)), autograph=False).get_concrete_function(*signature)
    reached = {id(tensor) for tensor in graph.inputs[: len(batches)]}
    # Shapes are static: what reads only a shape does not depend on the values.
    for op in graph.graph.get_operations():
        if op.type in ("Shape", "ShapeN", "Size", "Rank"):
            continue
        if any(id(tensor) in reached for tensor in op.inputs):
            reached.update(id(tensor) for tensor in op.outputs)
    return [id(tensor) in reached for tensor in graph.outputs]
