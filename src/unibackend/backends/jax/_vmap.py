"""`vmap` on JAX: its own, behind this library's rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ... import tree
from ..._dispatch import SCALARS
from ...errors import ShapeError
from ...transforms.axes import place
from ._outputs import opened, packed
from ._values import TRACING_ERRORS, strong, tracing_error


def vmap(
    function: Callable[[list[Any]], Any],
    leaves: list[Any],
    axes: list[int | None],
    size: int,
    out_axes: Any,
    fallback: str | None,
) -> Any:
    """Map by `jax.vmap`; Python numbers are no leaves of it, since they are compiled in."""
    numbers = {i: leaf for i, leaf in enumerate(leaves) if type(leaf) in SCALARS}
    by_prefix = not isinstance(out_axes, int) or type(out_axes) is bool
    structure: Any = None

    def of_arrays(*arrays: Any) -> Any:
        nonlocal structure
        rest = iter(arrays)
        examples = [numbers[i] if i in numbers else next(rest) for i in range(len(leaves))]
        result = function(examples)
        if not by_prefix:
            return packed(result, name)
        structure = tree.structure(result)  # JAX sorts the keys of dictionaries
        return jax.tree.map(lambda x: strong(x, name), result)

    arrays = [leaf for i, leaf in enumerate(leaves) if i not in numbers]
    in_axes = tuple(axis for i, axis in enumerate(axes) if i not in numbers)
    name = function.__qualname__
    mapped = jax.vmap(
        of_arrays, in_axes=in_axes, out_axes=out_axes if by_prefix else 0, axis_size=size
    )
    try:
        outputs = mapped(*arrays)
    except TRACING_ERRORS as error:
        raise tracing_error(name, error) from error
    except ValueError as error:
        if "out_axes" in str(error):
            raise ShapeError(f"vmap: out_axes={out_axes!r}: {error}") from None
        raise
    if by_prefix:
        return structure.unflatten(tree.leaves(outputs))
    if out_axes:
        outputs = jax.tree.map(
            lambda x: place(x, out_axes, name, jnp.moveaxis, mapped=True), outputs
        )
    return opened(outputs)
