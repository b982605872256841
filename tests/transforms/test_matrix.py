"""Every pair of transformations is right on every backend and in every mode, or says why not."""

from __future__ import annotations

import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unibackend as ub

from .matrix import MODES, NAMES, UNSUPPORTED, nested, plain, table

X = 1.25  # where no transformation stands at a jump


def outcome(chain: tuple[str, ...], mode: str, compiled: bool) -> float | Exception:
    """Return what a chain of transformations gives with this library, or its error."""
    with ub.use(x64=True, **MODES[mode]):
        function = nested(chain, exact=False)
        try:
            result = (ub.compile(function) if compiled else function)(ub.asarray(X))
        except ub.errors.UnsupportedError as error:
            return error
        assert result.shape == ()
        assert result.dtype == ub.float64
        return float(result)


def check(chain: tuple[str, ...], mode: str, compiled: bool, reason: str | None) -> None:
    got = outcome(chain, mode, compiled)
    if reason is None:
        assert not isinstance(got, Exception), got
        assert got == pytest.approx(plain(nested(chain, exact=True)(X)), rel=1e-12)
    else:
        assert isinstance(got, Exception), f"{chain} in {mode} is right now: take it off the table"


@pytest.mark.parametrize("where", MODES)
@pytest.mark.parametrize("inner", NAMES)
@pytest.mark.parametrize("outer", NAMES)
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_every_pair_is_right_or_refused(outer, inner, where, compiled):
    check((outer, inner), where, compiled, UNSUPPORTED.get((outer, inner, where)))


@given(st.tuples(*[st.sampled_from(NAMES)] * 3), st.sampled_from(tuple(MODES)), st.booleans())
def test_three_deep_is_right_or_refused(chain, where, compiled):
    got = outcome(chain, where, compiled)
    if not isinstance(got, Exception):
        assert got == pytest.approx(plain(nested(chain, exact=True)(X)), rel=1e-12)


def test_the_table_in_the_documentation_is_this_one():
    page = pathlib.Path(__file__).parents[2] / "docs" / "transformations.md"
    assert table() in page.read_text(), "run python -m tests.transforms.matrix for the new table"
