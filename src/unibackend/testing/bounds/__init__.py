"""What a right result of each operation is: exact or wide arithmetic, and how far one may be away.

Bounds come from the literature, which each of them names; none is chosen.
"""

from __future__ import annotations

from typing import Any

from . import creation as creation
from . import data_types as data_types
from . import elementwise as elementwise
from . import fft as fft
from . import indexing as indexing
from . import linalg as linalg
from . import manipulation as manipulation
from . import nn as nn
from . import products as products  # each module puts its answers into the table
from . import searching as searching
from . import set as set
from . import sorting as sorting
from . import special as special
from . import statistical as statistical
from . import utility as utility
from .answer import ANSWERS, Answer, Equations

__all__ = ["Answer", "Equations", "answer"]


def answer(name: str, *operands: Any, **options: Any) -> Any:
    """Return what is right for a call of a declared operation."""
    return ANSWERS[name](*operands, **options)
