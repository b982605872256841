"""Debugging: prints from compiled code, the search for NaNs, and running step by step."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend import _dispatch

HERE = "test_debug.py"


@pytest.fixture(params=["eager", "compiled"])
def way(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Each way to run a function."""
    ways: dict[str, Callable[[Any], Any]] = {"eager": lambda f: f, "compiled": ub.compile}
    return ways[request.param]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[[Any], list[str]]:
    """Return the lines that are printed until a result is there."""

    def lines(result: Any) -> list[str]:
        ub.block_until_ready(result)
        return capsys.readouterr().out.splitlines()

    return lines


class TestPrint:
    @pytest.mark.parametrize(
        ("fmt", "expected"),
        [
            ("{} {n} {tree}", "[1.  2.5] 3 {'a': np.float64(1.0), 'b': (None, 'text')}"),
            ("{0[1]:.2f}|{n:>4}|{tree[a]}", "2.50|   3|1.0"),
            ("{0.shape} {0.dtype} {n} {tree[b][1]!r}", "(2,) float64 3 'text'"),
            ("{{}} {} {n:{tree[b][1]}} ", None),
        ],
    )
    def test_values_are_formatted_as_by_python(
        self, backend: str, way: Any, printed: Any, fmt: str, expected: str | None
    ) -> None:
        def f(x: Any, n: Any) -> Any:
            ub.debug.print(fmt, x, n=n, tree={"a": x[0], "b": (None, "text")})
            return x + n

        call = way(f)
        x = ub.asarray([1.0, 2.5])
        if expected is None:  # "text" is no format of a number
            with pytest.raises(ValueError, match="debug.print: fmt="):
                call(x, 3)
            return
        assert printed(call(x, 3)) == [expected]
        assert printed(call(x, 3)) == [expected]  # at each run, not while tracing only

    def test_numbers_are_what_they_would_be_as_arrays(self, backend: str, printed: Any) -> None:
        def f(x: Any) -> Any:
            ub.debug.print("{!s} {!s} {!s}", x, 1 / 3, True)
            return x

        with ub.use(x64=False):
            assert printed(f(1 / 3)) == ["0.33333334 0.33333334 True"]
            assert printed(f(ub.asarray(1 / 3))) == ["0.33333334 0.33333334 True"]
            assert printed(ub.compile(f)(ub.asarray(1 / 3))) == ["0.33333334 0.33333334 True"]

    def test_host_data_as_they_were(self, backend: str, printed: Any) -> None:
        host = np.asarray([1, 2])

        @ub.compile
        def f(x: Any) -> Any:
            ub.debug.print("{}", host)
            return x

        f(ub.asarray(1.0))
        printed(None)
        if backend != "numpy":  # traced, and so frozen
            host[:] = 7
        assert printed(f(ub.asarray(1.0))) == ["[1 2]"]

    def test_in_the_order_of_the_program(self, backend: str, way: Any, printed: Any) -> None:
        def f(x: Any) -> Any:
            for i in range(8):
                ub.debug.print("{} {}", i, x if i % 2 else 0)
            return x + 1

        expected = [f"{i} {2.0 if i % 2 else 0}" for i in range(8)]
        assert printed(way(f)(ub.asarray(2.0))) == expected

    def test_under_vmap_for_each_example(self, backend: str, way: Any, printed: Any) -> None:
        def f(x: Any) -> Any:
            ub.debug.print("{:.1f}", x)
            return x * 2

        x = ub.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        assert printed(way(ub.vmap(f))(x[0])) == ["1.0", "2.0", "3.0"]
        both = ub.vmap(ub.vmap(f))
        assert printed(way(both)(x)) == [f"{v}.0" for v in range(1, 7)]
        out = way(both)(x)
        np.testing.assert_array_equal(ub.to_numpy(out), 2 * ub.to_numpy(x))
        printed(out)
        assert printed(way(ub.vmap(f))(x[:0, 0])) == []

    def test_under_vmap_once_for_what_is_not_mapped(
        self, backend: str, way: Any, printed: Any
    ) -> None:
        def f(x: Any, y: Any) -> Any:
            ub.debug.print("{} and {}", x, y)
            ub.debug.print("{}", y)
            return x + y

        lines = printed(way(ub.vmap(f, in_axes=(0, None)))(ub.asarray([1.0, 2.0]), ub.asarray(5.0)))
        together = [line for line in lines if "and" in line]
        assert together == ["1.0 and 5.0", "2.0 and 5.0"]
        # NumPy runs the function for each example, and so prints for each.
        assert lines.count("5.0") == (2 if backend == "numpy" else 1)

    def test_gradients_pass_by(self, printed: Any) -> None:
        for name in ("jax", "tensorflow"):
            with ub.use(name, x64=True):

                def f(x: Any) -> Any:
                    y = x * x
                    ub.debug.print("{}", y)
                    return y * x

                for gradient in (ub.grad(f), ub.compile(ub.grad(f))):
                    out = gradient(ub.asarray(2.0))
                    assert printed(out) == ["4.0"]
                    assert float(out) == 12.0
                out = ub.vmap(ub.grad(f))(ub.asarray([1.0, 2.0]))
                assert printed(out) == ["1.0", "4.0"]
                np.testing.assert_array_equal(ub.to_numpy(out), [3.0, 12.0])

    @pytest.mark.parametrize(
        ("fmt", "args", "kwargs", "words"),
        [
            ("{} {}", (1,), {}, "index 1 out of range"),
            ("{", (1,), {}, "Single '{'"),
            ("{:.2f}", ([1.0, 2.0],), {}, "without axes"),
            ("{x.wrong}", (), {"x": 1.0}, "no attribute 'wrong'"),
            ("{y}", (), {"x": 1.0}, "'y'"),
            ("text", (1,), {}, "no field for the value 0"),
            ("{}", (1,), {"x": 2}, "no field for the value 'x'"),
            ("{0} {}", (1, 2), {}, "cannot switch"),
        ],
    )
    def test_a_bad_format_is_an_error_at_the_call(
        self, backend: str, way: Any, fmt: str, args: Any, kwargs: Any, words: str
    ) -> None:
        def f(args: Any, kwargs: Any) -> Any:
            ub.debug.print(fmt, *args, **kwargs)
            return 0

        arrays = tuple(ub.asarray(x) for x in args)
        with pytest.raises(ValueError, match=f"debug.print.*{words}"):
            way(f)(arrays, kwargs)

    def test_owners_and_native_arrays(self, printed: Any) -> None:
        import jax.numpy as jnp
        import tensorflow as tf

        with ub.use("numpy"):
            ub.debug.print("{}", jnp.ones(2))
            ub.debug.print("{}", tf.ones(2))
            assert printed(None) == ["[1. 1.]"] * 2
            with pytest.raises(ub.errors.MixedBackendsError):
                ub.debug.print("{} {}", jnp.ones(2), tf.ones(2))

    def test_xla_on_tensorflow_is_refused(self) -> None:
        def f(x: Any) -> Any:
            ub.debug.print("{}", x)
            return x

        with (
            ub.use("tensorflow", xla=True),
            pytest.raises(ub.errors.UnsupportedError, match=r"ub.use\(xla=False\)"),
        ):
            ub.compile(f)(1.0)

    def test_in_a_users_tf_function(self, printed: Any) -> None:
        import tensorflow as tf

        @tf.function
        def f(x: Any) -> Any:
            ub.debug.print("{}", x)
            return x + 1

        with ub.use("tensorflow"):
            f(tf.constant(1.0))
            f(tf.constant(2.0))
            assert printed(None) == ["1.0", "2.0"]


