"""What a piece of a graph uses from outside, and what of it depends on what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from . import _private

# In how many examples of `vmap` one in another the user's code runs now.
depth: ContextVar[int] = ContextVar("unibackend_vmap_depth", default=0)

# Ops that read only the shape of their input: shapes are static, so nothing flows through them.
_SHAPE_OPS = ("Shape", "ShapeN", "Size", "Rank")


def position() -> int:
    """Return how many ops the graph being built has."""
    return len(tf.compat.v1.get_default_graph().get_operations())


def since(start: int) -> list[Any]:
    """Return the ops that were made since the graph had `start` of them."""
    operations: list[Any] = tf.compat.v1.get_default_graph().get_operations()[start:]
    return operations


def used_from_outside(operations: Sequence[Any], inside: Iterable[Any] = ()) -> list[Any]:
    """Return the tensors that ops use and do not make: those that a derivative may be taken by.

    What a graph captures is given as it is outside of the graph, where a gradient function, which
    is a graph of its own, finds it again.

    Args:
        operations: the ops, all of the graph being built.
        inside: tensors that count as made by the ops.
    """
    own = {id(op) for op in operations}
    known = {id(tensor) for tensor in inside}
    graph = operations[0].graph if operations else None
    captured = {id(internal): external for external, internal in getattr(graph, "captures", ())}
    found: dict[int, Any] = {}
    for op in operations:
        for tensor in (*op.inputs, *op.outputs):
            outer = captured.get(id(tensor), tensor)
            made = outer is tensor and (id(tensor.op) in own or id(tensor) in known)
            if not made and (outer.dtype.is_floating or outer.dtype.is_complex):
                found[id(outer)] = outer
    return list(found.values())


def is_fixed(tensor: Any) -> bool:
    """Tell whether a tensor is made of constants that no tape watches, whatever the arguments."""
    seen: set[int] = set()
    waiting = [tensor]
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        if hasattr(current, "numpy"):
            if _private.is_watched([current]):
                return False
            continue
        if current.op.type in ("Placeholder", "PlaceholderWithDefault"):
            captures = getattr(current.graph, "captures", ())
            outside = [external for external, internal in captures if internal is current]
            if not outside:
                return False
            waiting.extend(outside)
        waiting.extend(current.op.inputs)
    return True


def reached(
    sources: Iterable[Any], operations: Sequence[Any], targets: Sequence[Any]
) -> list[bool]:
    """Tell which targets depend on the values of the sources by way of the ops, in their order."""
    found = {id(tensor) for tensor in sources}
    for op in operations:
        if op.type not in _SHAPE_OPS and any(id(tensor) in found for tensor in op.inputs):
            found.update(id(tensor) for tensor in op.outputs)
    return [id(tensor) in found for tensor in targets]


# Ops that call functions of their graph's library.
_CALLS = frozenset(
    f"{kind}{name}"
    for kind in ("", "Stateless")
    for name in ("While", "If", "Case", "PartitionedCall", "StatefulPartitionedCall")
)


def custom_gradients(operations: Sequence[Any]) -> list[str]:
    """Return the names of the gradients of their own (`tf.custom_gradient`) of ops.

    Those of what ops call are looked for in all functions of their graph: too many may be named.
    """
    nodes = [op.node_def for op in operations if op.type == "IdentityN"]
    if any(op.type in _CALLS for op in operations):
        library = operations[0].graph.as_graph_def().library
        nodes += [node for f in library.function for node in f.node_def if node.op == "IdentityN"]
    found = (node.attr["_gradient_op_type"].s for node in nodes if "_gradient_op_type" in node.attr)
    return [name.decode() for name in found if name.startswith(b"Custom")]


def uses(operations: Sequence[Any], types: frozenset[str]) -> bool:
    """Tell whether some ops, or the functions that they may call, are of some types."""
    if any(op.type in types for op in operations):
        return True
    if not any(op.type in _CALLS for op in operations):
        return False
    library = operations[0].graph.as_graph_def().library
    return any(node.op in types for f in library.function for node in f.node_def)
