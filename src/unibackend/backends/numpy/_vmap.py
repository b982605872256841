"""`vmap` on NumPy, the reference: a loop over the examples, and a stack of the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import tree
from ...transforms.axes import out_axes_of, place
from ._values import output


def vmap(
    function: Callable[[list[Any]], Any],
    leaves: list[Any],
    axes: list[int | None],
    size: int,
    out_axes: Any,
    fallback: str | None,
) -> Any:
    """Run the function on each example and stack the results."""
    rows = [
        leaf if axis is None else np.moveaxis(leaf, axis, 0)
        for leaf, axis in zip(leaves, axes, strict=True)
    ]

    def example(i: int) -> list[Any]:
        return [row if axis is None else row[i] for row, axis in zip(rows, axes, strict=True)]

    if size == 0:  # one example of zeros tells the shapes
        rows = [
            row if axis is None else np.zeros((1, *row.shape[1:]), row.dtype)
            for row, axis in zip(rows, axes, strict=True)
        ]
    outputs = [tree.map(output, function(example(i))) for i in range(size or 1)]
    places = out_axes_of(out_axes, outputs[0])
    columns = zip(*map(tree.leaves, outputs), strict=True)
    name = function.__qualname__
    placed = [
        _stack(list(column), axis, size, name) for column, axis in zip(columns, places, strict=True)
    ]
    return tree.unflatten(tree.structure(outputs[0]), placed)


def _stack(column: list[Any], axis: int | None, size: int, name: str) -> Any:
    stacked = np.stack(column)[: size or 0]
    if axis is None:
        first = np.asarray(column[0])
        differs = any(
            not np.array_equal(first, other, equal_nan=first.dtype.kind in "fc") for other in column
        )
        place(stacked, None, name, np.moveaxis, differs) if differs else None
        return first
    return place(stacked, axis, name, np.moveaxis, True)
