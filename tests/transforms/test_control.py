"""`cond`, `switch`, `while_loop`, `fori_loop`, `scan`, `map`: JAX's rules on every backend."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub
from unibackend.backends.tensorflow import _private

WAYS = ["numpy", "jax", "tensorflow", "tensorflow-xla"]


@pytest.fixture(params=WAYS)
def anywhere(request: pytest.FixtureRequest) -> Any:
    """Every backend with 64 bits, TensorFlow in graph mode and under XLA."""
    name, _, xla = request.param.partition("-")
    with ub.use(name, x64=True, xla=bool(xla)):
        yield name


def check(x: Any, y: Any, dtype: Any = None) -> None:
    """Compare an array with exact values, and its dtype and shape."""
    assert ub.backend_of(x) == ub.settings().backend or isinstance(x, np.ndarray)
    wanted = np.asarray(y, dtype)
    assert x.shape == wanted.shape
    if dtype is not None:
        assert x.dtype == wanted.dtype
    np.testing.assert_array_equal(ub.to_numpy(x), wanted)


def both(f: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return a function as it is and compiled."""
    return [f, ub.compile(f)]


class TestCond:
    @pytest.mark.parametrize(
        ("pred", "truth"),
        [(True, 1), (False, 0), (2, 1), (0.0, 0), (0.5, 1), (math.nan, 1), (1j, 1)],
        ids=repr,
    )
    def test_a_bool_or_a_number_chooses(self, anywhere: str, pred: Any, truth: int) -> None:
        for given in (pred, ub.asarray(pred), np.asarray(pred)):
            for f in both(lambda p: ub.cond(p, lambda: 1.0, lambda: 0.0)):
                check(f(given), float(truth), np.float64)

    def test_trees_go_in_and_out(self, anywhere: str) -> None:
        def f(x: Any) -> Any:
            return ub.cond(
                ub.sum(x) > 1,
                lambda d, _: {"a": d["v"] * 2, "b": (None, d["n"])},
                lambda d, other: {"a": d["v"] - other, "b": (None, 7)},
                {"v": x, "n": 3},
                x,
            )

        for g in both(f):
            big, small = g(ub.asarray([1.0, 2.0])), g(ub.asarray([0.0, 1.0]))
            check(big["a"], [2.0, 4.0], np.float64)
            check(big["b"][1], 3, np.int64)
            check(small["a"], [0.0, 0.0], np.float64)
            check(small["b"][1], 7, np.int64)
            assert big["b"][0] is None

    def test_no_output_and_no_operand(self, anywhere: str) -> None:
        assert ub.cond(True, lambda: None, lambda: None) is None
        assert ub.cond(ub.asarray(False), lambda: (), lambda: ()) == ()

    def test_a_number_takes_the_dtype_of_the_other(self, anywhere: str) -> None:
        x = ub.asarray(2, dtype=ub.float32)
        for pred in (True, False):
            for f in both(lambda p: ub.cond(p, lambda: 1, lambda: x)):
                check(f(pred), 1 if pred else 2, np.float32)
            check(ub.cond(pred, lambda: 1, lambda: 2.5), 1 if pred else 2.5, np.float64)

    def test_a_number_keeps_its_digits(self, anywhere: str) -> None:
        with ub.use(default_float="float32"):
            x = ub.asarray(1.0, dtype=ub.float64)
            f = ub.compile(lambda p, n: ub.cond(p, lambda n: n, lambda n: x, n))
            check(f(True, 0.1), 0.1, np.float64)

    def test_only_the_chosen_function_runs(self, anywhere: str) -> None:
        if anywhere == "numpy":
            # It raises where it is not taken, which is no error.
            x = ub.asarray([1.0, 2.0])
            check(ub.cond(False, lambda: x[9], lambda: x[1]), 2.0)
            with np.errstate(all="raise"):
                check(ub.cond(True, lambda: x[0], lambda: 1 / (x[0] - 1)), 1.0)
            return
        seen: list[str] = []
        x = ub.asarray(1.0)
        ub.cond(x > 0, lambda: _told(seen, "yes", x), lambda: _told(seen, "no", x))
        assert sorted(set(seen)) == ["no", "yes"]  # traced, both

    def test_endless_functions_that_are_not_taken(self, anywhere: str) -> None:
        def endless(x: Any) -> Any:
            return ub.while_loop(lambda c: c > 0, lambda c: c + 1, x)

        check(ub.cond(ub.asarray(False), endless, lambda x: x, ub.asarray(1.0)), 1.0)

    def test_refused_predicates(self, anywhere: str) -> None:
        for pred in (ub.asarray([True]), [True], None, (True,)):
            with pytest.raises(ub.errors.ShapeError, match=r"cond: pred"):
                ub.cond(pred, lambda: 1, lambda: 2)
        with pytest.raises(ub.errors.DtypeError, match="cond: pred='yes'"):
            ub.cond("yes", lambda: 1, lambda: 2)
        with pytest.raises(TypeError, match="cond: false_fun=3 is not callable"):
            ub.cond(True, lambda: 1, 3)  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("other", "error", "match"),
        [
            (lambda x: (x, x, x), ub.errors.ShapeError, r"another structure"),
            (lambda x: {"a": x}, ub.errors.ShapeError, r"another structure"),
            (
                lambda x: (x, x[:1]),
                ub.errors.ShapeError,
                r"output\[1\] as float64.*float64\[1\].*shapes",
            ),
            (
                lambda x: (x, ub.astype(x, ub.float32)),
                ub.errors.DtypeError,
                r"output\[1\] as float32\[2\].*dtypes must be equal: use ub\.astype",
            ),
        ],
        ids=["length", "container", "shape", "dtype"],
    )
    def test_functions_that_do_not_agree(
        self, anywhere: str, other: Any, error: type[Exception], match: str
    ) -> None:
        x = ub.asarray([1.0, 2.0])
        for pred in (True, False):
            for f in both(lambda p, x: ub.cond(p, lambda x: (x, x), other, x)):
                with pytest.raises(error, match=match):
                    f(pred, x)

    def test_what_is_no_array_is_refused(self, anywhere: str) -> None:
        with pytest.raises(ub.errors.DtypeError, match=r"output\['a'\]='text'"):
            ub.cond(True, lambda: {"a": "text"}, lambda: {"a": "text"})
        with pytest.raises(ub.errors.DtypeError, match=r"operands\[0\]='text'"):
            ub.cond(True, lambda x: x, lambda x: x, "text")

    def test_two_backends(self) -> None:
        x, y = ub.asarray(1.0, backend="jax"), ub.asarray(1.0, backend="tensorflow")
        with pytest.raises(ub.errors.MixedBackendsError):
            ub.cond(True, lambda a, b: a, lambda a, b: b, x, y)
        with pytest.raises(ub.errors.MixedBackendsError, match="output, an array of tensorflow"):
            ub.cond(True, lambda a: a, lambda a: y, x)

    def test_host_data_go_along(self, anywhere: str) -> None:
        table = np.arange(3.0)
        check(ub.cond(ub.asarray(True), lambda t: t, lambda t: -table, table), table, np.float64)


