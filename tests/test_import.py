"""`import unibackend` imports no framework, opens no device, reads no file."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROBE = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
{statement}
frameworks = [n for n in ("jax", "tensorflow", "unibackend.backends.jax", "optree", "ml_dtypes",
                          "tomllib", "rich", "cyclopts", "asyncio") if n in sys.modules]
ours = [p for p in opened if not p.endswith((".py", ".pyc", ".so")) and "unibackend" in p]
print(frameworks, ours)
"""


def probe(statement: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", PROBE.format(statement=statement)],
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_import_loads_no_framework_and_reads_no_file() -> None:
    assert probe("import unibackend") == "[] []"


def test_constants_at_module_level_start_nothing() -> None:
    assert probe("import unibackend as ub; T = ub.constant([1.0, 2.0]); ub.float32") == "[] []"


@pytest.mark.parametrize(
    ("statement", "seen"),
    [
        ("import unibackend, jax", "jax"),
        ("import unibackend as ub; ub.tree.leaves([1])", "optree"),
    ],
)
def test_the_probe_would_notice(statement: str, seen: str) -> None:
    assert repr(seen) in probe(statement)


def test_only_the_backend_in_use_is_loaded() -> None:
    out = probe("import unibackend as ub\nwith ub.use('numpy'): ub.add(1, 2)")
    assert "jax" not in out
    assert "tensorflow" not in out
