"""The entry: every kind of host data, every dtype, both widths, on every backend."""

from __future__ import annotations

import warnings
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import unibackend as ub
from unibackend import _entry, dtypes

BACKENDS = ("numpy", "jax", "tensorflow")
ALL = [
    np.dtype(name) if name != "bfloat16" else np.dtype(ml_dtypes.bfloat16) for name in dtypes.NAMES
]
NARROWED = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}


def unaligned(array: np.ndarray) -> np.ndarray:
    """Return an equal array that starts one byte off its natural alignment."""
    raw = np.empty(array.nbytes + 1, np.uint8)[1:]
    copy = raw[: array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


LAYOUTS = {
    "contiguous": lambda a: a,
    "strided": lambda a: np.repeat(a, 2, axis=0)[::2],
    "reversed": lambda a: a[::-1][::-1].copy()[::-1],
    "transposed": lambda a: np.asfortranarray(a),
    "unaligned": unaligned,
    "read-only": read_only,
    "swapped": lambda a: a if a.dtype.name == "bfloat16" else a.astype(a.dtype.newbyteorder(">")),
}


@st.composite
def small_arrays(draw: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """Arrays whose values survive the narrowing, so that the table below is exact."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=3))
    low = 0 if dtype.kind in "ub" else -100
    values = draw(hnp.arrays(np.int64, shape, elements=st.integers(low, 100)))
    return (values % 2 == 1) if dtype.kind == "b" else values.astype(dtype)


@pytest.mark.parametrize("x64", [True, False], ids=["x64", "x32"])
@pytest.mark.parametrize("name", BACKENDS)
@given(data=st.data())
def test_numpy_arrays_enter_with_their_values(name: str, x64: bool, data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from(ALL))
    layout = data.draw(st.sampled_from(sorted(LAYOUTS)))
    array = LAYOUTS[layout](data.draw(small_arrays(dtype)))
    expected = dtype.name if x64 else NARROWED.get(dtype.name, dtype.name)
    with ub.use(name, x64=x64, float64_input="allow"):
        x = ub.asarray(array)
        assert ub.backend_of(x) == name
        assert x.dtype.name == expected
        assert tuple(x.shape) == array.shape
        assert isinstance(x, ub.Array)
        np.testing.assert_array_equal(
            ub.to_numpy(x).astype(np.complex128), array.astype(np.complex128)
        )


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_numpy_scalars_are_strong_and_0d(name: str, dtype: np.dtype[Any]) -> None:
    with ub.use(name, x64=True):
        x = ub.asarray(dtype.type(1))
        assert (x.dtype, x.shape) == (dtype, ())
        if dtype.kind == "f":  # strong: it decides the dtype, where a Python float would not
            assert ub.add(ub.ones(1, dtype="float16"), dtype.type(1)).dtype == ub.result_type(
                ub.float16, dtype
            )


@pytest.mark.parametrize("x64", [True, False], ids=["x64", "x32"])
@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize(
    ("value", "wide"),
    [
        (True, "bool"),
        (3, "int64"),
        (-2.5, "float64"),
        (1 + 2j, "complex128"),
        ([1, 2], "int64"),
        ([[1, 2.5]], "float64"),
        ([True, False], "bool"),
        ((1, 2j), "complex128"),
        ([], "float64"),
    ],
)
def test_python_numbers_become_the_defaults(name: str, x64: bool, value: Any, wide: str) -> None:
    with ub.use(name, x64=x64), warnings.catch_warnings():
        warnings.simplefilter("error")  # numbers that Python wrote are no float64 input
        x = ub.asarray(value)
        assert x.dtype.name == (wide if x64 else NARROWED.get(wide, wide))
        np.testing.assert_array_equal(ub.to_numpy(x), np.asarray(value))


@pytest.mark.parametrize("name", BACKENDS)
def test_default_float_32_with_x64(name: str) -> None:
    with ub.use(name, x64=True, default_float="float32"):
        assert ub.asarray(1.5).dtype == ub.float32
        assert ub.asarray(np.float64(1.5)).dtype == ub.float64
        assert ub.asarray(1j).dtype == ub.complex64


@pytest.mark.parametrize("name", BACKENDS)
class TestOff32Bit:
    """The 32 bit world: nothing wraps, nothing narrows without a word."""

    @pytest.mark.parametrize("value", [2**31, -(2**31) - 1, [1, 2**40], np.array([2**40])])
    def test_an_integer_that_does_not_fit_is_an_error(self, name: str, value: Any) -> None:
        with ub.use(name), pytest.raises(ub.errors.RangeError, match=r"does not fit int32.*x64"):
            ub.asarray(value)

    def test_unsigned_too(self, name: str) -> None:
        with ub.use(name), pytest.raises(OverflowError, match="does not fit uint32"):
            ub.asarray(np.array([2**40], np.uint64))

    def test_float64_warns_once_a_process(self, name: str, monkeypatch: Any) -> None:
        monkeypatch.setattr(_entry, "_warned", type(_entry._warned)())
        with ub.use(name):
            with pytest.warns(ub.errors.PrecisionWarning, match=r"x64=True.*astype.*allow") as seen:
                ub.asarray(np.array([0.1]))
            assert seen[0].filename == __file__
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert ub.add(np.array([0.1]), 1.0).dtype == ub.float32

    def test_float64_input_error_and_allow(self, name: str) -> None:
        with ub.use(name, float64_input="error"), pytest.raises(TypeError, match="float64"):
            ub.add(np.array([0.1]), 1)
        with ub.use(name, float64_input="allow"):
            assert ub.asarray(np.array([0.1])).dtype == ub.float32

    @pytest.mark.parametrize("dtype", ["float64", "int64", "uint64", "complex128"])
    def test_64_bits_by_name_is_an_error(self, name: str, dtype: str) -> None:
        with ub.use(name), pytest.raises(ub.errors.DtypeError, match=r"x64 is off.*x64=True"):
            ub.asarray([1], dtype=dtype)

    def test_float_means_the_default(self, name: str) -> None:
        with ub.use(name):
            assert ub.asarray([1], dtype=float).dtype == ub.float32


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize(
    "value",
    ["a", ["a", "b"], [1, "b"], None, [None], [[1], [2, 3]], np.array([1, 2], dtype=object),
     np.array(["2020-01-01"], "datetime64[D]"), np.longdouble(1),
     np.ma.masked_array([1, 2], [0, 1])],
    ids=repr,
)  # fmt: skip
def test_what_is_no_number_is_refused(name: str, value: Any) -> None:
    with ub.use(name, x64=True), pytest.raises(TypeError):
        ub.asarray(value)


def test_large_unsigned_integers_are_exact(backend: str) -> None:
    x = ub.asarray([[0], [2**64 - 1]], dtype="uint64")  # NumPy by itself makes floats of these
    assert ub.to_numpy(x).tolist() == [[0], [2**64 - 1]]
    with pytest.raises(OverflowError, match="asarray: obj holds an integer that does not fit"):
        ub.asarray([-1, 2**63], dtype="uint64")


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("value", [2**64, [1, 2**63], [2**70]])
def test_beyond_64_bits(name: str, value: Any) -> None:
    with ub.use(name, x64=True), pytest.raises(OverflowError):
        ub.asarray(value)


@pytest.mark.parametrize("name", BACKENDS)
class TestAsarray:
    def test_dtype(self, name: str) -> None:
        with ub.use(name, x64=True):
            assert ub.asarray([1, 2], dtype="float32").dtype == ub.float32
            assert ub.asarray([1, 2], dtype="bfloat16").dtype == ub.bfloat16
            assert ub.asarray(ub.ones(2), dtype="int8").dtype == ub.int8
            with pytest.raises(OverflowError, match="300, which does not fit uint8"):
                ub.asarray([300], dtype="uint8")
            with pytest.raises(TypeError, match="imaginary"):
                ub.asarray([1j], dtype="float32")
            with pytest.raises(TypeError, match="bool, int, float"):
                ub.asarray([1], dtype="float8")

    def test_an_array_is_returned_as_it_is(self, name: str) -> None:
        with ub.use(name, x64=True):
            x = ub.ones(3)
            assert ub.asarray(x) is x
            assert ub.asarray(x, copy=False) is x
            y = ub.asarray(x, copy=True)
            assert y is not x

    def test_nested_lists_of_arrays(self, name: str) -> None:
        with ub.use(name, x64=True):
            x = ub.asarray([1.0, 2.0])
            y = ub.asarray([[x[0], 5.0], [6.0, x[1]]])
            assert ub.backend_of(y) == name
            np.testing.assert_array_equal(ub.to_numpy(y), [[1, 5], [6, 2]])

    def test_objects_with_array_protocol(self, name: str) -> None:
        class Series:
            def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
                return np.array([1, 2], np.int16)

        with ub.use(name, x64=True):
            assert ub.asarray(Series()).dtype == ub.int16
            with pytest.raises(TypeError, match=r"add: x1=.*Series.*ub.asarray"):
                ub.add(Series(), 1)

    def test_unknown_backend(self, name: str) -> None:
        with ub.use(name), pytest.raises(ValueError, match="'torch' is not known; there are jax"):
            ub.asarray([1], backend="torch")


@pytest.mark.parametrize("name", BACKENDS)
class TestSubclasses:
    """Subclasses of NumPy's array enter as what they hold, and lose their own rules."""

    def test_matrix_and_user_defined(self, name: str) -> None:
        class Tagged(np.ndarray):
            """An array with a label."""

        tagged = np.arange(4, dtype=np.float32).reshape(2, 2).view(Tagged)
        with ub.use(name):
            x = ub.multiply(tagged, tagged)  # elementwise, also for np.matrix
            assert type(ub.to_numpy(x)) is np.ndarray
            np.testing.assert_array_equal(ub.to_numpy(x), [[0, 1], [4, 9]])
            y = ub.asarray(tagged)
            tagged[0, 0] = 7
            assert float(y[0, 0]) == (7.0 if name == "numpy" else 0.0)

    def test_memory_maps(self, name: str, tmp_path: Any) -> None:
        mapped = np.memmap(tmp_path / "data", dtype=np.float32, mode="w+", shape=(3,))
        mapped[:] = [1, 2, 3]
        with ub.use(name):
            assert float(ub.sum(mapped)) == 6.0


def overwritten(way: Any, a: np.ndarray, tries: int) -> int:
    """Return how often what a way made of zeros shows the sevens that were written after it."""
    wrong = 0
    for _ in range(tries):
        a[:] = 0
        result = way()
        a[:] = 7
        wrong += bool(ub.to_numpy(result).any())
    return wrong


class TestCopies:
    """A caller may overwrite its NumPy array as soon as a call has returned."""

    @pytest.mark.parametrize("name", ["jax", "tensorflow"])
    @pytest.mark.parametrize("aligned", [True, False])
    def test_0_of_500(self, name: str, aligned: bool) -> None:
        n, tries = 50_000, 500
        buffer = np.empty(n * 4 + 128, np.uint8)
        offset = -buffer.ctypes.data % 64 + (0 if aligned else 4)
        a = buffer[offset : offset + n * 4].view(np.float32)
        with ub.use(name):
            compiled = ub.compile(lambda x: x + x)
            mapped = ub.vmap(lambda row: row + row)
            ways = [
                lambda: ub.add(a, a),
                lambda: ub.asarray(a),
                lambda: ub.reshape(a, (2, -1)),
                lambda: compiled(a),
                lambda: mapped(a.reshape(5, -1)),
            ]
            for way in ways:
                assert overwritten(way, a, tries // len(ways)) == 0

    def test_the_check_would_notice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without the copy JAX keeps an aligned buffer, and the caller's numbers get in."""
        raw = np.zeros(4096 + 128, np.uint8)
        start = -raw.ctypes.data % 64
        a = raw[start : start + 4096].view(np.float32)
        with ub.use("jax"):
            monkeypatch.setattr(ub.backends.load("jax"), "copies_host", False)
            assert overwritten(lambda: ub.asarray(a), a, 5) == 5

    def test_numpy_returns_the_same_object(self) -> None:
        a = np.zeros(3, np.float32)
        with ub.use("numpy"):
            assert ub.asarray(a) is a
            assert ub.asarray(a, copy=True) is not a

    @pytest.mark.parametrize("name", ["jax", "tensorflow"])
    def test_copy_false_shares_or_says_why_not(self, name: str) -> None:
        with ub.use(name, float64_input="allow"):
            with pytest.raises(ValueError, match=r"copy=False.*converted to float32"):
                ub.asarray(np.zeros(3), copy=False)
            raw = np.zeros(4096 + 128, np.uint8)
            start = -raw.ctypes.data % 64
            aligned = raw[start : start + 4096].view(np.float32)
            x = ub.asarray(aligned, copy=False)
            aligned[:] = 7
            assert float(x[0]) == 7.0
            with pytest.raises(ValueError, match=r"copy=False.*64 bytes"):
                ub.asarray(raw[start + 4 : start + 4092].view(np.float32), copy=False)

    @pytest.mark.parametrize("name", BACKENDS)
    def test_a_view_of_the_result_is_read_only_or_private(self, name: str) -> None:
        with ub.use(name):
            x = ub.ones(3)
            y = np.asarray(x)
            try:
                y[0] = 5.0
            except ValueError:
                return
            assert name == "numpy" or float(x[0]) == 1.0
