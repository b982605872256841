"""The only place that touches TensorFlow's private names, each with a public way behind it.

A test fails when one of these names moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
