"""`while_loop`, `fori_loop`, `scan` and `map`: loops over values that may be traced, as JAX's."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, tree
from ..errors import DtypeError, ShapeError, TracingError
from . import steps
from .by_code import run_by_code
from .carry import Carry, Step
from .flat import (
    Flat,
    admitted,
    arguments,
    as_strong,
    check_callable,
    default_kind,
    kind_of,
)
from .signature import name_of

if TYPE_CHECKING:
    from ..backends.contract import Backend

_NO_GRADIENT = (
    "{}: it has no gradient in reverse, since the number of its steps is not known while it is "
    "traced; use ub.scan, or ub.fori_loop with Python integers as bounds"
)


def while_loop(
    cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any, /
) -> Any:
    """Repeat a function while a condition on its value holds.

    The rules are `jax.lax.while_loop`'s. There is no gradient in reverse, on any backend: the
    number of steps is not known. Called outside of other traces, it is compiled, and cached by
    the code of the functions and what they capture, as `vmap` is; on NumPy, and with
    `ub.use(compile=False)`, it is Python's loop.

    Args:
        cond_fun: from the value to a bool, an array of shape ().
        body_fun: from the value to the next one, of the same structure, shapes and dtypes.
        init_val: the first value, a tree. A Python number in it takes the dtype that
            `body_fun` returns at its place, where the number can; else the default one.

    Returns:
        The first value for which the condition does not hold.

    Raises:
        ShapeError: `body_fun` changes the structure or a shape; `cond_fun` returns no scalar.
        DtypeError: `body_fun` changes a dtype; `cond_fun` returns no bool.
        UnsupportedError: a gradient is asked for.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.while_loop(lambda x: x < 100, lambda x: x * 2, 3)
        array(192, dtype=int32)
    """
    check_callable("while_loop", cond_fun=cond_fun, body_fun=body_fun)
    backend, [leaves], [structure] = admitted("while_loop", init_val=init_val)
    by_steps = steps.are_taken(backend, leaves)

    def run(leaves: list[Any]) -> Any:
        cond = Flat(
            cond_fun, f"while_loop: cond_fun {name_of(cond_fun)}", arguments(structure), backend
        )
        body = Flat(
            body_fun, f"while_loop: body_fun {name_of(body_fun)}", arguments(structure), backend
        )
        space: Any = steps if by_steps else backend
        first = Carry.promoted(
            backend, space, leaves, [], lambda leaves, _: body(leaves), body.what
        )
        carry = Carry(backend, body.what, "init_val", structure, first)

        def step(leaves: list[Any]) -> list[Any]:
            return carry.kept(body(leaves), body.structure)

        outputs = space.while_loop(lambda leaves: _truth(cond, cond(leaves), backend), step, first)
        if body.structure is None:  # no step was taken
            space.rehearse(step, first, body.what)
        return tree.unflatten(structure, outputs)

    functions = (cond_fun, body_fun)
    result = _run("while_loop", functions, backend, leaves, structure, run, by_steps)
    return _without_gradient("while_loop", backend, result)


def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any, /) -> Any:
    """Repeat a function for each integer from `lower` to before `upper`.

    The rules are `jax.lax.fori_loop`'s: with Python integers as bounds it is a `scan`, and has a
    gradient; with arrays it is a `while_loop`, and has none in reverse. The integer that
    `body_fun` gets is an array of the default integer dtype or, with arrays as bounds, of theirs.

    Args:
        lower: the first integer, an array of shape () or a Python integer.
        upper: the end, which is not reached. No step is taken if it is not above `lower`.
        body_fun: from the integer and the value to the next value, of the same structure,
            shapes and dtypes.
        init_val: the first value, a tree, with numbers as in `while_loop`.

    Returns:
        The last value.

    Raises:
        ShapeError: `body_fun` changes the structure or a shape; a bound is no scalar.
        DtypeError: `body_fun` changes a dtype; a bound is no integer.
        UnsupportedError: a gradient is asked for where a bound is an array.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.fori_loop(0, 4, lambda i, total: total + i, 0)
        array(6, dtype=int32)
    """
    check_callable("fori_loop", body_fun=body_fun)
    backend, [bounds, leaves], [_, structure] = admitted(
        "fori_loop", bounds=(lower, upper), init_val=init_val
    )
    dtype = _bounds_dtype(bounds)
    if all(isinstance(bound, int | np.integer) for bound in (lower, upper)):
        count, bounds = max(0, int(upper) - int(lower)), [int(lower)]
        for end in (int(lower), int(lower) + count):
            dtypes.fit(end, dtype, "fori_loop")
    else:
        count = None
    given = [*bounds, *leaves] if count is None else leaves
    by_steps = steps.are_taken(backend, given)

    def run(given: list[Any]) -> Any:
        start, *rest = given if count is None else (*bounds, *given)
        body = Flat(
            body_fun,
            f"fori_loop: body_fun {name_of(body_fun)}",
            arguments(tree.structure(0), structure),
            backend,
        )
        first = _strong_integer(backend, start, dtype)
        leaves = rest[1:] if count is None else rest
        space: Any = steps if by_steps else backend
        values = Carry.promoted(
            *(backend, space, leaves, [first]), lambda c, i: body([*i, *c]), body.what
        )
        carry = Carry(backend, body.what, "init_val", structure, values)

        def step(leaves: list[Any]) -> list[Any]:
            i, *values = leaves
            return [i + 1, *carry.kept(body([i, *values]), body.structure)]

        init = [first, *values]
        if count is None:
            end = _strong_integer(backend, rest[0], dtype)
            outputs = space.while_loop(lambda leaves: leaves[0] < end, step, init)
        else:
            outputs, _ = space.scan(lambda c, _: (step(c), []), init, [], count, False)
        if body.structure is None:  # no step was taken
            space.rehearse(step, init, body.what)
        return tree.unflatten(structure, outputs[1:])

    key = (structure, count, None if count is None else int(lower))
    result = _run("fori_loop", (body_fun,), backend, given, key, run, by_steps)
    if count is None:
        result = _without_gradient("fori_loop", backend, result)
    return result


def scan(
    f: Callable[[Any, Any], Any],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Carry a value through a function along the leading axis of arrays, and stack its outputs.

    The rules are `jax.lax.scan`'s. It has a gradient on JAX and TensorFlow. Called outside of
    other traces, it is compiled, and cached by the code of the function and what it captures, as
    `vmap` is; on NumPy, and with `ub.use(compile=False)`, it is Python's loop.

    Args:
        f: from the carried value and one example of `xs` to a pair: the next value, of the same
            structure, shapes and dtypes, and an output, a tree or None.
        init: the first value, a tree. A Python number in it takes the dtype that `f` returns at
            its place, where the number can; else the default one.
        xs: a tree of arrays, whose leading axes have one size; None to repeat `length` times.
        length: the number of steps; needed where `xs` has no arrays.
        reverse: whether to go from the last example to the first; outputs stand at the place of
            their example.

    Returns:
        The last value, and the outputs with the steps as their leading axis.

    Raises:
        ShapeError: sizes differ, there is no length, or `f` changes the structure or a shape.
        DtypeError: `f` changes a dtype.
        TypeError: `f` does not return a pair.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.scan(lambda total, x: (total + x, total), 0, ub.asarray([1, 2, 3]))
        (array(6, dtype=int32), array([0, 1, 3], dtype=int32))
    """
    check_callable("scan", f=f)
    return _scan("scan", f, init, xs, length, reverse)


