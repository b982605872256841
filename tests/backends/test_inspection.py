"""`__array_namespace_info__`: what a namespace tells about itself is so."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

import unibackend as ub
from unibackend.errors import DtypeError, SettingsError


@pytest.mark.parametrize("x64", [True, False])
@pytest.mark.parametrize("name", ["numpy", "jax", "tensorflow"])
def test_arrays_are_as_is_told(name: str, x64: bool) -> None:
    xp = ub.namespace(name)
    with ub.use(name, x64=x64):
        info = xp.__array_namespace_info__()
        defaults = info.default_dtypes()
        assert defaults["real floating"] == xp.ones(1).dtype
        assert defaults["complex floating"] == xp.asarray(1j).dtype
        assert defaults["integral"] == xp.asarray(1).dtype
        assert defaults["indexing"] == xp.argmax(xp.ones(3)).dtype
        assert info.default_device() in info.devices()
        for device in info.devices():
            assert info.default_dtypes(device=device) == defaults
            for key, dtype in info.dtypes(device=device).items():
                x = xp.ones(2, dtype=dtype, device=device)
                assert (x.dtype, x.dtype.name, x.device) == (dtype, key, device)
                assert xp.asarray([1, 0], dtype=dtype, device=device).device == device
                assert xp.from_dlpack(x, device=device).device == device
        assert ("float64" in info.dtypes()) is x64
        assert info.capabilities()["boolean indexing"]
        assert xp.ones(3)[xp.asarray([True, False, True])].shape == (2,)


@pytest.mark.parametrize("name", ["numpy", "jax", "tensorflow"])
def test_there_are_no_more_axes_than_is_told(name: str) -> None:
    xp = ub.namespace(name)
    most = xp.__array_namespace_info__().capabilities()["max dimensions"]
    x = xp.ones((1,) * (most - 2) + (2, 3))
    out = xp.permute_dims(x + x, tuple(range(most))[::-1])
    assert out.shape == (3, 2) + (1,) * (most - 2)
    assert float(xp.sum(out, axis=(0, -1))[1, ...].reshape(())) == 6


KINDS: list[tuple[Any, list[str]]] = [
    ("bool", ["bool"]),
    ("signed integer", ["int8", "int16", "int32", "int64"]),
    ("unsigned integer", ["uint8", "uint16", "uint32", "uint64"]),
    ("real floating", ["float32", "float64"]),
    ("complex floating", ["complex64", "complex128"]),
    (("bool", "real floating"), ["bool", "float32", "float64"]),
    ((), []),
]


@pytest.mark.parametrize(("kind", "expected"), KINDS, ids=str)
def test_dtypes_of_a_kind(backend: str, kind: Any, expected: list[str]) -> None:
    assert list(ub.__array_namespace_info__().dtypes(kind=kind)) == expected


def test_shorthands_of_kinds(backend: str) -> None:
    dtypes = ub.__array_namespace_info__().dtypes
    parts = ("signed integer", "unsigned integer", "real floating", "complex floating")
    assert dtypes(kind="integral") == dtypes(kind=parts[:2])
    assert dtypes(kind="numeric") == dtypes(kind=parts)
    assert dtypes() == dtypes(kind=("bool", *parts))


def test_what_is_not_there(backend: str) -> None:
    info = ub.__array_namespace_info__()
    with pytest.raises(DtypeError, match="kind 'float' is not one of bool, signed integer"):
        info.dtypes(kind="float")
    for ask in (info.dtypes, info.default_dtypes):
        with pytest.raises(SettingsError, match="device='tpu:7'"):
            ask(device="tpu:7")


def test_the_frontend_tells_of_the_active_backend() -> None:
    assert ub.__array_api_version__ == ub.namespace("numpy").__array_api_version__ == "2025.12"
    for name in ("numpy", "jax", "tensorflow"):
        with ub.use(name):
            info = ub.__array_namespace_info__()
            assert name in repr(info)
            assert info.devices() == ub.devices()


def test_the_default_device_follows_the_setting() -> None:
    code = (
        "import unibackend as ub; ub.configure('jax', device='cpu:1');"
        "info = ub.__array_namespace_info__();"
        "print(info.default_device() == info.devices()[1] == ub.ones(2).device)"
    )
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    out = subprocess.check_output([sys.executable, "-c", code], env=os.environ | flags, text=True)
    assert out == "True\n"


@pytest.mark.parametrize("name", ["jax", "tensorflow"])
def test_it_can_be_asked_in_a_function_that_is_compiled(name: str) -> None:
    seen: list[Any] = []
    with ub.use(name):

        @ub.compile
        def f(x: Any) -> Any:
            info = ub.__array_namespace_info__()
            seen.extend([info.default_device(), info.default_dtypes()["integral"]])
            return x

        f(ub.ones(2))
        device, dtype = seen
        assert device is None or device in ub.devices()
        assert dtype == ub.asarray(1).dtype
