"""From the arguments of an operation to the backend that serves it.

A call is served by the backend that owns the arrays in it. NumPy arrays and scalars, lists and
Python numbers are host data on every backend: they go along with the owner or, alone, to the
active backend. A declaration (a typed signature, a docstring, no body) becomes a dispatcher: a
closure around one dictionary from the operands' types to the owner's function.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import numpy as np

from . import backends
from .errors import DtypeError, MixedBackendsError, UnsupportedError
from .settings import current

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from .backends.contract import Backend
    from .typing import Array

F = TypeVar("F", bound=Callable[..., Any])

SCALARS = frozenset({bool, int, float, complex})
UNKNOWN = cast("Backend", object())

# The owner of each class of value that was met: None for host data.
_owners: dict[type, Backend | None] = dict.fromkeys(
    (bool, int, float, complex, list, tuple, np.ndarray)
)

# Every declared operation by its qualified name ("matmul", "linalg.qr"), in order.
DECLARED: dict[str, Operation] = {}


class Operation:
    """What a declaration says: its name and which of its parameters are arrays."""

    __slots__ = (
        "arrays",
        "call",
        "declaration",
        "implementations",
        "keywords",
        "name",
        "optional",
        "table",
    )

    def __init__(self, declaration: Callable[..., Any], arrays: tuple[str, ...]) -> None:
        parent, _, module = declaration.__module__.rpartition(".")
        # what is declared in unibackend.linalg is called so
        prefix = f"{module}." if parent == __package__ else ""
        self.name = prefix + declaration.__name__
        self.declaration = declaration
        self.arrays = arrays
        parameters = declaration.__code__.co_varnames[: declaration.__code__.co_argcount]
        # Operands that are given by name only, as `sorter` of searchsorted.
        self.keywords = tuple(name for name in arrays if name not in parameters)
        defaults = declaration.__defaults__ or ()
        with_default = dict(zip(parameters[::-1], defaults[::-1], strict=False))
        with_default.update(declaration.__kwdefaults__ or {})
        # Operands that may be left out, as `min` and `max` of clip.
        self.optional = frozenset(n for n in arrays if with_default.get(n, ...) is None)
        self.call: Callable[..., Any] = declaration  # the dispatcher, once it is made
        self.table: dict[Any, Callable[..., Any]] = {}
        self.implementations: dict[str, Callable[..., Any]] = {}

    def implementation(self, backend: Backend) -> Callable[..., Any]:
        """Return the backend's function, or raise UnsupportedError."""
        known = self.implementations  # another dictionary from the moment that `watch` changes
        found = known.get(backend.name)
        if found is None:
            target: Any = backend.namespace
            for part in self.name.split("."):
                target = getattr(target, part, None)
            if target is None:
                raise UnsupportedError(
                    f"{self.name}: the backend {backend.name!r} does not provide this operation; "
                    f"choose another with ub.use(...), or convert with ub.asarray(x, backend=...)"
                )
            found = cast("Callable[..., Any]", target)
            found = _by_place(found, self.keywords)
            known[backend.name] = found = found if watch is None else watch(self, backend, found)
        return found


