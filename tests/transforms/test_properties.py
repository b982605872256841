"""What must hold for every function: mapped, compiled, chunked and differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import unibackend as ub

from .programs import programs, run, run_smooth, smooth_programs, whole_numbers

shapes = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3)


def arrays(shape: Any) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    return hnp.arrays(np.float64, shape, elements=whole_numbers)


def equal(got: Any, expected: Any) -> None:
    """Check that two arrays are the same to the last bit, shape and dtype included."""
    assert got.dtype == expected.dtype
    assert tuple(got.shape) == tuple(expected.shape)
    assert np.array_equal(ub.to_numpy(got), ub.to_numpy(expected))


def by_loop(f: Any, x: Any, y: Any, axes: tuple[Any, Any], size: int) -> dict[str, np.ndarray]:
    """Return what a mapped function must give: each example alone, stacked in front."""

    def example(array: Any, axis: int | None, i: int) -> Any:
        return ub.asarray(array if axis is None else np.take(array, i, axis=axis))

    rows = [f({"x": example(x, axes[0], i)}, example(y, axes[1], i)) for i in range(size)]
    return {key: np.stack([ub.to_numpy(row[key]) for row in rows]) for key in rows[0]}


@given(st.data(), programs, programs)
def test_vmap_is_the_loop(backend, data, first, second):
    size = data.draw(st.integers(1, 3), "size")

    def operand(name: str) -> tuple[np.ndarray[Any, Any], int | None]:
        shape = data.draw(shapes, f"shape of {name}")
        axis = data.draw(st.none() | st.integers(-len(shape) - 1, len(shape)), f"axis of {name}")
        if axis is not None:
            place = axis % (len(shape) + 1)
            shape = (*shape[:place], size, *shape[place:])
        return data.draw(arrays(shape), name), axis

    x, x_axis = operand("x")
    y, y_axis = operand("y")

    def f(tree, y):
        x = tree["x"]
        return {"b": run(first, x), "a": run(second, y) + ub.sum(x)}

    mapped = ub.vmap(f, in_axes=({"x": x_axis}, y_axis), axis_size=size)
    got = mapped({"x": ub.asarray(x)}, ub.asarray(y))
    expected = by_loop(f, x, y, (x_axis, y_axis), size)
    assert list(got) == ["b", "a"]
    for key in expected:
        equal(got[key], ub.asarray(expected[key]))


@given(st.data(), programs)
def test_out_axes_move_the_mapped_axis(backend, data, program):
    x = data.draw(arrays((2, 3)), "x")
    front = ub.vmap(lambda x: run(program, x))(ub.asarray(x))
    axis = data.draw(st.integers(-front.ndim, front.ndim - 1), "axis")
    moved = ub.vmap(lambda x: run(program, x), out_axes=axis)(ub.asarray(x))
    equal(moved, ub.moveaxis(front, 0, axis))


@given(st.data(), programs)
def test_compile_changes_nothing(backend, data, program):
    x = ub.asarray(data.draw(shapes.flatmap(arrays), "x"))
    equal(ub.compile(lambda x: run(program, x))(x), run(program, x))


@given(st.data(), programs)
def test_chunks_change_nothing(backend, data, program):
    x = ub.asarray(data.draw(arrays((5, 3)), "x"))
    chunk = data.draw(st.integers(1, 6), "chunk")
    f = lambda x: run(program, x)  # noqa: E731
    equal(ub.vmap(f, chunk_size=chunk)(x), ub.vmap(f)(x))


@given(st.data(), programs)
def test_buckets_change_nothing(backend, data, program):
    x = ub.asarray(data.draw(arrays((data.draw(st.integers(1, 9), "rows"), 3)), "x"))
    per_row = ub.vmap(lambda x: run(program, x))
    equal(ub.compile(per_row, buckets="powers_of_two")(x), per_row(x))


@pytest.mark.parametrize("owner", ["jax", "tensorflow"])
@given(smooth_programs, arrays(3), st.booleans())
def test_gradients_are_central_differences(owner, program, x, compiled):
    with ub.use(owner, x64=True):
        gradient = ub.grad(lambda x: run_smooth(program, x))
        got = ub.to_numpy((ub.compile(gradient) if compiled else gradient)(ub.asarray(x)))

    def value(i: int, step: float) -> float:
        moved = x.copy()
        moved[i] += step
        return float(run_smooth(program, ub.asarray(moved)))

    def slope(i: int, step: float) -> float:
        return (value(i, step) - value(i, -step)) / (2 * step)

    with ub.use("numpy", x64=True):
        for i in range(3):
            step = 2.0**-13
            coarse, fine = slope(i, step), slope(i, step / 2)
            # A central difference errs by c h**2 (+ O(h**4)): halving h leaves a third of what
            # the two differ by. Rounding errs by a few hundred ulps of the value over the step.
            truncation = abs(coarse - fine)
            rounding = 500 * 2.0**-53 * (1 + abs(value(i, 0.0))) / (step / 2)
            assert abs(got[i] - fine) <= truncation + rounding
