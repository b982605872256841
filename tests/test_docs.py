"""What is written runs: the README, the pages under docs/, and the examples of every docstring."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import unibackend as ub

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "unibackend"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_PYTHON = [page for page in PAGES if "```python\n" in page.read_text(encoding="utf-8")]
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if path.stem not in ("__init__", "__main__")
)
PACKAGES = sorted(
    ".".join(path.parent.relative_to(PACKAGE.parent).parts) for path in PACKAGE.rglob("__init__.py")
)


def python_of(page: str) -> str:
    """Return the page's Python blocks, each line where it stands in the page."""
    inside = False
    kept = []
    for line in page.splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            line = ""  # noqa: PLW2901
        kept.append(line if inside else "")
    return "\n".join(kept)


def run(program: str, name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, as somebody would who pasted it."""
    file = folder / f"{name}.py"
    file.write_text(program, encoding="utf-8")
    variables = {name: text for name, text in os.environ.items() if "UNIBACKEND" not in name}
    return subprocess.run(
        [sys.executable, str(file)],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda path: path.name)
def test_the_blocks_of_a_page_run(page: Path, tmp_path: Path) -> None:
    done = run(python_of(page.read_text(encoding="utf-8")), page.stem, tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_block_that_fails_is_noticed_at_its_line(tmp_path: Path) -> None:
    page = "text\n```python\nx = 1\n```\n```sh\nls\n```\n```python\nassert x == 2\n```\n"
    done = run(python_of(page), "page", tmp_path)
    assert done.returncode == 1
    assert "line 9" in done.stderr


def test_the_pages_with_examples_have_them() -> None:
    named = {page.name for page in WITH_PYTHON}
    assert {"README.md", "index.md", "settings.md", "semantics.md"} <= named


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", [*PACKAGES, *MODULES])
def test_the_examples_of_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    with ub.use("numpy"):  # the examples show NumPy's arrays
        result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_the_readme_tells_what_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("unibackend demo", "pytest"):
        assert re.search(rf"&& {command}$", readme, re.MULTILINE)
        assert re.search(rf"^{command}$", script, re.MULTILINE)