class TestPrintInLoops:
    @staticmethod
    def loop(x: Any) -> Any:
        def step(i: Any, total: Any) -> Any:
            ub.debug.print("{} {}", i, total)
            return total + x

        return ub.fori_loop(0, 3, step, x)

    def test_at_each_step(self, backend: str, way: Any, printed: Any) -> None:
        assert printed(way(self.loop)(ub.asarray(1.5))) == ["0 1.5", "1 3.0", "2 4.5"]

    def test_under_vmap(self, backend: str, printed: Any) -> None:
        f = ub.vmap(self.loop)
        x = ub.asarray([1.0, 2.0])
        if backend == "tensorflow":
            with pytest.raises(ub.errors.UnsupportedError, match=r"ub.use\(compile=False\)"):
                f(x)
            with ub.use(compile=False):
                lines = printed(f(x))
        else:
            lines = printed(f(x))
        assert sorted(lines) == ["0 1.0", "0 2.0", "1 2.0", "1 4.0", "2 3.0", "2 6.0"]


def bad_log(x: Any) -> Any:
    y = x - 2
    z = ub.log(y)
    return z + 1


def bad_minus(x: Any) -> Any:
    return (x * np.inf) - (x * np.inf)


WAYS: dict[str, Callable[[Any], Any]] = {
    "eager": lambda f: f,
    "compiled": ub.compile,
    "mapped": ub.vmap,
    "both": lambda f: ub.compile(ub.vmap(f)),
    "inside out": lambda f: ub.vmap(ub.compile(f)),
    "step by step": lambda f: ub.use(compile=False)(ub.compile(ub.vmap(f))),
}


