"""Indexing on TensorFlow against NumPy: every kind of key, shapes to twelve axes, every mode."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import unibackend as ub
from unibackend.backends.tensorflow.array import Array
from unibackend.errors import DtypeError, ShapeError, TracingError


@pytest.fixture(autouse=True)
def _active():
    with ub.use("tensorflow", x64=True):
        yield


@st.composite
def keys(draw, shape, masks=True):
    """Return a key that NumPy takes for an array of this shape."""
    kinds = st.sampled_from(["slice", "slice", "integer", "indices", "mask" if masks else "slice"])
    common = draw(st.lists(st.integers(1, 3), max_size=2))
    bounds = st.none() | st.integers(-4, 4)
    steps = st.sampled_from([None, 1, 2, -1, -2])
    key = []
    for size in shape[: draw(st.integers(0, len(shape)))]:
        kind = draw(kinds)
        if kind == "slice" or (size == 0 and kind != "mask"):
            key.append(slice(draw(bounds), draw(bounds), draw(steps)))
        elif kind == "mask":
            bits = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            key.append(np.asarray(bits, bool))
        elif kind == "integer":
            key.append(draw(st.integers(-size, size - 1)))
        else:
            sizes = [draw(st.sampled_from([1, n])) for n in common]
            count = int(np.prod(sizes))
            numbers = draw(st.lists(st.integers(-size, size - 1), min_size=count, max_size=count))
            indices = np.asarray(numbers, draw(st.sampled_from(["int8", "int32", "int64"])))
            indices = indices.reshape(sizes)
            key.append(indices.tolist() if draw(st.booleans()) else indices)
    for _ in range(draw(st.integers(0, 2))):
        key.insert(draw(st.integers(0, len(key))), None)
    if draw(st.booleans()):
        # the rest of the key counts from the end, where sizes are others: slices fit any
        place = draw(st.integers(0, len(key)))
        rest = [slice(None) if part is not None else None for part in key[place:]]
        key[place:] = [Ellipsis, *rest]
    return tuple(key)


@st.composite
def cases(draw, most_axes=12, masks=True):
    rank = draw(st.integers(0, most_axes))
    sizes = st.integers(0 if rank < 5 else 1, 3 if rank < 7 else 2)
    shape = tuple(draw(st.lists(sizes, min_size=rank, max_size=rank)))
    key = draw(keys(shape, masks))
    return np.arange(np.prod(shape), dtype="float32").reshape(shape), key


def expected(a, key):
    try:
        return a[key]
    except IndexError:
        return None


@settings(max_examples=400)
@given(case=cases())
def test_eager(case):
    a, key = case
    wanted = expected(a, key)
    x = ub.asarray(a)
    if wanted is None:
        with pytest.raises(IndexError):
            x[key]
        return
    got = x[key]
    assert got.shape == wanted.shape
    np.testing.assert_array_equal(ub.to_numpy(got), wanted)


def unknown(f, x):
    spec = tf.TensorSpec([None] * len(x.shape), x.dtype)
    return tf.function(f, autograph=False, input_signature=[spec])(x)


def mapped(f, x):
    def body(pair):
        return tf.vectorized_map(f, pair, fallback_to_while_loop=False)

    first, second = tf.unstack(tf.function(body, autograph=False)(tf.stack([x, x + 1])))
    np.testing.assert_array_equal(first + 1, second)
    return first


TRACES = {
    "graph": lambda f, x: tf.function(f, autograph=False)(x),
    "unknown": unknown,
    "xla": lambda f, x: tf.function(f, autograph=False, jit_compile=True)(x),
    "mapped": mapped,
}


@pytest.mark.parametrize("trace", TRACES)
@settings(max_examples=25)
@given(case=cases(most_axes=9))
def test_traced(trace, case):
    a, key = case
    wanted = expected(a, key)
    assume(wanted is not None)
    got = TRACES[trace](lambda tensor: Array(tensor)[key].tensor, tf.constant(a)).numpy()
    assert got.shape == wanted.shape
    np.testing.assert_array_equal(got, wanted)


@settings(max_examples=150)
@given(case=cases(most_axes=5), how=st.sampled_from(["set", "add", "multiply", "min", "max"]))
def test_updates(case, how):
    a, key = case
    place = expected(np.arange(a.size).reshape(a.shape), key)
    assume(place is not None)
    if how == "set":
        assume(np.unique(place).size == place.size)  # which of two values wins is not said
    values = np.linspace(-2, 9, place.size, dtype="float32").reshape(place.shape)
    wanted = a.copy()
    if how == "set":
        wanted[key] = values
    else:
        ufunc = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}
        ufunc[how].at(wanted.reshape(-1), place.reshape(-1), values.reshape(-1))
    got = getattr(ub.at(ub.asarray(a))[key], how)(values)
    assert got.dtype == a.dtype
    np.testing.assert_allclose(ub.to_numpy(got), wanted, rtol=1e-6)


def test_masks_of_several_axes():
    a = np.arange(24).reshape(2, 3, 4)
    x = ub.asarray(a)
    mask = a % 3 == 0
    np.testing.assert_array_equal(ub.to_numpy(x[ub.asarray(mask)]), a[mask])
    np.testing.assert_array_equal(ub.to_numpy(x[mask[:, :, 0]]), a[mask[:, :, 0]])
    np.testing.assert_array_equal(ub.to_numpy(x[..., mask[0, 0]]), a[..., mask[0, 0]])
    assert x[True].shape == (1, 2, 3, 4)
    assert x[False].shape == (0, 2, 3, 4)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (3, "out of bounds"),
        (-4, "out of bounds"),
        ((0, 0, 0), "3 indices"),
        (np.asarray([0, 3]), "out of bounds"),
        (1.0, "float"),
        (np.asarray([1.0]), "float64"),
        ("a", "str"),
        (np.ones(2, bool), "mask"),
        ((Ellipsis, Ellipsis), "ellipsis"),
        (slice(None, None, 0), "step"),
        (slice(1.5, None), "integer"),
        ((np.asarray([0, 1]), np.asarray([0, 1, 0])), "broadcast"),
    ],
)
def test_bad_keys(key, text):
    with pytest.raises(IndexError, match=text):
        ub.ones((3, 2))[key]


def test_a_traced_mask_is_refused():
    @tf.function(autograph=False)
    def f(tensor):
        x = Array(tensor)
        with pytest.raises(TracingError, match=r"ub\.where"):
            x[x > 0]
        with pytest.raises(TracingError, match="concrete"):
            x[: ub.sum(x).astype(int)]
        return x[np.asarray([True, False, True])].tensor  # host data have values

    assert f(tf.constant([1.0, 2.0, 3.0])).numpy().tolist() == [1.0, 3.0]


def test_traced_indices():
    a = np.arange(12).reshape(3, 4)

    def f(tensor, i, j):
        x, i, j = Array(tensor), Array(i), Array(j)
        return x[i].tensor, x[i, j].tensor, x[:, j].tensor, x[i, :, None].tensor

    for make in ({}, {"jit_compile": True}):
        g = tf.function(f, autograph=False, **make)
        got = g(tf.constant(a), tf.constant(-1), tf.constant([0, 9, -2]))
        wanted = a[-1], a[-1, [0, 3, -2]], a[:, [0, 3, -2]], a[-1, :, None]
        for one, other in zip(got, wanted, strict=True):
            np.testing.assert_array_equal(one, other)


def test_caller_may_overwrite_its_indices():
    x, indices = ub.arange(1000), np.zeros(100_000, np.int32)
    taken = []
    for _ in range(20):
        indices[:] = 1
        taken.append(x[indices])
        indices[:] = 7
    assert all(bool(ub.all(one == 1)) for one in taken)


def test_gradients():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    values = tf.constant([10.0, 20.0])
    with tf.GradientTape() as tape:
        tape.watch([x, values])
        y = ub.at(Array(x))[[0, 0], [1, 1]].add(Array(values))
        z = ub.sum(y[:, ::-1] * y) + ub.sum(y[[1, 1]]) + ub.sum(ub.at(y)[0].set(0.0))
    gradient, by_values = tape.gradient(z, [x, values])
    changed = np.asarray([[1.0, 32.0, 3.0], [4.0, 5.0, 6.0]])
    wanted = 2 * changed[:, ::-1] + np.asarray([[0.0] * 3, [3.0] * 3])
    np.testing.assert_allclose(gradient, wanted)
    np.testing.assert_allclose(by_values, [64.0, 64.0])


def test_updates_keep_the_dtype():
    x = ub.asarray([1, 2, 3], dtype="int8")
    assert ub.at(x)[0].set(5).dtype == ub.int8
    with pytest.raises(DtypeError, match="int8"):
        ub.at(x)[0].set(1.5)
    with pytest.raises(ShapeError, match="broadcast"):
        ub.at(x)[:2].set(ub.asarray([1, 2, 3], dtype="int8"))
    assert ub.at(x)[[0, 0]].add(2).tolist() == [5, 2, 3]
    assert ub.at(ub.asarray([1.0, 2.0]))[0].max(ub.nan).tolist()[1] == 2.0
    assert ub.isnan(ub.at(ub.asarray([1.0, 2.0]))[0].max(ub.nan)).tolist() == [True, False]


@pytest.mark.parametrize("trace", TRACES)
def test_take(trace):
    a = np.arange(24.0).reshape(2, 3, 4)
    indices = np.asarray([[2, 0], [-1, 1]])

    def f(tensor):
        return ub.take(Array(tensor), indices, axis=1).tensor

    np.testing.assert_array_equal(TRACES[trace](f, tf.constant(a)), np.take(a, indices, 1))
    along = np.asarray([[[0, 3, -1]]] * 2)

    def g(tensor):
        return ub.take_along_axis(Array(tensor), along).tensor

    wanted = np.take_along_axis(a, np.broadcast_to(along, (2, 3, 3)), -1)
    np.testing.assert_array_equal(TRACES[trace](g, tf.constant(a)), wanted)
    with pytest.raises(IndexError, match="out of bounds"):
        ub.take(ub.asarray(a), [3], axis=1)


def test_a_mask_without_elements_selects_nothing(backend: str) -> None:
    """The standard lets a mask have 0 elements along any axis; other sizes must be those of x."""
    for shape, mask, expected in (
        ((1,), (0,), (0,)),
        ((2, 3), (0,), (0, 3)),
        ((2, 3), (2, 0), (0,)),
        ((2, 3), (0, 3), (0,)),
        ((0, 3), (0, 0), (0,)),
    ):
        x, nothing = ub.ones(shape), ub.zeros(mask, dtype=ub.bool)
        assert x[nothing].shape == expected
        assert ub.all(ub.at(x)[nothing].set(2.0) == x)
    with pytest.raises(IndexError):
        ub.ones((2, 3))[ub.zeros((0, 2), dtype=ub.bool)]
