"""The short way into a trace: what a call costs that is like the one before."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from .. import _dispatch
from .._scopes import top as _top
from ..settings import Settings, current, on_change
from .cache import Cache, Call

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

_shortened: weakref.WeakSet[Shortened[..., Any]] = weakref.WeakSet()


class Shortened(Generic[P, R]):
    """A function with traces: `_call` takes a call apart, and leaves a short way for the next."""

    def __init__(self) -> None:
        self._short: _Short = NO_SHORT
        self._short_cache: Cache | None = None
        self._hits = 0

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        count, cls, scope, settings, run = self._short
        if len(args) == count and not kwargs and (top() is scope or current() is settings):
            for x in args:
                if type(x) is not cls:
                    break
            else:
                self._hits += 1
                try:
                    return run(*args)  # type: ignore[no-any-return]
                except Exception as error:
                    raise self._explain(error) from error.__cause__
        return self._call(args, kwargs)  # type: ignore[no-any-return]

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise NotImplementedError

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
        classes = set(map(type, args))
        if kwargs or len(classes) != 1 or len(call.leaves) != len(args):
            return
        (cls,) = classes
        if _dispatch.owner_of_type(cls) is not owner:
            return
        run = cache.fast(call, self._lengthen)
        if run is not None:
            self._short = (len(args), cls, top(), current(), run)
            self._short_cache = cache
            _shortened.add(self)

    def _lengthen(self) -> None:
        """Take the long way at the next call: the short one is no longer right."""
        self._short = NO_SHORT


def _on_change(old: Settings, new: Settings, kind: str) -> None:
    if kind == "configure":
        for shortened in list(_shortened):
            shortened._lengthen()
        _shortened.clear()


on_change.append(_on_change)
