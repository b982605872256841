"""Batching rules for ops that pfor, the machinery of `tf.vectorized_map`, has none for.

Without a rule pfor loops over the examples, without a word. Rules are added for absent ops only:
one of TensorFlow's own is never replaced, and one that comes with a later version takes the place
of ours. They serve a user's own `tf.vectorized_map` in the process too, which gives the same
results by them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

import tensorflow as tf

from . import _private
from ._pfor_call import (
    Call,
    RefusedError,
    flattened,
    merged,
    of_rank,
    past_examples,
    sizes_of,
    total,
    unmerged,
)

# From a call to the outputs of the op, each with the examples along its leading axis.
Rule: TypeAlias = Callable[[Call], list[Any]]

RULES: dict[str, Rule] = {}

_lock = threading.Lock()
_done = False


def register() -> None:
    """Give pfor the rules it lacks, the first time it is called.

    Where the names of pfor have moved nothing is registered: `vmap` then treats these ops as any
    other without a rule.
    """
    global _done
    if _done:
        return
    with _lock:
        pfor = None if _done else _private.find_pfor()
        if pfor is not None:
            for name, function in RULES.items():
                if not pfor.has_rule(name):
                    pfor.register(name, _converter(function, pfor))
        _done = True


def _converter(function: Rule, pfor: _private.Pfor) -> Callable[[Any], Any]:
    """Return a rule in the form that pfor calls."""

    def convert(asked: Any) -> Any:
        op, inputs, length = pfor.read(asked)
        known = tf.get_static_value(length)
        size = tf.reshape(length, []) if known is None else int(known[0])
        call = Call(op, [tensor for tensor, _ in inputs], [mapped for _, mapped in inputs], size)
        try:
            outputs = function(call)
        except RefusedError as error:
            raise pfor.refusal(str(error)) from None
        if not call.op.outputs:
            return outputs[0]  # pfor takes the op that was made
        return [pfor.wrap(tensor, True) for tensor in outputs]

    return convert


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Put a rule for some ops into the table."""

    def add(function: Rule) -> Rule:
        assert not RULES.keys() & set(names)
        RULES.update(dict.fromkeys(names, function))
        return function

    return add


# Ops that take any number of leading axes, the same on all inputs.
@rule("BandedTriangularSolve", "CholeskyGrad", "Lu", "MatrixDeterminant")
@rule("MatrixLogarithm", "MatrixSquareRoot", "Qr", "TridiagonalMatMul", "TridiagonalSolve")
@rule("Bitcast", "GuaranteeConst", "InvGrad", "PopulationCount", "PreventGradient", "Snapshot")
def _batched(call: Call) -> list[Any]:
    return call.emit(*(call.stacked(i) for i in range(len(call.inputs))))


@rule("Eig", "Svd")
def _with_vectors(call: Call) -> list[Any]:
    values, *vectors = call.emit(call.stacked(0))
    if not call.op.get_attr("compute_v" if call.op.type == "Eig" else "compute_uv"):
        vectors = [tf.zeros([call.size, 0], x.dtype) for x in vectors]  # not of any example
    return [values, *vectors]


# Ops that take any number of leading axes on the first input, and one of others for all.
@rule("MatrixSolveLs")
def _least_squares(call: Call) -> list[Any]:
    return call.emit(call.stacked(0), call.stacked(1), call.whole(2))


@rule("NthElement")
def _nth_element(call: Call) -> list[Any]:
    return call.emit(call.stacked(0), call.whole(1))


# Ops whose second input numbers axes of the first.
@rule("CumulativeLogsumexp", "EuclideanNorm")
def _along_axes(call: Call) -> list[Any]:
    return call.emit(call.stacked(0), past_examples(call.whole(1)))


@rule("MirrorPad", "MirrorPadGrad")
def _mirror_pad(call: Call) -> list[Any]:
    if call.rank(0) > 4:
        raise call.refusal("with more than 4 axes, since its kernel takes 5")
    paddings = call.whole(1)
    return call.emit(call.stacked(0), tf.concat([tf.zeros([1, 2], paddings.dtype), paddings], 0))


