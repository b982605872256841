"""Sums of products by Einstein's convention, as transposed and merged products of matrices.

`tf.einsum` takes neither integers of all types nor bools, multiplies stacks by a kernel that
broadcasts wrongly (tensorflow#117700), and has been seen to crash.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import opt_einsum
import tensorflow as tf

from ..._einsum import plan
from ..._products import check_precision
from ..._shapes import Shape
from ._kernels import HALVES, cast, raw
from ._sizes import dims_of, ints, product, reshape, static_shape
from .array import Array
from .elementwise import multiply
from .matmul import matmul
from .promotion import promote
from .statistical import sum as sum_of

# A tensor, and a number for each of its axes.
Term = tuple[Any, Shape]


def einsum(subscripts: str, /, *operands: Any, precision: str | None = None) -> Array:
    precision = check_precision(precision, "einsum")
    tensors = promote("einsum", *operands) if operands else []
    said = plan(subscripts, [static_shape(x, "einsum") for x in tensors])
    dtype = tensors[0].dtype
    terms = []
    working = tf.float32 if dtype in HALVES else dtype
    for x, dropped, labels in zip(tensors, said.dropped, said.labels, strict=True):
        terms.append(_without_twins((_squeezed(cast(x, working), dropped), labels)))
    for left, right in _order(terms, said.output):
        one, other = terms.pop(max(left, right)), terms.pop(min(left, right))
        needed = {*said.output, *(label for _, labels in terms for label in labels)}
        terms.append(_contracted(one, other, needed, precision))
    tensor, labels = _reduced(terms[0], set(said.output))
    return Array(cast(_arranged(tensor, labels, said.output), dtype))


def _squeezed(tensor: Any, axes: Shape) -> Any:
    if not axes:
        return tensor
    return reshape(tensor, [size for axis, size in enumerate(dims_of(tensor)) if axis not in axes])


def _order(terms: Sequence[Term], output: Shape) -> list[tuple[int, int]]:
    """Return which two terms are multiplied at each step; their product comes last."""
    if len(terms) < 3 or not all(x.shape.is_fully_defined() for x, _ in terms):
        return [(0, 1)] * (len(terms) - 1)
    letters = string.ascii_letters
    text = ",".join("".join(letters[label] for label in labels) for _, labels in terms)
    text += "->" + "".join(letters[label] for label in output)
    shapes = [tuple(x.shape) for x, _ in terms]
    path, _ = opt_einsum.contract_path(text, *shapes, shapes=True, optimize="greedy")
    return [(step[0], step[1]) for step in path]


def _without_twins(term: Term) -> Term:
    """Return the diagonals along axes of one label."""
    tensor, labels = term
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            rest = [axis for axis in range(len(labels)) if axis not in (first, second)]
            dims = dims_of(tensor)
            size = dims[first]
            kept = [dims[axis] for axis in rest]
            tensor = raw.Transpose(x=tensor, perm=ints((*rest, first, second)))
            # one more column makes of the diagonal the first one
            rows = reshape(tensor, [product(kept), size * size])
            tensor = reshape(rows[:, :: size + 1], [*kept, size])
            labels = (*(labels[axis] for axis in rest), label)
    return tensor, labels


def _reduced(term: Term, needed: set[int]) -> Term:
    """Return a term summed over the labels that nothing else needs."""
    tensor, labels = term
    axes = tuple(axis for axis, label in enumerate(labels) if label not in needed)
    if not axes:
        return term
    rest = tuple(label for label in labels if label in needed)
    if tensor.dtype is tf.bool:
        return raw.Any(input=tensor, axis=ints(axes)), rest
    return sum_of(Array(tensor), axis=axes, dtype=tensor.dtype)._tensor, rest


def _arranged(tensor: Any, labels: Shape, wanted: Sequence[int]) -> Any:
    """Return a tensor with its axes in another order."""
    if tuple(wanted) == labels:
        return tensor
    return raw.Transpose(x=tensor, perm=ints([labels.index(label) for label in wanted]))


def _contracted(one: Term, other: Term, needed: set[int], precision: str) -> Term:
    """Return the product of two terms, summed over the labels that nothing else needs."""
    tensor1, labels1 = _reduced(one, needed | {*other[1]})
    tensor2, labels2 = _reduced(other, needed | {*labels1})
    stack = [label for label in labels1 if label in labels2 and label in needed]
    summed = [label for label in labels1 if label in labels2 and label not in needed]
    rows = [label for label in labels1 if label not in labels2]
    columns = [label for label in labels2 if label not in labels1]
    tensor1 = _arranged(tensor1, labels1, [*stack, *rows, *summed])
    tensor2 = _arranged(tensor2, labels2, [*stack, *summed, *columns])
    dims1, dims2 = dims_of(tensor1), dims_of(tensor2)
    heights, widths = dims1[len(stack) : len(stack) + len(rows)], dims2[len(stack + summed) :]
    count, height, width = product(dims1[: len(stack)]), product(heights), product(widths)
    length = product(dims1[len(stack) + len(rows) :])
    tensor1 = Array(reshape(tensor1, [count, height, length]))
    tensor2 = Array(reshape(tensor2, [count, length, width]))
    whole = matmul(tensor1, tensor2, precision=precision) if summed else multiply(tensor1, tensor2)
    result = reshape(whole._tensor, [*dims1[: len(stack)], *heights, *widths])
    return result, (*stack, *rows, *columns)
