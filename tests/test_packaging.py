"""What a user installs: one version, extras that exist, a wheel with everything in it."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import unibackend

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]


def test_the_version_stands_in_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert metadata.version("unibackend") == unibackend.__version__


def test_the_designed_extras_exist() -> None:
    designed = {"jax", "tensorflow", "tensorflow-cpu", "all", "all-cpu"}
    assert designed | {"testing", "demo", "docs", "dev"} == set(EXTRAS)


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_requirement_of_an_extra_resolves(extra: str) -> None:
    for requirement in map(Requirement, EXTRAS[extra]):
        if requirement.name == "unibackend":
            assert requirement.extras <= set(EXTRAS)
        else:
            assert requirement.specifier, f"{requirement} has no lower bound"


def test_the_commands_of_the_pages_name_extras_that_exist() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    named = re.findall(r"(?:unibackend|\.)\[([a-z,-]+)\]", "\n".join(p.read_text() for p in pages))
    assert named
    assert {extra for group in named for extra in group.split(",")} <= set(EXTRAS)


def test_the_command_is_installed() -> None:
    (command,) = (
        point
        for point in metadata.entry_points(group="console_scripts")
        if point.name == "unibackend"
    )
    from unibackend import cli

    assert command.load() is cli.main


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("hatchling") is None and "CI" not in os.environ:
        pytest.skip("hatchling, which builds the wheel, is not installed (extra dev)")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if "dist-info" not in name}
    package = ROOT / "src"
    source = {
        path.relative_to(package).as_posix()
        for path in (package / "unibackend").rglob("*")
        if path.suffix in (".py", ".typed")
    }
    examples = {f"unibackend/examples/{path.name}" for path in (ROOT / "examples").glob("*.py")}
    assert inside == source | examples
    assert "unibackend/py.typed" in inside
    assert "unibackend/examples/digits.py" in inside


def test_the_wheel_carries_version_licence_and_command(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    info = f"unibackend-{unibackend.__version__}.dist-info"
    assert f"Version: {unibackend.__version__}\n" in archive.read(f"{info}/METADATA").decode()
    assert "unibackend = unibackend.cli:main" in archive.read(f"{info}/entry_points.txt").decode()
    assert f"{info}/licenses/LICENSE" in archive.namelist()


def test_the_demo_finds_its_program_in_the_wheel(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
        "from unibackend import _demo; print(_demo.load_program().__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == str(tmp_path / "unibackend" / "examples" / "digits.py"), (
        done.stderr
    )
