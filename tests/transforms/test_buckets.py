"""`compile(buckets=...)`: many sizes, few programs, the same results."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

import unibackend as ub
from unibackend import dtypes

POWERS = "powers_of_two"


class Pair(NamedTuple):
    a: Any
    b: Any


def table(count: int, *shape: int, dtype: str = "float64") -> np.ndarray[Any, Any]:
    """Return rows that all differ."""
    size = (count, *shape)
    return (np.arange(np.prod(size, dtype=int)).reshape(size) % 251 + 1).astype(dtype)


def same(x: Any, y: Any) -> None:
    """Check that two arrays are equal in shape, dtype and each element."""
    x, y = ub.to_numpy(x), np.asarray(y)
    assert (x.shape, x.dtype) == (y.shape, y.dtype)
    np.testing.assert_array_equal(x, y)


@contextmanager
def compilations() -> Iterator[list[str]]:
    """Collect the compilations of JAX in a block."""
    seen: list[str] = []

    def listen(event: str, duration_secs: float, **_: str | int) -> None:
        if event == "/jax/core/compile/backend_compile_duration":
            seen.append(event)

    jax.monitoring.register_event_duration_secs_listener(listen)
    try:
        yield seen
    finally:
        jax.monitoring.unregister_event_duration_listener(listen)


class TestResults:
    @given(
        count=st.integers(0, 40),
        dtype=st.sampled_from(["float32", "float64", "int8", "uint16", "bool", "complex64"]),
        shape=st.sampled_from([(), (3,), (2, 0), (2, 1, 2)]),
        buckets=st.sampled_from([POWERS, (64,), [3, 5, 40], range(8, 48, 8)]),
        check=st.booleans(),
    )
    def test_buckets_equal_none(
        self, backend: str, count: int, dtype: str, shape: Any, buckets: Any, check: bool
    ) -> None:
        def f(tree: Any, more: Any) -> Any:
            flat = ub.reshape(tree["x"], (tree["x"].shape[0], math.prod(shape)))
            return Pair([ub.sum(flat, axis=1), None], {"y": tree["x"], "more": more + more})

        x, more = table(count, *shape, dtype=dtype), table(count, 2)
        with ub.use(check_buckets=check):
            got = ub.compile(f, buckets=buckets)({"x": x}, more)
        assert type(got) is Pair
        assert got.a[1] is None
        expected = ub.compile(f)({"x": ub.asarray(x)}, ub.asarray(more))
        for part, whole in ((got.a[0], expected.a[0]), (got.b["y"], expected.b["y"])):
            same(part, ub.to_numpy(whole))
            assert ub.backend_of(part) == backend
        same(got.b["y"], x)
        same(got.b["more"], 2 * more)

    @pytest.mark.parametrize("dtype", dtypes.NAMES)
    def test_every_dtype_and_many_axes(self, backend: str, dtype: str) -> None:
        f = ub.compile(lambda x: x, buckets=POWERS)
        for shape in ((3,), (3, 2), (3, *[1, 2] * 5, 1)):
            x = ub.astype(ub.asarray(table(*shape)), dtype)
            for zeros in (False, True):
                with ub.use(check_buckets=zeros):
                    y = f(x)
                assert (y.shape, y.dtype) == (shape, ub.to_numpy(x).dtype)
                np.testing.assert_array_equal(ub.to_numpy(y), ub.to_numpy(x))

    def test_the_size_is_the_bucket(self, backend: str) -> None:
        seen: list[int] = []

        def f(x: Any) -> Any:
            seen.append(x.shape[0])
            return x + 1

        for buckets, pairs in (
            (POWERS, [(0, 1), (1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (1000, 1024)]),
            ((3, 7), [(0, 3), (1, 3), (3, 3), (4, 7), (7, 7)]),
        ):
            for count, size in pairs:
                seen.clear()
                same(ub.compile(f, buckets=buckets)(table(count)), table(count) + 1)
                assert set(seen) == {size, 2 * size}  # run at one, looked at with twice as many

    def test_named_arguments_leave_others_alone(self, backend: str) -> None:
        def f(w: Any, x: Any, *more: Any, scale: Any = 1.0, **rest: Any) -> Any:
            out = x @ w * scale
            for y in (*more, *rest.values()):
                out = out + y
            return out

        w, x, y = table(3, 3), table(5, 3), table(5, 3)
        expected = x @ w * 2.0 + y + y
        every: list[dict[str | int, Any]] = [
            {"x": POWERS, "more": POWERS, "rest": POWERS},
            {1: POWERS, 2: POWERS, "k": POWERS},
            {1: [8], "more": [8], "k": (8,)},
        ]
        for names in every:
            f_ = ub.compile(f, buckets=names)
            same(f_(w, x, y, scale=2.0, k=y), expected)
        g = ub.compile(f, buckets={"x": POWERS})
        same(g(w, scale=2.0, x=x), x @ w * 2.0)
        same(g(w, x), x @ w)

    def test_static_arguments(self, backend: str) -> None:
        @ub.compile(static_argnames="mode", static_argnums=0, buckets=POWERS)
        def f(n: int, x: Any, mode: str = "plus") -> Any:
            return ub.concat([x + n if mode == "plus" else x * n] * n, axis=1)

        for n in (1, 2):
            for mode in ("plus", "times"):
                x = table(3, 2)
                same(f(n, x, mode), np.concatenate([x + n if mode == "plus" else x * n] * n, 1))
                same(f(n, x, mode=mode), f(n, x, mode))

    def test_python_numbers_are_left_alone(self, backend: str) -> None:
        f = ub.compile(lambda x, s: ub.multiply(x, s), buckets={"x": POWERS})
        same(f(table(3), 0.1), table(3) * 0.1)
        same(f(table(3, dtype="int8"), 2), table(3, dtype="int8") * 2)
        same(f(table(5, dtype="int8"), 3), table(5, dtype="int8") * 3)

    def test_the_callers_array_may_be_overwritten(self, backend: str) -> None:
        f = ub.compile(lambda x: x * 2, buckets=POWERS)
        for count in (48, 64):
            x = table(count, 1000)
            y = f(x)
            x[:] = -1
            same(y, 2 * table(count, 1000))

    def test_results_keep_the_memory_that_they_show(self, backend: str) -> None:
        f = ub.compile(lambda x: x * 2, buckets=POWERS)
        kept = [f(table(count, 1000)) for count in range(40, 60)]
        gc.collect()
        [f(-table(count, 1000)) for count in range(40, 60)]
        for count, y in zip(range(40, 60), kept, strict=True):
            same(y, 2 * table(count, 1000))

    def test_rows_added_are_copies(self, backend: str) -> None:
        """Rows of zeros would loop for ever, and on NumPy warn of a division."""
        f = ub.compile(lambda x: 1 / x, buckets=POWERS)
        same(f(table(3)), 1 / table(3))
        same(f(table(0)), table(0))

    def test_methods(self, backend: str) -> None:
        class Layer:
            def __init__(self, w: Any) -> None:
                self.w = w

            @ub.compile(buckets=POWERS)
            def all(self, x: Any) -> Any:
                return x * self.w

            @ub.compile(buckets={2: POWERS, "y": POWERS})
            def some(self, scale: Any, x: Any, *, y: Any) -> Any:
                return x * scale + y * self.w

        first, second = Layer(2.0), Layer(3.0)
        for count in (3, 5, 6, 7):
            x = table(count)
            same(first.all(x), x * 2)
            same(second.all(x), x * 3)
            same(first.some(ub.asarray(4.0), x, y=x), 6 * x)
        if backend != "numpy":
            assert first.all.cache_info().traces == 2
        gone = weakref.ref(first)
        del first
        gc.collect()
        assert gone() is None

    def test_settings_and_eager(self, backend: str) -> None:
        f = ub.compile(lambda x: ub.sum(x), buckets=POWERS)
        with ub.use(compile=False):
            same(f(table(3)), np.asarray(6.0))  # nothing is padded
        g = ub.compile(lambda x: x + 1, buckets=POWERS)
        same(g(table(3)), table(3) + 1)
        with ub.use(x64=False):
            same(g(table(3, dtype="float32")), table(3, dtype="float32") + 1)
        same(g(table(3)), table(3) + 1)


def double(x: Any) -> Any:
    return x * 2


doubled = ub.compile(double, buckets={"x": [4, 16]})


def test_copies_and_pickles(backend: str) -> None:
    for f in (doubled, ub.compile(double, buckets=(4, 16))):
        for g in (copy.deepcopy(f), pickle.loads(pickle.dumps(f)), copy.copy(f)):
            same(g(table(3)), 2 * table(3))
            with pytest.raises(ub.errors.ShapeError, match=r"17 rows.*largest.*is 16"):
                g(table(17))
    assert repr(doubled) == "<ub.compile of double>"
    assert getattr(doubled, "__wrapped__", None) is double


class TestTraces:
    @pytest.mark.parametrize("framework", ["jax", "tensorflow"])
    def test_200_sizes_are_9_traces(self, framework: str) -> None:
        with ub.use(framework):
            f = ub.compile(lambda x, w: ub.tanh(x @ w), buckets={"x": POWERS})
            w = ub.asarray(table(4, 4, dtype="float32"))
            for count in range(1, 201):
                assert f(ub.asarray(table(count, 4, dtype="float32")), w).shape == (count, 4)
            info = f.cache_info()
            assert (info.traces, info.hits, info.size) == (9, 191, 9)
            f.cache_clear()
            assert f.cache_info().size == 0
            f(table(3, 4, dtype="float32"), w)
            assert f.cache_info().traces == 10

    def test_a_trace_for_each_bucket_is_nothing_to_warn_of(self) -> None:
        with ub.use("jax"), warnings.catch_warnings():
            warnings.simplefilter("error", ub.errors.RetraceWarning)
            f = ub.compile(lambda x: x + 1, buckets=POWERS)
            for power in range(14):
                f(np.ones(2**power, np.float32))
            assert f.cache_info().traces == 14

    @pytest.mark.parametrize("arrays", [np.asarray, ub.asarray], ids=["numpy", "jax"])
    def test_jax_compiles_nothing_else(self, arrays: Callable[[Any], Any]) -> None:
        with ub.use("jax"):
            f = ub.compile(lambda x: {"y": x * 2, "z": ub.sum(x, axis=1)}, buckets=POWERS)
            for count in (1, 2, 4, 8, 16, 32):
                f(arrays(table(count, 3, dtype="float32")))
            with compilations() as seen:
                for count in range(33):
                    y = f(arrays(table(count, 3, dtype="float32")))
                    same(y["y"], 2 * table(count, 3, dtype="float32"))
            assert seen == []
            with compilations() as seen:
                jax.jit(lambda x: x + 1)(1)
            assert len(seen) == 1  # the count is seen to count

    def test_results_stay_on_their_device(self) -> None:
        with ub.use("jax"):
            f = ub.compile(lambda x: x + 1, buckets=POWERS)
            free = jnp.asarray(table(3, dtype="float32"))
            assert not f(free).committed
            bound = jax.device_put(free, jax.devices()[0])
            assert f(bound).committed
            assert f(bound).devices() == bound.devices()

    def test_weak_arrays_stay_weak(self) -> None:
        with ub.use("jax"):
            f = ub.compile(lambda x, y: x * y, buckets=POWERS)
            weak = jax.lax.broadcast(0.5, (3,))
            assert f(weak, jnp.ones(3, "float16")).dtype == "float16"

    def test_64_bit_jax_arrays_are_refused(self) -> None:
        with ub.use("jax"):
            with ub.use(x64=True):
                x = ub.asarray([2**40, 1, 2])
            with pytest.raises(ub.errors.DtypeError, match="x64 is off"):
                ub.compile(lambda x: x + 1, buckets=POWERS)(x)

    def test_random_keys(self) -> None:
        keys = jax.random.split(jax.random.key(0), 3)

        def f(keys: Any) -> Any:
            return keys, jax.vmap(jax.random.uniform)(keys)

        with ub.use("jax", check_buckets=True):
            got, numbers = ub.compile(f, buckets=POWERS)(keys)
        np.testing.assert_array_equal(jax.random.key_data(got), jax.random.key_data(keys))
        np.testing.assert_array_equal(numbers, f(keys)[1])


class TestInsideOthers:
    """Inside a trace nothing is padded: what is around compiles for its own size."""

    def test_jax(self) -> None:
        sizes: list[int] = []

        @ub.compile(buckets=POWERS)
        def f(x: Any) -> Any:
            sizes.append(x.shape[0])
            return x * x

        with ub.use("jax"):
            x = jnp.asarray(table(3, dtype="float32"))
            same(jax.grad(lambda x: jnp.sum(f(x)))(x), 2 * x)
            same(jax.jit(f)(x), x * x)
            same(jax.vmap(f)(x[None]), (x * x)[None])
            same(ub.compile(f)(x), x * x)
            same(ub.vmap(f)(x[None]), (x * x)[None])
        assert set(sizes) == {3}

    def test_tensorflow(self) -> None:
        sizes: list[int] = []

        @ub.compile(buckets=POWERS)
        def f(x: Any) -> Any:
            sizes.append(x.shape[0])
            return x * x

        with ub.use("tensorflow"):
            x = tf.constant(table(3, dtype="float32"))
            same(tf.function(lambda x: f(x).tensor)(x), x * x)
            same(ub.compile(f)(x), x * x)
            same(ub.vmap(f)(x[None]), (x * x)[None])
            assert set(sizes) == {3}
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(f(x).tensor)
            gradient = tape.gradient(y, x)
            assert isinstance(gradient, tf.Tensor)
            same(gradient, 2 * x)
            assert set(sizes) == {3, 4, 8}

    def test_rows_added_bring_no_nan_into_a_gradient(self) -> None:
        """With rows of zeros the gradient by `v` is 0 * log(0), which is NaN."""
        with ub.use("tensorflow"):
            v = tf.Variable(2.0)
            f = ub.compile(lambda x: ub.log(x) * v, buckets=POWERS)
            x = table(3, dtype="float32")
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(f(x).tensor)
            np.testing.assert_allclose(tape.gradient(y, v), np.log(x).sum(), rtol=1e-6)


class TestMixedRows:
    @pytest.mark.parametrize(
        ("f", "message"),
        [
            (lambda x: ub.sum(x), r"output mixes rows.*\(\) for 4 rows and \(\) for 8"),
            (lambda x: {"a": x, "m": ub.mean(x, axis=0)}, r"output\['m'\] mixes rows"),
            (lambda x: Pair(x, 3), r"output\.b mixes rows"),
            (lambda x: x[:4], r"output mixes rows.*\(4, 2\) for 4 rows and \(4, 2\) for 8"),
            (lambda x: x @ ub.matrix_transpose(x), r"output is no array of one row for each"),
            (lambda x: ub.concat([x, x]), r"output is no array of one row for each"),
            (lambda x: ub.matrix_transpose(x), r"output is no array of one row.*\(2, 8\) for 8"),
            (lambda x: [x] * x.shape[0], r"it returns 4 arrays for 4 rows and 8 for 8"),
        ],
        ids=["sum", "mean", "number", "slice", "square", "concat", "transpose", "list"],
    )
    def test_shapes_that_do_not_follow(
        self, backend: str, f: Callable[..., Any], message: str
    ) -> None:
        g = ub.compile(f, buckets=POWERS)
        for count in (3, 4):  # at the bucket's own size too: it must not depend on the data
            with pytest.raises(ub.errors.ShapeError, match=message):
                g(table(count, 2))

    def test_a_size_that_follows_at_first(self, backend: str) -> None:
        f = ub.compile(lambda x: x[:4], buckets=POWERS)
        same(f(table(2)), table(2))
        with pytest.raises(ub.errors.ShapeError, match="mixes rows"):
            f(table(7))

    def test_an_error_at_the_other_size_says_why(self, backend: str) -> None:
        f = ub.compile(lambda x: x + ub.ones(4), buckets=POWERS)
        with pytest.raises(Exception, match=r"\b8\b") as caught:
            f(table(3))
        assert any("must take any number of rows" in note for note in caught.value.__notes__)

    @pytest.mark.parametrize(
        "f",
        [
            lambda x: x - ub.mean(x, axis=0),
            lambda x: ub.flip(x, axis=0),
            lambda x: {"a": x, "b": x / ub.max(-x, axis=0)},
        ],
        ids=["mean", "flip", "max"],
    )
    def test_the_check_finds_what_shapes_do_not_show(
        self, backend: str, f: Callable[..., Any]
    ) -> None:
        x = table(3, 2)
        g = ub.compile(f, buckets=POWERS)
        g(x)  # not checked, and wrong
        with (
            ub.use(check_buckets=True),
            pytest.raises(ub.errors.ShapeError, match=r"mixes rows: row \d of output.* changes"),
        ):
            g(x)
        with ub.use(check_buckets=True):
            g(table(4, 2))  # no rows are added

    def test_the_check_lets_right_functions_pass(self, backend: str) -> None:
        def f(x: Any) -> Any:
            return x * 2, ub.sum(x, axis=1), x[:, 0] > 1, x[:, :0]

        x = table(3, 2)
        x[1, 0], x[0, 1], x[2, 1] = np.nan, -0.0, np.inf
        with ub.use(check_buckets=True):
            g = ub.compile(f, buckets=POWERS)
            for _ in range(2):
                same(g(x)[0], x * 2)
            g(table(0, 2))
        if backend != "numpy":
            assert g.cache_info().traces == 2  # the same program twice

    def test_the_check_tells_zeros_apart(self, backend: str) -> None:
        f = ub.compile(lambda x: 0 * x * (2 - x[-1]), buckets=POWERS)
        with ub.use(check_buckets=True), pytest.raises(ub.errors.ShapeError, match="row 0"):
            f(table(3))  # -0.0 with the copies of 3, 0.0 with zeros

    def test_the_check_keeps_donated_arguments(self) -> None:
        with ub.use("jax"):
            f = ub.compile(lambda w, x: x + ub.sum(w), buckets={"x": POWERS}, donate_argnums=0)
            for check in (False, True):
                with ub.use(check_buckets=check):
                    w: Any = ub.asarray(np.ones((4, 2), np.float32))  # as an output, padded
                    x = table(3, 2, dtype="float32")
                    same(f(w, x), x + 8)
                    assert w.is_deleted()


class TestErrors:
    @pytest.mark.parametrize(
        ("buckets", "message"),
        [
            ("powers", r"buckets='powers' must be 'powers_of_two', increasing positive"),
            ([], "must be"),
            ([0, 4], "must be"),
            ([4, 4], "must be"),
            ([8, 4], "must be"),
            ([4.0], "must be"),
            ([True], "must be"),
            (8, "must be"),
            ({}, "must name the batched arguments"),
            ({"x": POWERS, "y": [4]}, "with the same buckets for each"),
            ({"x": "powers"}, r"buckets='powers' must be"),
            ({"z": POWERS}, r"'z' is no parameter of .*, which has x, y, n"),
            ({3: POWERS}, "3 is no parameter"),
            ({-1: POWERS}, "-1 is no parameter"),
            ({"n": POWERS}, "'n' of .* is static"),
            ({2: POWERS}, "2 of .* is static"),
        ],
        ids=str,
    )
    def test_what_buckets_may_be(self, buckets: Any, message: str) -> None:
        with pytest.raises(ub.errors.ShapeError, match=message):
            ub.compile(lambda x, y, n: x, static_argnames="n", buckets=buckets)

    def test_calls(self, backend: str) -> None:
        f = ub.compile(lambda x, y: x + y["k"], buckets=POWERS)
        x = table(3)
        for y in (2.0, ub.asarray(2.0), [1.0, 2.0, 3.0]):
            with pytest.raises(
                ub.errors.ShapeError, match=r"y\['k'\].* has no axis 0.*buckets=\{'x': 'powers"
            ):
                f(x, {"k": y})
        with pytest.raises(ub.errors.ShapeError, match=r"x has 3 rows and y\['k'\] has 4"):
            f(x, {"k": table(4)})
        with pytest.raises(ub.errors.ShapeError, match="no batched array"):
            ub.compile(lambda x=None: x, buckets=POWERS)()
        with pytest.raises(ub.errors.ShapeError, match=r"5 rows.*buckets=\[2, 4\] is 4; add a"):
            ub.compile(lambda x: x, buckets=[2, 4])(table(5))
        with pytest.raises(ub.errors.TracingError, match="static_argnames='y'"):
            f(x, {"k": "text"})
