"""Conversion between dtypes on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes
from ...ops.data_types import can_cast, finfo, iinfo, isdtype, result_type
from .creation import _placed
from .promotion import NumpyArray

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> NumpyArray:
    array, wanted = np.asarray(x), dtypes.as_dtype(dtype, "astype")
    _results.castable("astype", array.dtype, wanted)
    copy = _shapes.flag("astype", "copy", copy)
    if array.dtype != wanted or copy:
        array = dtypes.converted(array, wanted)
    return _placed(array, device)
