"""`ub.Array` and `ub.ArrayLike`: annotations, `isinstance` and jaxtyping, on every backend."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from jaxtyping import Float, Int

import unibackend as ub


def test_isinstance(backend: str) -> None:
    x = ub.ones((2, 3), dtype="float32")
    assert isinstance(x, ub.Array)
    assert isinstance(ub.native(x), ub.Array)
    for value in (1, 1.0, [1.0], "text", None, object()):
        assert not isinstance(value, ub.Array)
    assert isinstance(np.float32(1), ub.Array)
    assert isinstance(tf.Variable(1.0), ub.Array)


def test_jaxtyping(backend: str) -> None:
    x = ub.ones((2, 3), dtype="float32")
    assert isinstance(x, Float[ub.Array, "n d"])
    assert not isinstance(x, Float[ub.Array, "n"])
    assert not isinstance(x, Int[ub.Array, "n d"])


def test_the_attributes_of_the_standard(backend: str) -> None:
    x = ub.ones((2, 3), dtype="float32")
    assert x.shape == (2, 3)
    assert all(type(size) is int for size in x.shape)
    assert (x.ndim, x.size, x.T.shape, x.mT.shape) == (2, 6, (3, 2), (3, 2))
    assert x.dtype == ub.float32
    assert {ub.float32: 1}[x.dtype] == 1
    assert x.device == x.device
    assert str(x.device).startswith("cpu") or "cpu" in str(x.device).lower()


def test_habits(backend: str) -> None:
    """What people type on NumPy's and JAX's arrays works on TensorFlow's too."""
    x = ub.asarray([[3.0, 1.0], [2.0, 4.0]])
    assert float(x.sum()) == 10.0
    assert x.mean(axis=0).tolist() == [2.5, 2.5]
    assert x.reshape(-1).shape == x.reshape((4,)).shape == x.ravel().shape == (4,)
    assert x.astype("int32").dtype == ub.int32
    assert x.transpose().tolist() == [[3.0, 2.0], [1.0, 4.0]]
    assert x.max().item() == 4.0
    assert int(x.argmax()) == 3
    assert f"{x[0, 0]:.1f}" == "3.0"
    assert len(x) == 2
    assert [float(row.sum()) for row in x] == [4.0, 6.0]
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_in_place_writes_are_refused_with_the_remedy() -> None:
    for name in ("jax", "tensorflow"):
        with ub.use(name):
            x = ub.zeros(3)
            with pytest.raises(TypeError, match=r"\.at"):
                x[0] = 1.0  # type: ignore[index]
            y = ub.at(x)[0].set(1.0)
            assert (y.tolist(), x.tolist()) == ([1.0, 0.0, 0.0], [0.0, 0.0, 0.0])
