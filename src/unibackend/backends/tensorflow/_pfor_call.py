"""What a batching rule for TensorFlow's pfor is given, and shapes that may be known or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import tensorflow as tf


class RefusedError(Exception):
    """A rule cannot serve a call; the message is worded as pfor's own for an op without rule."""


@dataclass(frozen=True)
class Call:
    """An op of a mapped function, and what its inputs are for all examples at once.

    Attributes:
        op: the op, as it stands in the function of one example.
        inputs: tensors that stand for the inputs of the op.
        mapped: whether an input has the examples along a leading axis, or is one for all.
        size: the number of examples: an integer where it is known, else a scalar tensor.
    """

    op: Any
    inputs: list[Any]
    mapped: list[bool]
    size: Any

    def stacked(self, index: int) -> Any:
        """Return an input with its examples along the leading axis, repeated if it is one."""
        tensor = self.inputs[index]
        if self.mapped[index]:
            return tensor
        shape = sizes_of(tensor)
        flat = tf.reshape(tensor, [1, total(shape)])  # broadcasting has a limit of axes
        repeated = tf.broadcast_to(flat, [self.size, total(shape)])
        return tf.reshape(repeated, [self.size, *shape])

    def whole(self, index: int) -> Any:
        """Return an input that must be one for all examples."""
        if self.mapped[index]:
            raise self.refusal(f"where input {index} differs between examples")
        return self.inputs[index]

    def rank(self, index: int) -> int:
        """Return the number of axes that an input has in one example."""
        rank: int | None = self.op.inputs[index].shape.rank
        if rank is None:
            raise self.refusal(f"where the rank of input {index} is not known")
        return rank

    def refusal(self, where: str) -> RefusedError:
        """Return an error that begins as pfor's, which `vmap` reads the op from."""
        return RefusedError(f"No pfor vectorization defined for {self.op.type} {where}")

    def emit(self, *arguments: Any) -> list[Any]:
        """Make the op anew, with its attributes and other inputs, and return its outputs.

        Args:
            arguments: a tensor, or a list where the op takes one, for each declared input.
        """
        declared = self.op.op_def
        follows = {
            name
            for arg in declared.input_arg
            for name in (arg.type_attr, arg.number_attr, arg.type_list_attr)
        }
        attributes = {
            attr.name: self.op.get_attr(attr.name)
            for attr in declared.attr
            if attr.name not in follows
        }
        names = [str(_RENAMED.get(arg.name, arg.name)) for arg in declared.input_arg]
        inputs = dict(zip(names, arguments, strict=True))
        outputs = getattr(tf.raw_ops, self.op.type)(**inputs, **attributes)
        return [outputs] if isinstance(outputs, tf.Tensor | tf.Operation) else list(outputs)


# Inputs that `tf.raw_ops` calls otherwise than the op does.
_RENAMED = {"reduction_indices": "axis"}


def sizes_of(tensor: Any) -> list[Any]:
    """Return the sizes of a tensor's axes: integers where they are known, else scalar tensors."""
    static = tensor.shape.as_list()
    if None not in static:
        return list(static)
    dynamic = tf.shape(tensor)
    return [dynamic[i] if size is None else size for i, size in enumerate(static)]


def total(sizes: list[Any]) -> Any:
    count: Any = 1
    for size in sizes:
        count = count * size
    return count


def flattened(tensor: Any, leading: int) -> Any:
    """Merge the axes after some leading ones into one."""
    shape = sizes_of(tensor)
    return tf.reshape(tensor, [*shape[:leading], total(shape[leading:])])


def merged(tensor: Any) -> Any:
    """Merge the axis of the examples and the one after it."""
    first, second, *rest = sizes_of(tensor)
    return tf.reshape(tensor, [first * second, *rest])


def unmerged(call: Call, tensor: Any) -> Any:
    """Undo `merged`."""
    first, *rest = sizes_of(tensor)
    return tf.reshape(tensor, [call.size, first // call.size, *rest])


def past_examples(axis: Any) -> Any:
    """Return the number of an axis, or of several, after one was put before them."""
    return axis + tf.cast(axis >= 0, axis.dtype)


def of_rank(call: Call, index: int, rank: int) -> Any:
    """Return an input whose example broadcasts as one of so many axes does."""
    tensor = call.inputs[index]
    if call.mapped[index]:
        for _ in range(rank - call.rank(index)):
            tensor = tf.expand_dims(tensor, 1)
    return tensor
