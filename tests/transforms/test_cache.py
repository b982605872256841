"""The caches of traces: what is counted, what is warned of, what is kept and for how long."""

from __future__ import annotations

import functools
import gc
import os
import subprocess
import sys
import warnings
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import unibackend as ub
from unibackend.transforms.short import NO_SHORT

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["jax", "tensorflow"])
def tracing(request: pytest.FixtureRequest) -> Any:
    """The backends that trace, with 64 bits."""
    with ub.use(request.param, x64=True):
        yield request.param


def row(n: int, dtype: str = "float32") -> Any:
    return ub.asarray(np.zeros(n, dtype))


def retraced(f: Any, call: Callable[[int], Any], times: int = 12) -> str:
    """Return the only warning that so many calls give, which points at this file."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for i in range(times):
            call(i)
    found = [w for w in seen if w.category is ub.errors.RetraceWarning]
    assert len(found) == 1
    assert found[0].filename == __file__
    text = str(found[0].message)
    assert " times. What differs from the trace before: " in text
    return text


weight: Any = None


class Layer:
    w: Any = None

    def call(self, x: Any) -> Any:
        return x * self.w


class TestReasons:
    """Each kind of reason is counted, and warned of by name with its remedy."""

    def test_the_shape_of_a_leaf(self, tracing: str) -> None:
        f = ub.compile(lambda x, y: x["w"] + y)
        text = retraced(f, lambda i: f({"w": row(i + 1)}, 1.0))
        assert "the shape of argument `x['w']`, (9,) -> (10,)" in text
        assert "buckets=" in text
        assert f.cache_info().reasons == {"first call": 1, "shape of x['w']": 11}

    def test_a_static_value(self, tracing: str) -> None:
        f = ub.compile(lambda x, n: x + n, static_argnames="n")
        text = retraced(f, lambda i: f(row(2), n=i))
        assert "the static value of argument `n`, 8 -> 9" in text
        assert "leave `n` out of the static arguments" in text
        assert f.cache_info().reasons == {"first call": 1, "static value of n": 11}

    def test_the_dtype(self, tracing: str) -> None:
        f = ub.compile(lambda x, *rest: x)
        integers = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
        dtypes = [*integers, "float32", "float64"]
        text = retraced(f, lambda i: f(row(2, dtypes[i]), row(1)), len(dtypes))
        assert "the dtype of argument `x`, float32 -> float64" in text
        assert "ub.astype(x, ...)" in text
        assert f.cache_info().reasons == {"first call": 1, "dtype of x": 9}

    def test_the_structure(self, tracing: str) -> None:
        f = ub.compile(lambda xs: xs[0])
        text = retraced(f, lambda i: f([row(2)] * (i + 1)))
        assert "the structure of the arguments, " in text
        assert "same containers" in text
        assert f.cache_info().reasons == {"first call": 1, "structure of the arguments": 11}

    def test_a_number_where_an_array_was(self, tracing: str) -> None:
        f = ub.compile(lambda x, k: x * k)
        for k in (2.0, ub.asarray(2.0), 3.0, ub.asarray(3.0)):
            f(row(2), k)
        assert f.cache_info().reasons == {"first call": 1, "array or number for k": 1}
        g = ub.vmap(lambda x, k: x * k, in_axes=(0, None))
        for k in (2.0, ub.asarray(2.0)):
            g(row(2), k)
        assert g.cache_info().reasons == {"first call": 1, "array or number for k": 1}

    def test_the_range_of_an_integer(self, tracing: str) -> None:
        f = ub.compile(lambda x, n: x + n)
        for n in (1, 2, 1000, 3):
            f(row(2), n)
        assert f.cache_info().reasons == {"first call": 1, "range of a Python integer": 1}

    def test_a_setting(self, tracing: str) -> None:
        f = ub.compile(lambda k: k)
        for default in ("float64", "float32", "float64"):
            with ub.use(default_float=default):
                f(1.0)
        assert f.cache_info().reasons == {"first call": 1, "setting default_float": 1}

    def test_a_number_that_vmap_compiles_in(self, tracing: str) -> None:
        f = ub.vmap(lambda x, k: x * k, in_axes=(0, None))
        text = retraced(f, lambda i: f(row(2), float(i)))
        assert "the static value of argument `k`, 8.0 -> 9.0" in text
        assert "ub.asarray(k)" in text

    def test_a_captured_variable(self, tracing: str) -> None:
        def of(w: float) -> Any:
            return ub.vmap(lambda x: x * w)

        text = retraced(of(0.0), lambda i: of(float(i))(row(2)))
        assert "the variable `w`, which the function captures" in text
        assert "pass it as an argument" in text
        assert of(0.0).cache_info().reasons == {"first call": 1, "the variable `w`": 11}

    def test_a_captured_array_is_told_by_identity(self, tracing: str) -> None:
        def of(w: Any) -> Any:
            return ub.vmap(lambda x: x + w)

        arrays = [row(1) for _ in range(12)]
        text = retraced(of(arrays[0]), lambda i: of(arrays[i])(row(2)))
        assert "the variable `w`, which the function captures" in text

    def test_a_global(self, tracing: str, monkeypatch: pytest.MonkeyPatch) -> None:
        f = ub.vmap(lambda x: x * weight)
        module = sys.modules[__name__]

        def call(i: int) -> None:
            monkeypatch.setattr(module, "weight", float(i))
            f(row(2))

        assert "the global `weight`, which the function captures" in retraced(f, call)

    def test_an_attribute_a_default_and_a_partial(self, tracing: str) -> None:
        layer = Layer()
        f = ub.vmap(layer.call)
        for i in range(2):
            layer.w = float(i)
            f(row(2))
        assert f.cache_info().reasons == {"first call": 1, "the attribute `w`": 1}

        def scale(x: Any, k: Any, *, by: Any = 1.0) -> Any:
            return x * k * by

        for k, by in ((1.0, 1.0), (2.0, 1.0), (2.0, 3.0)):
            g = ub.vmap(functools.partial(scale, k=k, by=by))
            g(row(2))
        assert g.cache_info().reasons == {
            "first call": 1,
            "the argument `k` of functools.partial": 1,
            "the argument `by` of functools.partial": 1,
        }

    def test_control_flow(self, tracing: str) -> None:
        reasons = [
            ub.transforms.by_code.cache_of("test", run, ub.backends.load(tracing))
            for run in (lambda leaves: leaves,)
        ]
        assert reasons[0].info().reasons == {}
        for n in (1, 2):
            ub.transforms.by_code.run_by_code(
                "test",
                (lambda x: x,),
                ub.backends.load(tracing),
                [row(n)],
                "key",
                lambda leaves: leaves[0],
            )

    def test_a_trace_that_was_dropped(self, tracing: str) -> None:
        f = ub.compile(lambda x: x)
        f(row(2))
        f.cache_clear()
        f(row(2))
        assert f.cache_info().reasons == {"first call": 1, "the same once more": 1}

    def test_each_kind_is_warned_of_once(self, tracing: str) -> None:
        f = ub.compile(lambda x, n: x + n, static_argnames="n")
        retraced(f, lambda i: f(row(i + 1), n=0), 30)
        text = retraced(f, lambda i: f(row(1), n=i + 1), 30)
        assert "static value" in text
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for i in range(30, 50):
                f(row(i), n=i)

    def test_nine_traces_are_nothing_to_warn_of(self, tracing: str) -> None:
        f = ub.compile(lambda x: x + 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for n in range(9):
                f(row(n))
        assert f.cache_info().traces == 9

    def test_explaining_keeps_nothing_alive(self, tracing: str) -> None:
        class Held:
            def __call__(self, x: Any) -> Any:
                return x

        f = ub.compile(lambda x, held: held(x), static_argnums=1)
        held = Held()
        f(row(2), held)
        gone = weakref.ref(held)
        del held
        f.cache_clear()
        gc.collect()
        assert gone() is None


class TestCounts:
    def test_hits_on_the_short_way(self, tracing: str) -> None:
        f = ub.compile(lambda x: x + 1)
        for n in (1, 1, 1, 2, 3, 3, 1):
            f(row(n))
        info = f.cache_info()
        assert (info.hits, info.traces, info.size) == (4, 3, 3)

    def test_a_failed_trace_counts_nothing(self, tracing: str) -> None:
        @ub.compile
        def f(x: Any) -> Any:
            if x.shape == (3,):
                raise KeyError("mine")
            return x

        f(row(2))
        for _ in range(3):
            with pytest.raises(KeyError):
                f(row(3))
        info = f.cache_info()
        assert (info.hits, info.traces, info.size, info.reasons) == (0, 1, 1, {"first call": 1})

    def test_over_all_backends(self) -> None:
        f = ub.compile(lambda x: x + 1)
        for backend in ("jax", "tensorflow", "numpy"):
            with ub.use(backend):
                f(row(2))
                f(row(2))
        info = f.cache_info()
        assert (info.hits, info.traces, info.reasons) == (4, 2, {"first call": 2})


class Point(NamedTuple):
    a: Any
    b: Any


class TestShortWayOfTrees:
    """Trees of arrays take a short way too, and only those of the same structure."""

    def test_values_and_structures(self, tracing: str) -> None:
        traced = []

        @ub.compile
        def f(tree: Any, *more: Any, **named: Any) -> Any:
            traced.append(tree)
            leaves = ub.tree.leaves((tree, more, named))
            total = leaves[0]
            for i, leaf in enumerate(leaves[1:], 2):
                total = total + i * leaf
            return total

        x, y = row(2) + 1, row(2) + 10
        calls = [
            (({"a": x, "b": y},), {}),
            (({"b": y, "a": x},), {}),
            (({"a": x, "b": [y, {"c": x}]},), {}),
            ((Point(x, y),), {}),
            (((x, y),), {}),
            (([x, y],), {}),
            ((x, y), {}),
            ((x,), {"named": y}),
            (({"a": x, "b": None},), {}),
        ]
        for args, kwargs in calls:
            for _ in range(3):
                leaves = ub.tree.leaves((args, kwargs))
                want = sum(i * float(leaf[0]) for i, leaf in enumerate(leaves, 1))
                assert ub.to_numpy(f(*args, **kwargs)).tolist() == [want, want]
        assert len(traced) == len(calls) - 1  # a dictionary in another order is the same
        assert f.cache_info().hits == 3 * len(calls) - len(traced)

    @pytest.mark.parametrize(
        "make",
        [
            OrderedDict,
            lambda pairs: deque((v for _, v in pairs), maxlen=5),
        ],
        ids=["OrderedDict", "deque"],
    )
    def test_containers_with_an_order(self, tracing: str, make: Any) -> None:
        x, y = row(1) + 1, row(1) + 2

        @ub.compile
        def first(tree: Any) -> Any:
            values = list(tree.values()) if hasattr(tree, "values") else list(tree)
            return values[0]

        for _ in range(2):
            assert float(first({"a": x, "b": y})[0]) == 1
            assert float(first(make([("b", y), ("a", x)]))[0]) == 2
            assert float(first(make([("a", x), ("b", y)]))[0]) == 1

    def test_what_is_no_array_of_the_backend_goes_the_long_way(self, tracing: str) -> None:
        f = ub.compile(lambda tree: tree["x"] * tree["k"])
        x = row(2) + 1
        f({"x": x, "k": x})
        f({"x": x, "k": x})
        assert f({"x": x, "k": 2.0}).dtype == ub.float32
        assert f({"x": x, "k": np.float64([3, 4])}).dtype == ub.float64
        with pytest.raises(ub.errors.TracingError, match="not an array"):
            f({"x": x, "k": "text"})
        other = ub.asarray([1.0], backend="jax" if tracing == "tensorflow" else "tensorflow")
        with pytest.raises(ub.errors.MixedBackendsError):
            f({"x": x, "k": other})


class TestOneCacheForManyFunctions:
    """Functions with one code share a cache in `vmap`."""

    def test_all_are_told_to_stop(self) -> None:
        def of(scale: float) -> Any:
            return ub.vmap(lambda x: x * scale)

        with ub.use("jax", trace_limit=4):
            a, b = of(2.0), of(3.0)
            for f in (a, b):
                f(row(2) + 1)
                f(row(2) + 1)
                assert f._short is not NO_SHORT
            for n in range(3, 8):
                a(row(n))
            assert a.cache_info().size <= 5
            assert b._short is NO_SHORT
            assert float(b(row(2) + 1)[0]) == 3

    def test_what_was_captured_is_let_go(self, tracing: str) -> None:
        alive: list[Any] = []

        def step() -> Any:
            w = row(3)
            alive.append(weakref.ref(ub.native(w)))
            f = ub.vmap(lambda x: x + w)
            f(row(2))
            return f

        for _ in range(40):
            f = step()
        gc.collect()
        assert sum(reference() is not None for reference in alive) <= 33
        info = f.cache_info()
        assert (info.traces, info.size, info.evictions) == (40, 32, 8)

    def test_shapes_are_no_variants(self, tracing: str) -> None:
        w = row(1)
        f = ub.vmap(lambda x: x + w)
        for n in range(1, 40):
            f(row(n))
        assert f.cache_info().size == 39


@pytest.mark.parametrize(("name", "traces"), [("jax", 40), ("tensorflow", 150)])
def test_memory_does_not_grow_past_the_bound(name: str, traces: int) -> None:
    """What 1000 and 10 000 traces do is `benchmarks/growth.py`'s to show; here are fewer."""
    script = ROOT / "benchmarks" / "growth.py"
    out = subprocess.run(
        [sys.executable, script, name, "--traces", str(traces), "--limit", "8"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
    ).stdout
    bounded, unbounded = (float(line.split()[-2]) for line in out.strip().splitlines()[-2:])
    assert bounded < unbounded / 2
