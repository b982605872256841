"""Trees of arrays in files: `save` and `load`.

The file is an .npz of NumPy's and not one of safetensors, which has no complex128 and no trees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dispatch, _entry, backends, dtypes, tree
from .arrays import concrete_needed, known
from .errors import DtypeError, ShapeError

if TYPE_CHECKING:
    from ._archive import PathLike, Reader
    from ._entry import HostArray


def _complex(parts: Any) -> complex:
    real, imag = map(float.fromhex, parts)
    return complex(real, imag)


# Python's numbers to the texts that hold each exactly: JSON has no infinity and no complex number.
_TEXTS: dict[type, Callable[[Any], Any]] = {
    int: hex,
    float: float.hex,
    complex: lambda z: [z.real.hex(), z.imag.hex()],
}
_NUMBERS: dict[str, Callable[[Any], Any]] = {
    "int": lambda text: int(text, 16),
    "float": float.fromhex,
    "complex": _complex,
}

_PLAIN = frozenset({type(None), bool, str, *_TEXTS})

# What stands for `like` where none was given; None is a tree.
_ANY: Any = object()


def save(path: PathLike, tree: Any) -> None:
    """Write a tree of arrays of any backend into a file, whole or not at all.

    The file is written beside its place and moved there when all of it is on the disk: whatever
    goes wrong, the file that was there before stays as it was. It is an .npz, which
    `numpy.load(path)` reads too; bfloat16 is stored as the uint16 of its bits.

    Args:
        path: the file. The name is taken as it is; its folder must exist.
        tree: arrays of any backend and dtype, NumPy's included and as wide as they are; Python
            numbers, texts and None; and lists, tuples, dictionaries, named tuples and registered
            classes of these. Of a registered class the arrays are kept, `load(like=...)` has the
            rest. Keys of dictionaries are texts, numbers, None or tuples of these.

    Raises:
        DtypeError: something else is in the tree; the message says where.
        TracingError: an array is part of a function that is being compiled or mapped.
        FileNotFoundError: there is no such folder.

    Examples:
        >>> import os, tempfile, unibackend as ub
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "weights.npz")
        ...     ub.save(path, {"w": ub.ones((2, 2), dtype="bfloat16"), "step": 3})
        ...     ub.load(path)
        {'w': array([[1, 1],
               [1, 1]], dtype=bfloat16), 'step': 3}
    """
    from ._archive import writing  # zipfile and json, when there is a file

    with writing(path) as archive:
        try:
            described = _describe(tree, "tree", archive.add)
        except RecursionError:
            raise ShapeError(
                "save: tree is nested deeper than Python can follow, or holds itself"
            ) from None
        archive.describe(described)


def load(path: PathLike, *, like: Any = None, backend: str | None = None) -> Any:
    """Return the tree of arrays that `save` has written.

    Nothing in the file is executed, and no class is made from its name: a file from a stranger
    can be opened.

    Args:
        path: the file.
        like: a tree of the same structure. Named tuples and registered classes become what they
            are in it; where it has arrays (or what else has a shape and a dtype), those of the
            file must be of the same. None takes lists, tuples and dictionaries as they are.
        backend: the name of the backend of the arrays; None is the active one.

    Returns:
        The tree, with arrays of the backend on its active device. Values enter as by `asarray`:
        with `x64` off, 64 bit floats as the setting `float64_input` says, integers checked.

    Raises:
        FileFormatError: the file was cut, changed, or not written by `save`.
        ShapeError: `like` has another structure, or an array of another shape.
        DtypeError: `like` has an array of another dtype; or float64 while that is an error.
        RangeError: an integer that does not fit 32 bits, with `x64` off.

    Examples:
        >>> import os, tempfile, unibackend as ub
        >>> from collections import namedtuple
        >>> Line = namedtuple("Line", "slope offset")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "line.npz")
        ...     ub.save(path, Line(ub.asarray([2.0, 1.0]), 0.5))
        ...     ub.load(path, like=Line(ub.zeros(2), 0.0))
        Line(slope=array([2., 1.], dtype=float32), offset=0.5)
    """
    from ._archive import Reader

    name = None if backend is None else known(backend, "load")
    with open(path, "rb") as file:
        loader = _Loader(Reader(file, path), name)
        return loader.load(_ANY if like is None else like)


def _describe(x: Any, where: str, add: Callable[[HostArray], dict[str, Any]]) -> Any:
    """Return what JSON can hold of a tree, with its arrays written by `add`."""
    cls = type(x)
    if cls in _PLAIN:
        return _text(x)
    if _dispatch.is_array(x) or hasattr(cls, "__unibackend_enter__"):
        return add(_host(x, where))
    if cls is list or cls is tuple:
        return {cls.__name__: [_describe(v, f"{where}[{i}]", add) for i, v in enumerate(x)]}
    if cls is dict:
        parts, kind = x.items(), {}
    else:
        children, _, entries, _ = _open(x, where)
        parts, kind = zip(entries, children, strict=True), {"class": cls.__name__}
    described = [[_key(k, where), _describe(v, f"{where}[{k!r}]", add)] for k, v in parts]
    return {**kind, "dict": described}


def _open(x: Any, where: str) -> Any:
    """Return the children, the rest, the names and the maker of a container.

    Raises:
        DtypeError: it is none.
    """
    import optree

    try:
        return optree.tree_flatten_one_level(x, namespace=tree.NAMESPACE)
    except ValueError:
        raise DtypeError(
            f"save: {where}={x!r:.80} is a {type(x).__module__}.{type(x).__qualname__}, which a "
            f"file cannot hold; it holds arrays, numbers, texts, None, and lists, tuples, "
            f"dictionaries and classes of these that ub.tree.register knows"
        ) from None


def _text(x: Any) -> Any:
    """Return what JSON can hold of a Python number, a text or None."""
    text = _TEXTS.get(type(x))
    return x if text is None else {type(x).__name__: text(x)}


def _host(x: Any, where: str) -> HostArray:
    """Return an array with its values and dtype as NumPy's."""
    owner = _dispatch.owner_of(x)
    if owner is None:
        array = np.asarray(x) if hasattr(type(x), "__unibackend_enter__") else x
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        return _entry.host(array, f"save: {where}", array.dtype)  # as wide as it is
    x = owner.wrap(x)
    if getattr(x.dtype, "name", None) not in dtypes.NAMES:
        raise DtypeError(
            f"save: {where} has the dtype {x.dtype}; the dtypes here are {', '.join(dtypes.NAMES)}"
        )
    if not owner.is_concrete(x):
        raise concrete_needed(x, "save")
    return owner.to_host(x)


