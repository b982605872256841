"""Operations that run as one compiled program where their operands have values.

JAX runs what is made of several steps one by one, and rules are looked at anew in each call. A
program that was made once for its options does neither: the choice of the options is a key, and
shapes and dtypes are the keys of `jax.jit` itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
from jax.core import Tracer

from ... import dtypes
from ...settings import current

# Operations that ask for no operand's values, and read no setting but those in the key.
PROGRAMS = frozenset(
    (
        *("all", "any", "argmax", "argmin", "argsort", "count_nonzero", "sort"),
        *("cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod", "std"),
        *("sum", "var", "where"),
        *("broadcast_arrays", "broadcast_to", "concat", "expand_dims", "flip", "matrix_transpose"),
        *("moveaxis", "permute_dims", "reshape", "roll", "squeeze", "stack", "tile", "tril"),
        *("triu", "unstack"),
    )
)

_MOST = 4096  # programs of an operation
_WIDE = frozenset(dtypes.NARROW)
_PLAIN = frozenset((bool, int, str, type(None)))
_INTS = frozenset((int,))

# The class of JAX's arrays that have values, once one was met; tracers have others.
_concrete: set[type] = set()


def program(
    implementation: Callable[..., Any], checked: Callable[..., Any], operands: int
) -> Callable[..., Any]:
    """Return an operation that runs as a program where it can, and else, and for errors, as it is.

    Args:
        implementation: an operation of `PROGRAMS`.
        checked: the same, with a look at the operands first.
        operands: how many of its arguments are arrays; 0 is a list of them.
    """
    programs: dict[Any, Callable[..., Any]] = {}
    several, after = operands == 0, operands or 1

    def make(rest: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any]:
        def traced(*arrays: Any) -> Any:
            return implementation(*([[*arrays]] if several else arrays), *rest, **kwargs)

        return jax.jit(traced, inline=True)

    @functools.wraps(implementation)
    def call(*args: Any, **kwargs: Any) -> Any:
        settings = current()
        arrays = args[0] if several else args[:after]
        for x in arrays:
            if not (type(x) in _concrete or _has_values(x)):
                return checked(*args, **kwargs)
            if x.dtype in _WIDE and not settings.x64:
                return checked(*args, **kwargs)
        key: Any = settings.default_float
        if kwargs or len(args) > after:
            values = (*args[after:], *kwargs.values())
            types = (*map(type, values),)
            if not (_PLAIN.issuperset(types) or _are_plain(values)):
                return checked(*args, **kwargs)
            key = values, types, (*kwargs,), key  # 1 is another than True
        run = programs.get(key)
        if run is None:
            if len(programs) >= _MOST:
                programs.clear()
            run = programs[key] = make(args[after:], kwargs)
        try:
            return run(*arrays)
        except Exception:  # the operation itself says what is wrong, outside of a trace
            return checked(*args, **kwargs)

    return call


def _has_values(x: Any) -> bool:
    found = isinstance(x, jax.Array) and not isinstance(x, Tracer)
    if found:
        _concrete.add(type(x))
    return found


def _are_plain(values: tuple[Any, ...]) -> bool:
    """Tell whether options can be a key: there is no 1.0 among them, which would count as 1."""
    return all(
        type(x) in _PLAIN or (type(x) is tuple and _INTS.issuperset(map(type, x))) for x in values
    )
