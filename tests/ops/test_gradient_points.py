"""Derivatives where an operation has none, or several: JAX's convention, the same on TensorFlow.

The numbers are those of JAX 0.10.2, each said in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend.errors import ShapeError

from .gradients import WAYS

NAN = float("nan")
INF = float("inf")

# Name: the function, its operands, and the gradient of the sum of its outputs by each.
Point = tuple[Callable[..., Any], list[Any], list[Any]]


def pick(x: Any, values: Any) -> Any:
    """Write values over an array, two of them at the same place."""
    return ub.at(x)[[0, 1, 0]].set(values)


def weighted(x: Any) -> Any:
    return ub.asarray(x) * ub.asarray([1.0, 10.0, 100.0])


POINTS: dict[str, Point] = {
    # ties share the cotangent; NaN gets nothing
    "maximum": (ub.maximum, [[1.0, 1.0, NAN], [1.0, 2.0, 1.0]], [[0.5, 0, 0], [0.5, 1, 0]]),
    "minimum": (ub.minimum, [[1.0, 1.0, NAN], [1.0, 2.0, 1.0]], [[0.5, 1, 0], [0.5, 0, 0]]),
    "maximum of 0 and -0": (ub.maximum, [0.0, -0.0], [0.5, 0.5]),
    "maximum of infinities": (ub.maximum, [INF, INF], [0.5, 0.5]),
    "relu at 0": (lambda x: ub.maximum(x, 0.0), [[-1.0, 0.0, 2.0]], [[0, 0.5, 1]]),
    "clip": (lambda x: ub.clip(x, 0.0, 1.0), [[-1.0, 0.0, 0.5, 1.0, 2.0]], [[0, 0.5, 1, 0.5, 0]]),
    "clip, ends crossed": (lambda x: ub.clip(x, 1.0, 0.0), [[0.0, 0.5, 1.0]], [[0, 0, 0]]),
    "max": (ub.max, [[2.0, 2.0, 1.0]], [[0.5, 0.5, 0]]),
    "min": (ub.min, [[1.0, 2.0, 1.0, 1.0]], [[1 / 3, 0, 1 / 3, 1 / 3]]),
    # the order of equal ones is that of argsort; descending is that order backwards
    "sort": (lambda x: weighted(ub.sort(x)), [[2.0, 1.0, 2.0]], [[10, 1, 100]]),
    "sort, descending": (
        lambda x: weighted(ub.sort(x, descending=True)),
        [[2.0, 1.0, 2.0]],
        [[10, 100, 1]],
    ),
    "sort with NaN": (lambda x: weighted(ub.sort(x)), [[NAN, 1.0, 2.0]], [[100, 1, 10]]),
    # 1 at 0, from the right; NaN goes with the negative numbers
    "abs": (ub.abs, [[-1.0, -0.0, 0.0, 1.0, NAN]], [[-1, 1, 1, 1, -1]]),
    "abs of complex": (ub.abs, [[0j, 3 + 4j]], [[0, 0.6 - 0.8j]]),
    "steps": (
        lambda x: ub.floor(x) + ub.ceil(x) + ub.round(x) + ub.trunc(x) + ub.sign(x) + x // 2.0,
        [[-1.5, 0.0, 0.5, 1.0, 2.0]],
        [[0, 0, 0, 0, 0]],
    ),
    # infinite at 0, and 0 times that is NaN: `where` does not hide it
    "sqrt": (ub.sqrt, [[0.0, 4.0, INF, -1.0]], [[INF, 0.25, 0, NAN]]),
    "std of equal elements": (ub.std, [[2.0, 2.0]], [[NAN, NAN]]),
    "var of equal elements": (ub.var, [[2.0, 2.0]], [[0, 0]]),
    "var of too few": (lambda x: ub.var(x, correction=1), [[2.0]], [[0]]),
    "log": (ub.log, [[0.0, 1.0, -2.0]], [[INF, 1, -0.5]]),
    "log1p and expm1": (
        lambda x: ub.log1p(x) + ub.expm1(x),
        [[0.0, 1e-300, -1.0]],
        [[2, 2, INF]],
    ),
    "divide": (ub.divide, [[1.0, 0.0], [0.0, 0.0]], [[INF, INF], [-INF, NAN]]),
    "atan2": (ub.atan2, [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [[NAN, 1, 0], [NAN, 0, -1]]),
    "hypot at 0": (ub.hypot, [[0.0, 0.0, -2.0], [0.0, 1.0, 0.0]], [[0.5, 0, -1], [0.5, 1, 0]]),
    # the sign of the second, and the slope of abs, which is 1 at 0
    "copysign": (
        ub.copysign,
        [[0.0, -0.0, -2.0, 3.0], [1.0, -1.0, -0.0, -1.0]],
        [[1, -1, 1, -1], [0, 0, 0, 0]],
    ),
    # the shares of each, where JAX's own has e, NaN or 2 at infinities
    "logaddexp": (
        ub.logaddexp,
        [[1.0, INF, -INF, INF, -INF], [1.0, 1.0, 1.0, INF, -INF]],
        [[0.5, 1, 0, 0.5, 0.5], [0.5, 0, 1, 0.5, 0.5]],
    ),
    "reciprocal": (ub.reciprocal, [[0.0, 2.0, INF]], [[-INF, -0.25, 0]]),
    "inverse functions at branch points": (
        lambda x: ub.asin(x) - ub.acos(x) + ub.atanh(x),
        [[-1.0, 0.0, 1.0]],
        [[INF, 3, INF]],
    ),
    "acosh": (ub.acosh, [[1.0, INF]], [[INF, 0]]),
    "sinh and cosh": (lambda x: ub.sinh(x) + ub.cosh(x), [[-0.0, 0.0, INF]], [[1, 1, INF]]),
    # x ** 0 is 1 whatever x is, but x ** 0.0 is 0 * x ** -1
    "pow of an integer": (lambda x: x**0, [[0.0, 2.0, NAN]], [[0, 0, 0]]),
    "pow function of an integer": (lambda x: ub.pow(x, 0), [[0.0, 2.0, NAN]], [[0, 0, 0]]),
    "pow of 0.0": (lambda x: x**0.0, [[0.0, 2.0]], [[NAN, 0]]),
    "pow at 0": (lambda x: x**1 + x**2 + x**3.0, [[0.0, -1.0]], [[1, 2]]),
    "pow of a half": (lambda x: x**0.5, [[0.0, 4.0]], [[INF, 0.25]]),
    # by the exponent: log(base) is NaN below 0; 0 for a base of 0
    "pow of numbers below 0": (lambda y: (-2.0) ** y, [[2.0, 3.0]], [[NAN, NAN]]),
    "pow of 0": (ub.pow, [[0.0, 0.0], [2.0, 0.0]], [[0, NAN], [0, 0]]),
    "pow of 0, complex": (ub.pow, [[0j], [1 + 0j]], [[1], [0]]),
    "remainder": (
        ub.remainder,
        [[5.0, -5.0, -1.0], [3.0, 3.0, INF]],
        [[1, 1, 1], [-1, 2, 1]],
    ),
    # a product of others, without dividing
    "prod with a 0": (ub.prod, [[5.0, 0.0, 4.0]], [[0, 20, 0]]),
    "prod with two": (ub.prod, [[5.0, 0.0, 0.0]], [[0, 0, 0]]),
    "cumulative_prod with a 0": (ub.cumulative_prod, [[5.0, 0.0, 4.0]], [[1, 25, 0]]),
    "cumulative_prod with two": (ub.cumulative_prod, [[0.0, 0.0, 4.0]], [[1, 0, 0]]),
    # elements that are named twice
    "take": (lambda x: weighted(ub.take(x, [0, 2, 0])), [[1.0, 2.0, 3.0]], [[101, 0, 10]]),
    "at set": (pick, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0, 0, 1], [0, 1, 1]]),
    "at max": (
        lambda x, v: ub.at(x)[[0, 1, 0]].max(v),
        [[1.0, 1.0, 1.0], [1.0, 2.0, 1.0]],
        [[1 / 3, 0, 1], [1 / 3, 1, 1 / 3]],
    ),
    "at min": (
        lambda x, v: ub.at(x)[[0, 1, 0]].min(v),
        [[1.0, NAN, NAN], [1.0, 2.0, 0.0]],
        [[0, 0, 1], [0, 0, 1]],
    ),
    "at multiply": (
        lambda x, v: ub.at(x)[[0, 1, 0]].multiply(v),
        [[2.0, 2.0, 2.0], [0.0, 3.0, 5.0]],
        [[0, 3, 1], [10, 2, 0]],
    ),
    # the branch that is not taken gets 0, but what made it may make NaN of that
    "where": (lambda x: ub.where(x > 0, ub.sqrt(x), 0.0), [[0.0, 4.0, -1.0]], [[NAN, 0.25, NAN]]),
    "where, guarded": (
        lambda x: ub.where(x > 0, ub.sqrt(ub.where(x > 0, x, 1.0)), 0.0),
        [[0.0, 4.0, -1.0]],
        [[0, 0.25, 0]],
    ),
    "where of NaN": (lambda x, y: ub.where([True, False], x, y), [[1.0, NAN], NAN], [[1, 0], 1]),
    # JAX's convention of complex numbers; a real argument has a real gradient
    "size of a complex": (lambda z: ub.real(z) ** 2 + ub.imag(z) ** 2, [3 + 4j], [6 - 8j]),
    "real to complex": (lambda x, z: ub.real(x * z), [2.0, 3 + 4j], [3, 2]),
    "not used": (lambda a, b: a * 2, [1.0, 1.0], [2, 0]),
    "comparisons": (lambda x: ub.astype(x > 0, float) * x, [[1.0, -1.0]], [[1, 0]]),
    "through integers": (
        lambda x: ub.astype(ub.astype(x, "int32"), x.dtype) * x + ub.argmax(x),
        [[2.5, 1.5]],
        [[2, 1]],
    ),
    "integers alone": (lambda x: ub.astype(ub.astype(x, "int32"), float), [2.5], [0]),
    "list of numbers": (lambda x: ub.stack([x[0], 3.0, x[1] * 2]), [[1.0, 2.0]], [[1, 2]]),
}


@pytest.fixture(params=["jax", "tensorflow"])
def owner(request: pytest.FixtureRequest) -> Iterator[str]:
    with ub.use(request.param, x64=True):
        yield request.param


@pytest.fixture(params=WAYS, ids="-".join)
def compiled(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Run the test in each way, and return what compiles a function in it."""
    owner, way = request.param
    with ub.use(owner, x64=True, xla=way == "xla"):
        yield (lambda function: function) if way == "eager" else ub.compile


