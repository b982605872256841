"""`cond` and `switch`: one of several functions, chosen by a value, with JAX's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import _dispatch, dtypes, tree
from ..errors import DtypeError, ShapeError
from . import steps
from .by_code import run_by_code
from .flat import (
    Flat,
    Kind,
    admitted,
    as_strong,
    check_callable,
    check_structure,
    kind_of,
    same_shape,
)
from .signature import name_of

if TYPE_CHECKING:
    from ..backends.contract import Backend

R = TypeVar("R")


def cond(
    pred: Any, true_fun: Callable[..., R], false_fun: Callable[..., R], /, *operands: Any
) -> R:
    """Return what one of two functions returns, chosen by a value that may be traced.

    The rules are `jax.lax.cond`'s. Both functions are traced, one runs; under `vmap` with a
    mapped predicate both run and the results are selected. Called outside of other traces, it is
    compiled, and cached by the code of the functions and what they capture, as `vmap` is. On
    NumPy, and with `ub.use(compile=False)`, one function runs as it is; the other is run as well,
    with floating-point warnings off and errors other than this library's ignored, so that
    functions that do not agree are refused there too.

    Args:
        pred: a bool, or a number, which counts as true where it is not 0; an array of shape ().
        true_fun: called with the operands where `pred` is true.
        false_fun: called with the operands where it is not. Both return trees of one structure,
            whose arrays agree in shape and dtype; a Python number takes the dtype of the other's.
        operands: trees of arrays and numbers.

    Returns:
        The tree that the function returns.

    Raises:
        ShapeError: `pred` is no scalar, or structures or shapes of the two do not agree.
        DtypeError: their dtypes do not agree.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.cond(ub.asarray(-3.0) > 0, lambda x: x, lambda x: -x, ub.asarray(-3.0))
        array(3., dtype=float32)
    """
    check_callable("cond", true_fun=true_fun, false_fun=false_fun)
    backend, [[value], leaves], [_, structure] = _taken_apart("cond", "pred", pred, operands)
    _check_scalar("cond", "pred", value, "a bool, or a number: take ub.any or ub.all of an array")

    def chosen(space: Any, value: Any) -> Any:
        if type(value) in _dispatch.SCALARS:
            return space.asarray(np.asarray(value != 0, np.int32))
        truth = value if value.dtype == dtypes.bool_ else space.astype(value, dtypes.bool_)
        return space.astype(truth, dtypes.int32)

    return _choose("cond", backend, chosen, value, (false_fun, true_fun), structure, leaves)  # type: ignore[no-any-return]


def switch(index: Any, branches: Sequence[Callable[..., R]], /, *operands: Any) -> R:
    """Return what one of several functions returns, chosen by an integer that may be traced.

    The rules are `jax.lax.switch`'s, and what is said at `cond` of tracing, caching and NumPy
    holds here.

    Args:
        index: an integer, an array of shape (); one out of range takes the nearest function.
        branches: the functions. They return trees of one structure, whose arrays agree in shape
            and dtype; a Python number takes the dtype of the others'.
        operands: trees of arrays and numbers that the function is called with.

    Returns:
        The tree that the function returns.

    Raises:
        ShapeError: there is no function, `index` is no scalar, or structures or shapes do not
            agree.
        DtypeError: `index` is no integer, or dtypes do not agree.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.switch(7, [lambda x: x, lambda x: 2 * x], ub.asarray([1.0, 2.0]))
        array([2., 4.], dtype=float32)
    """
    functions = tuple(branches)
    check_callable("switch", **{f"branches[{i}]": f for i, f in enumerate(functions)})
    if not functions:
        raise ShapeError("switch: branches is empty; give one function at least")
    backend, [[value], leaves], [_, structure] = _taken_apart("switch", "index", index, operands)
    kind = _check_scalar("switch", "index", value, "one integer: use ub.vmap to choose for many")
    if kind not in "iu":
        raise DtypeError(
            f"switch: index is {_dtype_name(value)}, not an integer; use ub.cond for a bool, or "
            f"ub.astype(index, 'int32')"
        )
    last = len(functions) - 1

    def chosen(space: Any, value: Any) -> Any:
        if type(value) is int:
            return space.asarray(np.asarray(min(max(value, 0), last), np.int32))
        index = (
            value
            if not getattr(value, "weak_type", False)
            else value + space.zeros((), dtype=dtypes.default(int))
        )
        reachable = min(last, np.iinfo(index.dtype).max)
        return space.astype(space.clip(index, 0, reachable), dtypes.int32)

    return _choose("switch", backend, chosen, value, functions, structure, leaves)  # type: ignore[no-any-return]


def _taken_apart(function: str, name: str, choice: Any, operands: Any) -> Any:
    if isinstance(choice, list | tuple | dict) or choice is None:
        raise ShapeError(f"{function}: {name}={choice!r:.80} is no scalar")
    return admitted(function, **{name: choice, "operands": operands})


def _check_scalar(function: str, name: str, value: Any, rule: str) -> str:
    """Return the kind of a scalar's dtype, as 'b'."""
    shape, dtype = kind_of(value)
    if shape:
        raise ShapeError(f"{function}: {name} has the shape {shape}; it must be {rule}")
    return dtypes.kind(dtypes.default(dtype) if isinstance(dtype, type) else dtype)


