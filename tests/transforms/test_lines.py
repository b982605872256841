"""Errors inside compiled code name the user's line, and the decorator line to write."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import tensorflow as tf

import unibackend as ub

FRAMEWORKS = ("jax", "tensorflow")


@pytest.fixture(params=FRAMEWORKS)
def tracing(request: pytest.FixtureRequest) -> Any:
    """The backends that trace."""
    with ub.use(request.param, x64=True):
        yield request.param


def message(call: Callable[[], Any]) -> str:
    with pytest.raises(ub.errors.TracingError) as caught:
        call()
    return str(caught.value)


def line_of(function: Any, text: str) -> str:
    """Return how the end of a message names the line of a function that holds a text."""
    lines, start = inspect.getsourcelines(function)
    number, source = next((start + i, line) for i, line in enumerate(lines) if text in line)
    return f'\n  File "{__file__}", line {number}, in {function.__name__}\n    {source.strip()}'


def size(x: Any, n: Any) -> Any:
    return ub.zeros(n) + x


def branch(x: Any, n: Any) -> Any:
    if n > 3:  # a derived value
        return x
    return x + 1


def values(x: Any) -> Any:
    return x * float(x)


def values_and_number(x: Any, n: Any) -> Any:
    return ub.zeros(int(x[0]) + n)


def indirect(x: Any, n: Any) -> Any:
    return size(x, n)


def of_tree(x: Any, config: Any) -> Any:
    return ub.reshape(x, (config["rows"], 2 * config["half"]))


def of_rest(x: Any, *sizes: Any) -> Any:
    return x + ub.zeros(sizes[1])


class TestTheLine:
    @pytest.mark.parametrize(
        ("function", "args", "text"),
        [
            pytest.param(size, (1.0, 3), "ub.zeros", id="size"),
            pytest.param(branch, (1.0, 3), "if n", id="branch"),
            pytest.param(values, (3.0,), "float(x)", id="values"),
        ],
    )
    def test_a_message_ends_with_it(
        self, tracing: str, function: Any, args: tuple[Any, ...], text: str
    ) -> None:
        expected = line_of(function, text)
        assert message(lambda: ub.compile(function)(*args)).endswith(expected)
        batch = tuple(ub.asarray([arg, arg]) for arg in args)
        assert message(lambda: ub.vmap(function)(*batch)).endswith(expected)
        assert message(lambda: ub.compile(ub.vmap(function))(*batch)).endswith(expected)

    def test_it_is_the_innermost_of_the_users(self, tracing: str) -> None:
        text = message(lambda: ub.compile(indirect)(1.0, 3))
        assert text.endswith(line_of(size, "ub.zeros"))

    def test_on_the_short_way_too(self, tracing: str) -> None:
        def f(x: Any) -> Any:
            return x + 1 if x.ndim < 2 else x * float(x[0, 0])

        g = ub.compile(f)
        x = ub.ones(2)
        g(x), g(x)
        text = message(lambda: g(ub.ones((2, 2))))
        assert text.endswith(line_of(f, "float"))


class TestTheDecorator:
    @pytest.mark.parametrize(
        ("function", "args", "option"),
        [
            pytest.param(size, (1.0, 3), 'static_argnames="n"', id="size"),
            pytest.param(branch, (1.0, 3), 'static_argnames="n"', id="derived"),
            pytest.param(indirect, (1.0, 3), 'static_argnames="n"', id="indirect"),
            pytest.param(
                of_tree, (1.0, {"rows": 1, "half": 2}), 'static_argnames="config"', id="tree"
            ),
            pytest.param(of_rest, (1.0, 2, 3), "static_argnums=2", id="rest"),
        ],
    )
    def test_it_names_the_argument(
        self, tracing: str, function: Any, args: tuple[Any, ...], option: str
    ) -> None:
        text = message(lambda: ub.compile(function)(*args))
        assert f"@ub.compile({option})" in text

    def test_by_keyword(self, tracing: str) -> None:
        text = message(lambda: ub.compile(size)(ub.ones(3), n=3))
        assert '@ub.compile(static_argnames="n")' in text

    def test_static_ones_stay(self, tracing: str) -> None:
        def f(x: Any, mode: str, n: Any) -> Any:
            return x + ub.zeros(n)

        text = message(lambda: ub.compile(f, static_argnames="mode")(1.0, "a", 3))
        assert '@ub.compile(static_argnames=("mode", "n"))' in text

    @pytest.mark.parametrize(
        ("function", "args"),
        [
            pytest.param(values, ([3.0],), id="array"),
            pytest.param(values_and_number, ([3.0], 1), id="array and number"),
        ],
    )
    def test_arrays_cannot_be_static(
        self, tracing: str, function: Any, args: tuple[Any, ...]
    ) -> None:
        x = ub.asarray(args[0])
        x = x[0] if function is values else x
        text = message(lambda: ub.compile(function)(x, *args[1:]))
        assert "@ub.compile(static_argnames=...)" in text

    def test_nested_the_one_whose_argument_it_is(self, tracing: str) -> None:
        inner = ub.compile(size)

        def outer(y: Any, m: Any) -> Any:
            return inner(y, m)

        text = message(lambda: ub.compile(outer)(1.0, 3))
        assert '@ub.compile(static_argnames="n")' in text

    def test_nested_a_value_of_the_outer_function(self, tracing: str) -> None:
        def outer(y: Any, m: Any) -> Any:
            return ub.compile(lambda z: z + ub.zeros(m))(y)

        text = message(lambda: ub.compile(outer)(1.0, 3))
        assert '@ub.compile(static_argnames="m")' in text

    def test_the_lines_that_are_told_to_be_written_work(self, tracing: str) -> None:
        assert ub.compile(size, static_argnames="n")(1.0, 3).shape == (3,)
        assert ub.compile(of_rest, static_argnums=2)(1.0, 2, 3).shape == (3,)


class TestRunTime:
    """TensorFlow's own errors of a compiled program, whose text names ops of a graph."""

    @staticmethod
    def inverse(x: Any) -> Any:
        doubled = x * 2
        return tf.linalg.inv(doubled.tensor)

    @pytest.mark.parametrize("mapped", [False, True], ids=["plain", "mapped"])
    def test_a_note_names_the_line(self, mapped: bool) -> None:
        with ub.use("tensorflow"):
            f = ub.compile(ub.vmap(self.inverse) if mapped else self.inverse)
            x = ub.zeros((2, 2, 2) if mapped else (2, 2))
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                f(x)
        (note,) = caught.value.__notes__
        assert note.endswith(line_of(self.inverse, "inv("))
