"""The methods that NumPy's and JAX's arrays share and people type by habit.

Each calls the frontend's operation, so that a method means what the function means.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._dispatch import DECLARED
from ..._shapes import integer
from ...errors import DtypeError, ShapeError, UnsupportedError


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return DECLARED[name].call(*args, **kwargs)


def _integers(first: Any, rest: tuple[Any, ...]) -> Any:
    """Return `x.reshape(2, 3)` and `x.reshape((2, 3))` as one tuple."""
    if rest:
        return (first, *rest)
    return tuple(first) if isinstance(first, tuple | list) else (first,)


def _refuse(function: str, out: Any) -> None:
    """Refuse NumPy's `out`, which `np.sum(x)` hands over as None."""
    if out is not None:
        raise UnsupportedError(
            f"{function}: out={type(out).__name__}: arrays here cannot be written to; leave out "
            f"away, and use what is returned"
        )


def _correction(function: str, correction: float, ddof: float | None) -> float:
    """Return the standard's `correction`, which NumPy calls `ddof`."""
    if ddof is not None and correction != 0:
        raise TypeError(
            f"{function}: correction={correction} and ddof={ddof} are two names of one argument; "
            f"give one of them"
        )
    return correction if ddof is None else ddof


def _round_integers(x: Any, unit: int) -> Any:
    """Return integers rounded to a multiple of a power of ten, halves to the even one.

    No multiple but 0 fits a dtype that the unit itself does not fit.
    """
    if unit > np.iinfo(x.dtype).max:
        return _call("multiply", x, 0)
    whole, rest = x // unit, x % unit
    left = unit - rest  # twice the rest could overflow
    up = (rest > left) | ((rest == left) & (whole % 2 == 1))
    return (whole + up.astype(x.dtype)) * unit


