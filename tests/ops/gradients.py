"""What a row of the table of derivatives holds: calls of an operation where it is smooth.

Operands are drawn by a shape, or given. What is drawn for a call is spread evenly over 0.5 to 2 in
a random order: no two elements are closer than the steps of the differences that derivatives are
compared with, so that the order of none changes.
"""

from __future__ import annotations

import math
import operator
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import unibackend as ub

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """One call.

    Attributes:
        function: of arrays, by the active backend.
        operands: the shape of each, or its numbers.
        complex: whether what is drawn is complex.
    """

    function: Callable[..., Any]
    operands: tuple[Any, ...]
    complex: bool = False

    def arrays(self, name: str) -> list[np.ndarray[Any, Any]]:
        """Return the operands, drawn for this operation."""
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        drawn = [x for x in self.operands if isinstance(x, tuple)]
        sizes = [math.prod(shape) * (2 if self.complex else 1) for shape in drawn]
        spread = rng.permutation(np.linspace(0.52, 1.97, sum(sizes)))
        parts = iter(np.split(spread, np.cumsum(sizes)[:-1]))
        return [self._one(x, parts) for x in self.operands]

    def _one(self, x: Any, parts: Any) -> np.ndarray[Any, Any]:
        if not isinstance(x, tuple):
            return np.asarray(x)
        part = next(parts)
        if self.complex:
            half = len(part) // 2
            part = part[:half] - 1j * part[half:]
        return part.reshape(x)  # type: ignore[no-any-return]


# The backends that have derivatives, and the ways to run there.
WAYS = [
    *(("jax", "eager"), ("jax", "compiled")),
    *(("tensorflow", "eager"), ("tensorflow", "compiled"), ("tensorflow", "xla")),
]

CALLS: dict[str, list[Call]] = {}


def calls(names: str, *shapes: tuple[Any, ...], complex: str = "", **options: Any) -> None:
    """Put operations into the table that are called with the operands and options alone."""
    for name in names.split():

        def function(*operands: Any, name: str = name) -> Any:
            return operator.attrgetter(name)(ub)(*operands, **options)

        kinds = [False, True] if name in complex.split() else [False]
        CALLS.setdefault(name, []).extend(
            Call(function, shape, kind) for kind in kinds for shape in shapes
        )


def call(name: str, function: Callable[..., Any], *operands: Any, complex: bool = False) -> None:
    """Put one call of an operation into the table; `complex` adds it with complex operands."""
    kinds = [False, True] if complex else [False]
    CALLS.setdefault(name, []).extend(Call(function, operands, kind) for kind in kinds)


# Operations without a derivative: of integers and bools, or of what depends on no number.
NONE: set[str] = set()
