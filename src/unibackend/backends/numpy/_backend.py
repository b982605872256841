"""NumPy as a backend: the reference, eager, on the host. Its arrays are host data to all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import SettingsError
from .. import numpy as _namespace
from . import _buckets, _compile, _control, _debug, _vjp, _vmap

if TYPE_CHECKING:
    from ...settings import Settings

name = "numpy"
namespace: Any = _namespace
compile = _compile.compile
callback = _debug.callback
watch_nans = _debug.watch_nans
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
copies_host = False  # calls are done when they return, and `asarray` returns the same array


def start(settings: Settings) -> None:
    """NumPy has nothing to start; a device other than the CPU is refused."""
    if settings.device.partition(":")[0] not in ("auto", "cpu"):
        raise SettingsError(
            f"device={settings.device!r} (from {settings.source('device')}): the backend 'numpy' "
            f"has the device 'cpu' only"
        )


def owns(cls: type) -> bool:
    """NumPy's arrays are host data on every backend, this one included."""
    return False


def wrap(x: Any) -> Any:
    return x


def native(x: Any) -> Any:
    return x


def is_concrete(x: Any) -> bool:
    return True


def known(x: Any) -> np.ndarray[Any, Any]:
    return np.asarray(x)


def from_host(array: np.ndarray[Any, Any], device: Any = None) -> Any:
    return array if device is None else to_device(array, device)


def to_host(x: Any) -> np.ndarray[Any, Any]:
    return np.asarray(x)


def adopt(x: Any) -> Any:
    return np.from_dlpack(x)


def admit(implementation: Callable[..., Any], operands: int) -> Callable[..., Any]:
    return implementation


def devices() -> Sequence[Any]:
    return ("cpu",)


def device_of(x: Any) -> Any:
    return "cpu"


def to_device(x: Any, device: Any) -> Any:
    if not isinstance(device, str) or device not in ("cpu", "cpu:0"):
        raise SettingsError(f"device={device!r}: the backend 'numpy' has 'cpu' only")
    return x


def is_tracing() -> bool:
    return False


def block_until_ready(x: Any) -> None:
    """NumPy's values are there when a call returns."""
