"""Functions of neural networks on NumPy."""

from __future__ import annotations

__all__: list[str] = []
