"""Functions of each element at special values, of numbers out of range, and under vmap."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend.testing.bounds.elementwise import COMPLEX_EPS

NumpyArray = np.ndarray[Any, Any]
INF, NAN = math.inf, math.nan

# ---- complex functions: infinities, NaN, signs of zeros, branch cuts ---------------------------

PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e200, -1e200, INF, -INF, NAN]
GRID = np.asarray([complex(a, b) for a, b in itertools.product(PARTS, PARTS)])

# NumPy's names; its own are glibc's, which follow C99's Annex G as the standard does.
COMPLEX: dict[str, str] = {
    **{name: name for name in ("exp", "log", "log2", "log10", "sqrt", "expm1", "log1p", "abs")},
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"a{name}": f"arc{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}


def right(name: str) -> NumpyArray:
    """Return the right results at the grid, on more digits."""
    z = GRID.astype(np.clongdouble)
    with np.errstate(all="ignore"):
        value = np.asarray(getattr(np, COMPLEX[name])(z)).astype(np.clongdouble)
    if name == "expm1":  # NumPy has NaN at infinities and zeros, and -0 for -0
        value.imag[z.imag == 0] = z.imag[z.imag == 0]
        value.real[z == 0] = 0
        infinite = np.isinf(z.real)
        with np.errstate(all="ignore"):
            value[infinite] = np.exp(z[infinite])
        value.real[infinite] -= 1
    return value


def misfits(got: NumpyArray, wanted: NumpyArray, open_zeros: bool) -> NumpyArray:
    """Return which results differ in a part: NaN, infinities, signs of zeros, or by their size.

    Where C99 leaves the sign of an infinite part or of a zero open, it has NaN beside it, or the
    operand is infinite or NaN and the function periodic.
    """
    with np.errstate(all="ignore"):
        beside_nan = np.isnan(wanted)
        scale = np.where(
            beside_nan, np.fmax(np.abs(wanted.real), np.abs(wanted.imag)), np.abs(wanted)
        )
        wrong = np.zeros(got.shape, bool)
        for x, y in ((got.real, wanted.real), (got.imag, wanted.imag)):
            nan = np.isnan(x) & np.isnan(y)
            infinite = np.isinf(x) & np.isinf(y) & ((x == y) | beside_nan)
            free = beside_nan | (open_zeros & ~np.isfinite(GRID))
            zero = (x == 0) & (y == 0) & (free | (np.signbit(x) == np.signbit(y)))
            # what double precision cannot hold is infinite
            above = np.isinf(x) & (np.abs(y) > np.finfo(float).max) & (np.sign(x) == np.sign(y))
            near = (y != 0) & (np.abs(x - y) <= COMPLEX_EPS * np.finfo(float).eps * scale)
            wrong |= ~(nan | infinite | zero | near | above)
    return wrong


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_special_values(backend: str, mode: str, name: str) -> None:
    function = getattr(ub, name)
    with ub.use(xla=mode == "xla"), np.errstate(all="ignore"):
        result = (function if mode == "eager" else ub.compile(function))(ub.asarray(GRID))
    got, wanted = ub.to_numpy(result), right(name)
    assert got.dtype == (np.float64 if name == "abs" else np.complex128)
    wrong = misfits(
        got.astype(np.clongdouble), wanted, name in ("exp", "expm1", "sin", "cos", "tan", "tanh")
    )
    listed = [(GRID[i], got[i], complex(wanted[i])) for i in np.flatnonzero(wrong)]
    assert not listed, f"operand, result, what is right: {listed[:5]}"


def test_sign_of_complex_numbers(backend: str, mode: str) -> None:
    """The direction of infinite ones, NaN where a part is, 0 of every zero, no overflow."""
    half = math.sqrt(0.5)
    table = {
        3 + 4j: 0.6 + 0.8j,
        1e300 - 1e300j: half - half * 1j,
        1e-300j: 1j,
        complex(-0.0, -0.0): 0j,
        complex(INF, 1): 1 + 0j,
        complex(2, -INF): -1j,
        complex(-INF, INF): -half + half * 1j,
    }
    x = np.asarray([*table, complex(NAN, INF), complex(0, NAN)])
    with ub.use(xla=mode == "xla"):
        function = ub.sign if mode == "eager" else ub.compile(ub.sign)
        got = ub.to_numpy(function(ub.asarray(x)))
    np.testing.assert_allclose(got[:-2], list(table.values()), rtol=4e-16, atol=0)
    assert np.isnan(got[-2:].real).all()
    assert np.isnan(got[-2:].imag).all()


def test_the_sign_of_a_zero_chooses_the_side_of_a_cut(backend: str, mode: str) -> None:
    """So do powers, whose base is what is cut."""
    with ub.use(xla=mode == "xla"):
        power = ub.pow if mode == "eager" else ub.compile(ub.pow)
        x = ub.asarray(np.asarray([complex(-4, 0.0), complex(-4, -0.0)]))
        got = ub.to_numpy(power(x, ub.asarray(np.asarray([0.5 + 0j, 0.5 + 0j]))))
    np.testing.assert_allclose(got, [2j, -2j], atol=1e-15)


# ---- real ones ---------------------------------------------------------------------------------

QUOTIENTS = {
    (1.4, -INF): -0.0,
    (-1.4, INF): -0.0,
    (-1.4, -INF): 0.0,
    (INF, 2.0): INF,
    (-INF, 2.0): -INF,
    (INF, -INF): NAN,
    (1.0, 0.0): INF,
    (-0.0, 3.0): -0.0,
    (0.0, -3.0): -0.0,
    (7.5, -2.0): -4.0,
}
REMAINDERS = {
    (-1.0, 1.0): 0.0,
    (4.0, -2.0): -0.0,
    (-0.0, 3.0): 0.0,
    (0.0, -INF): -0.0,
    (5.0, -INF): -INF,
    (-5.0, INF): INF,
    (5.0, INF): 5.0,
    (INF, 2.0): NAN,
    (1.0, 0.0): NAN,
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize(
    ("name", "table"), [("floor_divide", QUOTIENTS), ("remainder", REMAINDERS)], ids=["//", "%"]
)
def test_division_of_special_values(
    backend: str, mode: str, name: str, table: dict[Any, float], dtype: str
) -> None:
    x, y = (ub.asarray(np.asarray(part), dtype=dtype) for part in zip(*table, strict=True))
    function = getattr(ub, name)
    with ub.use(xla=mode == "xla"), np.errstate(all="ignore"):
        result = (function if mode == "eager" else ub.compile(function))(x, y)
    got = ub.to_numpy(ub.astype(result, "float64"))
    wanted = np.asarray(list(table.values()))
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(np.signbit(got) & (wanted == 0), np.signbit(wanted) & (got == 0))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_the_sign_of_any_zero_is_0(backend: str, mode: str, dtype: str) -> None:
    with ub.use(xla=mode == "xla"):
        function = ub.sign if mode == "eager" else ub.compile(ub.sign)
        result = function(ub.asarray(np.asarray([-0.0, 0.0, -3.0]), dtype=dtype))
    got = ub.to_numpy(ub.astype(result, "float64"))
    assert got.tolist() == [0, 0, -1]
    assert not np.signbit(got[:2]).any()


# ---- Python integers that a dtype cannot hold --------------------------------------------------

COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
OUTSIDE = {
    "uint8": (-1, 256, 300, -(2**70)),
    "int8": (-129, 128, 1000),
    "int32": (2**31, -(2**31) - 1),
    "uint64": (-1, 2**64),
    "int64": (2**63, -(2**63) - 1),
}
CASES = [(dtype, number) for dtype, numbers in OUTSIDE.items() for number in numbers]


@pytest.mark.parametrize(("dtype", "number"), CASES)
def test_comparisons_are_exact(backend: str, mode: str, dtype: str, number: int) -> None:
    held = np.iinfo(dtype)
    x = ub.asarray(np.asarray([held.min, 0, held.max], dtype))
    for name in COMPARISONS:
        function = getattr(ub, name)
        answer = getattr(operator, {"equal": "eq", "not_equal": "ne"}.get(name, name[0] + "t"))
        if name.endswith("_equal") and name != "not_equal":
            answer = getattr(operator, name[0] + "e")
        wanted = [answer(int(n), number) for n in (held.min, 0, held.max)]
        turned = [answer(number, int(n)) for n in (held.min, 0, held.max)]

        def both(x: Any, function: Any = function) -> Any:
            return function(x, number), function(number, x)

        with ub.use(xla=mode == "xla"):
            found = (both if mode == "eager" else ub.compile(both))(x)
        assert [one.dtype for one in found] == [ub.bool, ub.bool]
        assert [ub.to_numpy(one).tolist() for one in found] == [wanted, turned], name


@pytest.mark.parametrize("number", [-1, 300, 2**40])
def test_comparisons_with_a_traced_number_are_exact(backend: str, number: int) -> None:
    x = ub.asarray(np.asarray([1, 200], np.uint8))
    compare = ub.compile(lambda x, n: (ub.less(x, n), ub.greater_equal(n, x), ub.equal(x, n)))
    found = [ub.to_numpy(one).tolist() for one in compare(x, number)]
    assert found == [[number > 1] * 2, [number >= 1] * 2, [False, False]]


@pytest.mark.parametrize(("dtype", "number"), CASES)
def test_ends_of_clip_out_of_range(backend: str, mode: str, dtype: str, number: int) -> None:
    """Such an end counts as the nearest that the dtype holds."""
    held = np.iinfo(dtype)
    values = [int(held.min), 0, 1, int(held.max)]
    x = ub.asarray(np.asarray(values, dtype))
    end = min(max(number, int(held.min)), int(held.max))
    for low, high in ((number, None), (None, number)):

        def clipped(x: Any, low: Any = low, high: Any = high) -> Any:
            return ub.clip(x, low, high)

        with ub.use(xla=mode == "xla"):
            result = (clipped if mode == "eager" else ub.compile(clipped))(x)
        wanted = [max(n, end) if high is None else min(n, end) for n in values]
        assert str(result.dtype) == dtype
        assert ub.to_numpy(result).tolist() == wanted


def test_traced_ends_of_clip_out_of_range(backend: str) -> None:
    x = ub.asarray(np.asarray([1, 200], np.uint8))
    clip = ub.compile(ub.clip)
    assert ub.to_numpy(clip(x, -1, 300)).tolist() == [1, 200]
    assert ub.to_numpy(clip(x, 300, None)).tolist() == [255, 255]


# ---- batches -----------------------------------------------------------------------------------

ONE = (
    *("acosh", "asinh", "atan", "atanh", "cosh", "log10", "log1p", "log2", "reciprocal", "sign"),
    *("signbit", "sinh", "sqrt", "tan"),
)
TWO = ("copysign", "floor_divide", "hypot", "logaddexp", "nextafter", "remainder")


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_batches_are_computed_at_once(backend: str, name: str) -> None:
    """By batching rules: a loop over the examples would be a warning."""
    function: Any = getattr(ub, name)
    x = np.asarray([[0.5, 1.5, -0.0], [2.0, 0.25, -3.0]])
    operands = [x, x[:, ::-1].copy()] if name in TWO else [x]
    kinds = [operands] if name in (*TWO, "signbit") else [operands, [x * (1 - 2j)]]
    for given in kinds:
        arrays = [ub.asarray(one) for one in given]
        with np.errstate(all="ignore"):
            found, wanted = ub.vmap(function)(*arrays), function(*arrays)
        np.testing.assert_allclose(ub.to_numpy(found), ub.to_numpy(wanted), rtol=1e-15)
