"""`jacobian` and `hessian`: all derivatives, row by row in reverse."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from .. import tree
from .reverse import Argnums, Options, Reversed, decorated
from .signature import name_of


def jacobian(
    f: Callable[..., Any] | None = None,
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """Return the function that gives all derivatives of all outputs, by rows, in reverse.

    Args:
        f: the function; without it a decorator is returned. Its outputs are a tree of arrays.
        argnums: as in `grad`.
        has_aux: as in `grad`.
        holomorphic: as in `grad`.

    Returns:
        A function with the same arguments. It returns, for each output, what `grad` returns for
        a number, with the output's axes in front: of shape ``output.shape + argument.shape``.

    Raises:
        DtypeError: when called: an argument or an output has the wrong kind of dtype.
        UnsupportedError: when called: NumPy, the reference, has no derivatives.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("jax"):
        ...     ub.jacobian(lambda x: x**2)(ub.asarray([1.0, 2.0]))
        Array([[2., 0.],
               [0., 4.]], dtype=float32)
    """
    return decorated(jacobian, f, _jacobian, argnums, has_aux, holomorphic)


def _jacobian(options: Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    call = Reversed(options, args, kwargs)
    rows = [_rows(call, i) for i in range(len(call.outputs))]
    result = tree.unflatten(call.structure, [call.chosen(row) for row in rows])
    return (result, call.aux) if options.has_aux else result


def _rows(call: Reversed, wanted: int) -> Any:
    """Return the derivatives of one output: the pullback of each of its unit vectors."""
    backend, space = call.backend, call.backend.namespace
    zeros = [space.zeros_like(y) for y in call.outputs]
    y = call.outputs[wanted]
    shape, size = tuple(y.shape), math.prod(y.shape)
    basis = space.reshape(space.eye(size, dtype=y.dtype), (size, *shape))

    def row(leaves: list[Any]) -> Any:
        return call.pull([*zeros[:wanted], leaves[0], *zeros[wanted + 1 :]])

    row.__qualname__ = call.options.name
    stacked = backend.vmap(row, [basis], [0], size, 0, None)
    return tree.map(lambda x: space.reshape(x, (*shape, *x.shape[1:])), stacked)


def hessian(
    f: Callable[..., Any] | None = None,
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """Return the function that gives all second derivatives: the Jacobian of the Jacobian.

    Args:
        f: the function; without it a decorator is returned.
        argnums: as in `grad`.
        has_aux: as in `grad`.
        holomorphic: as in `grad`.

    Returns:
        A function with the same arguments, which returns arrays of shape
        ``output.shape + argument.shape + argument.shape``, in a tree of the argument's form
        whose leaves are such trees.

    Raises:
        DtypeError: when called: an argument or an output has the wrong kind of dtype.
        UnsupportedError: when called: NumPy, the reference, has no derivatives.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("jax"):
        ...     ub.hessian(lambda x: ub.sum(x**3))(ub.asarray([1.0, 2.0]))
        Array([[ 6.,  0.],
               [ 0., 12.]], dtype=float32)
    """
    return decorated(hessian, f, _hessian, argnums, has_aux, holomorphic)


def _hessian(options: Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    inner = functools.partial(_jacobian, options)

    def first(*args: Any, **kwargs: Any) -> Any:
        return inner(args, kwargs)

    first.__qualname__ = name_of(options.function)
    outer = Options(
        first, options.transformation, options.argnums, options.has_aux, options.holomorphic
    )
    return _jacobian(outer, args, kwargs)
