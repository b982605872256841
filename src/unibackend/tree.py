"""Pytrees: nested tuples, lists, dictionaries, named tuples and registered classes.

A thin frontend of optree under one namespace, so that what is registered here is a tree to every
transformation on every backend. ``None`` is a tree without leaves, as in JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import optree

NAMESPACE = "unibackend"

_T = TypeVar("_T", bound=type)

# What was registered, for backends that keep a registry of their own (JAX) and load later.
registered: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {}
on_register: list[Callable[[type], None]] = []


def flatten(tree: Any) -> tuple[list[Any], optree.PyTreeSpec]:
    """Return the leaves of a tree in order, and its structure.

    Args:
        tree: any value; one that is no container is a single leaf.

    Examples:
        >>> import unibackend as ub
        >>> leaves, structure = ub.tree.flatten({"b": 2, "a": (1, None)})
        >>> leaves
        [1, 2]
    """
    import optree  # a large extension module, loaded with the first tree

    return optree.tree_flatten(tree, namespace=NAMESPACE)


def unflatten(structure: optree.PyTreeSpec, leaves: Iterable[Any]) -> Any:
    """Return the tree of a structure with these leaves.

    Args:
        structure: from `flatten` or `structure`.
        leaves: as many as the structure has.

    Examples:
        >>> import unibackend as ub
        >>> ub.tree.unflatten(ub.tree.structure((0, [0])), ["x", "y"])
        ('x', ['y'])
    """
    return structure.unflatten(leaves)


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of a tree in order.

    Args:
        tree: any value.

    Examples:
        >>> import unibackend as ub
        >>> ub.tree.leaves({"w": 1, "b": [2, 3]})
        [2, 3, 1]
    """
    return flatten(tree)[0]


def structure(tree: Any) -> optree.PyTreeSpec:
    """Return the structure of a tree, which compares equal to that of a tree of the same form.

    Args:
        tree: any value.

    Examples:
        >>> import unibackend as ub
        >>> ub.tree.structure((1, 2)) == ub.tree.structure((3, 4))
        True
    """
    return flatten(tree)[1]


def map(function: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    """Return a tree of the same structure with a function applied to the leaves.

    Args:
        function: called with a leaf of `tree` and the leaves at its place in each of `rest`.
        tree: any value.
        rest: trees of the same structure.

    Raises:
        ValueError: the structures differ.

    Examples:
        >>> import unibackend as ub
        >>> ub.tree.map(lambda p, g: p - g, {"w": 3, "b": 1}, {"w": 1, "b": 1})
        {'w': 2, 'b': 0}
    """
    import optree

    return optree.tree_map(function, tree, *rest, namespace=NAMESPACE)


def register(
    cls: _T,
    flatten: Callable[[Any], tuple[Iterable[Any], Any]],
    unflatten: Callable[[Any, Any], Any],
) -> _T:
    """Make a class a container, on every backend.

    Args:
        cls: the class.
        flatten: from an instance to its children and the rest, which must be hashable.
        unflatten: from that rest and the children to an instance.

    Returns:
        The class.

    Raises:
        ValueError: the class is registered already.

    Examples:
        >>> import unibackend as ub
        >>> class Line:
        ...     def __init__(self, slope, offset):
        ...         self.slope, self.offset = slope, offset
        >>> _ = ub.tree.register(
        ...     Line, lambda x: ((x.slope, x.offset), None), lambda _, children: Line(*children)
        ... )
        >>> ub.tree.leaves(Line(2.0, 1.0))
        [2.0, 1.0]
    """
    import optree

    optree.register_pytree_node(cls, flatten, unflatten, namespace=NAMESPACE)
    registered[cls] = (flatten, unflatten)
    for tell in on_register:
        tell(cls)
    return cls
