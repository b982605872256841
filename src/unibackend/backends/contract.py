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

    def known(self, x: Any) -> np.ndarray[Any, Any] | None:
        """Return the values of an owned array, those of a constant of a trace too, else None."""
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

    def watch_nans(self, on: bool) -> None:
        """Make the framework's own operators refuse NaNs in this thread, as far as it can.

        What they raise is a `FloatingPointError`. Called with the state that is wanted.
        """
        ...

    def callback(self, function: Callable[..., None], arrays: list[Any], ordered: bool) -> None:
        """Call a function with NumPy's arrays of the values when the program gets to this point.

        Under `vmap` it is called for each example where an array depends on a mapped argument.
        `ordered` keeps such calls in their order where the framework could change it.
        """
        ...

    def vjp(
        self,
        function: Callable[[list[Any]], tuple[list[Any], Any]],
        leaves: list[Any],
        name: str,
    ) -> tuple[list[Any], Callable[[list[Any]], list[Any]], Any]:
        """Return outputs of a function of leaves, their pullback, and what comes along.

        `function` returns a list of arrays or numbers and anything. The pullback takes a
        cotangent for each output (anything for one that is no floating-point or complex number)
        and returns one for each leaf, zeros where nothing is connected, by JAX's rules for
        complex numbers. Leaves are floating-point or complex arrays or Python numbers.
        """
        ...

    def custom_vjp(
        self,
        primal: Callable[[list[Any]], list[Any]],
        forward: Callable[[list[Any]], tuple[list[Any], Any]],
        backward: Callable[[Any, list[Any]], list[Any]],
        leaves: list[Any],
        function: Callable[..., Any],
    ) -> list[Any]:
        """Return the outputs of a function whose derivative is given.

        `forward` returns outputs and a list of arrays to keep; `backward` takes these and a
        cotangent for each output (None or of no meaning for integers) and returns one for each
        leaf, or None for zeros. `function` is what the user gave: it tells one from another.
        """
        ...

    def stop_gradient(self, x: Any) -> Any:
        """Return an array with the same values, through which no gradient is taken."""
        ...

    def pad_rows(self, x: Any, size: int, zeros: bool = False) -> Any:
        """Return an array with copies of its last row, or zeros, added on axis 0 up to a size.

        `x` has values now, and fewer rows; zeros are added where it has none. Nothing is compiled
        where the backend can do without.
        """
        ...

    def first_rows(self, x: Any, count: int) -> Any:
        """Return the first rows of an array that has values now, compiling as little."""
        ...

    def part(self, x: Any, start: int, size: int, axis: int) -> Any:
        """Return so many elements of an array along an axis, from a start on.

        One of another start compiles nothing anew.
        """
        ...

    def output_shapes(
        self, function: Callable[[list[Any]], list[Any]], leaves: list[Any], sizes: list[int | None]
    ) -> list[tuple[int | None, ...]]:
        """Return the shapes of a function's outputs if its leaves had so many rows.

        `leaves` are arrays, whose values may be gone (donated); a size is at least that of its
        leaf, None the same. Nothing is computed where the backend can tell without. None in a
        shape is a size that it cannot tell.
        """
        ...

    def rehearse(self, function: Callable[[list[Any]], Any], leaves: list[Any], name: str) -> None:
        """Call a function with stand-ins of the leaves; it notes what it returns itself.

        Nothing that it computes is used. A backend without tracing calls it on the leaves, in
        `unibackend.transforms.steps.rehearsal`.
        """
        ...

    def switch(
        self,
        index: Any,
        branches: list[Callable[[list[Any]], list[Any]]],
        leaves: list[Any],
    ) -> list[Any]:
        """Return what the branch of a number returns, in a trace.

        `index` is an int32 array in range; the branches return lists of arrays that agree.
        """
        ...

    def while_loop(
        self,
        cond: Callable[[list[Any]], Any],
        body: Callable[[list[Any]], list[Any]],
        leaves: list[Any],
    ) -> list[Any]:
        """Return the last leaves, in a trace; the body returns arrays as it gets them."""
        ...

    def scan(
        self,
        body: Callable[[list[Any], list[Any]], tuple[list[Any], list[Any]]],
        init: list[Any],
        xs: list[Any],
        length: int,
        reverse: bool,
    ) -> tuple[list[Any], list[Any]]:
        """Return the last carry and the stacked outputs, in a trace; with a gradient.

        `body` takes a carry and an example of `xs` and returns the next carry and outputs.
        """
        ...

    def refuse_gradient(self, leaves: list[Any], message: str) -> list[Any]:
        """Return arrays by which a gradient in reverse is an UnsupportedError of this message.

        A backend whose loops refuse it by themselves, as they are asked, returns them unchanged.
        """
        ...


MEMBERS: tuple[str, ...] = tuple(name for name in vars(Backend) if not name.startswith("_"))
