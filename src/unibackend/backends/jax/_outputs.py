"""What a traced function returns, as a tree that JAX hands back in the caller's own form.

JAX knows dictionaries with their keys sorted, no deque, and only the classes of its own registry.
So the leaves pass through it as one node that carries the structure, and is opened outside.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jax

from ... import tree
from ..._dispatch import UNKNOWN, owner_of_type
from ._values import strong


class Outputs:
    """The leaves of a tree and its structure, on the way out of JAX."""

    __slots__ = ("leaves", "structure")

    def __init__(self, structure: Any, leaves: Iterable[Any]) -> None:
        self.structure = structure
        self.leaves = leaves


jax.tree_util.register_pytree_node(Outputs, lambda x: (x.leaves, x.structure), Outputs)


def packed(result: Any, name: str) -> Any:
    """Return the results of a traced function with strong leaves; one array stays as it is."""
    if owner_of_type(type(result)) is not UNKNOWN and not isinstance(result, list | tuple):
        return strong(result, name)
    leaves, structure = tree.flatten(result)
    return Outputs(structure, [_output(leaf, name) for leaf in leaves])


def opened(result: Any) -> Any:
    """Return the results that the traced function gave."""
    return result.structure.unflatten(result.leaves) if type(result) is Outputs else result


def _output(leaf: Any, name: str) -> Any:
    from . import _backend  # the backend is made of this module

    if owner_of_type(type(leaf)) is UNKNOWN and _backend.is_container(leaf):
        return jax.tree.map(lambda x: strong(x, name), leaf)  # JAX alone knows it
    return strong(leaf, name)
