"""The demo: right on every backend, within its bound, and a bound that wrong programs exceed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import unibackend as ub
from unibackend import _demo, backends, cli

from .conftest import BACKENDS

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def task() -> _demo.Task:
    return _demo.prepare()


# ---- the program and its bound -------------------------------------------------------------------


def scores_in_float32(
    data: _demo.Data,
    product: Callable[[Any, Any], Any] = np.matmul,
    axis: int = 1,
    weigh: Callable[[Any], Any] = np.exp,
) -> Any:
    """Return the scores by NumPy in float32, with a step replaced by another."""
    similarity = np.float32(64) * product(data.unknown, data.known.T)
    weights = weigh(similarity - similarity.max(axis=axis, keepdims=True))
    votes = np.eye(10, dtype=np.float32)[data.digits]
    return (weights / weights.sum(axis=axis, keepdims=True)) @ votes


def test_the_reference_recognises_digits(task: _demo.Task) -> None:
    assert np.allclose(task.expected.sum(axis=1), 1)
    assert np.mean(task.expected.argmax(axis=1) == task.data.answers) > 0.95


def test_the_bound_is_tight_enough_to_mean_something(task: _demo.Task) -> None:
    assert (task.bound > 0).all()
    assert task.bound.max() < 1e-3


def test_a_right_program_passes(task: _demo.Task) -> None:
    verdict = _demo.check(scores_in_float32(task.data), task.expected, task.bound)
    assert verdict.reason == ""
    assert 0 < verdict.used < 1
    assert verdict.difference <= verdict.bound


def test_the_reference_is_exact_enough_to_judge_by(task: _demo.Task) -> None:
    """In extended precision it comes out the same to a millionth of the bound."""
    if np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps:
        pytest.skip("no extended precision on this machine")
    unknown, known = (part.astype(np.longdouble) for part in (task.data.unknown, task.data.known))
    logits = 64 * (unknown[:20] @ known.T)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    exact = weights @ np.eye(10)[task.data.digits] / weights.sum(axis=1, keepdims=True)
    assert (np.abs(exact - task.expected[:20]) < 1e-6 * task.bound[:20]).all()


def rounded(dtype: Any) -> Callable[[Any, Any], Any]:
    def product(a: Any, b: Any) -> Any:
        return a.astype(dtype).astype(np.float32) @ b.astype(dtype).astype(np.float32)

    return product


def tensor_float_32(a: Any, b: Any) -> Any:
    """Multiply as NVIDIA's TF32 does: operands cut to 10 bits behind the point."""
    mask = np.uint32(0xFFFFE000)
    a, b = (
        (part.view(np.uint32) & mask).view(np.float32) for part in map(np.ascontiguousarray, (a, b))
    )
    return a @ b


def without_the_last(a: Any, b: Any) -> Any:
    return np.matmul(a[:, :-1], b[:-1])


def half_exp(x: Any) -> Any:
    return np.exp(x.astype(np.float16)).astype(np.float32)