def _by_place(function: Callable[..., Any], keywords: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function that takes operands of some names as its last ones, by their place."""
    if not keywords:
        return function
    count = len(keywords)

    @functools.wraps(function)
    def call(*operands: Any, **options: Any) -> Any:
        named = zip(keywords, operands[-count:], strict=True)
        return function(*operands[:-count], **dict(named), **options)

    return call


# While somebody looks at what operations return: makes of a backend's function the one to call.
watch: Callable[[Operation, Backend, Callable[..., Any]], Callable[..., Any]] | None = None

# Told when `watch` changes: for ways around the dispatcher.
on_watch: list[Callable[[], None]] = []

_tables = threading.Lock()


def set_watch(value: Any) -> None:
    """Look at what operations return, or no longer: all tables are filled anew."""
    global watch
    with _tables:
        watch = value
        for operation in DECLARED.values():
            operation.implementations = {}
            operation.table.clear()
    for tell in on_watch:
        tell()


def active() -> Backend:
    """Return the backend that host data goes to, by the settings in force."""
    return backends.load(current().backend)


def owner_of_type(cls: type) -> Backend | None:
    """Return the backend that owns a class of arrays, None for host data, UNKNOWN for neither."""
    try:
        return _owners[cls]
    except KeyError:
        pass
    owner: Backend | None
    if issubclass(cls, (np.ndarray, np.generic, list, tuple, int, float, complex)):
        owner = None
    else:
        owner = backends.of_type(cls)
        if owner is None:
            return UNKNOWN
    _owners[cls] = owner
    return owner


def replace_owner(backend: Backend, stand_in: Backend) -> None:
    """Put something in the place of a backend, for all that was found out so far."""
    for cls, owner in _owners.items():
        if owner is backend:
            _owners[cls] = stand_in
    for operation in DECLARED.values():
        operation.implementations = {}
        operation.table.clear()


def register_host(cls: type) -> None:
    """Make a class host data: `unibackend.arrays` knows how it enters a backend."""
    _owners[cls] = None


def is_array(value: Any) -> TypeIs[Array]:
    """Tell whether a value is an array of some backend, NumPy's included."""
    cls = type(value)
    if issubclass(cls, (np.ndarray, np.generic)):
        return True
    owner = owner_of_type(cls)
    return owner is not None and owner is not UNKNOWN


def is_owned(value: Any) -> bool:
    """Tell whether a value is a backend's own array, or a constant that becomes one."""
    return owner_of(value) is not None or hasattr(type(value), "__unibackend_enter__")


def owner_of(value: Any) -> Backend | None:
    """Return the backend that owns a value: None for host data and for what is no array."""
    owner = owner_of_type(type(value))
    return None if owner is UNKNOWN else owner


def find_owner(function: str, operands: Iterable[tuple[str, Any]]) -> Backend | None:
    """Return the one backend that owns the arrays among named operands, or None.

    Raises:
        MixedBackendsError: two backends own some; the message says which and where from.
        DtypeError: a value that is no array, number or list.
    """
    owner: Backend | None = None
    first: tuple[str, Any] | None = None
    for name, value in operands:
        found = owner_of_type(type(value))
        if found is None or found is owner:
            continue
        if found is UNKNOWN:
            raise DtypeError(
                f"{function}: {name}={value!r:.80} is a {_class_name(value)}, not an array, a "
                f"number or a list of numbers; convert it first with ub.asarray"
            )
        if owner is not None and first is not None:
            raise MixedBackendsError(_mixed(function, first, owner, (name, value), found))
        owner, first = found, (name, value)
    return owner


def _class_name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def _mixed(
    function: str,
    first: tuple[str, Any],
    owner: Backend,
    second: tuple[str, Any],
    other: Backend,
) -> str:
    def describe(name: str, value: Any, backend: Backend) -> str:
        shape, dtype = getattr(value, "shape", "unknown"), getattr(value, "dtype", "unknown")
        return (
            f"{name} was made on {backend.name} ({_class_name(value)}, shape {shape}, "
            f"dtype {getattr(dtype, 'name', dtype)})"
        )

    settings = current()
    return (
        f"{function}: arrays of two backends in one call: {describe(*first, owner)}, and "
        f"{describe(*second, other)}. The active backend is {settings.backend!r}, from "
        f"{settings.source('backend')}. Move one of them: "
        f"ub.asarray({second[0]}, backend={owner.name!r})"
    )


def serve(operation: Operation, operands: tuple[Any, ...]) -> tuple[Backend, tuple[Any, ...]]:
    """Return the owner of a call, and its operands as they enter that backend."""
    from ._entry import enter, stacked  # the entry asks this module for owners

    names = operation.arrays
    given = {
        name: stacked(value)
        for name, value in zip(names, operands, strict=False)
        if value is not None or name not in operation.optional
    }
    owner = find_owner(operation.name, given.items())
    backend = owner or active()
    # With nothing to be weak against, a number alone is an array of the default dtype.
    strong = owner is None and all(type(value) in SCALARS for value in given.values())
    entered = {
        name: enter(backend, value, function=operation.name, argument=name, strong=strong)
        for name, value in given.items()
    }
    return backend, tuple(map(entered.get, names[: len(operands)]))


def _slow(
    operation: Operation, operands: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    check = _by_place(operation.declaration, operation.keywords)
    check(*operands, *args, **kwargs)  # Python's own check of the signature
    backend, entered = serve(operation, operands)
    known = operation.implementations
    implementation = backend.admit(operation.implementation(backend), len(operands))
    types = tuple(map(type, operands))
    owned = [_owners.get(cls) is backend for cls in types]
    if any(owned) and all(o or cls in SCALARS for o, cls in zip(owned, types, strict=True)):
        # Nothing enters: arrays of the backend's own, and Python numbers, which stay as they are.
        _remember(operation, known, types[0] if len(types) == 1 else types, implementation)
        return implementation(*operands, *args, **kwargs)
    return implementation(*entered, *args, **kwargs)


def _remember(
    operation: Operation,
    known: dict[str, Callable[..., Any]],
    types: Any,
    implementation: Callable[..., Any],
) -> None:
    """Let operands of these types go to a backend's function at once, if nobody watches since."""
    with _tables:
        if operation.implementations is known:
            operation.table[types] = implementation


@overload
def operation(declaration: F, /) -> F: ...
@overload
def operation(*, arrays: tuple[str, ...]) -> Callable[[F], F]: ...
def operation(declaration: Any = None, /, *, arrays: tuple[str, ...] | None = None) -> Any:
    """Make the dispatcher of a declared operation.

    Args:
        declaration: a typed signature with a docstring and an empty body.
        arrays: the parameters that are arrays, the leading ones first; by default all that are
            positional only, as in the array API standard. Others pass as they are.
    """
    if declaration is None:
        return functools.partial(_operation, arrays=arrays)
    return _operation(declaration, arrays=None)


def _operation(declaration: F, arrays: tuple[str, ...] | None) -> F:
    code = declaration.__code__
    names = arrays or code.co_varnames[: code.co_posonlyargcount]
    spec = Operation(declaration, names)
    alone = code.co_argcount + code.co_kwonlyargcount == len(names) == code.co_posonlyargcount
    if alone and len(names) == 3:
        call = _of_three_alone(spec)
    elif code.co_posonlyargcount < len(names) or len(names) > 2:
        call = _of_many(spec)
    elif len(names) == 1:
        call = _of_one_alone(spec) if alone else _of_one(spec)
    elif alone:
        call = _of_two_alone(spec)
    else:
        call = _of_two(spec) if code.co_argcount > 2 else _of_two_with_keywords(spec)
    return _declare(spec, call, declaration)


# One closure for each form of signature, since every argument that is collected by `*args` or
# `**kwargs` costs: these are what a call pays.


def _of_one_alone(spec: Operation) -> Callable[..., Any]:
    get = spec.table.get

    def call(x: Any, /) -> Any:
        implementation = get(type(x))
        return _slow(spec, (x,), (), {}) if implementation is None else implementation(x)

    return call


def _of_one(spec: Operation) -> Callable[..., Any]:
    get = spec.table.get

    def call(x: Any, /, *args: Any, **kwargs: Any) -> Any:
        implementation = get(type(x))
        if implementation is None:
            return _slow(spec, (x,), args, kwargs)
        return implementation(x, *args, **kwargs)

    return call


def _of_two_alone(spec: Operation) -> Callable[..., Any]:
    get = spec.table.get

    def call(x1: Any, x2: Any, /) -> Any:
        implementation = get((type(x1), type(x2)))
        return _slow(spec, (x1, x2), (), {}) if implementation is None else implementation(x1, x2)

    return call


def _of_two_with_keywords(spec: Operation) -> Callable[..., Any]:
    get = spec.table.get

    def call(x1: Any, x2: Any, /, **kwargs: Any) -> Any:
        implementation = get((type(x1), type(x2)))
        if implementation is None:
            return _slow(spec, (x1, x2), (), kwargs)
        return implementation(x1, x2, **kwargs) if kwargs else implementation(x1, x2)

    return call


def _of_two(spec: Operation) -> Callable[..., Any]:
    get = spec.table.get

    def call(x1: Any, x2: Any, /, *args: Any, **kwargs: Any) -> Any:
        implementation = get((type(x1), type(x2)))
        if implementation is None:
            return _slow(spec, (x1, x2), args, kwargs)
        return implementation(x1, x2, *args, **kwargs)

    return call


def _of_three_alone(spec: Operation) -> Callable[..., Any]:
    get = spec.table.get

    def call(x1: Any, x2: Any, x3: Any, /) -> Any:
        implementation = get((type(x1), type(x2), type(x3)))
        if implementation is None:
            return _slow(spec, (x1, x2, x3), (), {})
        return implementation(x1, x2, x3)

    return call


def _of_many(spec: Operation) -> Callable[..., Any]:
    get, names, count = spec.table.get, spec.arrays, len(spec.arrays)
    places = count - len(spec.keywords)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != places or places != count:
            spec.declaration(*args, **kwargs)
            named = [kwargs.pop(name, None) for name in names[len(args) :]]
            operands, args = (*args[:count], *named), args[count:]
        else:
            operands, args = args, ()
        implementation = get(tuple(map(type, operands)))
        if implementation is None:
            return _slow(spec, operands, args, kwargs)
        return implementation(*operands, *args, **kwargs)

    return call


def sequence_operation(declaration: F) -> F:
    """Make the dispatcher of an operation whose first argument is a sequence of arrays."""
    code = declaration.__code__
    spec = Operation(declaration, code.co_varnames[:1])
    get = spec.table.get

    def call(arrays: Sequence[Any], /, *args: Any, **kwargs: Any) -> Any:
        if type(arrays) is list or type(arrays) is tuple:
            implementation = get(frozenset(map(type, arrays)))
            if implementation is not None:
                return implementation([*arrays], *args, **kwargs)
        declaration(arrays, *args, **kwargs)
        if not is_array(arrays) and not isinstance(arrays, list | tuple):
            raise DtypeError(
                f"{spec.name}: {spec.arrays[0]}={arrays!r:.80} is a {_class_name(arrays)}; it must "
                f"be a list or tuple of arrays"
            )
        # Iterating over an array gives the slices along axis 0.
        implementation, entered = _serve_all(spec, tuple(arrays), 0)
        return implementation(entered, *args, **kwargs)

    return _declare(spec, call, declaration)


def variadic_operation(declaration: F) -> F:
    """Make the dispatcher of an operation that is declared as `f(*arrays, ...)`.

    What is positional only before the arrays, as the text of einsum, passes as it is.
    """
    spec = Operation(declaration, ())
    get, first = spec.table.get, declaration.__code__.co_posonlyargcount

    def call(*args: Any, **kwargs: Any) -> Any:
        implementation = get(frozenset(map(type, args[first:])))
        if implementation is not None:
            return implementation(*args, **kwargs)
        declaration(*args, **kwargs)
        implementation, entered = _serve_all(spec, args[first:], sys.maxsize)
        return implementation(*args[:first], *entered, **kwargs)

    return _declare(spec, call, declaration)


def _serve_all(
    spec: Operation, arrays: tuple[Any, ...], operands: int
) -> tuple[Callable[..., Any], list[Any]]:
    """Return the owner's function for a sequence of operands, and them as they enter.

    Args:
        spec: the operation.
        arrays: the operands.
        operands: how many arguments of the function are arrays; 0 where they come as a list.
    """
    from ._entry import enter, stacked

    given = {f"arrays[{i}]": stacked(value) for i, value in enumerate(arrays)}
    backend = find_owner(spec.name, given.items()) or active()
    strong = all(type(value) in SCALARS for value in given.values())
    entered = [
        enter(backend, value, function=spec.name, argument=name, strong=strong)
        for name, value in given.items()
    ]
    known = spec.implementations
    implementation = backend.admit(spec.implementation(backend), operands)
    types = frozenset(map(type, arrays))
    if types and all(_owners.get(cls) is backend for cls in types):
        _remember(spec, known, types, implementation)
    return implementation, entered


def creation(declaration: F) -> F:
    """Make the dispatcher of an operation without array operands: the active backend serves."""
    spec = Operation(declaration, ())

    def call(*args: Any, **kwargs: Any) -> Any:
        declaration(*args, **kwargs)
        return spec.implementation(active())(*args, **kwargs)

    return _declare(spec, call, declaration)


def _declare(spec: Operation, call: Callable[..., Any], declaration: F) -> F:
    spec.call = functools.update_wrapper(call, declaration)
    DECLARED[spec.name] = spec
    return cast("F", spec.call)
