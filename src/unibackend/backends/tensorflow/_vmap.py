"""`vmap` on TensorFlow: pfor, the machinery of `tf.vectorized_map`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ... import tree
from ..._dispatch import SCALARS
from ...errors import FallbackWarning, UnsupportedError
from ...transforms.axes import out_axes_of, place
from ._values import TRACING_ERRORS, output, tracing_error
from .array import Array, tensor_of


def vmap(
    function: Callable[[list[Any]], Any],
    leaves: list[Any],
    axes: list[int | None],
    size: int,
    out_axes: Any,
    fallback: str | None,
) -> Any:
    """Map by pfor, the machinery of `tf.vectorized_map`."""
    from .manipulation import moveaxis  # the namespace is made before transforms

    name = function.__qualname__
    mapped = [i for i, axis in enumerate(axes) if axis is not None]
    batches = [
        tensor_of(moveaxis(leaves[i], axes[i] or 0, 0) if axes[i] else leaves[i]) for i in mapped
    ]
    whole = [
        leaf if axis is not None or type(leaf) in SCALARS else Array(tensor_of(leaf))
        for leaf, axis in zip(leaves, axes, strict=True)
    ]
    structure: Any = None

    def body(elements: list[Any]) -> list[Any]:
        nonlocal structure
        examples = list(whole)
        for i, element in zip(mapped, elements, strict=True):
            examples[i] = Array(element)
        outputs, structure = tree.flatten(function(examples))
        return [output(x, name) for x in outputs]

    outputs = _vectorized(body, batches, size, fallback, name)
    spread = tree.unflatten(structure, map(Array, outputs))
    places = out_axes_of(out_axes, spread)
    mapped_outputs = _depends(body, batches) if None in places else [True] * len(places)
    placed = [
        place(Array(x), axis, name, moveaxis, mapped=used)
        for x, axis, used in zip(outputs, places, mapped_outputs, strict=True)
    ]
    return tree.unflatten(structure, placed)


def _vectorized(
    body: Callable[[list[Any]], list[Any]],
    batches: list[Any],
    size: int,
    fallback: str | None,
    name: str,
) -> list[Any]:
    """Return the stacked outputs of a body over the leading axis of batches."""
    if size == 0:  # pfor needs an example: one of zeros, cut off again
        padded = [tf.zeros((1, *batch.shape[1:]), batch.dtype) for batch in batches]
        return [x[:0] for x in _vectorized(body, padded, 1, fallback, name)]
    raised: list[Exception] = []

    def run(elements: list[Any]) -> list[Any]:
        try:
            return body(elements if batches else [])
        except Exception as error:
            raised.append(error)  # pfor may wrap it in an error of its own
            raise

    def by_pfor(loop: bool) -> list[Any]:
        mapped = tf.autograph.experimental.do_not_convert(run)
        elements = batches or [tf.range(size)]  # something to iterate over
        return list(tf.vectorized_map(mapped, elements, fallback_to_while_loop=loop))

    try:
        return by_pfor(False)
    except TRACING_ERRORS as error:
        raise tracing_error(name, error) from error
    except Exception as error:
        if raised and raised[0] is not error:
            raise raised[0] from None
        op = re.search(r"No (?:pfor vectorization|converter) defined for (\w+)", str(error))
        if op is None:
            raise
        lacks = f"vmap: {name} uses TensorFlow's op {op[1]}, for which there is no batching rule"
        if fallback != "loop":
            raise UnsupportedError(
                f'{lacks}; vmap(..., fallback="loop") runs it example by example'
            ) from error
    warnings.warn(f"{lacks}; it runs example by example", FallbackWarning, stacklevel=2)
    return by_pfor(True)


def _depends(body: Callable[[list[Any]], list[Any]], batches: list[Any]) -> list[bool]:
    """Tell which outputs of a body depend on its arguments: what reaches them in its graph."""
    signature = [tf.TensorSpec(batch.shape[1:], batch.dtype) for batch in batches]
    graph = tf.function(lambda *e: body(list(e)), autograph=False).get_concrete_function(*signature)
    reached = {id(tensor) for tensor in graph.inputs[: len(batches)]}
    # Shapes are static: what reads only a shape does not depend on the values.
    for op in graph.graph.get_operations():
        if op.type in ("Shape", "ShapeN", "Size", "Rank"):
            continue
        if any(id(tensor) in reached for tensor in op.inputs):
            reached.update(id(tensor) for tensor in op.outputs)
    return [id(tensor) in reached for tensor in graph.outputs]