def _dtype_name(x: Any) -> str:
    return str(getattr(x, "dtype", type(x).__name__))


def _choose(
    function: str,
    backend: Backend,
    chosen: Callable[[Any, Any], Any],
    value: Any,
    functions: tuple[Callable[..., Any], ...],
    structure: Any,
    leaves: list[Any],
) -> Any:
    """Return the outputs of the function whose number `chosen` makes of a value."""
    given = [value, *leaves]
    by_steps = steps.are_taken(backend, given)

    def run(leaves: list[Any]) -> Any:
        value, *operands = leaves
        branches = [
            Flat(f, f"{function}: the function {name_of(f)}", structure, backend) for f in functions
        ]
        index = chosen(backend.namespace, value)
        if by_steps:
            return _by_steps(function, backend, branches, int(index), operands)
        for branch in branches:
            backend.rehearse(branch, operands, branch.what)
        wanted = _agreed(branches)

        def brought(branch: Flat) -> Callable[[list[Any]], list[Any]]:
            return lambda leaves: _brought(backend, branch, branch(leaves), wanted)

        outputs = backend.switch(index, [brought(branch) for branch in branches], operands)
        return tree.unflatten(branches[0].structure, outputs)

    if by_steps:
        return run(given)
    return run_by_code(function, functions, backend, given, structure, run)


def _by_steps(
    function: str, backend: Backend, branches: list[Flat], index: int, operands: list[Any]
) -> Any:
    """Run one branch; what the others return is looked at, and so are their errors of ours."""
    taken = branches[index]
    outputs = taken(operands)
    if not steps.is_rehearsal():
        for branch in branches:
            if branch is not taken:
                steps.rehearse(branch, operands, branch.what)
    ran = [branch for branch in branches if branch.structure is not None]
    wanted = _agreed(ran)
    return tree.unflatten(taken.structure, _brought(backend, taken, outputs, wanted))


def _brought(
    backend: Backend, branch: Flat, outputs: list[Any], wanted: list[dtypes.Dtype]
) -> list[Any]:
    return [
        as_strong(backend, x, dtype, branch.what) for x, dtype in zip(outputs, wanted, strict=True)
    ]


def _agreed(branches: list[Flat]) -> list[dtypes.Dtype]:
    """Return the dtype of each output, after a check that the functions agree.

    Raises:
        ShapeError: structures or shapes differ.
        DtypeError: dtypes differ.
    """
    first, *others = branches
    for other in others:
        whose = first.what.partition(": ")[2]
        check_structure(other.what, first.structure, other.structure, whose)
    return [
        _one_dtype(branches, i, [branch.kinds[i] for branch in branches])
        for i in range(len(first.kinds))
    ]


def _one_dtype(branches: list[Flat], i: int, kinds: list[Kind]) -> dtypes.Dtype:
    common = dtypes.result_type(*(kind.dtype for kind in kinds))
    for branch, kind in zip(branches, kinds, strict=True):
        returned = f"{branch.what} returned {branch.path(i)} as {kind}"
        if not same_shape(kind.shape, kinds[0].shape):
            raise ShapeError(
                f"{returned}, another as {kinds[0]}; their shapes must be equal: use "
                f"ub.broadcast_to or ub.reshape in one of them"
            )
        if not kind.is_weak and kind.dtype != common:
            other = next(k for k in kinds if k.dtype != kind.dtype)
            raise DtypeError(
                f"{returned}, another as {other}; their dtypes must be equal: use ub.astype in "
                f"one of them"
            )
    return common
