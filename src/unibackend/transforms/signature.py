"""How a call is taken apart: names bound, static values set aside, the rest flattened."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import _dispatch, tree
from ..dtypes import limits
from ..errors import TracingError
from .cache import Call, Key

if TYPE_CHECKING:
    from ..backends.contract import Backend


class Static:
    """A leaf that is not traced: its value is part of the key."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


@dataclass(frozen=True, eq=False)
class Spec:
    """What is compiled, and how its arguments are to be read."""

    function: Callable[..., Any]
    transformation: str
    static_argnums: frozenset[int] = frozenset()
    static_argnames: frozenset[str] = frozenset()
    donate_argnums: tuple[int, ...] = ()
    parameters: inspect.Signature | None = field(default=None)
    bucketed: bool = False  # batches are padded, see `transforms.buckets`

    @property
    def name(self) -> str:
        """The function's name, for messages."""
        return name_of(self.function)

    def take_apart(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Return a call's leaves, its key, and how it runs.

        Raises:
            TypeError: the arguments do not fit the function's signature.
            TracingError: a static value that is not hashable, or an argument that is no array.
        """
        if kwargs and self.parameters is not None:
            # f(1, k=2) and f(x=1, k=2) are one call; defaults that were not passed stay out.
            try:
                bound = self.parameters.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{self.name}() {error}") from None
            args, kwargs = bound.args, bound.kwargs
        if self.static_argnums or self.static_argnames:
            args = tuple(
                self._static(value, self.argument_name(i)) if self._is_static(i) else value
                for i, value in enumerate(args)
            )
            kwargs = {
                name: self._static(value, name) if name in self.static_argnames else value
                for name, value in kwargs.items()
            }
        leaves, structure = tree.flatten((args, kwargs))
        which = tuple(type(leaf) is Static for leaf in leaves)
        statics = tuple(leaf.value for leaf in leaves if type(leaf) is Static)
        keys = tuple(static_key(value) for value in statics)
        ranges = tuple([(i, limits(leaf)) for i, leaf in enumerate(leaves) if type(leaf) is int])
        function = self.function

        def run(dynamic: list[Any]) -> Any:
            rest, fixed = iter(dynamic), iter(statics)
            merged = [next(fixed) if is_static else next(rest) for is_static in which]
            args, kwargs = structure.unflatten(merged)
            return function(*args, **kwargs)

        dynamic = [leaf for leaf in leaves if type(leaf) is not Static] if statics else leaves
        return Call(dynamic, Key(structure, which, keys, ranges), run)

    def _is_static(self, position: int) -> bool:
        return position in self.static_argnums or (
            self.argument_name(position) in self.static_argnames
        )

    def argument_name(self, position: int) -> str:
        """Return the name of a positional argument, for messages and static names."""
        if self.parameters is not None:
            for i, parameter in enumerate(self.parameters.parameters.values()):
                if parameter.kind is parameter.VAR_POSITIONAL:
                    return f"{parameter.name}[{position - i}]"
                if i == position:
                    return parameter.name
        return f"argument {position}"

    def _static(self, value: Any, argument: str) -> Static:
        try:
            hash(value)
        except TypeError:
            if _dispatch.is_array(value):
                cure = f"leave {argument} out of the static arguments: arrays are traced"
            else:
                cure = f"give a {'tuple' if isinstance(value, list) else 'hashable value'}"
            raise TracingError(
                f"{self.transformation}: the static argument {argument}={value!r:.60} of "
                f"{self.name} is a {type(value).__name__}, which is not hashable; static values "
                f"are part of the key of the trace; {cure}"
            ) from None
        return Static(value)

    def refuse_leaf(self, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
        """Return the error for a leaf that can be neither traced nor taken for an array."""
        argument = "an argument"
        for name, part in [
            *((self.argument_name(i), a) for i, a in enumerate(args)),
            *kwargs.items(),
        ]:
            if any(leaf is value for leaf in tree.leaves(part)):
                argument = name
                break
        cure = (
            f"make it static: @ub.compile(static_argnames={argument!r})"
            if self.transformation == "compile"
            else "bind it with functools.partial"
        )
        return TracingError(
            f"{self.transformation}: {argument}={value!r:.60} of {self.name} is a "
            f"{type(value).__name__}, not an array, a number or a tree of them. If it is a value "
            f"to be compiled in, {cure}; if it is a container, register its class with "
            f"ub.tree.register"
        )


def name_of(function: Any) -> str:
    """Return what a user calls a function: of a partial one its function's name, else its class's.

    It holds no address, so that texts are the same in each run.
    """
    while isinstance(function, functools.partial):
        function = function.func
    name = getattr(function, "__qualname__", None)
    return name if isinstance(name, str) else type(function).__qualname__


def signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    """Return the signature of a callable, None where Python cannot tell."""
    try:
        return inspect.signature(function)
    except (ValueError, TypeError):
        return None


def as_tuple(value: Any, kind: type, option: str) -> tuple[Any, ...]:
    """Return an option that may be one value or a sequence as a tuple.

    Raises:
        TypeError: it is neither.
    """
    if value is None:
        return ()
    values = (value,) if isinstance(value, kind) else tuple(value) if _is_sequence(value) else None
    if values is None or not all(isinstance(v, kind) and type(v) is not bool for v in values):
        raise TypeError(
            f"compile: {option}={value!r} must be of {kind.__name__}, or a sequence of such"
        )
    return values


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence | set | frozenset) and not isinstance(value, str)


def static_key(value: Any) -> Hashable:
    """Return a key that tells static values apart by value *and* type: 1, 1.0, True, -0.0."""
    cls = type(value)
    if cls is tuple or cls is frozenset:
        return (cls, cls(static_key(v) for v in value))
    if cls is float:
        return (cls, value, math.copysign(1.0, value)) if value == value else (cls, "nan")
    if cls is complex:
        return (cls, static_key(value.real), static_key(value.imag))
    return (cls, value)


def owner_of_leaves(name: str, leaves: list[Any]) -> Backend | None:
    """Return the owner of the leaves of a function's arguments, None for host data alone.

    Raises:
        MixedBackendsError: they belong to two backends.
    """
    named = [
        (f"leaf {i}", leaf)
        for i, leaf in enumerate(leaves)
        if type(leaf) not in _dispatch.SCALARS
        and _dispatch.owner_of_type(type(leaf)) is not _dispatch.UNKNOWN
    ]
    return _dispatch.find_owner(name, named)


def check_containers(
    spec: Spec, call: Call, args: tuple[Any, ...], kwargs: dict[str, Any], backend: Backend
) -> None:
    """Refuse what is neither an array nor a container in the framework's own registry of trees.

    Raises:
        TracingError: the message names the argument and says what to do.
    """
    for leaf in call.leaves:
        if _dispatch.owner_of_type(type(leaf)) is _dispatch.UNKNOWN:
            is_container = getattr(backend, "is_container", None)
            if is_container is None or not is_container(leaf):
                raise spec.refuse_leaf(leaf, args, kwargs)
