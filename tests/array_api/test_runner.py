"""The runner of the public suite, over a small suite in its place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .__main__ import BACKENDS, ROOT
from .known import FOLDER, read

OPTIONS = """
def pytest_addoption(parser):
    parser.addoption("--max-examples")
    parser.addoption("--disable-deadline", action="store_true")
"""

# As the real one finds its namespace. The program under test can be made wrong from outside.
PACKAGE = """
import os
found = {}
exec(os.environ["ARRAY_API_TESTS_MODULE"][6:-2], found)
xp = found["xp"]
if "WRONG" in os.environ:
    xp.add = xp.subtract
"""

TESTS = """
import os, pytest
from array_api_tests import xp

def test_sum():
    x = xp.asarray([1, 2])
    assert bool(xp.all(xp.add(x, x) == xp.asarray([2, 4])))
    assert x.dtype == xp.int64 and xp.__array_api_version__ == os.environ["ARRAY_API_TESTS_VERSION"]

@pytest.mark.parametrize("name", ["add", "no_such_function"])
def test_has(name):
    assert hasattr(xp, name)
"""

REASON = "# It is not there.\n"
MISSING = "array_api_tests/test_one.py::test_has[no_such_function]\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    package = tmp_path / "array_api_tests"
    package.mkdir()
    (tmp_path / "conftest.py").write_text(OPTIONS)
    (package / "__init__.py").write_text(PACKAGE)
    (package / "test_one.py").write_text(TESTS)
    (tmp_path / "test_of_the_suite_itself.py").write_text("def test_one(): assert False")
    return tmp_path


def run(suite: Path, known: str, *arguments: str, **environment: str) -> tuple[int, str]:
    (suite / "known.txt").write_text(known)
    command = [sys.executable, "-m", "tests.array_api", "--suite", str(suite), "--backend", "numpy"]
    done = subprocess.run(
        [*command, "--known", str(suite / "known.txt"), *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_known_failure_is_no_failure(suite: Path) -> None:
    status, out = run(suite, REASON + MISSING)
    assert (status, "2 passed, 1 xfailed" in out) == (0, True), out


def test_an_unknown_failure_is_one(suite: Path) -> None:
    status, out = run(suite, "# Nothing is known to fail.\n")
    assert (status, "1 failed, 2 passed" in out) == (1, True), out


def test_a_wrong_namespace_is_rejected(suite: Path) -> None:
    status, out = run(suite, REASON + MISSING, WRONG="1")
    assert (status, "test_sum" in out) == (1, True), out


def test_an_entry_that_passes_is_reported(suite: Path) -> None:
    status, out = run(suite, REASON + "array_api_tests/test_one.py::test_has\n")
    assert (status, "XPASS(strict)" in out) == (1, True), out
    flaky = "# Flaky: it fails at times.\narray_api_tests/test_one.py::test_has\n"
    status, out = run(suite, flaky)
    assert (status, "1 xfailed, 1 xpassed" in out) == (0, True), out


def test_an_entry_of_no_test_is_reported(suite: Path) -> None:
    known = REASON + MISSING + "array_api_tests/test_one.py::test_that_was_renamed\n"
    status, out = run(suite, known)
    assert (status, "no test is called" in out, "test_that_was_renamed" in out) == (4, True, True)
    one = "array_api_tests/test_one.py::test_sum"
    status, out = run(suite, known, one)  # the others are not looked at
    assert (status, "1 passed" in out) == (0, True), out
    status, out = run(suite, REASON + MISSING, "-k", "sum")
    assert (status, "1 passed, 2 deselected" in out) == (0, True), out


def test_a_folder_without_the_suite(tmp_path: Path) -> None:
    status, out = run(tmp_path, "")
    assert (status, "there is no checkout of array-api-tests" in out) == (2, True), out


@pytest.mark.parametrize("name", BACKENDS)
def test_every_entry_has_a_reason(name: str) -> None:
    read(FOLDER / f"{name}.txt")


def test_entries_without_a_reason_or_twice(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    for text, message in (
        ("# A heading.\n\na.py::test_b\n", "test_b has no reason"),
        ("# Wrong.\na.py::test_b\n\n# Wrong too.\na.py::test_b\n", "test_b stands there twice"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            read(path)
