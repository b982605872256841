"""The short way into a trace: what a call costs that is like the one before."""

from __future__ import annotations

import operator
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from .. import _dispatch, tree
from .._fork import on_fork
from .._nans import looked_through
from .._scopes import top as _top
from ..settings import Settings, current, on_change
from .cache import Cache, Call, LongWay
from .signature import name_of

if TYPE_CHECKING:
    from ..backends.contract import Backend

P = ParamSpec("P")
R = TypeVar("R")

top = _top.get

# For calls of so many arrays, all of one class and owned by one backend: the backend's function
# of the bare arguments. It holds in one scope of settings, or while the settings are the same
# object, since they may change what is traced; `configure` ends it.
_Short = tuple[int, type, Any, "Settings | None", Callable[..., Any]]
NO_SHORT: _Short = (-1, type(None), None, None, print)
_TREES = -2  # in place of the number: arguments of one structure, with leaves of that class

_shortened: weakref.WeakSet[Shortened[..., Any]] = weakref.WeakSet()


class Shortened(Generic[P, R]):
    """A function with traces: `_call` takes a call apart, and leaves a short way for the next."""

    def __init__(self) -> None:
        self._short: _Short = NO_SHORT
        self._short_cache: Cache | None = None
        self._structure: Any = None  # of the arguments on the short way, where they are trees
        self._dicts: list[tuple[Any, ...]] = []  # where there are dictionaries in them
        self._hits = 0

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        count, cls, scope, settings, run = self._short
        leaves: Any = None  # of a call on the short way
        if len(args) == count and not kwargs and (top() is scope or current() is settings):
            for x in args:
                if type(x) is not cls:
                    break
            else:
                leaves = args
        elif count == _TREES and (top() is scope or current() is settings):
            found = self._leaves_of((args, kwargs))
            if set(map(type, found)) == {cls}:
                leaves = found
        if leaves is not None:
            self._hits += 1
            try:
                return run(*leaves)  # type: ignore[no-any-return]
            except LongWay:
                self._hits -= 1
                self.stop()
            except Exception as error:
                self._hits -= 1
                raise self._explain(error) from error.__cause__
        if current().check_nans:
            return looked_through(name_of(self), lambda: self._call(args, kwargs))  # type: ignore[no-any-return]
        return self._call(args, kwargs)  # type: ignore[no-any-return]

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _leaves_of(self, arguments: tuple[Any, ...]) -> list[Any]:
        """Return the leaves of arguments if they have the structure of the short way, else none.

        Reading leaves by a structure takes a tenth of the time of finding the structure; but it
        takes a dictionary of any class for a dictionary.
        """
        try:
            leaves: list[Any] = self._structure.flatten_up_to(arguments)
        except ValueError:
            return []
        for path in self._dicts:
            node: Any = arguments
            for key in path:
                node = node[key]
            if type(node) is not dict:
                return []
        return leaves

    def _explain(self, error: Exception) -> Exception:
        """Return the error that the short way met in this library's words."""
        return error if self._short_cache is None else self._short_cache.explain(error)

    def _shorten(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: Call,
        cache: Cache,
        owner: Backend,
    ) -> None:
        """Take the short way at the next call that is like this one, if there is one."""
        leaves: Sequence[Any] = args
        count = len(args)
        if kwargs or not _all_owned(args, owner):
            leaves, structure = tree.flatten((args, kwargs))
            # Static values are no leaves of the call, and names may be bound in another order.
            if len(leaves) != len(call.leaves) or not all(map(operator.is_, leaves, call.leaves)):
                return
            count = _TREES
            if structure != self._structure:
                dicts = _dicts(structure)
                if dicts is None:
                    return
                self._structure, self._dicts = structure, dicts
        classes = set(map(type, leaves))
        if len(classes) != 1 or len(leaves) != len(call.leaves) or not _all_owned(leaves, owner):
            return
        (cls,) = classes
        run = cache.fast(call, self)
        if run is not None:
            self._short = (count, cls, top(), current(), run)
            self._short_cache = cache
            _shortened.add(self)

    def stop(self) -> None:
        """Take the long way at the next call: the short one is no longer right."""
        self._short = NO_SHORT


def _all_owned(values: Sequence[Any], owner: Backend) -> bool:
    return all(_dispatch.owner_of_type(type(value)) is owner for value in values)


def _dicts(structure: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]] | None:
    """Return the paths of the dictionaries in a structure; None if it must be compared itself.

    So it must where order or more belongs to a container, or a dictionary has no path.
    """
    cls = structure.type
    if cls is None:
        return []
    if issubclass(cls, OrderedDict | defaultdict | deque):
        return None
    found = [path] if cls is dict else []
    for key, child in zip(structure.entries(), structure.children(), strict=True):
        below = _dicts(child, (*path, key))
        if below is None or (below and not issubclass(cls, dict | list | tuple)):
            return None
        found += below
    return found


def _stop_all() -> None:
    for shortened in list(_shortened):
        shortened.stop()
    _shortened.clear()


def _on_change(old: Settings, new: Settings, kind: str) -> None:
    if kind == "configure":
        _stop_all()


on_change.append(_on_change)
on_fork.append(_stop_all)
