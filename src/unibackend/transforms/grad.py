"""Derivatives in reverse, with `jax.grad`'s rules: what is differentiated, and what comes out."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _dispatch, dtypes, tree
from .._entry import enter
from .._nans import without_nan
from ..errors import DtypeError, ShapeError
from ..settings import current, within

if TYPE_CHECKING:
    from ..backends.contract import Backend

Argnums = int | Sequence[int]


@dataclass(frozen=True)
class _Options:
    """What is differentiated by what, and how."""

    function: Callable[..., Any]
    transformation: str
    argnums: Argnums
    has_aux: bool
    holomorphic: bool

    @property
    def name(self) -> str:
        return f"{self.transformation}: {getattr(self.function, '__qualname__', self.function)}"

    def positions(self, count: int) -> tuple[int, ...]:
        """Return the positions of the arguments to differentiate by, counted from the front.

        Raises:
            ValueError: there is no such positional argument.
        """
        wanted = (self.argnums,) if isinstance(self.argnums, int) else tuple(self.argnums)
        for i in wanted:
            if not -count <= i < count:
                raise ValueError(
                    f"{self.name}: argnums={self.argnums!r}, but it was called with {count} "
                    f"positional arguments; arguments to differentiate by are given by position"
                )
        return tuple(i % count for i in wanted)


class _Reversed:
    """One call, run forward: its outputs, and what takes cotangents back to the arguments."""

    def __init__(self, options: _Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.options = options
        positions = options.positions(len(args))
        backend = self.backend = _owner(options, args, kwargs)
        chosen: Any = tuple(args[i] for i in positions)
        leaves, self._structure = tree.flatten(chosen)
        leaves = [_differentiable(backend, options, leaf) for leaf in leaves]
        others = [None if i in positions else _entered(backend, x) for i, x in enumerate(args)]
        named = {key: _entered(backend, value) for key, value in kwargs.items()}
        function, has_aux = options.function, options.has_aux
        self.structure: Any = None

        def flat(leaves: list[Any]) -> tuple[list[Any], Any]:
            full = list(others)
            for i, value in zip(positions, self._structure.unflatten(leaves), strict=True):
                full[i] = value
            with within(backend.name):
                result = function(*full, **named)
            aux = None
            if has_aux:
                result, aux = _split(options, result)
            outputs, self.structure = tree.flatten(result)
            for x in outputs:
                _check_output(options, x)
            return outputs, aux

        self.outputs, self._pull, self.aux = backend.vjp(flat, leaves, options.name)

    def pull(self, cotangents: list[Any]) -> Any:
        """Return the cotangents of the chosen arguments, one tree for each."""
        return self._structure.unflatten(self._pull(cotangents))

    def chosen(self, trees: Any) -> Any:
        """Return what belongs to the chosen arguments: bare if they were given as one integer."""
        return trees[0] if isinstance(self.options.argnums, int) else tuple(trees)

    def value(self) -> Any:
        return tree.unflatten(self.structure, self.outputs)


def _owner(options: _Options, args: Any, kwargs: Any) -> Backend:
    named = [
        (f"leaf {i}", leaf)
        for i, leaf in enumerate(tree.leaves((args, kwargs)))
        if type(leaf) not in _dispatch.SCALARS
        and _dispatch.owner_of_type(type(leaf)) is not _dispatch.UNKNOWN
    ]
    return _dispatch.find_owner(options.name, named) or _dispatch.active()


def _entered(backend: Backend, value: Any) -> Any:
    """Return an argument that is not differentiated, with NumPy's arrays as the backend's."""
    return tree.map(
        lambda x: enter(backend, x) if isinstance(x, np.ndarray | np.generic) else x, value
    )


def _differentiable(backend: Backend, options: _Options, leaf: Any) -> Any:
    """Return a leaf to differentiate by as an array, or as the Python float that it is.

    Raises:
        DtypeError: it is no floating-point or complex number.
    """
    cls = type(leaf)
    if _dispatch.owner_of_type(cls) is _dispatch.UNKNOWN:
        raise DtypeError(
            f"{options.name}: an argument to differentiate by holds {leaf!r:.60}, a "
            f"{cls.__name__}; it must be an array or a tree of arrays. Choose others by argnums"
        )
    x = leaf if cls in (float, complex) else enter(backend, leaf, function=options.name)
    is_number = type(x) in _dispatch.SCALARS
    kind = {bool: "b", int: "i", float: "f", complex: "c"}[cls] if is_number else _kind(x)
    if kind not in "fc" or (options.holomorphic and kind != "c"):
        rule = "complex, since holomorphic is True" if options.holomorphic else "floating point"
        dtype = cls.__name__ if is_number else np.dtype(x.dtype).name
        shown = f"={leaf!r}" if is_number else ""
        raise DtypeError(
            f"{options.name}: an argument to differentiate by is {dtype}{shown}; it must be "
            f"{rule}. Convert it, as in ub.astype(x, ub.float32), or choose others by argnums"
        )
    return x


def _kind(x: Any) -> str:
    return dtypes.kind(np.dtype(x.dtype))


def _split(options: _Options, result: Any) -> tuple[Any, Any]:
    if type(result) is not tuple or len(result) != 2:
        raise TypeError(
            f"{options.name}: with has_aux=True it must return a pair (value, aux), not "
            f"{result!r:.60}"
        )
    return result


def _check_output(options: _Options, x: Any) -> None:
    if options.transformation == "vjp" or _dispatch.owner_of_type(type(x)) is _dispatch.UNKNOWN:
        return
    kind = _kind(x) if hasattr(x, "dtype") else _kind(np.asarray(x))
    wanted = "c" if options.holomorphic else "f"
    if kind == wanted or (type(x) is int and not options.holomorphic):
        return
    cure = {
        "c": "take ub.real or ub.abs of it, or give holomorphic=True",
        "f": "leave holomorphic out",
    }.get(kind, "convert it to floating point, or return it by has_aux=True")
    raise DtypeError(
        f"{options.name} returned an output of dtype {getattr(x, 'dtype', type(x).__name__)}; it "
        f"must be {'complex' if options.holomorphic else 'real floating point'}: {cure}"
    )


def _check_scalar(options: _Options, outputs: list[Any], structure: Any) -> None:
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
    options: _Options, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any, Any]:
    call = _Reversed(options, args, kwargs)
    _check_scalar(options, call.outputs, call.structure)
    (value,) = call.outputs
    grads = call.pull([call.backend.namespace.ones_like(value)])
    return value, call.aux, call.chosen(grads)


def _decorated(
    transformation: Callable[..., Any],
    f: Any,
    run: Callable[[_Options, tuple[Any, ...], dict[str, Any]], Any],
    argnums: Argnums,
    has_aux: bool,
    holomorphic: bool,
) -> Any:
    """Return the transformed function; a decorator where the function is still to come."""
    if f is None:
        return functools.partial(
            transformation, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic
        )
    name = transformation.__name__
    if not callable(f):
        raise TypeError(f"{name}: f={f!r} is not callable")
    given = (argnums,) if isinstance(argnums, int) else argnums
    if not isinstance(given, Sequence) or not all(type(i) is int for i in given):
        raise TypeError(f"{name}: argnums={argnums!r} must be an integer or a sequence of such")
    options = _Options(f, name, argnums, has_aux, holomorphic)

    @functools.wraps(f)
    def differentiated(*args: Any, **kwargs: Any) -> Any:
        if current().check_nans:
            return without_nan(name, lambda: run(options, args, kwargs))
        return run(options, args, kwargs)

    return differentiated


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
    return _decorated(grad, f, _grad, argnums, has_aux, holomorphic)  # type: ignore[no-any-return]


def _grad(options: _Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
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
    return _decorated(  # type: ignore[no-any-return]
        value_and_grad, f, _value_and_grad, argnums, has_aux, holomorphic
    )


def _value_and_grad(options: _Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    value, aux, grads = _values_and_grads(options, args, kwargs)
    return ((value, aux) if options.has_aux else value), grads


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
    return _decorated(  # type: ignore[no-any-return]
        jacobian, f, _jacobian, argnums, has_aux, holomorphic
    )


def _jacobian(options: _Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    call = _Reversed(options, args, kwargs)
    rows = [_rows(call, i) for i in range(len(call.outputs))]
    result = tree.unflatten(call.structure, [call.chosen(row) for row in rows])
    return (result, call.aux) if options.has_aux else result


def _rows(call: _Reversed, wanted: int) -> Any:
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
    return _decorated(  # type: ignore[no-any-return]
        hessian, f, _hessian, argnums, has_aux, holomorphic
    )


def _hessian(options: _Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    inner = functools.partial(_jacobian, options)

    def first(*args: Any, **kwargs: Any) -> Any:
        return inner(args, kwargs)

    first.__qualname__ = getattr(options.function, "__qualname__", "f")
    outer = _Options(
        first, options.transformation, options.argnums, options.has_aux, options.holomorphic
    )
    return _jacobian(outer, args, kwargs)


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
    options = _Options(f, "vjp", tuple(range(len(primals))), has_aux, False)
    call = _Reversed(options, primals, {})

    def pullback(cotangents: Any) -> Any:
        return call.pull(_cotangents(call, cotangents))

    return (call.value(), pullback, call.aux) if has_aux else (call.value(), pullback)


def _cotangents(call: _Reversed, cotangents: Any) -> list[Any]:
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
        if _kind(y) not in "fc":  # no derivative flows through integers: anything will do
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
