"""`vmap`: `jax.vmap`'s rules on every backend, compiled and cached."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

import unibackend as ub

WAYS = ["numpy", "jax", "tensorflow", "tensorflow-xla"]


@pytest.fixture(params=WAYS)
def anywhere(request: pytest.FixtureRequest) -> Any:
    """Every backend with 64 bits, TensorFlow in graph mode and under XLA."""
    name, _, xla = request.param.partition("-")
    with ub.use(name, x64=True, xla=bool(xla)):
        yield name


class Pair(NamedTuple):
    a: Any
    b: Any


def check(x: Any, y: Any) -> None:
    np.testing.assert_array_equal(ub.to_numpy(x), y)


class TestAxes:
    def test_trees_and_prefixes(self, anywhere: str) -> None:
        d = {"a": ub.asarray(np.ones((3, 2))), "b": ub.asarray(np.arange(2.0))}
        for in_axes in (({"a": 0, "b": None},), [{"a": -2, "b": None}]):
            check(ub.vmap(lambda q: q["a"] * q["b"], in_axes=in_axes)(d), [[0.0, 1.0]] * 3)
        pair = Pair(d["a"], d["a"])
        check(ub.vmap(lambda p: p.a + p.b)(pair), np.full((3, 2), 2.0))

    def test_out_axes(self, anywhere: str) -> None:
        x = ub.asarray(np.arange(3.0))
        check(ub.vmap(lambda v: ub.stack([v, 2 * v]), out_axes=-1)(x), [[0.0, 1, 2], [0, 2, 4]])
        a, b = ub.vmap(lambda v: (v, ub.stack([v, v])), out_axes=(0, 1))(x)
        assert (a.shape, b.shape) == ((3,), (2, 3))

    def test_out_axes_none(self, anywhere: str) -> None:
        x, y = ub.asarray(np.arange(3.0)), ub.asarray(5.0)
        a, b = ub.vmap(lambda v, w: (v + w, w * 2), in_axes=(0, None), out_axes=(0, None))(x, y)
        check(a, [5.0, 6, 7])
        check(b, 10.0)
        with pytest.raises(ub.errors.ShapeError, match="out_axes"):
            ub.vmap(lambda v: v * 2, out_axes=None)(x)

    def test_nested(self, anywhere: str) -> None:
        f = ub.vmap(ub.vmap(lambda a, b: a - b, in_axes=(None, 0)), in_axes=(0, None))
        got = f(ub.asarray([10.0, 20.0, 30.0]), ub.asarray([1.0, 2.0]))
        check(got, [[9, 8], [19, 18], [29, 28]])

    def test_keywords_are_mapped_on_axis_0(self, anywhere: str) -> None:
        f = ub.vmap(lambda x, s: x * s, in_axes=(0,))
        got = f(ub.asarray(np.arange(3.0)), s=ub.asarray([1.0, 10.0, 100.0]))
        check(got, [0, 10, 200])

    def test_axis_size(self, anywhere: str) -> None:
        check(ub.vmap(lambda: ub.ones(2), axis_size=3)(), np.ones((3, 2)))
        check(ub.vmap(lambda x: x, in_axes=None, axis_size=2)(ub.asarray([1.0])), [[1.0], [1.0]])

    def test_empty_batches(self, anywhere: str) -> None:
        got = ub.vmap(lambda x: ub.stack([x, x]), out_axes=1)(ub.zeros((0, 3)))
        assert got.shape == (2, 0, 3)


class TestRefused:
    def test_sizes_that_differ(self, anywhere: str) -> None:
        f = ub.vmap(lambda a, b: a + b)
        for g in (f, ub.compile(f)):
            with pytest.raises(ub.errors.ShapeError, match=r"mapped sizes differ: .* 3.* 1"):
                g(ub.ones(3), ub.ones(1))

    def test_a_scalar(self, anywhere: str) -> None:
        with pytest.raises(ValueError, match=r"a scalar, which has no axis 0.*in_axes=\(0, None\)"):
            ub.vmap(lambda a, b: a + b)(ub.ones(3), 2.0)

    def test_nothing_mapped(self, anywhere: str) -> None:
        with pytest.raises(ValueError, match="nothing is mapped.*axis_size"):
            ub.vmap(lambda x: x, in_axes=None)(ub.ones(3))

    def test_in_axes_of_another_length_or_form(self, anywhere: str) -> None:
        with pytest.raises(ValueError, match="1 entries.* 2 positional"):
            ub.vmap(lambda a, b: a, in_axes=(0,))(ub.ones(1), ub.ones(1))
        with pytest.raises(ValueError, match="no prefix"):
            ub.vmap(lambda a: a["x"], in_axes=({"y": 0},))({"x": ub.ones(2)})
        for option in ("in_axes", "out_axes"):
            with pytest.raises(TypeError, match=f"{option}=.*'0' is not an integer or None"):
                ub.vmap(lambda a: a, **{option: ("0",)})
        with pytest.raises(ub.errors.ShapeError, match="out_axes=9"):
            ub.vmap(lambda a: a, out_axes=9)(ub.ones(2))
        with pytest.raises(ub.errors.TracingError, match=r"='text'.*functools.partial"):
            ub.vmap(lambda a, how: a, in_axes=(0, None))(ub.ones(2), "text")

    def test_values_are_not_there(self, anywhere: str) -> None:
        if anywhere == "numpy":
            return  # the reference runs example by example
        for f in (lambda n: ub.arange(n), lambda x: x if x > 0 else -x, lambda x: float(x)):
            with pytest.raises(ub.errors.TracingError):
                ub.vmap(f)(ub.asarray([2, 2]))


class TestOutputs:
    def test_constants_numbers_and_captured_arrays(self, anywhere: str) -> None:
        captured = ub.asarray([7.0])
        out = ub.vmap(lambda x: {"one": 1, "ones": ub.ones(2), "captured": captured, "n": None})(
            ub.asarray(np.arange(3.0))
        )
        check(out["one"], [1, 1, 1])
        check(out["ones"], np.ones((3, 2)))
        check(out["captured"], np.full((3, 1), 7.0))
        assert out["n"] is None
        assert out["one"].dtype == ub.int64

    def test_dtypes(self, anywhere: str) -> None:
        x = ub.asarray(np.arange(3.0))
        assert ub.vmap(lambda v: v > 1)(x).dtype == ub.bool
        assert ub.vmap(lambda v: ub.astype(v, "int8"))(x).dtype == ub.int8

    def test_matmul(self, anywhere: str) -> None:
        check(ub.vmap(ub.matmul)(ub.ones((4, 3)), ub.ones((4, 3))), [3.0, 3, 3, 3])


class TestCache:
    def test_unmapped_python_values_are_compiled_in(self, anywhere: str) -> None:
        x = ub.asarray(np.arange(6.0).reshape(2, 3))
        f = ub.vmap(lambda a, n: a[:n] if n > 0 else a, in_axes=(0, None))
        check(f(x, 2), [[0, 1], [3, 4]])
        check(f(x, 1), [[0], [3]])

    def test_a_lambda_made_anew_is_traced_once(self) -> None:
        for name in ("jax", "tensorflow"):
            with ub.use(name):
                runs = itertools.count()
                for _ in range(5):
                    ub.vmap(lambda x: (next(runs), x + 1)[1])(ub.ones(3))  # noqa: B023
                assert next(runs) == 1, name

    def test_a_changed_closure_or_global_traces_anew(self) -> None:
        global scale
        for name in ("jax", "tensorflow"):
            with ub.use(name):
                got = []
                for s in (2.0, 3.0):
                    got.append(float(ub.vmap(lambda x: x * s)(ub.ones(3))[0]))  # noqa: B023
                for scale in (5.0, 7.0):  # noqa: B007 - the global that `_scaled` reads
                    got.append(float(ub.vmap(_scaled)(ub.ones(3))[0]))
                assert got == [2.0, 3.0, 5.0, 7.0], name

    def test_a_bound_method_knows_its_object(self) -> None:
        class Layer:
            def __init__(self, w: float) -> None:
                self.w = w

            def apply(self, x: Any) -> Any:
                return x * self.w

            @ub.vmap
            def mapped(self, x: Any) -> Any:
                return x * self.w

        for name in ("numpy", "jax", "tensorflow"):
            with ub.use(name):
                for w in (2.0, 3.0):
                    layer = Layer(w)
                    check(ub.vmap(layer.apply)(ub.ones(2)), [w, w])
                    check(layer.mapped(ub.ones(2)), [w, w])

    def test_changed_attributes_arrays_and_lists_trace_anew(self) -> None:
        class Layer:
            w = 1.0

            def apply(self, x: Any) -> Any:
                return x * self.w

        for name in ("numpy", "jax", "tensorflow"):
            with ub.use(name):
                x, layer = ub.ones(2), Layer()
                table, numbers = np.float32([1, 1]), [1.0]
                f = ub.vmap(lambda v: ub.sum(v * table) + numbers[0])  # noqa: B023
                batch = ub.ones((2, 2))
                for k in (2.0, 3.0):
                    layer.w = table[0] = numbers[0] = k
                    check(ub.vmap(layer.apply)(x), [k, k])
                    check(f(batch), [2 * k + 1] * 2)

    def test_inside_a_trace_nothing_is_cached(self) -> None:
        """A value of the trace may hide in what is captured."""

        class Layer:
            def scale(self, y: Any) -> Any:
                return y * self.w

            def __call__(self, w: Any, batch: Any) -> Any:
                self.w = w
                return ub.vmap(self.scale)(batch)

        for name in ("jax", "tensorflow"):
            with ub.use(name):
                layer, batch = Layer(), ub.ones(2)
                check(layer(2.0, batch), [2, 2])
                check(ub.compile(lambda w: layer(w, batch))(7.0), [7, 7])  # noqa: B023
                check(layer(3.0, batch), [3, 3])

    def test_settings_are_in_the_key(self) -> None:
        for name in ("jax", "tensorflow"):
            with ub.use(name, x64=True):
                f = ub.vmap(lambda x: x * ub.ones(1))
                a = np.ones((2, 1), np.float32)
                assert f(a).dtype == ub.float64
                with ub.use(x64=False):
                    assert f(a).dtype == ub.float32


scale = 1.0


def _scaled(x: Any) -> Any:
    return x * scale


class TestChunks:
    @pytest.mark.parametrize("chunk", [1, 3, 4, 10, 11])
    def test_equal_to_whole(self, anywhere: str, chunk: int) -> None:
        x = ub.asarray(np.arange(20.0).reshape(10, 2))
        f = lambda v, w: (ub.sum(v) + w, ub.stack([v, v]))  # noqa: E731
        a = ub.vmap(f, in_axes=(0, None), out_axes=(0, -1))(x, 1.0)
        b = ub.vmap(f, in_axes=(0, None), out_axes=(0, -1), chunk_size=chunk)(x, 1.0)
        check(a[0], ub.to_numpy(b[0]))
        check(a[1], ub.to_numpy(b[1]))

    def test_out_axes_none_is_checked_across_chunks(self, anywhere: str) -> None:
        with pytest.raises(ub.errors.ShapeError, match="out_axes"):
            ub.vmap(lambda x: x * 1, out_axes=None, chunk_size=1)(ub.asarray([1.0, 2.0]))

    def test_refused(self) -> None:
        with pytest.raises(ub.errors.ShapeError, match="chunk_size=0 must be a positive"):
            ub.vmap(lambda x: x, chunk_size=0)
        with pytest.raises(NotImplementedError, match="auto"):
            ub.vmap(lambda x: x, chunk_size="auto")  # type: ignore[arg-type]


class TestTensorFlow:
    def test_an_op_without_a_rule_is_named(self) -> None:
        with ub.use("tensorflow"):
            x = ub.asarray(np.float32([[3, 3], [1, 1], [2, 2]]))
            f = lambda a: tf.unique(a.tensor)[0]  # noqa: E731
            with pytest.raises(ub.errors.UnsupportedError, match=r'Unique.*"loop"'):
                ub.vmap(f)(x)
            with pytest.warns(ub.errors.FallbackWarning, match="Unique.*by example"):
                check(ub.vmap(f, fallback="loop")(x), [[3.0], [1.0], [2.0]])

    def test_an_operand_that_may_not_be_mapped_is_named(self) -> None:
        with ub.use("tensorflow"):
            f = lambda x, i: tf.strided_slice(x.tensor, [i.tensor], [3])  # noqa: E731
            x, i = ub.ones(3), ub.asarray([1, 1])
            with pytest.raises(ub.errors.UnsupportedError, match="StridedSlice"):
                ub.vmap(f, in_axes=(None, 0))(x, i)
            with pytest.warns(ub.errors.FallbackWarning, match="StridedSlice"):
                check(ub.vmap(f, in_axes=(None, 0), fallback="loop")(x, i), np.ones((2, 2)))

    def test_what_is_not_mapped_may_be_of_any_dtype(self) -> None:
        """pfor repeats it by an op that has no kernel for uint16."""
        for dtype in ub.dtypes.NAMES:
            with ub.use("tensorflow", x64=True):
                c = ub.asarray([1, 0], dtype=dtype)
                got = ub.vmap(lambda x, c: c, in_axes=(0, None))(ub.ones(3), c)
                assert (got.dtype, got.shape) == (c.dtype, (3, 2))

    def test_loops_in_maps_in_maps(self) -> None:
        """pfor takes the trip count of a loop that it mapped before for mapped."""
        with ub.use("tensorflow", x64=True, xla=False):
            step = lambda c, y: (c * y, c)  # noqa: E731
            f = ub.vmap(
                lambda xs: ub.vmap(lambda first: ub.scan(step, first, xs))(ub.asarray([1.0, 10.0]))
            )
            last, before = f(ub.asarray([[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]))
        check(last, [[6.0, 60.0], [20.0, 200.0], [42.0, 420.0]])
        check(before[..., 1], [[2.0, 20.0], [4.0, 40.0], [6.0, 60.0]])

    def test_what_pfor_cannot_do_is_unsupported(self) -> None:
        v = tf.Variable(2.0, dtype=tf.float64)
        identity = ub.custom_vjp(lambda x: x)
        identity.defvjp(lambda x: (x, None), lambda kept, ct: (10.0 * ct,))
        with ub.use("tensorflow", x64=True, xla=False):
            x = ub.ones(2)
            step = lambda i, c: identity(c) * ub.asarray(v)  # noqa: E731
            f = ub.vmap(lambda x: ub.fori_loop(0, 2, step, x))
            with tf.GradientTape() as tape:
                tape.watch(x.tensor)
                y = f(x)
            with pytest.raises(ub.errors.UnsupportedError, match=r"cannot map.*compile=False"):
                tape.gradient(y.tensor, x.tensor)
            with tf.GradientTape() as tape, ub.use(compile=False):
                tape.watch(x.tensor)
                y = f(x)
            check(y, [4.0, 4.0])
            check(tape.gradient(y.tensor, x.tensor), [400.0, 400.0])

    def test_errors_of_the_function_are_its_own(self) -> None:
        class OwnError(ValueError):
            pass

        def f(x: Any) -> Any:
            raise OwnError

        with ub.use("tensorflow"), pytest.raises(OwnError):
            ub.vmap(f)(ub.ones(2))

    def test_unknown_sizes_are_refused(self) -> None:
        with ub.use("tensorflow"):
            f = ub.vmap(lambda a, b: ub.sum(a) * 2 + b)

            @tf.function(input_signature=[tf.TensorSpec([None, 3])], autograph=False)
            def call(x: Any) -> Any:
                return ub.native(f(ub.asarray(x), ub.ones(4)))

            with pytest.raises(ub.errors.TracingError, match="unknown size along axis 0"):
                call(tf.ones((1, 3)))

    def test_a_tape_outside(self) -> None:
        with ub.use("tensorflow"):
            w = tf.Variable(2.0)
            x = ub.asarray([1.0, 3.0])
            f = ub.vmap(lambda v: v * v * ub.asarray(w))
            f(x)
            with tf.GradientTape() as tape:
                tape.watch(x.tensor)
                y = tf.reduce_sum(f(x).tensor)
            dx, dw = tape.gradient(y, [x.tensor, w])
            check(dx, [4.0, 12.0])
            assert float(dw) == 10.0


def test_inside_jax_jit_and_grad() -> None:
    with ub.use("jax"):
        x = jnp.arange(3.0)
        f = ub.vmap(lambda v: v * v)
        check(jax.jit(f)(x), [0, 1, 4])
        check(jax.grad(lambda v: ub.sum(f(v)))(x), [0, 2, 4])


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_equal_to_a_loop(way: str, data: st.DataObject) -> None:
    """Random ranks and axes of two arguments, of which at least one is mapped."""
    name, _, xla = way.partition("-")
    size = data.draw(st.integers(1, 4), "size")
    inner = data.draw(st.lists(st.integers(1, 3), max_size=3), "inner")
    axes = data.draw(
        st.tuples(*[st.none() | st.integers(-len(inner) - 1, len(inner))] * 2).filter(any_mapped),
        "in_axes",
    )
    out_axis = data.draw(st.integers(-len(inner) - 1, len(inner)), "out_axes")
    rng = np.random.default_rng(0)
    arrays = [
        rng.standard_normal(inner if axis is None else _inserted(inner, axis, size))
        for axis in axes
    ]

    def f(a: Any, b: Any) -> Any:
        return a * 2 + b

    rows = [
        f(
            *[
                a if axis is None else np.take(a, i, axis)
                for a, axis in zip(arrays, axes, strict=True)
            ]
        )
        for i in range(size)
    ]
    with ub.use(name, x64=True, xla=bool(xla)):
        got = ub.vmap(f, in_axes=axes, out_axes=out_axis)(*map(ub.asarray, arrays))
        check(got, np.stack(rows, axis=out_axis))


def any_mapped(axes: tuple[int | None, ...]) -> bool:
    return any(axis is not None for axis in axes)


def _inserted(inner: list[int], axis: int, size: int) -> list[int]:
    position = axis if axis >= 0 else len(inner) + 1 + axis
    return [*inner[:position], size, *inner[position:]]


def test_a_function_without_a_module_may_be_captured(backend: str) -> None:
    scope: dict[str, Any] = {}
    exec("def double(x): return x * 2", {"__builtins__": {}}, scope)  # its `__module__` is None
    double = scope["double"]
    got = ub.vmap(lambda x: double(x))(ub.asarray([1.0, 2.0]))
    check(got, [2.0, 4.0])


def test_a_module_of_a_like_name_is_the_users() -> None:
    from types import FunctionType

    from unibackend.transforms.captured import frozen

    n = 1
    function = FunctionType((lambda: n).__code__, {}, closure=(lambda: n).__closure__)
    function.__module__ = "unibackend_models"
    kept = frozen(function)
    n = 2
    assert (function(), kept()) == (2, 1)
