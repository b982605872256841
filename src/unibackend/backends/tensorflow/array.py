"""TensorFlow's array as the standard's array object: one slot around a `tf.Tensor`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from threading import get_ident
from typing import Any

import numpy as np
import tensorflow as tf

from ..._fork import on_fork, refuse
from ..._operators import Operators
from ...arrays import concrete_needed, to_device
from ...errors import DtypeError, TracingError
from ._private import is_watched, leave_unconverted
from ._sizes import host_of
from .methods import Methods

# AutoGraph would rewrite these sources in a user's tf.function, and warn of what it cannot.
leave_unconverted(__name__.partition(".")[0])


class _Dtypes(dict[Any, np.dtype[Any]]):
    """NumPy's dtypes by TensorFlow's, which knows more: of strings, of quantized numbers."""

    def __missing__(self, dtype: Any) -> np.dtype[Any]:
        raise DtypeError(
            f"a tensor of TensorFlow's dtype {dtype.name} is no array here: "
            f"cast it with tf.cast to one of {', '.join(map(str, TF_DTYPES))}"
        )


# TensorFlow's dtypes to NumPy's, for the dtypes of this library.
NUMPY_DTYPES = _Dtypes(
    (dtype, np.dtype(dtype.as_numpy_dtype))
    for dtype in (
        tf.bool,
        *(tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64),
        *(tf.bfloat16, tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128),
    )
)
TF_DTYPES: dict[np.dtype[Any], Any] = {dtype: key for key, dtype in NUMPY_DTYPES.items()}

# Whether a gradient of this library is being taken; a user's own tape has TensorFlow's rules.
differentiating: ContextVar[bool] = ContextVar("differentiating", default=False)

# The functions behind the operators that are called most, which two arrays of ours reach without
# the dispatcher. The modules that define them enter them here.
DIRECT: dict[str, Callable[..., Any]] = {}


def _refuse_direct() -> None:
    for name in DIRECT:
        DIRECT[name] = functools.partial(refuse, "tensorflow")


on_fork.append(_refuse_direct)

# What `__dlpack_device__` calls TensorFlow's devices.
_DLPACK_KINDS = {"cpu": 1, "gpu": 2}


def _direct(name: str, general: Any) -> Callable[[Any, Any], Any]:
    """Return an operator that is general but for two arrays of ours."""

    def method(self: Array, other: Any) -> Any:
        return DIRECT[name](self, other) if type(other) is Array else general(self, other)

    return method


class Array(Operators, Methods):
    """An array on TensorFlow. `.tensor` is the `tf.Tensor`."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor

    # What it is.

    @property
    def tensor(self) -> Any:
        """The `tf.Tensor` behind the array."""
        return self._tensor

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, NumPy's object."""
        return NUMPY_DTYPES[self._tensor.dtype]

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each axis; None for one that is unknown in the user's own tf.function."""
        try:
            return tuple(self._tensor.shape)
        except ValueError:
            raise _unknown_rank("shape") from None

    @property
    def ndim(self) -> int:
        """The number of axes."""
        rank: int | None = self._tensor.shape.rank
        if rank is None:
            raise _unknown_rank("ndim")
        return rank

    @property
    def size(self) -> int:
        """The number of elements."""
        size: int | None = self._tensor.shape.num_elements()
        if size is None:
            raise TracingError(
                f"size: the shape {self._tensor.shape} is not known inside this tf.function; give "
                f"sizes in input_signature, or use tf.size(x.tensor)"
            )
        return size

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def device(self) -> str:
        """The device that holds the array, as "cpu:0"; that name too where none is known yet."""
        path: str = self._tensor.device
        return path.rpartition("device:")[2].lower() if path else "cpu:0"

    def to_device(self, device: Any, /, *, stream: Any = None) -> Any:
        """Return the array on a device, as `ub.to_device`; `stream` must be None.

        Raises:
            SettingsError: there is no such device.
        """
        if stream is not None:
            raise ValueError(f"to_device: stream={stream!r}: TensorFlow has no streams to choose")
        return to_device(self, device)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        from .. import tensorflow as namespace

        versions = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
        if api_version not in (None, *versions):
            raise ValueError(
                f"__array_namespace__: api_version={api_version!r} is not one of {versions}"
            )
        return namespace

    # Operators: the ones called most.

    __add__ = _direct("add", Operators.__add__)
    __sub__ = _direct("subtract", Operators.__sub__)
    __mul__ = _direct("multiply", Operators.__mul__)
    __truediv__ = _direct("divide", Operators.__truediv__)
    __matmul__ = _direct("matmul", Operators.__matmul__)
    __lt__ = _direct("less", Operators.__lt__)
    __le__ = _direct("less_equal", Operators.__le__)
    __gt__ = _direct("greater", Operators.__gt__)
    __ge__ = _direct("greater_equal", Operators.__ge__)
    __eq__ = _direct("equal", Operators.__eq__)
    __ne__ = _direct("not_equal", Operators.__ne__)
    __hash__ = None  # type: ignore[assignment]  # `==` is elementwise

    # Elements.

    def __getitem__(self, key: Any, /) -> Any:
        return DIRECT["getitem"](self, key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        raise TypeError(
            "x[i] = v: arrays on TensorFlow cannot be changed; write x = ub.at(x)[i].set(v)"
        )

    def __delitem__(self, key: Any, /) -> None:
        raise TypeError("del x[i]: arrays cannot be changed; select what stays: x[keep]")

    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            raise TypeError("len(x): x has no axes; use x.size")
        return _known(shape[0], "len(x)")

    def __iter__(self) -> Iterator[Any]:
        shape = self.shape
        if not shape:
            raise TypeError("iteration over an array without axes; use x.item() for its number")
        count = _known(shape[0], "iteration")
        if count == 0:
            return iter(())  # in a graph the op without results is None
        return map(Array, tf.raw_ops.Unpack(value=self._tensor, num=count, axis=0))

    def __contains__(self, value: Any, /) -> bool:
        return bool((self == value).any())

    # Python's numbers.

    def _host(self, what: str) -> np.ndarray[Any, Any]:
        """Return the values, a view of TensorFlow's memory that cannot be written."""
        if not hasattr(self._tensor, "numpy"):
            raise concrete_needed(self, what)
        view = host_of(self._tensor)
        view.flags.writeable = False
        return view

    def _number(self, what: str) -> Any:
        if self.ndim:
            raise TypeError(
                f"{what}: only an array without axes is a number, and x has the shape "
                f"{self.shape}; take an element, or ub.squeeze"
            )
        return self._host(what)[()].item()

    def _kept(self, what: str) -> Any:
        """Return the array, refused where a gradient would lose what Python makes of it."""
        refuse_watched(self._tensor, what)
        return self

    def __bool__(self) -> bool:
        if (self.size if None not in self.shape else 1) != 1:
            raise ValueError(
                f"bool(x): the truth of an array of shape {self.shape} is ambiguous; use "
                f"ub.any(x), ub.all(x) or x.size"
            )
        return bool(self._host("bool(x)").reshape(()))

    def __int__(self) -> int:
        return int(self._number("int(x)"))

    def __float__(self) -> float:
        return float(self._kept("float(x)")._number("float(x)"))

    def __complex__(self) -> complex:
        return complex(self._kept("complex(x)")._number("complex(x)"))

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise TypeError(f"index: an array of dtype {self.dtype} is no integer")
        return operator.index(self._number("index"))

    def item(self, *args: int) -> Any:
        """Return one element as a Python number, the only one if no index is given."""
        return self._kept("item")._host("item").item(*args)

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers."""
        return self._kept("tolist")._host("tolist").tolist()

    # Text.

    def __repr__(self) -> str:
        if not hasattr(self._tensor, "numpy"):
            return f"Array(shape={self._tensor.shape}, dtype={self.dtype}, traced)"
        values = self._host("repr")
        text = np.array2string(values, separator=", ", prefix="Array(")
        sizes = f", shape={self.shape}" if 0 in self.shape and self.shape != (0,) else ""
        return f"Array({text}{sizes}, dtype={self.dtype})"

    def __str__(self) -> str:
        return str(self._host("str")) if hasattr(self._tensor, "numpy") else repr(self)

    def __format__(self, spec: str) -> str:
        if spec and self.ndim == 0:
            return format(self._number("format"), spec)
        if spec:
            raise TypeError(
                f"format: {spec!r} is for an array without axes, and x has the shape {self.shape}"
            )
        return str(self)

    # Other libraries.

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        refuse_watched(self._tensor, "NumPy conversion")
        values = self._host("NumPy conversion")
        if copy is False and dtype is not None and np.dtype(dtype) != values.dtype:
            raise ValueError(f"copy=False, but bringing {values.dtype} to {dtype} needs a copy")
        return values.astype(dtype or values.dtype, copy=bool(copy))

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        if dtype is not None and dtype != self._tensor.dtype:
            raise TypeError(
                f"an array of dtype {self.dtype} was given where TensorFlow needs {dtype.name}; "
                f"use ub.astype(x, {dtype.name!r})"
            )
        return self._tensor

    @property
    def _id(self) -> Any:
        """The name of the tensor on TensorFlow's tapes: an array can be a gradient's target."""
        return getattr(self._tensor, "_id", None)

    @property
    def numpy(self) -> Any:
        """Not provided, so that no code depends on TensorFlow: there is `ub.to_numpy`."""
        raise AttributeError("arrays here have no .numpy(); use ub.to_numpy(x)")

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, _, index = self.device.partition(":")
        if kind not in _DLPACK_KINDS:
            raise BufferError(f"__dlpack_device__: DLPack has no name for the device {kind!r}")
        return _DLPACK_KINDS[kind], int(index or 0)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Any = None,
        copy: bool | None = None,
    ) -> Any:
        self._require_values("__dlpack__")
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError(
                f"__dlpack__: dl_device={dl_device}, but the array is on {self.device}; move it "
                f"with ub.to_device"
            )
        tensor = tf.constant(np.array(self)) if copy else self._tensor
        return tf.experimental.dlpack.to_dlpack(tensor)

    def _require_values(self, what: str) -> None:
        if not hasattr(self._tensor, "numpy"):
            raise concrete_needed(self, what)

    # Copies. The pickle holds NumPy's data and a name, nothing of TensorFlow.

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce__(self) -> Any:
        values = self._host("pickle")
        if self.dtype.name == "bfloat16":  # NumPy's pickle would need ml_dtypes to be imported
            return _restore, (values.view(np.uint16), "bfloat16")
        return _restore, (values, values.dtype.name)


class Weak(Array):
    """A Python number inside a traced function: it takes the dtype of the array it meets."""

    __slots__ = ("limits",)

    weak_type = True  # as JAX calls it

    def __init__(self, tensor: Any, limits: tuple[int, int] | None = None) -> None:
        super().__init__(tensor)
        self.limits = limits  # what is known of an integer: see `unibackend.dtypes.limits`

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, list | tuple | str):  # Python would repeat it so often
            raise concrete_needed(self, "repetition")
        return super().__mul__(other)

    def __rmul__(self, other: Any) -> Any:
        return self * other


class Followed(Array):
    """An array that a gradient is taken by, while its function runs.

    A tape sees its own thread alone: what another computes would have no gradient, silently.
    """

    __slots__ = ("_hidden", "_thread")

    def __init__(self, tensor: Any) -> None:
        self._hidden = tensor
        self._thread: int | None = get_ident()

    @property
    def _tensor(self) -> Any:
        if self._thread not in (None, get_ident()):
            raise TracingError(
                "a value that a gradient is taken by was used in another thread, whose results "
                "have no gradient; compute with it in the thread that calls the function"
            )
        return self._hidden

    def release(self) -> None:
        """Let any thread use the array: the function is done."""
        self._thread = None


def refuse_watched(tensor: Any, what: str) -> None:
    """Refuse what NumPy or Python makes of a value with a gradient, which would lose it.

    Raises:
        TracingError: `ub.grad` or one of its relatives follows this tensor.
    """
    if differentiating.get() and is_watched([tensor]):
        raise TracingError(
            f"{what}: the array takes part in a gradient, and what NumPy or Python makes of it "
            f"would not; use the functions of ub, or ub.stop_gradient(x) for its values alone"
        )


def _unknown_rank(what: str) -> TracingError:
    return TracingError(
        f"{what}: the number of axes is unknown inside this tf.function; give its argument a shape "
        f"of a known length in input_signature, or set it with tf.ensure_shape"
    )


def _known(size: int | None, what: str) -> int:
    if size is None:
        raise TracingError(
            f"{what}: the length of the first axis is unknown inside this tf.function; give it in "
            f"input_signature"
        )
    return size


def _restore(values: np.ndarray[Any, Any], dtype: str) -> Any:
    """Return the array of a pickle; memory and device are put in force before it is made."""
    from .. import load

    if dtype == "bfloat16":
        values = values.view(tf.bfloat16.as_numpy_dtype)
    return load("tensorflow").from_host(values)


def tensor_of(x: Any) -> Any:
    """Return the tensor of one of our arrays, a native tensor or a variable, Keras's too."""
    if isinstance(x, Array):
        return x._tensor
    return x if isinstance(x, tf.Tensor) else tf.convert_to_tensor(x)
