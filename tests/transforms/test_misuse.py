"""What transformations say to programs that cannot work: the same class and remedy everywhere."""

from __future__ import annotations

import functools
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import unibackend as ub


@pytest.fixture(params=["jax", "tensorflow"])
def tracing(request: pytest.FixtureRequest) -> Any:
    """The backends that trace, with 64 bits."""
    with ub.use(request.param, x64=True):
        yield request.param


async def coroutine(x: Any) -> Any:
    return x


async def asynchronous_generator(x: Any) -> Any:
    yield x


def generator(x: Any) -> Any:
    yield x


class Suspended:
    async def __call__(self, x: Any) -> Any:
        return x


class Scaled:
    """A callable object."""

    def __call__(self, x: Any, n: int = 1) -> Any:
        return x * ub.ones(n)


class TestFunctions:
    @pytest.mark.parametrize(
        ("function", "cure"),
        [
            (coroutine, "plain function"),
            (asynchronous_generator, "plain function"),
            (functools.partial(coroutine), "plain function"),
            (Suspended(), "plain function"),
            (generator, "ub.scan"),
        ],
        ids=["coroutine", "async generator", "partial", "object", "generator"],
    )
    def test_one_that_returns_before_it_ran_is_refused_at_once(
        self, function: Any, cure: str
    ) -> None:
        with pytest.raises(TypeError, match=f"computed nothing when it returns; .*{cure}"):
            ub.compile(function)

    @pytest.mark.parametrize(
        ("function", "name"),
        [(functools.partial(Scaled(), n=2), "Scaled"), (Scaled(), "Scaled")],
        ids=["partial", "object"],
    )
    def test_the_name_of_one_without_a_name_holds_no_address(
        self, function: Any, name: str
    ) -> None:
        assert repr(ub.compile(function)) == f"<ub.compile of {name}>"

    @pytest.mark.parametrize(
        "function", [functools.partial(Scaled()), Scaled()], ids=["partial", "object"]
    )
    def test_advice_reaches_one_without_a_name(self, tracing: str, function: Any) -> None:
        with pytest.raises(ub.errors.TracingError, match='static_argnames="n"'):
            ub.compile(function)(1.0, n=2)

    @pytest.mark.parametrize(
        "function",
        [lambda n: ub.arange(n), lambda n: ub.repeat(ub.ones(2), n), lambda n: ub.zeros(n)],
        ids=["arange", "repeat", "zeros"],
    )
    def test_the_line_to_write_is_said_for_each_operation(
        self, tracing: str, function: Any
    ) -> None:
        with pytest.raises(ub.errors.TracingError, match='@ub.compile.static_argnames="n"'):
            ub.compile(function)(3)

    @pytest.mark.parametrize(
        "function", [lambda n: [0.0] * n, lambda n: n * [0.0]], ids=["list first", "number first"]
    )
    def test_a_list_is_not_repeated_by_a_traced_number(self, tracing: str, function: Any) -> None:
        with pytest.raises(TypeError):  # and not multiplied by it
            ub.compile(function)(3)

    def test_one_of_bare_globals_is_mapped(self, backend: str) -> None:
        scope: dict[str, Any] = {"ub": ub}
        exec("f = ub.vmap(lambda x: x + 1)", scope)  # its module is None
        assert scope["f"](ub.asarray([1.0, 2.0])).tolist() == [2, 3]


class TestOptions:
    def test_a_donated_position_that_does_not_exist(self) -> None:
        with pytest.raises(ValueError, match="donate_argnums=1 is no positional parameter"):
            ub.compile(lambda x: x, donate_argnums=1)

    def test_a_position_both_static_and_donated(self) -> None:
        with pytest.raises(ValueError, match="share a position"):
            ub.compile(lambda x, y: x, static_argnums=-1, donate_argnums=(0, 1))

    def test_a_donated_position_of_a_method_counted_from_the_end(self) -> None:
        class Model:
            @ub.compile(donate_argnums=-1)
            def step(self, x: Any) -> Any:
                return x + 1

        with ub.use("jax"):
            x: Any = ub.ones(3)
            Model().step(x)
            assert x.is_deleted()

    def test_a_static_array(self, backend: str) -> None:
        f = ub.compile(lambda x: x, static_argnames="x")
        with pytest.raises(ub.errors.TracingError, match="leave x out of the static arguments"):
            f(x=ub.ones(3))

    def test_an_unknown_keyword_names_the_function(self, backend: str) -> None:
        @ub.compile
        def f(x: Any) -> Any:
            return x

        with pytest.raises(TypeError, match=r"f\(\) got an unexpected keyword argument 'z'"):
            f(ub.ones(3), z=1)  # type: ignore[call-arg]


