"""Debugging: values printed from compiled code, and the operation that made the first NaN.

To stop inside a function with a debugger, run it step by step: ``with ub.use(compile=False)``.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _dispatch, _lines, dtypes, tree
from ._entry import enter
from .errors import NanError
from .settings import Scope
from .transforms.steps import is_rehearsal

__all__ = ["check_nans", "print"]


def print(fmt: str, *args: Any, ordered: bool = True, **kwargs: Any) -> None:
    """Print values each time that this point is reached, in compiled code too.

    The text is ``fmt.format(*args, **kwargs)`` with NumPy's arrays of the values, the same on
    each backend. Under `vmap` it is printed for each example where a value depends on a mapped
    argument, in a loop at each step. Gradients pass by.

    Compiled code on JAX prints when its values are there, which may be after the call has
    returned: `unibackend.block_until_ready` of its result waits for that.

    Args:
        fmt: the text with fields, as of `str.format`.
        args: arrays, numbers, or trees of them; other values as they are.
        ordered: False lets JAX print in any order in compiled code, which several devices need;
            elsewhere the order of the program is kept always.
        kwargs: the same by name.

    Raises:
        ValueError: the format is broken, does not fit a value, or leaves one out.
        UnsupportedError: compiled by XLA on TensorFlow, or in a loop or branch under `vmap`
            there; the message says what to do.

    Examples:
        >>> import unibackend as ub
        >>> @ub.compile
        ... def double(x):
        ...     ub.debug.print("x = {x}, its sum {total:.2f}", x=x, total=ub.sum(x))
        ...     return x * 2
        >>> with ub.use("numpy"):
        ...     _ = double(ub.asarray([1.0, 2.5]))
        x = [1.  2.5], its sum 3.50
    """
    leaves, structure = tree.flatten((args, kwargs))
    kept = [_as_printed(leaf) for leaf in leaves]
    places = [i for i, leaf in enumerate(kept) if _dispatch.owner_of(leaf) is not None]
    named = ((f"value {i}", kept[i]) for i in places)
    backend = _dispatch.find_owner("debug.print", named) or _dispatch.active()

    def text(*values: Any) -> str:
        filled = list(kept)
        for i, value in zip(places, values, strict=True):
            filled[i] = value[()]  # one without axes as a number
        given, by_name = structure.unflatten(filled)
        return fmt.format(*given, **by_name)

    owned = [backend.wrap(kept[i]) for i in places]
    _check(fmt, args, kwargs, lambda: text(*map(_example, owned)))
    if not is_rehearsal():
        backend.callback(lambda *values: builtins.print(text(*values)), owned, ordered)


def _as_printed(leaf: Any) -> Any:
    """Return a number as the array that it would become, host data in a buffer of their own."""
    if type(leaf) is float or type(leaf) is complex:
        return np.asarray(leaf, dtypes.default(type(leaf)))[()]
    if hasattr(type(leaf), "__unibackend_enter__"):
        return enter(_dispatch.active(), leaf, function="debug.print")
    return leaf.copy()[()] if isinstance(leaf, np.ndarray) else leaf


def _example(x: Any) -> np.ndarray[Any, Any]:
    """Return an array of the shape and dtype of another, without its values and its memory."""
    shape = tuple(1 if size is None else size for size in x.shape)
    return np.broadcast_to(np.ones((), x.dtype), shape)


def _check(
    fmt: str, args: tuple[Any, ...], kwargs: dict[str, Any], text: Callable[[], str]
) -> None:
    """Refuse a format now: in a callback the error would come too late, and from elsewhere.

    Raises:
        ValueError: it is broken, does not fit the values, or leaves one out.
    """
    try:
        used = _used(fmt)
        text()
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ValueError(
            f"debug.print: fmt={fmt!r} cannot be filled with {len(args)} values"
            f"{' and ' + ', '.join(kwargs) if kwargs else ''}: {error}. A format such as "
            f"{{:.2f}} is for numbers and arrays without axes"
        ) from None
    unused = [which for which in (*range(len(args)), *kwargs) if which not in used]
    if unused:
        raise ValueError(f"debug.print: fmt={fmt!r} has no field for the value {unused[0]!r}")


def _used(fmt: str) -> set[int | str]:
    """Return the positions and names of the values that the fields of a format take."""
    from string import Formatter

    used: set[int | str] = set()
    count = 0
    waiting = [fmt]
    while waiting:
        for _, field, spec, _ in Formatter().parse(waiting.pop(0)):
            if field is None:
                continue
            name = field.partition(".")[0].partition("[")[0]
            used.add(int(name) if name.isdigit() else name or count)
            count += not name
            waiting.append(spec or "")
    return used


class _CheckNans(Scope):
    """The scope of `check_nans`, which tells in this library's words what a framework met."""

    def __exit__(self, *raised: Any) -> None:
        super().__exit__(*raised)
        error = raised[1]
        if isinstance(error, FloatingPointError) and not isinstance(error, NanError):
            raise NanError(f"{error}{_lines.of_error(error)}") from error


def check_nans() -> Scope:
    """Look for NaNs in a block or a function: the first one is an error that names its line.

    What is looked at: the result of every operation, of every compiled, mapped or differentiated
    function, and, as far as the framework can, of native operators (on JAX by `jax.debug_nans`;
    on NumPy an invalid value is raised by NumPy; on TensorFlow the operators of arrays of this
    library). A NaN that came in from outside counts too, as on JAX. Where the output of compiled
    code holds one, the function runs again step by step, to find the operation.

    It holds for this thread and context; while it is off it costs nothing. It is the setting
    ``check_nans``, which ``UNIBACKEND_CHECK_NANS=1`` sets for a whole program.

    Returns:
        A context manager and decorator.

    Raises:
        NanError: in the block: a NaN was computed. It is a FloatingPointError.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"), ub.debug.check_nans():
        ...     ub.log(-1.0)
        Traceback (most recent call last):
        ...
        unibackend.errors.NanError: log: the result, of shape () and dtype float32, ...
    """
    frame = sys._getframe(1)
    source = f"ub.debug.check_nans() at {frame.f_code.co_filename}:{frame.f_lineno}"
    return _CheckNans(source, (("check_nans", True, source),))
