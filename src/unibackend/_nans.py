"""What the setting `check_nans` does: it looks for NaNs in what operations and functions return.

Nothing of it runs while nobody looks: dispatch has its functions bare, and gets them wrapped when
the first scope is entered, bare again when the last is left. A wrapped function asks the settings
in force whether it is to look, so that other threads get what they always get.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dispatch, _lines, backends, dtypes
from .errors import NanError
from .settings import current, on_change, use, without_nan_checks

if TYPE_CHECKING:
    from .backends.contract import Backend
    from .settings import Settings

_lock = threading.Lock()
_scopes = 0  # how many are entered, in all threads


def _follow(old: Settings, new: Settings, kind: str) -> None:
    """Wrap the functions of dispatch when the first begins to look, and unwrap them at the end."""
    if old.check_nans == new.check_nans:
        return
    _count(1 if new.check_nans else -1)
    for backend in backends.loaded():
        backend.watch_nans(new.check_nans)


on_change.append(_follow)


def _count(change: int) -> None:
    global _scopes
    with _lock:
        _scopes = max(0, _scopes + change)
        if (_scopes > 0) != (_dispatch.watch is not None):
            _dispatch.set_watch(watched if _scopes else None)


def _begin(backend: Backend) -> None:
    """Look in a backend that was loaded just now, where the settings in force say so."""
    if current().check_nans:
        if _dispatch.watch is None:  # by a file or the environment: no change was announced
            _count(1)
        backend.watch_nans(True)


backends.on_load.append(_begin)


def watched(
    operation: _dispatch.Operation, backend: Backend, implementation: Callable[..., Any]
) -> Callable[..., Any]:
    """Return the function of an operation that refuses to return a NaN."""

    @functools.wraps(implementation)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not current().check_nans:
            return implementation(*args, **kwargs)
        if not _are_concrete(backend, args):  # the framework sees the values that we do not
            with _in_our_words(operation.name):
                return implementation(*args, **kwargs)
        with not_looking(backend):
            result = implementation(*args, **kwargs)
        found = describe_nan(result)
        if found is not None:
            raise NanError(
                f"{operation.name}: the result, {found}{_whence(operation, args)}"
                f"{_lines.of_stack()}"
            )
        return result

    return call


def looked_through(name: str, call: Callable[[], Any]) -> Any:
    """Return what a compiled or mapped function gives; with a NaN in it, find where it arose.

    Raises:
        NanError: it names the operation and the line, which running step by step shows.
    """
    if not current().compile:
        return call()
    with not_looking(*backends.loaded()):
        result = call()
    found = describe_nan(result)
    if found is None:
        return result
    try:
        with use(compile=False):
            call()
    except NanError as error:
        error.args = (f"{name}: {error}",)
        raise
    except FloatingPointError as error:  # of the framework's own operators
        raise NanError(f"{name}: {error}{_lines.of_error(error)}") from error
    except Exception as error:  # as of arguments that were donated
        raise NanError(
            f"{name}: an output, {found}; it could not be run again step by step, to find the "
            f"operation: {error!r}{_lines.of_stack()}"
        ) from error
    raise NanError(
        f"{name}: an output, {found}; run step by step, with ub.use(compile=False), no operation "
        f"gives one{_lines.of_stack()}"
    )


def without_nan(name: str, call: Callable[[], Any]) -> Any:
    """Return what a function gives whose operations are looked at one by one, and itself too.

    Raises:
        NanError: there is a NaN in it, as in a derivative whose operations are not the user's.
    """
    with _in_our_words(name):
        result = call()
    found = describe_nan(result)
    if found is not None:
        raise NanError(f"{name}: an output, {found}{_lines.of_stack()}")
    return result


def describe_nan(tree: Any) -> str | None:
    """Return where the first NaN of the arrays in a tree is, None where there is none."""
    from .tree import leaves

    for leaf in leaves(tree):
        values = _values(leaf)
        if values is not None and (where := np.isnan(values)).any():
            first = tuple(map(int, np.argwhere(where)[0]))
            at = f", the first at {list(first)}" if first else ""
            return (
                f"of shape {values.shape} and dtype {values.dtype.name}, holds "
                f"{int(where.sum())} NaN of {values.size} elements{at}"
            )
    return None


def _values(x: Any) -> np.ndarray[Any, Any] | None:
    """Return the values of an array that may hold a NaN."""
    if not _dispatch.is_array(x):
        return np.asarray(x) if type(x) in (float, complex) else None
    owner: Any = _dispatch.owner_of(x)
    if owner is None:
        values: np.ndarray[Any, Any] = np.asarray(x)
    elif owner.is_concrete(x):
        values = owner.to_host(owner.stop_gradient(x))  # to be looked at, no more
    else:
        return None
    return values if dtypes.kind(values.dtype) in "fc" else None


def _are_concrete(backend: Backend, args: tuple[Any, ...]) -> bool:
    flat = [x for arg in args for x in (arg if isinstance(arg, list) else [arg])]
    return all(backend.is_concrete(x) for x in flat if _dispatch.owner_of(x) is backend)


def _whence(operation: _dispatch.Operation, args: tuple[Any, ...]) -> str:
    """Return which operands brought a NaN, or that none did."""
    named = zip(operation.arrays, args, strict=False)
    brought = [name for name, value in named if describe_nan(value) is not None]
    return f"; {' and '.join(brought)} brought one" if brought else "; no operand holds one"


@contextmanager
def not_looking(*all_of: Backend) -> Iterator[None]:
    """Let NaNs be in a block: what an operation masks at once is nobody's business."""
    if not current().check_nans:
        yield
        return
    with without_nan_checks():
        for backend in all_of:
            backend.watch_nans(False)
        try:
            with np.errstate(invalid="ignore"):
                yield
        finally:
            for backend in all_of:
                backend.watch_nans(True)


@contextmanager
def _in_our_words(name: str) -> Iterator[None]:
    try:
        yield
    except NanError:
        raise
    except FloatingPointError as error:
        raise NanError(f"{name}: {error}{_lines.of_stack()}") from error
