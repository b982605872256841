"""Fourier transforms: the `fft` extension of the array API standard on NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import _fourier
from ._backend import to_device
from .promotion import NumpyArray

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


def _operand(function: str, x: Any) -> NumpyArray:
    array = np.asarray(x)
    return array.astype(_fourier.working(function, array.dtype), copy=False)


def _with_elements(array: NumpyArray, axes: Sequence[int]) -> NumpyArray:
    """Return an array with a zero along axes without elements.

    NumPy fills them up itself, but `irfft` reads memory that it has not written (seen on 2.4.6).
    """
    if 0 not in [array.shape[axis] for axis in axes]:
        return array
    sizes = [max(n, 1) if i in axes else n for i, n in enumerate(array.shape)]
    return np.zeros(sizes, array.dtype)


def _along_one(name: str, kernel: Callable[..., Any]) -> Any:
    function = f"fft.{name}"

    def call(
        x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> NumpyArray:
        array = _operand(function, x)
        where, length = _fourier.line(function, array.shape, n, axis, norm)
        return kernel(_with_elements(array, [where]), length, where, norm)  # type: ignore[no-any-return]

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
    ) -> NumpyArray:
        array = _operand(function, x)
        where, lengths = _fourier.several(function, array.shape, s, axes, norm)
        if not where:  # NumPy returns what it was given
            return array.astype(_fourier.as_complex(array.dtype))
        return kernel(_with_elements(array, where), lengths, where, norm)  # type: ignore[no-any-return]

    call.__name__ = call.__qualname__ = name
    return call


fft = _along_one("fft", np.fft.fft)
fftn = _along_several("fftn", np.fft.fftn)
hfft = _along_one("hfft", np.fft.hfft)
ifft = _along_one("ifft", np.fft.ifft)
ifftn = _along_several("ifftn", np.fft.ifftn)
ihfft = _along_one("ihfft", np.fft.ihfft)
irfft = _along_one("irfft", np.fft.irfft)
irfftn = _along_several("irfftn", np.fft.irfftn)
rfft = _along_one("rfft", np.fft.rfft)
rfftn = _along_several("rfftn", np.fft.rfftn)


def _placed(x: NumpyArray, device: Any) -> NumpyArray:
    return x if device is None else to_device(x, device)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> NumpyArray:
    return _placed(_fourier.frequencies("fft.fftfreq", n, d, dtype), device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> NumpyArray:
    return _placed(_fourier.frequencies("fft.rfftfreq", n, d, dtype), device)


def fftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> NumpyArray:
    return _shifted("fft.fftshift", x, axes, back=False)


def ifftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> NumpyArray:
    return _shifted("fft.ifftshift", x, axes, back=True)


def _shifted(function: str, x: Any, axes: Any, *, back: bool) -> NumpyArray:
    array = np.asarray(x)
    by, where = _fourier.shifts(function, array.shape, axes, back=back)
    return np.roll(array, by, where) if where else array.copy()  # NumPy refuses no axes
