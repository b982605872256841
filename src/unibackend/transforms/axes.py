"""The argument rules of `vmap`, which are `jax.vmap`'s: axes by prefix, sizes, outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import tree
from ..errors import ShapeError, TracingError

Axis = int | None


def broadcast_prefix(prefix: Any, value: Any, option: str, path: str) -> list[Axis]:
    """Return one axis for each leaf of a tree, from a prefix of that tree.

    Args:
        prefix: an integer or None for a whole (sub)tree, or a container of prefixes.
        value: the tree.
        option: "in_axes" or "out_axes", for errors.
        path: how the tree is called in errors, as "argument 0".

    Raises:
        ValueError: a container in the prefix where the tree has another, or none.
        TypeError: an axis that is neither an integer nor None.
    """
    if prefix is None or (isinstance(prefix, int) and type(prefix) is not bool):
        return [prefix] * len(tree.leaves(value))
    children, wanted = _children(value), _children(prefix)
    if wanted is None:
        raise TypeError(f"vmap: {option} for {path} is {prefix!r}, not an integer, None or a tree")
    if children is None or children.keys() != wanted.keys():
        raise ValueError(
            f"vmap: {option} for {path} is {prefix!r}, whose structure is no prefix of that of "
            f"{value!r:.80}"
        )
    return [
        axis
        for key, child in children.items()
        for axis in broadcast_prefix(wanted[key], child, option, f"{path}[{key!r}]")
    ]


def check_axes(option: str, prefix: Any) -> None:
    """Refuse axes that are neither integers nor None, wherever they stand in a tree.

    Raises:
        TypeError: the message names the option and the value.
    """
    if prefix is None or (isinstance(prefix, int) and type(prefix) is not bool):
        return
    for axis in tree.leaves(prefix):
        if not isinstance(axis, int) or type(axis) is bool:
            raise TypeError(f"vmap: {option}={prefix!r}: {axis!r} is not an integer or None")


def _children(value: Any) -> dict[Any, Any] | None:
    """Return the children of one container by key, in the order of the tree's leaves."""
    import optree

    if value is None:
        return {}
    if optree.tree_is_leaf(value, namespace=tree.NAMESPACE):
        return None
    flat: Any = optree.tree_flatten_one_level(value, namespace=tree.NAMESPACE)
    children, _, entries, *_ = flat
    return dict(zip(entries, children, strict=True))


def in_axes_of(
    in_axes: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str
) -> list[Axis]:
    """Return the mapped axis of each leaf of a call; keyword arguments are mapped on axis 0."""
    if isinstance(in_axes, list | tuple):
        if len(in_axes) != len(args):
            raise ValueError(
                f"vmap: in_axes={in_axes!r} has {len(in_axes)} entries, but {name} was called "
                f"with {len(args)} positional arguments; give one entry for each"
            )
        axes = [
            axis
            for i, (entry, arg) in enumerate(zip(in_axes, args, strict=True))
            for axis in broadcast_prefix(entry, arg, "in_axes", f"argument {i}")
        ]
    else:
        axes = broadcast_prefix(in_axes, args, "in_axes", "the arguments")
    return axes + [0] * len(tree.leaves(kwargs))


def mapped_size(
    leaves: list[Any], axes: list[Axis], axis_size: int | None, name: str
) -> tuple[int, list[Axis]]:
    """Return the size of the mapped axes, and the axes counted from the front.

    Raises:
        ShapeError: a leaf has no such axis, sizes differ, or nothing is mapped.
    """
    size, source, normal = axis_size, "axis_size", list(axes)
    for i, (leaf, axis) in enumerate(zip(leaves, axes, strict=True)):
        if axis is None:
            continue
        shape = getattr(leaf, "shape", ())
        if not -len(shape) <= axis < len(shape):
            kind = "a scalar" if not shape else f"an array of shape {tuple(shape)}"
            raise ShapeError(
                f"vmap: leaf {i} of the arguments of {name} is {kind}, which has no axis {axis} "
                f"to be mapped; give None for it in in_axes, as in in_axes=(0, None)"
            )
        normal[i] = axis % len(shape)
        found = shape[axis]
        if found is None:
            raise TracingError(
                f"vmap: leaf {i} of the arguments of {name} has an unknown size along axis {axis} "
                f"inside this tf.function; give it a known one, as in "
                f"tf.function(input_signature=...) or tf.ensure_shape"
            )
        if size is None:
            size, source = found, f"leaf {i} (axis {axis})"
        elif found != size:
            raise ShapeError(
                f"vmap: the mapped sizes differ: {source} has {size}, leaf {i} (axis {axis}) of "
                f"the arguments of {name} has {found}"
            )
    if size is None:
        raise ShapeError(
            f"vmap: nothing is mapped: in_axes leaves every argument of {name} whole; map one, "
            f"or give axis_size"
        )
    return size, normal


def out_axes_of(out_axes: Any, outputs: Any) -> list[Axis]:
    """Return the place of the mapped axis in each output, from a prefix of the outputs."""
    return broadcast_prefix(out_axes, outputs, "out_axes", "the outputs")


def place(
    output: Any, axis: Axis, name: str, moveaxis: Callable[[Any, int, int], Any], mapped: bool
) -> Any:
    """Return an output whose mapped axis is 0 with that axis where `out_axes` wants it.

    Raises:
        ShapeError: the output has no such axis; or None for one that was mapped.
    """
    if axis is None:
        if mapped:
            raise ShapeError(
                f"vmap: out_axes is None for an output of {name} that depends on a mapped "
                f"argument; give the place of its mapped axis"
            )
        return output[0]
    ndim = output.ndim
    if not -ndim <= axis < ndim:
        raise ShapeError(
            f"vmap: out_axes={axis} for an output of {name} that has {ndim} axes with the mapped "
            f"one"
        )
    return output if axis == 0 else moveaxis(output, 0, axis % ndim)
