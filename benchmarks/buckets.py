"""What many batch sizes cost with buckets, beside a compilation for each.

    python benchmarks/buckets.py [--quick]

Ours and theirs compute the same, on arrays of 64 columns and of 1, 2, 3, ... rows, each size once
and all of it new: what is measured is tracing, compiling, padding and cutting. The goals are the
project's; nothing fails where one is missed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import cyclopts
import jax
import numpy as np
import tensorflow as tf
from rich.console import Console
from rich.table import Table

import unibackend as ub


class Row(NamedTuple):
    """One comparison; TensorFlow without XLA compiles nothing, so it has no goal."""

    what: str
    against: str
    backend: str
    native: Callable[[Callable[..., Any]], Callable[..., Any]]
    goal: float | None
    xla: bool = False


ROWS = (
    Row("JAX", "jax.jit", "jax", jax.jit, 0.1),
    Row("TensorFlow, graph", "tf.function", "tensorflow", tf.function, None),
    Row(
        "TensorFlow, XLA",
        "tf.function(jit_compile=True)",
        "tensorflow",
        lambda f: tf.function(f, jit_compile=True),
        0.1,
        True,
    ),
)
MOST_TRACES = 9  # of 200 sizes in powers of two


def _work(x: Any, w: Any) -> Any:
    """Compute each row by itself, with operators that both sides have."""
    y = x @ w
    return (y * y + x) @ w - y


def seconds(row: Row, sizes: int) -> tuple[float, float, int]:
    """Return the seconds that ours and theirs take for all sizes, and the traces of ours."""
    generator = np.random.default_rng(0)
    rows = [generator.standard_normal((n, 64), dtype=np.float32) for n in range(1, sizes + 1)]
    weights = ub.asarray(generator.standard_normal((64, 64), dtype=np.float32) / 8)
    batches = [ub.asarray(x) for x in rows]
    ours = ub.compile(_work, buckets={"x": "powers_of_two"})
    theirs = row.native(_work)
    taken = _time(ours, batches, weights)
    natives = [ub.native(x) for x in batches]
    return taken, _time(theirs, natives, ub.native(weights)), ours.cache_info().traces


def _time(function: Callable[..., Any], batches: list[Any], weights: Any) -> float:
    """Return the seconds until the last result is computed."""
    start = time.perf_counter()
    for x in batches:
        result = function(x, weights)
    np.asarray(result)
    return time.perf_counter() - start


def main(*, quick: bool = False) -> None:
    """Measure every row and print the table.

    Args:
        quick: Take few sizes: shows that it runs, not how fast.
    """
    tf.get_logger().setLevel("ERROR")  # tf.function says that it retraces
    sizes = 5 if quick else 200
    table = Table(title=f"{sizes} batch sizes: ub.compile with buckets beside the framework's own")
    for column in ("what", "against"):
        table.add_column(column)
    for column in ("ours", "theirs", "ratio", "goal", "traces", "at most"):
        table.add_column(column, justify="right")
    for row in ROWS:
        with ub.use(row.backend, xla=row.xla):
            ours, theirs, traces = seconds(row, sizes)
        ratio = ours / theirs
        missed = (row.goal is not None and ratio > row.goal) or traces > MOST_TRACES
        style = "yellow" if missed else "green"
        table.add_row(
            row.what,
            row.against,
            f"{ours:.3f} s",
            f"{theirs:.3f} s",
            f"[{style}]{ratio:.3f}[/]",
            "" if row.goal is None else f"{row.goal:.2f}",
            str(traces),
            str(MOST_TRACES),
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    cyclopts.run(main)
