"""`matmul` against exact integers and float64 results, within k·eps·|A||B|."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import unibackend as ub

WAYS = ["numpy", "jax", "tensorflow", "jax-compiled", "tensorflow-compiled", "tensorflow-xla"]
FLOATS = ["bfloat16", "float16", "float32", "float64", "complex64", "complex128"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def run(way: str, x1: np.ndarray, x2: np.ndarray, **options: Any) -> np.ndarray:
    """Return `ub.matmul` as a backend and a mode compute it."""
    name, _, mode = way.partition("-")
    with ub.use(name, x64=True, xla=mode == "xla"):
        a, b = ub.asarray(x1), ub.asarray(x2)
        f = ub.compile(lambda p, q: ub.matmul(p, q, **options)) if mode else None
        y = f(a, b) if f is not None else ub.matmul(a, b, **options)
        assert ub.backend_of(y) == name
        return ub.to_numpy(y)  # type: ignore[no-any-return]


@st.composite
def shapes(draw: Any, max_rank: int = 5) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two shapes that multiply: vectors, matrices, stacks that broadcast, sizes of zero."""
    sizes = st.integers(0, 4)
    n, k, m = draw(sizes), draw(sizes), draw(sizes)
    stack = draw(st.lists(st.integers(0, 3), max_size=max_rank - 2))
    left = [draw(st.sampled_from([s, 1])) for s in stack][draw(st.integers(0, len(stack))) :]
    right = [draw(st.sampled_from([s, 1])) for s in stack][draw(st.integers(0, len(stack))) :]
    shape1 = draw(st.sampled_from([(k,), (*left, n, k)]))
    shape2 = draw(st.sampled_from([(k,), (*right, k, m)]))
    return shape1, shape2


