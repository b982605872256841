"""TensorFlow's array as an object, and numerics that only TensorFlow needs care for."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf
from jaxtyping import Float

import unibackend as ub
from unibackend.backends import tensorflow as namespace
from unibackend.backends.tensorflow.array import Array
from unibackend.errors import (
    DtypeError,
    MixedBackendsError,
    RangeError,
    ShapeError,
    TracingError,
    UnsupportedError,
)

WAYS = {
    "eager": lambda f: f,
    "graph": lambda f: tf.function(f, autograph=False),
    "xla": lambda f: tf.function(f, autograph=False, jit_compile=True),
}


@pytest.fixture(autouse=True)
def _active():
    with ub.use("tensorflow", x64=True):
        yield


def run(way, f, *values):
    """Return NumPy's values of a function of arrays, in one way of TensorFlow."""
    native = WAYS[way](lambda *tensors: f(*map(Array, tensors)).tensor)
    return native(*map(tf.constant, values)).numpy()


def traced(f, *values):
    """Call a function with arrays that have no values."""
    results = []

    def body(*tensors):
        results.append(f(*map(Array, tensors)))
        return 0

    tf.function(body, autograph=False)(*map(tf.constant, values))
    return results[0]


def test_attributes():
    x = ub.asarray([[1.0, 2.0, 3.0]])
    assert (x.dtype, x.shape, x.ndim, x.size) == (ub.float64, (1, 3), 2, 3)
    assert (x.itemsize, x.nbytes, x.device) == (8, 24, "cpu:0")
    assert x.__array_namespace__() is namespace is ub.namespace(x)
    assert x.__array_namespace__(api_version="2025.12") is namespace
    with pytest.raises(ValueError, match=r"2030\.12"):
        x.__array_namespace__(api_version="2030.12")
    assert x.to_device("cpu") is x
    with pytest.raises(ValueError, match="stream"):
        x.to_device("cpu", stream=1)
    with pytest.raises(AttributeError, match=r"ub\.to_numpy"):
        x.numpy()


def test_transposes_need_the_right_number_of_axes():
    x = ub.reshape(ub.arange(6), (1, 2, 3))
    assert x.mT.shape == (1, 3, 2)
    assert x[0].T.tolist() == [[0, 3], [1, 4], [2, 5]]
    with pytest.raises(ShapeError, match=r"x\.mT"):
        _ = x.T


def test_unknown_sizes():
    @tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec(None)], autograph=False)
    def f(rows, anything):
        x = Array(rows)
        assert x.shape == (None, 2)
        assert x.ndim == 2
        for ask in (
            lambda: x.size,
            lambda: len(x),
            lambda: list(x),
            lambda: ub.reshape(x, x.shape),
        ):
            with pytest.raises(TracingError, match="unknown|not known"):
                ask()
        for ask in (lambda: Array(anything).shape, lambda: Array(anything).ndim):
            with pytest.raises(TracingError, match="number of axes is unknown"):
                ask()
        return ub.sum(ub.reshape(x, (-1,)) * 2).tensor

    assert f(tf.ones([3, 2]), tf.ones([1])) == 12


def test_python_numbers():
    assert int(ub.asarray(3)) == 3
    assert float(ub.asarray(2)) == 2.0
    assert complex(ub.asarray(1.5)) == 1.5
    assert [10, 20, 30][ub.asarray(1)] == 20
    assert bool(ub.asarray([[1]]))
    assert not ub.asarray(0.0)
    assert ub.asarray([1.5]).item() == 1.5
    assert ub.asarray([[1, 2]]).tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ub.asarray([1, 2]))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(ub.zeros(0))
    with pytest.raises(TypeError, match="without axes"):
        float(ub.asarray([1.0]))
    with pytest.raises(TypeError, match="no integer"):
        range(ub.asarray(1.0))
    with pytest.raises(TypeError, match="complex"):
        float(ub.asarray(1j))


@pytest.mark.parametrize(
    "ask", [bool, int, float, complex, list, range, np.asarray, pickle.dumps, lambda x: x.item()]
)
def test_values_are_refused_in_a_trace(ask):
    value = np.asarray([1]) if ask is list else np.asarray(1)

    def body(x):
        if ask is list:
            return ask(x)[0].shape
        with pytest.raises(TracingError, match="concrete value"):
            ask(x)
        return ()

    assert traced(body, value) == ()


