"""What a backend must provide: one Protocol, satisfied by a module or an object.

A backend is a folder of plain functions under the array API standard's names (its `namespace`)
and one object with the members below. Everything that all backends share stands outside:
settings, owners, width and copies, promotion, argument rules of the transformations, errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from ..settings import Settings
    from ..transforms.cache import Cache
    from ..transforms.signature import Spec


class Backend(Protocol):
    """The contract. Arrays are `Any` here: each backend knows its own."""

    @property
    def name(self) -> str:
        """The name that settings, errors and reports use."""
        ...

    @property
    def namespace(self) -> Any:
        """The module of operations, under the names and signatures of `unibackend.ops`."""
        ...

    @property
    def copies_host(self) -> bool:
        """Whether host data must be copied before `from_host` may have them.

        True where the framework may read the buffer after a call has returned.
        """
        ...

    def start(self, settings: Settings) -> None:
        """Put in force what must be set before the framework starts; called once."""
        ...

    def owns(self, cls: type) -> bool:
        """Tell whether arrays (or tracers) of this class belong to this backend."""
        ...

    def wrap(self, x: Any) -> Any:
        """Return an owned value, native ones included, as the array that users get."""
        ...

    def native(self, x: Any) -> Any:
        """Return the framework's own array behind one of this backend's arrays."""
        ...

    def is_concrete(self, x: Any) -> bool:
        """Tell whether an owned array has values now: False for tracers and graph tensors."""
        ...

    def from_host(self, array: np.ndarray[Any, Any], device: Any = None) -> Any:
        """Return an array with these values; the buffer is private and may be kept.

        The width is right already. `device` is None for the active one.
        """
        ...

    def to_host(self, x: Any) -> np.ndarray[Any, Any]:
        """Return the values as NumPy's array, without a copy where that is safe."""
        ...

    def adopt(self, x: Any) -> Any:
        """Return a concrete array of another framework without a copy, through DLPack.

        The result is on the active device and uncommitted. Raises BufferError where the memory
        cannot be shared; the caller then copies through the host.
        """
        ...

    def admit(self, implementation: Callable[..., Any], operands: int) -> Callable[..., Any]:
        """Return the function that dispatch calls when all operands are this backend's.

        A backend that must look at each operand first does it here, once for all operations.
        """
        ...

    def devices(self) -> Sequence[Any]:
        """Return the devices; this may start the framework."""
        ...

    def device_of(self, x: Any) -> Any:
        """Return the device that holds an array."""
        ...

    def to_device(self, x: Any, device: Any) -> Any:
        """Return the array on a device, given as an object of the framework or as 'cpu:0'."""
        ...

    def block_until_ready(self, x: Any) -> None:
        """Return when the value of an array has been computed."""
        ...

    def is_tracing(self) -> bool:
        """Tell whether a function of this framework is being traced in this thread."""
        ...

    def compile(self, spec: Spec) -> Cache:
        """Return the cached traces of a function; calling it runs it compiled."""
        ...

    def vmap(
        self,
        function: Callable[[list[Any]], Any],
        leaves: list[Any],
        axes: list[int | None],
        size: int,
        out_axes: Any,
        fallback: str | None,
    ) -> Any:
        """Return the outputs of a function of leaves, mapped, with the axis as `out_axes` wants.

        `leaves` are arrays of this backend, or Python numbers, each mapped along its axis (counted
        from the front) or whole where that is None; `function` takes a list of examples and
        returns a pytree. `out_axes` is a prefix of that, as in `unibackend.transforms.axes`.
        """
        ...


MEMBERS: tuple[str, ...] = tuple(name for name in vars(Backend) if not name.startswith("_"))
