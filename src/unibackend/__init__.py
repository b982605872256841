"""Write array code once; run it on JAX, TensorFlow or NumPy, chosen by configuration.

    >>> import unibackend as ub
    >>> with ub.use("numpy"):
    ...     ub.matmul([[1.0, 2.0]], [[3.0], [4.0]])
    array([[11.]], dtype=float32)
"""

from math import e, inf, nan, pi

from . import dtypes, errors, ops, tree
from .arrays import (
    asarray,
    backend_of,
    block_until_ready,
    devices,
    from_dlpack,
    namespace,
    native,
    to_device,
    to_numpy,
)
from .constants import constant
from .dtypes import (
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
from .dtypes import bool_ as bool
from .ops import *
from .settings import Settings, configure, settings, use
from .transforms import compile, vmap
from .typing import Array, ArrayLike

__version__ = "0.1.0"

newaxis = None


def __getattr__(name: str) -> object:
    if name == "bfloat16":  # needs ml_dtypes, imported when somebody asks
        return dtypes.bfloat16
    if name in ("backends", "memory", "testing"):
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
