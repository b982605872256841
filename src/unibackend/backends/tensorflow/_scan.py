"""`scan` on TensorFlow: a loop that reads and writes rows, whose gradient is such a loop again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ...settings import current
from . import _graph, _private
from ._control import arrays, dense, distinct, loop, nested_twice, pull, trace
from ._vjp import is_inexact, reading_variables, with_gradient
from .array import Array, tensor_of

# From a carry and an example of each input to the next carry and the outputs, all in one list.
Step = Callable[[list[Any]], list[Any]]


def scan(
    body: Callable[[list[Any], list[Any]], tuple[list[Any], list[Any]]],
    init: list[Any],
    xs: list[Any],
    length: int,
    reverse: bool,
) -> tuple[list[Any], list[Any]]:
    carry, inputs, count = [tensor_of(x) for x in init], [tensor_of(x) for x in xs], len(init)

    def of_leaves(leaves: list[Any]) -> list[Any]:
        outputs, ys = body(leaves[:count], leaves[count:])
        return [*outputs, *ys]

    example = [
        Array(x[0] if length else tf.zeros([n or 0 for n in x.shape[1:]], x.dtype)) for x in inputs
    ]
    step = trace(of_leaves, [*arrays(carry), *example], "scan")
    specs = step.specs[count:]
    if step.has_state:
        with reading_variables("scan"):
            last, ys = _loop(step, carry, inputs, length, reverse, specs)
    else:
        last, ys = _Scan(step, length, reverse, distinct(step.captured)).run(carry, inputs, specs)
    return arrays(last), arrays(ys)


class _Scan:
    """A loop with the gradient of its steps, which is such a loop again.

    That needs the carry before each step. It is kept at once where a tape records; else a
    gradient, if one is ever asked for, runs the loop again.
    """

    def __init__(self, step: Step, length: int, reverse: bool, outside: list[Any]) -> None:
        self._step = step
        self._length = length
        self._reverse = reverse
        self._outside = outside  # what the step captures

    def run(
        self, carry: list[Any], xs: list[Any], specs: list[Any], keep: bool | None = None
    ) -> tuple[list[Any], list[Any]]:
        """Return the last carry and the outputs, and the carries as further ones if `keep`."""
        carry, xs = [tf.identity(x) for x in carry], [tf.identity(x) for x in xs]
        count = len(carry)
        keeps = not _private.no_tape_records() if keep is None else keep
        all_specs = specs + [tf.TensorSpec(x.shape, x.dtype) for x in carry]

        def keeping(both: list[Any]) -> list[Any]:
            return self._step(both) + [tf.identity(x) for x in both[:count]]

        step = keeping if keeps else self._step
        with _private.unrecorded():
            last, ys = _loop(
                *(step, carry, xs, self._length, self._reverse), all_specs if keeps else specs
            )

        def pullback(*cotangents: Any) -> list[Any]:
            if keeps:
                saved = results[count + len(specs) :]
            else:
                saved = self.run(carry, xs, specs, keep=True)[1][len(specs) :]
            first = dense(last, cotangents[:count])
            rows = dense(ys, cotangents[count:])
            with nested_twice():
                return self._back(step, [*saved, *xs], first, rows, count)

        sources = [x for x in [*carry, *xs] if is_inexact(x)] + self._outside
        outputs = [*last, *ys]
        results = with_gradient(outputs, sources, pullback) if sources else outputs
        end = None if keep else count + len(specs)
        return results[:count], results[count:end]

    def _back(
        self, step: Step, inputs: list[Any], first: list[Any], rows: list[Any], count: int
    ) -> list[Any]:
        """Return gradients by the inexact ones of the first carry and inputs, and by `outside`.

        Args:
            step: the step.
            inputs: the carries before each step, and what is gone along.
            first: cotangents of the last carry.
            rows: cotangents of the outputs.
            count: the number of arrays in the carry.
        """
        outside, floats, several = self._outside, len(first), len(inputs)

        def back(both: list[Any]) -> list[Any]:
            by_carry, by_outside = both[:floats], both[floats : floats + len(outside)]
            given = both[floats + len(outside) :]
            gradients = pull(step, given[:several], outside, by_carry + given[several:])
            more = gradients[len(gradients) - len(outside) :]
            sums = [a + b for a, b in zip(by_outside, more, strict=True)]
            by_xs = gradients[floats : len(gradients) - len(outside)]
            return [*gradients[:floats], *sums, *by_xs]

        specs = [tf.TensorSpec(x.shape[1:], x.dtype) for x in inputs[count:] if is_inexact(x)]
        start = [*first, *(tf.zeros_like(x) for x in outside)]
        loop = _Scan(back, self._length, not self._reverse, outside)
        last, by_xs = loop.run(start, [*inputs, *rows], specs)
        return [*last[:floats], *by_xs, *last[floats:]]


def _loop(
    step: Step, carry: list[Any], xs: list[Any], length: int, reverse: bool, specs: list[Any]
) -> tuple[list[Any], list[Any]]:
    """Return the last carry and the stacked outputs of a `tf.while_loop`."""
    if length == 0:
        return carry, [tf.zeros([0, *(n or 0 for n in spec.shape)], spec.dtype) for spec in specs]
    # XLA maps no TensorArray, and pfor none in what it mapped once: it takes the trip count of
    # that loop for mapped. A buffer that is written to costs O(n²) outside of XLA.
    rows: Any = _Buffer if current().xla is True or _graph.depth.get() > 1 else _List
    inputs = [rows.of(x, length) for x in xs]
    count = len(carry)

    def body(state: list[Any]) -> list[Any]:
        i, columns = state[0], state[1 + count :]
        at = length - 1 - i if reverse else i
        outputs = step([*state[1 : 1 + count], *(x.read(at) for x in inputs)])
        written = [
            rows(column).write(at, y) for column, y in zip(columns, outputs[count:], strict=True)
        ]
        return [i + 1, *outputs[:count], *written]

    columns = [rows.empty(spec, length).state for spec in specs]
    last = loop(lambda state: state[0] < length, body, [tf.constant(0), *carry, *columns], length)
    ys = [
        tf.ensure_shape(rows(column).stack(), [length, *spec.shape])
        for column, spec in zip(last[1 + count :], specs, strict=True)
    ]
    return last[1 : 1 + count], ys


class _List:
    """Rows in a TensorArray."""

    def __init__(self, state: Any) -> None:
        self.state = state

    @classmethod
    def of(cls, x: Any, length: int) -> _List:
        return cls(cls.empty(tf.TensorSpec(x.shape[1:], x.dtype), length).state.unstack(x))

    @classmethod
    def empty(cls, spec: Any, length: int) -> _List:
        return cls(tf.TensorArray(spec.dtype, size=length, element_shape=spec.shape))

    def read(self, i: Any) -> Any:
        return self.state.read(i)

    def write(self, i: Any, row: Any) -> Any:
        return self.state.write(i, row)

    def stack(self) -> Any:
        return self.state.stack()


class _Buffer:
    """Rows in one tensor."""

    def __init__(self, state: Any) -> None:
        self.state = state

    @classmethod
    def of(cls, x: Any, length: int) -> _Buffer:
        return cls(x)

    @classmethod
    def empty(cls, spec: Any, length: int) -> _Buffer:
        return cls(tf.zeros([length, *spec.shape], spec.dtype))

    def read(self, i: Any) -> Any:
        return tf.gather(self.state, i)

    def write(self, i: Any, row: Any) -> Any:
        return tf.tensor_scatter_nd_update(self.state, [[i]], [row])

    def stack(self) -> Any:
        return self.state