def _told(seen: list[str], word: str, x: Any) -> Any:
    seen.append(word)
    return x


class TestSwitch:
    def test_the_index_is_clamped(self, anywhere: str) -> None:
        functions = [lambda x, i=i: x + i for i in range(5)]
        for f in both(lambda i: ub.switch(i, functions, ub.asarray([1.0]))):
            for index in (-3, 0, 1, 2, 3, 4, 5, 1000):
                wanted = [1.0 + min(max(index, 0), 4)]
                check(f(index), wanted, np.float64)
                check(f(ub.asarray(index)), wanted, np.float64)
        check(ub.switch(ub.asarray(200, dtype=ub.uint8), functions, 1.0), 5.0)
        check(ub.switch(ub.asarray(2**64 - 1, dtype=ub.uint64), functions, 1.0), 5.0)
        check(ub.switch(9, functions[:1], 1.0), 1.0)

    def test_more_functions_than_the_index_counts(self, anywhere: str) -> None:
        functions = [lambda i=i: i for i in range(130)]
        check(ub.switch(ub.asarray(127, dtype=ub.int8), functions), 127)

    def test_refused(self, anywhere: str) -> None:
        for index in (1.5, True, ub.asarray(1.0), ub.asarray(True)):
            with pytest.raises(ub.errors.DtypeError, match="index is .*, not an integer"):
                ub.switch(index, [lambda: 1, lambda: 2])
        with pytest.raises(ub.errors.ShapeError, match="branches is empty"):
            ub.switch(0, [])
        with pytest.raises(ub.errors.ShapeError, match=r"index has the shape \(1,\)"):
            ub.switch(ub.asarray([1]), [lambda: 1, lambda: 2])
        with pytest.raises(TypeError, match=r"branches\[1\]=3 is not callable"):
            ub.switch(0, [lambda: 1, 3])  # type: ignore[arg-type]
        with pytest.raises(ub.errors.ShapeError, match="output as float64"):
            ub.switch(0, [lambda: 1.0, lambda: 2.0, lambda: ub.ones(3)])

    def test_under_vmap(self, anywhere: str) -> None:
        functions = [lambda x: x, lambda x: 10 * x, lambda x: x - 1]
        f = ub.vmap(lambda i, x: ub.switch(i, functions, x))
        got = f(ub.asarray([0, 1, 2, 7]), ub.asarray([1.0, 2.0, 3.0, 4.0]))
        check(got, [1.0, 20.0, 2.0, 3.0], np.float64)


