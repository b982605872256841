"""The transformations on NumPy: the reference. `compile` checks and runs; `vmap` is a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import tree
from ..._dispatch import SCALARS
from ..._entry import enter, host
from ...settings import current, within
from ...transforms.axes import out_axes_of, place
from ...transforms.cache import CacheInfo, Call

if TYPE_CHECKING:
    from ...transforms.signature import Spec


class Runs:
    """What stands for a cache: nothing is traced, arguments enter as they do elsewhere."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._hits = 0

    def call(self, call: Call) -> Any:
        """Run the function on arguments of the width in force; numbers returned become arrays."""
        from . import _backend  # the backend is made of this module

        self._hits += 1
        leaves = [enter(_backend, leaf, function=self._spec.name) for leaf in call.leaves]
        with within("numpy"):
            return tree.map(_as_array, call.run(leaves))

    def fast(self, call: Call, stop: Callable[[], None]) -> Callable[..., Any] | None:
        """Return None: every call enters its arguments."""
        return None

    def explain(self, error: Exception) -> Exception:
        return error

    def info(self) -> CacheInfo:
        """Return the number of calls as hits."""
        return CacheInfo(self._hits, 0, 0, 0, current().trace_limit)

    def clear(self) -> None:
        """Start counting anew."""
        self._hits = 0


def _as_array(x: Any) -> Any:
    """Return a number or an array of NumPy's in the width in force."""
    is_host = type(x) in SCALARS or isinstance(x, np.ndarray | np.generic)
    return host(x, "an output") if is_host else x


def compile(spec: Spec) -> Runs:
    return Runs(spec)


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
    outputs = [tree.map(_as_array, function(example(i))) for i in range(size or 1)]
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
