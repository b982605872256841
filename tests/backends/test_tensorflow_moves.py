"""What moves elements on TensorFlow: with sizes that are unknown, and mapped at any rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub

X = np.arange(12.0).reshape(3, 4)


def whole(x: Any) -> Any:
    return ub.astype(x, "int32")


MOVES: dict[str, Callable[[Any], Any]] = {
    "pad": lambda x: ub.pad(x, ((1, 2), (0, 9)), constant_values=3),
    "edge": lambda x: ub.pad(x, 2, mode="edge"),
    "reflect": lambda x: ub.pad(x, (0, 9), mode="reflect"),
    "symmetric": lambda x: ub.pad(x, 9, mode="symmetric"),
    "wrap": lambda x: ub.pad(x, 9, mode="wrap"),
    "meshgrid": lambda x: ub.meshgrid(x[0], x[:, 1])[1],
    "reshape": lambda x: ub.reshape(x, (2, -1), order="F"),
    "dynamic_slice": lambda x: ub.dynamic_slice(x, whole(x[0, 1:3]), (2, 2)),
    "dynamic_update_slice": lambda x: ub.dynamic_update_slice(
        x, ub.zeros((1, 2), dtype=x.dtype), whole(x[0, 1:3])
    ),
    "get": lambda x: ub.at(x)[whole(x[0]), 1:].get(),
    "set": lambda x: ub.at(x)[whole(x[0]), 1:].set(0.0),
    "add": lambda x: ub.at(x)[whole(x[0]) - 5].add(1.0),
    "add rows": lambda x: ub.at(x)[[0, 1]].add(x[1:]),
    "divide": lambda x: ub.at(x)[[0, 0]].divide(2.0),
    "mask": lambda x: ub.at(x)[x > 5].set(0.0),
    "astype": lambda x: ub.astype(x * 1e30, "int8"),
}


@pytest.mark.parametrize("name", MOVES)
def test_with_unknown_sizes(name: str) -> None:
    move = MOVES[name]
    with ub.use("jax", x64=True):
        right = ub.to_numpy(ub.compile(move)(X))
    with ub.use("tensorflow", x64=True):
        for shape in ((None, None), (3, None)):
            spec = [tf.TensorSpec(shape, tf.float64)]
            call = tf.function(lambda x: ub.native(move(ub.asarray(x))), spec, autograph=False)
            np.testing.assert_array_equal(call(X).numpy(), right)


@pytest.mark.parametrize("xla", [False, True])
@pytest.mark.parametrize("name", MOVES)
def test_mapped(xla: bool, name: str) -> None:
    rows = np.stack([X, X + 1])
    with ub.use("jax", x64=True):
        right = ub.to_numpy(ub.vmap(MOVES[name])(rows))
    with ub.use("tensorflow", x64=True, xla=xla):
        np.testing.assert_array_equal(ub.to_numpy(ub.vmap(MOVES[name])(rows)), right)


LONG: dict[str, Callable[[Any], Any]] = {
    "wrap": lambda x: ub.pad(x, ((1, 1), *((0, 0),) * 10, (2, 2)), mode="wrap"),
    "pad": lambda x: ub.pad(x, ((1, 1), *((0, 1),) * 3, *((0, 0),) * 7, (2, 2))),
    "dynamic_slice": lambda x: ub.dynamic_slice(x, whole(ub.reshape(x, (-1,))[:1]) * ZEROS, ONES),
    "astype": lambda x: ub.astype(x, "int8"),
    "get": lambda x: ub.at(x)[..., [0, 1]].get(),
}
ZEROS, ONES = np.zeros(12, "int32"), (1,) * 12


@pytest.mark.parametrize("name", LONG)
def test_mapped_over_twelve_axes(name: str) -> None:
    x = np.arange(6.0).reshape(2, *(1,) * 10, 3)
    with ub.use("tensorflow", x64=True):
        right = ub.to_numpy(LONG[name](x))
        found = ub.to_numpy(ub.vmap(LONG[name])(np.stack([x, x])))
        np.testing.assert_array_equal(found, np.stack([right, right]))
