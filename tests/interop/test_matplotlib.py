"""Arrays of each backend go into plots as NumPy's do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import unibackend as ub

V = np.linspace(0, 1, 5, dtype="float32")


@pytest.fixture
def axes() -> Iterator[Any]:
    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    yield axes
    figure.canvas.draw()
    pyplot.close(figure)


def test_plot(backend: str, axes: Any) -> None:
    v = ub.asarray(V)
    (line,) = axes.plot(v, v * v)
    np.testing.assert_array_equal(line.get_xydata(), np.stack([V, V * V], 1))
    (alone,) = axes.plot(v)
    np.testing.assert_array_equal(alone.get_ydata(), V)


def test_imshow(backend: str, axes: Any) -> None:
    image = axes.imshow(ub.asarray(np.outer(V, V)))
    np.testing.assert_array_equal(image.get_array(), np.outer(V, V))


def test_scatter(backend: str, axes: Any) -> None:
    v = ub.asarray(V)
    points = axes.scatter(v, v, s=v * 10 + 1, c=v)
    np.testing.assert_array_equal(points.get_offsets(), np.stack([V, V], 1))
    np.testing.assert_array_equal(points.get_array(), V)


def test_hist(backend: str, axes: Any) -> None:
    counts, edges, _ = axes.hist(ub.asarray(V), bins=3)
    right, right_edges = np.histogram(V, bins=3)
    np.testing.assert_array_equal(counts, right)
    np.testing.assert_array_equal(edges, right_edges)
