"""TensorFlow's namespace of the array API standard, on arrays around its tensors."""

# ruff: noqa: F401 - what is imported here is the namespace

from math import e, inf, nan, pi

from ...dtypes import bool_ as bool
from ...dtypes import (
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
from .array import Array
from .creation import *
from .data_types import *
from .elementwise import *
from .indexing import *
from .linalg import *
from .manipulation import *
from .searching import *
from .sorting import *
from .statistical import *
from .utility import *

newaxis = None
