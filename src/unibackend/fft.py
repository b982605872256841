"""Fourier transforms: the `fft` extension of the array API standard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ._dispatch import creation, operation
from .typing import Array, ArrayLike

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

Norm = Literal["backward", "ortho", "forward"]


@operation
def fft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """Return the discrete Fourier transform along an axis.

    Args:
        x: numbers; integers become the default float first, and 16 bit floats float32.
        n: the length of the transform: the axis is cut off, or filled up with zeros. None is its
            own.
        axis: the axis.
        norm: "backward" divides by nothing, "ortho" by the square root of the length, "forward" by
            the length.

    Returns:
        An array of complex numbers, as wide as x, with `n` elements along the axis.

    Raises:
        ShapeError: no such axis, or a length below 1.
        OptionError: another `norm`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.fft([1.0, 0.0, -1.0, 0.0])
        array([0.+0.j, 2.+0.j, 0.+0.j, 2.+0.j], dtype=complex64)
    """
    ...


@creation
def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Return the frequencies of the elements of a transform, the negative ones last.

    Args:
        n: the length of the transform.
        d: the distance between samples.
        dtype: of real floats; None is the default float.
        device: where to; None is the active device.

    Returns:
        An array of `n` elements.

    Raises:
        ShapeError: a length below 1, or a distance of 0.
        DtypeError: a dtype that is not one of real floats.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.fftfreq(4)
        array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float32)
    """
    ...


@operation
def fftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Return the discrete Fourier transform along several axes.

    Args:
        x: numbers; integers become the default float first, and 16 bit floats float32.
        s: the length of the transform along each of the axes, -1 for its own; None is all of them.
            Axes are cut off, or filled up with zeros.
        axes: the axes, which must be given with `s`; None is all of them.
        norm: "backward" divides by nothing, "ortho" by the square root of the product of the
            lengths, "forward" by the product of the lengths.

    Returns:
        An array of complex numbers, as wide as x.

    Raises:
        ShapeError: no such axis, one that is named twice, or a length below 1.
        OptionError: another `norm`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.fftn([[1.0, 2.0], [3.0, 4.0]])
        array([[10.+0.j, -2.+0.j],
               [-4.+0.j,  0.+0.j]], dtype=complex64)
    """
    ...


@operation
def fftshift(x: ArrayLike, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return an array with the frequency 0 in the middle of its axes.

    Args:
        x: an array.
        axes: the axes; None is all of them.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.fftshift([0, 1, -2, -1])
        array([-2, -1,  0,  1], dtype=int32)
    """
    ...


@operation
def hfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
) -> Array:
    """Return the discrete Fourier transform, which is real, of the first half of numbers with
    Hermitian symmetry along an axis.

    Args:
        x: numbers; what the imaginary part of the first is, and for an even length of the last,
            does not count.
        n: the length of the result; None is the even one, 2 (m - 1) for m elements along the axis.
        axis: the axis.
        norm: "backward" divides by nothing, "ortho" by the square root of the length, "forward" by
            the length.

    Returns:
        An array of real floats, as wide as x, with `n` elements along the axis.

    Raises:
        ShapeError: no such axis, or a length below 1.
        OptionError: another `norm`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.hfft([1.0, 2.0, 3.0])
        array([ 8., -2.,  0., -2.], dtype=float32)
    """
    ...


@operation
def ifft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
) -> Array:
    """Return the inverse of the discrete Fourier transform along an axis.

    Args:
        x: numbers; integers become the default float first, and 16 bit floats float32.
        n: the length of the transform: the axis is cut off, or filled up with zeros. None is its
            own.
        axis: the axis.
        norm: "backward" divides by the length, "ortho" by its square root, "forward" by nothing.

    Returns:
        An array of complex numbers, as wide as x, with `n` elements along the axis.

    Raises:
        ShapeError: no such axis, or a length below 1.
        OptionError: another `norm`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.ifft([0.0, 2.0, 0.0, 2.0])
        array([ 1.+0.j,  0.+0.j, -1.+0.j,  0.+0.j], dtype=complex64)
    """
    ...


@operation
def ifftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Return the inverse of the discrete Fourier transform along several axes.

    Args:
        x: numbers; integers become the default float first, and 16 bit floats float32.
        s: the length of the transform along each of the axes, -1 for its own; None is all of them.
            Axes are cut off, or filled up with zeros.
        axes: the axes, which must be given with `s`; None is all of them.
        norm: "backward" divides by the product of the lengths, "ortho" by its square root,
            "forward" by nothing.

    Returns:
        An array of complex numbers, as wide as x.

    Raises:
        ShapeError: no such axis, one that is named twice, or a length below 1.
        OptionError: another `norm`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.ifftn([[10.0, -2.0], [-4.0, 0.0]])
        array([[1.+0.j, 2.+0.j],
               [3.+0.j, 4.+0.j]], dtype=complex64)
    """
    ...


@operation
def ifftshift(x: ArrayLike, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return an array shifted back, as it was before `fftshift`.

    Args:
        x: an array.
        axes: the axes; None is all of them.

    Returns:
        An array of the shape and dtype of x.

    Raises:
        ShapeError: no such axis, or one that is named twice.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.ifftshift([-2, -1, 0, 1])
        array([ 0,  1, -2, -1], dtype=int32)
    """
    ...


