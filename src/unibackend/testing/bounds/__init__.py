"""What a right result of each operation is: exact or wide arithmetic, and how far one may be away.

Bounds come from the literature, which each of them names; none is chosen.
"""

from __future__ import annotations

from typing import Any

from .answer import ANSWERS, Answer, Equations

__all__ = ["Answer", "Equations", "answer"]


def answer(name: str, *operands: Any, **options: Any) -> Any:
    """Return what is right for a call of a declared operation."""
    return ANSWERS[name](*operands, **options)
