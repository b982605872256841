"""`custom_vjp`: a function that brings its own derivative, with `jax.custom_vjp`'s rules."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

import numpy as np

from .. import _dispatch, dtypes, tree
from .._entry import enter
from ..errors import DtypeError, ShapeError
from ..settings import within
from .signature import name_of, signature_of

if TYPE_CHECKING:
    from ..backends.contract import Backend

P = ParamSpec("P")
R = TypeVar("R")


class custom_vjp(Generic[P, R]):  # noqa: N801 - the field's name, that of jax.custom_vjp
    """Give a function a derivative of its own, for gradients in reverse.

    Where no gradient is taken the function runs as it is. Where one is, the forward function
    runs in its place, and the backward function takes the cotangents of the outputs to those of
    the arguments. All values that a gradient is asked for must be arguments: what the function
    takes from outside gets none, which is an error on every backend.

    Args:
        f: the function; its arguments and outputs are trees of arrays.
        nondiff_argnums: positions of arguments that are no arrays, or get no gradient; the
            backward function gets them first.

    Examples:
        >>> import unibackend as ub
        >>> @ub.custom_vjp
        ... def clipped(x):  # the identity, with a gradient that is clipped
        ...     return x
        >>> clipped.defvjp(lambda x: (x, None), lambda kept, ct: (ub.clip(ct, -1.0, 1.0),))
        >>> with ub.use("jax"):
        ...     ub.grad(lambda x: 10.0 * clipped(x))(3.0)
        Array(1., dtype=float32)
    """

    def __init__(self, f: Callable[P, R], nondiff_argnums: Sequence[int] = ()) -> None:
        if not callable(f):
            raise TypeError(f"custom_vjp: f={f!r} is not callable")
        functools.update_wrapper(self, f)
        self._function = f
        self._name = name_of(f)
        self._signature = signature_of(f)
        self._fixed = frozenset(nondiff_argnums)
        self._forward: Callable[..., Any] | None = None
        self._backward: Callable[..., Any] | None = None

    def defvjp(self, fwd: Callable[..., tuple[R, Any]], bwd: Callable[..., Any]) -> None:
        """Set the derivative.

        Args:
            fwd: takes what the function takes, and returns a pair: its value, and a tree of what
                to keep for `bwd`. Let it get the value from the decorated function itself where
                second derivatives matter: they then follow `bwd` on every backend. Through other
                code JAX takes that code's own derivative there, and TensorFlow that of `bwd`.
            bwd: takes the arguments of `nondiff_argnums`, then what was kept and the cotangents,
                a tree like the value. It returns a tuple with a tree for each other argument;
                None stands for zeros.

        Examples:
            >>> import unibackend as ub
            >>> square = ub.custom_vjp(lambda x: x * x)
            >>> square.defvjp(lambda x: (x * x, x), lambda x, ct: (2 * x * ct,))
        """
        for option, function in (("fwd", fwd), ("bwd", bwd)):
            if not callable(function):
                raise TypeError(f"custom_vjp: {option}={function!r} is not callable")
        self._forward, self._backward = fwd, bwd

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if self._forward is None or self._backward is None:
            raise TypeError(
                f"custom_vjp: {self._name} has no derivative yet; set it with "
                f"{self._name}.defvjp(fwd, bwd)"
            )
        given: tuple[Any, ...] = args
        if kwargs:
            if self._signature is None:
                raise TypeError(f"custom_vjp: {self._name} takes positional arguments only")
            bound = self._signature.bind(*args, **kwargs)
            if bound.kwargs:
                raise TypeError(
                    f"custom_vjp: {self._name} has arguments by keyword only, "
                    f"{sorted(bound.kwargs)}; a gradient needs them by position"
                )
            given = bound.args
        call = _Call(self._name, self._function, self._forward, self._backward, given, self._fixed)
        return call.run()  # type: ignore[no-any-return]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<ub.custom_vjp of {self._name}>"


class _Call:
    """One call: the three functions as a backend wants them, of flat lists of arrays."""

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        args: tuple[Any, ...],
        fixed: frozenset[int],
    ) -> None:
        self._name, self._function, self._fwd, self._bwd = name, function, fwd, bwd
        self._args = args
        self._fixed = frozenset(i % len(args) if args else i for i in fixed)
        for i in fixed:
            if not -len(args) <= i < len(args):
                raise ValueError(
                    f"custom_vjp: nondiff_argnums={i}, but {name} was called with {len(args)} "
                    f"arguments"
                )
        chosen: Any = tuple(x for i, x in enumerate(args) if i not in self._fixed)
        leaves, self._structure = tree.flatten(chosen)
        named = [(f"leaf {i}", leaf) for i, leaf in enumerate(leaves)]
        self._backend: Backend = _dispatch.find_owner(name, named) or _dispatch.active()
        self._leaves = [
            enter(self._backend, leaf, function=name, argument=f"leaf {i}", strong=True)
            for i, leaf in enumerate(leaves)
        ]
        self._outputs: Any = None  # their structure
        self._kept: Any = None  # how the residuals are put together again

    def run(self) -> Any:
        outputs = self._backend.custom_vjp(
            self._primal, self._forward, self._backward, self._leaves, self._function
        )
        return tree.unflatten(self._outputs, outputs)

    def _full(self, leaves: list[Any]) -> list[Any]:
        rest = iter(self._structure.unflatten(leaves))
        return [x if i in self._fixed else next(rest) for i, x in enumerate(self._args)]

    def _primal(self, leaves: list[Any]) -> list[Any]:
        with within(self._backend.name):
            outputs, self._outputs = tree.flatten(self._function(*self._full(leaves)))
        return outputs

    def _forward(self, leaves: list[Any]) -> tuple[list[Any], list[Any]]:
        with within(self._backend.name):
            result: Any = self._fwd(*self._full(leaves))
        if type(result) is not tuple or len(result) != 2:
            raise TypeError(
                f"custom_vjp: fwd of {self._name} must return a pair (value, kept), not "
                f"{result!r:.60}"
            )
        outputs, self._outputs = tree.flatten(result[0])
        kept, structure = tree.flatten(result[1])
        # What is no array (a text, a number) is kept here; arrays go through the backend.
        plain = [None if _dispatch.is_owned(x) else (x,) for x in kept]
        self._kept = (structure, plain)
        return outputs, [x for x in kept if _dispatch.is_owned(x)]

    def _backward(self, residuals: list[Any], cotangents: list[Any]) -> list[Any]:
        structure, plain = self._kept
        rest = iter(residuals)
        kept = structure.unflatten([next(rest) if x is None else x[0] for x in plain])
        fixed = [self._args[i] for i in sorted(self._fixed)]
        given = tree.unflatten(self._outputs, [self._cotangent(ct) for ct in cotangents])
        with within(self._backend.name):
            result = self._bwd(*fixed, kept, given)
        parts = self._structure.unflatten(self._leaves)
        if not isinstance(result, tuple | list) or len(result) != len(parts):
            raise TypeError(
                f"custom_vjp: bwd of {self._name} must return a tuple with a gradient for each of "
                f"its {len(parts)} arguments, not {result!r:.60}"
            )
        return [
            leaf
            for i, (part, got) in enumerate(zip(parts, result, strict=True))
            for leaf in self._gradients(i, part, got)
        ]

    def _cotangent(self, ct: Any) -> Any:
        """Return a cotangent as an array; that of an integer output means nothing: zero."""
        if ct is None or np.dtype(ct.dtype).name not in dtypes.NAMES:  # JAX's float0
            return 0.0
        return ct

    def _gradients(self, place: int, part: Any, got: Any) -> list[Any]:
        """Return the gradients that `bwd` gave for one argument, None for zeros.

        Raises:
            ShapeError, DtypeError: they do not fit the argument.
        """
        wanted, structure = tree.flatten(part)
        if got is None:
            return [None] * len(wanted)
        leaves: Any = _none_as_leaves(got)
        if leaves[1] != _none_as_leaves(part)[1]:
            raise ShapeError(
                f"custom_vjp: bwd of {self._name} returned {got!r:.60} for argument {place}, "
                f"whose structure is {structure}"
            )
        gradients: list[Any] = []
        for x, got_leaf in zip(wanted, leaves[0], strict=True):
            if got_leaf is None or np.dtype(x.dtype).kind in "biu":
                gradients.append(None)
                continue
            dtype = np.dtype(x.dtype) if type(got_leaf) in _dispatch.SCALARS else None
            g = enter(self._backend, got_leaf, function=self._name, dtype=dtype, strong=True)
            what = f"custom_vjp: bwd of {self._name} returned a gradient for argument {place}"
            if tuple(g.shape) != tuple(x.shape):
                raise ShapeError(f"{what} of shape {tuple(g.shape)}; it has {tuple(x.shape)}")
            if g.dtype != x.dtype:
                raise DtypeError(f"{what} of dtype {g.dtype}; it is {x.dtype}, use ub.astype")
            gradients.append(g)
        return gradients


def _none_as_leaves(value: Any) -> tuple[list[Any], Any]:
    import optree

    return optree.tree_flatten(value, none_is_leaf=True, namespace=tree.NAMESPACE)


def refusal(name: str) -> str:
    """Return why a function's gradient by an array from outside is refused."""
    return (
        f"custom_vjp: {name} uses an array from outside that a gradient is asked for; its "
        f"backward function gives none for it, so pass it as an argument"
    )
