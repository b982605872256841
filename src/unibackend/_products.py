"""The rules of matrix products that hold on every backend: shapes, dtypes, precision."""

from __future__ import annotations

from typing import Any

from . import dtypes
from ._shapes import flag
from .errors import DtypeError, SettingsError, ShapeError
from .settings import current

PRECISIONS = ("highest", "high", "default")


def check_matmul(
    shape1: tuple[Any, ...], shape2: tuple[Any, ...], transpose_x1: bool, transpose_x2: bool
) -> None:
    """Refuse operands that no matrix product is defined for.

    The standard's rules: a 1-D operand is a vector whose axis is dropped from the result, the
    stack axes of the others broadcast, and the inner sizes are equal.

    Raises:
        ShapeError: a 0-d operand, a transposed 1-D operand, sizes that differ.
        DtypeError: a transposition that is neither True nor False.
    """
    flag("matmul", "transpose_x1", transpose_x1)
    flag("matmul", "transpose_x2", transpose_x2)
    for name, shape, transposed in (("x1", shape1, transpose_x1), ("x2", shape2, transpose_x2)):
        if not shape:
            raise ShapeError(
                f"matmul: {name} is a scalar (shape ()); it must have one axis or more; use "
                f"ub.multiply for a product with a number"
            )
        if transposed and len(shape) < 2:
            raise ShapeError(
                f"matmul: transpose_{name}=True, but {name} of shape {shape} is a vector and has "
                f"nothing to transpose"
            )
    inner1 = shape1[-2] if transpose_x1 else shape1[-1]
    inner2 = shape2[-1] if len(shape2) == 1 or transpose_x2 else shape2[-2]
    if inner1 != inner2 and inner1 is not None and inner2 is not None:
        raise ShapeError(
            f"matmul: x1 of shape {shape1}{' (transposed)' if transpose_x1 else ''} and x2 of "
            f"shape {shape2}{' (transposed)' if transpose_x2 else ''}: the inner sizes {inner1} "
            f"and {inner2} differ"
        )
    for size1, size2 in zip(shape1[-3::-1], shape2[-3::-1], strict=False):
        if size1 != size2 and 1 not in (size1, size2) and size1 is not None and size2 is not None:
            raise ShapeError(
                f"matmul: x1 of shape {shape1} and x2 of shape {shape2}: the stacks "
                f"{shape1[:-2]} and {shape2[:-2]} do not broadcast"
            )


def product_dtype(common: dtypes.Dtype, dtype: Any) -> dtypes.Dtype:
    """Return the type of the sums and of the result of a product.

    Args:
        common: the type that the operands share.
        dtype: what the caller asked for; None is the operands' own type.

    Raises:
        DtypeError: a type that does not hold the operands'.
    """
    if dtype is None:
        return common
    wanted = dtypes.as_dtype(dtype, "matmul")
    if dtypes.result_type(common, wanted) != wanted:
        raise DtypeError(
            f"matmul: dtype={wanted.name!r} does not hold the operands' {common.name}; the sums "
            f"can be made wider, not narrower: cast the operands, or the result"
        )
    return wanted


def check_precision(precision: str | None, function: str = "matmul") -> str:
    """Return the precision of a float32 product, the setting's if None was given.

    Raises:
        SettingsError: none of "highest", "high", "default".
    """
    if precision is None:
        return current().matmul_precision
    if not isinstance(precision, str) or precision not in PRECISIONS:
        raise SettingsError(
            f"{function}: precision={precision!r} is not one of {', '.join(map(repr, PRECISIONS))}"
        )
    return precision
