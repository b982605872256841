"""Fourier transforms: the `fft` extension of the array API standard on TensorFlow."""

from __future__ import annotations

__all__: list[str] = []