WRONG: dict[str, Callable[[_demo.Data], Any]] = {
    "a float16 product": lambda data: scores_in_float32(data, rounded(np.float16)),
    "a bfloat16 product": lambda data: scores_in_float32(data, rounded(ml_dtypes.bfloat16)),
    "a TF32 product": lambda data: scores_in_float32(data, tensor_float_32),
    "a sum that misses a pixel": lambda data: scores_in_float32(data, without_the_last),
    "softmax along the wrong axis": lambda data: scores_in_float32(data, axis=0),
    "an exp in float16": lambda data: scores_in_float32(data, weigh=half_exp),
    "one known image left out": lambda data: scores_in_float32(
        _demo.Data(data.unknown, data.known[1:], data.digits[1:], data.answers)
    ),
    "images in another order": lambda data: scores_in_float32(data)[::-1],
    "one wrong score": lambda data: scores_in_float32(data) + np.eye(500, 10, dtype="f4") * 1e-3,
    "axes swapped": lambda data: scores_in_float32(data).T,
    "float64 in place of float32": lambda data: scores_in_float32(data).astype(np.float64),
    "NaN": lambda data: np.where(np.eye(500, 10) > 0, np.float32(np.nan), scores_in_float32(data)),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_program_fails(task: _demo.Task, wrong: Callable[[_demo.Data], Any]) -> None:
    verdict = _demo.check(wrong(task.data), task.expected, task.bound)
    assert verdict.reason != ""
    assert verdict.used > 1


@pytest.mark.parametrize("name", BACKENDS)
def test_exp_is_as_exact_as_the_bound_supposes(name: str) -> None:
    x = np.linspace(-87, 0, 200_001, dtype=np.float32)
    with ub.use(name, x64=False):
        eager = ub.to_numpy(ub.exp(ub.asarray(x)))
        compiled = ub.to_numpy(ub.compile(ub.exp)(ub.asarray(x)))
    exact = np.exp(x.astype(np.float64))
    for found in (eager, compiled):
        ulps = np.abs(found - exact) / np.spacing(exact.astype(np.float32))
        assert ulps.max() <= _demo.EXP_ULPS


# ---- on the backends -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", BACKENDS)
def test_a_backend_passes(task: _demo.Task, name: str) -> None:
    with ub.use(x64=name != "jax"):  # what the settings say does not matter
        row = _demo.measure(name, task)
    assert row.reason == ""
    assert row.backend == name
    assert row.accuracy > 0.95
    assert 0 < row.used <= 1
    assert row.eager_seconds > 0
    assert row.compiled_seconds > 0


def test_a_backend_that_breaks_is_a_row(task: _demo.Task, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(task.program, "classify", broken)
    assert _demo.measure("numpy", task).reason == "ZeroDivisionError: by zero"


def test_a_backend_that_returns_the_wrong_shape_is_a_row(
    task: _demo.Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task.program, "classify", lambda unknown, *_: ub.asarray(unknown)[:7])
    assert "not float32(500, 10)" in _demo.measure("numpy", task).reason


@pytest.mark.parametrize("name", BACKENDS)
def test_the_example_runs_by_itself(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "examples/digits.py"],
        cwd=ROOT,
        env={**os.environ, "UNIBACKEND_BACKEND": name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{name}: 96.4% of 500 images recognised\n", done.stderr


# ---- the command ---------------------------------------------------------------------------------


def test_the_command_shows_a_row_for_every_backend() -> None:
    command = [sys.executable, "-m", "unibackend", "demo"]
    done = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line for line in done.stdout.splitlines() if "PASS" in line]
    assert [row.split()[0] for row in rows] == _demo.installed()
    assert "FAIL" not in done.stdout


def test_the_command_prints_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_demo, "measure", lambda backend, task: _demo.Row(backend, 0.5))
    cli.main(["demo", "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [row["backend"] for row in rows] == _demo.installed()
    assert all((row["accuracy"], row["difference"]) == (0.5, None) for row in rows)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_failure_is_shown_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    def measure(backend: str, task: _demo.Task) -> _demo.Row:
        return _demo.Row(backend, reason="" if backend == "numpy" else "scores [differ]")

    monkeypatch.setattr(_demo, "measure", measure)
    with pytest.raises(SystemExit) as stopped:
        cli.main(["demo", *options])
    assert stopped.value.code == 1
    assert "scores [differ]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("missing", "remedy"),
    [
        (("sklearn",), "pip install 'unibackend[demo]'"),
        (("jax", "jaxlib", "tensorflow"), "pip install 'unibackend[all-cpu]'"),
    ],
)
def test_what_is_missing_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    missing: tuple[str, ...],
    remedy: str,
) -> None:
    find_spec = _demo.importlib.util.find_spec
    monkeypatch.setattr(
        _demo.importlib.util, "find_spec", lambda name: None if name in missing else find_spec(name)
    )
    monkeypatch.setattr(backends, "is_installed", lambda name: name not in missing)
    with pytest.raises(SystemExit) as stopped:
        cli.main(["demo"])
    assert stopped.value.code == 2
    assert remedy in capsys.readouterr().err
