"""Declarations: what every operation means, one file per topic of the array API standard."""

from typing import TYPE_CHECKING

from .creation import *
from .data_types import *
from .elementwise import *
from .indexing import *
from .manipulation import *
from .products import *
from .searching import *
from .set import *
from .sorting import *
from .statistical import *
from .utility import *

if not TYPE_CHECKING:  # mypy knows lists that are written out; without one it follows the imports
    from . import (
        creation,
        data_types,
        elementwise,
        indexing,
        manipulation,
        products,
        searching,
        set,
        sorting,
        statistical,
        utility,
    )

    __all__ = [
        *creation.__all__,
        *data_types.__all__,
        *elementwise.__all__,
        *indexing.__all__,
        *manipulation.__all__,
        *products.__all__,
        *searching.__all__,
        *set.__all__,
        *sorting.__all__,
        *statistical.__all__,
        *utility.__all__,
    ]
