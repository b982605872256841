"""What an einsum says: its text and the shapes of its operands, taken apart for every backend."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._shapes import Shape
from .errors import DtypeError, ShapeError

_LETTERS = frozenset(string.ascii_letters)
# What names a label inside `...`: the place counted from the end.
_Label = str | int


@dataclass(frozen=True)
class Plan:
    """An einsum without `...` and without axes that broadcast.

    Attributes:
        dropped: the axes of each operand that have length 1 where other operands have more.
        labels: the numbers of the other axes of each operand.
        output: the numbers of the axes of the result.
    """

    dropped: tuple[Shape, ...]
    labels: tuple[Shape, ...]
    output: Shape


def plan(subscripts: Any, shapes: Sequence[Sequence[Any]]) -> Plan:
    """Take an einsum apart.

    Args:
        subscripts: as "ij,jk->ik", with `...` for any number of axes, and blanks anywhere.
        shapes: of the operands; sizes that are not known count as equal to others.

    Raises:
        DtypeError: the subscripts are no text.
        ShapeError: the text is malformed, or the shapes do not go with it.
    """
    if not isinstance(subscripts, str):
        raise DtypeError(
            f"einsum: subscripts={subscripts!r:.80} is not a text such as 'ij,jk->ik'; it comes "
            f"before the arrays"
        )
    text = "".join(subscripts.split())
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(shapes):
        raise ShapeError(
            f"einsum: {subscripts!r} is about {len(terms)} arrays, and {len(shapes)} were given"
        )
    expanded = [_expanded(subscripts, *pair) for pair in zip(terms, shapes, strict=True)]
    most = max((_broadcast_count(labels) for labels in expanded), default=0)
    leading: list[_Label] = list(range(-most, 0))
    named = Counter(label for labels in expanded for label in labels if isinstance(label, str))
    output: list[_Label]
    if arrow:
        output = _of_term(subscripts, right, leading)
        for label, count in Counter(output).items():
            if count > 1 or (isinstance(label, str) and label not in named):
                why = "comes twice in" if count > 1 else "is no label of an array, and is in"
                raise ShapeError(f"einsum: in {subscripts!r}, {label!r} {why} the result")
    else:
        output = [*leading, *sorted(label for label, count in named.items() if count == 1)]
    sizes = _sizes(subscripts, expanded, shapes)
    numbers = {label: number for number, label in enumerate([*leading, *sorted(named)])}
    dropped, kept = [], []
    for labels, shape in zip(expanded, shapes, strict=True):
        gone = [
            isinstance(label, int) and _is_one(size) and not _is_one(sizes[label])
            for label, size in zip(labels, shape, strict=True)
        ]
        dropped.append(tuple(axis for axis, drop in enumerate(gone) if drop))
        kept.append(
            tuple(numbers[label] for label, drop in zip(labels, gone, strict=True) if not drop)
        )
    return Plan(tuple(dropped), tuple(kept), tuple(numbers[label] for label in output))


def _of_term(subscripts: str, term: str, leading: Sequence[_Label]) -> list[_Label]:
    """Return the labels of a term, with those of the axes that `...` stands for."""
    before, dots, after = term.partition("...")
    if not _LETTERS.issuperset(before + after):
        wrong = next(one for one in before + after if one not in _LETTERS)
        raise ShapeError(
            f"einsum: {wrong!r} in {subscripts!r} is no label; they are letters, with ',' between "
            f"the arrays, '->' before the result, and '...' once in each"
        )
    return [*before, *(leading if dots else ()), *after]


def _expanded(subscripts: str, term: str, shape: Sequence[Any]) -> list[_Label]:
    count = len(shape) - len(_of_term(subscripts, term, ()))
    if count < 0 or (count > 0 and "..." not in term):
        raise ShapeError(
            f"einsum: {term!r} in {subscripts!r} does not name the {len(shape)} axes of an array "
            f"of shape {tuple(shape)}"
        )
    return _of_term(subscripts, term, range(-count, 0))


def _broadcast_count(labels: Sequence[_Label]) -> int:
    return sum(isinstance(label, int) for label in labels)


def _is_one(size: Any) -> bool:
    return size is not None and bool(size == 1)


def _sizes(
    subscripts: str, expanded: Sequence[Sequence[_Label]], shapes: Sequence[Sequence[Any]]
) -> dict[_Label, Any]:
    """Return the size of each label, None where it is not known."""
    sizes: dict[_Label, Any] = {}
    for labels, shape in zip(expanded, shapes, strict=True):
        for label, size in zip(labels, shape, strict=True):
            known = sizes.get(label)
            broadcasts = isinstance(label, int) and (_is_one(known) or _is_one(size))
            if known is not None and size is not None and known != size and not broadcasts:
                name = "..." if isinstance(label, int) else label
                raise ShapeError(
                    f"einsum: the axes {name!r} in {subscripts!r} have the sizes {known} and "
                    f"{size}; the shapes are {', '.join(str(tuple(one)) for one in shapes)}"
                )
            if known is None or (_is_one(known) and broadcasts):
                sizes[label] = size
    return sizes
