"""`vmap` as a loop over the examples: NumPy's, and everybody's while nothing is compiled.

It is the reference for the others, and lets a debugger stop in an example and see its values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _dispatch, tree
from .._entry import enter
from .axes import out_axes_of, place
from .steps import rehearsal

if TYPE_CHECKING:
    from ..backends.contract import Backend


def vmap_by_example(
    backend: Backend,
    function: Callable[[list[Any]], Any],
    leaves: list[Any],
    axes: list[int | None],
    size: int,
    out_axes: Any,
) -> Any:
    """Run a function on each example and stack the results.

    Args:
        backend: the owner of the leaves.
        function: from a list of examples to a tree.
        leaves: arrays, or Python numbers where the axis is None.
        axes: the mapped axis of each, counted from the front; None for one that is whole.
        size: the number of examples.
        out_axes: the place of the mapped axis in the outputs, a prefix of their tree.

    Raises:
        ShapeError: as `vmap`.
    """
    name, space = function.__qualname__, backend.namespace
    rows = [
        leaf if axis is None else space.moveaxis(leaf, axis, 0)
        for leaf, axis in zip(leaves, axes, strict=True)
    ]

    def run(examples: list[Any]) -> Any:
        def strong(x: Any) -> Any:
            if _dispatch.owner_of_type(type(x)) is _dispatch.UNKNOWN:
                return x  # `stack` says what it is
            return enter(backend, x, function=name, argument="an output", strong=True)

        return tree.map(strong, function(examples))

    outputs = []
    for i in range(size):
        try:
            outputs.append(
                run([row if axis is None else row[i] for row, axis in zip(rows, axes, strict=True)])
            )
        except Exception as error:
            error.add_note(f"In example {i} of vmap of {name}.")
            raise
    if size == 0:  # one example of zeros tells the shapes
        with rehearsal():
            outputs.append(
                run(
                    [
                        row if axis is None else space.zeros(row.shape[1:], dtype=row.dtype)
                        for row, axis in zip(rows, axes, strict=True)
                    ]
                )
            )
    places = out_axes_of(out_axes, outputs[0])
    columns = zip(*map(tree.leaves, outputs), strict=True)
    placed = []
    for column, axis in zip(columns, places, strict=True):
        stacked = space.stack(list(column))[:size]
        if axis is not None:
            placed.append(place(stacked, axis, name, space.moveaxis, True))
        elif _all_same(backend, column):
            placed.append(column[0])
        else:
            place(stacked, None, name, space.moveaxis, True)  # raises
    return tree.unflatten(tree.structure(outputs[0]), placed)


def _all_same(backend: Backend, column: tuple[Any, ...]) -> bool:
    """Tell whether all examples gave one value, as far as there are values."""
    if not all(backend.is_concrete(x) for x in column):
        return True
    first, *rest = map(backend.to_host, column)
    is_inexact = first.dtype.kind in "fc"
    return all(np.array_equal(first, other, equal_nan=is_inexact) for other in rest)
