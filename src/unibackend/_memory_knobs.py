"""What a memory policy is called in each framework, and what contradicts it there.

The two functions `jax` and `tensorflow` look at everything first and return what is to be done,
so that an error leaves all as it was.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from .backends import is_installed
from .errors import MemoryPolicyError, SettingsError, UnsupportedError
from .settings import Settings, current

if TYPE_CHECKING:
    from .memory import Policy

Action: TypeAlias = Callable[[], object]

MIB = 2**20


def _asked(policy: Policy, device: str, asking: Settings) -> str:
    name = "device" if policy.kind == "default" else "memory"
    value = device if name == "device" else str(policy)
    return f"{name}={value!r} (from: {asking.source(name)})"


def too_late(
    framework: str,
    policy: Policy,
    device: str,
    asking: Settings,
    held: tuple[Policy, str] | None = None,
) -> MemoryPolicyError:
    """Return the error that a framework has started, with the policy and device that it holds."""
    having = "" if held is None else f" with memory={str(held[0])!r} and device={held[1]!r}"
    return MemoryPolicyError(
        f"{_asked(policy, device, asking)} comes too late: the device of {framework} has already "
        f"started{having}, and keeps that until the process ends. Move the setting above the "
        f"first operation on {framework}, and restart the process (in a notebook, the kernel)"
    )


def _contradicted(policy: Policy, device: str, said: str) -> MemoryPolicyError:
    return MemoryPolicyError(
        f"{_asked(policy, device, current())} contradicts {said}; remove one of the two"
    )


def _gpu_bytes() -> int | None:
    """Return the memory of each GPU, the smallest; 0 without a GPU, None if it is not known."""
    if not any(map(os.path.exists, ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg"))):
        return 0
    import subprocess  # only where there is a GPU

    command = ["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
        sizes = [int(line) * MIB for line in told.stdout.split("\n") if line]
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if "MIG" in os.environ.get("CUDA_VISIBLE_DEVICES", ""):
        return None  # a slice, of which nvidia-smi tells the whole
    return min(sizes, default=None)


def _known(total: int | None, policy: Policy, framework: str, remedy: str) -> int:
    """Return the size of the GPU's memory, or say that it is not known, or too small."""
    if not total:
        raise UnsupportedError(
            f"memory={str(policy)!r} on {framework} needs the size of the GPU's memory, which "
            f"nvidia-smi does not tell here; use a policy like {remedy!r}"
        )
    if policy.limit is not None and policy.limit > total:
        raise SettingsError(
            f"memory={str(policy)!r} (from: {current().source('memory')}) is more than the "
            f"{total // MIB}MiB of the GPU; use a smaller limit"
        )
    return total


# ---- JAX: environment variables that it reads when its device starts ---------------------------

_PREALLOCATE = "XLA_PYTHON_CLIENT_PREALLOCATE"
_FRACTION, _OLD_FRACTION = "XLA_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_MEM_FRACTION"
_ALLOCATOR = "XLA_PYTHON_CLIENT_ALLOCATOR"


def jax(policy: Policy, device: str) -> list[Action]:
    """Return what puts a policy in force for JAX, having checked that it can be."""
    module = sys.modules.get("jax")
    on_cpu = device.startswith("cpu") or policy.owner == "tensorflow"
    if not on_cpu and policy.kind in ("default", "only"):
        return []
    if module is not None and _jax_is_live(module):
        if on_cpu and module.default_backend() == "cpu":
            return []
        raise too_late("jax", policy, device, current())
    if on_cpu:
        return _jax_on_cpu(module, policy, device)
    share = policy.share("jax")
    if policy.limit is not None:
        total = _gpu_bytes()
        if total == 0:
            return []
        share = policy.limit / _known(total, policy, "jax", "fraction:0.4")
    preallocate = policy.kind == "preallocate"
    _check_jax_environment(module, policy, device, preallocate, share)
    wanted = {_PREALLOCATE: str(preallocate).lower()}
    if share is not None and not os.environ.get(_OLD_FRACTION):
        wanted[_FRACTION] = repr(share)
    return [
        partial(os.environ.__setitem__, name, text)
        for name, text in wanted.items()
        if not os.environ.get(name)  # what is there says the same
    ]