def _key(key: Any, where: str) -> Any:
    """Return what JSON can hold of the key of a dictionary."""
    cls = type(key)
    if cls in _PLAIN:
        return _text(key)
    if cls is tuple:
        return {"tuple": [_key(part, where) for part in key]}
    raise DtypeError(
        f"save: {where} has the key {key!r:.80}, a {cls.__module__}.{cls.__qualname__}; keys in a "
        f"file are texts, numbers, None or tuples of these"
    )


class _Loader:
    """What makes a tree from its description."""

    def __init__(self, file: Reader, backend: str | None) -> None:
        self._file = file
        self._backend = _dispatch.active() if backend is None else backends.load(backend)

    def load(self, like: Any) -> Any:
        try:
            found = self._tree(self._file.tree(), "tree", like)
        except RecursionError:
            raise self._file.damaged("its tree is nested deeper than Python can follow") from None
        self._file.finish()
        return found

    def _tree(self, node: Any, where: str, like: Any) -> Any:
        match node:
            case {"array": int(number), "dtype": str(name)}:
                return self._array(number, name, where, like)
            case {"list": list(nodes)}:
                return self._sequence(list, nodes, where, like)
            case {"tuple": list(nodes)}:
                return self._sequence(tuple, nodes, where, like)
            case {"class": str(name), "dict": list(pairs)}:
                return self._instance(name, self._pairs(pairs, where), where, like)
            case {"dict": list(pairs)}:
                return self._dictionary(self._pairs(pairs, where), where, like)
        value = self._plain(node, where)
        is_leaf = (like is None) == (value is None) and not _is_container(like)
        self._check(like, is_leaf, where, f"{value!r:.80}")
        return value

    def _dictionary(self, nodes: dict[Any, Any], where: str, like: Any) -> Any:
        same = type(like) is dict and like.keys() == nodes.keys()
        self._check(like, same, where, f"a dictionary of the keys {[*nodes]!r:.80}")
        parts = dict.fromkeys(nodes, _ANY) if like is _ANY else like
        return {k: self._tree(node, f"{where}[{k!r}]", parts[k]) for k, node in nodes.items()}

    def _sequence(
        self, cls: type[list[Any] | tuple[Any, ...]], nodes: list[Any], where: str, like: Any
    ) -> Any:
        same = type(like) is cls and len(like) == len(nodes)
        self._check(like, same, where, f"a {cls.__name__} of {len(nodes)}")
        parts: Any = [_ANY] * len(nodes) if like is _ANY else like
        return cls(
            self._tree(node, f"{where}[{i}]", part)
            for i, (node, part) in enumerate(zip(nodes, parts, strict=True))
        )

    def _instance(self, name: str, nodes: dict[Any, Any], where: str, like: Any) -> Any:
        """Return an instance of the class that `like` has at this place."""
        if like is _ANY:
            raise ShapeError(
                f"load: {where} is a {name} in the file, a class that a file cannot bring along; "
                f"give a tree with one at its place: ub.load(..., like=...)"
            )
        what = f"a {name} of {[*nodes]!r:.80}"
        self._check(like, _is_container(like) and type(like).__name__ == name, where, what)
        children, rest, entries, make = _open(like, where)
        self._check(like, set(entries) == set(nodes), where, what)
        return make(
            rest,
            [
                self._tree(nodes[entry], f"{where}[{entry!r}]", child)
                for entry, child in zip(entries, children, strict=True)
            ],
        )

    def _array(self, number: int, name: str, where: str, like: Any) -> Any:
        self._check(like, like is not None and not _is_container(like), where, "an array")
        host = _entry.host(self._file.array(number, name), f"load: {where}")
        x = self._backend.from_host(host)
        owner = _dispatch.owner_of(like)
        like = like if owner is None else owner.wrap(like)
        for of, error in (("shape", ShapeError), ("dtype", DtypeError)):
            found, wanted = getattr(x, of), getattr(like, of, None)
            if wanted is not None and found != wanted:
                raise error(f"load: {where} has the {of} {found} and, in like, {wanted}")
        return x

    def _pairs(self, pairs: list[Any], where: str) -> dict[Any, Any]:
        """Return the nodes of a dictionary by their keys."""
        found = {}
        for pair in pairs:
            match pair:
                case [key, node]:
                    found[self._plain(key, where)] = node
                case _:
                    raise self._file.damaged(f"{where} has {pair!r:.80} for a key and its value")
        if len(found) != len(pairs):
            raise self._file.damaged(f"{where} has a key twice")
        return found

    def _plain(self, node: Any, where: str) -> Any:
        """Return a number, a text or None, or a key made of them."""
        try:
            match node:
                case None | bool() | str():
                    return node
                case {"tuple": list(parts)}:
                    return tuple(self._plain(part, where) for part in parts)
                case dict():
                    [(name, text)] = node.items()
                    return _NUMBERS[name](text)
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise self._file.damaged(f"{where} is described as {node!r:.80}") from error
        raise self._file.damaged(f"{where} is described as {node!r:.80}")

    def _check(self, like: Any, same: bool, where: str, found: str) -> None:
        if like is not _ANY and not same:
            raise ShapeError(
                f"load: {where} is {found} in the file, and {like!r:.80} in like, whose structure "
                f"must be the same"
            )


def _is_container(x: Any) -> bool:
    import optree

    return not optree.tree_is_leaf(x, namespace=tree.NAMESPACE) and x is not None
