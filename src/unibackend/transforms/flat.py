"""Functions of trees as functions of lists of leaves, and what must hold of what they return."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _dispatch, dtypes, tree
from .._entry import enter
from ..errors import DtypeError, MixedBackendsError, ShapeError
from ..settings import within

if TYPE_CHECKING:
    from ..backends.contract import Backend


class Kind(NamedTuple):
    """What is known of a leaf while it is traced; the dtype of a Python number is its type."""

    shape: tuple[int | None, ...]
    dtype: dtypes.Dtype | type

    @property
    def is_weak(self) -> bool:
        return isinstance(self.dtype, type)

    def __str__(self) -> str:
        name = self.dtype.__name__ if isinstance(self.dtype, type) else self.dtype.name
        shape = ", ".join("?" if size is None else str(size) for size in self.shape)
        return f"{name}[{shape}]"


def arguments(*structures: Any) -> Any:
    """Return the structure of a tuple of arguments from that of each."""
    import optree

    return optree.treespec_tuple(structures, namespace=tree.NAMESPACE)


def kind_of(x: Any) -> Kind:
    """Return the kind of an array of a backend, or of a Python number."""
    if type(x) in _dispatch.SCALARS:
        return Kind((), type(x))
    dtype = np.dtype(x.dtype)
    weak = getattr(x, "weak_type", False)
    return Kind(tuple(x.shape), dtypes.PYTHON_TYPES[dtype.kind] if weak else dtype)


class Flat:
    """A user's function, called with lists of leaves; it notes the form of what is returned."""

    def __init__(
        self, function: Callable[..., Any], what: str, structure: Any, backend: Backend
    ) -> None:
        self.function = function
        self.what = what  # as "scan: the body <lambda>", for errors
        self.structure: Any = None  # of the outputs, once it has run
        self.kinds: list[Kind] = []
        self._inputs = structure
        self._backend = backend

    def __call__(self, leaves: list[Any]) -> list[Any]:
        """Return the leaves of what the function returns: arrays of the backend, and numbers.

        Raises:
            DtypeError: an output is neither.
            MixedBackendsError: an output belongs to another backend.
        """
        backend = self._backend
        with within(backend.name):
            outputs, self.structure = tree.flatten(self.function(*self._inputs.unflatten(leaves)))
        entered = [self._entered(x, i) for i, x in enumerate(outputs)]
        self.kinds = [kind_of(x) for x in entered]
        return entered

    def _entered(self, x: Any, i: int) -> Any:
        owner = _dispatch.owner_of_type(type(x))
        if owner is _dispatch.UNKNOWN:
            raise DtypeError(
                f"{self.what} returned {self.path(i)}={x!r:.60}, a {type(x).__name__}; it returns "
                f"arrays, numbers, None, or trees of these; a container is made known by "
                f"ub.tree.register"
            )
        if owner is not None and owner is not self._backend:
            raise MixedBackendsError(
                f"{self.what} returned {self.path(i)}, an array of {owner.name}, while its "
                f"arguments belong to {self._backend.name}; move it with "
                f"ub.asarray(x, backend={self._backend.name!r})"
            )
        return _entered(self._backend, x, self.what, "an output")

    def path(self, i: int) -> str:
        """Return where a leaf of the outputs stands, as "output['w'][0]"."""
        return str(self.structure.accessors()[i].codify("output"))


def check_callable(function: str, **given: Any) -> None:
    """Raise a TypeError for what cannot be called, by its name."""
    for name, value in given.items():
        if not callable(value):
            raise TypeError(f"{function}: {name}={value!r:.80} is not callable")


def admitted(function: str, **arguments: Any) -> tuple[Backend, list[list[Any]], list[Any]]:
    """Return the backend that owns the arrays of trees, and the leaves and structure of each.

    Args:
        function: the transformation, for errors.
        arguments: the trees by their names.

    Raises:
        MixedBackendsError: they belong to two backends.
        DtypeError: a leaf that is no array or number.
    """
    flat = {name: tree.flatten(value) for name, value in arguments.items()}
    named = [
        (_codified(structure, i, name), leaf)
        for name, (leaves, structure) in flat.items()
        for i, leaf in enumerate(leaves)
    ]
    backend = _dispatch.find_owner(function, named) or _dispatch.active()
    entered = [
        [_entered(backend, leaf, function, name) for leaf in leaves]
        for name, (leaves, _) in flat.items()
    ]
    return backend, entered, [structure for _, structure in flat.values()]


def _entered(backend: Backend, x: Any, function: str, argument: str) -> Any:
    """Return a leaf as an array, or as a weak number; a bool is not weak, in JAX neither."""
    return enter(backend, x, function=function, argument=argument, strong=type(x) is bool)


def _codified(structure: Any, i: int, name: str) -> str:
    return str(structure.accessors()[i].codify(name))


def as_strong(backend: Backend, x: Any, dtype: dtypes.Dtype, where: str) -> Any:
    """Return an array, or a weak number, as an array of a dtype that is not weak."""
    kind = kind_of(x)
    if not kind.is_weak and kind.dtype == dtype:
        return x
    if type(x) in _dispatch.SCALARS:
        dtypes.fit(x, dtype, where)
        return enter(backend, x, function=where, dtype=dtype, strong=True)
    from ..ops.searching import where as select  # operations are built on this package's neighbours

    # Not astype, which makes a number of the default dtype first: 0.1 would lose digits.
    with within(backend.name):
        zero = backend.namespace.zeros((), dtype=dtype)
        return select(backend.namespace.ones((), dtype=dtypes.bool_), x, zero)


def default_kind(kind: Kind) -> dtypes.Dtype:
    """Return the dtype of a leaf, the default one for a number that met no array."""
    return dtypes.default(kind.dtype) if isinstance(kind.dtype, type) else kind.dtype


def same_shape(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> bool:
    """Tell whether two shapes may be one: an unknown size (TensorFlow's None) may be any."""
    return len(a) == len(b) and all(
        m == n or m is None or n is None for m, n in zip(a, b, strict=True)
    )


def check_structure(what: str, wanted: Any, found: Any, whose: str) -> None:
    """Raise where two structures differ.

    Raises:
        ShapeError: the message shows both.
    """
    if wanted != found:
        raise ShapeError(
            f"{what} returned another structure than {whose}: {_shown(found)}, not "
            f"{_shown(wanted)}; return the same containers, with the same keys and lengths"
        )


def _shown(structure: Any) -> str:
    return str(structure).removeprefix("PyTreeSpec(").partition(", namespace=")[0].rstrip(")")
