"""Right results of functions of neural networks; sums of exponentials stand with `special`."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from .answer import WIDE, Answer, answers, default, eps, floating, kind, tiny, wide
from .special import (
    EXP,
    LOG1P,
    at_least_normal,
    each,
    elementwise,
    expit,
    ndtr,
    settled,
    through_logistic,
    through_normal,
    working,
)

# exp and log1p: a relative error of the first is one of the argument of the second, whose slope
# does not magnify it. JAX adds the larger of x and 0 with another rounding.
elementwise(
    "nn.softplus",
    each(lambda x: mpmath.log1p(mpmath.exp(x)), high=np.inf, low=0),
    lambda x, v, u: (EXP + LOG1P + 1) * v * u,
)

# A logistic function and a product; infinity times zero is NaN, as in JAX.
elementwise(
    "nn.silu",
    each(lambda x: x * expit(x), high=np.inf),
    lambda x, v, u: through_logistic(x, v, u) + v * u,
    scale=True,
)


def inner(x: Any) -> Any:
    """Return twice what the formula takes the tanh of."""
    return 2 * mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)


_approximate = each(lambda x: x * expit(inner(x)), high=np.inf)
_exact = each(lambda x: x * ndtr(x), high=np.inf)
_slope = each(lambda x: inner(x) * expit(inner(x)) * expit(-inner(x)), high=0, low=0)
_normal = each(ndtr, high=1, low=0)


@answers("nn.gelu")
def gelu(x: Any, approximate: bool = True) -> Answer:
    """x times a logistic function whose argument, all of one sign, has eight roundings.

    Or x times ndtr, by two products.
    """
    dtype = floating(x.dtype)
    operand = x.astype(dtype).astype(WIDE)
    unit = eps(working(dtype))
    value = (_approximate if approximate else _exact)(operand)
    size = np.abs(operand)
    more = 1 + np.where(size < np.inf, size, 0)
    normal = at_least_normal(value, working(dtype), more)
    with np.errstate(all="ignore"):
        if approximate:
            error = through_logistic(operand, normal, unit) + 4 * unit * size * np.abs(
                _slope(operand)
            )
        else:
            error = size * (through_normal(operand, _normal(operand), unit) + tiny(working(dtype)))
        error = error + normal * unit
    return settled(value, dtype, error, 2 * more * tiny(dtype))


@answers("nn.relu")
def relu(x: Any) -> Answer:
    a = wide(x)
    return Answer(np.where(a < 0, 0, a) if kind(x.dtype) == "f" else np.maximum(a, 0), x.dtype)


@answers("nn.one_hot")
def one_hot(x: Any, num_classes: int, dtype: Any = None, axis: int = -1) -> Answer:
    classes = np.arange(num_classes).astype(object)
    found = np.equal(x.astype(object)[..., None], classes).astype(bool)
    wanted = default("f") if dtype is None else np.dtype(dtype)
    return Answer(wide(np.moveaxis(found, -1, axis).astype(wanted)), wanted)
