"""Operands of one dtype, by this library's rule, and the guard of the width.

With `x64` off JAX computes wrongly with the 64 bit arrays that a scope left behind: int64
``[2**40, 1] + 1`` is ``[1, 2]``. They are refused here, for every operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ... import _results, _shapes, dtypes
from ...errors import DtypeError
from ...settings import current
from ._gone import refuse_gone

_WIDE = frozenset(dtypes.NARROW)

_KNOWN = frozenset(map(np.dtype, dtypes.NAMES))


def _ready(function: str, fractions: bool) -> frozenset[dtypes.Dtype]:
    """Return the dtypes that go to a kernel at once: allowed, and nothing to guard or convert."""
    floats = "f" in _results.KINDS.get(function, "f")
    bfloat16 = {dtype for dtype in _KNOWN if dtype.name == "bfloat16" and floats}
    ready = (_results.taken(function) | bfloat16) - _WIDE
    return frozenset(x for x in ready if dtypes.kind(x) in ("fc" if fractions else "biufc"))


def check_known(function: str, *operands: Any) -> None:
    """Refuse arrays of JAX's further dtypes, as int4 and float8_e5m2.

    Raises:
        DtypeError: one of the operands is such an array.
    """
    for x in operands:
        dtype = getattr(x, "dtype", None)
        if dtype is not None and dtype not in _KNOWN:
            raise DtypeError(
                f"{function}: a JAX array of dtype {dtype}, which is not one of the dtypes here: "
                f"{', '.join(dtypes.NAMES)}; convert it with ub.astype"
            )


def check_width(function: str, *operands: Any) -> None:
    """Refuse 64 bit JAX arrays while `x64` is off.

    Raises:
        DtypeError: one of the operands is such an array.
    """
    for x in operands:
        dtype = getattr(x, "dtype", None)
        if dtype in _WIDE and not current().x64:
            raise DtypeError(
                f"{function}: a JAX array of dtype {dtype} while x64 is off, where JAX computes "
                f"with 32 bits and keeps the 64 bit label; turn 64 bits on with "
                f"ub.configure(x64=True), or bring it to 32 bits where it was made"
            )


# What is known of the Python integers of functions that are being traced, by their tracers: see
# `unibackend.dtypes.limits`.
traced_integers: dict[int, tuple[int, int]] = {}


def promote(function: str, *operands: Any) -> list[Any]:
    """Return operands as arrays of their common dtype; Python numbers are weak.

    Raises:
        RangeError: a Python integer that the common dtype cannot hold.
        DtypeError: a 64 bit array while `x64` is off.
    """
    check_width(function, *operands)
    check_known(function, *operands)
    dtype = dtypes.result_type(*map(type_of, operands))
    for x in operands:
        for end in traced_integers.get(id(x), ()):
            dtypes.fit(end, dtype, function)
    return [_as(function, x, dtype) for x in operands]


def _as(function: str, x: Any, dtype: dtypes.Dtype) -> Any:
    """Return an operand in a dtype; `jnp.asarray` costs more than most operations."""
    if type(x) in dtypes.PYTHON_SCALARS:
        number = np.asarray(dtypes.fit(x, dtype, function))
        with np.errstate(over="ignore"):
            return number.astype(dtype)
    same = getattr(x, "dtype", None) == dtype and getattr(x, "weak_type", True) is False
    return x if same else jnp.asarray(x, dtype)


def comparable(function: str, x1: Any, x2: Any) -> list[Any]:
    """Return two operands to compare: as `promote` does, but a number that does not fit is one.

    It is below or above all that the array can hold, as 0 is to 1.
    """
    dtype = dtypes.result_type(type_of(x1), type_of(x2))
    for number, other in ((x1, x2), (x2, x1)):
        side = _results.beyond(traced_integers.get(id(number), number), dtype)
        if side and isinstance(type_of(other), np.dtype):
            check_width(function, other)
            check_known(function, other)
            pair = [jnp.full_like(other, side < 0, dtype), jnp.asarray(side > 0, dtype)]
            return pair if other is x1 else pair[::-1]
    return promote(function, x1, x2)


def _weak_type(x: Any) -> type | None:
    """Return the Python type of a traced Python number, None for any other array."""
    return dtypes.PYTHON_TYPES[x.dtype.kind] if getattr(x, "weak_type", False) else None


def type_of(x: Any) -> dtypes.Dtype | type:
    """Return what an operand counts as in promotion: its dtype, or a Python type if weak."""
    return (_weak_type(x) or x.dtype) if hasattr(x, "dtype") else type(x)


def binary(
    name: str,
    kernel: Callable[..., Any],
    *,
    fractions: bool = False,
    prepare: Callable[[str, Any, Any], list[Any]] = promote,
) -> Callable[[Any, Any], Any]:
    """Return the operation of two operands that a JAX function computes.

    Arrays of one dtype go to the kernel at once; any other pair is promoted first.

    Args:
        name: the name of the operation.
        kernel: the function of JAX.
        fractions: whether integers become the default float first.
        prepare: what brings the operands to one dtype.
    """
    at_once = _ready(name, fractions)

    def call(x1: Any, x2: Any, /) -> Any:
        try:
            dtype = x1.dtype
            ready = dtype is x2.dtype and dtype in at_once
            if not ready or x1.weak_type or x2.weak_type:
                x1, x2 = _prepared(name, prepare(name, x1, x2), fractions)
        except AttributeError:  # a Python number
            number = _plain_number(x1, x2, at_once)
            if number is None:
                x1, x2 = _prepared(name, prepare(name, x1, x2), fractions)
            else:
                x2 = number
        try:
            return kernel(x1, x2)
        except (TypeError, ValueError, RuntimeError) as error:
            refuse_gone(name, error)
            _shapes.broadcast(name, x1.shape, x2.shape)
            raise

    call.__name__ = call.__qualname__ = name
    call.checks_width = True  # type: ignore[attr-defined]
    return call


def _plain_number(x: Any, number: Any, at_once: frozenset[dtypes.Dtype]) -> Any:
    """Return a Python number as an array of the dtype of an array, None if that is not at once
    clear; `promote` has the whole rule.
    """
    dtype: Any = getattr(x, "dtype", None)
    if dtype not in at_once or x.weak_type:
        return None
    if type(number) is float and -60_000 < number < 60_000 and dtype.kind in "fcV":
        return np.asarray(number, dtype)
    if type(number) is int and 0 <= number < 128 and dtype.kind != "b":
        return np.asarray(number, dtype)
    return None


def _prepared(name: str, pair: list[Any], fractions: bool) -> list[Any]:
    _results.takes(name, pair[0].dtype)
    dtype = _results.floating(pair[0].dtype) if fractions else pair[0].dtype
    return pair if dtype == pair[0].dtype else [x.astype(dtype) for x in pair]


def unary(
    name: str, kernel: Callable[..., Any], *, fractions: bool = False
) -> Callable[[Any], Any]:
    """Return the operation of one operand that a JAX function computes.

    Args:
        name: the name of the operation.
        kernel: the function of JAX.
        fractions: whether integers become the default float first.
    """
    at_once = _ready(name, fractions)

    def call(x: Any, /) -> Any:
        try:
            ready = x.dtype in at_once and not x.weak_type
        except AttributeError:  # a Python number
            ready = False
        if not ready:
            check_width(name, x)
            check_known(name, x)
            x = strong(x)
            _results.takes(name, x.dtype)
            if fractions:
                x = x.astype(_results.floating(x.dtype))
        try:
            return kernel(x)
        except (TypeError, RuntimeError) as error:
            refuse_gone(name, error)
            raise

    call.__name__ = call.__qualname__ = name
    call.checks_width = True  # type: ignore[attr-defined]
    return call


def strong(x: Any) -> Any:
    """Return an operand as an array that keeps its dtype whatever it meets.

    A Python number, inside a traced function too, becomes one of the default dtype: JAX's weak
    types would pass through most functions and change the results of later ones.
    """
    if type(x) in dtypes.PYTHON_SCALARS:
        return jnp.asarray(np.asarray(x, dtypes.default(type(x))))
    weak = _weak_type(x)
    if weak is None:
        return x if hasattr(x, "weak_type") else jnp.asarray(x)
    return jnp.asarray(x, dtypes.default(weak))
