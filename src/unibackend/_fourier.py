"""The rules of Fourier transforms that hold on every backend: axes, lengths, dtypes, factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _results, _shapes, dtypes
from .errors import ShapeError

NORMS = ("backward", "ortho", "forward")

# Transforms of complex numbers that come as the half of them that is not the conjugate of others:
# the length is that of the result.
_FROM_HALF = ("fft.irfft", "fft.irfftn", "fft.hfft")


def line(
    function: str, shape: Sequence[Any], n: int | None, axis: int, norm: str
) -> tuple[int, Any]:
    """Return the axis of a transform along one, counted from the front, and its length.

    Args:
        function: the function, for errors.
        shape: sizes; one that is not known, and then the length too, is what stands for it.
        n: the length asked for.
        axis: the axis asked for.
        norm: checked here.

    Raises:
        AxisError: no such axis.
        ShapeError: a length below 1.
        OptionError: no such `norm`.
    """
    _shapes.choice(function, "norm", norm, NORMS)
    number = _shapes.one_axis(function, axis, len(shape))
    wanted = None if n is None else _shapes.integer(function, "n", n)
    return number, _length(function, shape, number, wanted, "n", function in _FROM_HALF)


def several(
    function: str,
    shape: Sequence[Any],
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str,
) -> tuple[tuple[int, ...], list[Any]]:
    """Return the axes of a transform along several, counted from the front, and its lengths.

    Raises:
        ShapeError: no such axis, one that is named twice, lengths below 1, not as many as axes,
            or without any; or no axis at all where one is halved.
        OptionError: no such `norm`.
    """
    _shapes.choice(function, "norm", norm, NORMS)
    s = None if s is None else _shapes.several(function, "s", s)
    if s is not None and axes is None:
        raise ShapeError(
            f"{function}: s={s!r} without axes; name the axis of each length, as in "
            f"axes={tuple(range(-len(s), 0))}"
        )
    given = None if axes is None else _shapes.several(function, "axes", axes)
    numbers = _shapes.all_axes(function, given, len(shape), "axes")
    halves = function in ("fft.rfftn", "fft.irfftn")
    if halves and not numbers:
        raise ShapeError(f"{function}: no axis to transform; at least one is needed")
    wanted: list[int | None] = [None] * len(numbers)
    if s is not None:
        wanted = [None if n == -1 else n for n in s]
        if len(wanted) != len(numbers):
            raise ShapeError(f"{function}: s={s!r} and axes={axes!r} differ in length")
    return numbers, [
        _length(function, shape, axis, n, "s", function in _FROM_HALF and place == len(numbers))
        for place, (axis, n) in enumerate(zip(numbers, wanted, strict=True), 1)
    ]


def _length(
    function: str, shape: Sequence[Any], axis: int, wanted: int | None, name: str, from_half: bool
) -> Any:
    size = shape[axis]
    length = wanted if wanted is not None else 2 * (size - 1) if from_half else size
    if isinstance(length, int) and length < 1:
        raise ShapeError(
            f"{function}: a transform of {length} elements along axis {axis} of an array of shape "
            f"{tuple(shape)}; give 1 or more as {name}"
        )
    return length


def working(function: str, dtype: dtypes.Dtype) -> dtypes.Dtype:
    """Return the dtype that an operand is brought to: there are no transforms of 16 bits.

    Raises:
        DtypeError: complex numbers where the transform is one of real numbers.
    """
    _results.takes(function, dtype)
    return _results.wide(_results.floating(dtype))


def as_complex(dtype: dtypes.Dtype) -> dtypes.Dtype:
    """Return the complex dtype whose parts are of a dtype."""
    return dtypes.result_type(dtype, dtypes.complex64)


def shifts(
    function: str, shape: Sequence[Any], axes: Any, *, back: bool
) -> tuple[list[Any], tuple[int, ...]]:
    """Return how far a shift of frequencies rolls each axis, and the axes.

    Raises:
        ShapeError: no such axis, or one that is named twice.
    """
    one = axes is None or (hasattr(axes, "__index__") and not hasattr(axes, "__len__"))
    given = axes if one else _shapes.several(function, "axes", axes)
    numbers = _shapes.all_axes(function, given, len(shape), "axes")
    return [-(shape[i] // 2) if back else shape[i] // 2 for i in numbers], numbers


def frequencies(function: str, n: Any, d: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """Return the frequencies of a transform, on the host.

    Raises:
        ShapeError: no elements, or a spacing of 0.
        DtypeError: a dtype that is not one of real floats, or a spacing that is no real number.
    """
    count = _shapes.integer(function, "n", n)
    spacing = float(_results.number(function, "d", d))
    wanted = dtypes.as_dtype(float if dtype is None else dtype, function)
    _results.real_float(function, wanted)
    if count < 1 or spacing == 0 or not math.isfinite(spacing):
        raise ShapeError(
            f"{function}: n={count} samples with a distance of d={spacing} have no frequencies; "
            f"give 1 or more, and a finite distance that is not 0"
        )
    half = (count - 1) // 2 + 1
    if function == "fft.rfftfreq":
        places = np.arange(count // 2 + 1)
    else:
        places = np.concatenate([np.arange(half), np.arange(half - count, 0)])
    return (places / (count * spacing)).astype(wanted)