class TestOutputs:
    @pytest.mark.parametrize("eagerly", [False, True], ids=["compiled", "step by step"])
    def test_what_is_no_array_is_refused_on_every_backend(
        self, backend: str, eagerly: bool
    ) -> None:
        def f(x: Any) -> Any:
            return x, "text"

        with (
            ub.use(compile=not eagerly),
            pytest.raises(ub.errors.DtypeError, match=r"f: it returned 'text', a str"),
        ):
            ub.compile(f)(ub.ones(3))


class TestValues:
    def test_numpy_functions_are_pointed_at_those_of_ub(self) -> None:
        with ub.use("jax"), pytest.raises(ub.errors.TracingError, match="ub.sin in place of np"):
            ub.compile(lambda x: np.sin(x))(ub.ones(3))

    def test_a_traced_value_is_not_formatted(self, tracing: str) -> None:
        with pytest.raises(ub.errors.TracingError, match="concrete value"):
            ub.compile(lambda x: f"{x:.2f}")(ub.asarray(1.0))

    @pytest.mark.parametrize("call", ["__float__", "__complex__", "item", "tolist"])
    def test_a_number_made_of_what_is_differentiated_is_refused(self, call: str) -> None:
        with ub.use("tensorflow"), pytest.raises(ub.errors.TracingError, match="stop_gradient"):
            ub.grad(lambda x: x * getattr(x, call)())(3.0)

    def test_float_loses_no_gradient(self, tracing: str) -> None:
        with pytest.raises(ub.errors.TracingError):
            ub.grad(lambda x: x * float(x))(3.0)
        assert float(ub.grad(lambda x: x * float(ub.stop_gradient(x)))(3.0)) == 3
        assert float(ub.grad(lambda x: x * int(x))(3.0)) == 3  # the derivative of a step is 0
        assert float(ub.grad(lambda x: -x if x > 0 else x)(3.0)) == -1

    def test_a_donated_array_for_two_arguments_or_numpy(self) -> None:
        with ub.use("jax"):
            f = ub.compile(lambda p, x: p + x, donate_argnums=0)
            p = ub.ones(4)
            f(p, ub.ones(4))
            for use in (lambda: f(p, p), lambda: ub.to_numpy(p)):
                with pytest.raises(ub.errors.DonatedError, match="whose memory is gone"):
                    use()


class TestWarnings:
    def test_the_line_is_the_users_call(self, tracing: str) -> None:
        f = ub.compile(lambda x: x * 2)

        def program() -> int:
            for n in range(1, 14):
                f(np.zeros(n, "float32"))
            return sys._getframe().f_lineno - 1

        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            line = program()
        assert [(w.category, w.lineno) for w in seen] == [(ub.errors.RetraceWarning, line)]

    def test_a_loop_of_many_lengths_is_told_of_its_shapes(self, tracing: str) -> None:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            for n in range(1, 14):
                ub.scan(lambda carry, x: (carry + x, None), 0.0, ub.ones(n))
        text = str(seen[0].message)
        assert "the shape of" in text
        assert "Remedy: pad it to a few sizes by hand. " in text

    def test_a_real_factor_of_complex_numbers_logs_nothing(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        with ub.use("tensorflow"):
            z = ub.asarray(np.asarray([1 + 2j, 3], "complex64"))
            gradient = ub.grad(lambda x: ub.sum(ub.abs(x * z) ** 2))(ub.asarray([1.0, 2.0]))
        assert gradient.dtype == np.float32
        np.testing.assert_allclose(ub.to_numpy(gradient), [10, 36], rtol=1e-6)
        assert not caplog.messages
