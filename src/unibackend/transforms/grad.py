"""`grad`, `value_and_grad`, `vjp` and `stop_gradient`, with JAX's rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _dispatch, tree
from .._entry import enter
from ..errors import DtypeError, ShapeError
from .reverse import Argnums, Options, Reversed, decorated, kind_of


def grad(
    f: Callable[..., Any] | None = None,
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """Return the function that gives the gradient of a function with one number as its value.

    The rules are `jax.grad`'s on every backend that has derivatives. Where nothing depends on an
    argument the gradient is zero. For a complex argument it is the conjugate of the direction of
    steepest ascent, as in JAX: ``abs(z) ** 2`` at 3+4j gives 6-8j.

    Args:
        f: the function; without it a decorator is returned. Its arguments are trees of arrays.
        argnums: the position, or positions, of the arguments to differentiate by; these must be
            floating point or complex. The others may be anything.
        has_aux: whether the function returns a pair, of the value and of what comes along.
        holomorphic: whether the function is complex and holomorphic.

    Returns:
        A function with the same arguments. It returns the gradient: a tree like the argument, or
        a tuple of them where `argnums` is a sequence; with `has_aux` a pair, of it and of what
        came along.

    Raises:
        DtypeError: when called: an argument or the value has the wrong kind of dtype.
        ShapeError: when called: the value is not one number.
        UnsupportedError: when called: NumPy, the reference, has no derivatives.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("jax"):
        ...     ub.grad(lambda x: ub.sum(x**2))(ub.asarray([1.0, 2.0]))
        Array([2., 4.], dtype=float32)
    """
    return decorated(grad, f, _grad, argnums, has_aux, holomorphic)


def _grad(options: Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    _, aux, grads = _values_and_grads(options, args, kwargs)
    return (grads, aux) if options.has_aux else grads


def value_and_grad(
    f: Callable[..., Any] | None = None,
    argnums: Argnums = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """Return the function that gives the value and the gradient, computed together.

    Args:
        f: the function; without it a decorator is returned.
        argnums: as in `grad`.
        has_aux: as in `grad`; the value is then the pair that the function returns.
        holomorphic: as in `grad`.

    Returns:
        A function with the same arguments, which returns ``(value, gradient)``.

    Raises:
        DtypeError: when called: an argument or the value has the wrong kind of dtype.
        ShapeError: when called: the value is not one number.
        UnsupportedError: when called: NumPy, the reference, has no derivatives.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("jax"):
        ...     ub.value_and_grad(lambda x: ub.sum(x**2))(ub.asarray([1.0, 2.0]))
        (Array(5., dtype=float32), Array([2., 4.], dtype=float32))
    """
    return decorated(value_and_grad, f, _value_and_grad, argnums, has_aux, holomorphic)


def _value_and_grad(options: Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    value, aux, grads = _values_and_grads(options, args, kwargs)
    return ((value, aux) if options.has_aux else value), grads


def _check_scalar(options: Options, outputs: list[Any], structure: Any) -> None:
    if structure == tree.structure(0) and tuple(outputs[0].shape) == ():
        return
    what = (
        f"an array of shape {tuple(outputs[0].shape)}"
        if structure == tree.structure(0)
        else f"a tree of {len(outputs)} arrays"
    )
    raise ShapeError(
        f"{options.name} returned {what}; it must return one number, an array of shape (). Reduce "
        f"it, as in ub.sum, use ub.jacobian, or give has_aux=True if it returns (value, aux)"
    )


def _values_and_grads(
    options: Options, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any, Any]:
    call = Reversed(options, args, kwargs)
    _check_scalar(options, call.outputs, call.structure)
    (value,) = call.outputs
    grads = call.pull([call.backend.namespace.ones_like(value)])
    return value, call.aux, call.chosen(grads)


def vjp(f: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Return a function's value, and the function that takes cotangents back to its arguments.

    Args:
        f: the function.
        primals: its arguments: trees of floating-point or complex arrays.
        has_aux: whether it returns a pair, of the value and of what comes along.

    Returns:
        ``(value, pullback)``, or ``(value, pullback, aux)``. The pullback takes a tree like the
        value, and returns a tuple with a tree like the argument for each of `primals`. It may be
        called many times, and under `vmap`.

    Raises:
        DtypeError: an argument is not floating point or complex; or, in the pullback, a
            cotangent has another dtype than its output.
        ShapeError: in the pullback: the structure or a shape differs from the value's.
        UnsupportedError: NumPy, the reference, has no derivatives.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("jax"):
        ...     value, pullback = ub.vjp(lambda x: x**2, ub.asarray([1.0, 2.0]))
        ...     pullback(ub.asarray([1.0, 10.0]))
        (Array([ 2., 40.], dtype=float32),)
    """
    if not callable(f):
        raise TypeError(f"vjp: f={f!r} is not callable")
    options = Options(f, "vjp", tuple(range(len(primals))), has_aux, False)
    call = Reversed(options, primals, {})

    def pullback(cotangents: Any) -> Any:
        return call.pull(_cotangents(call, cotangents))

    return (call.value(), pullback, call.aux) if has_aux else (call.value(), pullback)


def _cotangents(call: Reversed, cotangents: Any) -> list[Any]:
    """Return what a pullback was given as leaves, checked against the outputs.

    Raises:
        ShapeError, DtypeError: as in `vjp`.
    """
    leaves, structure = tree.flatten(cotangents)
    name = call.options.name
    if structure != call.structure:
        raise ShapeError(
            f"{name}: the pullback was given {structure}, but the value is {call.structure}"
        )
    entered: list[Any] = []
    for i, (leaf, y) in enumerate(zip(leaves, call.outputs, strict=True)):
        if kind_of(y) not in "fc":  # no derivative flows through integers: anything will do
            entered.append(None)
            continue
        dtype = np.dtype(y.dtype) if type(leaf) in _dispatch.SCALARS else None
        x = enter(call.backend, leaf, function=name, dtype=dtype, strong=True)
        if tuple(x.shape) != tuple(y.shape):
            raise ShapeError(
                f"{name}: cotangent {i} has the shape {tuple(x.shape)}, but its output has "
                f"{tuple(y.shape)}"
            )
        if x.dtype != y.dtype:
            raise DtypeError(
                f"{name}: cotangent {i} is {x.dtype}, but its output is {y.dtype}; convert it "
                f"with ub.astype"
            )
        entered.append(x)
    return entered


def stop_gradient(x: Any) -> Any:
    """Return the same values, through which no gradient is taken.

    Args:
        x: an array, or a tree of arrays and numbers.

    Returns:
        A tree like it. Gradients by what it was made of are zero.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("jax"):
        ...     ub.grad(lambda x: x * ub.stop_gradient(x))(3.0)
        Array(3., dtype=float32)
    """

    def stopped(leaf: Any) -> Any:
        cls = type(leaf)
        owner = _dispatch.owner_of_type(cls)
        if cls in _dispatch.SCALARS or owner is _dispatch.UNKNOWN:
            return leaf
        backend = owner or _dispatch.active()
        return backend.stop_gradient(enter(backend, leaf, function="stop_gradient"))

    return tree.map(stopped, x)
