"""Dtypes of arrays: conversion, kinds and the rule of promotion."""

from __future__ import annotations

from typing import Any

from ... import _results, _shapes, dtypes
from ...ops.data_types import can_cast, finfo, iinfo, isdtype, result_type
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .creation import on_device
from .promotion import cast, to_array

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    tensor = to_array("astype", x)
    wanted = dtypes.as_dtype(dtype, "astype")
    _results.castable("astype", NUMPY_DTYPES[tensor.dtype], wanted)
    _shapes.flag("astype", "copy", copy)
    with on_device(device):
        # arrays cannot be changed, so that one that is shared serves as a copy
        return Array(cast(tensor, TF_DTYPES[wanted]))
