"""Conversion between dtypes on JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ... import _results, _shapes, dtypes
from ...ops.data_types import can_cast, finfo, iinfo, isdtype, result_type
from .creation import _device
from .promotion import strong

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    array, wanted = strong(x), dtypes.as_dtype(dtype, "astype")
    _results.castable("astype", array.dtype, wanted)
    copy = _shapes.flag("astype", "copy", copy)
    if array.dtype != wanted:
        array = array.astype(wanted)
    elif copy:
        array = jnp.array(array)
    return array if device is None else jax.device_put(array, _device(device))
