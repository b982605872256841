"""What goes into a trace of TensorFlow and what comes out, and its errors in our words."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from ... import dtypes
from ..._dispatch import SCALARS, owner_of_type
from ..._entry import enter
from ...errors import TracingError, no_output, value_needed
from .array import TF_DTYPES, Array, Weak, tensor_of

# What TensorFlow raises where a value was needed that a trace does not have.
TRACING_ERRORS = (tf.errors.OperatorNotAllowedInGraphError,)


def argument(leaf: Any, name: str) -> Any:
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


def output(x: Any, name: str) -> Any:
    """Return a result of a traced function as a tensor of its graph.

    Raises:
        DtypeError: it is no array or number.
    """
    if type(x) in SCALARS:
        return tf.constant(np.asarray(x, dtypes.default(type(x))))
    if isinstance(x, Weak):
        wanted = dtypes.default(dtypes.PYTHON_TYPES[x.dtype.kind])
        return tf.cast(tensor_of(x), TF_DTYPES[wanted])
    if owner_of_type(type(x)) is None:
        from . import _backend  # the backend is made of this module

        return enter(_backend, x, function=name, argument="an output")._tensor
    if not isinstance(x, Array | tf.Tensor | tf.Variable):
        raise no_output(name, x)
    # A captured eager tensor as output breaks pfor: it must become a tensor of this graph.
    return tf.identity(tensor_of(x))


def tracing_error(name: str, error: Exception) -> TracingError:
    return value_needed(name, f"TensorFlow says: {str(error)[:200]}", error)


def origins(error: TracingError, name: str, leaves: list[Any]) -> list[int]:
    """Return the leaves of a compiled function that a value which was asked for depends on.

    They lead to the value: the leaves themselves in line, else the inputs of the graph.
    """
    if not isinstance(error.array, Array):
        return []
    tensor = error.array._tensor
    seen: set[int] = set()
    waiting = [tensor]
    while waiting:
        current = waiting.pop()
        if id(current) not in seen:
            seen.add(id(current))
            waiting.extend(current.op.inputs)
    own = [leaf._tensor for leaf in leaves if isinstance(leaf, Array)]
    in_line = any(not hasattr(x, "numpy") for x in own)
    sources = map(_tensor_or_none, leaves) if in_line else getattr(tensor.graph, "inputs", ())
    return [i for i, x in enumerate(sources) if id(x) in seen]


def _tensor_or_none(leaf: Any) -> Any:
    return leaf._tensor if isinstance(leaf, Array) else None
