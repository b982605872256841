"""One call of a function that is differentiated: by what, and what takes cotangents back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _dispatch, dtypes, tree
from .._entry import enter
from .._nans import without_nan
from ..errors import DtypeError
from ..settings import current, within
from .signature import name_of, owner_of_leaves

if TYPE_CHECKING:
    from ..backends.contract import Backend

Argnums = int | Sequence[int]


@dataclass(frozen=True)
class Options:
    """What is differentiated by what, and how."""

    function: Callable[..., Any]
    transformation: str
    argnums: Argnums
    has_aux: bool
    holomorphic: bool

    @property
    def name(self) -> str:
        return f"{self.transformation}: {name_of(self.function)}"

    def positions(self, count: int) -> tuple[int, ...]:
        """Return the positions of the arguments to differentiate by, counted from the front.

        Raises:
            ValueError: there is no such positional argument.
        """
        wanted = (self.argnums,) if isinstance(self.argnums, int) else tuple(self.argnums)
        for i in wanted:
            if not -count <= i < count:
                raise ValueError(
                    f"{self.name}: argnums={self.argnums!r}, but it was called with {count} "
                    f"positional arguments; arguments to differentiate by are given by position"
                )
        return tuple(i % count for i in wanted)


class Reversed:
    """One call, run forward: its outputs, and what takes cotangents back to the arguments."""

    def __init__(self, options: Options, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.options = options
        positions = options.positions(len(args))
        everything = tree.leaves((args, kwargs))
        owner = owner_of_leaves(options.name, everything)
        backend: Backend = owner or _dispatch.active()
        self.backend = backend
        chosen: Any = tuple(args[i] for i in positions)
        leaves, self._structure = tree.flatten(chosen)
        leaves = [_differentiable(backend, options, leaf) for leaf in leaves]
        others = [None if i in positions else _entered(backend, x) for i, x in enumerate(args)]
        named = {key: _entered(backend, value) for key, value in kwargs.items()}
        function, has_aux = options.function, options.has_aux
        self.structure: Any = None

        def flat(leaves: list[Any]) -> tuple[list[Any], Any]:
            full = list(others)
            for i, value in zip(positions, self._structure.unflatten(leaves), strict=True):
                full[i] = value
            with within(backend.name):
                result = function(*full, **named)
            aux = None
            if has_aux:
                result, aux = _split(options, result)
            outputs, self.structure = tree.flatten(result)
            for x in outputs:
                _check_output(options, x)
            return outputs, aux

        self.outputs, self._pull, self.aux = backend.vjp(flat, leaves, options.name)

    def pull(self, cotangents: list[Any]) -> Any:
        """Return the cotangents of the chosen arguments, one tree for each."""
        return self._structure.unflatten(self._pull(cotangents))

    def chosen(self, trees: Any) -> Any:
        """Return what belongs to the chosen arguments: bare if they were given as one integer."""
        return trees[0] if isinstance(self.options.argnums, int) else tuple(trees)

    def value(self) -> Any:
        return tree.unflatten(self.structure, self.outputs)


def _entered(backend: Backend, value: Any) -> Any:
    """Return an argument that is not differentiated, with NumPy's arrays as the backend's."""
    return tree.map(
        lambda x: enter(backend, x) if isinstance(x, np.ndarray | np.generic) else x, value
    )


def _differentiable(backend: Backend, options: Options, leaf: Any) -> Any:
    """Return a leaf to differentiate by as an array, or as the Python float that it is.

    Raises:
        DtypeError: it is no floating-point or complex number.
    """
    cls = type(leaf)
    if _dispatch.owner_of_type(cls) is _dispatch.UNKNOWN:
        raise DtypeError(
            f"{options.name}: an argument to differentiate by holds {leaf!r:.60}, a "
            f"{cls.__name__}; it must be an array or a tree of arrays. Choose others by argnums"
        )
    x = leaf if cls in (float, complex) else enter(backend, leaf, function=options.name)
    is_number = type(x) in _dispatch.SCALARS
    kind = dtypes.kind(dtypes.default(cls)) if is_number else kind_of(x)
    if kind not in "fc" or (options.holomorphic and kind != "c"):
        rule = "complex, since holomorphic is True" if options.holomorphic else "floating point"
        dtype = cls.__name__ if is_number else np.dtype(x.dtype).name
        shown = f"={leaf!r}" if is_number else ""
        raise DtypeError(
            f"{options.name}: an argument to differentiate by is {dtype}{shown}; it must be "
            f"{rule}. Convert it, as in ub.astype(x, ub.float32), or choose others by argnums"
        )
    return x


def kind_of(x: Any) -> str:
    return dtypes.kind(np.dtype(x.dtype))


def _split(options: Options, result: Any) -> tuple[Any, Any]:
    if type(result) is not tuple or len(result) != 2:
        raise TypeError(
            f"{options.name}: with has_aux=True it must return a pair (value, aux), not "
            f"{result!r:.60}"
        )
    return result


def _check_output(options: Options, x: Any) -> None:
    if options.transformation == "vjp" or _dispatch.owner_of_type(type(x)) is _dispatch.UNKNOWN:
        return
    kind = kind_of(x) if hasattr(x, "dtype") else kind_of(np.asarray(x))
    wanted = "c" if options.holomorphic else "f"
    if kind == wanted or (type(x) is int and not options.holomorphic):
        return
    cure = {
        "c": "take ub.real or ub.abs of it, or give holomorphic=True",
        "f": "leave holomorphic out",
    }.get(kind, "convert it to floating point, or return it by has_aux=True")
    raise DtypeError(
        f"{options.name} returned an output of dtype {getattr(x, 'dtype', type(x).__name__)}; it "
        f"must be {'complex' if options.holomorphic else 'real floating point'}: {cure}"
    )


def decorated(
    transformation: Callable[..., Any],
    f: Any,
    run: Callable[[Options, tuple[Any, ...], dict[str, Any]], Any],
    argnums: Argnums,
    has_aux: bool,
    holomorphic: bool,
) -> Callable[..., Any]:
    """Return the transformed function; a decorator where the function is still to come."""
    if f is None:
        return functools.partial(
            transformation, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic
        )
    name = transformation.__name__
    if not callable(f):
        raise TypeError(f"{name}: f={f!r} is not callable")
    given = (argnums,) if isinstance(argnums, int) else argnums
    if not isinstance(given, Sequence) or not all(type(i) is int for i in given):
        raise TypeError(f"{name}: argnums={argnums!r} must be an integer or a sequence of such")
    options = Options(f, name, argnums, has_aux, holomorphic)

    @functools.wraps(f)
    def differentiated(*args: Any, **kwargs: Any) -> Any:
        if current().check_nans:
            return without_nan(name, lambda: run(options, args, kwargs))
        return run(options, args, kwargs)

    return differentiated
