"""Rows added and cut off on TensorFlow: eager ops, which compile nothing and have gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from ._values import output
from .array import Array, tensor_of


def pad_rows(x: Any, size: int, zeros: bool = False) -> Any:
    tensor = tensor_of(x)
    count = tensor.shape[0]
    if zeros or count == 0:
        rows = tf.zeros((size - count, *tensor.shape[1:]), tensor.dtype)
    else:
        # Not `tile` or `broadcast_to`, which lack dtypes and ranks. `tf.gather` and `tf.concat`
        # take three times as long.
        places = np.full(size - count, count - 1, np.int32)
        rows = tf.raw_ops.GatherV2(params=tensor, indices=places, axis=0)
    return Array(tf.raw_ops.ConcatV2(values=[tensor, rows], axis=0))


def first_rows(x: Any, count: int) -> Any:
    return x[:count]


def part(x: Any, start: int, size: int, axis: int) -> Any:
    return x[(slice(None),) * axis + (slice(start, start + size),)]


def output_shapes(
    function: Callable[[list[Any]], list[Any]], leaves: list[Any], sizes: list[int | None]
) -> list[tuple[int | None, ...]]:
    def traced(*tensors: Any) -> list[Any]:
        return [output(x, "compile") for x in function(list(map(Array, tensors)))]

    specs = [
        tf.TensorSpec(x.shape if size is None else (size, *x.shape[1:]), tensor_of(x).dtype)
        for x, size in zip(leaves, sizes, strict=True)
    ]
    graph = tf.function(traced, autograph=False).get_concrete_function(*specs)  # dropped again
    return [tuple(x.shape) for x in graph.outputs]