def test_sequence():
    x = ub.asarray([[1, 2], [3, 4]])
    assert len(x) == 2
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert 3 in x
    assert 5 not in x
    a, b = x
    assert (a + b).tolist() == [4, 6]
    for ask in (len, iter, list):
        with pytest.raises(TypeError, match="axes"):
            ask(ub.asarray(1))


def test_arrays_cannot_be_changed():
    x = y = ub.asarray([1, 2])
    with pytest.raises(TypeError, match=r"ub\.at\(x\)\[i\]\.set\(v\)"):
        x[0] = 5
    x += 1
    assert (x.tolist(), y.tolist()) == ([2, 3], [1, 2])
    assert not np.asarray(y).flags.writeable
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_text():
    assert repr(ub.asarray([1.0, 2.0], dtype="float32")) == "Array([1., 2.], dtype=float32)"
    assert repr(ub.asarray(True)) == "Array(True, dtype=bool)"
    assert repr(ub.zeros((0, 2), dtype="int8")) == "Array([], shape=(0, 2), dtype=int8)"
    assert str(ub.asarray([1, 2])) == "[1 2]"
    assert f"{ub.asarray(2.5):.2f}|{ub.asarray([1])}" == "2.50|[1]"
    with pytest.raises(TypeError, match="without axes"):
        f"{ub.asarray([1.0]):.2f}"
    assert traced(repr, np.ones(3)) == "Array(shape=(3,), dtype=float64, traced)"


@pytest.mark.parametrize("dtype", ub.dtypes.NAMES)
def test_pickle_and_copies(dtype):
    x = ub.asarray([0, 1, 1], dtype=dtype)
    for made in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert type(made) is Array
        assert made.dtype == x.dtype
        assert ub.all(made == x)


def test_a_pickle_loads_in_another_process(tmp_path):
    path = tmp_path / "x.pickle"
    path.write_bytes(pickle.dumps(ub.asarray([1.5, 2.0], dtype="bfloat16")))
    code = f"import pickle; print(repr(pickle.load(open({str(path)!r}, 'rb'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Array([1.5, 2], dtype=bfloat16)"


def test_numpy_goes_along():
    x = ub.asarray([1.0, 2.0], dtype="float32")
    for result in (
        np.ones(2, "float32") + x,
        np.float32(1) + x,
        [1.0, 1.0] + x,
        x + np.ones(2, "f4"),
    ):
        assert type(result) is Array
        assert result.tolist() == [2.0, 3.0]
    assert type(np.float32(2) * x) is Array
    assert type(np.sin(x)) is Array
    assert type(np.add(np.ones(2, "f4"), x)) is Array
    with pytest.raises(UnsupportedError, match=r"ub\.cbrt|np\.cbrt"):
        np.cbrt(x)
    with pytest.raises(UnsupportedError, match="host"):
        np.add.reduce(x)
    assert np.asarray(x).tolist() == [1.0, 2.0]
    assert np.asarray(x, dtype=int).dtype == int
    with pytest.raises(ValueError, match="copy"):
        x.__array__(np.float64, copy=False)


def test_operators_check_owners():
    x = ub.ones(2)
    for combine in (lambda a, b: a + b, lambda a, b: a @ b, lambda a, b: a == b):
        with pytest.raises(MixedBackendsError, match="jax"):
            combine(x, jnp.ones(2))
    with pytest.raises(MixedBackendsError):
        jnp.ones(2) + x
    with pytest.raises(TypeError, match="unsupported operand"):
        x + object()
    assert (x == "text") is False
    native = x + tf.ones(2, tf.float64)
    assert type(native) is Array


