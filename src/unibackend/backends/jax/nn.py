"""Functions of neural networks on JAX."""

from __future__ import annotations

__all__: list[str] = []
