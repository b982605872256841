"""`compile`: right, cached, and by the short way only where that is right."""

from __future__ import annotations

import collections
import copy
import dataclasses
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub

FRAMEWORKS = ("jax", "tensorflow")


@pytest.fixture(params=["numpy", "jax", "tensorflow", "tensorflow-xla"])
def anywhere(request: pytest.FixtureRequest) -> Any:
    """Every backend with 64 bits, TensorFlow in graph mode and under XLA."""
    name, _, xla = request.param.partition("-")
    with ub.use(name, x64=True, xla=bool(xla)):
        yield name


@pytest.fixture(params=["jax", "tensorflow", "tensorflow-xla"])
def tracing(request: pytest.FixtureRequest) -> Any:
    """The backends that trace."""
    name, _, xla = request.param.partition("-")
    with ub.use(name, x64=True, xla=bool(xla)):
        yield name


class Pair(NamedTuple):
    a: Any
    b: Any


def equal(x: Any, y: Any) -> bool:
    return np.array_equal(ub.to_numpy(x), y)


class TestResults:
    def test_arrays_numbers_and_trees(self, anywhere: str) -> None:
        @ub.compile
        def f(tree: Any, scale: float, *more: Any, offset: Any = 1) -> Any:
            total = tree["x"] * scale + tree["y"].a + offset
            for x in more:
                total = total + x
            return {"total": total, "pair": Pair(tree["y"].b, None), "two": 2, "list": [total]}

        x = ub.asarray([1.0, 2.0])
        tree = {"x": x, "y": Pair(x, x + 1)}
        out = f(tree, 3.0, x, 1, offset=x)
        assert equal(out["total"], [7.0, 13.0])
        assert equal(out["pair"].a, [2.0, 3.0])
        assert out["pair"].b is None
        assert equal(out["two"], 2)
        assert ub.backend_of(out["two"]) == anywhere
        assert type(out["pair"]) is Pair
        assert equal(out["list"][0], [7.0, 13.0])

    def test_python_numbers_arrive_whole(self, anywhere: str) -> None:
        x = ub.asarray([1.0])
        assert float(ub.compile(lambda v, s: v * s)(x, 0.1)[0]) == 0.1
        half = ub.ones(2, dtype="float16")
        assert ub.compile(lambda v, s: ub.multiply(v, s))(half, 0.5).dtype == ub.float16
        small = ub.ones(2, dtype="int8")
        assert ub.compile(lambda v, n: ub.add(v, n))(small, 3).dtype == ub.int8
        assert ub.compile(lambda n: n)(2**40).dtype == ub.int64
        assert ub.compile(lambda b: ub.where(b, 1, 2))(True).dtype == ub.int64

    @pytest.mark.parametrize(
        ("dtype", "good", "bad"),
        [
            ("int8", (-128, 0, 127), (128, 255, -129, 2**31)),
            ("uint8", (0, 128, 255), (256, -1, 2**40)),
            ("int16", (-129, 200, 300, 2**15 - 1), (2**15, -(2**15) - 1)),
            ("int32", (2**16, -(2**31), 2**31 - 1), (2**31, 2**40, -(2**31) - 1)),
            ("uint64", (2**32, 2**63 - 1), (-1, -(2**40))),
        ],
    )
    def test_integers_that_do_not_fit_their_partner(
        self, anywhere: str, dtype: str, good: tuple[int, ...], bad: tuple[int, ...]
    ) -> None:
        x = ub.zeros(1, dtype=dtype)
        f = ub.compile(lambda x, k: ub.add(x, k))
        for k in good:
            y = f(x, k)
            assert (y.dtype.name, int(y[0])) == (dtype, k)
        for k in bad:
            with pytest.raises(ub.errors.RangeError, match="does not fit"):
                f(x, k)
        assert int(f(x, good[0])[0]) == good[0]

    def test_an_integer_beyond_the_width(self, tracing: str) -> None:
        with ub.use(x64=False), pytest.raises(OverflowError):
            ub.compile(lambda n: n)(2**31)
        with ub.use(x64=False), pytest.raises(OverflowError):
            ub.compile(lambda n: n)(np.array([2**32 + 5]))

    def test_nested_and_recursive(self, anywhere: str) -> None:
        inner = ub.compile(lambda v: v + 1)

        @ub.compile
        def outer(v: Any, depth: int = 3) -> Any:
            return outer.__wrapped__(inner(v), depth - 1) if depth else v

        assert equal(outer(ub.asarray([1.0])), [4.0])

    def test_a_function_that_calls_itself_compiled(self, anywhere: str) -> None:
        @ub.compile(static_argnums=1)
        def power(v: Any, n: int) -> Any:
            return v * power(v, n - 1) if n else ub.ones_like(v)

        for _ in range(2):
            assert equal(power(ub.asarray([2.0, 3.0]), 3), [8.0, 27.0])

    def test_dictionaries_keep_their_order(self, anywhere: str) -> None:
        x = ub.asarray([1.0])
        f = ub.compile(lambda x: {"b": x, "a": {"z": x, "y": [x]}})
        for _ in range(2):
            out = f(x)
            assert list(out) == ["b", "a"]
            assert list(out["a"]) == ["z", "y"]
            assert type(out["a"]["y"]) is list
        nested = ub.compile(lambda x: f(x))(x)
        assert list(nested) == ["b", "a"]

    def test_other_containers(self, anywhere: str) -> None:
        x = ub.asarray([1.0])
        out = ub.compile(lambda x: collections.deque([x, x + 1], maxlen=3))(x)
        assert (type(out), out.maxlen, float(out[1][0])) == (collections.deque, 3, 2.0)
        pairs = ub.compile(lambda x: collections.OrderedDict(b=x, a=x))(x)
        assert (type(pairs), list(pairs)) == (collections.OrderedDict, ["b", "a"])
        assert ub.compile(lambda x: (x, None, ()))(x)[1:] == (None, ())

    def test_the_structure_of_the_results_may_depend_on_the_shape(self, anywhere: str) -> None:
        f = ub.compile(lambda x: tuple(x for _ in range(x.shape[0])))
        for n in (2, 3, 2, 1):
            assert len(f(ub.ones(n))) == n
        g = ub.compile(lambda x: x if x.shape[0] < 3 else {"b": x, "a": x})
        for _ in range(2):
            for n in (1, 1, 2, 3, 3, 1, 4):
                out = g(ub.ones(n))
                assert list(out) == ["b", "a"] if n > 2 else out.shape == (n,)

    def test_shapes_are_integers(self, tracing: str) -> None:
        shapes = []
        f = ub.compile(lambda x: (shapes.append(x.shape), ub.sum(x) / x.shape[0])[1])
        assert [float(f(ub.ones(n))) for n in (2, 3, 4)] == [1, 1, 1]
        assert shapes == [(2,), (3,), (4,)]
        assert f.cache_info().traces == 3

    def test_a_buffer_may_be_reused_at_once(self, anywhere: str) -> None:
        f = ub.compile(lambda x: x + x)
        for _ in range(20):
            a = np.zeros(200_000, "float32")
            z = f(a)
            a[:] = 1
            assert not ub.to_numpy(z).any()

    def test_iteration_unrolls(self, anywhere: str) -> None:
        f = ub.compile(lambda x: ub.stack([v * 2 for v in x]))
        assert equal(f(ub.asarray([0.0, 1.0, 2.0])), [0, 2, 4])

    def test_x_plus_equals_rebinds(self, tracing: str) -> None:
        def f(x: Any) -> Any:
            y = x
            y += 1
            return x, y

        for g in (f, ub.compile(f)):
            x, y = g(ub.zeros(2))
            assert equal(x, [0, 0])
            assert equal(y, [1, 1])

    def test_infinity_times_zero_is_kept(self, anywhere: str) -> None:
        x = ub.asarray([[np.inf, 1.0], [np.nan, 1.0]])
        got = ub.compile(lambda y: ub.matmul(ub.zeros((2, 2)), y))(x)
        np.testing.assert_array_equal(ub.to_numpy(got), [[np.nan, 0.0], [np.nan, 0.0]])