@pytest.mark.parametrize("way", WAYS)
def test_operators(way):
    a, b = np.asarray([7, -7, 5]), np.asarray([2, 2, -3])
    for f in (
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: x * y,
        lambda x, y: x / y,
        lambda x, y: x // y,
        lambda x, y: x % y,
        lambda x, y: x ** (y * y),
        lambda x, y: x @ y,
        lambda x, y: x & y,
        lambda x, y: x | y,
        lambda x, y: x ^ y,
        lambda x, y: x << (y * y),
        lambda x, y: x >> (y * y),
        lambda x, y: x < y,
        lambda x, y: x <= y,
        lambda x, y: x > y,
        lambda x, y: x >= y,
        lambda x, y: x == y,
        lambda x, y: x != y,
        lambda x, y: -x,
        lambda x, y: +x,
        lambda x, y: abs(x),
        lambda x, y: ~x,
        lambda x, y: 2 + x,
        lambda x, y: 2 - x,
        lambda x, y: 2 * x,
        lambda x, y: 2 / x,
        lambda x, y: 9 // x,
        lambda x, y: 9 % x,
        lambda x, y: 2 ** (y * y),
        lambda x, y: x // 2,
        lambda x, y: x % -3,
        lambda x, y: x**2,
    ):
        expected = np.asarray(f(a, b))
        got = run(way, f, a, b)
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-15)


def test_methods_mean_what_the_functions_mean():
    a = np.asarray([[3.0, -1.0, 2.0], [0.5, 4.0, 4.0]])
    x = ub.asarray(a)
    for f in (
        lambda x: x.all(),
        lambda x: x.any(axis=0),
        lambda x: x.argmax(axis=1),
        lambda x: x.argmin(),
        lambda x: x.argsort(axis=1),
        lambda x: x.astype("int32"),
        lambda x: x.clip(0.0, 3.0),
        lambda x: x.conj(),
        lambda x: x.copy(),
        lambda x: x.cumsum(),
        lambda x: x.cumsum(axis=1),
        lambda x: x.dot(x.T),
        lambda x: x.dot(x[0]),
        lambda x: x.flatten(),
        lambda x: x.max(axis=(0, 1)),
        lambda x: x.mean(axis=0, keepdims=True),
        lambda x: x.min(),
        lambda x: x.prod(axis=0),
        lambda x: x.ravel(),
        lambda x: x.repeat(2, axis=1),
        lambda x: x.reshape(3, 2),
        lambda x: x.reshape((6,)),
        lambda x: x.reshape(-1),
        lambda x: x.round(),
        lambda x: x[None].squeeze(),
        lambda x: x[None].squeeze(0),
        lambda x: x.std(),
        lambda x: x.sum(axis=-1),
        lambda x: x.swapaxes(0, 1),
        lambda x: x.take(np.asarray([0, 2]), axis=1),
        lambda x: x.take(np.asarray([0, 5])),
        lambda x: x.transpose(),
        lambda x: x.transpose(1, 0),
        lambda x: x.transpose((1, 0)),
        lambda x: x.var(axis=1),
        lambda x: x.real,
        lambda x: x.imag,
    ):
        expected = f(a)
        got = f(x)
        assert got.shape == expected.shape
        np.testing.assert_allclose(ub.to_numpy(got), expected, rtol=1e-14)
    np.testing.assert_array_equal(ub.to_numpy(x.sort(axis=1)), np.sort(a, axis=1))
    assert x.at[0].set(0).tolist() == [[0.0, 0.0, 0.0], [0.5, 4.0, 4.0]]


def test_dlpack():
    x = ub.asarray(np.arange(20.0))
    assert x.__dlpack_device__() == (1, 0)
    y = np.from_dlpack(x)
    assert y.tolist() == x.tolist()
    assert np.from_dlpack(x).ctypes.data == y.ctypes.data
    here = {"dl_device": (1, 0), "max_version": (1, 0)}
    for given in (None, False, True):
        z = tf.experimental.dlpack.from_dlpack(x.__dlpack__(copy=given, **here))
        shared = z.__array__().ctypes.data == y.ctypes.data
        assert (z.numpy().tolist(), shared) == (x.tolist(), given is not True)
    with pytest.raises(BufferError, match="dl_device"):
        x.__dlpack__(dl_device=(2, 0))
    assert jnp.from_dlpack(x).tolist() == x.tolist()


def test_tensorflow_takes_it():
    x = ub.asarray([[1.0, 2.0]], dtype="float32")
    v = tf.Variable(tf.ones([1, 2]))
    assert tf.reduce_sum(x).numpy() == 3.0
    assert tf.function(tf.square)(x).numpy().tolist() == [[1.0, 4.0]]
    v.assign(x)
    with tf.GradientTape() as tape:
        loss = ub.sum(ub.asarray(v) ** 2)
    assert tape.gradient(loss, v).numpy().tolist() == [[2.0, 4.0]]
    with pytest.raises(TypeError, match=r"ub\.astype"):
        tf.convert_to_tensor(x, dtype=tf.float64)