@operation
def ihfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
) -> Array:
    """Return the inverse of `hfft` along an axis: the first half of a Hermitian signal.

    Args:
        x: real numbers; integers become the default float first, and 16 bit floats float32.
        n: the length of the transform: the axis is cut off, or filled up with zeros. None is its
            own.
        axis: the axis.
        norm: "backward" divides by the length, "ortho" by its square root, "forward" by nothing.

    Returns:
        An array of complex numbers, as wide as x, with `n // 2 + 1` elements along the axis.

    Raises:
        ShapeError: no such axis, or a length below 1.
        OptionError: another `norm`.
        DtypeError: complex numbers, whose transform has no such half.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.ihfft([8.0, -2.0, 0.0, -2.0])
        array([1.-0.j, 2.-0.j, 3.-0.j], dtype=complex64)
    """
    ...


@operation
def irfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
) -> Array:
    """Return the inverse of `rfft` along an axis.

    Args:
        x: numbers, the first half of a transform; what the imaginary part of the first is, and for
            an even length of the last, does not count.
        n: the length of the result; None is the even one, 2 (m - 1) for m elements along the axis.
        axis: the axis.
        norm: "backward" divides by the length, "ortho" by its square root, "forward" by nothing.

    Returns:
        An array of real floats, as wide as x, with `n` elements along the axis.

    Raises:
        ShapeError: no such axis, or a length below 1.
        OptionError: another `norm`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.irfft([0.0, 2.0, 0.0])
        array([ 1.,  0., -1.,  0.], dtype=float32)
    """
    ...


@operation
def irfftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Return the inverse of `rfftn` along several axes.

    Args:
        x: numbers, the first half of a transform.
        s: the length of the transform along each of the axes, -1 for its own; None is all of them.
            For the last of the axes it is that of the result, and its own is the even one.
        axes: the axes, which must be given with `s`; None is all of them.
        norm: "backward" divides by the product of the lengths, "ortho" by its square root,
            "forward" by nothing.

    Returns:
        An array of real floats, as wide as x.

    Raises:
        ShapeError: no such axis, one that is named twice, or a length below 1.
        OptionError: another `norm`.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.irfftn([[10.0, -2.0], [-4.0, 0.0]])
        array([[1., 2.],
               [3., 4.]], dtype=float32)
    """
    ...


@operation
def rfft(
    x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
) -> Array:
    """Return the first half of the discrete Fourier transform of real numbers along an axis.

    The rest of it are conjugates of this.

    Args:
        x: real numbers; integers become the default float first, and 16 bit floats float32.
        n: the length of the transform: the axis is cut off, or filled up with zeros. None is its
            own.
        axis: the axis.
        norm: "backward" divides by nothing, "ortho" by the square root of the length, "forward" by
            the length.

    Returns:
        An array of complex numbers, as wide as x, with `n // 2 + 1` elements along the axis.

    Raises:
        ShapeError: no such axis, or a length below 1.
        OptionError: another `norm`.
        DtypeError: complex numbers, whose transform has no such half.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.rfft([1.0, 0.0, -1.0, 0.0])
        array([0.+0.j, 2.+0.j, 0.+0.j], dtype=complex64)
    """
    ...


@creation
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Return the frequencies of the elements of a transform, the first half, as `rfft` gives it.

    Args:
        n: the length of the transform.
        d: the distance between samples.
        dtype: of real floats; None is the default float.
        device: where to; None is the active device.

    Returns:
        An array of `n // 2 + 1` elements.

    Raises:
        ShapeError: a length below 1, or a distance of 0.
        DtypeError: a dtype that is not one of real floats.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.rfftfreq(4)
        array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    ...


@operation
def rfftn(
    x: ArrayLike,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = "backward",
) -> Array:
    """Return the discrete Fourier transform of real numbers along several axes.

    Of the last of them only the first half, as in `rfft`.

    Args:
        x: real numbers; integers become the default float first, and 16 bit floats float32.
        s: the length of the transform along each of the axes, -1 for its own; None is all of them.
            Axes are cut off, or filled up with zeros.
        axes: the axes, which must be given with `s`; None is all of them.
        norm: "backward" divides by nothing, "ortho" by the square root of the product of the
            lengths, "forward" by the product of the lengths.

    Returns:
        An array of complex numbers, as wide as x, with `s[-1] // 2 + 1` elements along the last of
        the axes.

    Raises:
        ShapeError: no such axis, one that is named twice, or a length below 1.
        OptionError: another `norm`.
        DtypeError: complex numbers, whose transform has no such half.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fft.rfftn([[1.0, 2.0], [3.0, 4.0]])
        array([[10.+0.j, -2.+0.j],
               [-4.+0.j,  0.+0.j]], dtype=complex64)
    """
    ...
