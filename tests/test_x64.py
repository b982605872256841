"""The width on JAX: its own flag follows the setting, in the thread and nowhere else."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from typing import Any

import jax
import numpy as np
import pytest

import unibackend as ub


def flag() -> bool:
    return bool(jax.config.jax_enable_x64)


def test_use_is_a_scope_of_the_thread() -> None:
    seen: dict[str, Any] = {}
    with ub.use("jax"):
        assert not flag()
        with ub.use(x64=True):
            assert flag()
            assert (ub.ones(2) + 0.1).dtype == ub.float64  # JAX's own operator too
            thread = threading.Thread(target=lambda: seen.update(flag=flag()))
            thread.start()
            thread.join()
            with ub.use(x64=False):
                assert not flag()
            assert flag()
        assert not flag()
    assert seen == {"flag": False}


@pytest.mark.parametrize("first", ["", "import jax\n"])
def test_it_holds_from_the_first_call_on(first: str) -> None:
    code = f"""{first}import unibackend as ub
with ub.use("jax", x64=True):
    assert ub.ones(2).dtype == ub.float64
    import jax
    assert jax.numpy.ones(2).dtype == ub.float64
assert jax.numpy.ones(2).dtype == ub.float32
ub.configure("jax", x64=True)
assert jax.numpy.ones(2).dtype == ub.float64
print("fine")"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout == "fine\n", run.stderr


def test_an_exception_restores_it() -> None:
    with ub.use("jax"):
        with pytest.raises(KeyError), ub.use(x64=True):
            raise KeyError
        assert not flag()


def test_decorator() -> None:
    @ub.use("jax", x64=True)
    def f() -> Any:
        return ub.asarray([0.1])

    assert f().dtype == ub.float64
    assert not flag()


def test_interleaved_scopes_restore_it() -> None:
    with ub.use("jax"):
        a, b = ub.use(x64=True), ub.use(x64=True)
        a.__enter__()
        b.__enter__()
        a.__exit__(None, None, None)
        assert flag()
        b.__exit__(None, None, None)
        assert not flag()


def test_in_an_asyncio_task_it_is_refused() -> None:
    async def task() -> None:
        with ub.use("jax"):
            ub.ones(1)
            with pytest.raises(ub.errors.SettingsError, match="asyncio task.*configure"):
                ub.use(x64=True).__enter__()
            await asyncio.sleep(0)
            assert ub.ones(1).dtype == ub.float32

    async def main() -> None:
        await asyncio.gather(*(task() for _ in range(8)))

    asyncio.run(main())
    assert not flag()


def test_a_flag_changed_by_somebody_else_is_noticed() -> None:
    with ub.use("jax"):
        ub.ones(1)
        with jax.enable_x64(True), pytest.raises(ub.errors.SettingsError, match="own 64 bit flag"):
            ub.asarray(np.ones(2, np.float32))
        assert ub.asarray(np.ones(2, np.float32)).dtype == ub.float32


@pytest.mark.parametrize("other", ["jax", "tensorflow", "numpy"])
def test_8_threads_with_different_backends_and_widths(other: str) -> None:
    names = ("numpy", "jax", "tensorflow", other)
    errors: list[BaseException] = []
    gate = threading.Barrier(8)

    def work(i: int) -> None:
        name, wide = names[i % 4], bool(i % 2)
        try:
            gate.wait()
            for _ in range(20):
                with ub.use(name, x64=wide):
                    x = ub.asarray([0.1, 0.2])
                    assert ub.backend_of(x) == name
                    assert x.dtype == (ub.float64 if wide else ub.float32)
                    assert ub.sum(x * x).dtype == x.dtype
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors, errors[0]


def test_8_asyncio_tasks_with_different_backends() -> None:
    async def task(i: int) -> None:
        name = ("numpy", "jax", "tensorflow")[i % 3]
        with ub.use(name):
            for _ in range(10):
                x = ub.asarray([1.0, 2.0])
                await asyncio.sleep(0)
                assert ub.settings().backend == name
                assert ub.backend_of(x) == ub.backend_of(ub.ones(1)) == name

    async def main() -> None:
        await asyncio.gather(*(task(i) for i in range(8)))

    asyncio.run(main())
