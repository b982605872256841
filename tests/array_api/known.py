"""The tests of the public suite that are known to fail, and why: `xfails/<backend>.txt`.

A file is groups of lines, an empty line between two. A group is its reason, in lines that begin
with ``#``, then ids as the suite's own ``--xfails-file`` takes them: of a test, of a test without
its parameters, of a file. Where the reason begins with "Flaky:", the tests may pass: not every run
draws the values that they fail for. A group without ids is a heading.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "xfails"


@dataclass(frozen=True)
class Known:
    """One line of a file: what fails, and why."""

    test: str
    reason: str

    @property
    def flaky(self) -> bool:
        """Whether the test may pass, too."""
        return self.reason.startswith("Flaky:")

    @property
    def file(self) -> str:
        """The file of the test."""
        return self.test.partition("::")[0]

    def covers(self, nodeid: str) -> bool:
        """Tell whether a test is meant: by its id, without its parameters, or by its file."""
        return self.test in (nodeid, nodeid.partition("[")[0], nodeid.partition("::")[0])


def read(path: Path) -> list[Known]:
    """Return the lines of a file.

    Raises:
        ValueError: an id stands without a reason, or twice.
    """
    known: dict[str, Known] = {}
    for group in path.read_text().split("\n\n"):
        lines = [line.strip() for line in group.splitlines() if line.strip()]
        reason = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
        for test in (line for line in lines if not line.startswith("#")):
            if not reason:
                raise ValueError(f"{path.name}: {test} has no reason; write one above it")
            if test in known:
                raise ValueError(f"{path.name}: {test} stands there twice")
            known[test] = Known(test, reason)
    return list(known.values())