def summed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *operands: ub.sum(ub.real(function(*operands)))


@pytest.mark.parametrize("name", POINTS)
def test_points_are_jaxs(compiled: Callable[..., Any], name: str) -> None:
    function, operands, expected = POINTS[name]
    arrays = [ub.asarray(np.asarray(x)) for x in operands]
    gradient = ub.grad(summed(function), argnums=tuple(range(len(operands))))
    for got, wanted, operand in zip(compiled(gradient)(*arrays), expected, arrays, strict=True):
        assert got.dtype == operand.dtype
        assert got.shape == operand.shape
        np.testing.assert_allclose(ub.to_numpy(got), np.asarray(wanted), rtol=1e-15, atol=0)


SECOND: dict[str, tuple[Callable[..., Any], float, float]] = {
    "abs": (lambda x: ub.abs(x) ** 3, -2.0, 12),
    "maximum": (lambda x: ub.maximum(x**2, x), 2.0, 2),
    "sqrt": (ub.sqrt, 4.0, -1 / 32),
    "pow": (lambda x: ub.pow(x, x), 1.0, 2),
    "remainder": (lambda x: ub.remainder(x * x, x + 1), 2.0, 2),
    "divide": (lambda x: 1 / x, 2.0, 0.25),
    "prod": (lambda x: ub.prod(ub.stack([x, x, x - 2.0])), 2.0, 8),
    "cumulative_prod": (lambda x: ub.cumulative_prod(ub.stack([x - 2.0, x, x]))[-1], 2.0, 8),
    "at": (lambda x: ub.at(ub.ones(2))[[0, 0]].multiply(ub.stack([x, x * x]))[0], 2.0, 12),
    "at set": (lambda x: ub.sum(ub.at(ub.ones(2))[[0, 0]].set(ub.stack([x, x**3]))), 2.0, 12),
}


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(owner: str, name: str) -> None:
    function, x, expected = SECOND[name]
    twice = ub.grad(ub.grad(function))
    for result in (
        twice(ub.asarray(x)),
        ub.compile(twice)(ub.asarray(x)),
        ub.vmap(twice)(ub.asarray([x, x]))[1],
        ub.grad(lambda x: ub.sum(ub.vmap(ub.grad(function))(ub.stack([x, x]))) / 2)(ub.asarray(x)),
    ):
        assert float(result) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_gradient_has_the_dtype_of_its_argument(owner: str, dtype: str) -> None:
    x = ub.astype(ub.asarray([1.0, 2.0]), dtype)
    y = ub.astype(ub.asarray([3.0, 0.5]), ub.float32)

    def function(x: Any, y: Any) -> Any:
        return ub.sum(x * y + ub.astype(ub.maximum(x, 1.0), "float64") ** 2 + ub.prod(x))

    by_x, by_y = ub.grad(function, argnums=(0, 1))(x, y)
    assert by_x.dtype == dtype
    assert by_y.dtype == "float32"
    # 3 + half of 2 + twice the 2, and 0.5 + 4 + twice the 1
    assert ub.to_numpy(by_x).astype(float).tolist() == [3 + 1 + 4, 0.5 + 4 + 2]
    assert ub.to_numpy(by_y).tolist() == [1, 2]


