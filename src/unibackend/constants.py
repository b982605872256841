"""Constants: host data that go along with any backend and are converted once for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _dispatch, dtypes
from ._entry import HostArray, all_python, enter, refused
from ._operators import Operators
from .errors import DtypeError
from .settings import current

if TYPE_CHECKING:
    from .backends.contract import Backend
    from .typing import ArrayLike


class Constant(Operators):
    """Host data that every backend converts once: made by `constant`."""

    __slots__ = ("_converted", "_source", "value")

    def __init__(self, value: HostArray, source: Any) -> None:
        self.value: HostArray = value
        self._source = source  # the numbers as they were given: Python's are of the default type
        self._converted: dict[tuple[str, str, bool, str], Any] = {}

    def __unibackend_enter__(self, backend: Backend, device: Any = None) -> Any:
        settings = current()
        key = (backend.name, str(device or settings.device), settings.x64, settings.default_float)
        found = self._converted.get(key)
        if found is None:
            found = enter(
                backend, self._source, function="constant", device=device, copy=True, strong=True
            )
            if backend.is_concrete(found):  # a value of a trace must not outlive it
                self._converted[key] = found
        return found

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each axis."""
        shape: tuple[int, ...] = self.value.shape
        return shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.value.ndim

    @property
    def dtype(self) -> dtypes.Dtype:
        """The dtype of the host data; 64 bits enter a 32 bit world as 32."""
        dtype: dtypes.Dtype = self.value.dtype
        return dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> HostArray:
        return np.array(self.value, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, key: Any) -> Any:
        return self.__unibackend_enter__(_dispatch.active())[key]

    def __repr__(self) -> str:
        return f"ub.constant({self.value!r})"


_dispatch.register_host(Constant)


def constant(value: ArrayLike, dtype: Any = None) -> Any:
    """Return host data that go along with any backend, converted once for each.

    For tables at module level: nothing is started, and no backend is chosen, until it meets an
    array or is used in an operation.

    Args:
        value: a NumPy array, a number or a list of numbers; it is copied.
        dtype: a dtype by name or object, kept as it is; None keeps the value's own.

    Returns:
        An object that operations take like an array, with operators of its own.

    Raises:
        DtypeError: not numbers.

    Examples:
        >>> import unibackend as ub
        >>> TABLE = ub.constant([1.0, 2.0, 4.0])
        >>> with ub.use("numpy"):
        ...     ub.add(TABLE, 1)
        array([2., 3., 5.], dtype=float32)
    """
    owner = _dispatch.owner_of(value)
    if owner is not None:
        raise DtypeError(
            f"constant: value is a {owner.name} array; a constant holds host data, "
            f"give ub.to_numpy(value)"
        )
    if dtype == "bfloat16":
        dtype = dtypes.bfloat16
    try:
        array = np.array(value, dtype=dtype)
    except TypeError:
        raise DtypeError(
            f"constant: dtype={dtype!r} is not one of the dtypes here: {', '.join(dtypes.NAMES)}"
        ) from None
    if array.dtype.name not in dtypes.NAMES:
        raise refused(value, array, "constant: value")
    array.flags.writeable = False
    python = dtype is None and (type(value) in _dispatch.SCALARS or all_python(value))
    return Constant(array, array.tolist() if python else array)
