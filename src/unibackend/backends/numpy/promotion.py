"""Operands of one dtype, by this library's rule, where NumPy's own rule differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _results, _shapes, dtypes

NumpyArray = np.ndarray[Any, Any]


def promote(function: str, *operands: Any) -> list[NumpyArray]:
    """Return operands as arrays of their common dtype; Python numbers are weak.

    Raises:
        RangeError: a Python integer that the common dtype cannot hold.
    """
    dtype = dtypes.result_type(*map(type_of, operands))
    return [
        np.asarray(dtypes.fit(x, dtype, function) if type(x) in dtypes.PYTHON_SCALARS else x, dtype)
        for x in operands
    ]


def comparable(function: str, x1: Any, x2: Any) -> list[NumpyArray]:
    """Return two operands to compare: as `promote` does, but a number that does not fit is one.

    It is below or above all that the array can hold, as 0 is to 1.
    """
    dtype = dtypes.result_type(type_of(x1), type_of(x2))
    for number, other in ((x1, x2), (x2, x1)):
        side = _results.beyond(number, dtype)
        if side and type(other) not in dtypes.PYTHON_SCALARS:
            array = np.full(np.shape(other), side < 0, dtype)
            pair = [array, np.asarray(side > 0, dtype)]
            return pair if other is x1 else pair[::-1]
    return promote(function, x1, x2)


def type_of(x: Any) -> dtypes.Dtype | type:
    """Return what an operand counts as in promotion: its dtype, or a Python type."""
    return type(x) if type(x) in dtypes.PYTHON_SCALARS else np.asarray(x).dtype


def binary(
    name: str,
    kernel: Callable[..., Any],
    *,
    fractions: bool = False,
    prepare: Callable[[str, Any, Any], list[NumpyArray]] = promote,
) -> Callable[[Any, Any], Any]:
    """Return the operation of two promoted operands that a NumPy ufunc computes.

    Args:
        name: the name of the operation.
        kernel: the ufunc.
        fractions: whether integers become the default float first.
        prepare: what brings the operands to one dtype.
    """
    taken = _results.taken(name)

    def call(x1: Any, x2: Any, /) -> Any:
        a, b = prepare(name, x1, x2)
        if a.dtype not in taken:
            _results.takes(name, a.dtype)
        if fractions:
            dtype = _results.floating(a.dtype)
            a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
        try:
            return kernel(a, b)
        except ValueError:
            _shapes.broadcast(name, a.shape, b.shape)
            raise

    call.__name__ = call.__qualname__ = name
    return call


def unary(
    name: str, kernel: Callable[..., Any], *, fractions: bool = False
) -> Callable[[Any], Any]:
    """Return the operation of one operand that a NumPy ufunc computes.

    Args:
        name: the name of the operation.
        kernel: the ufunc.
        fractions: whether integers become the default float first.
    """
    taken = _results.taken(name)

    def call(x: Any, /) -> Any:
        a = np.asarray(x)
        if a.dtype not in taken:
            _results.takes(name, a.dtype)
        return kernel(a.astype(_results.floating(a.dtype), copy=False) if fractions else a)

    call.__name__ = call.__qualname__ = name
    return call