def map(f: Callable[[Any], Any], xs: Any, /, *, batch_size: int | None = None) -> Any:
    """Apply a function to each example along the leading axis, one after the other.

    The rules are `jax.lax.map`'s: as `vmap`, in the memory of one example. It has a gradient on
    JAX and TensorFlow.

    Args:
        f: from an example of `xs` to a tree of arrays.
        xs: a tree of arrays, whose leading axes have one size.
        batch_size: take so many examples at a time, by `vmap`.

    Returns:
        The outputs, with the examples as their leading axis.

    Raises:
        ShapeError: sizes differ, there are no arrays, or `batch_size` is not positive.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.map(lambda x: x * x, ub.asarray([1.0, 2.0, 3.0]))
        array([1., 4., 9.], dtype=float32)
    """
    check_callable("map", f=f)
    if batch_size is None:
        return _scan("map", f, (), xs, None, False)[1]
    if type(batch_size) is not int or batch_size < 1:
        raise ShapeError(f"map: batch_size={batch_size!r} must be a positive integer")
    return _in_batches(f, xs, batch_size)


def _in_batches(f: Callable[[Any], Any], xs: Any, batch_size: int) -> Any:
    from ..ops.manipulation import concat, reshape  # operations are built on this package
    from .vmap import vmap

    _, [leaves], [structure] = admitted("map", xs=xs)
    size = _length("map", leaves, structure, None)
    whole = size - size % batch_size
    mapped = vmap(f)
    batches = [reshape(x[:whole], (-1, batch_size, *x.shape[1:])) for x in leaves]
    if whole == 0:
        return mapped(structure.unflatten(leaves))
    outputs = _scan("map", mapped, (), structure.unflatten(batches), None, False, code=f)[1]
    outputs = tree.map(lambda y: reshape(y, (-1, *y.shape[2:])), outputs)
    if whole == size:
        return outputs
    rest = mapped(structure.unflatten([x[whole:] for x in leaves]))
    return tree.map(lambda a, b: concat([a, b]), outputs, rest)


