"""TensorFlow's namespace of the array API standard, on arrays around its tensors."""

from .._standard import *
from .._standard import entry_of
from . import fft, linalg, nn, special
from .array import Array as Array
from .creation import *
from .data_types import *
from .elementwise import *
from .indexing import *
from .manipulation import *
from .matmul import *
from .products import *
from .searching import *
from .set import *
from .sorting import *
from .statistical import *
from .utility import *

asarray, from_dlpack, __array_namespace_info__ = entry_of("tensorflow")