# Elementwise ops that broadcast, and one that only repeats scalars.
@rule("NextAfter", "RandomGammaGrad")
def _elementwise(call: Call) -> list[Any]:
    rank = max(call.rank(0), call.rank(1))
    return call.emit(of_rank(call, 0, rank), of_rank(call, 1, rank))


@rule("Betainc")
def _betainc(call: Call) -> list[Any]:
    longest = max(range(3), key=call.rank)
    shape = sizes_of(call.stacked(longest))
    flat = [flattened(call.stacked(i), 1) for i in range(3)]
    common = [call.size, total(shape[1:])]
    [result] = call.emit(*(tf.broadcast_to(x, common) for x in flat))
    return [tf.reshape(result, shape)]


@rule("L2Loss")
def _half_of_squares(call: Call) -> list[Any]:
    squares = tf.reduce_sum(tf.square(flattened(call.stacked(0), 1)), 1)
    return [squares * tf.cast(0.5, squares.dtype)]


@rule("BatchMatMulV3")
def _product(call: Call) -> list[Any]:
    """Multiply stacks made equal first: the kernel may broadcast wrongly (tensorflow#117700)."""
    rank = max(call.rank(0), call.rank(1))
    x, y = of_rank(call, 0, rank), of_rank(call, 1, rank)
    shape_x, shape_y = sizes_of(x), sizes_of(y)
    if not call.mapped[1] and call.rank(1) == 2 and not call.op.get_attr("adj_x"):
        rows = tf.reshape(x, [1, total(shape_x[:-1]), shape_x[-1]])
        [product] = call.emit(rows, tf.expand_dims(y, 0))
        return [tf.reshape(product, [*shape_x[:-1], sizes_of(product)[-1]])]
    stack = _shape_of_both(shape_x[:-2], shape_y[:-2])
    flat = [
        tf.reshape(_repeated(tensor, [*stack, *shape[-2:]]), [total(stack), *shape[-2:]])
        for tensor, shape in ((x, shape_x), (y, shape_y))
    ]
    [product] = call.emit(*flat)
    return [tf.reshape(product, [*stack, *sizes_of(product)[-2:]])]


def _repeated(tensor: Any, shape: list[Any]) -> Any:
    return tensor if tensor.shape.as_list() == shape else tf.broadcast_to(tensor, shape)


def _shape_of_both(x: list[Any], y: list[Any]) -> list[Any]:
    """Return the shape that two broadcast to."""
    rank = max(len(x), len(y))
    pairs = zip([1] * (rank - len(x)) + x, [1] * (rank - len(y)) + y, strict=True)
    result: list[Any] = []
    for a, b in pairs:
        if isinstance(a, int) and isinstance(b, int):
            result.append(b if a == 1 else a)
        else:
            result.append(tf.where(tf.equal(a, 1), b, a))
    return result


# Ops that write to places.
@rule("TensorScatterAdd", "TensorScatterSub", "TensorScatterMin", "TensorScatterMax")
def _tensor_scatter(call: Call) -> list[Any]:
    return call.emit(call.stacked(0), _numbered(call, call.stacked(1)), call.stacked(2))


@rule("ScatterNd")
def _scatter(call: Call) -> list[Any]:
    places = _numbered(call, call.stacked(0))
    shape = tf.concat([[call.size], tf.cast(call.whole(2), tf.int32)], 0)
    return call.emit(places, call.stacked(1), tf.cast(shape, places.dtype))


def _numbered(call: Call, places: Any) -> Any:
    """Return the places that each example names, with the number of the example before them."""
    size, *shape, depth = sizes_of(places)
    if isinstance(depth, int) and depth > 6:
        raise call.refusal("with more than 6 indexed axes, since its kernel takes 7")
    numbers = tf.reshape(tf.range(size), [-1, *[1] * (len(shape) + 1)])
    numbers = tf.broadcast_to(tf.cast(numbers, places.dtype), [size, *shape, 1])
    return tf.concat([numbers, places], -1)


