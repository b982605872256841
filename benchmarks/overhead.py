"""What unibackend costs beside the framework's own front door.

    python benchmarks/overhead.py [--quick]

Each row is a ratio of medians: ours and theirs are called by turns in one process, so that a
machine that slows down slows both. The goals are the project's; nothing fails where one is missed.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import cyclopts
import jax
import jax.numpy as jnp
import numpy as np
import tensorflow as tf
from rich.console import Console
from rich.table import Table

import unibackend as ub

Call: TypeAlias = Callable[[], Any]


@dataclass(frozen=True)
class Pair:
    """Two ways to compute the same thing, and the ratio of times to reach."""

    what: str
    against: str
    ours: Call
    theirs: Call
    goal: float
    xla: bool | Literal["auto"] = "auto"


def pairs() -> Iterator[Pair]:
    """Yield what is compared, the backends' arrays being made before."""
    tf.get_logger().setLevel("ERROR")  # vectorized_map retraces at every call, and says so
    generator = np.random.default_rng(0)
    small, large, batch = (
        generator.standard_normal(shape, dtype=np.float32)
        for shape in ((16, 16), (2048, 2048), (8, 16))
    )
    yield from _jax_pairs(jnp.array(small), jnp.array(large), jnp.array(batch))
    yield from _tensorflow_pairs(tf.constant(small), tf.constant(large), tf.constant(batch))
    yield from _common_pairs(jnp.array(small), tf.constant(small))


def _jax_pairs(small: jax.Array, large: jax.Array, batch: jax.Array) -> Iterator[Pair]:
    ours_compiled, theirs_compiled = ub.compile(_small_work), jax.jit(_small_work)
    ours_mapped, theirs_mapped = ub.vmap(_small_work), jax.vmap(_small_work)
    ours_product, theirs_product = ub.compile(ub.matmul), jax.jit(jnp.matmul)
    yield Pair(
        "JAX: eager matmul, 16x16",
        "jnp.matmul",
        lambda: ub.matmul(small, small),
        lambda: jnp.matmul(small, small),
        1.10,
    )
    yield Pair(
        "JAX: compiled call",
        "jax.jit",
        lambda: ours_compiled(small, small),
        lambda: theirs_compiled(small, small),
        1.10,
    )
    yield Pair(
        "JAX: vmap, called eagerly",
        "jax.vmap",
        lambda: ours_mapped(batch, batch),
        lambda: theirs_mapped(batch, batch),
        0.15,
    )
    yield Pair(
        "JAX: eager matmul, 2048x2048",
        "jnp.matmul",
        lambda: ub.matmul(large, large),
        lambda: jnp.matmul(large, large),
        1.03,
    )
    yield Pair(
        "JAX: compiled matmul, 2048x2048",
        "jax.jit",
        lambda: ours_product(large, large),
        lambda: theirs_product(large, large),
        1.03,
    )


