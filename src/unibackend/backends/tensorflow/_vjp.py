"""Derivatives on TensorFlow: tapes, with JAX's rules for complex numbers and for what is zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from ...errors import UnsupportedError
from ...transforms.custom_vjp import refusal
from ...transforms.signature import name_of
from . import _graph, _private
from ._values import TRACING_ERRORS, argument, output, tracing_error
from .array import Array, Followed, Weak, differentiating, tensor_of

Flat = Callable[[list[Any]], list[Any]]

# The functions of custom derivatives that are run forward now, to be told from calls in them.
_running: ContextVar[tuple[Any, ...]] = ContextVar("running", default=())


def vjp(
    function: Callable[[list[Any]], tuple[list[Any], Any]], leaves: list[Any], name: str
) -> tuple[list[Any], Flat, Any]:
    # New tensors: one that an outer tape watches too would be differentiated by both at once.
    inputs = [_fresh(leaf, name) for leaf in leaves]
    tensors = [x._tensor for x in inputs]
    with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(tensors)
        token = differentiating.set(True)
        try:
            results, aux = function(inputs)
        except TRACING_ERRORS as error:
            raise tracing_error(name, error) from error
        finally:
            differentiating.reset(token)
            for x in inputs:
                if isinstance(x, Followed):
                    x.release()
        outputs = [output(x, name) for x in results]
    targets = [y for y in outputs if is_inexact(y)]

    def pullback(cotangents: list[Any]) -> list[Any]:
        given = [
            conj(tensor_of(ct)) for y, ct in zip(outputs, cotangents, strict=True) if is_inexact(y)
        ]
        gradients = gradient(tape, targets, tensors, given, name)
        return [
            Array(output((Weak if isinstance(x, Weak) else Array)(conj(g)), name))
            for x, g in zip(inputs, gradients, strict=True)
        ]

    return [Array(y) for y in outputs], pullback, aux


def gradient(
    tape: tf.GradientTape, targets: list[Any], sources: list[Any], given: list[Any], name: str
) -> list[Any]:
    """Return what a tape says, dense, with zeros where nothing is connected.

    Raises:
        UnsupportedError: TensorFlow has no derivative for an op.
    """
    if not targets:
        return [tf.zeros_like(x) for x in sources]
    try:
        with reading_variables(name):
            gradients = tape.gradient(
                targets,
                sources,
                output_gradients=given,
                unconnected_gradients=tf.UnconnectedGradients.ZERO,
            )
    except LookupError as error:
        raise UnsupportedError(f"{name}: TensorFlow has no derivative here: {error}") from error
    return [tf.convert_to_tensor(g) for g in gradients]


@contextmanager
def reading_variables(name: str) -> Iterator[None]:
    """Say what is wrong where TensorFlow hands a variable out of a loop or branch.

    Its gradient of one within another does so, and its functions cannot (TensorFlow 2.21).

    Raises:
        UnsupportedError: that is what happened.
    """
    try:
        yield
    except ValueError as error:
        if "variable without handle data" not in str(error):
            raise
        raise UnsupportedError(
            f"{name}: TensorFlow has no derivative here of a loop or branch within another that "
            f"reads a tf.Variable; read it before them, as in w = ub.asarray(variable)"
        ) from error


def is_inexact(tensor: Any) -> bool:
    return bool(tensor.dtype.is_floating or tensor.dtype.is_complex)


def conj(tensor: Any) -> Any:
    """Return the conjugate: TensorFlow's gradients are conjugates of JAX's."""
    return tf.math.conj(tensor) if tensor.dtype.is_complex else tensor


def _fresh(leaf: Any, name: str) -> Any:
    """Return a leaf as an array around a new tensor; a Python number stays weak."""
    tensor = tf.identity(argument(leaf, name))
    if isinstance(leaf, Weak) or not isinstance(leaf, Array | tf.Tensor | tf.Variable):
        return Weak(tensor)
    return Followed(tensor) if tf.executing_eagerly() else Array(tensor)


def custom_vjp(
    primal: Flat,
    forward: Callable[[list[Any]], tuple[list[Any], Any]],
    backward: Callable[[Any, list[Any]], list[Any]],
    leaves: list[Any],
    function: Callable[..., Any],
) -> list[Any]:
    name = name_of(function)
    tensors = [tensor_of(leaf) for leaf in leaves]
    if tf.executing_eagerly():
        return _custom_vjp_now(primal, forward, backward, tensors, name)
    tensors = [tf.identity(x) for x in tensors]  # where the graph of a gradient finds them
    start = _graph.position()
    residuals: Any = None
    running = _running.get()
    with tf.GradientTape() as tape:  # it tells which variables are read
        if any(x is function for x in running):  # its own forward function calls it
            results = primal([Array(x) for x in tensors])
        else:
            token = _running.set((*running, function))
            try:
                results, residuals = forward([Array(x) for x in tensors])
            finally:
                _running.reset(token)
    if tape.watched_variables():
        raise UnsupportedError(
            f"custom_vjp: {name} reads the variable {tape.watched_variables()[0].name}, to which "
            f"its backward function gives no gradient; pass its value as an argument: "
            f"ub.asarray(variable)"
        )
    outputs = [output(x, name) for x in results]
    used = _graph.used_from_outside(_graph.since(start), tensors)
    refused = refuse([x for x in used if not _graph.is_fixed(x)], refusal(name))

    def pullback(*cotangents: Any) -> list[Any]:
        saved = residuals
        if saved is None:
            _, saved = forward([Array(x) for x in tensors])
        gradients = _backward(backward, saved, tensors, outputs, cotangents)
        return gradients + [tf.zeros_like(x) for x in refused]

    return [Array(x) for x in with_gradient(outputs, [*tensors, *refused], pullback)]


def _custom_vjp_now(
    primal: Flat,
    forward: Callable[[list[Any]], tuple[list[Any], Any]],
    backward: Callable[[Any, list[Any]], list[Any]],
    tensors: list[Any],
    name: str,
) -> list[Any]:
    """Return what `custom_vjp` does with eager tensors, where tapes tell what is asked for."""
    watched = _private.is_watched(tensors)
    if watched:
        # Of constants, so that what a tape watches all the same depends on more than arguments.
        results, residuals = forward([Array(tf.stop_gradient(x)) for x in tensors])
    else:
        results, residuals = primal([Array(x) for x in tensors]), None
    outputs = [output(x, name) for x in results]
    if _private.is_watched(outputs):
        outputs = refuse(outputs, refusal(name))
    if not watched:
        return [Array(x) for x in outputs]
    inexact = [x for x in outputs if is_inexact(x)]

    def pullback(*cotangents: Any) -> list[Any]:
        saved = residuals
        if not _private.no_tape_records():  # a derivative of this derivative
            _, saved = forward([Array(x) for x in tensors])
        gradients = _backward(backward, saved, tensors, outputs, cotangents)
        return gradients + [tf.zeros_like(x) for x in inexact]

    return [Array(x) for x in with_gradient(outputs, [*tensors, *inexact], pullback)]


def _backward(
    backward: Callable[[Any, list[Any]], list[Any]],
    residuals: Any,
    tensors: list[Any],
    outputs: list[Any],
    cotangents: Sequence[Any],
) -> list[Any]:
    """Return a gradient for each tensor, by the user's function, in TensorFlow's convention."""
    given = [
        None if ct is None or not is_inexact(y) else Array(conj(ct))
        for y, ct in zip(outputs, cotangents, strict=True)
    ]
    return [
        tf.zeros_like(x) if g is None else conj(tensor_of(g))
        for x, g in zip(tensors, backward(residuals, given), strict=True)
    ]


def with_gradient(
    outputs: list[Any], inputs: list[Any], pullback: Callable[..., list[Any]]
) -> list[Any]:
    """Return outputs whose gradient by the inputs is what a pullback of their cotangents gives.

    No gradient goes to what the outputs were made of, variables included.
    """

    def function(*_: Any) -> tuple[list[Any], Callable[..., Any]]:
        def backward(*cotangents: Any, variables: Any = ()) -> Any:
            with _private.recorded():  # a pullback may take gradients of its own, silently 0 if not
                gradients = pullback(*cotangents)
            return (gradients, [None] * len(variables)) if variables else gradients

        return [tf.stop_gradient(x) for x in outputs], backward

    return list(tf.custom_gradient(function)(*inputs))


def by_replay(
    outputs: list[Any],
    inputs: list[Any],
    outside: list[Any],
    body: Callable[[list[Any]], list[Any]],
    run: Callable[[Callable[[list[Any]], list[Any]], list[Any]], list[Any]],
    name: str,
) -> list[Any]:
    """Return outputs of a body with the gradient that is found by running the body again.

    Args:
        outputs: what the body returned, with whatever gradient.
        inputs: what it was given, in the graph that is being built.
        outside: tensors and variables that it uses besides, to be differentiated by too.
        body: the function of tensors.
        run: calls a function with tensors: the inputs, then a cotangent for each inexact output.
            That function returns gradients by the inexact inputs, then by what is outside.
        name: the function's name, for errors.
    """
    inexact = [i for i, x in enumerate(inputs) if is_inexact(x)]
    kept = [is_inexact(y) for y in outputs]

    def back(tensors: list[Any]) -> list[Any]:
        again = [tf.identity(x) for x in tensors[: len(inputs)]]
        sources = [again[i] for i in inexact] + outside
        tensors_only = [x for x in sources if not isinstance(x, tf.Variable)]
        with tf.GradientTape(watch_accessed_variables=len(tensors_only) < len(sources)) as tape:
            tape.watch(tensors_only)
            targets = [y for y in body(again) if is_inexact(y)]
        return gradient(tape, targets, sources, tensors[len(inputs) :], name)

    def pullback(*cotangents: Any) -> list[Any]:
        given = [ct for ct, used in zip(cotangents, kept, strict=True) if used]
        gradients = run(back, [*inputs, *given])
        by_input: list[Any] = [None] * len(inputs)
        for i, g in zip(inexact, gradients, strict=False):
            by_input[i] = g
        return by_input + gradients[len(inexact) :]

    return with_gradient(outputs, [*inputs, *map(tf.convert_to_tensor, outside)], pullback)


def refuse(tensors: list[Any], message: str) -> list[Any]:
    """Return the same tensors, by which no gradient can be taken: an error says why."""
    if not tensors:
        return []

    def pullback(*_: Any) -> list[Any]:
        raise UnsupportedError(message)

    return with_gradient(tensors, tensors, pullback)


def stop_gradient(x: Any) -> Any:
    return Array(tf.stop_gradient(tensor_of(x)))
