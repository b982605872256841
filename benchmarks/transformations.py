"""What compiling and differentiating cost beside the framework's own.

    python benchmarks/transformations.py [--quick]

Ratios of medians, measured by turns in one process as in `overhead.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import cyclopts
import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf
from overhead import Pair, print_ratios

import unibackend as ub

LAYERS, WIDTH, ROWS, OPERATIONS = 3, 256, 256, 200


def pairs() -> Iterator[Pair]:
    """Yield what is compared: calls with trees, gradients, and first calls."""
    yield from _trees()
    yield from _gradients()
    yield from _first_calls()


def _trees() -> Iterator[Pair]:
    """Compiled calls with a tree of 20 small arrays."""
    leaves = {f"w{i}": np.full((4, 4), i, np.float32) for i in range(20)}

    def total(tree: Any) -> Any:
        result = tree["w0"]
        for i in range(1, 20):
            result = result + tree[f"w{i}"]
        return result

    for name, native, array in (
        ("JAX", jax.jit(total), jnp.asarray),
        ("TensorFlow", tf.function(total), tf.constant),
    ):
        theirs = {key: array(value) for key, value in leaves.items()}
        ours = {key: ub.asarray(value, backend=name.lower()) for key, value in leaves.items()}
        compiled = ub.compile(total)
        yield Pair(
            f"{name}: compiled call, a tree of 20 arrays",
            "jax.jit" if name == "JAX" else "tf.function",
            functools.partial(compiled, ours),
            functools.partial(native, theirs),
            1.25 if name == "JAX" else 0.30,
            xla=False,
        )


def _gradients() -> Iterator[Pair]:
    """The gradient of a network of three layers, compiled."""
    generator = np.random.default_rng(0)
    weights = [generator.standard_normal((WIDTH, WIDTH), np.float32) / 16 for _ in range(LAYERS)]
    batch = generator.standard_normal((ROWS, WIDTH), np.float32)

    def loss(weights: Any, x: Any) -> Any:
        for w in weights:
            x = ub.tanh(ub.matmul(x, w))
        return ub.mean(x * x)

    def loss_jax(weights: Any, x: Any) -> Any:
        for w in weights:
            x = jnp.tanh(jnp.matmul(x, w))
        return jnp.mean(x * x)

    def gradient_tensorflow(weights: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(weights)
            y = x
            for w in weights:
                y = tf.tanh(tf.matmul(y, w))
            value = tf.reduce_mean(y * y)
        return tape.gradient(value, weights)

    their_gradient = tf.function(gradient_tensorflow)
    gradient, gradient_jax = ub.compile(ub.grad(loss)), jax.jit(jax.grad(loss_jax))
    jax_weights, jax_batch = [jnp.asarray(w) for w in weights], jnp.asarray(batch)
    yield Pair(
        "JAX: gradient of a 3-layer network, compiled",
        "jax.jit(jax.grad)",
        lambda: gradient(jax_weights, jax_batch)[0],
        lambda: gradient_jax(jax_weights, jax_batch)[0],
        1.05,
    )
    their_weights, their_batch = [tf.constant(w) for w in weights], tf.constant(batch)
    our_weights = [ub.asarray(w, backend="tensorflow") for w in weights]
    our_batch = ub.asarray(batch, backend="tensorflow")
    yield Pair(
        "TensorFlow: gradient of a 3-layer network, compiled",
        "tf.function of GradientTape",
        lambda: gradient(our_weights, our_batch)[0],
        lambda: their_gradient(their_weights, their_batch)[0],
        0.90,
        xla=False,
    )


def _first_calls() -> Iterator[Pair]:
    """Tracing and compiling a function of 200 operations."""

    def chain(multiply: Callable[..., Any], add: Callable[..., Any]) -> Callable[..., Any]:
        def function(x: Any) -> Any:
            for _ in range(OPERATIONS // 2):
                x = add(multiply(x, x), x)
            return x

        return function

    value = np.full((4, 4), 0.5, np.float32)
    ours, jax_chain = (ub.multiply, ub.add), (jnp.multiply, jnp.add)
    x = jnp.asarray(value)
    yield Pair(
        "JAX: first call, 200 operations",
        "jax.jit",
        lambda: ub.compile(chain(*ours))(x),
        lambda: jax.jit(chain(*jax_chain))(x),
        1.2,
    )
    their_x, our_x = tf.constant(value), ub.asarray(value, backend="tensorflow")
    yield Pair(
        "TensorFlow: first call, 200 operations",
        "tf.function",
        lambda: ub.compile(chain(*ours))(our_x),
        lambda: tf.function(chain(tf.multiply, tf.add))(their_x),
        1.2,
        xla=False,
    )


def main(*, quick: bool = False) -> None:
    """Measure every row and print the table.

    Args:
        quick: Take few samples: shows that it runs, not how fast.
    """
    print_ratios("unibackend's transformations beside the framework's own", pairs(), quick)


if __name__ == "__main__":
    cyclopts.run(main)
