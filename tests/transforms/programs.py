"""Random functions built from the declared operations, exact on small whole numbers.

A program is a list of small integers. Each picks an operation that fits the array at hand, so
that every list is a function of any array. All operations give whole numbers from whole numbers,
far below 2**53 for the operands drawn here: float64 results are exact, and whatever order a
backend computes in, two ways to the same answer are equal to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

import unibackend as ub

TABLE = np.array([[1.0, -1.0, 2.0], [0.0, 3.0, -2.0], [1.0, 1.0, 0.0]])

Step = Callable[[Any, Any], Any]

# Each takes the array at hand and the one that the function was given.
ANY: tuple[Step, ...] = (
    lambda x, start: x + 1.0,
    lambda x, start: 2 - x,
    lambda x, start: -x,
    lambda x, start: ub.maximum(x, ub.asarray(1.0)),
    lambda x, start: ub.minimum(x, 2),
    lambda x, start: ub.where(x > 0, x, 3.0 * x),
    lambda x, start: ub.clip(x, -5.0, 5.0) * 2.0,
    lambda x, start: ub.clip(x, -9.0, 9.0) * ub.sum(ub.clip(start, -3.0, 3.0)),
    lambda x, start: x + ub.sum(start),
    lambda x, start: x - ub.max(start),
    lambda x, start: ub.square(ub.clip(x, -9.0, 9.0)),
    lambda x, start: ub.abs(x) + ub.sign(x),
    lambda x, start: ub.expand_dims(x, axis=0) if x.ndim < 3 else x,
    lambda x, start: ub.reshape(x, (-1,)),
    lambda x, start: ub.astype(x, ub.int32) * 1.0,
    lambda x, start: ub.floor_divide(x, 2.0),
)
WITH_AXES: tuple[Step, ...] = (
    lambda x, start: ub.sum(x, axis=-1),
    lambda x, start: ub.max(x, axis=0),
    lambda x, start: ub.sum(x, axis=0, keepdims=True),
    lambda x, start: ub.flip(x, axis=-1),
    lambda x, start: ub.roll(x, 1, axis=0),
    lambda x, start: ub.permute_dims(x, tuple(reversed(range(x.ndim)))),
    lambda x, start: ub.concat([x, x * 2.0], axis=0)[: max(1, x.shape[0])],
    lambda x, start: ub.stack([x, x], axis=-1)[..., 0],
    lambda x, start: ub.cumulative_sum(x, axis=x.ndim - 1),
    lambda x, start: ub.sort(x, axis=-1),
    lambda x, start: ub.take(x, ub.asarray([0, 0]), axis=-1) if x.shape[-1] else x,
    lambda x, start: x[..., :1] + x,
    lambda x, start: ub.at(x)[..., 0].add(1.0) if x.shape[-1] else x,
    lambda x, start: ub.matmul(x, ub.asarray(TABLE)) if x.shape[-1] == 3 else x,
    lambda x, start: ub.vecdot(x, x) if np.prod(x.shape) else x,
    lambda x, start: ub.argmax(x, axis=-1) * 1.0 if x.shape[-1] else x,
    lambda x, start: ub.squeeze(x, axis=0) if x.shape[0] == 1 else x,
)

programs = st.lists(st.integers(0, len(ANY) + len(WITH_AXES) - 1), min_size=1, max_size=4)
whole_numbers = st.integers(-3, 3).map(float)


def run(program: Sequence[int], x: Any) -> Any:
    """Return what a program makes of an array."""
    start = x
    for number in program:
        steps = ANY + WITH_AXES if x.ndim else ANY
        x = steps[number % len(steps)](x, start)
    return x


# The same without the steps that have no derivative, or one that depends on the order of ties.
_SMOOTH: tuple[Step, ...] = (
    lambda x, start: x + 1.0,
    lambda x, start: 2.0 - x * 0.5,
    lambda x, start: ub.sin(x),
    lambda x, start: ub.tanh(x) * start[0],
    lambda x, start: x * ub.sum(start),
    lambda x, start: ub.exp(-x * x),
    lambda x, start: ub.flip(x, axis=-1),
    lambda x, start: ub.cumulative_sum(x, axis=0),
    lambda x, start: ub.matmul(x, ub.asarray(TABLE)),
    lambda x, start: x[..., :1] * x,
    lambda x, start: ub.at(x)[0].multiply(2.0),
    lambda x, start: ub.log1p(x * x),
    lambda x, start: ub.sqrt(1.0 + x * x),
    lambda x, start: ub.roll(x, 1, axis=0) / (2.0 + ub.cos(x)),
)

smooth_programs = st.lists(st.integers(0, len(_SMOOTH) - 1), min_size=1, max_size=4)


def run_smooth(program: Sequence[int], x: Any) -> Any:
    """Return the number that a differentiable program makes of an array of three."""
    start = x
    for number in program:
        x = _SMOOTH[number](x, start)
    return ub.sum(x)
