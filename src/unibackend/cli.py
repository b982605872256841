"""The command `unibackend`: what it accepts and how it prints; the logic lives elsewhere."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

from cyclopts import App, Parameter
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from . import __version__
from .errors import UnibackendError
from .settings import load

AsJson = Annotated[bool, Parameter(name="--json", negative="")]

app = App(
    name="unibackend",
    help="Write array code once; run it on JAX, TensorFlow or NumPy.",
    version=__version__,
    result_action="return_value",
    suppress_keyboard_interrupt=False,  # an interrupt belongs to the script that runs
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a command that fails ends the process with its exit code.

    Args:
        arguments: What stands after ``unibackend``, by default the process's own.
    """
    app(_with_delimiter(sys.argv[1:] if arguments is None else arguments))


@app.command
def info(*, as_json: AsJson = False) -> None:
    """Show versions, backends, devices, settings and where each comes from; start nothing.

    Args:
        as_json: Print one JSON object in place of the tables.
    """
    from . import _info  # each command loads what it needs

    try:
        load(os.getcwd())  # this command is in nobody's project; the folder it was called in may be
        gathered = _info.gather()
    except UnibackendError as error:
        _fail("info", error)
    if as_json:
        print(json.dumps(gathered, indent=2))
    else:
        _show_info(gathered)


@app.command
def demo(*, as_json: AsJson = False) -> None:
    """Recognise handwritten digits on every installed backend, and check that they agree.

    The exit code is 1 if a backend fails, and 2 if there is nothing to run.

    Args:
        as_json: Print one JSON array in place of the table.
    """
    from . import _demo  # each command loads what it needs

    try:
        load(os.getcwd())
        task = _demo.prepare()
    except (UnibackendError, ModuleNotFoundError) as error:
        _fail("demo", error)
    rows = []
    with Console(stderr=True).status("") as status:
        for backend in _demo.installed():
            status.update(f"running examples/digits.py on {backend}")
            rows.append(_demo.measure(backend, task))
    if as_json:
        print(json.dumps([_without_nan(dataclasses.asdict(row)) for row in rows], indent=2))
    else:
        _show_demo(rows)
    if any(row.reason for row in rows):
        raise SystemExit(1)


@app.command
def run(
    target: str,
    /,
    *arguments: Annotated[str, Parameter(allow_leading_hyphen=True)],
    backend: str | None = None,
    memory: str | None = None,
    device: str | None = None,
    x64: bool | None = None,
    module: Annotated[bool, Parameter(name="-m", negative="")] = False,
) -> None:
    """Run a script with settings that are in force before it can import anything.

    Options stand before the script; what follows it belongs to the script.

    Args:
        target: The script, or with -m the module.
        arguments: What the script finds in sys.argv.
        backend: The backend that serves host data: jax, tensorflow, numpy or another's.
        memory: The memory policy, such as grow or fraction:0.4.
        device: The device: cpu, gpu or tpu, or one of them with its index, as in gpu:1.
        x64: NumPy's world of 64 bit types, or one of 32 bit types.
        module: Run a module, as python -m does.
    """
    from . import _script  # each command loads what it needs

    given = {"backend": backend, "memory": memory, "device": device, "x64": x64}
    values = {name: value for name, value in given.items() if value is not None}
    try:
        _script.prepare(target, list(arguments), values, module=module)
    except (UnibackendError, FileNotFoundError) as error:
        _fail("run", error)
    _script.execute(target, module=module)


def _with_delimiter(tokens: Sequence[str]) -> list[str]:
    """Set `run`'s own options apart from its script with ``--``: all after that is the script's.

    Examples:
        >>> _with_delimiter(["run", "--device", "cpu", "--x64", "train.py", "--x64"])
        ['run', '--device', 'cpu', '--x64', '--', 'train.py', '--x64']
    """
    if not tokens or tokens[0] != "run":
        return list(tokens)
    place = 1
    while place < len(tokens) and tokens[place].startswith("-"):
        if tokens[place] == "--":
            return list(tokens)
        place += 2 if tokens[place] in ("--backend", "--memory", "--device") else 1
    return [*tokens[:place], "--", *tokens[place:]] if place < len(tokens) else list(tokens)


def _fail(command: str, problem: object) -> NoReturn:
    print(f"unibackend {command}: {problem}", file=sys.stderr)
    raise SystemExit(2)


def _console() -> Console:
    """Return the console for results, wide enough for tables where no terminal says its width."""
    fixed = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if fixed else 120, highlight=False)


def _without_nan(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with None for numbers that JSON does not have."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }


def _show_info(gathered: dict[str, Any]) -> None:
    console = _console()
    versions = Table("package", "version", title="Versions")
    for name, version in gathered["versions"].items():
        versions.add_row(name, version or "not installed")
    backends = Table("backend", "installed", "active", title="Backends")
    for name, state in gathered["backends"].items():
        backends.add_row(name, *("yes" if state[key] else "no" for key in ("installed", "active")))
    settings = Table("setting", "value", "source", title="Settings")
    for name, setting in gathered["settings"].items():
        settings.add_row(name, escape(str(setting["value"])), escape(setting["source"]))
    for table in (versions, backends, settings):
        console.print(table)
    print(f"Configuration file: {gathered['config_file'] or 'none'}")
    for device in gathered["devices"]:
        print(f"Device: {device}")
    for warning in gathered["warnings"]:
        console.print("Warning:", warning, style="bold red", markup=False, soft_wrap=True)


def _show_demo(rows: Sequence[Any]) -> None:
    table = Table(
        title="500 handwritten digits, float32, against float64",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )
    table.add_column("backend", no_wrap=True)
    for column in (
        "accuracy",
        "eager\nms",
        "compiled\nms",
        "largest\ndifference",
        "bound",
        "share\nof it",
    ):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for row in rows:
        cells = (
            f"{row.accuracy:.1%}",
            f"{row.eager_seconds * 1e3:.1f}",
            f"{row.compiled_seconds * 1e3:.1f}",
            f"{row.difference:.1e}",
            f"{row.bound:.1e}",
            f"{row.used:.2g}",
        )
        shown = ("" if cell.startswith("nan") else cell for cell in cells)
        verdict = "[bold red]FAIL[/]" if row.reason else "[green]PASS[/]"
        table.add_row(row.backend, *shown, verdict)
    _console().print(table)
    for row in rows:
        if row.reason:
            print(f"{row.backend}: {row.reason}")
