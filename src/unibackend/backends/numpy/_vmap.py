"""`vmap` on NumPy, the reference: a loop over the examples, and a stack of the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def vmap(
    function: Callable[[list[Any]], Any],
    leaves: list[Any],
    axes: list[int | None],
    size: int,
    out_axes: Any,
    fallback: str | None,
) -> Any:
    """Run the function on each example and stack the results."""
    from ...transforms.by_example import vmap_by_example  # it is built on the backends
    from . import _backend

    return vmap_by_example(_backend, function, leaves, axes, size, out_axes)