def test_a_gradient_is_of_one_number(owner: str) -> None:
    with pytest.raises(ShapeError, match=r"returned an array of shape \(3,\)"):
        ub.grad(lambda x: x * 2)(ub.ones(3))


ELEMENTWISE = [
    "abs",
    "cos",
    "exp",
    "log",
    "log1p",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "floor",
    "sign",
]
PAIRS = ["add", "subtract", "multiply", "divide", "pow", "maximum", "minimum", "atan2", "remainder"]


@pytest.mark.parametrize("name", [*ELEMENTWISE, *PAIRS])
def test_gradients_by_vmap_are_those_of_the_whole(owner: str, name: str) -> None:
    function = getattr(ub, name)
    arrays = [ub.asarray([0.0, 0.5, 1.0, 2.5]), ub.asarray([0.5, 0.5, 2.0, 1.0])]
    arrays = arrays[: 2 if name in PAIRS else 1]
    places = tuple(range(len(arrays)))
    whole = ub.grad(summed(function), argnums=places)(*arrays)
    by_vmap = ub.vmap(ub.grad(function, argnums=places))(*arrays)
    mapped = ub.grad(summed(ub.vmap(function)), argnums=places)(*arrays)
    rounding = 8 * np.finfo("float64").eps  # XLA has other kernels for other shapes
    of_terms = rounding if name == "tanh" else 0  # 1 - tanh(x)**2 rounds as its terms do
    for one, *others in zip(whole, by_vmap, mapped, strict=True):
        for other in map(ub.to_numpy, others):
            np.testing.assert_allclose(other, ub.to_numpy(one), rtol=rounding, atol=of_terms)
