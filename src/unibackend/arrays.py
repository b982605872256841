"""Arrays in, out, and between backends: `asarray`, `to_numpy`, `native`, `from_dlpack`, ..."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _dispatch, backends, dtypes
from ._entry import HostArray, all_python, enter, stacked
from .errors import DtypeError, SettingsError, TracingError, value_needed
from .settings import current

if TYPE_CHECKING:
    from .backends.contract import Backend
    from .typing import Array


def asarray(
    obj: Any,
    /,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    backend: str | None = None,
) -> Array:
    """Return a value as an array.

    An array stays with the backend that owns it; host data go to the active one. On JAX and
    TensorFlow host data are copied, so that the caller may overwrite its NumPy array at once; on
    NumPy the array itself is returned. Between JAX and TensorFlow memory is shared (DLPack),
    and the result is on the active device of the target.

    Args:
        obj: an array of any backend, a NumPy array or scalar, a number, a (nested) list of
            numbers or arrays, or an object with `__array__` or `__dlpack__`.
        dtype: the type of the result; None keeps the value's own in the width in force.
        device: where to put it, as "cpu", "gpu:1" or the framework's own object.
        copy: True always copies, False raises where a copy would be needed.
        backend: the name of the backend of the result; None is the owner, else the active one.

    Returns:
        An array of the backend.

    Raises:
        DtypeError: strings, None, ragged lists, objects; a 64 bit dtype by name with `x64` off.
        RangeError: an integer that does not fit.
        ValueError: `copy=False` where a copy is needed.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.asarray([[1, 2], [3, 4]]).dtype
        dtype('int32')
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype, "asarray")
    obj = stacked(obj)
    owner = _dispatch.owner_of_type(type(obj))
    if owner is _dispatch.UNKNOWN:
        obj, owner = _foreign(obj), None
    named = None if backend is None else backends.load(known(backend))
    target = named or owner or _dispatch.active()
    if owner is not None and owner is not target:
        return cast("Array", cross(obj, owner, target, dtype=wanted, device=device, copy=copy))
    if owner is None:
        return cast(
            "Array",
            enter(target, obj, dtype=wanted, copy=copy, device=device, argument="obj", strong=True),
        )
    x = target.wrap(obj)
    if wanted is not None and x.dtype != wanted:
        if copy is False:
            raise ValueError(
                f"asarray: copy=False, but bringing {x.dtype.name} to {wanted.name} needs a copy"
            )
        x = target.namespace.astype(x, wanted)
    elif copy:
        x = target.namespace.astype(x, x.dtype, copy=True)
    return cast("Array", x if device is None else target.to_device(x, device))


def known(name: str, function: str = "asarray") -> str:
    """Return the name of a backend, if there is one of that name."""
    if name not in backends.names():
        raise SettingsError(
            f"{function}: backend={name!r} is not known; there are {', '.join(backends.names())}"
        )
    return name


def _foreign(obj: Any) -> HostArray:
    """Return an object of no backend as a NumPy array, through its own protocols."""
    if hasattr(obj, "__array__") or hasattr(obj, "__array_interface__"):
        return np.asarray(obj)
    if hasattr(obj, "__dlpack__"):
        return np.from_dlpack(obj)
    if isinstance(obj, range):
        return np.asarray(obj)
    raise DtypeError(
        f"asarray: obj={obj!r:.80} is a {type(obj).__module__}.{type(obj).__qualname__}, which is "
        f"no array, number or list, and has neither __array__ nor __dlpack__"
    )


