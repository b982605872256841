"""What `unibackend info` shows, gathered without importing or starting a framework."""

from __future__ import annotations

import os
import platform
import shutil
from importlib import metadata
from pathlib import Path
from typing import Any

from . import backends
from ._values import NAMES
from .settings import Settings, config_file, settings

PACKAGES = ("unibackend", "numpy", "jax", "jaxlib")
DRIVER = Path("/proc/driver/nvidia")
TENSORFLOW = ("tensorflow", "tensorflow-cpu", "tf-nightly")  # one module, several packages


def gather() -> dict[str, Any]:
    """Return versions, backends, devices, settings and warnings as a plain dictionary.

    Returns:
        The keys are ``versions`` (a text, or None where a package is not installed), ``backends``
        (installed and active, by name), ``devices`` (texts), ``settings`` (value and source, by
        name), ``config_file`` (a path or None) and ``warnings`` (texts).

    Raises:
        SettingsError: the environment or the file says something that is not allowed.

    Examples:
        >>> sorted(gather())
        ['backends', 'config_file', 'devices', 'settings', 'versions', 'warnings']
    """
    in_force = settings()
    nvidia = nvidia_cards()
    return {
        "versions": _versions(),
        "backends": {
            name: {"installed": backends.is_installed(name), "active": name == in_force.backend}
            for name in backends.names()
        },
        "devices": [f"CPU: {os.cpu_count()} cores", *nvidia, *_not_started()],
        "settings": _settings(in_force),
        "config_file": config_file(),
        "warnings": warnings(nvidia),
    }


def _versions() -> dict[str, str | None]:
    tensorflow = next((package for package in TENSORFLOW if version(package)), "tensorflow")
    packages = (*PACKAGES, tensorflow)
    return {"python": platform.python_version()} | {name: version(name) for name in packages}


def _settings(in_force: Settings) -> dict[str, dict[str, Any]]:
    return {
        name: {"value": getattr(in_force, name), "source": in_force.source(name)} for name in NAMES
    }


def version(package: str) -> str | None:
    """Return the version of an installed package, read from its metadata.

    Args:
        package: The name on the package index, which is not always the name to import.
    """
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def nvidia_cards() -> list[str]:
    """Return a text for each NVIDIA card that the driver shows, without touching any."""
    cards = sorted(DRIVER.glob("gpus/*/information"))
    models = [line for card in cards for line in card.read_text().splitlines() if "Model:" in line]
    if models:
        return [f"GPU: {line.partition(':')[2].strip()}" for line in models]
    driver = DRIVER.exists() or shutil.which("nvidia-smi") is not None
    return ["GPU: an NVIDIA driver is installed"] if driver else []


def _not_started() -> list[str]:
    frameworks = [name for name in backends.names() if name != "numpy"]
    return [f"{name}: not started" for name in frameworks if backends.is_installed(name)]


def warnings(nvidia: list[str]) -> list[str]:
    """Return what is installed in a way that its owner can hardly want.

    Args:
        nvidia: The NVIDIA cards of this machine.
    """
    if nvidia and version("jax") is not None and not _has_cuda_plugin():
        return [
            "an NVIDIA card is visible, but JAX is installed for the CPU only; "
            "install its CUDA plugin with: pip install 'jax[cuda13]' (or cuda12)"
        ]
    return []


def _has_cuda_plugin() -> bool:
    names = {distribution.name.replace("_", "-") for distribution in metadata.distributions()}
    return any(name.startswith("jax-cuda") and name.endswith("-plugin") for name in names)