def _check_jax_environment(
    jax: Any, policy: Policy, device: str, preallocate: bool, share: float | None
) -> None:
    said = {
        name: os.environ[name]
        for name in (_PREALLOCATE, _FRACTION, _OLD_FRACTION, _ALLOCATOR)
        if os.environ.get(name)
    }
    wrong = []
    # JAX takes exactly these three texts for "off".
    if _PREALLOCATE in said and (said[_PREALLOCATE] in ("false", "False", "0")) == preallocate:
        wrong.append(_PREALLOCATE)
    if _FRACTION in said and _OLD_FRACTION in said:  # JAX would log an error and run on the CPU
        wrong += [_FRACTION, _OLD_FRACTION]
    elif share is not None:
        wrong += [n for n in (_FRACTION, _OLD_FRACTION) if n in said and not _is(said[n], share)]
    if policy.kind != "grow" and said.get(_ALLOCATOR) in ("platform", "address"):
        wrong.append(_ALLOCATOR)  # they know neither pool nor bound
    if wrong:
        listed = " and ".join(f"{name}={said[name]}" for name in wrong)
        raise _contradicted(policy, device, f"the environment variable {listed}")
    name = "jax_pjrt_client_create_options"
    options = os.environ.get(name.upper()) if jax is None else getattr(jax.config, name, None)
    if options and any(key in options for key in ("memory_fraction", "preallocate", "allocator")):
        raise _contradicted(policy, device, f"JAX's option {name}={options!r}")


def _is(text: str, share: float) -> bool:
    try:
        return float(text) == share
    except ValueError:
        return False


def _jax_on_cpu(jax: Any, policy: Policy, device: str) -> list[Action]:
    said = os.environ.get("JAX_PLATFORMS") if jax is None else jax.config.jax_platforms
    if said and "cpu" not in said.split(","):
        raise _contradicted(policy, device, f"JAX_PLATFORMS={said}")
    if jax is None:
        return [partial(os.environ.__setitem__, "JAX_PLATFORMS", "cpu")]
    return [partial(jax.config.update, "jax_platforms", "cpu")]


def _jax_is_live(jax: Any) -> bool:
    name = "jax_num_cpu_devices"  # the public option that JAX refuses to change once it is live
    value = getattr(jax.config, name)
    try:
        jax.config.update(name, value + 1)
    except RuntimeError:
        return True
    jax.config.update(name, value)
    return False


# ---- TensorFlow: its configuration, and one environment variable -------------------------------

_GROWTH = "TF_FORCE_GPU_ALLOW_GROWTH"


def tensorflow(policy: Policy, device: str) -> list[Action]:
    """Return what puts a policy in force for TensorFlow, having checked that it can be."""
    if "tensorflow" not in sys.modules and (_gpu_bytes() == 0 or not is_installed("tensorflow")):
        return []
    import tensorflow as tf  # imported already, or a policy about both frameworks on a GPU

    hide = device.startswith("cpu") or policy.owner == "jax"
    gpus = tf.config.get_visible_devices("GPU")
    settled = not gpus if hide else policy.kind in ("default", "only")
    if not settled and _tensorflow_is_live(tf):
        raise too_late("tensorflow", policy, device, current())
    if settled or not gpus:
        return []
    if hide:
        return [partial(tf.config.set_visible_devices, [], "GPU")]
    _check_tensorflow(tf, gpus, policy, device)
    if policy.kind == "grow":
        return [partial(tf.config.experimental.set_memory_growth, gpu, True) for gpu in gpus]
    bound = policy.limit
    share = policy.share("tensorflow")
    if share is not None:
        bound = int(_known(_gpu_bytes(), policy, "tensorflow", "limit:8GiB") * share)
    if bound is None:  # preallocate, which is TensorFlow's default
        return []
    configuration = tf.config.LogicalDeviceConfiguration(memory_limit=bound // MIB)
    actions: list[Action] = [
        partial(tf.config.set_logical_device_configuration, gpu, [configuration]) for gpu in gpus
    ]
    if policy.kind != "preallocate":  # the variable makes a bounded pool grow: there is no call
        actions.append(partial(os.environ.__setitem__, _GROWTH, "true"))
    return actions


def _check_tensorflow(tf: Any, gpus: list[Any], policy: Policy, device: str) -> None:
    said = os.environ.get(_GROWTH)
    if said == ("true" if policy.kind == "preallocate" else "false"):
        raise _contradicted(policy, device, f"the environment variable {_GROWTH}={said}")
    for gpu in gpus:
        if tf.config.get_logical_device_configuration(gpu):
            raise _contradicted(policy, device, f"the logical devices that {gpu.name} already has")
        if policy.kind == "preallocate" and tf.config.experimental.get_memory_growth(gpu):
            raise _contradicted(policy, device, f"set_memory_growth({gpu.name}, True)")


def _tensorflow_is_live(tf: Any) -> bool:
    threading = tf.config.threading  # a public setting that TensorFlow refuses to change once live
    value = threading.get_inter_op_parallelism_threads()
    try:
        threading.set_inter_op_parallelism_threads(value + 1)
    except RuntimeError:
        return True
    threading.set_inter_op_parallelism_threads(value)
    return False