@pytest.mark.filterwarnings("ignore:(invalid value|divide by zero):RuntimeWarning")  # NumPy's
class TestNans:
    @pytest.mark.parametrize("how", WAYS)
    def test_the_operation_and_the_line_are_named(self, backend: str, how: str) -> None:
        call = WAYS[how](bad_log)
        x = ub.asarray([4.0, 1.0, 3.0])
        _, start = inspect.getsourcelines(bad_log)
        with ub.debug.check_nans(), pytest.raises(ub.errors.NanError) as caught:
            call(x)
        text = str(caught.value)
        assert "log: " in text
        assert text.endswith(f'{HERE}", line {start + 2}, in bad_log\n    z = ub.log(y)')
        assert isinstance(caught.value, FloatingPointError)
        assert np.isnan(ub.to_numpy(call(x))).tolist() == [False, True, False]  # off again

    def test_native_operators(self, backend: str) -> None:
        _, start = inspect.getsourcelines(bad_minus)
        for f in (bad_minus, ub.compile(bad_minus), ub.vmap(bad_minus)):
            with pytest.raises(ub.errors.NanError) as caught, ub.debug.check_nans():
                f(ub.asarray([1.0]))
            assert f"line {start + 1}, in bad_minus" in str(caught.value)

    def test_a_nan_that_came_in_counts(self, backend: str) -> None:
        x = ub.asarray([1.0, np.nan])
        with ub.debug.check_nans():
            with pytest.raises(ub.errors.NanError, match="x2 brought one"):
                ub.add(ub.ones(2), x)
            with pytest.raises(ub.errors.NanError, match=r"the first at \[1\]"):
                ub.compile(lambda v: ub.add(v, 1))(x)
            with pytest.raises(ub.errors.NanError):
                ub.full(2, np.nan)
            assert ub.to_numpy(ub.isnan(x)).tolist() == [False, True]

    def test_what_is_masked_is_no_matter(self, backend: str) -> None:
        @ub.compile
        def f(x: Any) -> Any:
            return ub.where(x > 0, ub.log(ub.where(x > 0, x, 1.0)), 0.0)

        x = ub.asarray([1.0, -1.0, 0.0, np.inf])
        with ub.debug.check_nans():
            assert ub.to_numpy(f(x)).tolist() == [0.0, 0.0, 0.0, np.inf]

    @pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "complex64"])
    def test_dtypes(self, backend: str, dtype: str) -> None:
        x = ub.asarray([0.0], dtype=dtype)
        with ub.debug.check_nans(), pytest.raises(ub.errors.NanError, match=dtype):
            ub.divide(x, x)

    def test_integers_and_infinities_are_none(self, backend: str) -> None:
        with ub.debug.check_nans():
            ub.add(ub.asarray([1]), 2)
            assert float(ub.divide(ub.asarray(1.0), ub.asarray(0.0))) == np.inf
            assert ub.compile(lambda: {"a": 1, "b": None})()["b"] is None

    def test_a_compiled_function_that_is_warm(self, backend: str) -> None:
        f = ub.compile(bad_log)
        bad, good = ub.asarray([1.0]), ub.asarray([3.0])
        for _ in range(3):
            f(good)
        with ub.debug.check_nans():
            assert ub.to_numpy(f(good)).tolist() == [1.0]
            with pytest.raises(ub.errors.NanError):
                f(bad)
        before = f.cache_info().traces
        assert np.isnan(ub.to_numpy(f(bad))).all()
        assert f.cache_info().traces == before

    def test_gradients(self) -> None:
        for name in ("jax", "tensorflow"):
            with ub.use(name), ub.debug.check_nans():
                for gradient in (ub.grad(ub.sqrt), ub.compile(ub.grad(lambda x: x * ub.sqrt(x)))):
                    with pytest.raises(ub.errors.NanError):
                        gradient(ub.asarray(-1.0))
                assert float(ub.grad(ub.sqrt)(ub.asarray(4.0))) == 0.25

                def root(x: Any) -> Any:  # only the gradient is NaN at 0
                    return ub.sqrt(x * x)

                gradient = ub.grad(root)
                for how in ("eager", "compiled", "mapped"):
                    x = ub.zeros(2 if how == "mapped" else ())
                    with pytest.raises(ub.errors.NanError, match="grad"):
                        WAYS[how](gradient)(x)
                assert float(gradient(ub.asarray(2.0))) == 1.0

    @pytest.mark.parametrize("how", ["eager", "compiled"])
    def test_loops(self, backend: str, how: str) -> None:
        def f(x: Any) -> Any:
            return ub.fori_loop(0, 3, lambda i, y: ub.sqrt(y - 1), x)

        with ub.debug.check_nans():
            with pytest.raises(ub.errors.NanError, match=r"sqrt: .*\n.*<lambda>"):
                WAYS[how](f)(ub.asarray(2.5))
            assert np.isfinite(float(WAYS[how](f)(ub.asarray(50.0))))

    def test_as_a_decorator(self, backend: str) -> None:
        @ub.debug.check_nans()
        def f(x: Any) -> Any:
            return bad_log(x)

        with pytest.raises(ub.errors.NanError):
            f(ub.asarray([1.0]))
        assert np.isnan(ub.to_numpy(bad_log(ub.asarray([1.0])))).all()

    def test_nested_scopes_and_errors_leave_all_as_it_was(self, backend: str) -> None:
        x = ub.asarray([1.0])
        before = np.geterr()
        ub.add(x, x)
        with ub.debug.check_nans():
            with pytest.raises(KeyError), ub.debug.check_nans():
                raise KeyError
            with ub.use(check_nans=False):
                assert np.isnan(ub.to_numpy(bad_log(x))).all()
            with pytest.raises(ub.errors.NanError):
                bad_log(x)
            assert _dispatch.watch is not None
        assert _dispatch.watch is None
        assert np.geterr() == before
        assert np.isnan(ub.to_numpy(bad_log(x))).all()
        assert np.isnan(ub.to_numpy(bad_minus(x))).all()

    def test_off_it_costs_nothing(self, backend: str) -> None:
        x = ub.asarray([1.0])
        ub.add(x, x)
        add = _dispatch.DECLARED["add"]
        bare = add.implementations[backend]
        with ub.debug.check_nans():
            ub.add(x, x)
            assert add.implementations[backend] is not bare
        ub.add(x, x)
        assert add.implementations[backend] is bare
        assert all("watched" not in f.__qualname__ for f in add.table.values())

    def test_other_threads_do_not_see_it(self, backend: str) -> None:
        entered, done = threading.Event(), threading.Event()
        results: list[Any] = []

        def other() -> None:
            try:
                with ub.use(backend, x64=True):
                    entered.wait()
                    x = ub.asarray([1.0])
                    found = (bad_log(x), ub.compile(bad_log)(x), bad_minus(x))
                    results.extend(map(ub.to_numpy, found))
            finally:
                done.set()

        thread = threading.Thread(target=other)
        thread.start()
        with ub.debug.check_nans():
            entered.set()
            done.wait()
            with pytest.raises(ub.errors.NanError):
                bad_log(ub.asarray([1.0]))
        thread.join()
        assert len(results) == 3
        assert np.isnan(results).all()

    def test_other_tasks_do_not_see_it(self, backend: str) -> None:
        async def looks(entered: asyncio.Event, done: asyncio.Event) -> None:
            with ub.debug.check_nans():
                entered.set()
                await done.wait()
                with pytest.raises(ub.errors.NanError):
                    bad_log(ub.asarray([1.0]))

        async def does_not(entered: asyncio.Event, done: asyncio.Event) -> list[Any]:
            await entered.wait()
            x = ub.asarray([1.0])
            results = [bad_log(x), ub.compile(bad_log)(x), bad_minus(x)]
            done.set()
            return [ub.to_numpy(result) for result in results]

        async def both() -> list[Any]:
            events = asyncio.Event(), asyncio.Event()
            _, results = await asyncio.gather(looks(*events), does_not(*events))
            return results

        assert np.isnan(asyncio.run(both())).all()

    def test_what_cannot_run_again(self, backend: str) -> None:
        calls: list[None] = []

        @ub.compile
        def f(x: Any) -> Any:
            calls.append(None)
            if len(calls) > 1:
                raise KeyError("gone")
            return x * np.nan

        with (
            ub.debug.check_nans(),
            pytest.raises(ub.errors.NanError, match=r"could not be run again.*gone"),
        ):
            f(ub.asarray([1.0]))

    def test_where_no_operation_gives_one(self) -> None:
        calls = []

        @ub.compile
        def f(x: Any) -> Any:  # a NaN in the compiled program only
            calls.append(None)
            return x * (np.nan if len(calls) == 1 else 1.0)

        with (
            ub.use("jax"),
            ub.debug.check_nans(),
            pytest.raises(ub.errors.NanError, match="step by step"),
        ):
            f(ub.asarray([1.0]))

    def test_by_the_environment(self) -> None:
        program = (
            "import unibackend as ub\n"
            "x = ub.asarray([-1.0])\n"
            "try: ub.log(x)\n"
            "except ub.errors.NanError as error: print('one')\n"
            "try: ub.compile(ub.sqrt)(x)\n"
            "except ub.errors.NanError as error: print('two')\n"
            "with ub.use(check_nans=False): ub.sqrt(x)\n"
            "try: (x - x) / (x - x)\n"
            "except FloatingPointError as error: print('three')\n"
        )
        for name in ("numpy", "jax", "tensorflow"):
            run = subprocess.run(
                [sys.executable, "-c", program],
                env={"UNIBACKEND_CHECK_NANS": "1", "UNIBACKEND_BACKEND": name, "PATH": ""},
                capture_output=True,
                text=True,
                check=True,
            )
            said = [line for line in run.stdout.splitlines() if "Invalid" not in line]  # JAX's own
            assert said == ["one", "two", "three"], (name, run.stderr)