class TestWhile:
    def test_values(self, anywhere: str) -> None:
        for f in both(
            lambda x: ub.while_loop(
                lambda c: c["i"] < 5, lambda c: {"i": c["i"] + 1, "x": 2 * c["x"]}, {"i": 0, "x": x}
            )
        ):
            got = f(ub.asarray([1.0, 3.0]))
            check(got["i"], 5, np.int64)
            check(got["x"], [32.0, 96.0], np.float64)

    def test_no_step(self, anywhere: str) -> None:
        check(ub.while_loop(lambda c: c > 0, lambda c: c - 1, -3), -3, np.int64)
        assert ub.while_loop(lambda c: False, lambda c: c, ()) == ()

    def test_what_is_captured(self, anywhere: str) -> None:
        limit = ub.asarray(40.0)
        for f in both(lambda x: ub.while_loop(lambda c: c < limit, lambda c: c * x, x)):
            check(f(ub.asarray(2.0)), 64.0, np.float64)

    @pytest.mark.parametrize(
        ("init", "dtype"),
        [(0, np.int8), (0, np.float32), (0.0, np.float32), (0, np.complex64)],
        ids=["int-int8", "int-float32", "float", "complex"],
    )
    def test_a_number_takes_the_dtype_that_the_body_returns(
        self, anywhere: str, init: Any, dtype: Any
    ) -> None:
        one = ub.asarray(1, dtype=dtype)
        for f in both(
            lambda one: ub.while_loop(
                lambda c: c[1] < 3, lambda c: (c[0] + one, c[1] + 1), (init, 0)
            )
        ):
            check(f(one)[0], 3, dtype)

    def test_a_number_is_returned(self, anywhere: str) -> None:
        x = ub.asarray(0, dtype=ub.float32)
        check(ub.while_loop(lambda c: c < 3, lambda c: 5, x), 5.0, np.float32)

    @pytest.mark.parametrize(
        ("body", "error", "match"),
        [
            (lambda c: (c[0],), ub.errors.ShapeError, "another structure than init_val has"),
            (
                lambda c: (c[0], ub.stack([c[1], c[1]])),
                ub.errors.ShapeError,
                r"returned int64\[2\] for init_val\[1\], which came in as int64\[\]",
            ),
            (
                lambda c: (c[0] + 0.5, c[1]),
                ub.errors.DtypeError,
                r"returned float\d*\[\] for init_val\[0\], which came in as int64\[\].*ub\.astype",
            ),
        ],
        ids=["structure", "shape", "dtype"],
    )
    @pytest.mark.parametrize("steps", [0, 2])
    def test_bodies_that_change_the_kind(
        self, anywhere: str, body: Any, error: type[Exception], match: str, steps: int
    ) -> None:
        init = (ub.asarray(0), ub.asarray(0))
        for f in both(lambda init: ub.while_loop(lambda c: c[0] < steps, body, init)):
            with pytest.raises(error, match=match):
                f(init)

    def test_refused_conditions(self, anywhere: str) -> None:
        with pytest.raises(ub.errors.DtypeError, match=r"returned int64\[\], not a bool"):
            ub.while_loop(lambda c: c, lambda c: c, ub.asarray(1))
        with pytest.raises(ub.errors.ShapeError, match=r"bool\[2\], not one bool.*ub\.any"):
            ub.while_loop(lambda c: c > 0, lambda c: c, ub.asarray([1, 2]))
        with pytest.raises(ub.errors.ShapeError, match="returned a tree"):
            ub.while_loop(lambda c: (c > 0, True), lambda c: c, ub.asarray(1))

    def test_mapped_trip_counts(self) -> None:
        for name in ("numpy", "jax", "tensorflow"):
            with ub.use(name, x64=True):
                f = ub.vmap(lambda n: ub.while_loop(lambda c: c[0] < n, _double, (0, 1.0))[1])
                check(f(ub.asarray([0, 3, 1])), [1.0, 8.0, 2.0], np.float64)

    def test_mapped_trip_counts_under_xla(self) -> None:
        with (
            ub.use("tensorflow", xla=True),
            pytest.raises(ub.errors.UnsupportedError, match=r"XLA lacks.*xla=False"),
        ):
            ub.vmap(lambda n: ub.while_loop(lambda c: c[0] < n, _double, (0, 1.0)))(
                ub.asarray([0, 3, 1])
            )


def _double(c: Any) -> Any:
    return c[0] + 1, c[1] * 2


