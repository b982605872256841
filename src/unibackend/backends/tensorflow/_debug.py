"""Debugging on TensorFlow: callbacks by `tf.numpy_function`, and operators that look for NaNs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from ... import _dispatch, _lines
from ...errors import UnsupportedError
from ...settings import current
from ._sizes import host_of
from ._values import output
from .array import DIRECT

_bare: dict[str, Callable[..., Any]] = {}


def watch_nans(on: bool) -> None:
    """Operators of two arrays of ours go around the dispatcher, but while somebody looks.

    They change for all threads, and mean the same: `unibackend._dispatch.watch` tells whether.
    """
    if _dispatch.watch is not None and not _bare:
        _bare.update(DIRECT)
        DIRECT.update(
            (name, _dispatch.DECLARED[name].call) for name in DIRECT if name in _dispatch.DECLARED
        )
    elif _dispatch.watch is None and _bare:
        DIRECT.update(_bare)
        _bare.clear()


def with_line(error: Exception, concrete: Any, tensors: list[Any]) -> Exception:
    """Return an error of a program that was called by an op, with the user's line as a note.

    TensorFlow tells where an op was made only when its function is called as a function.

    Args:
        error: what the call by the op raised.
        concrete: the function, which must have no effects, since it is called again.
        tensors: its arguments.
    """
    try:
        concrete(*tensors)
    except type(error) as told:
        told.add_note(f"It was raised in:{_lines.of_listing(_origin(str(told), concrete.graph))}")
        return told
    return error


def _origin(text: str, graph: Any) -> str:
    """Return the listing of where an op was made, for one that pfor made where its original was."""
    node = re.search(r"Detected at node (\S+?)/pfor/", text)
    try:
        frames = graph.get_operation_by_name(node[1]).traceback if node else ()
    except KeyError:
        return text
    lines = [f'File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames]
    return "\n".join(lines) or text


class Recorded:
    """The calls back that a body makes while it is mapped: pfor would run them for one example.

    What they need leaves the body after its outputs, and they are made outside of it.
    """

    def __init__(self) -> None:
        self.graph = tf.compat.v1.get_default_graph()
        self.tensors: list[Any] = []  # what is to leave the body
        self._calls: list[tuple[Callable[..., None], int]] = []

    def add(self, function: Callable[..., None], tensors: list[Any]) -> None:
        self._calls.append((function, len(tensors)))
        self.tensors += map(tf.identity, tensors)

    def make(self, stacked: Sequence[Any], mapped: Sequence[bool]) -> None:
        """Make the calls: for each example where a value depends on a mapped argument.

        Args:
            stacked: the values of `tensors` for all examples.
            mapped: which of them depend on a mapped argument.
        """
        start = 0
        for function, count in self._calls:
            own = list(mapped[start : start + count])
            values = stacked[start : start + count]
            start += count
            callback(
                _for_each(function, own),
                [x if is_own else x[0] for x, is_own in zip(values, own, strict=True)],
                True,
            )


def _for_each(function: Callable[..., None], mapped: list[bool]) -> Callable[..., None]:
    if True not in mapped:
        return function

    def examples(*arrays: Any) -> None:
        for i in range(len(arrays[mapped.index(True)])):
            function(*(x[i] if own else x for own, x in zip(mapped, arrays, strict=True)))

    return examples


_recorded: ContextVar[Recorded | None] = ContextVar("unibackend_callbacks", default=None)


@contextmanager
def recording() -> Iterator[Recorded]:
    """Record the calls back that are made in a block: the body of a mapped function."""
    recorded = Recorded()
    token = _recorded.set(recorded)
    try:
        yield recorded
    finally:
        _recorded.reset(token)


def callback(function: Callable[..., None], arrays: list[Any], ordered: bool) -> None:
    tensors = [tf.stop_gradient(output(x, "debug.print")) for x in arrays]
    if tf.executing_eagerly():
        function(*map(host_of, tensors))
        return
    if current().xla is True:
        raise UnsupportedError(
            "debug.print: XLA on TensorFlow cannot call back to Python; print with "
            "ub.use(xla=False), or run eagerly with ub.use(compile=False)"
        )
    recorded = _recorded.get()
    if recorded is None:
        tf.numpy_function(function, tensors, [])
    elif recorded.graph is tf.compat.v1.get_default_graph():
        recorded.add(function, tensors)
    else:
        raise UnsupportedError(
            "debug.print: TensorFlow would print one example only of a loop or a branch inside "
            "vmap; run eagerly with ub.use(compile=False)"
        )