def _tensorflow_pairs(small: Any, large: Any, batch: Any) -> Iterator[Pair]:
    our_small, our_large, our_batch = (
        ub.asarray(tensor, backend="tensorflow") for tensor in (small, large, batch)
    )
    ours_plain, theirs_plain = ub.compile(_small_work), tf.function(_small_work)
    ours_xla, theirs_xla = ub.compile(_small_work), tf.function(_small_work, jit_compile=True)
    ours_mapped = ub.vmap(_small_work)
    ours_product, theirs_product = ub.compile(ub.matmul), tf.function(tf.matmul)
    yield Pair(
        "TensorFlow: eager matmul, 16x16",
        "tf.matmul",
        lambda: ub.matmul(our_small, our_small),
        lambda: tf.matmul(small, small),
        0.70,
    )
    yield Pair(
        "TensorFlow: eager add, 16x16",
        "a + b",
        lambda: our_small + our_small,
        lambda: small + small,
        0.70,
    )
    yield Pair(
        "TensorFlow: compiled call, graph",
        "tf.function",
        lambda: ours_plain(our_small, our_small),
        lambda: theirs_plain(small, small),
        0.10,
        xla=False,
    )
    yield Pair(
        "TensorFlow: compiled call, XLA",
        "tf.function(jit_compile=True)",
        lambda: ours_xla(our_small, our_small),
        lambda: theirs_xla(small, small),
        0.20,
        xla=True,
    )
    yield Pair(
        "TensorFlow: vmap, called eagerly",
        "tf.vectorized_map",
        lambda: ours_mapped(our_batch, our_batch),
        lambda: tf.vectorized_map(lambda both: _small_work(*both), (batch, batch)),
        0.01,
    )
    yield Pair(
        "TensorFlow: eager matmul, 2048x2048",
        "tf.matmul",
        lambda: ub.matmul(our_large, our_large),
        lambda: tf.matmul(large, large),
        1.03,
    )
    yield Pair(
        "TensorFlow: compiled matmul, 2048x2048",
        "tf.function",
        lambda: ours_product(our_large, our_large),
        lambda: theirs_product(large, large),
        1.03,
        xla=False,
    )


def _common_pairs(jax_array: jax.Array, tensor: Any) -> Iterator[Pair]:
    """Yield the operations that everybody calls, eagerly, on 16x16."""
    y = jax_array
    x = ub.asarray(tensor, backend="tensorflow")
    positive, plus = tensor > 0, x > 0
    on_tensorflow: list[tuple[str, str, Call, Call]] = [
        ("multiply", "a * b", lambda: x * x, lambda: tensor * tensor),
        ("add a number", "a + 1.0", lambda: x + 1.0, lambda: tensor + 1.0),
        ("exp", "tf.exp", lambda: ub.exp(x), lambda: tf.exp(tensor)),
        ("sum", "tf.reduce_sum", lambda: ub.sum(x), lambda: tf.reduce_sum(tensor)),
        (
            "sum, axis=0",
            "tf.reduce_sum",
            lambda: ub.sum(x, axis=0),
            lambda: tf.reduce_sum(tensor, axis=0),
        ),
        (
            "reshape",
            "tf.reshape",
            lambda: ub.reshape(x, (4, 64)),
            lambda: tf.reshape(tensor, (4, 64)),
        ),
        ("x[3]", "a[3]", lambda: x[3], lambda: tensor[3]),
        ("x[2:9, ::2]", "a[2:9, ::2]", lambda: x[2:9, ::2], lambda: tensor[2:9, ::2]),
        (
            "where",
            "tf.where",
            lambda: ub.where(plus, x, x),
            lambda: tf.where(positive, tensor, tensor),
        ),
        ("concat", "tf.concat", lambda: ub.concat([x, x]), lambda: tf.concat([tensor, tensor], 0)),
    ]
    on_jax: list[tuple[str, str, Call, Call]] = [
        ("add", "jnp.add", lambda: ub.add(y, y), lambda: jnp.add(y, y)),
        ("add a number", "jnp.add", lambda: ub.add(y, 1.0), lambda: jnp.add(y, 1.0)),
        ("multiply", "jnp.multiply", lambda: ub.multiply(y, y), lambda: jnp.multiply(y, y)),
        ("exp", "jnp.exp", lambda: ub.exp(y), lambda: jnp.exp(y)),
        ("sum", "jnp.sum", lambda: ub.sum(y), lambda: jnp.sum(y)),
        ("sum, axis=0", "jnp.sum", lambda: ub.sum(y, axis=0), lambda: jnp.sum(y, axis=0)),
        ("reshape", "jnp.reshape", lambda: ub.reshape(y, (4, 64)), lambda: y.reshape((4, 64))),
        ("where", "jnp.where", lambda: ub.where(y > 0, y, y), lambda: jnp.where(y > 0, y, y)),
        ("concat", "jnp.concat", lambda: ub.concat([y, y]), lambda: jnp.concat([y, y])),
    ]
    for what, against, ours, theirs in on_tensorflow:
        yield Pair(f"TensorFlow: eager {what}", against, ours, theirs, 1.00)
    for what, against, ours, theirs in on_jax:
        yield Pair(f"JAX: eager {what}", against, ours, theirs, 1.15)


