"""Broadcasting at any rank: TensorFlow's kernels stop where six axes broadcast in turns.

Neighbouring axes along which the operands broadcast alike are taken together; what is then left
of more than four axes is broadcast by hand, one axis at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from ... import _shapes
from ...errors import ShapeError
from ._gone import refuse_gone
from ._private import eager_tensor_type
from ._sizes import dims_of, pack, product, reshape

EagerTensor = eager_tensor_type()

# Kernels take five axes; one is left for the loop of a vectorized_map.
MOST_AXES = 4

# What kernels raise for too many axes, and for shapes that do not broadcast.
ERRORS = (ValueError, tf.errors.InvalidArgumentError, tf.errors.UnimplementedError)


def apply(function: str, kernel: Callable[..., Any], *tensors: Any) -> Any:
    """Return a kernel's result for tensors that broadcast together, at any rank.

    Raises:
        ShapeError: they do not broadcast.
    """
    for tensor in tensors:
        rank = tensor.shape.rank
        if rank is None or rank > MOST_AXES:
            break
    else:
        try:
            return kernel(*tensors)
        except ERRORS:
            pass
        except TypeError as error:
            refuse_gone(function, error)
            raise
    return at_any_rank(function, kernel, tensors)


def at_any_rank(function: str, kernel: Callable[..., Any], tensors: Sequence[Any]) -> Any:
    """Return a kernel's result for tensors of few axes, made so where they have many.

    Raises:
        ShapeError: they do not broadcast.
    """
    shapes = [dims_of(tensor, function) for tensor in tensors]
    result = broadcast_shapes(function, *shapes)
    rank = len(result)
    if rank <= MOST_AXES:
        return kernel(*tensors)
    shapes = [[1] * (rank - len(shape)) + list(shape) for shape in shapes]
    groups = _groups(shapes)
    folded = [[product(shape[a:b]) for a, b in groups] for shape in shapes]
    target = [product(result[a:b]) for a, b in groups]
    if len(groups) > MOST_AXES:
        operands = [
            reshape(_expand(tensor, shape, target), [product(target)])
            for tensor, shape in zip(tensors, folded, strict=True)
        ]
    else:
        operands = [reshape(t, shape) for t, shape in zip(tensors, folded, strict=True)]
    return reshape(kernel(*operands), result)


def _groups(shapes: Sequence[Sequence[Any]]) -> list[tuple[int, int]]:
    """Return the runs of axes along which the same operands have size 1."""
    rank = len(shapes[0])
    patterns = [tuple(_is_one(shape[i]) for shape in shapes) for i in range(rank)]
    runs: list[tuple[int, int]] = []
    for i, pattern in enumerate(patterns):
        if runs and None not in pattern and pattern == patterns[i - 1]:
            runs[-1] = (runs[-1][0], i + 1)
        else:
            runs.append((i, i + 1))
    return runs


def _is_one(size: Any) -> bool | None:
    return size == 1 if isinstance(size, int) else None


def broadcast_shapes(function: str, *shapes: Sequence[Any]) -> list[Any]:
    """Return the sizes that shapes have in common; unknown ones are scalar tensors.

    Raises:
        ShapeError: they do not broadcast.
    """
    rank = max(map(len, shapes))
    result = []
    for i in range(-rank, 0):
        sizes = [shape[i] for shape in shapes if len(shape) >= -i]
        known = {size for size in sizes if isinstance(size, int) and size != 1}
        unknown = [size for size in sizes if not isinstance(size, int)]
        if len(known) > 1:
            if all(isinstance(size, int) for shape in shapes for size in shape):
                _shapes.broadcast(function, *shapes)  # raises
            readable = " and ".join(
                str(tuple(s if isinstance(s, int) else None for s in shape)) for shape in shapes
            )
            raise ShapeError(
                f"{function}: the shapes {readable} do not broadcast: along axis {i} they have the "
                f"sizes {' and '.join(map(str, sorted(known)))}; sizes must be equal or 1"
            )
        if known:
            result.append(known.pop())
        elif not unknown:
            result.append(1)
        else:
            size = unknown[0]
            for other in unknown[1:]:
                size = tf.where(tf.equal(size, 1), other, size)
            result.append(size)
    return result


def broadcast_to(tensor: Any, shape: Sequence[Any], function: str = "broadcast_to") -> Any:
    """Return a tensor broadcast to sizes that it is known to broadcast to, at any rank."""
    own = dims_of(tensor, function)
    if len(shape) <= MOST_AXES:
        return tf.raw_ops.BroadcastTo(input=tensor, shape=pack(shape))
    own = [1] * (len(shape) - len(own)) + own
    groups = _groups([own, list(shape)])
    target = [product(shape[a:b]) for a, b in groups]
    expanded = _expand(tensor, [product(own[a:b]) for a, b in groups], target)
    return reshape(expanded, shape)


def _expand(tensor: Any, sizes: Sequence[Any], target: Sequence[Any]) -> Any:
    """Return a tensor with each axis of size 1 repeated to its target, one axis at a time."""
    for i, (size, wanted) in enumerate(zip(sizes, target, strict=True)):
        if isinstance(size, int) and (size != 1 or (isinstance(wanted, int) and wanted == 1)):
            continue
        before, after = product(target[:i]), product(sizes[i + 1 :])
        tensor = tf.raw_ops.BroadcastTo(
            input=reshape(tensor, [before, size, after]), shape=pack([before, wanted, after])
        )
    return tensor
