"""Conversion between dtypes on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _results, dtypes
from ...ops.data_types import isdtype, result_type
from .creation import _placed
from .promotion import NumpyArray

__all__ = ["astype", "isdtype", "result_type"]


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> NumpyArray:
    array, wanted = np.asarray(x), dtypes.as_dtype(dtype, "astype")
    _results.castable("astype", array.dtype, wanted)
    return _placed(array.astype(wanted, copy=copy), device)
