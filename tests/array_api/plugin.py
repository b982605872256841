"""What is added to the suite's own pytest: known failures are strict, others are failures.

An entry that passes now fails the run, unless its reason says that it is flaky. One that no test
has, of the files that were collected, ends it before the first test.
"""

from __future__ import annotations

from pathlib import Path

import hypothesis
import pytest

from .known import Known, read


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--known", type=Path, required=True, help="the file of known failures")


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Let slow machines be slow, which is no failure of a namespace: first calls compile."""
    slow = [hypothesis.HealthCheck.too_slow]
    chosen = hypothesis.settings(suppress_health_check=slow)  # the rest as the suite has set it
    hypothesis.settings.register_profile("patient", chosen)
    hypothesis.settings.load_profile("patient")


@pytest.hookimpl(tryfirst=True)  # before `-k` takes tests away
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    known = read(config.option.known)
    found: set[Known] = set()
    for item in items:
        entry = next((entry for entry in known if entry.covers(item.nodeid)), None)
        if entry is not None:
            found.add(entry)
            item.add_marker(pytest.mark.xfail(reason=entry.reason, strict=not entry.flaky))
    if any("::" in argument for argument in config.args):
        return  # one test was asked for, and the others of its file are not known
    files = {item.nodeid.partition("::")[0] for item in items}
    stale = [entry.test for entry in known if entry.file in files and entry not in found]
    if stale:
        raise pytest.UsageError(f"{config.option.known}: no test is called {', '.join(stale)}")
