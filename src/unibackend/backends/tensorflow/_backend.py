"""TensorFlow as a backend: our array object around its tensors, this library's rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from ... import memory
from ...errors import SettingsError
from .. import tensorflow as _namespace
from . import _buckets, _compile, _control, _debug, _scan, _values, _vjp, _vmap
from ._sizes import host_of, values_of
from .array import Array, refuse_watched, tensor_of

if TYPE_CHECKING:
    from ...settings import Settings

name = "tensorflow"
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
scan = _scan.scan
refuse_gradient = _control.refuse_gradient
copies_host = True  # the raw ops keep an aligned NumPy buffer and read it later


def start(settings: Settings) -> None:
    """Put memory and device in force; TensorFlow starts with the first tensor."""
    memory.put_in_force(memory.parse(settings.memory), name, settings.device)
    kind, _, index = settings.device.partition(":")
    if kind == "auto" or settings.device == "cpu":
        return
    there = tf.config.list_physical_devices(kind.upper())
    if int(index or 0) >= len(there):
        raise SettingsError(
            f"device={settings.device!r} (from {settings.source('device')}): TensorFlow has no "
            f"such device; it has {len(there)} of the kind {kind!r}"
        )
    if kind == "gpu":
        tf.config.set_visible_devices(there[int(index or 0)], "GPU")


def owns(cls: type) -> bool:
    """Our array, TensorFlow's tensors (eager and in graphs), variables, and Keras's variables."""
    return issubclass(cls, (Array, tf.Tensor, tf.Variable)) or hasattr(cls, "__tf_tensor__")


def wrap(x: Any) -> Any:
    return x if isinstance(x, Array) else Array(tensor_of(x))


def native(x: Any) -> Any:
    return x._tensor if isinstance(x, Array) else x


def is_concrete(x: Any) -> bool:
    return hasattr(tensor_of(x), "numpy")


def known(x: Any) -> np.ndarray[Any, Any] | None:
    return values_of(tensor_of(x))


def from_host(array: np.ndarray[Any, Any], device: Any = None) -> Any:
    if device is None:
        return Array(tf.constant(array))
    with tf.device(find_device(device)):
        return Array(tf.constant(array))


def to_host(x: Any) -> np.ndarray[Any, Any]:
    refuse_watched(tensor_of(x), "to_numpy")
    return host_of(tensor_of(x))


def adopt(x: Any) -> Any:
    """Share memory by DLPack.

    TensorFlow ends the process for memory that is not aligned to 64 bytes, so it is looked at
    before (`Check failed: IsAligned()` in tf.experimental.dlpack, seen on 2.21).
    """
    if isinstance(x, np.ndarray) and not x.flags.writeable:
        raise BufferError("TensorFlow cannot share read-only memory of NumPy")
    if _on_cpu(x) and not _is_shareable(x):
        raise BufferError(
            "TensorFlow shares memory that is aligned to 64 bytes and contiguous only"
        )
    return Array(tf.experimental.dlpack.from_dlpack(x.__dlpack__()))


def _is_shareable(x: Any) -> bool:
    """Tell whether memory on the host is aligned, contiguous and not empty."""
    if hasattr(x, "unsafe_buffer_pointer"):  # JAX: contiguous always
        return bool(x.size > 0 and x.unsafe_buffer_pointer() % 64 == 0)
    view = x if isinstance(x, np.ndarray) else np.from_dlpack(x)
    return bool(view.size and view.flags.c_contiguous and view.ctypes.data % 64 == 0)


def _on_cpu(x: Any) -> bool:
    kind, _ = x.__dlpack_device__()
    return int(kind) == 1


def admit(implementation: Callable[..., Any], operands: int) -> Callable[..., Any]:
    return implementation


def devices() -> Sequence[Any]:
    return tuple(
        device.name.partition("device:")[2].lower() for device in tf.config.list_logical_devices()
    )


def device_of(x: Any) -> Any:
    """Return "cpu:0"; TensorFlow's own name is a path of four parts."""
    path = tensor_of(x).device
    return path.partition("device:")[2].lower() if path else "cpu:0"


def find_device(device: Any) -> str:
    """Return TensorFlow's name for "cpu", "gpu:1" or its own.

    Raises:
        SettingsError: there is no such device (TensorFlow itself would take another silently).
    """
    text = str(device).lower().rpartition("device:")[2]
    kind, _, index = text.partition(":")
    wanted = f"{kind}:{index or 0}"
    if wanted not in devices():
        known = ", ".join(devices())
        raise SettingsError(f"device={device!r}: TensorFlow has no such device; it has {known}")
    return wanted.upper()


def to_device(x: Any, device: Any) -> Any:
    target = find_device(device)
    if device_of(x) == target.lower():
        return wrap(x)
    with tf.device(target):
        return Array(tf.identity(tensor_of(x)))


def is_tracing() -> bool:
    return not tf.executing_eagerly()


def block_until_ready(x: Any) -> None:
    tensor = tensor_of(x)
    if hasattr(tensor, "numpy") and device_of(tensor) != "cpu:0":
        tf.test.experimental.sync_devices()