def _small_work(a: Any, b: Any) -> Any:
    """Compute so little that what is measured is the call."""
    return a * b + a


def medians(pair: Pair, seconds: float) -> tuple[float, float]:
    """Return the median time of one call of ours and of theirs, called by turns.

    Args:
        pair: What to compare.
        seconds: About how long both together may take.
    """
    for call in (pair.ours, pair.theirs):  # traces, compiles and warms caches
        _time(call, 2)
    # Many calls a sample, or the caches would be those that the other side has left.
    numbers = [max(1, round(0.005 / _time(call, 3))) for call in (pair.ours, pair.theirs)]
    sample = sum(
        n * _time(call, n) for n, call in zip(numbers, (pair.ours, pair.theirs), strict=True)
    )
    ours, theirs = [], []
    for _ in range(min(201, max(5, round(seconds / sample)))):
        ours.append(_time(pair.ours, numbers[0]))
        theirs.append(_time(pair.theirs, numbers[1]))
    return statistics.median(ours), statistics.median(theirs)


def _time(call: Call, number: int) -> float:
    """Return the seconds that one of a number of calls took, until the last is computed."""
    gc.disable()
    start = time.perf_counter()
    for _ in range(number):
        result = call()
    if hasattr(result, "block_until_ready"):
        result.block_until_ready()
    elapsed = time.perf_counter() - start
    gc.enable()
    return elapsed / number


def import_medians(rounds: int) -> tuple[float, float]:
    """Return the median time of importing unibackend and of importing NumPy, in new processes."""
    _import_seconds("unibackend")  # writes the bytecode
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(_import_seconds("unibackend"))
        theirs.append(_import_seconds("numpy"))
    return statistics.median(ours), statistics.median(theirs)


def _import_seconds(module: str) -> float:
    program = (
        "import time; start = time.perf_counter(); "
        f"import {module}; print(time.perf_counter() - start)"
    )
    # As a user has it: with the bytecode of an earlier import.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=True
    )
    return float(done.stdout)


Row: TypeAlias = tuple[str, str, tuple[float, float], float]


def print_ratios(title: str, pairs: Iterable[Pair], quick: bool, more: Iterable[Row] = ()) -> None:
    """Measure pairs and print a table of them.

    Args:
        title: The table's title.
        pairs: What to measure.
        quick: Whether to take few samples.
        more: Rows that are measured already: what, against, both times, the goal.
    """
    table = Table(title=title)
    for column in ("what", "against"):
        table.add_column(column)
    for column in ("ours", "theirs", "ratio", "goal"):
        table.add_column(column, justify="right")

    def measured() -> Iterator[Row]:
        for pair in pairs:
            with ub.use(xla=pair.xla):
                times = medians(pair, seconds=0.2 if quick else 4.0)
            yield pair.what, pair.against, times, pair.goal
        yield from more

    for what, against, both, goal in measured():
        ours, theirs = (f"{seconds * 1e6:,.1f} µs" for seconds in both)
        ratio = both[0] / both[1]
        style = "green" if ratio <= goal else "yellow"
        table.add_row(what, against, ours, theirs, f"[{style}]{ratio:.3f}[/]", f"{goal:.2f}")
    Console(width=120).print(table)


def main(*, quick: bool = False) -> None:
    """Measure every row and print the table.

    Args:
        quick: Take few samples: shows that it runs, not how fast.
    """
    start = ("import unibackend", "import numpy", import_medians(3 if quick else 21), 1.3)
    print_ratios("unibackend beside the framework's own front door", pairs(), quick, [start])


if __name__ == "__main__":
    cyclopts.run(main)