def cross(
    x: Any,
    source: Backend,
    target: Backend,
    *,
    dtype: dtypes.Dtype | None = None,
    device: Any = None,
    copy: bool | None = None,
) -> Any:
    """Return an array of one backend as an array of another, sharing memory where that is right.

    A 64 bit array enters a 32 bit world as host data do: floats by `float64_input`, integers
    checked.

    Raises:
        TracingError: the array has no values yet, since it is part of a function being traced.
    """
    if not source.is_concrete(x):
        raise TracingError(
            f"asarray: obj is a {source.name} value inside a function that is being compiled or "
            f"mapped, so it has no numbers yet to move to {target.name!r}; move it before the call"
        )
    narrows = source.wrap(x).dtype in dtypes.NARROW and not current().x64
    if copy is not True and not narrows:
        try:
            moved = target.adopt(source.native(x))
        except BufferError:
            if copy is False:
                raise
        else:
            return asarray(moved, dtype=dtype, device=device, backend=target.name)
    return enter(target, source.to_host(x), dtype=dtype, device=device, copy=copy, argument="obj")


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """Return an array of the active backend that shares the memory of another library's array.

    Args:
        x: an object with `__dlpack__`: of NumPy, JAX, TensorFlow, PyTorch, ...
        device: where the result must be; None is where the data are.
        copy: True copies; False raises where the memory cannot be shared; None copies then.

    Raises:
        BufferError: `copy=False` and the backend cannot take this memory as it is (TensorFlow
            takes aligned, contiguous, writable memory only).
        RangeError: an integer that does not fit, crossing into a 32 bit world.

    Examples:
        >>> import numpy as np, unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.from_dlpack(np.arange(3, dtype="float32"))
        array([0., 1., 2.], dtype=float32)
    """
    target = _dispatch.active()
    owner = _dispatch.owner_of(x)
    if owner is target:
        return asarray(x, device=device, copy=copy)
    if owner is not None:
        return cast("Array", cross(x, owner, target, device=device, copy=copy))
    if not hasattr(x, "__dlpack__"):
        raise DtypeError(f"from_dlpack: x={x!r:.80} has no __dlpack__; use ub.asarray")
    wide = np.dtype(x.dtype) in dtypes.NARROW if isinstance(x, np.ndarray) else False
    if copy is not True and not (wide and not current().x64):
        try:
            return asarray(target.adopt(x), device=device)
        except BufferError:
            if copy is False:
                raise
    array = x if isinstance(x, np.ndarray) else np.from_dlpack(x)
    return cast("Array", enter(target, array, device=device, copy=copy, function="from_dlpack"))


def _map(function: str, one: Any, x: Any) -> Any:
    """Apply a function to an array, or to every leaf of a tree of arrays."""
    cls = type(x)
    if _dispatch.is_array(x) or cls in _dispatch.SCALARS or hasattr(cls, "__unibackend_enter__"):
        return one(x)
    from . import tree

    leaves, structure = tree.flatten(x)
    if len(leaves) == 1 and leaves[0] is x:
        raise DtypeError(f"{function}: {x!r:.80} is neither an array nor a tree of arrays")
    return tree.unflatten(structure, [_map(function, one, leaf) for leaf in leaves])


def to_numpy(x: Any, /) -> Any:
    """Return an array, or every array of a tree, as NumPy's, waiting for its values.

    Args:
        x: an array of any backend, a number, or a tree of them.

    Returns:
        A NumPy array; it may be a read-only view of the backend's memory.

    Raises:
        TracingError: the array is part of a function that is being compiled or mapped.

    Examples:
        >>> import unibackend as ub
        >>> ub.to_numpy({"a": ub.asarray([1.0, 2.0], backend="numpy")})
        {'a': array([1., 2.], dtype=float32)}
    """
    return _map("to_numpy", _to_numpy, x)


def _to_numpy(x: Any) -> HostArray:
    owner = _dispatch.owner_of(x)
    if owner is None:
        return np.asarray(x)
    if not owner.is_concrete(x):
        raise concrete_needed(x, "to_numpy")
    return owner.to_host(x)


def concrete_needed(x: Any, what: str) -> TracingError:
    """Return the error for an array whose values are asked for while a function is traced."""
    error = value_needed(what, f"The array has the shape {x.shape} and the dtype {x.dtype}")
    error.array = x
    return error


def size_needed(x: Any, what: str) -> TracingError:
    """Return the error for a result whose size depends on values, while a function is traced."""
    error = value_needed(
        what,
        f"How many elements the result has depends on the values of the array, which has the shape "
        f"{x.shape} and the dtype {x.dtype}: call it outside of the compiled or mapped function, "
        f"or keep all elements, with ub.where",
    )
    error.array = x
    return error