class TestStepByStep:
    def test_the_values_are_there(self, backend: str) -> None:
        seen: list[Any] = []

        def f(x: Any, y: Any) -> Any:
            seen.append(float(x) + y)
            return {"sum": x + y, "y": y}

        with ub.use(compile=False):
            out = ub.vmap(f, in_axes=(0, None), out_axes={"sum": 0, "y": None})(
                ub.asarray([1.0, 2.0]), 3
            )
        assert seen == [4.0, 5.0]
        assert ub.to_numpy(out["sum"]).tolist() == [4.0, 5.0]
        assert int(out["y"]) == 3
        assert ub.backend_of(out["sum"]) == backend

    def test_an_error_tells_the_example(self, backend: str) -> None:
        def f(x: Any) -> Any:
            assert float(x) < 2
            return x

        with ub.use(compile=False), pytest.raises(AssertionError) as caught:
            ub.vmap(f)(ub.asarray([1.0, 2.0]))
        assert any(note.startswith("In example 1 of vmap of") for note in caught.value.__notes__)

    def test_axes_as_compiled(self, backend: str) -> None:
        x = ub.reshape(ub.arange(24.0), (2, 3, 4))
        for in_axes, out_axes in ((0, 0), (1, -1), (2, 1), (-1, 0)):
            f = ub.vmap(lambda v: v * 2 + ub.sum(v), in_axes=in_axes, out_axes=out_axes)
            with ub.use(compile=False):
                found = ub.to_numpy(f(x))
            np.testing.assert_array_equal(found, ub.to_numpy(f(x)))
        with ub.use(compile=False):
            assert ub.vmap(lambda v: v[0] + 1)(x[:0]).shape == (0, 4)
            with pytest.raises(ub.errors.ShapeError, match="out_axes is None"):
                ub.vmap(lambda v: v, out_axes=None)(x)


