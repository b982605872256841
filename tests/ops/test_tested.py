"""The tests are tested: backends that are wrong in one way must be rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import unibackend as ub

from .check import check_row
from .table import ROWS

right = ub.namespace("numpy")


@pytest.fixture(autouse=True)
def _on_numpy() -> Iterator[None]:
    with ub.use("numpy", x64=True):
        yield


def check(name: str, function: Callable[..., Any]) -> None:
    """Hold a function against the row of an operation, as the conformance test does."""
    check_row(ROWS[name], function)


def without_the_last(
    x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: Any = False
) -> Any:
    """A sum that forgets the last element."""
    flat = np.array(x).reshape(-1)
    flat[-1:] = 0
    return right.sum(flat.reshape(np.shape(x)), axis=axis, dtype=dtype, keepdims=keepdims)


def other_axis(x: Any, /, *, axis: Any = -1, descending: Any = False, stable: Any = True) -> Any:
    """A sort along the first axis, whatever was asked for."""
    return right.sort(x, axis=0, descending=descending, stable=stable)


def swapped(x: Any, /, axes: Any) -> Any:
    """A permutation in the opposite direction."""
    return right.permute_dims(x, tuple(np.argsort(axes)))


def in_half(x1: Any, x2: Any, /, **options: Any) -> Any:
    """A product of float16 for float32 and float64."""
    result = right.matmul(x1, x2, **options)
    if result.dtype not in (np.float32, np.float64):
        return result
    half = right.matmul(x1.astype("float16"), x2.astype("float16"), **options)
    return half.astype(result.dtype)


def without_nan(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose NaN become numbers."""

    def call(*args: Any, **kwargs: Any) -> Any:
        result = np.asarray(function(*args, **kwargs))
        return np.nan_to_num(result) if result.dtype.kind == "f" else result

    return call


def in_single(x: Any, /) -> Any:
    """An exponential of float32 under a float64 label."""
    result = right.exp(x)
    return right.exp(x.astype("float32")).astype("float64") if x.dtype == "float64" else result


def off_by_a_few(x: Any, /) -> Any:
    """A sine that is wrong by 8 units in the last place."""
    result = right.sin(x)
    return result * (1 + 8 * np.finfo("float32").eps) if x.dtype == "float32" else result


def without_the_sign_of_zero(x: Any, /) -> Any:
    return right.negative(x) + np.zeros((), x.dtype)


def too_wide(x1: Any, x2: Any, /) -> Any:
    """NumPy's own promotion, which makes float64 of int32 and float32."""
    return np.add(x1, x2)


WRONG: list[tuple[str, Callable[..., Any]]] = [
    ("sum", without_the_last),
    ("sort", other_axis),
    ("permute_dims", swapped),
    ("matmul", in_half),
    ("sum", without_nan(right.sum)),
    ("add", without_nan(right.add)),
    ("maximum", without_nan(right.maximum)),
    ("exp", in_single),
    ("sin", off_by_a_few),
    ("negative", without_the_sign_of_zero),
    ("add", too_wide),
]


@pytest.mark.parametrize(
    ("name", "function"), WRONG, ids=[f"{name}-{one.__name__}" for name, one in WRONG]
)
def test_a_wrong_backend_is_rejected(name: str, function: Callable[..., Any]) -> None:
    with pytest.raises((AssertionError, BaseExceptionGroup)) as caught:
        check(name, function)
    errors = getattr(caught.value, "exceptions", (caught.value,))
    assert all(isinstance(error, AssertionError) for error in errors), errors


@pytest.mark.parametrize("name", sorted({name for name, _ in WRONG}))
def test_the_right_backend_is_not(name: str) -> None:
    check(name, getattr(right, name))