def native(x: Any, /) -> Any:
    """Return the framework's own array behind an array, or behind every array of a tree.

    Args:
        x: an array of any backend, or a tree of them. JAX's and NumPy's are native already.

    Examples:
        >>> import numpy as np, unibackend as ub
        >>> x = np.ones(2)
        >>> ub.native(x) is x
        True
    """

    def one(leaf: Any) -> Any:
        owner = _dispatch.owner_of(leaf)
        return leaf if owner is None else owner.native(leaf)

    return _map("native", one, x)


def to_device(x: Any, device: Any, /) -> Any:
    """Return an array, or every array of a tree, on a device of its backend.

    Args:
        x: an array of any backend, or a tree of them; host data go to the active backend.
        device: "cpu", "gpu", "tpu", each with ":index" if not the first, or a device object.

    Raises:
        SettingsError: there is no such device; the message lists those there are.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.to_device([1, 2], "cpu")
        array([1, 2], dtype=int32)
    """

    def one(leaf: Any) -> Any:
        owner = _dispatch.owner_of(leaf)
        if owner is None:
            return enter(_dispatch.active(), leaf, function="to_device", device=device, strong=True)
        return owner.to_device(leaf, device)

    if isinstance(x, list | tuple) and all_python(x):
        return one(x)
    return _map("to_device", one, x)


def block_until_ready(x: Any, /) -> Any:
    """Wait until the arrays of a tree have been computed, and return the tree: for timing.

    Args:
        x: an array of any backend, or a tree of them.

    Examples:
        >>> import unibackend as ub
        >>> ub.block_until_ready(ub.asarray([1.0], backend="numpy"))
        array([1.], dtype=float32)
    """

    def one(leaf: Any) -> Any:
        owner = _dispatch.owner_of(leaf)
        if owner is not None:
            owner.block_until_ready(leaf)
        return leaf

    return _map("block_until_ready", one, x)


def backend_of(x: Any, /) -> str:
    """Return the name of the backend that owns an array, or the arrays of a tree.

    Args:
        x: an array of any backend, or a tree of them. Host data, NumPy's arrays included, belong
            to the active backend.

    Raises:
        MixedBackendsError: the tree holds arrays of two backends.

    Examples:
        >>> import numpy as np, unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.backend_of(np.ones(2))
        'numpy'
    """
    if _dispatch.is_array(x) or type(x) in _dispatch.SCALARS:
        owner = _dispatch.owner_of(x)
    else:
        from . import tree

        leaves = tree.leaves(x)
        owner = _dispatch.find_owner(
            "backend_of", ((f"leaf {i}", leaf) for i, leaf in enumerate(leaves))
        )
    return current().backend if owner is None else owner.name


def namespace(*sources: Any) -> Any:
    """Return the array API namespace of a backend.

    Args:
        sources: the name of a backend, or arrays, whose owner is meant; none for the active one.

    Returns:
        The module `unibackend.backends.<name>`.

    Raises:
        MixedBackendsError: arrays of two backends.
        SettingsError: the name of no backend.

    Examples:
        >>> import unibackend as ub
        >>> ub.namespace("numpy").add(1.5, 2.0) == 3.5
        np.True_
    """
    if len(sources) == 1 and isinstance(sources[0], str):
        return backends.load(known(sources[0])).namespace
    named = ((f"argument {i}", x) for i, x in enumerate(sources))
    return (_dispatch.find_owner("namespace", named) or _dispatch.active()).namespace


def devices(backend: str | None = None) -> tuple[Any, ...]:
    """Return the devices of a backend; this starts its framework.

    Args:
        backend: a name; None is the active backend.

    Examples:
        >>> import unibackend as ub
        >>> ub.devices("numpy")
        ('cpu',)
    """
    chosen = _dispatch.active() if backend is None else backends.load(known(backend))
    return tuple(chosen.devices())
