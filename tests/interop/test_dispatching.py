"""SciPy with `SCIPY_ARRAY_API=1`, and scikit-learn with `array_api_dispatch=True`."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("dispatching.py")


def names() -> list[str]:
    """Return the names of the calls, without importing what must be imported elsewhere."""
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    tables = [node.value for node in tree.body if isinstance(node, ast.AnnAssign)]
    return [key.value for table in tables for key in table.keys]  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def outcomes() -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", str(PROGRAM)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", names())
def test_tensorflow_arrays_go_through(outcomes: dict[str, str], name: str) -> None:
    assert outcomes[name] == "right"


def test_there_are_as_many_as_are_promised() -> None:
    assert len(names()) >= 13
