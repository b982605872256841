"""What comes out of a transformed function on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._dispatch import SCALARS, owner_of_type
from ..._entry import enter, host
from ...errors import no_output


def output(x: Any, name: str) -> Any:
    """Return a number or an array of NumPy's in the width in force.

    Raises:
        DtypeError: it is no array or number.
    """
    from . import _backend  # the backend is made of this module

    if type(x) in SCALARS or isinstance(x, np.ndarray | np.generic):
        return host(x, f"{name}: an output")
    if owner_of_type(type(x)) is not None:
        raise no_output(name, x)
    return enter(_backend, x, function=name, argument="an output")
