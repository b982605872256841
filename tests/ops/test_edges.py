"""Results at edges that differed between backends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unibackend as ub


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_means_of_halves_do_not_overflow(backend: str, name: str) -> None:
    for value, count in ((60000, 4), (1, 70000)):
        values = ub.full(count, value, dtype=name)
        assert ub.mean(values) == values[0]
        assert ub.mean(values).dtype == values.dtype
        assert ub.var(values) == 0
        assert ub.std(values) == 0


def test_the_fractions_of_a_range_are_cut_off(backend: str) -> None:
    for ends, right in (((0, 2.5, 0.5), [0, 0, 1, 1, 2]), ((-100, 101, 200), [-100, 100])):
        result = ub.to_numpy(ub.arange(*ends, dtype="int8"))
        assert result.tolist() == right
    assert ub.to_numpy(ub.arange(3, 0, -1, dtype="uint64")).tolist() == [3, 2, 1]


@pytest.mark.parametrize("keepdims", [True, np.True_])
def test_numpy_bools_are_flags(backend: str, keepdims: Any) -> None:
    for reduce in (ub.sum, ub.mean, ub.max, ub.std, ub.argmax, ub.all, ub.any, ub.prod):
        assert reduce(ub.zeros((2, 3)), axis=1, keepdims=keepdims).shape == (2, 1)


@pytest.mark.parametrize("update", ["set", "add", "multiply", "min", "max"])
@pytest.mark.parametrize("key", [0, slice(1), [0, 1], (Ellipsis, 0)])
def test_values_at_a_place_may_have_leading_ones(backend: str, update: str, key: Any) -> None:
    for given in (np.array([[False, True], [True, False]]), np.arange(4.0).reshape(2, 2)):
        place, values = ub.at(ub.asarray(given))[key], ub.asarray(given[:1, :1])
        plain = getattr(place, update)(values[0, 0])
        assert bool(ub.all(getattr(place, update)(values) == plain))
        assert plain.dtype == given.dtype


def test_bools_add_up_to_or_and_multiply_to_and(backend: str) -> None:
    flags = ub.asarray([True, False])
    for update, value, right in (
        ("add", True, [True, True]),
        ("multiply", False, [False, False]),
        ("min", False, [False, False]),
        ("max", True, [True, True]),
    ):
        assert ub.to_numpy(getattr(ub.at(flags)[[0, 1]], update)(value)).tolist() == right


def test_a_constant_fills(backend: str) -> None:
    assert ub.to_numpy(ub.full(2, ub.constant(2.0))).tolist() == [2, 2]


@pytest.mark.parametrize("k", [2**31, 2**63, 2**70])
def test_a_diagonal_far_outside_of_a_matrix(backend: str, k: int) -> None:
    ones = ub.ones((2, 3))
    for there, below, above in ((k, 6, 0), (-k, 0, 6)):
        assert float(ub.sum(ub.eye(2, 3, k=there))) == 0
        assert float(ub.sum(ub.tril(ones, k=there))) == below
        assert float(ub.sum(ub.triu(ones, k=there))) == above
