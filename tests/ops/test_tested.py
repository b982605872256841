"""The tests are tested: backends that are wrong in one way must be rejected."""

from __future__ import annotations

import operator
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


def without_tails(x: Any, /) -> Any:
    """The logarithm of a probability, which loses its digits in both tails."""
    return right.log(right.special.ndtr(x))


def by_subtraction(x: Any, /) -> Any:
    """1 - erf(x), which is 0 or rounding errors where x is large."""
    return right.subtract(1.0, right.special.erf(x))


def overflowing(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    return right.log(right.sum(right.exp(x), axis=axis, keepdims=keepdims))


def by_the_processor(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Any:
    """A conversion to integers that gives what the processor does out of range."""
    with np.errstate(all="ignore"):
        return x.astype(dtype)


def passing_the_end_once(
    x: Any, /, pad_width: Any, mode: Any = "constant", *, constant_values: Any = 0
) -> Any:
    """A padding that repeats the last element nowhere."""
    other = "reflect" if mode == "symmetric" else mode
    return right.pad(x, pad_width, other, constant_values=constant_values)


def from_the_front(x: Any, start_indices: Any, slice_sizes: Any, /) -> Any:
    """A part whose negative starts are brought to 0 instead of counted from the end."""
    return right.dynamic_slice(x, np.maximum(start_indices, 0), slice_sizes)


def on_the_upper_side(x: Any, /) -> Any:
    """A logarithm that takes -0.0 for 0.0 beside its branch cut."""
    return right.log(x + 0 if x.dtype.kind == "c" else x)


def upwards(x1: Any, x2: Any, /) -> Any:
    """A next number above, wherever the second operand is."""
    return right.nextafter(x1, x2 * 0 + np.inf)


def scaled_as_forward(x: Any, /, *, norm: Any = "backward", **options: Any) -> Any:
    """An inverse transform with the factors of the forward one."""
    other = {"backward": "forward", "forward": "backward", "ortho": "ortho"}[norm]
    return right.fft.ifft(x, norm=other, **options)


def one_nan(x: Any, /) -> Any:
    """Distinct values of which NaN is one."""
    return np.unique(x)


def other_side(x1: Any, x2: Any, /, *, side: Any = "left", sorter: Any = None) -> Any:
    """A search that puts equal elements on the other side."""
    return right.searchsorted(x1, x2, side="left" if side == "right" else "right", sorter=sorter)


def last_of_equal(x: Any, /, k: Any, *, axis: Any = -1, largest: Any = True) -> Any:
    """The largest elements, of equal ones the last first."""
    order = right.argsort(right.flip(x, axis=axis), axis=axis, descending=largest)
    places = np.take(np.shape(x)[axis] - 1 - order, range(k), axis)
    return np.take_along_axis(np.asarray(x), places, axis), places


WRONG: list[tuple[str, Callable[..., Any]]] = [
    ("astype", by_the_processor),
    ("pad", passing_the_end_once),
    ("dynamic_slice", from_the_front),
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
    ("fft.ifft", scaled_as_forward),
    ("unique_values", one_nan),
    ("searchsorted", other_side),
    ("top_k", last_of_equal),
    ("log", on_the_upper_side),
    ("nextafter", upwards),
    ("special.log_ndtr", without_tails),
    ("special.erfc", by_subtraction),
    ("special.logsumexp", overflowing),
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
    check(name, operator.attrgetter(name)(right))
