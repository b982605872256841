"""`compile`: a function is traced once per kind of call and runs compiled from then on."""

from __future__ import annotations

import functools
import inspect
import sys
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from .. import _dispatch, backends, tree
from .._entry import enter
from ..errors import TracingError, no_output
from ..settings import current, within
from .advice import advise
from .cache import Cache, CacheInfo, Call
from .short import Shortened
from .signature import Spec, as_tuple, check_containers, name_of, owner_of_leaves, signature_of

if TYPE_CHECKING:
    from ..backends.contract import Backend
    from .buckets import Option

P = ParamSpec("P")
R = TypeVar("R")


class Compiled(Shortened[P, R]):
    """A compiled function: called like the function, traced once per kind of call."""

    def __init__(self, spec: Spec, backend: str | None = None) -> None:
        super().__init__()
        functools.update_wrapper(self, spec.function)
        self._spec = spec
        self._backend = backend
        self._caches: dict[str, Cache] = {}
        self._bound: dict[int, Compiled[..., R]] = {}

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        spec, settings = self._spec, current()
        call = spec.take_apart(args, kwargs)
        owner = owner_of_leaves(spec.name, call.leaves)
        backend = owner or (
            _dispatch.active() if self._backend is None else backends.load(self._backend)
        )
        check_containers(spec, call, args, kwargs, backend)
        if not settings.compile:
            return run_eagerly(backend, call, spec.name)
        result = self._run(backend, call)
        if owner is not None:
            self._shorten(args, kwargs, call, self._cache(backend), owner)
        return result

    def _cache(self, backend: Backend) -> Cache:
        found = self._caches.get(backend.name)
        return found or self._caches.setdefault(backend.name, backend.compile(self._spec))

    def _run(self, backend: Backend, call: Call) -> Any:
        try:
            return self._cache(backend).call(call)
        except TracingError as error:
            advise(error, self._spec, call, backend)
            raise

    def cache_info(self) -> CacheInfo:
        """Return the counts of hits, traces, evictions and reasons of traces, over all backends."""
        infos = [cache.info() for cache in list(self._caches.values())]
        reasons: Counter[str] = Counter()
        for info in infos:
            reasons.update(info.reasons)
        return CacheInfo(
            hits=max(0, sum(info.hits for info in infos) + self._hits),
            traces=sum(info.traces for info in infos),
            evictions=sum(info.evictions for info in infos),
            size=sum(info.size for info in infos),
            limit=current().trace_limit,
            reasons=dict(reasons),
        )

    def cache_clear(self) -> None:
        """Forget all traces."""
        self.stop()
        for cache in self._caches.values():
            cache.clear()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Return the compiled method of an instance; its traces end with the instance."""
        return self if instance is None else _Bound(self, instance)

    def _of_instance(self, instance: Any) -> Compiled[..., R]:
        """Return what is compiled for one instance, told apart by identity."""
        key = id(instance)
        found = self._bound.get(key)
        if found is None:
            found = self._bind(instance)
            try:
                weakref.finalize(instance, self._bound.pop, key, None)
            except TypeError:
                return found  # nothing would tell when it dies: traced anew for each call
            self._bound[key] = found
        return found

    def _bind(self, instance: Any) -> Compiled[..., R]:
        spec, function = self._spec, self._spec.function
        try:
            reference: Callable[[], Any] = weakref.ref(instance)
        except TypeError:
            reference = functools.partial(_itself, instance)

        @functools.wraps(function)
        def method(*args: Any, **kwargs: Any) -> Any:
            return function(reference(), *args, **kwargs)

        bound = Spec(
            method,
            spec.transformation,
            frozenset(i - 1 for i in spec.static_argnums if i > 0),
            spec.static_argnames,
            tuple(i - 1 for i in spec.donate_argnums if i > 0),
            signature_of(function.__get__(instance)),
        )
        return Compiled(bound, self._backend)

    def __reduce__(self) -> Any:
        """Pickle by name where this is what the function's name leads to, else by its parts."""
        found: Any = sys.modules.get(self.__module__)
        name = self._spec.name
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return name
        return (_rebuild, (self._spec.function, self._options()))

    def _options(self) -> dict[str, Any]:
        return {
            "static_argnums": tuple(self._spec.static_argnums),
            "static_argnames": tuple(self._spec.static_argnames),
            "donate_argnums": self._spec.donate_argnums,
            "backend": self._backend,
        }

    def __repr__(self) -> str:
        return f"<ub.compile of {self._spec.name}>"


class _Bound:
    """A compiled method with its instance, which lives as long as this does."""

    __slots__ = ("__self__", "_compiled")

    def __init__(self, compiled: Compiled[..., Any], instance: Any) -> None:
        self.__self__ = instance
        self._compiled = compiled

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._compiled._of_instance(self.__self__)(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled._of_instance(self.__self__), name)


def _itself(x: Any) -> Any:
    return x


def run_eagerly(backend: Backend, call: Call, name: str) -> Any:
    """Return what a function gives without being traced: what goes in and out is the same."""
    leaves = [
        leaf
        if _dispatch.owner_of_type(type(leaf)) is _dispatch.UNKNOWN
        else enter(backend, leaf, function=name, argument="an argument")
        for leaf in call.leaves
    ]
    with within(backend.name):
        return tree.map(functools.partial(_as_output, backend, name), call.run(leaves))


def _as_output(backend: Backend, name: str, x: Any) -> Any:
    if _dispatch.owner_of_type(type(x)) is _dispatch.UNKNOWN:
        is_container = getattr(backend, "is_container", None)
        if is_container is None or not is_container(x):
            raise no_output(name, x)
        return x
    return enter(backend, x, function=name, argument="an output", strong=True)


