"""Logarithms of complex numbers on TensorFlow, whose own overflow."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub

FUNCTIONS: dict[str, Callable[[Any], Any]] = {"log": ub.log, "log1p": ub.log1p}
WAYS: dict[str, Callable[[Any], Any]] = {
    "eager": lambda f: f,
    "graph": lambda f: tf.function(f, autograph=False),
    "xla": lambda f: tf.function(f, autograph=False, jit_compile=True),
}
PARTS = (0.0, -0.0, 1.0, -1.0, 0.6, -2.0, 1e20, 3e38, 1e-30, np.inf, -np.inf, np.nan)


@pytest.fixture(autouse=True)
def _active() -> Iterator[None]:
    with ub.use("tensorflow", x64=True):
        yield


def run(way: str, name: str, values: Any) -> Any:
    return WAYS[way](lambda z: FUNCTIONS[name](z).tensor)(tf.constant(values)).numpy()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_the_logarithm_is_numpys_everywhere(dtype: str, way: str) -> None:
    values = np.asarray([complex(a, b) for a in PARTS for b in PARTS], dtype)
    with np.errstate(all="ignore"):
        expected = np.log(values.astype(complex))
    result = run(way, "log", values)
    tolerance = 10 * np.finfo(dtype).eps
    np.testing.assert_allclose(result.real, expected.real, tolerance, tolerance)
    np.testing.assert_allclose(result.imag, expected.imag, tolerance, 1e-37)
    known = ~np.isnan(expected.imag)
    assert (np.signbit(result.imag) == np.signbit(expected.imag))[known].all()


@pytest.mark.parametrize("way", WAYS)
def test_in_larger_arrays_nothing_overflows(way: str) -> None:
    result = run(way, "log", np.full(64, 1e20 + 1e20j, "complex64"))
    np.testing.assert_allclose(result, cmath.log(1e20 + 1e20j), 1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_log1p_is_accurate_for_small_numbers_and_at_its_pole(way: str) -> None:
    small = np.asarray([1e-18, 1e-18j, -1e-12 + 1e-9j])
    expected = small - small**2 / 2  # what follows is below the rounding
    np.testing.assert_allclose(run(way, "log1p", small), expected, 1e-15)
    far = np.asarray([0.7 + 2j, -3 - 1j, 1e300 + 1e300j])
    np.testing.assert_allclose(run(way, "log1p", far), np.log1p(far), 1e-15)
    pole = run(way, "log1p", np.asarray([-1 + 0j]))
    assert (pole.real[0], pole.imag[0]) == (-np.inf, 0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scale", [1, 1e-3, 1e18, 1e-18])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_both_derivatives_are_right(name: str, scale: float, way: str) -> None:
    noise = np.random.default_rng(1).normal(size=(2, 64))
    values = np.asarray(scale * (noise[0] + 1j * noise[1]))
    values[:2] = scale * (1 + 1j), scale * (1 - 1j)  # as large a part as the other

    def derivatives(z: Any) -> tuple[Any, Any]:
        with tf.GradientTape() as outer:
            outer.watch(z)
            with tf.GradientTape() as tape:
                tape.watch(z)
                result = FUNCTIONS[name](z).tensor
            first = tape.gradient(result, z)
        return first, outer.gradient(first, z)

    first, second = WAYS[way](derivatives)(tf.constant(values))
    inverse = 1 / (values if name == "log" else 1 + values)
    np.testing.assert_allclose(first, np.conj(inverse), 1e-13)
    np.testing.assert_allclose(second, -np.square(np.conj(inverse)), 1e-13)


def test_arrays_of_many_axes() -> None:
    z = tf.constant(np.full((2,) * 10, 1j))
    with tf.GradientTape() as tape:
        tape.watch(z)
        result = ub.log1p(ub.log(z)).tensor
    np.testing.assert_allclose(result, np.log1p(np.log(z)), 1e-14)
    assert tape.gradient(result, z).shape == z.shape