def test_the_module_is_loaded_when_it_is_asked_for() -> None:
    program = (
        "import sys, unibackend as ub; print('unibackend.debug' in sys.modules); ub.debug.print;"
        "print(*[n for n in ('jax', 'tensorflow', 'optree') if n in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["False"]


class TestNansUnderGradients:
    @pytest.mark.parametrize("name", ["jax", "tensorflow"])
    @pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
    def test_the_operation_in_a_training_step_is_named(self, name: str, compiled: bool) -> None:
        def loss(w: Any, x: Any) -> Any:
            return ub.mean(ub.sqrt(ub.matmul(x, w)))

        def step(w: Any, x: Any, k: Any) -> Any:
            return w - k * ub.grad(loss)(w, x)

        run: Any = ub.compile(step) if compiled else step
        x = np.asarray([[1.0, 2.0], [3.0, 4.0]])
        with ub.use(name, x64=True), ub.debug.check_nans():
            w = run(ub.asarray([1.0, 1.0]), x, 0.1)
            with pytest.raises(
                ub.errors.NanError, match="sqrt: (the result|invalid value)"
            ) as caught:
                run(-w, x, 0.1)
        assert str(caught.value).endswith("return ub.mean(ub.sqrt(ub.matmul(x, w)))")

    @pytest.mark.parametrize("name", ["jax", "tensorflow"])
    def test_one_of_the_derivative_alone_is_an_error_too(self, name: str) -> None:
        def f(x: Any) -> Any:
            return ub.sum(ub.where(x > 0, ub.sqrt(x), 0.0))

        with ub.use(name, x64=True), ub.debug.check_nans():
            assert float(f(ub.asarray([0.0, 1.0]))) == 1
            with pytest.raises(ub.errors.NanError):
                ub.grad(f)(ub.asarray([0.0, 1.0]))
