"""The rows of conversions between dtypes."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from unibackend.testing.bounds.answer import Dtype, kind

from .operands import ALL, array, dtypes
from .row import Case, row


@st.composite
def _converted(draw: Any, dtype: Dtype) -> Case:
    """Draw a conversion; complex numbers are not made real ones."""
    source, target = dtype, draw(dtypes(ALL))
    if kind(source) == "c" and kind(target) not in "cb":
        target = source
    return Case((draw(array(source)),), (target.name,), {"copy": draw(st.booleans())})


row("astype", ALL, _converted)
