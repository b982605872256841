"""Fourier transforms: the `fft` extension of the array API standard on JAX."""

from __future__ import annotations

__all__: list[str] = []
