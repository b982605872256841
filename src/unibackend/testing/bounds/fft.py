"""What is right for Fourier transforms: sums in wide arithmetic, with exact places on the circle.

An error is bounded for all elements together, as the literature does: by the norm of a transform.
W. M. Gentleman and G. Sande, Fast Fourier Transforms: for Fun and Profit (AFIPS 1966): a transform
of N = p1 p2 ... elements, in as many steps as there are factors, is wrong by at most
1.06 (sum of (2 p)^(3/2)) u of its norm, u being half the distance from 1 to the next number; for
N a power of 2 that is 8.5 log2(N) u, and Higham's (Accuracy and Stability of Numerical Algorithms,
2nd ed., theorem 24.2) is 6.7 log2(N) u. One step for all N elements, (2 N)^(3/2) u, is that of the
plain sum; what libraries do for large prime numbers stays far below it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .answer import WIDE, Answer, Dtype, answers, default, eps, floating, gamma, kind, limit, tiny

FULL, TO_HALF, FROM_HALF = "full", "to half", "from half"


def _result(dtype: Dtype, to: str) -> Dtype:
    """Return the dtype of a transform: there are none of 16 bits."""
    real = floating(dtype)
    if kind(real) == "c":
        real = np.dtype(f"f{real.itemsize // 2}")
    real = np.dtype("float64") if real == np.float64 else np.dtype("float32")
    return real if to == FROM_HALF else np.dtype(f"c{2 * real.itemsize}")


def _matrix(length: int, sign: int) -> Any:
    """Return the circle's points exp(sign 2 pi i j k / n), the angle reduced exactly."""
    places = np.outer(np.arange(length), np.arange(length)) % length
    angles = 2 * np.arctan2(WIDE(0), WIDE(-1)) * places.astype(WIDE) / length
    result = np.empty(angles.shape, np.clongdouble)
    result.real, result.imag = np.cos(angles), sign * np.sin(angles)
    return result


def _fitted(x: Any, axis: int, size: int) -> Any:
    x = np.take(x, range(min(size, x.shape[axis])), axis)
    missing = [(0, size - x.shape[axis] if i == axis else 0) for i in range(x.ndim)]
    return np.pad(x, missing)


def _mirrored(x: Any, axis: int, length: int) -> Any:
    """Return all of what a half stands for: the rest of it are conjugates."""
    half = np.moveaxis(_fitted(x, axis, length // 2 + 1), axis, -1).copy()
    half.imag[..., 0] = 0
    if length % 2 == 0:
        half.imag[..., -1] = 0
    rest = np.conj(half[..., 1 : (length + 1) // 2][..., ::-1])
    return np.moveaxis(np.concatenate([half, rest], -1), -1, axis)


def _steps(length: int) -> float:
    """Return the sum of (2 p)^(3/2) over the prime factors of a length."""
    found, factor = 0.0, 2
    while length > 1:
        while length % factor == 0:
            found += (2 * factor) ** 1.5
            length //= factor
        factor += 1
    return found


def _transform(
    x: Any, axes: Sequence[int], lengths: Sequence[int], norm: str, sign: int, to: str
) -> Answer:
    dtype = _result(x.dtype, to)
    operand = x.astype(floating(x.dtype)).astype(np.clongdouble)
    value = operand
    for place, (axis, length) in enumerate(zip(axes, lengths, strict=True), 1):
        last = to == FROM_HALF and place == len(axes)
        fitted = _mirrored(value, axis, length) if last else _fitted(value, axis, length)
        value = np.moveaxis(np.tensordot(fitted, _matrix(length, sign), (axis, 0)), -1, axis)
    total = math.prod(lengths)
    divided = {"ortho": 1, "backward": 0 if sign < 0 else 2, "forward": 2 if sign < 0 else 0}[norm]
    unscaled = value
    value = value / np.sqrt(WIDE(total)) ** divided
    along = tuple(axes)
    size = np.sqrt(np.sum(np.abs(value) ** 2, axis=along, keepdims=True))
    largest = np.sqrt(np.sum(np.abs(unscaled) ** 2, axis=along, keepdims=True))
    steps = WIDE(1.06) * eps(dtype) / 2 * sum(map(_steps, lengths)) + gamma(4, dtype)
    bound = np.broadcast_to(steps * size, value.shape)
    # no single element is right where one is infinite, or NaN, or sums overflow
    certain = np.isfinite(size) & (largest < limit(dtype) / 2)
    bound = np.where(certain, bound, WIDE(np.inf))
    flushed = 2 * total * (sum(length.bit_length() for length in lengths) + 1) * tiny(dtype)
    if to == FROM_HALF:
        value = value.real
    elif to == TO_HALF:
        half = range(lengths[-1] // 2 + 1)
        value, bound = np.take(value, half, axes[-1]), np.take(bound, half, axes[-1])
    return Answer(np.where(np.isfinite(value), value, 0), dtype, bound, flushed)


def _answer_of(name: str, sign: int, to: str) -> None:
    @answers(f"fft.{name}")
    def one(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward") -> Answer:
        size = x.shape[axis]
        length = n or (2 * (size - 1) if to == FROM_HALF else size)
        return _transform(x, (axis % x.ndim,), (length,), norm, sign, to)


def _answer_of_several(name: str, sign: int, to: str) -> None:
    @answers(f"fft.{name}")
    def several(x: Any, s: Any = None, axes: Any = None, norm: str = "backward") -> Answer:
        where = tuple(range(x.ndim)) if axes is None else tuple(axis % x.ndim for axis in axes)
        sizes = [x.shape[axis] for axis in where]
        if to == FROM_HALF:
            sizes[-1] = 2 * (sizes[-1] - 1)
        lengths = [b if a == -1 else a for a, b in zip(s or sizes, sizes, strict=True)]
        return _transform(x, where, lengths, norm, sign, to)


_answer_of("fft", -1, FULL)
_answer_of("ifft", 1, FULL)
_answer_of("rfft", -1, TO_HALF)
_answer_of("irfft", 1, FROM_HALF)
_answer_of("hfft", -1, FROM_HALF)
_answer_of("ihfft", 1, TO_HALF)
_answer_of_several("fftn", -1, FULL)
_answer_of_several("ifftn", 1, FULL)
_answer_of_several("rfftn", -1, TO_HALF)
_answer_of_several("irfftn", 1, FROM_HALF)


@answers("fft.fftfreq")
def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Answer:
    return _frequencies([k if k < (n + 1) // 2 else k - n for k in range(n)], n, d, dtype)


@answers("fft.rfftfreq")
def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Answer:
    return _frequencies(list(range(n // 2 + 1)), n, d, dtype)


def _frequencies(places: list[int], n: int, d: float, dtype: Any) -> Answer:
    result = default("f") if dtype is None else np.dtype(dtype)
    value = np.asarray(places, WIDE) / (n * WIDE(d))
    # a product, a quotient, and the rounding to the dtype
    return Answer(value, result, gamma(3, result) * np.abs(value))


@answers("fft.fftshift")
def fftshift(x: Any, axes: Any = None) -> Answer:
    return _moved(np.fft.fftshift, x, axes)


@answers("fft.ifftshift")
def ifftshift(x: Any, axes: Any = None) -> Answer:
    return _moved(np.fft.ifftshift, x, axes)


def _moved(shift: Any, x: Any, axes: Any) -> Answer:
    value = shift(x, axes) if x.ndim and axes != () else x  # NumPy refuses no axes
    return Answer(value, x.dtype, None if kind(x.dtype) in "fc" else 0)
