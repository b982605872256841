"""Write array code once; run it on JAX, TensorFlow or NumPy, chosen by configuration.

>>> import unibackend as ub
>>> with ub.use("numpy"):
...     ub.matmul([[1.0, 2.0]], [[3.0], [4.0]])
array([[11.]], dtype=float32)
"""

from math import e, inf, nan, pi
from typing import TYPE_CHECKING, Any

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
from .backends._inspection import __array_api_version__, info_of
from .constants import constant
from .dtypes import bool_ as bool
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
from .ops import *
from .saving import load, save
from .settings import Settings, configure, settings, use
from .transforms import (
    compile,
    cond,
    custom_vjp,
    fori_loop,
    grad,
    hessian,
    jacobian,
    map,
    scan,
    stop_gradient,
    switch,
    value_and_grad,
    vjp,
    vmap,
    while_loop,
)
from .typing import Array, ArrayLike

__version__ = "0.1.0"

__array_namespace_info__ = info_of(None)

__all__ = [
    "Array",
    "ArrayLike",
    "Settings",
    "__array_api_version__",
    "__array_namespace_info__",
    "asarray",
    "backend_of",
    "backends",
    "bfloat16",
    "block_until_ready",
    "bool",
    "compile",
    "complex64",
    "complex128",
    "cond",
    "configure",
    "constant",
    "custom_vjp",
    "debug",
    "devices",
    "dtypes",
    "e",
    "errors",
    "fft",
    "float16",
    "float32",
    "float64",
    "fori_loop",
    "from_dlpack",
    "grad",
    "hessian",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "jacobian",
    "linalg",
    "load",
    "map",
    "memory",
    "namespace",
    "nan",
    "native",
    "newaxis",
    "nn",
    "ops",
    "pi",
    "save",
    "scan",
    "settings",
    "special",
    "stop_gradient",
    "switch",
    "testing",
    "to_device",
    "to_numpy",
    "tree",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "use",
    "value_and_grad",
    "vjp",
    "vmap",
    "while_loop",
]

newaxis = None

# Imported when somebody asks for them.
MODULES = ("backends", "debug", "fft", "linalg", "memory", "nn", "special", "testing")


if TYPE_CHECKING:
    from . import backends, debug, fft, linalg, memory, nn, special, testing

    bfloat16: dtypes.Dtype
else:
    __all__ += ops.__all__


def __getattr__(name: str) -> Any:
    if name == "bfloat16":  # needs ml_dtypes, imported when somebody asks
        return dtypes.bfloat16
    if name in MODULES:
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
