"""Right answers of what moves elements and computes nothing: they stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .answer import ANSWERS, Answer, Dtype, answers, common, kind, ulp, wide


def copied(value: Any, dtype: Dtype) -> Answer:
    """Return the answer of elements that are what they were, signs of zeros and NaN included."""
    return Answer(np.asarray(value) if kind(dtype) == "b" else wide(value), dtype, None)


def moves(name: str, function: Callable[..., Any]) -> None:
    """Put an operation into the table that moves elements; `function` is NumPy's."""

    def answer(x: Any, *static: Any, **options: Any) -> Any:
        result = function(x, *static, **options)
        if isinstance(result, tuple):
            return [copied(one, x.dtype) for one in result]
        return copied(result, x.dtype)

    ANSWERS[name] = answer


moves("broadcast_to", np.broadcast_to)
moves("unstack", lambda x, axis: tuple(np.moveaxis(x, axis, 0)))
moves("expand_dims", np.expand_dims)
moves("flip", np.flip)
moves("moveaxis", np.moveaxis)
moves("permute_dims", np.transpose)
moves("matrix_transpose", lambda x: np.swapaxes(x, -1, -2))
moves("roll", np.roll)
moves("squeeze", np.squeeze)
moves("tile", np.tile)


@answers("reshape")
def _reshape(x: Any, shape: Any, copy: Any = None, order: Any = "C") -> Answer:
    return copied(np.reshape(x, shape, order), x.dtype)


@answers("repeat")
def _repeat(x: Any, repeats: Any, axis: Any) -> Answer:
    return copied(np.repeat(x, repeats, axis), x.dtype)


@answers("pad")
def _pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Answer:
    if not x.ndim:
        return copied(x, x.dtype)
    options = {"constant_values": np.asarray(constant_values, x.dtype)}
    return copied(np.pad(x, pad_width, mode, **(options if mode == "constant" else {})), x.dtype)  # type: ignore[call-overload]


def convert(x: Any, dtype: Dtype) -> Any:
    """Return an operand in a common dtype, then in wide arithmetic."""
    with np.errstate(all="ignore"):
        return wide(x.astype(dtype))


def rounded_twice(value: Any, dtype: Dtype) -> Any:
    """Return the bound where operands were converted: a 16 bit one may be rounded twice."""
    return 2.0**-8 * ulp(value, dtype) if kind(dtype) in "fc" else 0


def _joined(join: Callable[..., Any]) -> Callable[..., Answer]:
    def answer(*parts: Any, axis: Any) -> Answer:
        dtype = parts[0].dtype
        for part in parts[1:]:
            dtype = common(dtype, part.dtype)
        result = join([convert(part, dtype) for part in parts], axis=axis)
        return Answer(result, dtype, rounded_twice(result, dtype))

    return answer


ANSWERS["concat"] = _joined(np.concatenate)
ANSWERS["stack"] = _joined(np.stack)


@answers("broadcast_arrays")
def _broadcast_arrays(*parts: Any) -> list[Answer]:
    return [
        copied(one, part.dtype)
        for one, part in zip(np.broadcast_arrays(*parts), parts, strict=True)
    ]
