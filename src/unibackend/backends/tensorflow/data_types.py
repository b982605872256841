"""Dtypes of arrays: conversion, kinds and the rule of promotion."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...errors import DtypeError
from ...ops.data_types import isdtype, result_type
from ._kernels import COMPLEX
from .array import TF_DTYPES, Array
from .creation import on_device
from .promotion import cast, to_array

__all__ = ["astype", "isdtype", "result_type"]


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    tensor = to_array("astype", x)
    wanted = TF_DTYPES[dtypes.as_dtype(dtype, "astype")]
    if tensor.dtype in COMPLEX and wanted not in COMPLEX:
        raise DtypeError(
            f"astype: x is complex and dtype={wanted.name!r} would lose its imaginary part; take "
            f"ub.real(x), ub.imag(x) or ub.abs(x) first"
        )
    with on_device(device):
        # arrays cannot be changed, so that one that is shared serves as a copy
        return Array(cast(tensor, wanted))
