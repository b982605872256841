"""The methods of TensorFlow's array, and NumPy's functions that call them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub
from unibackend.errors import DtypeError, UnsupportedError

REDUCTIONS = ("sum", "prod", "mean", "std", "var", "max", "min", "all", "any")


@pytest.fixture(autouse=True)
def _active() -> Iterator[None]:
    with ub.use("tensorflow", x64=True):
        yield


def test_a_bfloat16_array_without_axes_is_a_number() -> None:
    x = ub.asarray(1, dtype="bfloat16")
    assert repr(x) == "Array(1, dtype=bfloat16)"
    assert (str(x), f"{x}", f"{x:.2f}") == ("1", "1", "1.00")
    assert (float(x), bool(x), int(x), x.item(), x.tolist()) == (1.0, True, 1, 1.0, 1.0)
    values: np.ndarray[Any, Any] = np.asarray(x)
    assert (values.shape, values.dtype.name) == ((), "bfloat16")
    assert pickle.loads(pickle.dumps(x)).item() == 1.0
    assert x.__array_namespace__().repeat(x[None], x.astype("int32")).tolist() == [1.0]


@pytest.mark.parametrize("name", [*REDUCTIONS, "argmax", "argmin", "cumsum", "round"])
def test_numpys_functions_call_the_methods(name: str) -> None:
    values = np.asarray([[1.0, 2.0], [3.0, 5.0]])
    x = ub.asarray(values)
    function: Callable[..., Any] = getattr(np, name)
    result = function(x)
    assert type(result) is type(x)
    np.testing.assert_allclose(ub.to_numpy(result), function(values))
    if name in REDUCTIONS:
        rows = function(x, axis=0, keepdims=True)
        np.testing.assert_allclose(ub.to_numpy(rows), function(values, axis=0, keepdims=True))
    with pytest.raises(UnsupportedError, match=f"{name}: out=ndarray"):
        function(x, out=np.zeros(2))


def test_methods_take_numpys_dtype_and_ddof() -> None:
    x = ub.asarray([[1.0, 2.0], [3.0, 5.0]])
    for result in (np.sum(x, 0, "float32"), np.mean(x, 0, "float32"), np.std(x, 0, "float32")):
        assert result.dtype == np.float32
    assert np.var(x, ddof=1).item() == ub.var(x, correction=1).item() == x.var(ddof=1).item()
    assert np.std(x, ddof=1).item() == ub.std(x, correction=1).item()
    with pytest.raises(TypeError, match="two names of one argument"):
        x.std(ddof=1, correction=1)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "uint64"])
def test_integers_are_rounded_to_tens_as_numpy_does(dtype: str) -> None:
    values = np.arange(0, 120, dtype=dtype)
    if np.dtype(dtype).kind == "i":
        values = np.concatenate([values, -values])
    x = ub.asarray(values)
    for decimals in (-2, -1, 0, 1, 40):
        result = x.round(decimals)
        assert result.dtype == dtype
        assert result.tolist() == np.round(values, decimals).tolist()
    assert x.round(-25).tolist() == [0] * len(values)


def test_rounding_to_decimals_is_exact_for_large_integers() -> None:
    assert ub.asarray([2**24 + 1, 7], dtype="int32").round(1).tolist() == [2**24 + 1, 7]
    big = 2**60 - 6  # ends in 0
    assert ub.asarray([big + 14, big + 15, big + 25]).round(-1).tolist() == [
        big + 10,
        big + 10,
        big + 30,
    ]
    assert ub.asarray([125.5, 135.2]).round(-1).tolist() == [130.0, 140.0]
    with pytest.raises(DtypeError, match="decimals=1.5 is not an integer"):
        ub.asarray([1.0]).round(1.5)
    with pytest.raises(DtypeError, match="of bools"):
        ub.asarray([True]).round(-1)


def test_divmod_and_round() -> None:
    x = ub.asarray([7.25, -7.25])
    quotient, rest = divmod(x, 2)
    assert (quotient.tolist(), rest.tolist()) == ([3.0, -4.0], [1.25, 0.75])
    quotient, rest = divmod(10, x)
    assert (quotient.tolist(), rest.tolist()) == ([1.0, -2.0], [2.75, -4.5])
    assert round(x).tolist() == [7.0, -7.0]
    assert round(x, 1).tolist() == [7.2, -7.2]
    with pytest.raises(TypeError, match="unsupported operand"):
        divmod(x, "a")


@pytest.mark.parametrize(
    "function",
    [
        ub.sum,
        ub.argmax,
        ub.asarray,
        lambda s: ub.concat([s, s]),
        lambda s: ub.reshape(s, (1,)),
        lambda s: ub.equal(s, s),
        lambda s: ub.where(True, s, s),
    ],
    ids=["sum", "argmax", "asarray", "concat", "reshape", "equal", "where"],
)
def test_tensors_of_strings_are_refused_by_name(function: Callable[[Any], Any]) -> None:
    with pytest.raises(DtypeError, match="dtype string"):
        repr(function(tf.constant(["a"])))


@pytest.mark.parametrize("name", [*REDUCTIONS, "argmax", "argmin"])
def test_keepdims_is_a_bool_of_pythons_or_numpys(name: str) -> None:
    x, function = ub.ones((2, 3)), getattr(ub, name)
    assert function(x, keepdims=np.True_).shape == (1, 1)
    assert function(x, keepdims=np.False_).shape == ()
    for wrong in (1, "no", None):
        with pytest.raises(DtypeError, match=f"{name}: keepdims="):
            function(x, keepdims=wrong)


def test_a_sum_of_bools_is_whether_any_is_true() -> None:
    values = np.asarray([[0, 0, 2, -2], [0.5, 0, 0, 0]])
    x = ub.asarray(values)
    for axis in (0, 1):
        for name in ("sum", "prod"):
            result = getattr(ub, name)(x, axis=axis, dtype="bool")
            assert result.tolist() == getattr(np, name)(values, axis=axis, dtype=bool).tolist()
        sums = ub.cumulative_sum(x, axis=axis, dtype="bool")
        assert sums.tolist() == np.cumulative_sum(values, axis=axis, dtype=bool).tolist()


def test_the_place_of_the_largest_is_along_one_axis() -> None:
    with pytest.raises(DtypeError, match=r"argmax: axis=\(0, 1\) is not an integer"):
        ub.argmax(ub.ones((2, 3)), axis=(0, 1))  # type: ignore[arg-type]


def test_a_fill_value_keeps_its_imaginary_part() -> None:
    x = ub.ones(2)
    for function in (
        lambda: ub.full(3, 1j, dtype="float32"),
        lambda: ub.full(3, ub.asarray(1j), dtype="float32"),
        lambda: ub.full_like(x, 300j),
        lambda: ub.full_like(x, np.complex64(1j)),
    ):
        with pytest.raises(DtypeError, match="imaginary"):
            function()
    assert ub.full(2, 1j).tolist() == [1j, 1j]


def test_a_linspace_keeps_the_gradient_of_its_ends() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        ends = ub.asarray(x)
        total = ub.sum(ub.linspace(ends[0], ends[1], 4) * np.arange(4.0)).tensor
    assert np.allclose(tape.gradient(total, x), [4 / 3, 14 / 3])
    traced = ub.compile(lambda a: ub.linspace(a[0], a[1], 3))
    assert traced(ub.asarray([1.0, 2.0])).tolist() == [1.0, 1.5, 2.0]


@pytest.mark.parametrize("num", [0, 1, 2, 5])
@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("ends", [(0, 1), (0.1, 0.7), (1, 1j), (np.float32(3), 3)])
def test_a_linspace_is_numpys(ends: tuple[Any, Any], endpoint: bool, num: int) -> None:
    expected = np.linspace(*ends, num, endpoint)
    for make in (lambda end: end, ub.asarray):
        result = ub.linspace(*map(make, ends), num, endpoint=endpoint)
        np.testing.assert_allclose(ub.to_numpy(result), expected, 1e-15)


def test_a_linspace_is_between_numbers() -> None:
    for start in (ub.ones((2, 2)), [0, 1], np.ones(2)):
        with pytest.raises(DtypeError, match="linspace: start="):
            ub.linspace(start, 3, 3)  # type: ignore[arg-type]
