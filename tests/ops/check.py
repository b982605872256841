"""The judge: whether a result of a backend is one of the right answers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import unibackend as ub
from unibackend.testing.bounds.answer import (
    WIDE,
    Answer,
    Equations,
    NumpyArray,
    flush,
    kind,
    limit,
    tiny,
    wide,
    wrapped,
)

from .operands import existing, named
from .row import Case, Row


def check_row(
    row: Row,
    function: Callable[..., Any],
    *,
    compiled: bool = False,
    flushes: bool = False,
    stride: int = 1,
    lacks: str = "",
) -> None:
    """Run an operation on cases of each of its dtypes.

    Each dtype has a search of its own: left to choose, Hypothesis varies what it has and may never
    try some.

    Args:
        row: the operation.
        function: what computes it.
        compiled: whether by `ub.compile`.
        flushes: whether the backend makes zeros of numbers that are not normal.
        stride: one dtype in so many is tried, beginning somewhere else for each operation.
        lacks: the kinds of dtypes for which it may be an UnsupportedError.
    """
    names = existing(row.names)
    for name in names[len(row.name) % min(stride, len(names)) :: stride]:

        @settings(max_examples=max(3, settings().max_examples // 4))
        @given(row.cases(named(name)))
        def search(case: Case) -> None:
            try:
                conforms(row, case, function, compiled=compiled, flushes=flushes)
            except ub.errors.UnsupportedError:
                operands = [x for x in case.operands if isinstance(x, np.ndarray)]
                if not any(kind(x.dtype) in lacks for x in operands):
                    raise

        search()


def conforms(
    row: Row, case: Case, function: Callable[..., Any], *, compiled: bool, flushes: bool
) -> None:
    """Run an operation on a case and hold the result against the oracle.

    Args:
        row: the operation.
        case: operands as NumPy arrays and Python numbers, and options.
        function: what computes it: the frontend's function, or one to be found wrong.
        compiled: whether by `ub.compile`, with the arrays as arguments.
        flushes: whether the backend makes zeros of numbers that are not normal.

    Raises:
        AssertionError: the result is wrong; the message says where.
    """
    operands = [ub.asarray(x) if isinstance(x, np.ndarray) else x for x in case.operands]
    with np.errstate(all="ignore"):
        if compiled:
            arrays = [x for x in operands if ub.errors is not None and not _number(x)]

            def run(*traced: Any) -> Any:
                rest = iter(traced)
                filled = [x if _number(x) else next(rest) for x in operands]
                return row.call(function, filled, case)

            if not row.traced:
                with pytest.raises(ub.errors.TracingError, match=f"^{row.name}: a concrete value"):
                    ub.compile(run)(*arrays)
                return
            result = ub.compile(run)(*arrays)
        else:
            result = row.call(function, operands, case)
    results = result if isinstance(result, tuple | list) else (result,)
    for one in results:
        assert not getattr(ub.native(one), "weak_type", False), f"{row.name}: a weak result"
    verify(row, case, [ub.to_numpy(one) for one in results], flushes=flushes)


def verify(row: Row, case: Case, arrays: Any, *, flushes: bool) -> None:
    """Hold the results of a call, NumPy's arrays, against the oracle.

    Raises:
        AssertionError: they are wrong; the message says where.
    """
    arrays = arrays if isinstance(arrays, tuple | list) else (arrays,)
    right = _answers(row, case, flushes)
    if isinstance(right[0], Equations):
        satisfies(row.name, arrays, right)
    else:
        judge(row.name, arrays, right, flushes)


def _number(x: Any) -> bool:
    return x is None or type(x) in (bool, int, float, complex)


def _answers(row: Row, case: Case, flushes: bool) -> list[Any]:
    """Return the right answers: several where operands may count as zero."""
    choices = [[x, flush(x)] if flushes and flush(x) is not x else [x] for x in case.operands]
    found = []
    with np.errstate(all="ignore"):
        for operands in itertools.product(*choices):
            answer = row.answer(*operands, *case.static, **case.options)
            found.append([answer] if isinstance(answer, Answer) else answer)
    return found


def satisfies(name: str, results: Sequence[NumpyArray], answers: list[Equations]) -> None:
    """Check that results satisfy the equations of one of the answers.

    Raises:
        AssertionError: the number, dtype or shape differs, or an equation leaves too much over.
    """
    found = [(result.shape, result.dtype) for result in results]
    assert found == list(answers[0].results), f"{name}: {found}, not {answers[0].results}"
    broken = []
    for answer in answers:
        with np.errstate(all="ignore"):
            left = answer.residuals(*map(wide, results))
            worst = {
                equation: np.max(np.where(residual <= bound, 0, residual / bound), initial=0)
                for equation, (residual, bound) in left.items()
            }
        broken.append({equation: by for equation, by in worst.items() if not by <= 1})
    assert not all(broken), f"{name}: {broken[0]} times what may be left over"


def judge(
    name: str, results: Sequence[NumpyArray], answers: list[Sequence[Answer]], flushes: bool
) -> None:
    """Check that results are right by one of the answers, element by element.

    Raises:
        AssertionError: the number, dtype, shape, the place of NaN or infinity, or a value differs.
    """
    assert len(results) == len(answers[0]), f"{name}: {len(results)} results"
    for place, result in enumerate(results):
        right = np.zeros(result.shape, bool)
        shapes = [np.shape(one[place].value) for one in answers]  # they may depend on values
        assert result.shape in shapes, f"{name}: {result.shape}, not {shapes[0]}"
        fitting = [
            one[place] for one, shape in zip(answers, shapes, strict=True) if shape == result.shape
        ]
        for answer in fitting:
            assert result.dtype == answer.dtype, f"{name}: {result.dtype}, not {answer.dtype}"
            with np.errstate(all="ignore"):
                right |= _right(result, answer, flushes)
        if not right.all():
            where = tuple(int(i) for i in np.argwhere(~right)[0])
            expected = np.broadcast_to(fitting[0].value, result.shape)[where]
            bound = fitting[0].bound
            bound = np.broadcast_to(0 if bound is None else bound, result.shape)[where]
            raise AssertionError(
                f"{name}: {(~right).sum()} of {right.size} elements of dtype {result.dtype} are "
                f"wrong; at {where} {result[where]!r} is not {expected!r} within {bound}"
            )


def _right(result: NumpyArray, answer: Answer, flushes: bool) -> Any:
    expected = np.asarray(answer.value)
    if kind(result.dtype) in "biu":
        return (result == wrapped(expected, result.dtype)) | (_width(answer, flushes) == np.inf)
    got = wide(result)
    expected = expected.astype(got.dtype)
    if answer.bound is None:
        return _same(got, expected)
    far = np.abs(got - expected)
    bound = _width(answer, flushes)
    nan = np.isnan(got) & np.isnan(expected)
    if kind(result.dtype) == "c":
        largest = np.maximum(np.abs(expected.real), np.abs(expected.imag))
        infinite = np.isinf(got) & (np.isinf(expected) | (largest + bound >= limit(result.dtype)))
    else:
        overflow = np.isfinite(expected) & (np.sign(got) * expected + bound >= limit(result.dtype))
        infinite = np.isinf(got) & ((got == expected) | overflow)
    # a bound that is not finite says nothing about the element
    return nan | infinite | (np.isfinite(got) & (far <= bound)) | np.isposinf(bound)


def _width(answer: Answer, flushes: bool) -> Any:
    bound = np.asarray(answer.bound, WIDE)
    if not flushes or kind(answer.dtype) not in "fc":
        return bound
    more = 2 * tiny(answer.dtype) if answer.flushed is None else answer.flushed
    return bound + more


def _same(got: Any, expected: Any) -> Any:
    if got.dtype.kind == "c":
        return _same(got.real, expected.real) & _same(got.imag, expected.imag)
    equal = (got == expected) & (np.signbit(got) == np.signbit(expected))
    return equal | (np.isnan(got) & np.isnan(expected))
