"""The rows of einsum and of the Kronecker product."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype

from .operands import ALL, NUMBERS, arrays, moderate, shapes
from .row import Case, row

# Each letter once more is one axis more: traces, sums, outer products, stacks, chains of products.
TEXTS = (
    *("ij,jk->ik", "ij,jk", "i,i", "i,j->ji", "ij->ji", "ij->", "ba", "ii", "ii->i", "iij->j"),
    *("iji,ij->j", "aibi,b->a", "bij,bjk->bik", "ij,kj,kl->il", "a,b,c->", "ij,jk,kl", ",i->i"),
    *("...ij,...jk->...ik", "...,...", "i...->...", "...i,...i", "...i->i", "a...b, b -> ...a"),
)


@st.composite
def _sums(draw: Any, dtype: Dtype) -> Case:
    text = draw(st.sampled_from(TEXTS))
    sizes = {letter: draw(st.sampled_from([2, 3, 1, 0, 2])) for letter in "abcijkl"}
    leading = draw(st.sampled_from([(2,), (), (2, 3), (1, 2)]))
    operands = []
    for term in "".join(text.split()).partition("->")[0].split(","):
        before, dots, after = term.partition("...")
        stack = tuple(1 if draw(st.integers(0, 4)) == 0 else size for size in leading)
        stack = stack[draw(st.integers(0, len(stack))) :] if dots else ()
        shape = (*(sizes[i] for i in before), *stack, *(sizes[i] for i in after))
        operands.append(draw(arrays(dtype, shape, moderate(dtype))))
    return Case(tuple(operands), (), {"subscripts": text})


def _call(function: Any, operands: list[Any], case: Case) -> Any:
    return function(case.options["subscripts"], *operands)


row("einsum", ALL, _sums, call=_call)


@st.composite
def _pairs(draw: Any, dtype: Dtype) -> Case:
    first, second = (draw(shapes(most=most)) for most in (6, 3))
    pair = [draw(arrays(dtype, shape, moderate(dtype))) for shape in (first, second)]
    return Case(tuple(pair if draw(st.booleans()) else pair[::-1]))


row("kron", NUMBERS, _pairs)