class TestFori:
    def test_values(self, anywhere: str) -> None:
        x = ub.asarray([1.0, 10.0, 100.0])

        def body(i: Any, c: Any) -> Any:
            return c + i * x[i]

        for lower, upper in ((0, 3), (1, 3), (2, 2), (3, 1)):
            wanted = sum((i * [1.0, 10.0, 100.0][i] for i in range(lower, upper)), 0.0)
            for first in (lower, ub.asarray(lower), np.int64(lower)):
                check(ub.fori_loop(first, upper, body, 0.0), wanted, np.float64)
                compiled = ub.compile(functools.partial(ub.fori_loop, first, upper, body))
                check(compiled(0.0), wanted, np.float64)
        f = ub.compile(lambda n: ub.fori_loop(0, n, lambda i, c: c + i, 0))
        check(f(5), 10, np.int64)

    def test_the_integer(self, anywhere: str) -> None:
        kinds: list[Any] = []

        def body(i: Any, c: Any) -> Any:
            kinds.append((i.dtype, tuple(i.shape)))
            return c + ub.astype(i, c.dtype)

        start = ub.asarray(0, dtype=ub.float32)
        check(ub.fori_loop(0, 3, body, start), 3.0, np.float32)
        assert set(kinds) == {(ub.int64, ())}
        kinds.clear()
        check(ub.fori_loop(ub.asarray(1, dtype=ub.int8), 3, body, start), 3.0, np.float32)
        assert set(kinds) == {(ub.int8, ())}

    def test_refused(self, anywhere: str) -> None:
        for bounds in ((0.5, 3), (0, ub.asarray(2.0)), (True, 3)):
            with pytest.raises(ub.errors.DtypeError, match=r"(lower|upper) is .*, not an integer"):
                ub.fori_loop(bounds[0], bounds[1], lambda i, c: c, 0)
        with pytest.raises(ub.errors.ShapeError, match=r"upper has the shape \(1,\)"):
            ub.fori_loop(0, ub.asarray([3]), lambda i, c: c, 0)
        with pytest.raises(ub.errors.DtypeError, match=r"float\d*\[\] for init_val\['a'\]"):
            ub.fori_loop(0, 0, lambda i, c: {"a": c["a"] + 0.5}, {"a": ub.asarray(1)})
        with ub.use(x64=False), pytest.raises(ub.errors.RangeError, match="fori_loop"):
            ub.fori_loop(0, 2**31, lambda i, c: c, 0)


