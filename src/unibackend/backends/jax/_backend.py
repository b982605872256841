"""JAX as a backend: its own arrays, its own `jit` and `vmap`, this library's entry rules."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.core import Tracer
from jax.extend.core import get_opaque_trace_state

from ... import _dispatch, memory, tree
from ...errors import SettingsError
from ...settings import on_change
from .. import jax as _namespace
from . import _buckets, _compile, _control, _debug, _values, _vjp, _vmap, x64
from ._gone import refuse_gone
from ._program import PROGRAMS, program
from .promotion import check_width

if TYPE_CHECKING:
    from ...settings import Settings

name = "jax"
namespace: Any = _namespace
compile = _compile.compile
callback = _debug.callback
watch_nans = _debug.watch_nans
origins = _values.origins
vmap = _vmap.vmap
pad_rows = _buckets.pad_rows
first_rows = _buckets.first_rows
part = _buckets.part
output_shapes = _buckets.output_shapes
vjp = _vjp.vjp
custom_vjp = _vjp.custom_vjp
stop_gradient = _vjp.stop_gradient
rehearse = _control.rehearse
switch = _control.switch
while_loop = _control.while_loop
scan = _control.scan
refuse_gradient = _control.refuse_gradient
copies_host = True  # the CPU client reads a NumPy buffer after the call has returned


def start(settings: Settings) -> None:
    """Put memory, device and width in force; JAX starts its device with the first array."""
    memory.put_in_force(memory.parse(settings.memory), name, settings.device)
    x64.follow(settings)
    if settings.device not in ("auto", "cpu"):
        try:
            device = find_device(settings.device)
        except SettingsError as error:
            raise SettingsError(f"{error} (from {settings.source('device')})") from None
        jax.config.update("jax_default_device", device)  # type: ignore[no-untyped-call]
    on_change.append(x64.on_change)
    for cls in tree.registered:
        _register(cls)
    tree.on_register.append(_register)


def _register(cls: type) -> None:
    flatten, unflatten = tree.registered[cls]
    jax.tree_util.register_pytree_node(cls, flatten, unflatten)


def owns(cls: type) -> bool:
    """JAX's arrays and tracers: a tracer's class is no subclass of `jax.Array` since 0.8.2."""
    return issubclass(cls, (jax.Array, Tracer))


def wrap(x: Any) -> Any:
    return x


def native(x: Any) -> Any:
    return x


def is_concrete(x: Any) -> bool:
    return not isinstance(x, Tracer)


def known(x: Any) -> np.ndarray[Any, Any] | None:
    return None if isinstance(x, Tracer) else np.asarray(x)


def from_host(array: np.ndarray[Any, Any], device: Any = None) -> Any:
    """Return an uncommitted array, or one committed to the device that was asked for."""
    x64.check("asarray")
    target = None if device is None else find_device(device)
    # The buffer is private, so that JAX may keep it; `jnp.asarray` compiles once a shape.
    x = jax.device_put(array, target)
    if isinstance(x, Tracer):  # in a trace; nobody could look at the constant's values
        with jax.ensure_compile_time_eval():
            return jax.device_put(array, target)
    return x


def to_host(x: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(x)
    except RuntimeError as error:
        refuse_gone("to_numpy", error)
        raise


def adopt(x: Any) -> Any:
    """Share memory without a copy.

    On the CPU by way of NumPy's view: an array from `jnp.from_dlpack` is committed to its device
    and would pull every computation that it meets there. `device_put` keeps an aligned buffer.
    """
    if not _on_cpu(x) or jax.default_backend() != "cpu":
        return jax.numpy.from_dlpack(x)
    view = x if isinstance(x, np.ndarray) else _view(x)
    if view.ctypes.data % 64 or not view.flags.c_contiguous:
        raise BufferError("JAX shares memory that is aligned to 64 bytes and contiguous only")
    return jax.device_put(view)


def _view(x: Any) -> np.ndarray[Any, Any]:
    """Return NumPy's view of memory on the host; NumPy's own DLPack knows no bfloat16."""
    try:
        return np.from_dlpack(x)
    except RuntimeError:
        return np.asarray(x)


def _on_cpu(x: Any) -> bool:
    kind, _ = x.__dlpack_device__()
    return int(kind) == 1


def admit(implementation: Callable[..., Any], operands: int) -> Callable[..., Any]:
    """Return the function with a look at the width of each operand, if it has none yet.

    What can be is one compiled program; not what somebody watches, who looks at values.
    """
    if getattr(implementation, "checks_width", False):
        return implementation
    if _dispatch.watch is not None or implementation.__name__ not in PROGRAMS:
        return _checked(implementation, operands)
    return _program(implementation, operands)


@cache
def _program(implementation: Callable[..., Any], operands: int) -> Callable[..., Any]:
    return program(implementation, _checked(implementation, operands), operands)


def _checked(implementation: Callable[..., Any], operands: int) -> Callable[..., Any]:
    @functools.wraps(implementation)
    def checked(*args: Any, **kwargs: Any) -> Any:
        first = args[0] if args else None
        check_width(
            implementation.__name__, *(first if isinstance(first, list) else args[:operands])
        )
        try:
            return implementation(*args, **kwargs)
        except (TypeError, RuntimeError) as error:
            refuse_gone(implementation.__name__, error)
            raise

    return checked


def devices() -> Sequence[Any]:
    return jax.devices()


def device_of(x: Any) -> Any:
    return x.device


def find_device(device: Any) -> Any:
    """Return JAX's device (or sharding) for "cpu", "gpu:1" or an object of JAX.

    Raises:
        SettingsError: there is no such device.
    """
    if isinstance(device, jax.Device | jax.sharding.Sharding):
        return device
    if not isinstance(device, str):
        raise SettingsError(
            f"device={device!r} is neither a text, as 'cpu:0', nor a device or sharding of JAX"
        )
    platform, _, index = device.partition(":")
    try:
        return jax.devices(platform)[int(index or 0)]
    except (RuntimeError, ValueError, IndexError):
        known = ", ".join(f"{d.platform}:{d.id}" for d in jax.devices())
        raise SettingsError(f"device={device!r}: JAX has no such device; it has {known}") from None


def to_device(x: Any, device: Any) -> Any:
    return jax.device_put(x, find_device(device))


_trace_state: Callable[[], Any] = get_opaque_trace_state


@cache
def _clean() -> Any:
    """Return the state of a thread that traces nothing: that of a new one."""
    states: list[Any] = []
    thread = threading.Thread(target=lambda: states.append(_trace_state()))
    thread.start()
    thread.join()
    return states[0]


def is_tracing() -> bool:
    return bool(_trace_state() != _clean())


def block_until_ready(x: Any) -> None:
    if is_concrete(x):
        x.block_until_ready()
        jax.effects_barrier()  # type: ignore[no-untyped-call]  # what the program prints is printed


def is_container(x: Any) -> bool:
    """Tell whether JAX's own registry of trees knows a value as a container."""
    return not jax.tree_util.all_leaves([x])