def test_jaxtyping_takes_it():
    assert isinstance(ub.ones((2, 3)), Float[ub.Array, "n d"])
    assert isinstance(ub.ones(3, dtype="bfloat16"), Float[ub.Array, " d"])
    assert not isinstance(ub.arange(3), Float[ub.Array, " d"])


# Numerics where TensorFlow's kernels differ from the rule, or from mode to mode.


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_nan_is_kept(way, dtype):
    a = np.asarray([1.0, np.nan, 3.0, np.nan] * 9).astype(dtype)
    assert np.isnan(run(way, ub.max, a).astype(float))
    assert np.isnan(run(way, ub.min, a).astype(float))
    assert run(way, ub.argmax, a) == run(way, ub.argmin, a) == 1
    for f in (ub.maximum, ub.minimum):
        for got in (run(way, f, a, a[::-1].copy()), run(way, f, a[::-1].copy(), a)):
            assert np.isnan(got.astype(float)).all()
    order = run(way, lambda x: ub.argsort(x[:4]), a)
    assert order.tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize("way", WAYS)
def test_nan_comes_after_infinity(way):
    a = np.asarray([np.nan, np.inf, 0.0, -0.0, np.nan, -np.inf, 0.0])
    assert run(way, ub.argsort, a).tolist() == [5, 2, 3, 6, 1, 0, 4]
    assert run(way, lambda x: ub.argsort(x, descending=True), a).tolist() == [0, 4, 1, 2, 3, 6, 5]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", [n for n in ub.dtypes.NAMES if "int" in n])
