"""The matrix product on JAX: one compiled product for each precision, dtype and transposition."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp

from ... import dtypes
from ..._products import check_matmul, check_precision, product_dtype
from ...settings import current
from .promotion import check_width, promote

__all__ = ["matmul"]

_WIDE = frozenset(dtypes.NARROW)
_FLOAT32 = dtypes.float32


@cache
def _product(
    precision: str, transpose_x1: bool, transpose_x2: bool, dtype: dtypes.Dtype | None
) -> Callable[[Any, Any], Any]:
    """Return the product, jitted once: the options cost nothing at a call."""

    def product(x1: Any, x2: Any) -> Any:
        x1 = jnp.swapaxes(x1, -1, -2) if transpose_x1 else x1
        x2 = jnp.swapaxes(x2, -1, -2) if transpose_x2 else x2
        if dtype is not None and dtypes.kind(dtype) in "iu":
            x1, x2 = x1.astype(dtype), x2.astype(dtype)
        return jnp.matmul(x1, x2, precision=precision, preferred_element_type=dtype)

    return jax.jit(product, inline=True)  # XLA then fuses it with what stands around it


# The precision in the settings to the plain product of two arrays, the hot path.
_plain: dict[str, Callable[[Any, Any], Any]] = {
    precision: _product(precision, False, False, None)
    for precision in ("highest", "high", "default")
}


def matmul(
    x1: Any,
    x2: Any,
    /,
    *,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    dtype: Any = None,
    precision: str | None = None,
) -> Any:
    plain = transpose_x1 is False and transpose_x2 is False
    if precision is None and dtype is None and plain:
        try:
            common = x1.dtype
            if common is x2.dtype and (common is _FLOAT32 or common not in _WIDE):
                return _plain[current().matmul_precision](x1, x2)
        except (AttributeError, TypeError, ValueError):
            pass  # a number, or shapes that do not fit: the way below says what is wrong
    x1, x2 = promote("matmul", x1, x2)
    check_width("matmul", x1, x2)
    check_matmul(x1.shape, x2.shape, transpose_x1, transpose_x2)
    result = product_dtype(x1.dtype, dtype)
    wider = None if result == x1.dtype else result
    run = _product(check_precision(precision), bool(transpose_x1), bool(transpose_x2), wider)
    return run(x1, x2)


matmul.checks_width = True  # type: ignore[attr-defined]