def _scan(
    function: str,
    f: Callable[..., Any],
    init: Any,
    xs: Any,
    length: int | None,
    reverse: bool,
    code: Callable[..., Any] | None = None,
) -> tuple[Any, Any]:
    """Scan for `scan`, and for `map`, whose function has no carry and returns no pair."""
    backend, [init_leaves, xs_leaves], [init_structure, xs_structure] = admitted(
        function, init=init, xs=xs
    )
    count = _length(function, xs_leaves, xs_structure, length)
    given = [*init_leaves, *xs_leaves]
    by_steps = steps.are_taken(backend, given)
    reverse = bool(reverse)

    def run(given: list[Any]) -> Any:
        leaves, xs = given[: len(init_leaves)], given[len(init_leaves) :]
        step = Step(function, f, init_structure, xs_structure, backend)

        space: Any = steps if by_steps else backend
        zeros = _zeros(backend, xs)
        first = Carry.promoted(
            *(backend, space, leaves, zeros), lambda c, x: step(c, x)[0], step.flat.what
        )
        carry = Carry(backend, step.flat.what, "init", init_structure, first)

        def body(leaves: list[Any], examples: list[Any]) -> tuple[list[Any], list[Any]]:
            outputs, ys = step(leaves, examples)
            return carry.kept(outputs, step.carry_structure), ys

        last, ys = space.scan(body, first, xs, count, reverse)
        return tree.unflatten(init_structure, last), tree.unflatten(step.ys_structure, ys)

    key = (init_structure, xs_structure, count, reverse, code is None)
    result: tuple[Any, Any] = _run(function, (code or f,), backend, given, key, run, by_steps)
    return result


def _run(
    function: str,
    functions: tuple[Callable[..., Any], ...],
    backend: Backend,
    leaves: list[Any],
    key: Any,
    run: Callable[[list[Any]], Any],
    by_steps: bool,
) -> Any:
    if by_steps:
        return run(leaves)
    return run_by_code(function, functions, backend, leaves, key, run)


def _without_gradient(function: str, backend: Backend, result: Any) -> Any:
    leaves, structure = tree.flatten(result)
    return structure.unflatten(backend.refuse_gradient(leaves, _NO_GRADIENT.format(function)))


def _truth(cond: Flat, outputs: list[Any], backend: Backend) -> Any:
    """Return what a condition returned, as one bool."""
    if cond.structure != tree.structure(0):
        raise ShapeError(f"{cond.what} returned a tree, not one bool; use ub.logical_and")
    (kind,) = cond.kinds
    if kind.shape:
        raise ShapeError(f"{cond.what} returned {kind}, not one bool; take ub.any or ub.all of it")
    if default_kind(kind) != dtypes.bool_:
        raise DtypeError(f"{cond.what} returned {kind}, not a bool; compare, as in x != 0")
    return as_strong(backend, outputs[0], dtypes.bool_, cond.what)


def _bounds_dtype(bounds: list[Any]) -> dtypes.Dtype:
    """Return the dtype to count in."""
    for name, bound in zip(("lower", "upper"), bounds, strict=True):
        kind = kind_of(bound)
        if kind.shape:
            raise ShapeError(f"fori_loop: {name} has the shape {kind.shape}; it is one integer")
        if dtypes.kind(default_kind(kind)) not in "iu":
            raise DtypeError(f"fori_loop: {name} is {kind}, not an integer")
    return dtypes.result_type(*(kind_of(bound).dtype for bound in bounds))


def _length(function: str, leaves: list[Any], structure: Any, length: int | None) -> int:
    """Return the number of steps.

    Raises:
        ShapeError: sizes differ, there is none, or an array has no leading axis.
        TracingError: a size is not known inside the user's tf.function.
    """
    size = None if length is None else operator.index(length)
    source = "length"
    if size is not None and size < 0:
        raise ShapeError(f"{function}: length={length} is negative")
    for i, leaf in enumerate(leaves):
        path = structure.accessors()[i].codify("xs")
        shape = kind_of(leaf).shape
        if not shape:
            raise ShapeError(
                f"{function}: {path} is a scalar, which has no leading axis to go along; what is "
                f"the same at each step is captured by the function"
            )
        if shape[0] is None:
            raise TracingError(
                f"{function}: the size of the leading axis of {path} is not known inside this "
                f"tf.function; give it in input_signature, or by tf.ensure_shape"
            )
        if size is not None and shape[0] != size:
            raise ShapeError(
                f"{function}: the sizes of leading axes differ: {source} is {size}, and {path} "
                f"has {shape[0]}"
            )
        size, source = shape[0], f"that of {path}"
    if size is None:
        raise ShapeError(
            f"{function}: xs has no arrays to go along"
            + ("; give length" if function == "scan" else "")
        )
    return size


def _zeros(backend: Backend, xs: list[Any]) -> list[Any]:
    """Return an example of zeros; the first where a size is not known, as in a tf.function."""
    zeros = backend.namespace.zeros
    return [
        x[0] if None in x.shape else zeros(tuple(x.shape[1:]), dtype=np.dtype(x.dtype)) for x in xs
    ]


def _strong_integer(backend: Backend, x: Any, dtype: dtypes.Dtype) -> Any:
    if kind_of(x).is_weak or kind_of(x).dtype == dtype:
        return as_strong(backend, x, dtype, "fori_loop")
    return backend.namespace.astype(x, dtype)
