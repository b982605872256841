"""`cond`, `switch` and `while_loop` on TensorFlow: its own ops, in the graph that is traced.

Branches and scans (`_scan`) have gradients of their own, which run the body again. TensorFlow's
keep what they need in lists of tensors, which pfor and XLA cannot map. A body with state keeps
TensorFlow's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import tensorflow as tf

from ... import dtypes
from ...errors import UnsupportedError
from . import _graph, _private
from ._values import argument, output
from ._vjp import is_inexact, reading_variables, refuse, with_gradient
from .array import Array, Weak, tensor_of

Flat = Callable[[list[Any]], list[Any]]


def rehearse(function: Callable[[list[Any]], Any], leaves: list[Any], name: str) -> None:
    """Trace a function in a graph that nobody runs; it notes what it returns itself."""

    def noting(leaves: list[Any]) -> list[Any]:
        function(leaves)
        return []

    traced = trace(noting, leaves, name)
    _private.forget_gradients(_graph.custom_gradients(traced.operations))


class Traced:
    """A user's function, traced once, so that its gradient can run it again.

    To call the function again would not do: a variable that it captures may be another by then,
    as in ``c = ub.fori_loop(0, 3, lambda i, d: d * c, c)``.
    """

    def __init__(self, concrete: Any) -> None:
        self._concrete = concrete
        self.specs = [tf.TensorSpec(y.shape, y.dtype) for y in concrete.outputs]
        # A function with state (a variable, a print, random numbers) must not run twice.
        self.operations = concrete.graph.get_operations()
        self.has_state = any(op.op_def.is_stateful for op in self.operations)
        self.captured = [x for x in concrete.captured_inputs if is_inexact(x)]

    def __call__(self, tensors: list[Any]) -> list[Any]:
        return list(self._concrete(*tensors) or ())


def trace(function: Flat, leaves: list[Any], name: str) -> Traced:
    """Return a function of arrays or numbers like these leaves as one of tensors."""
    tensors = [argument(leaf, name) for leaf in leaves]

    def traced(*tensors: Any) -> list[Any]:
        arguments = [_like(leaf, x) for leaf, x in zip(leaves, tensors, strict=True)]
        with _private.recorded():
            return tensors_of(function(arguments))

    signature = [tf.TensorSpec(x.shape, x.dtype) for x in tensors]
    with _private.unrecorded():  # its own ops are no part of what a tape differentiates
        return Traced(tf.function(traced, autograph=False).get_concrete_function(*signature))


def _like(leaf: Any, tensor: Any) -> Any:
    """Return a tensor as an array, weak where the leaf is."""
    if isinstance(leaf, Weak):
        return Weak(tensor, leaf.limits)
    if isinstance(leaf, Array):
        return Array(tensor)
    return Weak(tensor, dtypes.limits(leaf) if type(leaf) is int else None)


def arrays(tensors: Sequence[Any]) -> list[Any]:
    return [Array(x) for x in tensors]


def tensors_of(results: list[Any]) -> list[Any]:
    """Return results of a body as tensors of the graph that is traced."""
    return [output(x, "a branch or loop") for x in results]


def switch(index: Any, branches: list[Flat], leaves: list[Any]) -> list[Any]:
    tensors = [argument(leaf, "a branch") for leaf in leaves]
    functions = [trace(branch, leaves, "a branch") for branch in branches]
    if any(f.has_state for f in functions):
        with reading_variables("a branch"):
            return arrays(_selected(tensor_of(index), list(functions), tensors))
    outside = distinct(x for f in functions for x in f.captured)
    return arrays(_switch(tensor_of(index), list(functions), tensors, outside))


def distinct(tensors: Iterable[Any]) -> list[Any]:
    return list({id(x): x for x in tensors}.values())


@contextmanager
def nested_twice() -> Iterator[None]:
    """Say what is wrong where a second derivative reaches for what an inner loop captures.

    The gradient of a function's gradient, which TensorFlow makes, knows the tensors of the
    second function only, not those of the first (TensorFlow 2.21).

    Raises:
        UnsupportedError: that is what happened.
    """
    try:
        yield
    except (TypeError, ValueError) as error:
        if "out of scope" not in str(error):
            raise
        raise UnsupportedError(
            "TensorFlow has no second derivative of a loop or branch within another that uses "
            "the outer one's values; pass these as operands or carry them, run it with "
            "ub.use(compile=False), or use JAX"
        ) from error


def _switch(
    chosen: Any, functions: list[Flat], tensors: list[Any], outside: list[Any]
) -> list[Any]:
    """Return what one function returns, with the gradient that it has."""
    chosen, *tensors = [tf.identity(x) for x in (chosen, *tensors)]
    with _private.unrecorded():
        outputs = _selected(chosen, functions, tensors)

    def pullback(*cotangents: Any) -> list[Any]:
        count = len(tensors)

        def pulled(function: Flat) -> Flat:
            return lambda both: pull(function, both[:count], outside, both[count:])

        both = [*tensors, *dense(outputs, cotangents)]
        with nested_twice():
            return _switch(chosen, [pulled(f) for f in functions], both, outside)

    sources = [x for x in tensors if is_inexact(x)] + outside
    return with_gradient(outputs, sources, pullback) if sources else outputs


def _selected(chosen: Any, functions: list[Flat], tensors: list[Any]) -> list[Any]:
    """Return what one function returns, by halves: pfor maps `tf.cond`, and not `switch_case`."""
    if len(functions) == 1:
        return functions[0](tensors)
    half = len(functions) // 2

    def below() -> list[Any]:
        return [tf.constant(0), *_selected(chosen, functions[:half], tensors)]

    def above() -> list[Any]:
        return [tf.constant(0), *_selected(chosen - half, functions[half:], tensors)]

    outputs: list[Any] = tf.cond(chosen < half, below, above)  # of one tensor at least
    return list(outputs)[1:]


def dense(outputs: list[Any], cotangents: Sequence[Any]) -> list[Any]:
    """Return the cotangents of the outputs that have one, zeros where there is none."""
    return [
        tf.zeros_like(y) if ct is None else tf.convert_to_tensor(ct)
        for y, ct in zip(outputs, cotangents, strict=True)
        if is_inexact(y)
    ]


def pull(
    function: Flat, tensors: list[Any], outside: list[Any], cotangents: list[Any]
) -> list[Any]:
    """Return gradients of a function in the graph that is traced, by running it.

    Args:
        function: of tensors, with nothing of the user's that would run again.
        tensors: its arguments; there is a gradient for each inexact one, in front.
        outside: the tensors that it captures; there is a gradient for each.
        cotangents: one for each inexact output.
    """
    graph: Any = tf.compat.v1.get_default_graph()
    again = [tf.identity(x) for x in tensors]
    targets = [y for y in function(again) if is_inexact(y)]
    inside = {id(external): internal for external, internal in graph.captures}
    wanted = [x for x in again if is_inexact(x)] + [inside.get(id(x), x) for x in outside]
    here = [x for x in wanted if getattr(x, "graph", None) is graph]
    found = {}
    if targets and here:
        gradients = tf.gradients(targets, here, cotangents, stop_gradients=here)
        found = {id(x): g for x, g in zip(here, gradients, strict=True) if g is not None}
    shapes = [*filter(is_inexact, tensors), *outside]
    return [
        tf.convert_to_tensor(found[id(x)]) if id(x) in found else tf.zeros_like(like)
        for x, like in zip(wanted, shapes, strict=True)
    ]


def while_loop(cond: Callable[[list[Any]], Any], body: Flat, leaves: list[Any]) -> list[Any]:
    tensors = [tf.identity(tensor_of(x)) for x in leaves]
    start = _graph.position()

    def goes_on(state: list[Any]) -> Any:
        with _private.recorded():
            return tensor_of(cond(arrays(state[1:])))

    def step(state: list[Any]) -> list[Any]:
        with _private.recorded():
            return [state[0], *tensors_of(body(arrays(state[1:])))]

    with _private.unrecorded():
        outputs = loop(goes_on, step, [tf.constant(0), *tensors])[1:]  # of one tensor at least
    outside = _graph.used_from_outside(_graph.since(start), tensors)
    sources = [x for x in [*tensors, *outside] if is_inexact(x) and _private.is_watched([x])]
    if sources:  # a tape must know on what the outputs depend, or their gradient is silently 0
        outputs = with_gradient(outputs, sources, _refused)
    return arrays(outputs)


def _refused(*_: Any) -> list[Any]:
    raise UnsupportedError("while_loop: it has no gradient in reverse; use ub.scan")


def loop(
    cond: Callable[[list[Any]], Any],
    body: Callable[[list[Any]], list[Any]],
    state: list[Any],
    steps: int | None = None,
) -> list[Any]:
    """Return what `tf.while_loop` leaves; a shape that is known at first stays known."""
    shapes = [x.shape if isinstance(x, tf.Tensor) else None for x in state]  # or a TensorArray

    def next_state(*state: Any) -> list[Any]:
        return [
            x if shape is None or x.shape == shape else tf.ensure_shape(x, shape)
            for x, shape in zip(body(list(state)), shapes, strict=True)
        ]

    last = tf.while_loop(
        lambda *state: cond(list(state)), next_state, state, maximum_iterations=steps
    )
    return list(last)


def refuse_gradient(leaves: list[Any], message: str) -> list[Any]:
    """Return the leaves, by which no gradient can be taken."""
    if tf.executing_eagerly() and _private.no_tape_records():
        return leaves
    refused = iter(refuse([t for x in leaves if is_inexact(t := tensor_of(x))], message))
    return [Array(next(refused)) if is_inexact(tensor_of(x)) else x for x in leaves]