class TestScan:
    def test_values(self, anywhere: str) -> None:
        x = np.arange(1.0, 5.0)
        for reverse in (False, True):
            for f in both(lambda x, r=reverse: ub.scan(_step, 0.0, x, reverse=r)):
                carry, (ys, none) = f(ub.asarray(x))
                order = x[::-1] if reverse else x
                before = np.concatenate([[0.0], np.cumsum(order)[:-1]])
                check(carry, 10.0, np.float64)
                check(ys, before[::-1] if reverse else before, np.float64)
                assert none is None

    def test_trees(self, anywhere: str) -> None:
        xs = {"a": np.arange(6.0).reshape(3, 2), "b": (np.arange(3, dtype=np.int8), None)}
        carry, ys = ub.scan(
            lambda c, x: ((c[0] + x["a"], c[1] + 1), [x["b"][0], c[0], True]),
            (ub.zeros(2), 0),
            xs,
        )
        check(carry[0], [6.0, 9.0], np.float64)
        check(carry[1], 3, np.int64)
        check(ys[0], [0, 1, 2], np.int8)
        check(ys[1], [[0.0, 0.0], [0.0, 1.0], [2.0, 4.0]], np.float64)
        check(ys[2], [True] * 3, np.bool_)

    def test_a_length_and_no_arrays(self, anywhere: str) -> None:
        carry, ys = ub.scan(lambda c, x: (c * 2, (x, c)), 1, None, length=4)
        check(carry, 16, np.int64)
        check(ys[1], [1, 2, 4, 8], np.int64)
        assert ys[0] is None
        assert ub.scan(lambda c, _: (c, None), (), length=2) == ((), None)

    def test_no_step(self, anywhere: str) -> None:
        for f in both(
            lambda x: ub.scan(lambda c, v: (c + ub.sum(v), ub.stack([c, c + 1])), 0.5, x)
        ):
            carry, ys = f(ub.zeros((0, 3)))
            check(carry, 0.5, np.float64)
            check(ys, np.zeros((0, 2)), np.float64)

    def test_refused(self, anywhere: str) -> None:
        def f(c: Any, x: Any) -> Any:
            return c, x

        three, four = ub.ones(3), ub.ones(4)
        with pytest.raises(ub.errors.ShapeError, match="no arrays to go along; give length"):
            ub.scan(f, 0)
        with pytest.raises(ub.errors.ShapeError, match=r"length is 4, and xs has 3"):
            ub.scan(f, 0, three, length=4)
        with pytest.raises(ub.errors.ShapeError, match=r"xs\[0\] is 3, and xs\[1\] has 4"):
            ub.scan(f, 0, (three, four))
        with pytest.raises(ub.errors.ShapeError, match=r"xs\['a'\] is a scalar"):
            ub.scan(f, 0, {"a": 3.0})
        with pytest.raises(ub.errors.ShapeError, match="length=-1 is negative"):
            ub.scan(f, 0, length=-1)
        with pytest.raises(TypeError):
            ub.scan(f, 0, length=2.5)  # type: ignore[arg-type]
        for wrong in (lambda c, x: c, lambda c, x: (c, x, x)):
            with pytest.raises(TypeError, match="it returns a pair"):
                ub.scan(wrong, 0, three)
        with pytest.raises(ub.errors.DtypeError, match=r"float64\[\] for init\[0\].*int64\[\]"):
            ub.scan(lambda c, x: ((c[0] + x,), None), (ub.asarray(0),), three)
        with pytest.raises(ub.errors.ShapeError, match=r"float64\[3\] for init.*float64\[\]"):
            ub.scan(lambda c, x: (c + three, None), 0.0, three)
        with pytest.raises(ub.errors.ShapeError, match="structure than init has"):
            ub.scan(lambda c, x: ((c, c), None), 0.0, three)

    def test_an_unknown_size_is_named(self) -> None:
        with ub.use("tensorflow"):

            @tf.function(input_signature=[tf.TensorSpec([None])], autograph=False)  # type: ignore[untyped-decorator]
            def f(x: Any) -> Any:
                return ub.scan(lambda c, v: (c + v, None), 0.0, x)[0].tensor

            with pytest.raises(ub.errors.TracingError, match=r"tf\.ensure_shape"):
                f(tf.ones(3))

    def test_unknown_sizes_of_other_axes(self) -> None:
        with ub.use("tensorflow"):

            @tf.function(input_signature=[tf.TensorSpec([2, None])], autograph=False)  # type: ignore[untyped-decorator]
            def f(x: Any) -> Any:
                total, rows = ub.scan(lambda c, v: (c + v, 2 * v), ub.asarray(x)[0], x)
                return total.tensor, rows.tensor

            total, rows = f(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
            assert total.numpy().tolist() == [5.0, 8.0]
            assert rows.numpy().tolist() == [[2.0, 4.0], [6.0, 8.0]]


def _step(c: Any, x: Any) -> Any:
    return c + x, (c, None)


class TestMap:
    @pytest.mark.parametrize("batch_size", [None, 1, 2, 3, 5, 9])
    def test_values(self, anywhere: str, batch_size: int | None) -> None:
        x = np.arange(10.0).reshape(5, 2)
        for f in both(
            lambda x: ub.map(lambda v: (ub.sum(v), {"v": v * 2}), x, batch_size=batch_size)
        ):
            total, tree = f(ub.asarray(x))
            check(total, x.sum(1), np.float64)
            check(tree["v"], x * 2, np.float64)

    def test_none_at_all(self, anywhere: str) -> None:
        for batch_size in (None, 2):
            check(ub.map(lambda v: v + 1, ub.zeros((0, 3)), batch_size=batch_size), np.ones((0, 3)))

    def test_refused(self, anywhere: str) -> None:
        for batch_size in (0, -1, 2.0, True):
            with pytest.raises(ub.errors.ShapeError, match=r"batch_size=.* positive integer"):
                ub.map(lambda v: v, ub.ones(3), batch_size=batch_size)  # type: ignore[arg-type]
        with pytest.raises(ub.errors.ShapeError, match="map: xs has no arrays"):
            ub.map(lambda v: v, ())
        with pytest.raises(ub.errors.ShapeError, match="map: xs is a scalar"):
            ub.map(lambda v: v, 3.0)


class TestNested:
    def test_each_in_another(self, anywhere: str) -> None:
        def f(x: Any) -> Any:
            def outer(c: Any, v: Any) -> Any:
                c = ub.fori_loop(0, 3, lambda i, d: _halved(d, v), c)
                return c, ub.map(lambda w: w + c, x)

            return ub.scan(outer, 0.0, x)

        x = np.array([3.0, -1.0, 8.0])
        carry, rows = 0.0, []
        for v in x:
            for _ in range(3):
                carry = (carry + v) / 2 if carry + v > 1 else carry + v
            rows.append(x + carry)
        for g in both(f):
            got, ys = g(ub.asarray(x))
            check(got, carry, np.float64)
            check(ys, rows, np.float64)

    def test_under_vmap(self, anywhere: str) -> None:
        x = np.array([[1.0, 2.0, 3.0], [-1.0, 4.0, 0.5]])
        f = ub.vmap(lambda row: ub.scan(lambda c, v: (c * v + row[0], c), row[1], row))
        carry, ys = f(ub.asarray(x))
        for i, row in enumerate(x):
            c, kept = row[1], []
            for v in row:
                kept.append(c)
                c = c * v + row[0]
            assert float(carry[i]) == c
            np.testing.assert_array_equal(ub.to_numpy(ys)[i], kept)
        g = ub.vmap(lambda n: ub.cond(n > 1, lambda v: v * 10, lambda v: v - 1, n))
        check(g(ub.asarray([0.0, 2.0, 1.0])), [-1.0, 20.0, 0.0])


def _halved(d: Any, v: Any) -> Any:
    return ub.cond(d + v > 1, lambda: (d + v) / 2, lambda: d + v)


class Traces:
    """Counts how often a body runs; it is told apart by identity where it is captured."""

    def __init__(self) -> None:
        self.count = 0

    def told(self, x: Any) -> Any:
        self.count += 1
        return x


class TestCached:
    @pytest.mark.parametrize("name", ["jax", "tensorflow"])
    def test_a_function_made_anew_is_traced_once(self, name: str) -> None:
        traces = Traces()
        with ub.use(name):
            x = ub.asarray([1.0, 2.0])

            def calls() -> None:
                ub.cond(True, lambda v: traces.told(v), lambda v: v, x)
                ub.while_loop(lambda c: c[0] > 9, lambda c: traces.told(c), x[0:1] * 0 + x)
                ub.fori_loop(0, 2, lambda i, c: traces.told(c), x)
                ub.scan(lambda c, v: (traces.told(c), v), x[0], x)
                ub.map(lambda v: traces.told(v), x)
                ub.map(lambda v: traces.told(v), x, batch_size=2)

            calls()
            count = traces.count
            for _ in range(3):
                calls()
            assert traces.count == count > 0

    def test_a_captured_value_that_changed_counts(self, anywhere: str) -> None:
        x = ub.asarray([1.0, 2.0])

        def with_factor(factor: float) -> None:
            check(ub.map(lambda v: v * factor, x), np.array([1.0, 2.0]) * factor)
            check(ub.scan(lambda c, v: (c + v * factor, None), 0.0, x)[0], 3 * factor)
            weights = ub.asarray([factor])
            check(ub.cond(True, lambda: weights, lambda: weights), [factor])

        with_factor(2.0)
        with_factor(3.0)

    def test_batched_and_not_are_told_apart(self, anywhere: str) -> None:
        def f(v: Any) -> Any:
            return ub.ones(v.ndim)

        x = ub.ones((2, 1, 1))
        check(ub.map(f, x), np.ones((2, 2)))
        check(ub.map(f, x, batch_size=1), np.ones((2, 2)))
        check(ub.map(f, x[:, 0]), np.ones((2, 1)))

    @pytest.mark.parametrize("name", ["jax", "tensorflow"])
    def test_uncompiled_it_is_pythons_loop(self, name: str) -> None:
        with ub.use(name, compile=False):
            x, seen = ub.asarray([1.0, 2.0]), []

            def body(c: Any, v: Any) -> Any:
                seen.append(float(v))  # a value is there
                return c + v, c

            carry, ys = ub.scan(body, 0.0, x)
            check(carry, 3.0, np.float32)
            check(ys, [0.0, 1.0], np.float32)
            assert seen[-2:] == [1.0, 2.0]
            seen.clear()
            ub.while_loop(lambda c: c < 3, lambda c: body(1.0, c)[0], x[0])
            assert seen == [1.0, 2.0]
            check(ub.cond(x[0] > 0, lambda: float(x[0]), lambda: float(x[1])), 1.0, np.float32)


# Of `differences` at h = 2**-12: the truncation is h**4 / 480 of the fifth derivative, 2e-12 for
# the steepest (of_nested, 3e5); values of up to 10 with ten roundings are 100 * 2**-53 of noise,
# divided by h and amplified by 5/3, 8e-11.
ATOL = 1e-10


def differences(f: Callable[[Any], Any], x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the gradient by central differences on NumPy, extrapolated from two steps."""

    def slope(i: tuple[int, ...], step: float) -> float:
        d = np.zeros_like(x)
        d[i] = step
        return (float(f(x + d)) - float(f(x - d))) / (2 * step)

    gradient = np.zeros_like(x)
    with ub.use("numpy", x64=True):
        for i in np.ndindex(x.shape):
            gradient[i] = (4 * slope(i, 2.0**-13) - slope(i, 2.0**-12)) / 3
    return gradient


WEIGHTS = np.array([[0.3, 0.5], [-0.2, 0.4]])


def of_cond(x: Any) -> Any:
    return ub.sum(ub.cond(ub.sum(x) > 0, lambda v: v**2 * x, lambda v: ub.sin(v), x))


def of_switch(x: Any) -> Any:
    functions = [lambda v: v**2, lambda v: v**3, lambda v: ub.sin(v) * x, lambda v: v]
    return ub.sum(ub.switch(ub.astype(ub.sum(x) + 0.7, ub.int32), functions, x))


def of_fori(x: Any) -> Any:
    return ub.sum(ub.fori_loop(0, 4, lambda i, c: ub.tanh(c @ ub.asarray(WEIGHTS)) + x * i, x))


def of_scan(x: Any) -> Any:
    carry, ys = ub.scan(
        lambda c, v: ((c[0] + 1, ub.sin(c[1] * v) + x[0]), (c[1] * v, c[0], None)), (0, x[0]), x
    )
    return carry[1] + ub.sum(ys[0] ** 2)


def of_reverse(x: Any) -> Any:
    carry, ys = ub.scan(lambda c, v: (ub.sin(c * v), c * v), x[0], x, reverse=True)
    return carry + ub.sum(ys**2 * ub.asarray([1.0, 3.0]))


def of_map(x: Any) -> Any:
    return ub.sum(ub.map(lambda v: ub.sin(v) * ub.sum(x), x))


def of_nested(x: Any) -> Any:
    def body(c: Any, v: Any) -> Any:
        c = ub.fori_loop(0, 2, lambda i, d: c * ub.sin(d * v) + x[1], c)
        return c, ub.scan(lambda a, b: (a * b, a), c, x)[0]

    carry, ys = ub.scan(body, x[0], x)
    return carry + ub.sum(ys)


def of_cond_in_scan(x: Any) -> Any:
    def body(c: Any, v: Any) -> Any:
        return ub.cond(c > 0.55, lambda e: e * v, lambda e: e + x[1], c), None

    return ub.scan(body, x[0], x)[0]


FUNCTIONS = [of_cond, of_switch, of_fori, of_scan, of_reverse, of_map, of_nested, of_cond_in_scan]
POINTS = np.array([[0.7, 1.3], [-0.4, 0.9], [0.1, -0.8]])


@pytest.fixture(params=WAYS[1:])
def differentiable(request: pytest.FixtureRequest) -> Any:
    """The ways that have derivatives."""
    name, _, xla = request.param.partition("-")
    with ub.use(name, x64=True, xla=bool(xla)):
        yield request.param


class TestGradients:
    @pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
    def test_equal_differences(self, differentiable: str, f: Any) -> None:
        point = POINTS[0]
        x, wanted = ub.asarray(point), differences(f, point)
        for gradient in (ub.grad(f), ub.compile(ub.grad(f)), ub.grad(ub.compile(f))):
            np.testing.assert_allclose(ub.to_numpy(gradient(x)), wanted, rtol=0, atol=ATOL)

    @pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
    def test_with_vmap(self, differentiable: str, f: Any) -> None:
        x = ub.asarray(POINTS)
        wanted = np.stack([differences(f, point) for point in POINTS])
        for gradient in (ub.vmap(ub.grad(f)), ub.grad(lambda x: ub.sum(ub.vmap(f)(x)))):
            if f is of_cond_in_scan and differentiable == "tensorflow-xla":
                with pytest.raises(ub.errors.UnsupportedError, match="XLA lacks"):
                    gradient(x)
                continue
            np.testing.assert_allclose(ub.to_numpy(gradient(x)), wanted, rtol=0, atol=ATOL)

    @pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
    def test_of_second_order(self, differentiable: str, f: Any) -> None:
        """JAX's is the reference here: differences of differences have no digits left."""
        with ub.use("jax", x64=True):
            wanted = ub.to_numpy(ub.jacobian(ub.grad(f))(ub.asarray(POINTS[0])))
        twice = ub.jacobian(ub.grad(f))
        if f in (of_nested, of_cond_in_scan) and differentiable != "jax":
            with pytest.raises(ub.errors.UnsupportedError, match="second derivative"):
                twice(ub.asarray(POINTS[0]))
            return
        got = ub.to_numpy(twice(ub.asarray(POINTS[0])))
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)

    @pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
    def test_uncompiled(self, differentiable: str, f: Any) -> None:
        with ub.use(compile=False):
            got = ub.grad(f)(ub.asarray(POINTS[0]))
        np.testing.assert_allclose(ub.to_numpy(got), differences(f, POINTS[0]), rtol=0, atol=ATOL)

    def test_of_numbers_in_init(self, differentiable: str) -> None:
        got = ub.grad(lambda s: ub.fori_loop(0, 3, lambda i, c: c * s, s))(2.0)
        np.testing.assert_allclose(ub.to_numpy(got), 4 * 2.0**3)

    def test_of_complex_numbers(self, differentiable: str) -> None:
        def f(z: Any) -> Any:
            carry, ys = ub.scan(lambda c, v: (c * v + z[0], c * c), z[0], z)
            out = ub.cond(ub.real(carry) > 0, lambda c: c * z[1], lambda c: c, carry)
            return ub.abs(out) ** 2 + ub.sum(ub.real(ys))

        z = np.array([0.5 + 0.25j, -0.75 + 1j])
        with ub.use("jax", x64=True):
            wanted = ub.to_numpy(ub.grad(f)(ub.asarray(z)))
        np.testing.assert_allclose(ub.to_numpy(ub.grad(f)(ub.asarray(z))), wanted, rtol=1e-12)

    @pytest.mark.parametrize("compiled", [False, True])
    def test_there_is_none_of_a_while_loop(self, differentiable: str, compiled: bool) -> None:
        def by_while(x: Any) -> Any:
            return ub.while_loop(lambda c: c < 3, lambda c: c * 2, x)

        def captured(x: Any) -> Any:
            return ub.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * x), (0, 1.0))[1]

        def by_bounds(x: Any) -> Any:
            return ub.fori_loop(0, ub.asarray(3), lambda i, c: c * 2, x)

        for f in (by_while, captured, by_bounds):
            g = ub.grad(f)
            with pytest.raises(ub.errors.UnsupportedError, match=r"ub\.scan.*ub\.fori_loop"):
                (ub.compile(g) if compiled else g)(ub.asarray(1.0))

    def test_what_does_not_go_through_the_loop(self, differentiable: str) -> None:
        def f(x: Any) -> Any:
            steps, _ = ub.while_loop(lambda c: c[1] < 9, lambda c: (c[0] + 1, c[1] * 2), (0, x))
            limit = ub.stop_gradient(ub.while_loop(lambda c: c < 3, lambda c: c * 2, x))
            return x * steps + limit

        for g in (ub.grad(f), ub.compile(ub.grad(f))):
            check(g(ub.asarray(1.0)), 4.0, np.float64)
        check(ub.vmap(ub.grad(lambda x: x * _count(x)))(ub.asarray([1.0, 1.5])), [4.0, 4.0])


