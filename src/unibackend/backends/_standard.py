"""What every namespace shares: the standard's dtypes and constants, and the entry into it."""

from __future__ import annotations

from collections.abc import Callable
from math import e, inf, nan, pi
from typing import Any

from .. import arrays
from ..dtypes import bool_ as bool
from ..dtypes import (
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ..ops.data_types import isdtype, result_type
from ..settings import within
from ._inspection import Info, __array_api_version__, info_of

__all__ = [
    "__array_api_version__",
    "bool",
    "complex64",
    "complex128",
    "e",
    "float16",
    "float32",
    "float64",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "nan",
    "newaxis",
    "pi",
    "result_type",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

newaxis = None


def entry_of(name: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[[], Info]]:
    """Return `asarray`, `from_dlpack` and `__array_namespace_info__` of one backend.

    They do not depend on which one is active.
    """

    def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: Any = None) -> Any:
        return arrays.asarray(obj, dtype=dtype, device=device, copy=copy, backend=name)

    def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Any:
        with within(name):
            return arrays.from_dlpack(x, device=device, copy=copy)

    return asarray, from_dlpack, info_of(name)