class Methods:
    """Habitual methods and attributes of an array object."""

    __slots__ = ()

    shape: Any
    ndim: Any
    dtype: Any

    @property
    def T(self) -> Any:
        """The transpose of a matrix."""
        if self.ndim != 2:
            raise ShapeError(
                f"x.T: x has {self.ndim} axes, and .T is for two; use x.mT for stacks of matrices "
                f"or ub.permute_dims(x, axes)"
            )
        return _call("matrix_transpose", self)

    @property
    def mT(self) -> Any:
        """The transpose of each matrix of a stack."""
        return _call("matrix_transpose", self)

    @property
    def real(self) -> Any:
        """The real parts."""
        return _call("real", self)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return _call("imag", self)

    @property
    def at(self: Any) -> Any:
        """What replaces elements in a copy: `x.at[i].set(v)`, as `ub.at(x)[i].set(v)`."""
        from ...ops.indexing import at

        return at(self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __round__(self, ndigits: int | None = None) -> Any:
        return self.round(ndigits or 0)

    def all(self, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Return `ub.all(x, axis=axis, keepdims=keepdims)`."""
        _refuse("all", out)
        return _call("all", self, axis=axis, keepdims=keepdims)

    def any(self, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Return `ub.any(x, axis=axis, keepdims=keepdims)`."""
        _refuse("any", out)
        return _call("any", self, axis=axis, keepdims=keepdims)

    def argmax(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Return `ub.argmax(x, axis=axis, keepdims=keepdims)`."""
        _refuse("argmax", out)
        return _call("argmax", self, axis=axis, keepdims=keepdims)

    def argmin(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Return `ub.argmin(x, axis=axis, keepdims=keepdims)`."""
        _refuse("argmin", out)
        return _call("argmin", self, axis=axis, keepdims=keepdims)

    def argsort(self, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Any:
        """Return `ub.argsort(x, ...)`."""
        return _call("argsort", self, axis=axis, descending=descending, stable=stable)

    def astype(self, dtype: Any, *, copy: bool = True) -> Any:
        """Return `ub.astype(x, dtype)`."""
        return _call("astype", self, dtype, copy=copy)

    def clip(self, min: Any = None, max: Any = None) -> Any:
        """Return `ub.clip(x, min, max)`."""
        return _call("clip", self, min, max)

    def conj(self) -> Any:
        """Return `ub.conj(x)`."""
        return _call("conj", self)

    def copy(self) -> Any:
        """Return the array itself: it cannot be changed."""
        return self

    def cumprod(self, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
        """Return `ub.cumulative_prod`, of the flattened array if no axis is given."""
        _refuse("cumprod", out)
        x = self.ravel() if axis is None else self
        return _call("cumulative_prod", x, axis=0 if axis is None else axis, dtype=dtype)

    def cumsum(self, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
        """Return `ub.cumulative_sum`, of the flattened array if no axis is given."""
        _refuse("cumsum", out)
        x = self.ravel() if axis is None else self
        return _call("cumulative_sum", x, axis=0 if axis is None else axis, dtype=dtype)

    def dot(self, other: Any) -> Any:
        """Return NumPy's `dot`: the last axis here with the last but one there."""
        rank = getattr(other, "ndim", None)
        if rank is None:
            rank = 1 if isinstance(other, list | tuple) else 0
        if self.ndim == 0 or rank == 0:
            return _call("multiply", self, other)
        return _call("tensordot", self, other, axes=((-1,), (-1 if rank == 1 else -2,)))

    def flatten(self) -> Any:
        """Return the elements along one axis."""
        return _call("reshape", self, (-1,))

    def max(self, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Return `ub.max(x, axis=axis, keepdims=keepdims)`."""
        _refuse("max", out)
        return _call("max", self, axis=axis, keepdims=keepdims)

    def mean(
        self, axis: Any = None, dtype: Any = None, out: None = None, *, keepdims: bool = False
    ) -> Any:
        """Return `ub.mean(x, axis=axis, keepdims=keepdims)`, computed in `dtype`."""
        _refuse("mean", out)
        x = self if dtype is None else self.astype(dtype)
        return _call("mean", x, axis=axis, keepdims=keepdims)

    def min(self, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
        """Return `ub.min(x, axis=axis, keepdims=keepdims)`."""
        _refuse("min", out)
        return _call("min", self, axis=axis, keepdims=keepdims)

    def prod(
        self, axis: Any = None, dtype: Any = None, out: None = None, *, keepdims: bool = False
    ) -> Any:
        """Return `ub.prod(x, axis=axis, dtype=dtype, keepdims=keepdims)`."""
        _refuse("prod", out)
        return _call("prod", self, axis=axis, dtype=dtype, keepdims=keepdims)

    def ravel(self) -> Any:
        """Return the elements along one axis."""
        return _call("reshape", self, (-1,))

    def repeat(self, repeats: Any, axis: int | None = None) -> Any:
        """Return `ub.repeat(x, repeats, axis=axis)`."""
        return _call("repeat", self, repeats, axis=axis)

    def reshape(self, shape: Any, /, *sizes: int) -> Any:
        """Return `ub.reshape(x, shape)`; the sizes may be given one by one."""
        return _call("reshape", self, _integers(shape, sizes))

    def round(self, decimals: int = 0, out: None = None) -> Any:
        """Return `ub.round(x)`, to a number of decimals; negative ones are tens, hundreds, ..."""
        _refuse("round", out)
        places = integer("round", "decimals", decimals)
        kind = "f" if self.dtype.name == "bfloat16" else self.dtype.kind
        if places == 0 or (kind in "biu" and places > 0):
            return _call("round", self)
        if kind in "iu":
            return _round_integers(self, 10**-places)
        if kind == "b":
            raise DtypeError(f"round: decimals={places} of bools; convert with ub.astype first")
        there, back = ("multiply", "divide") if places > 0 else ("divide", "multiply")
        scale = 10.0 ** (places if places > 0 else -places)
        return _call(back, _call("round", _call(there, self, scale)), scale)

    def sort(self, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Any:
        """Return `ub.sort(x, ...)`: a sorted array, this one stays as it is."""
        return _call("sort", self, axis=axis, descending=descending, stable=stable)

    def squeeze(self, axis: Any = None) -> Any:
        """Return `ub.squeeze`, without all axes of length 1 if none is named."""
        if axis is None:
            axis = tuple(i for i, size in enumerate(self.shape) if size == 1)
        return _call("squeeze", self, axis)

    def std(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: None = None,
        ddof: float | None = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> Any:
        """Return `ub.std(x, ...)`, computed in `dtype`; NumPy calls the correction `ddof`."""
        _refuse("std", out)
        x = self if dtype is None else self.astype(dtype)
        less = _correction("std", correction, ddof)
        return _call("std", x, axis=axis, correction=less, keepdims=keepdims)

    def sum(
        self, axis: Any = None, dtype: Any = None, out: None = None, *, keepdims: bool = False
    ) -> Any:
        """Return `ub.sum(x, axis=axis, dtype=dtype, keepdims=keepdims)`."""
        _refuse("sum", out)
        return _call("sum", self, axis=axis, dtype=dtype, keepdims=keepdims)

    def swapaxes(self, axis1: int, axis2: int, /) -> Any:
        """Return the array with two axes exchanged."""
        order = list(range(self.ndim))
        for axis in (axis1, axis2):
            if not -self.ndim <= axis < self.ndim:
                raise ShapeError(f"swapaxes: axis {axis} is out of range for {self.ndim} axes")
        order[axis1], order[axis2] = order[axis2], order[axis1]
        return _call("permute_dims", self, tuple(order))

    def take(self, indices: Any, axis: int | None = None) -> Any:
        """Return `ub.take(x, indices, axis=axis)`, of the flattened array if no axis is given."""
        return _call("take", self.ravel() if axis is None else self, indices, axis=axis or 0)

    def transpose(self, *axes: Any) -> Any:
        """Return `ub.permute_dims(x, axes)`, the axes in reverse order if none are given."""
        if not axes or axes == (None,):
            order = tuple(range(self.ndim))[::-1]
        else:
            order = _integers(axes[0], axes[1:])
        return _call("permute_dims", self, order)

    def var(
        self,
        axis: Any = None,
        dtype: Any = None,
        out: None = None,
        ddof: float | None = None,
        *,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> Any:
        """Return `ub.var(x, ...)`, computed in `dtype`; NumPy calls the correction `ddof`."""
        _refuse("var", out)
        x = self if dtype is None else self.astype(dtype)
        less = _correction("var", correction, ddof)
        return _call("var", x, axis=axis, correction=less, keepdims=keepdims)