def _count(x: Any) -> Any:
    return ub.fori_loop(
        ub.asarray(0), ub.asarray(4), lambda i, c: c + 1, 0 * ub.astype(x, ub.int32)
    )


class TestTensorFlow:
    """What only TensorFlow has: variables, state, its own tapes."""

    @pytest.fixture(autouse=True)
    def _tensorflow(self) -> Any:
        with ub.use("tensorflow", x64=True):
            yield

    @pytest.mark.parametrize("compiled", [False, True])
    def test_variables_have_gradients(self, compiled: bool) -> None:
        v = tf.Variable(2.0, dtype=tf.float64)

        def f(x: Any) -> Any:
            carry, ys = ub.scan(lambda c, y: (c * v, c + v), x[0], x)
            return carry + ub.sum(ys) + ub.cond(carry > 0, lambda: v * v, lambda: v * 1)

        x = ub.asarray([1.0, 5.0])
        with tf.GradientTape() as tape:
            y = (ub.compile(f) if compiled else f)(x)
        # 4 + (1 + v) + (v + v) + v², by v: 2v + 1 + 2 + 2v
        assert float(tape.gradient(y, v)) == 11.0

    def test_variables_in_loops_in_branches(self) -> None:
        v = tf.Variable(2.0, dtype=tf.float64)

        def power(w: Any) -> Any:
            def f(x: Any) -> Any:
                return ub.fori_loop(0, 3, lambda i, c: c * ub.asarray(w), x)

            return lambda x: ub.cond(x > 0, f, lambda x: x, x)

        x = ub.asarray(5.0)
        with tf.GradientTape() as tape:
            y = power(v)(x)
        assert float(tape.gradient(y.tensor, v)) == 5.0 * 3 * 2.0**2
        with ub.use(xla=True):
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x.tensor)
                with pytest.raises(ub.errors.UnsupportedError, match="Variable; read it before"):
                    power(v)(x)
                y = power(ub.asarray(v))(x)
            assert float(tape.gradient(y.tensor, v)) == 5.0 * 3 * 2.0**2
            with tf.GradientTape() as tape:
                y = power(v)(x)
            with pytest.raises(ub.errors.UnsupportedError, match="XLA lacks"):
                tape.gradient(y.tensor, v)

    def test_random_numbers_are_drawn_once(self) -> None:
        generator = tf.random.Generator.from_seed(1)

        def f(x: Any) -> Any:
            def body(c: Any, v: Any) -> Any:
                noise = generator.normal([], dtype=tf.float64)
                return c + v * noise, noise

            carry, noise = ub.scan(body, 0.0, x)
            return carry, noise

        x = tf.constant([1.0, 2.0, 3.0], tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, noise = ub.compile(f)(x)
        np.testing.assert_array_equal(tape.gradient(y, x), ub.to_numpy(noise))

    def test_tapes_see_what_is_captured(self) -> None:
        w = tf.constant(3.0, tf.float64)
        x = ub.asarray([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = ub.scan(lambda c, v: (c * w + v, None), 1.0, x)[0]
        assert float(tape.gradient(y, w)) == 2 * 3.0 + 1.0

    def test_without_the_private_pause(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from contextlib import nullcontext

        monkeypatch.setattr(_private, "unrecorded", nullcontext)
        for f in (of_cond, of_scan, of_nested):
            got = ub.to_numpy(ub.compile(ub.grad(f))(ub.asarray(POINTS[0])))
            np.testing.assert_allclose(got, differences(f, POINTS[0]), rtol=0, atol=ATOL)

    def test_inside_the_users_function(self) -> None:
        @tf.function  # type: ignore[untyped-decorator]
        def f(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = of_scan(ub.asarray(x))
            return tape.gradient(y, x)

        got = f(tf.constant(POINTS[0]))
        np.testing.assert_allclose(got, differences(of_scan, POINTS[0]), rtol=0, atol=ATOL)