def test_integers_are_exact(way, dtype):
    limits = np.iinfo(dtype)
    values = np.asarray([limits.min, limits.max, limits.max // 2 + 1, 0, 1, 3], dtype)
    a, b = (m.ravel() for m in np.meshgrid(values, values))
    nonzero = b != 0
    with np.errstate(all="ignore"):
        for f, g in (
            (ub.add, np.add),
            (ub.subtract, np.subtract),
            (ub.multiply, np.multiply),
            (ub.floor_divide, np.floor_divide),
            (ub.remainder, np.remainder),
            (ub.maximum, np.maximum),
            (ub.less, np.less),
            (ub.greater_equal, np.greater_equal),
        ):
            np.testing.assert_array_equal(run(way, f, a, b), g(a, b), err_msg=f.__name__)
        exponents = np.abs(np.where(b < 0, 5, b)).astype(dtype)
        np.testing.assert_array_equal(run(way, ub.pow, a, exponents), np.power(a, exponents))
        np.testing.assert_array_equal(run(way, ub.negative, a), np.negative(a))
        np.testing.assert_array_equal(run(way, lambda x: 0 - x, a), np.negative(a))
    bits = limits.bits
    places = np.asarray([0, 1, bits - 1, bits, bits + 1], dtype)
    ones = np.full(5, limits.max, dtype)
    for f, g in ((ub.bitwise_left_shift, np.left_shift), (ub.bitwise_right_shift, np.right_shift)):
        np.testing.assert_array_equal(run(way, f, ones, places), g(ones, places))
    assert nonzero.any()
    total = run(way, ub.sum, a)
    assert total.dtype == ("uint64" if dtype[0] == "u" else "int64")
    assert run(way, ub.cumulative_sum, a)[-1] == total == np.sum(a)
    order = run(way, ub.argsort, a)
    assert order.tolist() == np.argsort(a, kind="stable").tolist()


@pytest.mark.parametrize("way", WAYS)
def test_floor_division_goes_by_the_remainder(way):
    specials = [1.0, -1.0, 0.0, -0.0, np.inf, -np.inf, np.nan, 7.5, 0.1, -0.1, 3.0]
    a, b = (m.ravel() for m in np.meshgrid(specials, specials))
    with np.errstate(all="ignore"):
        quotient = np.where(np.isinf(a) | np.isinf(b), a / b, np.floor_divide(a, b))
        np.testing.assert_array_equal(run(way, ub.floor_divide, a, b), quotient)
        np.testing.assert_array_equal(run(way, ub.remainder, a, b), np.remainder(a, b))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_are_summed_in_float32(way, dtype):
    a = np.full(5000, 16.0).astype(dtype)
    assert run(way, ub.mean, a).astype(float) == 16.0
    assert run(way, ub.sum, a[:2000]).astype(float) == 32000.0
    assert run(way, ub.var, a).astype(float) == 0.0
    assert run(way, lambda x: ub.vecdot(x[:100], x[:100]), a).astype(float) == 25600.0
    assert a.dtype in (np.float16, ml_dtypes.bfloat16)


@pytest.mark.parametrize("way", ["eager", "graph"])
def test_twelve_axes(way):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(2, 1) * 5 + (2, 2))
    b = rng.normal(size=(1, 2) * 5 + (1, 2))
    condition = a > 0
    for f, g in (
        (ub.add, np.add),
        (ub.maximum, np.maximum),
        (ub.floor_divide, np.floor_divide),
        (lambda x, y: ub.where(x > 0, x, y), lambda x, y: np.where(x > 0, x, y)),
        (lambda x, y: ub.argmax(x, axis=-1), lambda x, y: np.argmax(x, axis=-1)),
        (lambda x, y: ub.flip(x, axis=(0, 10)), lambda x, y: np.flip(x, (0, 10))),
        (lambda x, y: ub.sort(x, axis=0), lambda x, y: np.sort(x, axis=0)),
        (
            lambda x, y: ub.tile(x, (2, 1, 3) + (1,) * 9),
            lambda x, y: np.tile(x, (2, 1, 3) + (1,) * 9),
        ),
        (lambda x, y: ub.max(x, axis=(0, 11)), lambda x, y: np.max(x, axis=(0, 11))),
        (lambda x, y: ub.trunc(x * 3), lambda x, y: np.trunc(x * 3)),
        (lambda x, y: ub.concat([x, x], axis=3), lambda x, y: np.concatenate([x, x], 3)),
    ):
        np.testing.assert_array_equal(run(way, f, a, b), g(a, b))
    assert condition.any()


def test_gradients_at_twelve_axes():
    x = tf.constant(np.random.default_rng(0).normal(size=(2, 1) * 5 + (2, 2)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = ub.sum(ub.concat([ub.clip(Array(x), 0.0, None)] * 2, axis=4))
    assert (tape.gradient(y, x).numpy() == 2.0 * (x.numpy() > 0)).all()


def test_unsigned_constants_of_64_bits_in_graphs():
    """`tf.constant([2**64 - 1], tf.uint64)` is another number in a graph (TensorFlow 2.21)."""
    big = 2**64 - 1
    for way in WAYS:
        assert not run(way, lambda x: x < big, np.asarray([big], "uint64")).any()
        assert run(way, lambda x: x == big, np.asarray([big], "uint64")).all()


@pytest.mark.parametrize(
    ("error", "text", "call"),
    [
        (ShapeError, r"add.*\(2,\) and \(3,\)", lambda: ub.ones(2) + ub.ones(3)),
        (ShapeError, "axis=2", lambda: ub.sum(ub.ones(2), axis=2)),
        (ShapeError, "max", lambda: ub.max(ub.ones((0, 2)), axis=0)),
        (ShapeError, "argmax", lambda: ub.argmax(ub.ones(0))),
        (ShapeError, "step=0", lambda: ub.arange(1, 2, 0)),
        (ShapeError, "fill_value", lambda: ub.full(3, ub.ones(2))),
        (DtypeError, "subtract", lambda: ub.asarray(True) - ub.asarray(True)),
        (DtypeError, "complex|less", lambda: ub.less(ub.asarray(1j), 2)),
        (DtypeError, "integers", lambda: ub.bitwise_and(ub.ones(2), ub.ones(2))),
        (DtypeError, "imaginary", lambda: ub.astype(ub.asarray(1j), float)),
        (RangeError, "300", lambda: ub.asarray([1], dtype="uint8") + 300),
        (ValueError, "power", lambda: ub.asarray([2]) ** -1),
        (ValueError, "to the power", lambda: ub.asarray([2]) ** ub.asarray([-1])),
    ],
)
def test_errors(error, text, call):
    with pytest.raises(error, match=text):
        call()
