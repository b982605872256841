"""Keras and tf.data take TensorFlow arrays as they take tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub

X = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
Y = X.sum(1, keepdims=True)


@pytest.fixture(autouse=True)
def arrays() -> Iterator[None]:
    with ub.use("tensorflow"):
        yield


def model() -> Any:
    keras.utils.set_random_seed(0)
    layers = [keras.layers.Dense(8, "relu"), keras.layers.LayerNormalization()]
    found = keras.Sequential([*layers, keras.layers.Dense(1)])
    found.compile(keras.optimizers.Adam(0.01), "mse")
    return found


def test_layers_take_them() -> None:
    ours = model()(ub.asarray(X))
    np.testing.assert_array_equal(ours, model()(tf.constant(X)))
    assert keras.layers.Embedding(5, 2)(ub.asarray([0, 1])).shape == (2, 2)
    assert keras.layers.Conv1D(2, 2)(ub.asarray(X[None])).shape == (1, 31, 2)


def test_a_model_learns_the_same_from_them() -> None:
    ours, theirs = model(), model()
    found = ours.fit(ub.asarray(X), ub.asarray(Y), epochs=3, verbose=0, shuffle=False)
    right = theirs.fit(X, Y, epochs=3, verbose=0, shuffle=False)
    assert found.history == right.history
    np.testing.assert_array_equal(
        ours.predict(ub.asarray(X), verbose=0), theirs.predict(X, verbose=0)
    )
    loss = ours.evaluate(ub.asarray(X), ub.asarray(Y), verbose=0)
    assert loss == theirs.evaluate(X, Y, verbose=0)


def test_a_loss_and_a_layer_written_with_ub() -> None:
    class Product(keras.layers.Layer):  # type: ignore[misc]
        def build(self, shape: Any) -> None:
            self.w = self.add_weight(shape=(shape[-1], 1))

        def call(self, x: Any) -> Any:
            return ub.native(ub.matmul(ub.asarray(x), ub.asarray(self.w)))

    def loss(y: Any, found: Any) -> Any:
        return ub.mean(ub.square(ub.subtract(y, found)))

    line = keras.Sequential([Product()])
    line.compile(keras.optimizers.SGD(0.1), loss)
    history = line.fit(ub.asarray(X), ub.asarray(Y), epochs=30, verbose=0).history["loss"]
    assert history[-1] < history[0] / 10


def test_optimizers_take_gradients_of_ours() -> None:
    gradient = ub.grad(lambda x: ub.sum(ub.square(x)))(ub.asarray([1.0, 2.0]))
    variable = tf.Variable([1.0, 2.0])
    keras.optimizers.SGD(0.25).apply_gradients([(gradient, variable)])
    assert variable.numpy().tolist() == [0.5, 1.0]
    own = keras.Variable(np.float32([1.0, 2.0]))
    keras.optimizers.SGD(0.25).apply([gradient], [own])
    assert own.numpy().tolist() == [0.5, 1.0]


def test_data_takes_them() -> None:
    x, y = ub.asarray(X), ub.asarray(Y)
    pairs = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
    doubled = pairs.map(lambda a, b: (ub.multiply(a, 2), b))
    first, _ = next(iter(doubled))
    np.testing.assert_array_equal(first, 2 * X[:8])
    named = next(iter(tf.data.Dataset.from_tensors({"x": x})))
    np.testing.assert_array_equal(named["x"], X)
    spec = tf.TensorSpec((4,), tf.float32)
    rows = tf.data.Dataset.from_generator(lambda: iter(x), output_signature=spec)
    np.testing.assert_array_equal(list(rows), X)


def test_a_model_learns_from_such_data() -> None:
    pairs = tf.data.Dataset.from_tensor_slices((ub.asarray(X), ub.asarray(Y))).batch(8)
    history = model().fit(pairs, epochs=5, verbose=0, shuffle=False).history["loss"]
    assert history[-1] < history[0]
