"""Rows added and cut off on NumPy, where nothing is compiled: for the same results and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._values import output


def pad_rows(x: Any, size: int, zeros: bool = False) -> Any:
    added = size - len(x)
    if zeros or len(x) == 0:
        rows = np.zeros((added, *x.shape[1:]), x.dtype)
    else:
        rows = np.repeat(x[-1:], added, axis=0)
    return np.concatenate([x, rows])


def first_rows(x: Any, count: int) -> Any:
    return x[:count]


def part(x: Any, start: int, size: int, axis: int) -> Any:
    return x[(slice(None),) * axis + (slice(start, start + size),)]


def output_shapes(
    function: Callable[[list[Any]], list[Any]], leaves: list[Any], sizes: list[int | None]
) -> list[tuple[int | None, ...]]:
    arrays = [
        x if size is None else pad_rows(x, size) for x, size in zip(leaves, sizes, strict=True)
    ]
    with np.errstate(all="ignore"):  # what there is to say was said by the call itself
        return [np.shape(output(x, "compile")) for x in function(arrays)]
