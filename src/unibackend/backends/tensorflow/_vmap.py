"""`vmap` on TensorFlow: pfor, the machinery of `tf.vectorized_map`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import tensorflow as tf

from ... import tree
from ..._dispatch import SCALARS
from ..._lines import stacklevel
from ...errors import FallbackWarning, UnsupportedError
from ...transforms.axes import out_axes_of, place
from ...transforms.cache import Call
from ...transforms.captured import frozen
from . import _graph, _pfor, _private
from ._compile import Trace
from ._debug import recording
from ._values import TRACING_ERRORS, output, tracing_error
from ._vjp import by_replay, is_inexact
from .array import Array, tensor_of

# How pfor says that it cannot batch an op: at all, or with a mapped operand.
_NO_RULE = re.compile(
    r"No (?:pfor vectorization|converter) defined for (\w+)|of op '(\w+)' expected to be"
)


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
    recorded: Any = None

    def body(elements: list[Any]) -> list[Any]:
        nonlocal structure, recorded
        examples = list(whole)
        for i, element in zip(mapped, elements, strict=True):
            examples[i] = Array(element)
        with recording() as recorded:
            outputs, structure = tree.flatten(function(examples))
            results: list[Any] = [output(x, name) for x in outputs]
            results += recorded.tensors
        return results

    mapping = _Mapping(body, size, fallback, name)
    depends: list[bool] = []

    def run(*batches: Any) -> list[Any]:
        outputs = mapping.run(list(batches))
        depends[:] = mapping.depends
        count: int = structure.num_leaves
        if size:
            recorded.make(outputs[count:], depends[count:])
        return outputs[:count]

    if tf.executing_eagerly():  # pfor works on a graph, and what it meets there is looked at
        call = Call(batches, None, lambda leaves: run(*[x.tensor for x in leaves]))
        specs = [(x.dtype, x.shape, False) for x in batches]
        outputs = [x.tensor for x in Trace(call, specs, name, False).run(batches)]
    else:
        outputs = run(*batches)
    places = out_axes_of(out_axes, tree.unflatten(structure, map(Array, outputs)))
    placed = [
        place(Array(x), axis, name, moveaxis, mapped=used)
        for x, axis, used in zip(outputs, places, depends, strict=False)
    ]
    return tree.unflatten(structure, placed)


class _Mapping:
    """A body that is mapped over the leading axis of batches.

    pfor rebuilds the ops of a custom gradient without it, so that gradients of what it returns
    are silently those of the ops (2 for 100, TensorFlow 2.21). Where there is such an op, what is
    returned is given a gradient of its own: the mapped pullback of the body.
    """

    def __init__(
        self,
        body: Callable[[list[Any]], list[Any]],
        size: int,
        fallback: str | None,
        name: str,
    ) -> None:
        self._body = body
        self._again = frozen(body)  # what it captures may be another when a gradient is asked for
        self._size = size
        self._fallback = fallback
        self._name = name
        self._operations: list[Any] = []  # of the body, in the graph
        self._elements: list[Any] = []
        self._results: list[Any] = []
        self._variables: list[Any] = []
        self._raised: list[Exception] = []
        self._converting = ExitStack()

    def run(self, batches: list[Any]) -> list[Any]:
        """Return the stacked outputs."""
        if self._size == 0:  # pfor needs an example: one of zeros, cut off again
            one = _Mapping(self._body, 1, self._fallback, self._name)
            outputs = one.run([tf.zeros((1, *x.shape[1:]), x.dtype) for x in batches])
            self._operations, self._elements = one._operations, one._elements
            self._results = one._results
            return [x[:0] for x in outputs]
        outputs = self._by_pfor(batches)
        if not _graph.custom_gradients(self._operations):
            return outputs
        outside = _graph.used_from_outside(self._operations, self._elements)
        outside += self._variables
        count = sum(map(is_inexact, batches))

        def mapped(back: Callable[[list[Any]], list[Any]], tensors: list[Any]) -> list[Any]:
            gradients = _Mapping(back, self._size, self._fallback, self._name).run(tensors)
            shared = [tf.reduce_sum(g, axis=0) for g in gradients[count:]]
            return gradients[:count] + shared

        here = [tf.identity(x) for x in batches]  # where the graph of a gradient finds them
        return by_replay(outputs, here, outside, self._again, mapped, self._name)

    @property
    def depends(self) -> list[bool]:
        """Which outputs depend on the mapped arguments."""
        return _graph.reached(self._elements, self._operations, self._results)

    def _example(self, elements: list[Any]) -> list[Any]:
        start = _graph.position()
        token = _graph.depth.set(_graph.depth.get() + 1)
        try:
            with tf.GradientTape() as tape:  # it tells which variables are read
                results = self._body(elements)
        except Exception as error:
            self._raised.append(error)  # pfor may wrap it in an error of its own
            raise
        finally:
            _graph.depth.reset(token)
        self._operations, self._elements = _graph.since(start), elements
        self._results, self._variables = results, list(tape.watched_variables())
        if _graph.custom_gradients(self._operations):
            # What pfor makes of them is given a gradient here; a tape that records it would want
            # the gradient of loops for itself, which cannot be had or, with XLA, be compiled.
            self._converting.enter_context(_private.unrecorded())
        return results

    def _by_pfor(self, batches: list[Any]) -> list[Any]:
        name = self._name

        def run(elements: list[Any]) -> list[Any]:
            return self._example(elements if batches else [])

        def mapped(loop: bool) -> list[Any]:
            function = tf.autograph.experimental.do_not_convert(run)
            elements = batches or [tf.range(self._size)]  # something to iterate over
            with self._converting:
                return list(tf.vectorized_map(function, elements, fallback_to_while_loop=loop))

        _pfor.register()
        try:
            return mapped(False)
        except TRACING_ERRORS as error:
            raise tracing_error(name, error) from error
        except Exception as error:
            if self._raised and self._raised[0] is not error:
                raise self._raised[0] from None
            if self._raised:
                raise
            op = _NO_RULE.search(str(error))
            if op is None:  # an error of pfor's own, as of calls in loops that it mapped before
                reason = " ".join(str(error).split())[:200]
                raise UnsupportedError(
                    f"vmap: TensorFlow cannot map {name} ({reason}); ub.use(compile=False) runs "
                    f"it example by example, or use JAX"
                ) from error
            lacks = (
                f"vmap: {name} uses TensorFlow's op {op[1] or op[2]}, for which there is no "
                f"batching rule of such operands"
            )
            if self._fallback != "loop":
                raise UnsupportedError(
                    f'{lacks}; vmap(..., fallback="loop") runs it example by example'
                ) from error
        warnings.warn(
            f"{lacks}; it runs example by example", FallbackWarning, stacklevel=stacklevel()
        )
        return mapped(True)
