"""Fourier transforms: the `fft` extension of the array API standard on JAX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ... import _fourier
from . import x64
from ._backend import find_device
from .promotion import strong

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def _operand(function: str, x: Any) -> Any:
    array = strong(x)
    return array.astype(_fourier.working(function, array.dtype))


def _along_one(name: str, kernel: Callable[..., Any]) -> Any:
    function = f"fft.{name}"

    def call(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
        array = _operand(function, x)
        where, length = _fourier.line(function, array.shape, n, axis, norm)
        return kernel(array, length, where, norm)

    call.__name__ = call.__qualname__ = name
    return call


def _along_several(name: str, kernel: Callable[..., Any]) -> Any:
    function = f"fft.{name}"

    def call(
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Any:
        array = _operand(function, x)
        where, lengths = _fourier.several(function, array.shape, s, axes, norm)
        if not where:
            return array.astype(_fourier.as_complex(array.dtype))
        return kernel(array, lengths, where, norm)

    call.__name__ = call.__qualname__ = name
    return call


fft = _along_one("fft", jnp.fft.fft)
fftn = _along_several("fftn", jnp.fft.fftn)
hfft = _along_one("hfft", jnp.fft.hfft)
ifft = _along_one("ifft", jnp.fft.ifft)
ifftn = _along_several("ifftn", jnp.fft.ifftn)
ihfft = _along_one("ihfft", jnp.fft.ihfft)
irfft = _along_one("irfft", jnp.fft.irfft)
irfftn = _along_several("irfftn", jnp.fft.irfftn)
rfft = _along_one("rfft", jnp.fft.rfft)
rfftn = _along_several("rfftn", jnp.fft.rfftn)


def _placed(function: str, n: int, d: float, dtype: Any, device: Any) -> Any:
    x64.check(function)
    found = _fourier.frequencies(function, n, d, dtype)
    return jax.device_put(found, None if device is None else find_device(device))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return _placed("fft.fftfreq", n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    return _placed("fft.rfftfreq", n, d, dtype, device)


def fftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Any:
    array = strong(x)
    by, where = _fourier.shifts("fft.fftshift", array.shape, axes, back=False)
    return jnp.roll(array, by, where)


def ifftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Any:
    array = strong(x)
    by, where = _fourier.shifts("fft.ifftshift", array.shape, axes, back=True)
    return jnp.roll(array, by, where)
