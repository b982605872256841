"""The derivative of every declared operation, on both backends and in both modes.

Where an operation is smooth it is held against differences of the reference, NumPy. Where it is
not, the convention is JAX's, written down here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend._dispatch import DECLARED
from unibackend.errors import UnsupportedError
from unibackend.testing.bounds.answer import gamma

from ..gaps import LACKS
from .gradients import WAYS, Call
from .table import CALLS, NONE

NumpyArray = np.ndarray[Any, Any]


@pytest.fixture(params=WAYS, ids="-".join)
def compiled(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Run the test in each way, and return what compiles a function in it."""
    owner, way = request.param
    with ub.use(owner, x64=True, xla=way == "xla"):
        yield (lambda function: function) if way == "eager" else ub.compile


def test_every_operation_is_here() -> None:
    assert set(CALLS) | NONE == set(DECLARED)
    assert not set(CALLS) & NONE


# ---- where they are smooth ---------------------------------------------------------------------


def outputs_of(call: Call, operands: list[Any]) -> list[Any]:
    result = call.function(*operands)
    return list(result) if isinstance(result, tuple | list) else [result]


def total(call: Call, operands: list[NumpyArray], cotangents: list[NumpyArray]) -> tuple[Any, Any]:
    """Return on NumPy what a pullback differentiates, and the sum of the magnitudes in it."""
    outputs = outputs_of(call, operands)
    parts = [np.sum(np.asarray(y) * ct) for y, ct in zip(outputs, cotangents, strict=True)]
    size = [np.sum(np.abs(y) * np.abs(ct)) for y, ct in zip(outputs, cotangents, strict=True)]
    return float(np.real(sum(parts))), float(sum(size))


STEP = 2.0**-6
LEVELS = 4


def difference(function: Callable[[float], tuple[Any, Any]]) -> tuple[float, float]:
    """Return a derivative at 0 by Richardson's extrapolation, and a bound of its error.

    Each level takes the next even power of the step away. What the last one changes bounds what
    is left; the values are right within 64 roundings (sums of 40 terms of 4 units each), which
    the smallest step and the weights of the extrapolation, below 2 together, make larger.
    """
    rows: list[list[float]] = []
    size = 0.0
    for level in range(LEVELS):
        h = STEP / 2**level
        (up, size_up), (down, size_down) = function(h), function(-h)
        size = max(size, size_up, size_down)
        rows.append([(up - down) / (2 * h)])
        for i in range(level):
            factor = 4.0 ** (i + 1)
            rows[-1].append((factor * rows[-1][i] - rows[-2][i]) / (factor - 1))
    rounding = 2 * float(gamma(64, np.dtype("float64"))) * size / (STEP / 2 ** (LEVELS - 1))
    return rows[-1][-1], abs(rows[-1][-1] - rows[-1][-2]) + rounding


def expected(
    call: Call, operands: list[NumpyArray], cotangents: list[NumpyArray]
) -> list[tuple[NumpyArray, NumpyArray]]:
    """Return the derivative by each operand, and its bound, by differences on NumPy."""
    found = []
    for place, operand in enumerate(operands):
        value, bound = np.zeros(operand.shape, operand.dtype), np.zeros(operand.shape)
        if operand.dtype.kind not in "fc":
            continue
        directions = (1, 1j) if operand.dtype.kind == "c" else (1,)
        for index in np.ndindex(operand.shape):
            for direction in directions:

                def along(h: float, index: Any = index, direction: Any = direction) -> Any:
                    moved = operand.copy()  # noqa: B023
                    moved[index] += h * direction
                    changed = [*operands[:place], moved, *operands[place + 1 :]]  # noqa: B023
                    return total(call, changed, cotangents)

                derivative, error = difference(along)
                # JAX's: by the real part, minus i times that by the imaginary one
                value[index] += derivative * np.conj(direction)
                bound[index] += error
        found.append((value, bound))
    return found


@functools.cache
def answers(name: str) -> list[Any]:
    """Return of each call the operands, the outputs' cotangents and dtypes, and the derivatives."""
    found = []
    with ub.use("numpy", x64=True), np.errstate(all="ignore"):
        for call in CALLS[name]:
            operands = call.arrays(name)
            outputs = [np.asarray(y) for y in outputs_of(call, operands)]
            cotangents = [weights(y, place) for place, y in enumerate(outputs)]
            right = expected(call, operands, cotangents)
            found.append((operands, cotangents, [y.dtype for y in outputs], right))
    return found


def weights(y: NumpyArray, place: int) -> NumpyArray:
    """Return a cotangent for an output, complex if that is."""
    rng = np.random.default_rng(place)
    found: Any = rng.uniform(0.5, 2, y.shape)
    if y.dtype.kind == "c":
        found = found + 1j * rng.uniform(0.5, 2, y.shape)
    return np.asarray(found, y.dtype)


def pulled(call: Call, operands: list[NumpyArray], cotangents: Any, leaves: Any) -> Any:
    """Return outputs and gradients by `ub.vjp`; the leaves stand for the operands with some."""

    def function(*leaves: Any) -> Any:
        rest = iter(leaves)
        full = [next(rest) if x.dtype.kind in "fc" else ub.asarray(x) for x in operands]
        return outputs_of(call, full)

    outputs, pullback = ub.vjp(function, *leaves)
    return outputs, pullback([ub.asarray(ct) for ct in cotangents])


@pytest.mark.parametrize("name", CALLS)
def test_derivatives_are_those_of_numpy(compiled: Callable[..., Any], name: str) -> None:
    def run(leaves: list[Any]) -> Any:
        return [
            pulled(call, operands, cotangents, mine)
            for call, (operands, cotangents, *_), mine in zip(
                CALLS[name], right, leaves, strict=True
            )
        ]

    right = answers(name)
    given = [[ub.asarray(x) for x in row[0] if x.dtype.kind in "fc"] for row in right]
    if ub.settings().xla is True and (ub.settings().backend, "xla", name) in LACKS:
        with pytest.raises(UnsupportedError):
            compiled(run)(given)
        return
    results = compiled(run)(given)
    for number, ((outputs, gradients), row) in enumerate(zip(results, right, strict=True)):
        operands, _, dtypes, derivatives = row
        label = f"{name}, call {number}"
        assert [ub.to_numpy(y).dtype for y in outputs] == dtypes, label
        chosen = [x for x in operands if x.dtype.kind in "fc"]
        for got, operand, (value, bound) in zip(gradients, chosen, derivatives, strict=True):
            array = ub.to_numpy(got)
            assert array.dtype == operand.dtype, label
            assert array.shape == operand.shape, label
            wrong = ~(np.abs(array - value) <= bound)
            assert not wrong.any(), f"{label}: {array} is not {value} within {bound}"