def _rebuild(function: Any, options: dict[str, Any]) -> Any:
    return compile(function, **options)


@overload
def compile(f: Callable[P, R], /) -> Compiled[P, R]: ...
@overload
def compile(
    f: None = None,
    /,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    buckets: Option | None = None,
    backend: str | None = None,
) -> Callable[[Callable[P, R]], Compiled[P, R]]: ...
@overload
def compile(
    f: Callable[P, R],
    /,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    buckets: Option | None = None,
    backend: str | None = None,
) -> Compiled[P, R]: ...
def compile(
    f: Any = None,
    /,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    buckets: Option | None = None,
    backend: str | None = None,
) -> Any:
    """Compile a function: trace it once per kind of call, then run the compiled program.

    A kind of call is the structure of the arguments, their shapes and dtypes, the static values
    and the settings that change what is computed. Arguments and results are pytrees. Python
    numbers are traced, and weak: a new value needs no new trace. Branching on the values of
    arrays is a `TracingError`. On NumPy the function runs eagerly and the arguments are checked.
    Globals and closures are read while tracing and frozen, as in JAX.

    Args:
        f: the function; without it a decorator is returned.
        static_argnums: positions of arguments that are compiled in; they must be hashable.
        static_argnames: the same by name.
        donate_argnums: positions of arguments whose memory may be reused for results (JAX; on
            TensorFlow and NumPy nothing can be reused, which a `FallbackWarning` says once).
        buckets: pad batches along axis 0 up to few sizes, so that many sizes need few traces, and
            cut the results: "powers_of_two", a list of increasing sizes, or a mapping from the
            batched arguments (names or positions) to one of these; without names all arguments
            are batches of one size. Rows are added as copies of the last one. Each output must
            have one row for each row given, computed from that row alone: one of another shape
            is a `ShapeError`; the setting `check_buckets` finds what shapes do not show, as in
            ``x - ub.mean(x)``. Inside other transformations nothing is padded.
        backend: the backend for calls without arrays; None is the active one.

    Returns:
        A callable with the same signature, `cache_info()` and `cache_clear()`.

    Raises:
        TracingError: when called: a value was needed that tracing does not have, or an argument
            is no array, number or tree.

    Examples:
        >>> import unibackend as ub
        >>> @ub.compile
        ... def scale(x, factor):
        ...     return x * factor
        >>> with ub.use("numpy"):
        ...     scale(ub.asarray([1.0, 2.0]), 3.0)
        array([3., 6.], dtype=float32)
    """
    if f is None:
        return functools.partial(
            compile,
            static_argnums=static_argnums,
            static_argnames=static_argnames,
            donate_argnums=donate_argnums,
            buckets=buckets,
            backend=backend,
        )
    if not callable(f):
        raise TypeError(f"compile: f={f!r} is not callable")
    _refuse_suspended(f)
    parameters = signature_of(f)
    names = frozenset(as_tuple(static_argnames, str, "static_argnames"))
    _check_names(f, names, parameters)
    numbers = _positions("static_argnums", static_argnums, f, parameters)
    donated = _positions("donate_argnums", donate_argnums, f, parameters)
    if not {*numbers}.isdisjoint(donated):
        raise ValueError(
            f"compile: static_argnums={static_argnums!r} and donate_argnums={donate_argnums!r} of "
            f"{name_of(f)} share a position; a static value has no memory to be reused"
        )
    spec = Spec(f, "compile", frozenset(numbers), names, donated, parameters)
    if buckets is None:
        return Compiled(spec, backend)
    from .buckets import Bucketed, rule_of  # made of this module

    return Bucketed(spec, backend, rule_of(buckets, spec))


def _refuse_suspended(f: Any) -> None:
    """Refuse a function that returns before its body has run.

    Raises:
        TypeError: it is a coroutine, or a generator.
    """
    run = f if inspect.isroutine(f) or isinstance(f, functools.partial) else type(f).__call__
    if inspect.iscoroutinefunction(run) or inspect.isasyncgenfunction(run):
        kind, cure = "an async function", "compile a plain function of arrays, and call that in it"
    elif inspect.isgeneratorfunction(run):
        kind, cure = "a generator", "return a list or a tuple, or use ub.scan"
    else:
        return
    raise TypeError(
        f"compile: {name_of(f)} is {kind}, which has computed nothing when it returns; {cure}"
    )


def _positions(option: str, given: Any, f: Any, parameters: Any) -> tuple[int, ...]:
    """Return the positions of static or donated arguments counted from the front.

    Raises:
        TypeError: they are no integers.
        ValueError: a function has no such positional parameter.
    """
    numbers = as_tuple(given, int, option)
    if parameters is None:
        return numbers
    kinds = [p.kind for p in parameters.parameters.values()]
    count = sum(kind in (0, 1) for kind in kinds)  # positional only, or positional or keyword
    open_ended = any(kind == 2 for kind in kinds)  # *args
    for i in numbers:
        if not -count <= i < count and not (open_ended and i >= 0):
            raise ValueError(
                f"compile: {option}={i} is no positional parameter of "
                f"{name_of(f)}, which has {count}"
            )
    return tuple(i % count if i < 0 else i for i in numbers)


def _check_names(f: Any, names: frozenset[str], parameters: Any) -> None:
    if parameters is None:
        return
    known = parameters.parameters
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return
    unknown = sorted(names - set(known))
    if unknown:
        raise ValueError(
            f"compile: static_argnames={unknown[0]!r} is no parameter of "
            f"{name_of(f)}; it has {', '.join(known)}"
        )
