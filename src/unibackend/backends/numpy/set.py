"""Distinct elements, on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes
from ...ops.set import UniqueAllResult, UniqueCountsResult, UniqueInverseResult
from .promotion import NumpyArray, promote

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


def _comparable(array: NumpyArray) -> NumpyArray:
    """Return what sorts alike: ml_dtypes leaves arrays with NaN in disorder."""
    return array.astype(_results.wide(array.dtype), copy=False)


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> NumpyArray:
    a, b = map(_comparable, promote("isin", x1, x2))
    return np.asarray(np.isin(a, b, invert=_shapes.flag("isin", "invert", invert)))


def unique_all(x: Any, /) -> UniqueAllResult:
    array = np.asarray(x)
    # with the places, since NumPy then takes the first of 0.0 and -0.0
    _, *places = np.unique(_comparable(array), True, True, True, equal_nan=False)
    first, inverse, counts = (one.astype(dtypes.default(int), copy=False) for one in places)
    return UniqueAllResult(array.reshape(-1)[first], first, inverse.reshape(array.shape), counts)


def unique_counts(x: Any, /) -> UniqueCountsResult:
    found = unique_all(x)
    return UniqueCountsResult(found.values, found.counts)


def unique_inverse(x: Any, /) -> UniqueInverseResult:
    found = unique_all(x)
    return UniqueInverseResult(found.values, found.inverse_indices)


def unique_values(x: Any, /) -> Any:
    return unique_all(x).values