@rule("InvertPermutation")
def _invert_permutation(call: Call) -> list[Any]:
    # The op refuses what is no permutation; here a number that comes twice is added up.
    permutations = call.stacked(0)
    size, length = sizes_of(permutations)
    places = _numbered(call, tf.expand_dims(permutations, 2))
    positions = tf.range(length, dtype=permutations.dtype)
    positions = tf.broadcast_to(positions, [size, length])
    shape = tf.cast(tf.stack([size, length]), permutations.dtype)
    return [tf.scatter_nd(places, positions, shape)]


@rule("DynamicStitch", "ParallelDynamicStitch")
def _stitch(call: Call) -> list[Any]:
    half = len(call.inputs) // 2
    indices = [call.whole(i) for i in range(half)]
    data = []
    for i in range(half):
        after, rank = call.rank(i), call.rank(half + i)
        order = [*range(1, after + 1), 0, *range(after + 1, rank + 1)]
        data.append(tf.transpose(call.stacked(half + i), order))
    [result] = call.emit(indices, data)
    return [_swapped(result)]


def _swapped(tensor: Any) -> Any:
    """Swap the first two axes."""
    return tf.transpose(tensor, [1, 0, *range(2, tensor.shape.rank)])


# Ops that count or sum by number.
@rule("SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd", "SegmentSum")
def _segments(call: Call) -> list[Any]:
    # The numbers decide how many segments there are, which must be the same for all examples.
    numbers = call.whole(1)
    call.rank(0)
    return [_swapped(call.emit(_swapped(call.stacked(0)), numbers)[0])]


@rule("Bincount")
def _bincount(call: Call) -> list[Any]:
    counts = tf.raw_ops.DenseBincount(
        input=flattened(call.stacked(0), 1),
        size=call.whole(1),
        weights=_weights(call),
        binary_output=False,
    )
    return [counts]


@rule("DenseBincount")
def _dense_bincount(call: Call) -> list[Any]:
    values, size = call.stacked(0), call.whole(1)
    if call.rank(0) < 2:
        return call.emit(flattened(values, 1), size, _weights(call))
    flat = _weights(call)
    weights = flat if flat.shape.rank == 1 else tf.reshape(flat, sizes_of(merged(values)))
    [counts] = call.emit(merged(values), size, weights)
    return [unmerged(call, counts)]


def _weights(call: Call) -> Any:
    """Return the weights of the third input, a row for each example.

    None at all is a tensor without elements, as it is for one example.
    """
    one = call.op.inputs[2]
    if one.shape.num_elements() == 0:
        return tf.zeros([0], one.dtype)
    return flattened(call.stacked(2), 1)


@rule("InTopK", "InTopKV2")
def _in_top(call: Call) -> list[Any]:
    more = [call.whole(i) for i in range(2, len(call.inputs))]
    [result] = call.emit(merged(call.stacked(0)), merged(call.stacked(1)), *more)
    return [unmerged(call, result)]


# Calls of Python functions: one after the other, in the order of the examples.
@rule("EagerPyFunc", "PyFunc", "PyFuncStateless")
def _python(call: Call) -> list[Any]:
    def one(number: Any) -> list[Any]:
        inputs = [x[number] if m else x for x, m in zip(call.inputs, call.mapped, strict=True)]
        made = call.emit(inputs)
        if call.op.outputs:
            return made
        with tf.control_dependencies(made):
            return [tf.identity(number)]

    specs = [tf.TensorSpec(x.shape, x.dtype) for x in call.op.outputs]
    results: list[Any] = tf.map_fn(
        one,
        tf.range(call.size),
        fn_output_signature=specs or [tf.TensorSpec([], tf.int32)],
        parallel_iterations=1,
    )
    return results if specs else [results[0].op]


__all__ = ["RULES", "register"]
