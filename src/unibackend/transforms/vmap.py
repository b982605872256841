"""`vmap`: a function of one example becomes a function of a batch, with `jax.vmap`'s rules."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, overload

import numpy as np

from .. import _dispatch, tree
from .._entry import enter
from ..errors import ShapeError, UnsupportedError
from ..settings import current, within
from .axes import check_axes, in_axes_of, mapped_size, out_axes_of
from .by_code import cache_of, in_trace
from .by_example import vmap_by_example
from .cache import Cache, CacheInfo, Call, Key
from .captured import captured
from .short import NO_SHORT, Shortened
from .signature import Spec, check_containers, name_of, owner_of_leaves, static_key

if TYPE_CHECKING:
    from ..backends.contract import Backend

P = ParamSpec("P")
R = TypeVar("R")


class Mapped(Shortened[P, R]):
    """A function mapped over batches: called like the function, with one axis more."""

    def __init__(
        self,
        function: Callable[P, R],
        in_axes: Any,
        out_axes: Any,
        axis_size: int | None,
        chunk_size: int | None,
        fallback: str | None,
    ) -> None:
        super().__init__()
        functools.update_wrapper(self, function)
        self._captured: Any = None  # what the short way was taken for
        self._function = function
        self._in_axes = in_axes
        self._out_axes = out_axes
        self._axis_size = axis_size
        self._chunk_size = chunk_size
        self._fallback = fallback
        self._name = name_of(function)
        self._options = (repr(in_axes), repr(out_axes), axis_size, fallback)
        self._spec = Spec(function, "vmap")

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if self._short is not NO_SHORT and captured(self._function) != self._captured:
            self.stop()
        return super().__call__(*args, **kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        leaves, structure = tree.flatten((args, kwargs))
        axes = in_axes_of(self._in_axes, args, kwargs, self._name)
        whole = Call(leaves, None, list)
        owner = owner_of_leaves(self._name, leaves)
        backend = owner or _dispatch.active()
        check_containers(self._spec, whole, args, kwargs, backend)
        leaves = [_admitted(leaf, backend) for leaf in leaves]
        size, axes = mapped_size(leaves, axes, self._axis_size, self._name)
        if self._chunk_size is not None and size > self._chunk_size:
            return self._chunked(backend, leaves, structure, axes, size)
        call = self._take_apart(backend, leaves, structure, axes)
        if call.key is None:
            return call.run(call.leaves)
        cache = self._cache(backend)
        result = cache.call(call)
        if self._chunk_size is None and owner is not None:
            self._captured = captured(self._function)
            self._shorten(args, kwargs, call, cache, owner)
        return result

    def _take_apart(
        self, backend: Backend, leaves: list[Any], structure: Any, axes: list[Any]
    ) -> Call:
        """Return the call that maps all at once; without a key where it must run as it is."""
        dynamic = [leaf for leaf in leaves if type(leaf) not in _dispatch.SCALARS]
        statics = [leaf for leaf in leaves if type(leaf) in _dispatch.SCALARS]
        which = tuple(type(leaf) in _dispatch.SCALARS for leaf in leaves)
        function: Callable[..., Any] = self._function
        options = (self._out_axes, self._axis_size, self._fallback)
        name = self._name

        def run(traced: list[Any]) -> Any:
            rest, fixed = iter(traced), iter(statics)
            merged = [next(fixed) if is_static else next(rest) for is_static in which]
            out_axes, axis_size, fallback = options
            size, _ = mapped_size(merged, axes, axis_size, name)

            def of_example(examples: list[Any]) -> Any:
                args, kwargs = structure.unflatten(examples)
                with within(backend.name):
                    return function(*args, **kwargs)

            of_example.__qualname__ = name
            if not current().compile:
                return vmap_by_example(backend, of_example, merged, axes, size, out_axes)
            return backend.vmap(of_example, merged, axes, size, out_axes, fallback)

        if (
            not current().compile
            or in_trace(backend, dynamic)  # what is captured may be a value of that trace
        ):
            return Call(dynamic, None, run)
        keys = tuple(static_key(value) for value in statics)
        return Call(
            dynamic,
            Key(structure, which, keys, options=tuple(axes), captured=(captured(function),)),
            run,
        )

    def _whole(self, backend: Backend, leaves: list[Any], structure: Any, axes: list[Any]) -> Any:
        call = self._take_apart(backend, leaves, structure, axes)
        return call.run(call.leaves) if call.key is None else self._cache(backend).call(call)

    def _chunked(
        self, backend: Backend, leaves: list[Any], structure: Any, axes: list[Any], size: int
    ) -> Any:
        """Map chunk by chunk; the last, shorter chunk runs as it is."""
        step = self._chunk_size or size
        parts = [
            self._whole(
                backend,
                [
                    leaf
                    if axis is None
                    else backend.part(leaf, start, min(step, size - start), axis)
                    for leaf, axis in zip(leaves, axes, strict=True)
                ],
                structure,
                axes,
            )
            for start in range(0, size, step)
        ]
        places = out_axes_of(self._out_axes, parts[0])
        out_leaves = [tree.leaves(part) for part in parts]
        for axis, pieces in zip(places, zip(*out_leaves, strict=True), strict=True):
            if axis is None and not all(_same(pieces[0], piece) for piece in pieces):
                raise ShapeError(
                    f"vmap: out_axes is None for an output of {self._name} that depends on a "
                    f"mapped argument; give the place of its mapped axis"
                )
        joined = [
            pieces[0] if axis is None else backend.namespace.concat(list(pieces), axis=axis)
            for axis, pieces in zip(places, zip(*out_leaves, strict=True), strict=True)
        ]
        return tree.unflatten(tree.structure(parts[0]), joined)

    def _cache(self, backend: Backend) -> Cache:
        return cache_of("vmap", self._function, backend, self._options)

    def cache_info(self) -> CacheInfo:
        """Return the counts of hits, traces and evictions of calls outside of other traces."""
        info = self._cache(_dispatch.active()).info()
        return info._replace(hits=max(0, info.hits + self._hits))

    def cache_clear(self) -> None:
        """Forget all traces."""
        self.stop()
        self._cache(_dispatch.active()).clear()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        bound = MethodType(self._function, instance)
        return Mapped(
            bound,
            self._in_axes,
            self._out_axes,
            self._axis_size,
            self._chunk_size,
            self._fallback,
        )

    def __repr__(self) -> str:
        return f"<ub.vmap of {self._name}>"


def _same(a: Any, b: Any) -> bool:
    """Tell whether two outputs of NumPy are equal; the other backends know by the trace."""
    return not isinstance(a, np.ndarray) or np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def _admitted(leaf: Any, backend: Backend) -> Any:
    """Return a leaf as an array of the backend; a Python number stays, as static."""
    if _dispatch.owner_of_type(type(leaf)) is _dispatch.UNKNOWN:
        return leaf  # a container of the framework's own
    return enter(backend, leaf, function="vmap", argument="an argument")


@overload
def vmap(
    f: Callable[P, Any],
    /,
    in_axes: Any = 0,
    out_axes: Any = 0,
    *,
    axis_size: int | None = None,
    chunk_size: int | None = None,
    fallback: Literal["loop"] | None = None,
) -> Mapped[P, Any]: ...
@overload
def vmap(
    f: None = None,
    /,
    in_axes: Any = 0,
    out_axes: Any = 0,
    *,
    axis_size: int | None = None,
    chunk_size: int | None = None,
    fallback: Literal["loop"] | None = None,
) -> Callable[[Callable[P, Any]], Mapped[P, Any]]: ...
def vmap(
    f: Any = None,
    /,
    in_axes: Any = 0,
    out_axes: Any = 0,
    *,
    axis_size: int | None = None,
    chunk_size: int | None = None,
    fallback: Literal["loop"] | None = None,
) -> Any:
    """Map a function over an axis of its arguments, all examples at once.

    The rules are `jax.vmap`'s. Called outside of other traces, the mapped function is compiled
    and cached by its code and what it captures: a lambda made anew in a loop is traced once, and
    a changed closure, global, attribute of a method's object, small array or container traces
    anew. State hidden deeper (attributes of other objects, arrays of more than 4 KB that are
    written to) is frozen at the first trace. Python numbers that are not mapped are compiled in.
    On NumPy `vmap` is a loop over the examples, the reference.

    Args:
        f: the function of one example; without it a decorator is returned.
        in_axes: the axis to map: an integer or None (not mapped) for all arguments, or a tuple
            with an integer, None or a tree of these for each. Keyword arguments are mapped on
            axis 0.
        out_axes: where the mapped axis goes in the outputs; None for an output that does not
            depend on a mapped argument.
        axis_size: the size of the mapped axis; needed where nothing is mapped.
        chunk_size: map so many examples at a time, to bound memory.
        fallback: "loop" allows a loop where the backend has no batching rule for an operation,
            with a `FallbackWarning`; None makes that an `UnsupportedError`.

    Returns:
        A callable of the batch.

    Raises:
        ShapeError: when called: sizes differ, an axis is missing, nothing is mapped.
        UnsupportedError: when called: the backend has no batching rule for an operation.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.vmap(lambda row, shift: ub.sum(row) + shift, in_axes=(0, None))(
        ...         ub.asarray([[1, 2], [3, 4]]), 10
        ...     )
        array([13, 17], dtype=int32)
    """
    if chunk_size is not None and (type(chunk_size) is not int or chunk_size < 1):
        if str(chunk_size) == "auto":
            raise UnsupportedError('vmap: chunk_size="auto" is not available in this version')
        raise ShapeError(f"vmap: chunk_size={chunk_size!r} must be a positive integer")
    for option, value in (("in_axes", in_axes), ("out_axes", out_axes)):
        check_axes(option, value)
    if fallback not in (None, "loop"):
        raise ValueError(f'vmap: fallback={fallback!r} must be None or "loop"')
    if f is None:
        return functools.partial(
            vmap,
            in_axes=in_axes,
            out_axes=out_axes,
            axis_size=axis_size,
            chunk_size=chunk_size,
            fallback=fallback,
        )
    if not callable(f):
        raise TypeError(f"vmap: f={f!r} is not callable")
    return Mapped(f, in_axes, out_axes, axis_size, chunk_size, fallback)
