"""The only place that touches TensorFlow's private names, each with a public way behind it.

A test fails when one of these names moves.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import tensorflow as tf


def _find_tape_probe() -> Callable[[], bool] | None:
    try:
        from tensorflow.python import pywrap_tfe

        probe: Callable[[], bool] = pywrap_tfe.TFE_Py_TapeSetIsEmpty
        probe()
    except (ImportError, AttributeError, TypeError):
        return None
    return probe


# True when no GradientTape and no ForwardAccumulator records in this thread (0.06 µs). Without
# it nothing is known, and `compile` takes the concrete function's own, slower call, which is
# right under a tape.
no_tape_records: Callable[[], bool] = _find_tape_probe() or (lambda: False)


def _find_watch_probe() -> Callable[[list[Any]], int] | None:
    try:
        from tensorflow.python import pywrap_tfe

        probe: Callable[[list[Any]], int] = pywrap_tfe.TFE_Py_TapeSetPossibleGradientTypes
        probe([])
    except (ImportError, AttributeError, TypeError):
        return None
    return probe


_watch_probe = _find_watch_probe()


def is_watched(tensors: list[Any]) -> bool:
    """Tell whether a tape or forward accumulator of this thread watches one of some tensors.

    The public way is to take each for watched while any tape may record: gradients stay right,
    and some are refused that nobody asked for.
    """
    if no_tape_records():
        return False
    return _watch_probe is None or _watch_probe(tensors) != 0


def _find_scopes() -> tuple[Callable[[], AbstractContextManager[None]], ...]:
    try:
        from tensorflow.python import pywrap_tfe

        is_stopped: Callable[[], bool] = pywrap_tfe.TFE_Py_TapeSetIsStopped
        stop: Callable[[], None] = pywrap_tfe.TFE_Py_TapeSetStopOnThread
        restart: Callable[[], None] = pywrap_tfe.TFE_Py_TapeSetRestartOnThread
        is_stopped()
    except (ImportError, AttributeError, TypeError):
        return nullcontext, nullcontext

    @contextmanager
    def scope(wanted: bool) -> Iterator[None]:
        before = is_stopped()
        (stop if wanted else restart)()
        try:
            yield
        finally:
            (stop if before else restart)()

    return functools.partial(scope, True), functools.partial(scope, False)


# A scope in which no tape records, for ops that are given a gradient of their own: a loop that a
# persistent tape records is wrapped in a function, which pfor cannot map. And one inside of it in
# which tapes record again, for the functions of users, who may take gradients there. Without them
# `vmap` of a gradient of such a loop fails, and nothing else changes.
unrecorded, recorded = _find_scopes()


def _find_call() -> Callable[[Any, list[Any], int], list[Any]] | None:
    try:
        from tensorflow.python.eager import context as module

        context: Any = module
        by_name = context.Context.call_function
    except (ImportError, AttributeError):
        return None

    def call(name: Any, tensors: list[Any], count: int) -> list[Any]:
        outputs: list[Any] = by_name(context.context(), name, tensors, count)
        return outputs

    return call


# Calls a function of the runtime by its name: for a `jit_compile` function half the cost of the
# public way, which is PartitionedCall on a plain function around it. None where it has moved.
call_by_name: Callable[[Any, list[Any], int], list[Any]] | None = _find_call()


def clear_kernel_cache() -> None:
    """Free the kernels of functions that are gone: 49.5 KB stay for each without it.

    The public way is to leave them: memory grows, nothing else changes.
    """
    try:
        from tensorflow.python.eager import context as module

        context: Any = module
        context.context().clear_kernel_cache()
    except (ImportError, AttributeError):
        pass


def eager_tensor_type() -> type:
    """Return the class of eager tensors; the public way makes one, which starts the device."""
    try:
        from tensorflow.python.framework import ops

        cls: type = ops.EagerTensor
    except (ImportError, AttributeError):
        cls = type(tf.constant(0))
    return cls


def leave_unconverted(package: str) -> None:
    """Keep AutoGraph from rewriting a package's functions that a user's `tf.function` calls.

    Without it they are rewritten, or run as they are with a warning each: tracing is slower,
    results are the same. The public way, `do_not_convert`, is for one function at a time.
    """
    try:
        from tensorflow.python.autograph.core import config

        module: Any = config
        rule = module.DoNotConvert(package)
        if not any(str(known) == str(rule) for known in module.CONVERSION_RULES):
            module.CONVERSION_RULES = (rule, *module.CONVERSION_RULES)
    except (ImportError, AttributeError, TypeError):
        pass


class Pfor(NamedTuple):
    """What a batching rule of `tf.vectorized_map` is registered with.

    Attributes:
        has_rule: tells whether there is a rule for an op.
        register: adds one for an op that has none.
        read: tells what a rule is asked: the op of one example, its inputs each with whether its
            examples are stacked, and the number of examples in a vector.
        wrap: makes an output of a rule from a tensor and whether its examples are stacked.
        refusal: what a rule raises where it cannot serve.
    """

    has_rule: Callable[[str], bool]
    register: Callable[[str, Callable[[Any], Any]], Any]
    read: Callable[[Any], tuple[Any, list[tuple[Any, bool]], Any]]
    wrap: Callable[[Any, bool], Any]
    refusal: type[Exception]


def find_pfor() -> Pfor | None:
    """Return the way to register batching rules, for which there is no public one.

    Where it has moved nothing is registered: an op without a rule is then an error of `vmap`, or
    a loop where that was asked for.
    """
    try:
        from tensorflow.python.ops.parallel_for import pfor as module

        pfor: Any = module
        has_rule: Callable[[str], bool] = pfor._pfor_converter_registry.__contains__
        register_for, wrap = pfor.RegisterPFor, pfor.wrap
        refusal: type[Exception] = pfor.ConversionNotImplementedError
    except (ImportError, AttributeError):
        return None

    def read(asked: Any) -> tuple[Any, list[tuple[Any, bool]], Any]:
        inputs = [(entry.t, entry.is_stacked) for entry in asked.inputs]
        return asked.op, inputs, asked.pfor.loop_len_vector

    return Pfor(has_rule, lambda op, rule: register_for(op)(rule), read, wrap, refusal)


def forget_gradients(names: list[str]) -> None:
    """Free the functions by which `tf.custom_gradient` in graphs that are gone had a gradient.

    TensorFlow keeps them, and with them the graphs, for the life of the process (seen on 2.21, 64
    KB for a small graph). The public way is to leave them: memory grows, nothing else changes.
    """
    try:
        from tensorflow.python.framework import ops

        registry: Any = ops.gradient_registry
        known: dict[str, Any] = registry._registry
    except (ImportError, AttributeError):
        return
    for name in names:
        known.pop(name, None)
