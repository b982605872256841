"""What a namespace tells about itself: the standard's `__array_namespace_info__`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _dispatch, backends, dtypes
from .._entry import enter
from ..settings import current

__array_api_version__ = "2025.12"

# The dtypes that the standard knows; float16 and bfloat16 are ours in addition.
_STANDARD = tuple(name for name in dtypes.NAMES if name not in ("float16", "bfloat16"))

# Arrays of more axes than these cannot be made (NumPy, and JAX's way to it), or are not promised.
_MAX_DIMENSIONS = {"numpy": 64, "jax": 64, "tensorflow": 12}


class Info:
    """What the standard lets a program ask of a namespace; the answers follow the settings."""

    def __init__(self, name: str | None) -> None:
        self._name = name

    def _backend(self) -> Any:
        return _dispatch.active() if self._name is None else backends.load(self._name)

    def __repr__(self) -> str:
        return f"<array API {__array_api_version__} on {self._backend().name!r}>"

    def capabilities(self) -> dict[str, bool | int | None]:
        """Return whether masks and results of unknown shape are there, and the most axes.

        Returns:
            The standard's keys: "boolean indexing", "data-dependent shapes" (both outside
            compiled and mapped functions only) and "max dimensions".

        Examples:
            >>> import unibackend as ub
            >>> ub.namespace("numpy").__array_namespace_info__().capabilities()["max dimensions"]
            64
        """
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": _MAX_DIMENSIONS.get(self._backend().name),
        }

    def default_device(self) -> Any:
        """Return the device of new arrays; None in TensorFlow's graphs, which place them later.

        Examples:
            >>> import unibackend as ub
            >>> ub.namespace("numpy").__array_namespace_info__().default_device()
            'cpu'
        """
        backend = self._backend()
        x = enter(backend, np.zeros((), np.bool_))
        return backend.device_of(x) if backend.is_concrete(x) else None

    def default_dtypes(self, *, device: Any = None) -> dict[str, dtypes.Dtype]:
        """Return the dtypes of numbers that say none, by the settings `x64` and `default_float`.

        Args:
            device: the device that is meant; all have the same.

        Returns:
            A dtype for "real floating", "complex floating", "integral" and "indexing".

        Raises:
            SettingsError: there is no such device.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy", x64=True):
            ...     ub.__array_namespace_info__().default_dtypes()["integral"]
            dtype('int64')
        """
        self._check(device)
        return {
            "real floating": dtypes.default(float),
            "complex floating": dtypes.default(complex),
            "integral": dtypes.default(int),
            "indexing": dtypes.default(int),
        }

    def dtypes(
        self, *, device: Any = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, dtypes.Dtype]:
        """Return the standard's dtypes that there are: with `x64` off no wide ones.

        Args:
            device: the device that is meant; all have the same.
            kind: one of the kinds of `ub.isdtype`, or a tuple of them; None is all.

        Returns:
            Dtypes by their names.

        Raises:
            DtypeError: `kind` is not one of the standard's.
            SettingsError: there is no such device.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use("numpy", x64=False):
            ...     list(ub.__array_namespace_info__().dtypes(kind="signed integer"))
            ['int8', 'int16', 'int32']
        """
        self._check(device)
        wide = current().x64
        known = {name: np.dtype(name) for name in _STANDARD}
        return {
            name: dtype
            for name, dtype in known.items()
            if (wide or dtype not in dtypes.NARROW)
            and (kind is None or dtypes.is_dtype_kind(dtype, kind))
        }

    def devices(self) -> tuple[Any, ...]:
        """Return the devices that arrays can be on, as `device=` takes them.

        Examples:
            >>> import unibackend as ub
            >>> ub.namespace("numpy").__array_namespace_info__().devices()
            ('cpu',)
        """
        return tuple(self._backend().devices())

    def _check(self, device: Any) -> None:
        if device is not None:
            self._backend().namespace.empty(0, dtype=dtypes.bool_, device=device)


def info_of(name: str | None) -> Callable[[], Info]:
    """Return `__array_namespace_info__` of a backend, or of whichever is active."""
    info = Info(name)

    def __array_namespace_info__() -> Info:  # noqa: N807  # the standard's name
        """Return what tells about this namespace: capabilities, dtypes, devices, defaults.

        Examples:
            >>> import unibackend as ub
            >>> ub.namespace("numpy").__array_namespace_info__().capabilities()["boolean indexing"]
            True
        """
        return info

    return __array_namespace_info__