class TestCache:
    def test_one_trace_for_every_value_of_a_number(self, tracing: str) -> None:
        n = []

        @ub.compile
        def f(x: Any, s: Any) -> Any:
            n.append(1)
            return x * s

        for s in (1.0, 2.0, 3.0):
            f(ub.ones(2), s)
        assert len(n) == 1
        f(ub.ones(2), 4)
        assert len(n) == 2
        info = f.cache_info()
        assert (info.traces, info.hits, info.size) == (2, 2, 2)

    def test_arguments_are_bound_when_keywords_are_given(self, tracing: str) -> None:
        n = []

        @ub.compile
        def f(x: Any, k: Any = 1.0) -> Any:
            n.append(1)
            return x * k

        for result in (f(1.0, 2.0), f(1.0, k=2.0), f(x=1.0, k=2.0), f(k=2.0, x=1.0)):
            assert equal(result, 2.0)
        assert len(n) == 1

    def test_the_settings_that_matter_are_in_the_key(self, tracing: str) -> None:
        f = ub.compile(lambda x: x * ub.ones(2))
        assert f(np.ones(2, np.float32)).dtype == ub.float64
        with ub.use(x64=False):
            assert f(np.ones(2, np.float32)).dtype == ub.float32
        assert f(np.ones(2, np.float32)).dtype == ub.float64

    def test_bounded(self, tracing: str) -> None:
        with ub.use(trace_limit=4):
            f = ub.compile(lambda x: x + 1)
            for n in range(12):
                assert equal(f(ub.zeros(n)), np.ones(n))
            info = f.cache_info()
            assert info.traces == 12
            assert info.size <= 5
            assert info.evictions >= 7
            f.cache_clear()
            assert f.cache_info().size == 0
            assert equal(f(ub.zeros(2)), [1, 1])

    def test_traces_that_are_dropped_free_what_they_captured(self, tracing: str) -> None:
        class Held:
            pass

        alive = []

        @ub.compile(static_argnums=1)
        def f(x: Any, held: Held) -> Any:
            return x + 1

        with ub.use(trace_limit=4):
            for _ in range(20):
                held = Held()
                alive.append(weakref.ref(held))
                f(ub.ones(1), held)
        del held
        f.cache_clear()
        gc.collect()
        assert not any(reference() is not None for reference in alive[:-1])

    def test_64_bit_jax_arrays_are_refused_by_the_short_way(self) -> None:
        f = ub.compile(lambda x: x + 1)
        g = ub.vmap(lambda x: x + 1)
        with ub.use("jax"):
            i = ub.asarray([1, 2])
            for h in (f, g):
                h(i)
                h(i)
            with ub.use(x64=True):
                wide = ub.asarray([2**40, 1])
            with jax.enable_x64(True):
                native = jax.numpy.asarray([2**40, 1])
            for h in (f, g):
                for y in (wide, native):
                    with pytest.raises(ub.errors.DtypeError, match="x64 is off"):
                        h(y)
                assert equal(h(i), [2, 3])

    def test_a_switch_of_the_backend(self) -> None:
        n: list[str] = []

        @ub.compile
        def f(v: Any) -> Any:
            n.append(ub.settings().backend)
            return v + 1

        with ub.use("jax"):
            x = ub.ones(2)
            f(x)
        with ub.use("tensorflow"):
            assert ub.backend_of(f(x)) == "jax"
            assert ub.backend_of(f(1.0)) == "tensorflow"
            assert ub.backend_of(ub.sum(x)) == "jax"
            assert ub.backend_of(ub.asarray(x)) == "jax"
        assert n == ["jax", "tensorflow"]

    def test_no_configuration_is_missed_by_the_short_way(self) -> None:
        f = ub.compile(lambda x: x + 1)
        before = ub.settings().trace_limit
        with ub.use("tensorflow"):
            x = ub.ones(2)
            for _ in range(3):
                f(x)
        try:
            ub.configure(compile=False)
            seen: list[Any] = []
            g = ub.compile(lambda v: (seen.append(v), v)[1])
            g(x)
            g(x)
            assert len(seen) == 2
        finally:
            ub.configure(compile=True)
        assert ub.settings().trace_limit == before

    def test_compile_off_runs_eagerly(self, anywhere: str) -> None:
        f = ub.compile(lambda x: 1.0 if x > 0 else -1.0)
        with ub.use(compile=False):
            assert f(ub.asarray(3.0)) == 1.0

    def test_compile_off_lets_in_and_out_what_compile_on_does(self, anywhere: str) -> None:
        a = np.float64([1, 2])
        with ub.use(compile=False, x64=False, float64_input="allow"):
            x = ub.compile(lambda x: x)(a)
            assert (ub.backend_of(x), x.dtype) == (anywhere, ub.float32)
            assert ub.compile(lambda k: k)(2.5).dtype == ub.float32
            a[:] = 7
            assert equal(x, [1, 2])

    def test_default_float_holds_for_numbers(self, anywhere: str) -> None:
        with ub.use(default_float="float32"):
            assert ub.compile(lambda k: k)(0.1).dtype == ub.float32
            assert ub.compile(lambda k: k)(1j).dtype == ub.complex64

    def test_arrays_made_by_numpy_come_out_in_the_width_in_force(self, anywhere: str) -> None:
        with ub.use(x64=False, float64_input="allow"):
            assert ub.compile(lambda x: np.ones(2))(ub.ones(1)).dtype == ub.float32
            assert ub.vmap(lambda x: np.float64(1))(ub.ones(1)).dtype == ub.float32

    def test_a_failed_trace_leaves_the_cache_clean(self, tracing: str) -> None:
        fail = [True]

        @ub.compile
        def f(x: Any) -> Any:
            if fail[0]:
                raise KeyError("mine")
            return x

        with pytest.raises(KeyError, match="mine"):
            f(ub.ones(2))
        assert ub.settings().backend in tracing
        fail[0] = False
        assert equal(f(ub.ones(2)), [1, 1])

    def test_threads_trace_once(self, tracing: str) -> None:
        n, results = [], []
        f = ub.compile(lambda x: (n.append(1), x + 1)[1])
        x = ub.ones(3)

        def work() -> None:
            with ub.use(tracing, x64=True):
                results.extend(f(x) for _ in range(20))

        threads = [threading.Thread(target=work) for _ in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert len(results) == 160
        assert all(equal(r, [2, 2, 2]) for r in results)
        assert len(n) <= 2  # JAX may trace the same function in two threads at once

    def test_threads_trace_and_drop_at_once(self, tracing: str) -> None:
        """Shapes come and go under eight threads, by all ways, and every answer is right."""
        wrong: list[Any] = []

        @ub.compile
        def f(x: Any, more: Any = None) -> Any:
            return x * 2 if more is None else {"sum": x + more["y"], "x": x}

        def work(seed: int) -> None:
            sizes = np.random.default_rng(seed).integers(1, 9, 15)
            with ub.use(tracing, x64=True, trace_limit=4):
                for n in map(int, sizes):
                    x = ub.asarray(np.full(n, float(n)))
                    if not equal(f(x), np.full(n, 2.0 * n)):
                        wrong.append(n)
                    out = f(x, {"y": x})
                    if list(out) != ["sum", "x"] or not equal(out["sum"], np.full(n, 2.0 * n)):
                        wrong.append(n)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert not wrong
        info = f.cache_info()
        assert info.hits + info.traces >= 240
        assert info.traces - info.evictions == info.size


class TestStatic:
    def test_by_value_and_type(self, anywhere: str) -> None:
        @ub.compile(static_argnums=1)
        def f(x: Any, k: Any) -> Any:
            return ub.divide(x, k)

        one = ub.asarray(1.0)
        with np.errstate(divide="ignore"):
            assert equal(f(one, 0.0), np.inf)
            assert equal(f(one, -0.0), -np.inf)
        g = ub.compile(lambda x, kind: x + (10 if kind is True else 1), static_argnames="kind")
        assert equal(g(one, kind=True), 11)
        assert equal(g(one, 1), 2)

    def test_a_static_size(self, anywhere: str) -> None:
        f = ub.compile(lambda n: ub.zeros(n), static_argnums=0)
        assert f(3).shape == (3,)
        assert f(n=4).shape == (4,)

    def test_negative_positions_count_positional_parameters(self, anywhere: str) -> None:
        def f(x: Any, n: int, *, k: Any = 1) -> Any:
            return ub.zeros(n) + x * k

        assert ub.compile(f, static_argnums=-1)(ub.ones(()), 3, k=2).shape == (3,)

    def test_unhashable_is_refused_by_name(self, anywhere: str) -> None:
        f = ub.compile(lambda x, how: x, static_argnames="how")
        with pytest.raises(
            ub.errors.TracingError, match=r"static argument how=\[1\].*give a tuple"
        ):
            f(ub.ones(1), how=[1])

    def test_unknown_names_are_refused(self) -> None:
        with pytest.raises(ValueError, match="static_argnames='nn' is no parameter .* x, n"):
            ub.compile(lambda x, n: x, static_argnames="nn")
        for number in (2, -3):
            with pytest.raises(ValueError, match=f"static_argnums={number} is no positional"):
                ub.compile(lambda x, n: x, static_argnums=number)
        with pytest.raises(TypeError, match="static_argnums=1.5 must be of int"):
            ub.compile(lambda x: x, static_argnums=1.5)  # type: ignore[call-overload]

    def test_none_is_no_leaf(self, anywhere: str) -> None:
        f = ub.compile(lambda p: ub.zeros(1) if p is None else ub.ones(1))
        assert equal(f(None), [0])
        assert equal(f(ub.zeros(2)), [1])

    def test_texts_and_objects_must_be_static(self, anywhere: str) -> None:
        with pytest.raises(ub.errors.TracingError, match=r"mode='fast'.*static_argnames='mode'"):
            ub.compile(lambda mode: 1)("fast")
        with pytest.raises(TypeError, match=r"ub.tree.register"):
            ub.compile(lambda p: 1)(object())


class TestTracingErrors:
    """One library error wherever a concrete value is needed."""

    @pytest.mark.parametrize(
        "f",
        [
            lambda v: v if v > 0 else -v,
            lambda v: float(v),
            lambda v: int(v),
            lambda v: bool(v > 0),
            lambda v: v.item(),
            lambda v: np.asarray(v),
            lambda v: ub.to_numpy(v),
            lambda v: range(v),
        ],
        ids=["branch", "float", "int", "bool", "item", "asarray", "to_numpy", "range"],
    )
    def test_values(self, tracing: str, f: Any) -> None:
        with pytest.raises(ub.errors.TracingError, match="compiled or mapped"):
            ub.compile(f)(ub.asarray(1.0) if "range" not in str(f.__code__.co_names) else 1)

    @pytest.mark.parametrize(
        "f",
        [
            lambda n: ub.zeros((n,)),
            lambda n: ub.arange(n),
            lambda n: ub.linspace(0.0, 1.0, n),
            lambda n: ub.ones(6)[:n],
            lambda n: ub.ones((6, 6))[1:n, 0],
        ],
        ids=["zeros", "arange", "linspace", "slice", "slices"],
    )
    def test_shapes(self, tracing: str, f: Any) -> None:
        with pytest.raises(ub.errors.TracingError, match="static"):
            ub.compile(f)(2)

    def test_a_branch_that_raises_is_not_taken(self, tracing: str) -> None:
        def f(x: Any) -> Any:
            if x < 0:
                raise ValueError("negative")
            return ub.sqrt(x)

        with pytest.raises(ub.errors.TracingError):
            ub.compile(f)(ub.asarray(4.0))

    def test_masks(self, tracing: str) -> None:
        with pytest.raises(ub.errors.TracingError):
            ub.compile(lambda x: x[x > 0])(ub.asarray([1.0, -1.0]))


class TestEscaped:
    """A value of a trace is of no use elsewhere: one error says so."""

    def test_after_the_trace(self, tracing: str) -> None:
        kept: list[Any] = []
        x = ub.asarray([1.0, 2.0])
        ub.compile(lambda x: (kept.append(x), x)[1])(x)
        uses = [
            lambda: ub.add(kept[0], 1),
            lambda: ub.compile(lambda y: y + 1)(kept[0]),
            lambda: ub.compile(lambda y: y + kept[0])(x),
            lambda: ub.vmap(lambda y: y + kept[0])(x),
        ]
        for use in uses:
            with pytest.raises(ub.errors.TracingError, match="escaped"):
                use()
        f = ub.compile(lambda y: y + 1)
        f(x)
        assert equal(f(x), [2, 3])
        with pytest.raises(ub.errors.TracingError, match="escaped"):
            f(kept[0])

    def test_in_another_thread(self, tracing: str) -> None:
        def f(x: Any) -> Any:
            with ThreadPoolExecutor(1) as pool:
                return pool.submit(lambda: x * x).result()

        with pytest.raises(ub.errors.TracingError, match="thread"):
            ub.compile(f)(ub.asarray(2.0))


class TestState:
    def test_variables_are_read_and_assigned_in_order(self) -> None:
        with ub.use("tensorflow"):
            v = tf.Variable(1.0)

            @ub.compile
            def f(x: Any) -> Any:
                before = v.read_value()
                v.assign_add(1.0)
                return x + before * 10 + v

            assert float(f(ub.asarray(0.5))) == 12.5
            v.assign(5.0)  # a captured variable is read anew
            assert float(f(ub.asarray(0.5))) == 56.5

    def test_random_numbers_differ_from_call_to_call(self) -> None:
        with ub.use("tensorflow"):
            f = ub.compile(lambda x: x + tf.random.uniform(()))
            assert len({float(f(ub.asarray(0.0))) for _ in range(5)}) == 5

    @pytest.mark.parametrize("where", ["plain", "tape", "tf.function", "tf.data"])
    def test_the_order_of_effects_is_kept(self, where: str) -> None:
        with ub.use("tensorflow"):
            v = tf.Variable(1.0)

            @ub.compile
            def f(x: Any) -> Any:
                first = v.read_value()
                v.assign(first * 2)
                v.assign_add(3.0)
                second = v.read_value()
                return x * 0 + ub.asarray(first), x * 0 + ub.asarray(second)

            def step(t: Any) -> Any:
                return [ub.native(y) for y in f(ub.asarray(t))]

            t = tf.constant(1.0)
            if where == "tape":
                for _ in range(2):
                    with tf.GradientTape():
                        got = step(t)
            elif where == "tf.data":
                *_, got = tf.data.Dataset.from_tensors(t).repeat(2).map(step)
            else:
                run = tf.function(step) if where == "tf.function" else step
                for _ in range(2):
                    got = run(t)
            assert [float(y) for y in got] == [5.0, 13.0]
            assert float(v) == 13.0

    def test_prints_are_kept(self, capfd: pytest.CaptureFixture[str]) -> None:
        with ub.use("tensorflow"):
            f = ub.compile(lambda x: (tf.print("x is", x.tensor), x + 1)[1])
            for value in (1.0, 2.0):
                f(ub.asarray(value))
            with tf.GradientTape():
                f(ub.asarray(3.0))
        assert capfd.readouterr().err.splitlines() == ["x is 1", "x is 2", "x is 3"]

    def test_python_effects_happen_while_tracing_only(self, tracing: str) -> None:
        log: list[str] = []
        f = ub.compile(lambda x: (log.append("ran"), x + 1)[1])
        for _ in range(3):
            f(ub.asarray(1.0))
        assert log == ["ran"]


class TestGradientTape:
    """The short way alone loses gradients: None for captured variables, LookupError else."""

    @pytest.mark.parametrize("xla", [False, True])
    def test_arguments_and_captured_variables(self, xla: bool) -> None:
        with ub.use("tensorflow", xla=xla):
            w = tf.Variable([2.0, 3.0])
            f = ub.compile(lambda x: ub.sum(x * x * ub.asarray(w)))
            x = tf.constant([1.0, 4.0])
            f(ub.asarray(x))  # the short way was taken before
            f(ub.asarray(x))
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = ub.native(f(ub.asarray(x)))
            dx, dw = tape.gradient(loss, [x, w])
            np.testing.assert_allclose(dx, [4.0, 24.0])
            np.testing.assert_allclose(dw, [1.0, 16.0])

    @pytest.mark.parametrize("xla", [False, True])
    def test_second_order_and_inside_tf_function(self, xla: bool) -> None:
        with ub.use("tensorflow", xla=xla):
            f = ub.compile(lambda x: ub.sum(x * x * x))
            x = tf.Variable([1.0, 2.0])
            f(ub.asarray(x))

            @tf.function
            def second() -> Any:
                with tf.GradientTape() as outer:
                    with tf.GradientTape() as inner:
                        loss = ub.native(f(ub.asarray(x)))
                    first = inner.gradient(loss, x)
                return outer.gradient(first, x)

            np.testing.assert_allclose(second(), [6.0, 12.0])

    def test_forward_accumulator(self) -> None:
        with ub.use("tensorflow"):
            f = ub.compile(lambda x: x * x)
            x = tf.constant(3.0)
            f(ub.asarray(x))
            with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
                y = ub.native(f(ub.asarray(x)))
            assert float(acc.jvp(y)) == 6.0

    def test_the_guard_is_there(self) -> None:
        from unibackend.backends.tensorflow import _private

        assert _private.no_tape_records() is True
        with tf.GradientTape():
            assert _private.no_tape_records() is False


class TestInsideNativeCode:
    def test_jax_jit_and_grad(self) -> None:
        with ub.use("jax"):
            f = ub.compile(lambda x: ub.sum(x * x))
            x = ub.asarray([1.0, 2.0])
            assert equal(jax.jit(f)(x), 5.0)
            assert equal(jax.grad(f)(x), [2.0, 4.0])

    def test_tf_function_and_tf_data(self) -> None:
        with ub.use("tensorflow"):
            f = ub.compile(lambda x: x * 2)
            inside = tf.function(lambda t: ub.native(f(ub.asarray(t))))
            np.testing.assert_array_equal(inside(tf.constant([1.0, 2.0])), [2, 4])
            data = tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(
                lambda t: ub.native(f(ub.asarray(t)))
            )
            assert [float(v) for v in data] == [2.0, 4.0]

    def test_inside_another_trace_it_runs_in_line(self) -> None:
        """Through an op that calls a function, pfor and gradients lose custom gradients."""
        with ub.use("tensorflow"):

            @tf.custom_gradient
            def times_hundred(t: Any) -> Any:
                return t * 1.0, lambda upstream: upstream * 100.0

            inner = ub.compile(lambda x: ub.asarray(times_hundred(ub.native(x))))
            outer = ub.compile(lambda x: inner(inner(x)))
            x = tf.constant([1.0, 2.0])
            inner(ub.asarray(x))
            inner(ub.asarray(x))  # the short way is there
            for f, factor in ((inner, 100.0), (outer, 1e4)):
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = ub.native(f(ub.asarray(x)))
                assert np.array_equal(tape.gradient(y, x), [factor, factor])

            graph = tf.function(lambda t: ub.native(inner(ub.asarray(t))), autograph=False)
            operations = graph.get_concrete_function(x).graph.get_operations()
            assert not [op.type for op in operations if "Call" in op.type]
            assert inner.cache_info().traces == 1

    def test_numbers_are_weak_in_line_too(self, tracing: str) -> None:
        inner = ub.compile(lambda x, k: ub.multiply(x, k))
        half = ub.ones(2, dtype="float16")
        assert ub.compile(lambda x: inner(x, 0.5))(half).dtype == ub.float16
        assert ub.compile(lambda x, k: inner(x, k))(half, 0.5).dtype == ub.float16
        assert ub.compile(lambda x: ub.multiply(x, inner(2.0, 3.0)))(half).dtype == ub.float64
        with pytest.raises(ub.errors.RangeError):
            ub.compile(lambda x: inner(x, 300))(ub.ones(2, dtype="int8"))

    @pytest.mark.parametrize("first", ["add", "asarray", "compile", "vmap"])
    def test_autograph_has_nothing_to_say(self, first: str) -> None:
        """The first call of all, inside a tf.function, imports the backend."""
        program = f"""
import tensorflow as tf, unibackend as ub
ub.configure(backend="tensorflow")
uses = dict(
    add=lambda t: ub.add(t, 1), asarray=ub.asarray,
    compile=ub.compile(lambda x: x + 1), vmap=ub.vmap(lambda x: x + 1),
)
use = uses[{first!r}]
print(tf.function(lambda t: ub.native(use(t)))(tf.ones(2)))
"""
        ran = run(program)
        assert "shape=(2,)" in ran.stdout
        assert "AutoGraph" not in ran.stderr

    def test_native_arguments(self, tracing: str) -> None:
        x = ub.native(ub.asarray([1.0, 2.0]))
        f = ub.compile(lambda v: ub.sum(v))
        assert equal(f(x), 3.0)
        assert equal(f(x), 3.0)


class TestObjects:
    def test_methods_do_not_keep_their_instance(self, tracing: str) -> None:

        class Layer:
            def __init__(self, w: float) -> None:
                self.w = w

            @ub.compile
            def __call__(self, x: Any) -> Any:
                return x * self.w

            @ub.compile(static_argnames="n")
            def power(self, x: Any, n: int) -> Any:
                return x**n * self.w

        a, b = Layer(2.0), Layer(3.0)
        x = ub.ones(2)
        assert equal(a(x), [2, 2])
        assert equal(b(x), [3, 3])
        assert equal(a.power(x, n=2), [2, 2])
        gone = weakref.ref(a)
        del a
        gc.collect()
        assert gone() is None

    def test_instances_are_told_apart_by_identity(self, anywhere: str) -> None:
        @dataclasses.dataclass(frozen=True)
        class Equal:
            w: float = dataclasses.field(compare=False)

            @ub.compile
            def step(self, x: Any) -> Any:
                return x * self.w

        @dataclasses.dataclass
        class Unhashable:
            w: float

            @ub.compile
            def step(self, x: Any) -> Any:
                return x * self.w

        class Slotted:
            __slots__ = ("w",)

            def __init__(self, w: float) -> None:
                self.w = w

            @ub.compile
            def step(self, x: Any) -> Any:
                return x * self.w

        x = ub.ones(2)
        for cls in (Equal, Unhashable, Slotted):
            kept = [cls(2.0), cls(3.0)]
            for instance in (*kept, *kept):
                assert equal(instance.step(x), [instance.w] * 2)
            assert equal(cls(5.0).step(x), [5, 5])  # it lives as long as the call

    def test_dropping_it_frees_what_it_captured(self, tracing: str) -> None:
        class Held:
            w = 2.0

        held = Held()
        gone = weakref.ref(held)
        f = ub.compile(lambda x, held=held: x * held.w)
        f(ub.ones(2))
        f(ub.ones(2))
        del f, held
        gc.collect()
        assert gone() is None

    def test_pickle_and_copy(self) -> None:
        assert pickle.loads(pickle.dumps(at_module_level)) is at_module_level
        f = ub.compile(_plain, static_argnums=1)
        g = pickle.loads(pickle.dumps(f))
        with ub.use("numpy"):
            assert equal(g(ub.ones(2), 3), [3, 3])
            assert equal(copy.deepcopy(f)(ub.ones(2), 3), [3, 3])

    def test_pickle_of_one_that_has_been_called(self, tracing: str) -> None:
        f = ub.compile(_plain, static_argnums=1)
        for _ in range(2):
            f(ub.ones(2), 3)
        for g in (pickle.loads(pickle.dumps(f)), copy.deepcopy(f), copy.copy(f)):
            assert equal(g(ub.ones(2), 4), [4, 4])
            assert g.cache_info().traces == 1
        holder = {"f": f, "x": ub.ones(1)}
        assert equal(copy.deepcopy(holder)["f"](ub.ones(1), 2), [2])

    def test_it_looks_like_the_function(self) -> None:
        import inspect

        assert at_module_level.__name__ == "at_module_level"
        assert at_module_level.__doc__ == "Return it doubled."
        assert list(inspect.signature(at_module_level).parameters) == ["x"]


def _plain(x: Any, n: int) -> Any:
    return x * n


@ub.compile
def at_module_level(x: Any) -> Any:
    """Return it doubled."""
    return x * 2


def test_donation_is_a_hint(tracing: str) -> None:
    import warnings

    from unibackend.backends.tensorflow import _compile

    f = ub.compile(lambda x, y: x + y, donate_argnums=0)
    _compile._donation_warned = False
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert equal(f(ub.ones(4), ub.ones(4)), np.full(4, 2.0))
    if tracing == "tensorflow":
        assert any("donate_argnums has no effect on TensorFlow" in str(w.message) for w in seen)


def test_donated_arrays_are_missed_by_name() -> None:
    with ub.use("jax"):
        f = ub.compile(lambda x, y: x + y, donate_argnums=0)
        x = ub.ones(4)
        for _ in range(2):  # by the long way and by the short one
            with pytest.raises(ub.errors.DonatedError, match="one array was given for two"):
                f(x, x)
        assert equal(f(x, ub.ones(4)), [2] * 4)
        assert x.is_deleted()
        for use in (lambda: f(x, ub.ones(4)), lambda: ub.add(x, 1), lambda: ub.exp(x)):
            with pytest.raises(ub.errors.DonatedError, match="memory is gone"):
                use()


class TestXLA:
    def test_what_xla_lacks_is_named(self) -> None:
        with ub.use("tensorflow", xla=True):
            f = ub.compile(lambda x: ub.asarray(tf.raw_ops.BesselJ0(x=ub.native(x))))
            for _ in range(2):
                with pytest.raises(ub.errors.UnsupportedError, match=r"op BesselJ0.*xla=False"):
                    f(ub.ones(2))
            assert f.cache_info().size == 0

    def test_auto_is_a_graph_on_the_cpu(self) -> None:
        from unibackend.backends.tensorflow._compile import wants_xla

        with ub.use("tensorflow", xla="auto"):
            assert wants_xla(ub.settings()) is False
        for choice in (True, False):
            with ub.use("tensorflow", xla=choice):
                assert wants_xla(ub.settings()) is choice

    @pytest.mark.parametrize(("xla", "loops"), [("auto", True), (True, True), (False, False)])
    def test_auto_gives_loops_to_xla(self, xla: Any, loops: bool) -> None:
        """Out of bounds the graph's gather raises, and XLA's takes the last element."""
        step = lambda c, i: (c + tf.gather([1.0, 2.0], ub.native(i)), None)  # noqa: E731
        with ub.use("tensorflow", xla=xla):
            f = ub.compile(lambda i: ub.scan(step, ub.asarray(0.0), i)[0])
            inside, outside = ub.asarray([0, 1]), ub.asarray([0, 9])
            assert float(f(inside)) == 3.0
            if loops:
                assert float(f(outside)) == 3.0
            else:
                with pytest.raises(tf.errors.InvalidArgumentError):
                    f(outside)
            plain = ub.compile(lambda i: ub.asarray(tf.gather([1.0, 2.0], ub.native(i))))
            plain(inside)
            if xla is not True:
                with pytest.raises(tf.errors.InvalidArgumentError):
                    plain(outside)

    def test_auto_leaves_mapped_loops_to_the_graph(self) -> None:
        root = lambda x: ub.while_loop(lambda c: c * c < x, lambda c: c + 1.0, ub.zeros_like(x))  # noqa: E731
        with ub.use("tensorflow"):  # XLA has no kernel for them; no warning either
            assert equal(ub.compile(ub.vmap(root))(ub.asarray([4.0, 9.0])), [2, 3])

    def test_auto_leaves_loops_with_state_to_the_graph(self) -> None:
        with ub.use("tensorflow"):
            seen = tf.Variable(0.0)

            def step(i: Any, c: Any) -> Any:
                seen.assign_add(1.0)
                return c + 1.0

            assert float(ub.compile(lambda x: ub.fori_loop(0, 3, step, x))(ub.asarray(1.0))) == 4
            assert float(seen) == 3

    def test_auto_falls_back_to_a_graph(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tf.config, "list_logical_devices", lambda kind: [kind])  # "GPU"
        with ub.use("tensorflow", xla="auto"):
            f = ub.compile(lambda x: ub.asarray(tf.raw_ops.BesselJ0(x=ub.native(x))))
            with pytest.warns(ub.errors.FallbackWarning, match="op BesselJ0.*graph") as seen:
                assert equal(f(ub.zeros(2)), [1, 1])
            assert [w.filename for w in seen] == [__file__]
            assert equal(f(ub.zeros(2)), [1, 1])
            assert equal(f(ub.zeros(3)), [1, 1, 1])  # known from then on
            assert equal(ub.compile(lambda x: x + 1)(ub.ones(2)), [2, 2])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("name", ["jax", "tensorflow", "numpy"])
def test_a_forked_child_says_what_is_wrong(name: str) -> None:
    ran = run(f"""
import os, sys, unibackend as ub
ub.configure(backend={name!r})
f = ub.compile(lambda x: ub.sum(ub.matmul(x, x)))
x = ub.ones((64, 64))
f(x), f(x)
sys.stdout.flush()
uses = [lambda: ub.sum(x), lambda: ub.ones(3), lambda: f(x), lambda: ub.matmul(x, x)]
uses += [lambda: x + x] if {name!r} == "tensorflow" else []
if os.fork() == 0:
    for use in uses:
        try:
            print(use() is not None)
        except NotImplementedError as error:
            print("spawn" in str(error))
    with ub.use("numpy"):
        print(ub.sum(ub.ones(3)))
    sys.stdout.flush()
    os._exit(0)
os.wait()
print(f(x))
""")
    lines = ran.stdout.splitlines()
    assert lines[-2:] == ["3.0", "262144.0"]
    assert set(lines[:-2]) == {"True"}


def run(program: str) -> Any:
    """Run a program of its own, not longer than a hanging child may take."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
    )
    assert done.returncode == 0, done.stderr
    return done


def test_what_is_no_array_cannot_come_out(tracing: str) -> None:
    other = ub.asarray([1.0], backend="jax" if tracing == "tensorflow" else "tensorflow")
    for value in ("text", object(), other):
        with pytest.raises(ub.errors.DtypeError, match="returns arrays"):
            ub.compile(lambda x: value)(ub.ones(1))  # noqa: B023


def test_a_container_of_jax_is_refused_elsewhere() -> None:
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Theirs:
        w: Any

    for name in ("numpy", "tensorflow"):
        with ub.use(name), pytest.raises(ub.errors.TracingError, match=r"Theirs.*ub.tree.register"):
            ub.compile(lambda t: t.w)(Theirs(ub.ones(1)))


def test_no_outputs_at_all(anywhere: str) -> None:
    f = ub.compile(lambda x: None)
    for _ in range(3):
        assert f(ub.ones(2)) is None
    assert ub.compile(lambda x: [])(ub.ones(2)) == []
