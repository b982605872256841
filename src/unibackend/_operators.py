"""The operators of an array object, each the frontend's function of the standard's name.

They check owners as functions do: an array of another backend is an error, host data go along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _dispatch
from .errors import UnsupportedError

# NumPy's names of ufuncs that the standard calls otherwise.
_UFUNCS = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "true_divide": "divide",
}


def _function(name: str) -> Callable[..., Any]:
    return _dispatch.DECLARED[name].call


def _binary(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if _dispatch.owner_of_type(type(other)) is _dispatch.UNKNOWN:
            return NotImplemented
        return _function(name)(self, other)

    return method


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if _dispatch.owner_of_type(type(other)) is _dispatch.UNKNOWN:
            return NotImplemented
        return _function(name)(other, self)

    return method


def _unary(name: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return _function(name)(self)

    return method


class Operators:
    """Every operator of the standard's array object, and NumPy's ufuncs."""

    __slots__ = ()

    # NumPy's own operators must give way, or `ndarray + x` would be a host array.
    __array_priority__ = 100

    __add__, __radd__ = _binary("add"), _reflected("add")
    __sub__, __rsub__ = _binary("subtract"), _reflected("subtract")
    __mul__, __rmul__ = _binary("multiply"), _reflected("multiply")
    __truediv__, __rtruediv__ = _binary("divide"), _reflected("divide")
    __floordiv__, __rfloordiv__ = _binary("floor_divide"), _reflected("floor_divide")
    __mod__, __rmod__ = _binary("remainder"), _reflected("remainder")
    __pow__, __rpow__ = _binary("pow"), _reflected("pow")
    __matmul__, __rmatmul__ = _binary("matmul"), _reflected("matmul")
    __and__, __rand__ = _binary("bitwise_and"), _reflected("bitwise_and")
    __or__, __ror__ = _binary("bitwise_or"), _reflected("bitwise_or")
    __xor__, __rxor__ = _binary("bitwise_xor"), _reflected("bitwise_xor")
    __lshift__, __rlshift__ = _binary("bitwise_left_shift"), _reflected("bitwise_left_shift")
    __rshift__, __rrshift__ = _binary("bitwise_right_shift"), _reflected("bitwise_right_shift")
    __lt__, __le__ = _binary("less"), _binary("less_equal")
    __gt__, __ge__ = _binary("greater"), _binary("greater_equal")
    __neg__, __pos__, __abs__ = _unary("negative"), _unary("positive"), _unary("abs")
    __invert__ = _unary("bitwise_invert")

    __eq__ = _binary("equal")
    __ne__ = _binary("not_equal")
    __hash__ = None  # type: ignore[assignment]  # `==` is elementwise

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Serve a NumPy ufunc by the function of the standard, or refuse it: no host copy."""
        name = _UFUNCS.get(ufunc.__name__, ufunc.__name__)
        if method == "__call__" and name in _dispatch.DECLARED and not kwargs:
            return _function(name)(*inputs)
        call = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        raise UnsupportedError(
            f"np.{call}: NumPy's function would copy this array to the host; use ub.{name}, or "
            f"np.{call}(ub.to_numpy(x)) if the copy is meant"
        )
