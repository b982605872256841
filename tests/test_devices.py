"""The setting `device` takes effect, or says why not: each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def run(code: str, **environment: str) -> str:
    """Return what a program prints, or its last line of error."""
    done = subprocess.run(
        [sys.executable, "-c", f"import unibackend as ub\n{code}"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


TWO = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}


def test_jax_uses_the_device_that_is_named() -> None:
    code = "ub.configure('jax', device='cpu:1')\nprint(ub.ones(2).device, ub.asarray([1.0]).device)"
    assert run(code, **TWO) == "cpu:1 cpu:1"
    assert run("ub.configure('jax', device='cpu')\nprint(ub.ones(2).device)", **TWO) == "cpu:0"


@pytest.mark.parametrize("name", ["numpy", "jax", "tensorflow"])
def test_a_device_that_is_not_there(name: str) -> None:
    out = run(f"ub.configure({name!r}, device='tpu:3')\nub.ones(2)")
    assert "SettingsError" in out
    assert "device='tpu:3'" in out


def test_cpu_hides_the_accelerator_from_jax() -> None:
    code = (
        "ub.configure('jax', device='cpu')\nub.ones(1)\nimport jax\nprint(jax.config.jax_platforms)"
    )
    assert run(code) == "cpu"


def test_arrays_on_two_devices() -> None:
    code = """
with ub.use('jax'):
    a, b = ub.to_device(ub.ones(2), 'cpu:0'), ub.to_device(ub.ones(2), 'cpu:1')
    print(a.device, b.device, end=' ')
    try:
        a + b
    except ValueError:
        print('refused')
"""
    assert run(code, **TWO) == "cpu:0 cpu:1 refused"
