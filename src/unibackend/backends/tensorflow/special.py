"""Special functions on TensorFlow."""

from __future__ import annotations

__all__: list[str] = []