def bound(x1: np.ndarray, x2: np.ndarray, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the product in higher precision and the error that a right one may have.

    Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., (3.13): |fl(AB) - AB| is at
    most gamma_k |A||B|, for any order of the sums; twice as much, with one more step, for complex
    (3.14a, sqrt(2) gamma_4k... bounded by 4 k u). The unit of the sums is the float32's for half
    precision, whose result is then rounded once. What is lost to flushed subnormals is at most
    the smallest normal number for each of the 2 k + 1 operations.
    """
    info = ml_dtypes.finfo(dtype)
    sums = ml_dtypes.finfo("float32" if dtype in ("float16", "bfloat16") else dtype)
    k = max(x1.shape[-1], 1)
    wide = np.complex256 if dtype.startswith("complex") else np.longdouble
    exact = np.matmul(x1.astype(wide), x2.astype(wide))
    size = np.matmul(np.abs(x1.astype(wide)), np.abs(x2.astype(wide))).real
    steps = 4 * (k + 2) if dtype.startswith("complex") else k
    relative = steps * float(sums.eps) / (1 - steps * float(sums.eps))
    tiny = (2 * steps + 1) * float(info.tiny)
    rounding = 0.0 if sums is info else float(info.eps)
    return exact, size * (relative + rounding * (1 + relative)) + tiny


def values(draw: Any, shape: tuple[int, ...], dtype: str, limit: float = 1e3) -> np.ndarray:
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    spread = draw(st.sampled_from([0.0, 3.0]))
    x = rng.standard_normal(shape) * np.exp(spread * rng.standard_normal(shape))
    if dtype.startswith("complex"):
        x = x + 1j * rng.standard_normal(shape)
    x = np.clip(x.real, -limit, limit) + (1j * x.imag if x.dtype.kind == "c" else 0)
    return x.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_floats_within_the_bound(way: str, data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from(FLOATS))
    shape1, shape2 = data.draw(shapes())
    x1 = values(data.draw, shape1, dtype, 30.0)
    x2 = values(data.draw, shape2, dtype, 30.0)
    got = run(way, x1, x2)
    exact, allowed = bound(x1, x2, dtype)
    assert got.dtype.name == dtype
    assert got.shape == exact.shape
    wide = got.astype(exact.dtype)
    assert (np.abs(wide - exact) <= allowed).all(), np.abs(wide - exact).max()


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_integers_are_exact(way: str, data: st.DataObject) -> None:
    dtype = np.dtype(data.draw(st.sampled_from(INTEGERS)))
    shape1, shape2 = data.draw(shapes())
    seed = data.draw(st.integers(0, 2**32 - 1))
    rng, info = np.random.default_rng(seed), np.iinfo(dtype)
    x1, x2 = (
        rng.integers(info.min, info.max, s, dtype=dtype, endpoint=True) for s in (shape1, shape2)
    )
    got = run(way, x1, x2)
    exact = np.asarray(np.matmul(x1.astype(object), x2.astype(object)), dtype=object)
    wrapped = (exact - int(info.min)) % (int(info.max) - int(info.min) + 1) + int(info.min)
    assert got.dtype == dtype
    assert got.shape == exact.shape
    np.testing.assert_array_equal(got.astype(object), wrapped)


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_bool_is_or_of_ands(way: str, data: st.DataObject) -> None:
    shape1, shape2 = data.draw(shapes())
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    x1, x2 = (rng.integers(0, 2, s).astype(bool) for s in (shape1, shape2))
    got = run(way, x1, x2)
    assert got.dtype == bool
    np.testing.assert_array_equal(got, np.matmul(x1.astype(int), x2.astype(int)) > 0)


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_nan_and_infinity_keep_their_places(way: str, data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from(["bfloat16", "float16", "float32", "float64"]))
    shape1, shape2 = data.draw(shapes(max_rank=3))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    special = np.array([0.0, -0.0, 1.0, -2.0, np.nan, np.inf, -np.inf])
    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
    x1, x2 = (rng.choice(special, s).astype(kind) for s in (shape1, shape2))
    got = run(way, x1, x2).astype(np.float64)
    with np.errstate(invalid="ignore"):
        terms = np.matmul(x1.astype(np.float64), x2.astype(np.float64))
    np.testing.assert_array_equal(np.isnan(got), np.isnan(terms))
    np.testing.assert_array_equal(
        np.where(np.isinf(got), got, 0), np.where(np.isinf(terms), terms, 0)
    )


@pytest.mark.parametrize("way", WAYS)
@given(rank1=st.integers(1, 12), rank2=st.integers(1, 12), seed=st.integers(0, 10**6))
@example(rank1=12, rank2=2, seed=1)
@example(rank1=12, rank2=12, seed=2)
def test_ranks_to_12(way: str, rank1: int, rank2: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    stack = rng.integers(1, 3, 10)

    def one(rank: int) -> list[int]:
        return [int(s) if rng.integers(2) else 1 for s in stack[12 - rank :]]

    shape1 = (*one(rank1), 2, 3) if rank1 > 1 else (3,)
    shape2 = (*one(rank2), 3, 2) if rank2 > 1 else (3,)
    x1, x2 = rng.integers(-9, 9, shape1).astype("f4"), rng.integers(-9, 9, shape2).astype("f4")
    np.testing.assert_array_equal(run(way, x1, x2), np.matmul(x1, x2))


@pytest.mark.parametrize("way", WAYS)
@given(data=st.data())
def test_under_vmap(way: str, data: st.DataObject) -> None:
    """Mapped once and twice, either operand mapped or not: integers in float32 are exact."""
    name, _, mode = way.partition("-")
    shape1, shape2 = data.draw(shapes(max_rank=4))
    levels = data.draw(st.integers(1, 2))
    which = data.draw(
        st.lists(st.sampled_from([(0, 0), (0, None), (None, 0)]), min_size=levels, max_size=levels)
    )
    dtype = data.draw(st.sampled_from(["float32", "float64", "int32", "int8"]))
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=levels, max_size=levels))
    lead1 = [s for s, (a, _) in zip(sizes, which, strict=True) if a == 0]
    lead2 = [s for s, (_, b) in zip(sizes, which, strict=True) if b == 0]
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    x1 = rng.integers(-5, 6, (*lead1, *shape1)).astype(dtype)
    x2 = rng.integers(-5, 6, (*lead2, *shape2)).astype(dtype)
    with ub.use(name, x64=True, xla=mode == "xla"):
        f: Any = ub.matmul
        for axes in which[::-1]:
            f = ub.vmap(f, in_axes=axes)
        f = ub.compile(f) if mode else f
        got = ub.to_numpy(f(ub.asarray(x1), ub.asarray(x2)))
    np.testing.assert_array_equal(got, looped(x1, x2, which))


def looped(x1: np.ndarray, x2: np.ndarray, which: list[Any]) -> np.ndarray:
    """Return the products example by example."""
    if not which:
        return np.matmul(x1, x2)
    (a, b), rest = which[0], which[1:]
    size = len(x1) if a == 0 else len(x2)
    return np.stack(
        [looped(x1[i] if a == 0 else x1, x2[i] if b == 0 else x2, rest) for i in range(size)]
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", ["float32", "complex64", "int8"])
@pytest.mark.parametrize("flags", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("ranks", [(2, 2), (3, 2), (2, 3), (3, 3), (4, 3)])
def test_transposes(way: str, dtype: str, flags: tuple[bool, bool], ranks: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    x1 = rng.integers(-3, 4, (2, 2, 3, 4)[4 - ranks[0] :]).astype(dtype)
    x2 = rng.integers(-3, 4, (2, 2, 4, 5)[4 - ranks[1] :]).astype(dtype)
    if dtype == "complex64":
        x1, x2 = x1 + 1j * x1[::-1], x2 - 2j * x2[::-1]
    expected = np.matmul(x1, x2)
    a = np.swapaxes(x1, -1, -2) if flags[0] else x1
    b = np.swapaxes(x2, -1, -2) if flags[1] else x2
    got = run(way, a, b, transpose_x1=flags[0], transpose_x2=flags[1])
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("way", WAYS)
class TestOptions:
    @pytest.mark.parametrize(
        ("dtype", "wider"),
        [("int8", "int32"), ("uint8", "uint32"), ("bfloat16", "float32"), ("float16", "float32"),
         ("int16", "int64"), ("float32", "float64"), ("bool", "int32")],
    )  # fmt: skip
    def test_dtype_is_the_type_of_the_sums(self, way: str, dtype: str, wider: str) -> None:
        kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
        top = 1 if dtype == "bool" else 100
        x1, x2 = np.full((2, 300), top).astype(kind), np.full((300, 2), top).astype(kind)
        got = run(way, x1, x2, dtype=wider)
        assert got.dtype.name == wider
        np.testing.assert_array_equal(got, np.full((2, 2), 300 * top * top))

    def test_a_narrower_dtype_is_refused(self, way: str) -> None:
        x = np.ones((2, 2), np.float32)
        with pytest.raises(ub.errors.DtypeError, match="'float16' does not hold the operands'"):
            run(way, x, x, dtype="float16")

    def test_precisions(self, way: str) -> None:
        x = np.ones((2, 2), np.float32)
        for precision in ("highest", "high", "default"):
            np.testing.assert_array_equal(run(way, x, x, precision=precision), [[2, 2], [2, 2]])
        with pytest.raises(ub.errors.SettingsError, match="precision='best' is not one of"):
            run(way, x, x, precision="best")

    def test_promotion(self, way: str) -> None:
        i, f = np.ones((2, 2), np.int32), np.ones((2, 2), np.float32)
        h = np.ones((2, 2), ml_dtypes.bfloat16)
        assert run(way, i, f).dtype == np.float32
        assert run(way, f, h).dtype == np.float32
        assert run(way, h, h).dtype == ml_dtypes.bfloat16
        assert run(way, f, f.astype("complex64")).dtype == np.complex64


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("shape1", "shape2", "words"),
    [
        ((2, 3), (4, 2), "inner sizes 3 and 4 differ"),
        ((3, 2, 2), (2, 2, 2), "do not broadcast"),
        ((), (2,), "x1 is a scalar"),
        ((2,), (), "x2 is a scalar"),
        ((2,), (3,), "inner sizes 2 and 3 differ"),
    ],
)
def test_shapes_that_do_not_fit(
    way: str, shape1: tuple[int, ...], shape2: tuple[int, ...], words: str
) -> None:
    with pytest.raises(ub.errors.ShapeError, match=words):
        run(way, np.ones(shape1, np.float32), np.ones(shape2, np.float32))


@pytest.mark.parametrize("name", ["numpy", "jax", "tensorflow"])
def test_the_operator_goes_the_same_way(name: str) -> None:
    with ub.use(name, x64=True):
        a = ub.asarray(np.arange(8).reshape(2, 2, 2), dtype="int8")
        np.testing.assert_array_equal(
            ub.to_numpy(a @ a), np.matmul(*[np.arange(8).reshape(2, 2, 2).astype("i1")] * 2)
        )
        if name == "tensorflow":
            x = np.arange(100, dtype="f4").reshape(4, 1, 5, 5)
            y = ub.asarray(x)  # the shapes of tensorflow#117700
            np.testing.assert_allclose(ub.to_numpy(y @ x[0, 0]), x @ x[0, 0])
            np.testing.assert_allclose(ub.to_numpy(x[0, 0] @ y), x[0, 0] @ x)


def test_half_precision_sums_are_wide() -> None:
    for way in WAYS:
        ones = np.ones((1, 4096), np.float16)
        assert run(way, ones, ones.T)[0, 0] == 4096
        assert (
            run(way, np.full((1, 2), 300, np.float16), np.full((2, 1), 300, np.float16)) == np.inf
        )


def test_a_wrong_product_is_outside_the_bound() -> None:
    """The check itself: a float16 product is not within float32's bound."""
    rng = np.random.default_rng(0)
    x1, x2 = rng.standard_normal((2, 8, 8)).astype("f4")
    exact, allowed = bound(x1, x2, "float32")
    wrong = np.matmul(x1.astype("f2"), x2.astype("f2")).astype("f4")
    right = np.matmul(x1, x2)
    assert (np.abs(right - exact) <= allowed).all()
    assert not (np.abs(wrong - exact) <= allowed).all()
    assert not (np.abs(np.matmul(x1, x2.T) - exact) <= allowed).all()
