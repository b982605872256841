"""Fourier transforms: the `fft` extension of the array API standard on TensorFlow.

All are transforms of rows, one axis after the other, so that they serve arrays of any rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from ... import _fourier
from . import _kernels as k
from ._kernels import COMPLEX, PARTS, cast, raw
from ._sizes import dims_of, pack, product, reshape
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .creation import on_device
from .manipulation import move, rolled
from .promotion import to_array

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

_COMPLEX_OF = {part: dtype for dtype, part in PARTS.items()}


def _operand(function: str, x: Any) -> Any:
    tensor = to_array(function, x)
    return cast(tensor, TF_DTYPES[_fourier.working(function, NUMPY_DTYPES[tensor.dtype])])


def _as_complex(tensor: Any) -> Any:
    return cast(tensor, _COMPLEX_OF.get(tensor.dtype, tensor.dtype))


# From rows and the length of the transform to rows. The inverse ones divide by the length.


def _forward(rows: Any, length: Any) -> Any:
    return raw.FFT(input=_fitted(_as_complex(rows), length))


def _inverse(rows: Any, length: Any) -> Any:
    return raw.IFFT(input=_fitted(_as_complex(rows), length))


def _to_half(rows: Any, length: Any) -> Any:
    rows = _fitted(rows, length)
    return raw.RFFT(input=rows, fft_length=pack([length]), Tcomplex=_COMPLEX_OF[rows.dtype])


def _from_half(rows: Any, length: Any) -> Any:
    rows = _fitted(_as_complex(rows), length // 2 + 1)
    return raw.IRFFT(input=rows, fft_length=pack([length]), Treal=PARTS[rows.dtype])


def _fitted(rows: Any, size: Any) -> Any:
    """Return rows cut off, or filled up with zeros, to a number of elements."""
    own = dims_of(rows)[1]
    if own is size or (isinstance(own, int) and isinstance(size, int) and own == size):
        return rows
    rows = rows[:, :size]
    missing = size - dims_of(rows)[1]
    if isinstance(missing, int) and missing == 0:
        return rows
    zeros = raw.Fill(dims=pack([dims_of(rows)[0], missing]), value=k.scalar(0, rows.dtype))
    return raw.ConcatV2(values=[rows, zeros], axis=1)


def _transformed(tensor: Any, kernel: Any, axis: int, length: Any) -> Any:
    last = tensor.shape.rank - 1
    moved = move(tensor, axis, last)
    dims = dims_of(moved)
    rows = kernel(reshape(moved, [product(dims[:-1]), dims[-1]]), length)
    return move(reshape(rows, [*dims[:-1], dims_of(rows)[1]]), last, axis)


def _scaled(tensor: Any, total: Any, norm: str, *, inverse: bool) -> Any:
    """Return the result of kernels with the factor that a normalization asks for."""
    if norm == "backward":
        return tensor
    real: Any = PARTS.get(tensor.dtype, tensor.dtype)
    factor = k.scalar(total, real) if isinstance(total, int) else tf.cast(total, real)
    if norm == "ortho":
        factor = raw.Sqrt(x=factor)
    if not inverse:
        factor = raw.Reciprocal(x=factor)
    return raw.Mul(x=tensor, y=cast(factor, tensor.dtype))


def _along_one(name: str, kernel: Any, *, inverse: bool = False) -> Any:
    function = f"fft.{name}"

    def call(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
        tensor = _operand(function, x)
        where, length = _fourier.line(function, dims_of(tensor, function), n, axis, norm)
        found = _transformed(tensor, kernel, where, length)
        return Array(_scaled(found, length, norm, inverse=inverse))

    call.__name__ = call.__qualname__ = name
    return call


def _along_several(
    name: str, kernel: Any, *, first: Any = None, last: Any = None, inverse: bool = False
) -> Any:
    """Return a transform along several axes; the last of them may come first, or be the last."""
    function = f"fft.{name}"

    def call(
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Array:
        tensor = _operand(function, x)
        where, lengths = _fourier.several(function, dims_of(tensor, function), s, axes, norm)
        steps = [(kernel, *pair) for pair in zip(where, lengths, strict=True)]
        if first is not None:
            steps = [(first, *steps.pop()[1:]), *steps]
        if last is not None:
            steps[-1] = (last, *steps[-1][1:])
        found = tensor if steps else _as_complex(tensor)
        for step, axis, length in steps:
            found = _transformed(found, step, axis, length)
        return Array(_scaled(found, product(lengths), norm, inverse=inverse))

    call.__name__ = call.__qualname__ = name
    return call


fft = _along_one("fft", _forward)
fftn = _along_several("fftn", _forward)
ifft = _along_one("ifft", _inverse, inverse=True)
ifftn = _along_several("ifftn", _inverse, inverse=True)
irfft = _along_one("irfft", _from_half, inverse=True)
irfftn = _along_several("irfftn", _inverse, last=_from_half, inverse=True)
rfft = _along_one("rfft", _to_half)
rfftn = _along_several("rfftn", _forward, first=_to_half)

# With the other sign and factor: the conjugates of the numbers, and the other normalization.
_OTHER = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    tensor = _operand("fft.hfft", x)
    where, length = _fourier.line("fft.hfft", dims_of(tensor), n, axis, norm)
    conjugate = raw.Conj(input=tensor) if tensor.dtype in COMPLEX else tensor
    found = _transformed(conjugate, _from_half, where, length)
    return Array(_scaled(found, length, _OTHER[norm], inverse=True))


def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    tensor = _operand("fft.ihfft", x)
    where, length = _fourier.line("fft.ihfft", dims_of(tensor), n, axis, norm)
    found = raw.Conj(input=_transformed(tensor, _to_half, where, length))
    return Array(_scaled(found, length, _OTHER[norm], inverse=False))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    with on_device(device):
        return Array(tf.constant(_fourier.frequencies("fft.fftfreq", n, d, dtype)))


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    with on_device(device):
        return Array(tf.constant(_fourier.frequencies("fft.rfftfreq", n, d, dtype)))


def fftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Array:
    return _shifted("fft.fftshift", x, axes, back=False)


def ifftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Array:
    return _shifted("fft.ifftshift", x, axes, back=True)


def _shifted(function: str, x: Any, axes: Any, *, back: bool) -> Array:
    tensor = to_array(function, x)
    by, where = _fourier.shifts(function, dims_of(tensor, function), axes, back=back)
    for axis, places in zip(where, by, strict=True):
        tensor = rolled(tensor, places, axis)
    return Array(tensor)
