"""Special functions on JAX."""

from __future__ import annotations

__all__: list[str] = []
