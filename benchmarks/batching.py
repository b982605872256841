"""What batching rules bring on TensorFlow, where `tf.vectorized_map` has none and loops.

    python benchmarks/batching.py [--quick]

The rules serve the whole process from the first `ub.vmap` on, `tf.vectorized_map` too: the other
side is traced before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cyclopts
import numpy as np
import tensorflow as tf
from overhead import Pair, medians
from rich.console import Console
from rich.table import Table

import unibackend as ub


def pairs() -> list[Pair]:
    """Return what is compared: a function mapped by us and by TensorFlow."""
    generator = np.random.default_rng(0)
    floats = tf.constant(generator.standard_normal((512, 8, 8), dtype=np.float32))
    small = tf.constant(generator.integers(-128, 128, (512, 8, 8)).astype(np.int8))

    def ours(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: [ub.asarray(y) for y in function(x.tensor)]

    rows: list[tuple[str, Callable[[Any], Any], Callable[[Any], Any], Any, float]] = [
        ("QR", ours(tf.linalg.qr), tf.linalg.qr, floats, 0.35),
        ("SVD", ours(tf.linalg.svd), tf.linalg.svd, floats, 0.40),
        ("determinant", lambda x: ub.asarray(tf.linalg.det(x.tensor)), tf.linalg.det, floats, 0.35),
        (
            "int8 product",
            lambda x: ub.matmul(x, x, dtype=ub.int32),
            lambda x: tf.matmul(x, x, output_type=tf.int32),
            small,
            0.35,
        ),
    ]
    return [_pair(*row) for row in rows]


def _pair(
    what: str,
    ours: Callable[[Any], Any],
    theirs: Callable[[Any], Any],
    batch: Any,
    goal: float,
) -> Pair:
    our_batch, our_map = ub.asarray(batch, backend="tensorflow"), ub.vmap(ours)
    their_map = tf.function(lambda x: tf.vectorized_map(theirs, x, warn=False), autograph=False)
    their_map(batch)  # traces
    return Pair(
        f"TensorFlow: {what} of 512 8x8 matrices",
        "tf.function of tf.vectorized_map",
        lambda: our_map(our_batch),
        lambda: their_map(batch),
        goal,
    )


def main(*, quick: bool = False) -> None:
    """Measure every row and print the table.

    Args:
        quick: Take few samples: shows that it runs, not how fast.
    """
    table = Table(title="batching rules beside TensorFlow's loops")
    for column in ("what", "against"):
        table.add_column(column)
    for column in ("ours", "theirs", "ratio", "goal"):
        table.add_column(column, justify="right")
    for pair in pairs():
        ours, theirs = medians(pair, seconds=0.2 if quick else 4.0)
        ratio = ours / theirs
        style = "green" if ratio <= pair.goal else "yellow"
        times = [f"{seconds * 1e6:,.1f} µs" for seconds in (ours, theirs)]
        numbers = [f"[{style}]{ratio:.3f}[/]", f"{pair.goal:.2f}"]
        table.add_row(pair.what, pair.against, *times, *numbers)
    Console(width=120).print(table)


if __name__ == "__main__":
    cyclopts.run(main)
