"""What a row of the table holds: operands, the right answer, and how near it must be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import ANSWERS, Dtype


@dataclass(frozen=True)
class Case:
    """One call.

    Attributes:
        operands: NumPy arrays, Python numbers, and None for what is left out; arrays are arguments
            of a compiled function.
        static: the positional arguments after them.
        options: the keyword arguments.
    """

    operands: tuple[Any, ...]
    static: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


def _call(function: Callable[..., Any], operands: list[Any], case: Case) -> Any:
    return function(*operands, *case.static, **case.options)


def as_sequence(function: Callable[..., Any], operands: list[Any], case: Case) -> Any:
    """Call an operation whose first argument is a sequence of arrays."""
    return function(operands, *case.static, **case.options)


@dataclass(frozen=True)
class Row:
    """What is known about an operation.

    Attributes:
        name: as it is declared.
        names: the dtypes that it takes, or makes.
        cases: from one of these dtypes to a strategy for calls.
        answer: from the operands, static arguments and options of a call to what is right; None
            is what `unibackend.testing.bounds` says.
        call: how the operation is called.
        traced: whether it is possible in a function being compiled, where no values are known.
    """

    name: str
    names: tuple[str, ...]
    cases: Callable[[Dtype], st.SearchStrategy[Case]]
    answer: Callable[..., Any]
    call: Callable[[Callable[..., Any], list[Any], Case], Any] = _call
    traced: bool = True


ROWS: dict[str, Row] = {}


def row(
    name: str,
    names: tuple[str, ...],
    cases: Callable[[Dtype], st.SearchStrategy[Case]],
    answer: Callable[..., Any] | None = None,
    **more: Any,
) -> None:
    """Put a row into the table."""
    assert name not in ROWS
    ROWS[name] = Row(name, names, cases, answer or ANSWERS[name], **more)
