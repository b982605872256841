"""Run the public array-api-tests suite over a backend's namespace, with 64 bits on.

PATH is a checkout of https://github.com/data-apis/array-api-tests with its submodule, at the
commit that `.github/workflows/ci.yml` names, and with its requirements.txt installed. Further
arguments go to pytest: a file of the suite, `-k name`, `-n 2`, `--hypothesis-derandomize`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from .known import FOLDER

BACKENDS = ("numpy", "jax", "tensorflow")
VERSION = "2025.12"
ROOT = Path(__file__).parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Return pytest's exit status: 0 where all fails that is known to fail, and nothing else."""
    parser = argparse.ArgumentParser("python -m tests.array_api", description=__doc__)
    parser.add_argument("--suite", type=Path, required=True, help="PATH, the checkout")
    parser.add_argument("--backend", choices=BACKENDS, required=True)
    parser.add_argument("--examples", type=int, default=100, help="of Hypothesis for each test")
    parser.add_argument("--known", type=Path, help="known failures, not xfails/<backend>.txt")
    given, rest = parser.parse_known_args(arguments)
    if not (given.suite / "array_api_tests").is_dir():
        parser.error(f"--suite {given.suite}: there is no checkout of array-api-tests")
    known = (given.known or FOLDER / f"{given.backend}.txt").resolve()
    command = [sys.executable, "-m", "pytest", "-p", f"{__package__}.plugin", f"--known={known}"]
    command += ["--rootdir=.", "--override-ini=testpaths=array_api_tests", "-rfE"]
    command += [f"--max-examples={given.examples}", "--disable-deadline"]
    return subprocess.run(
        [*command, *rest],
        cwd=given.suite,
        env=os.environ | variables(given.backend),
        check=False,
    ).returncode


def variables(backend: str) -> dict[str, str]:
    """Return the environment by which the suite finds a namespace and we find this package."""
    namespace = f'import unibackend; xp = unibackend.namespace("{backend}")'
    path = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    return {
        "ARRAY_API_TESTS_MODULE": f"exec('{namespace}')",
        "ARRAY_API_TESTS_VERSION": VERSION,
        "PYTHONPATH": os.pathsep.join(path),
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "UNIBACKEND_BACKEND": backend,
        "UNIBACKEND_X64": "1",
    }


if __name__ == "__main__":
    sys.exit(main())
