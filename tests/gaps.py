"""Where a backend is known not to conform: the one table of strict expected failures.

Each is of a backend, an operation and a reason with its upstream issue. One that passes again
fails the run, so that it is taken out.
"""

from __future__ import annotations

# (backend, operation): reason
GAPS: dict[tuple[str, str], str] = {}

# (backend, mode, operation): the kinds of dtypes for which it is an UnsupportedError. XLA of
# TensorFlow 2.21 has no eigenvalues of matrices in general.
LACKS: dict[tuple[str, str, str], str] = {
    ("tensorflow", "xla", "linalg.eig"): "biufc",
    ("tensorflow", "xla", "linalg.eigvals"): "biufc",
}
