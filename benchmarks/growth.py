"""How much memory traces of ever new shapes take: with the bound on traces, and without one.

    python benchmarks/growth.py jax --traces 1000
    python benchmarks/growth.py tensorflow --traces 10000

Each way runs in a process of its own; the last two lines are the memory that was added.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import warnings

import numpy as np

import unibackend as ub

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def megabytes() -> float:
    """Return the memory of this process that is resident."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def grow(backend: str, traces: int, limit: int) -> None:
    """Trace a small function for so many shapes and print the memory that was added."""
    warnings.simplefilter("ignore", ub.errors.RetraceWarning)
    with ub.use(backend, trace_limit=limit):
        f = ub.compile(lambda x: x * 2 + 1)
        for n in range(1, 21):  # the framework's own first steps
            f(ub.asarray(np.zeros(n, np.float32)))
        start = megabytes()
        for n in range(21, 21 + traces):
            f(ub.asarray(np.zeros(n, np.float32)))
        info = f.cache_info()
        print(
            f"{backend}, {traces} shapes, at most {limit} traces kept ({info.evictions} evicted): "
            f"{megabytes() - start:.1f} MB"
        )


def main() -> None:
    """Print the growth with the bound and without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("backend", choices=["jax", "tensorflow"])
    parser.add_argument("--traces", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=256)
    parser.add_argument("--alone", action="store_true", help="measure in this process")
    options = parser.parse_args()
    if options.alone:
        grow(options.backend, options.traces, options.limit)
        return
    for limit in (options.limit, options.traces + 20):
        subprocess.run(
            [sys.executable, __file__, options.backend, "--alone"]
            + ["--traces", str(options.traces), "--limit", str(limit)],
            check=True,
        )


if __name__ == "__main__":
    main()
