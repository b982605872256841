"""The command line, run as a person runs it: in a process of its own."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import textwrap
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import unibackend
from unibackend import _info
from unibackend._values import NAMES

PYTHON = [sys.executable]
UNIBACKEND = [sys.executable, "-m", "unibackend"]


def environment(**values: str) -> dict[str, str]:
    """Return this process's environment with no setting in it but those given."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("UNIBACKEND_")}
    return kept | values


def call(
    command: list[str], folder: Path, *, stdin: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(**variables),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


# ---- the command itself --------------------------------------------------------------------------


def test_version(tmp_path: Path) -> None:
    assert call([*UNIBACKEND, "--version"], tmp_path).stdout.strip() == unibackend.__version__


def test_the_installed_command_is_the_module(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("unibackend")
    if not command.exists():
        pytest.skip("unibackend is not installed beside this interpreter")
    assert call([str(command), "--version"], tmp_path).stdout.strip() == unibackend.__version__


def test_help_names_the_commands(tmp_path: Path) -> None:
    shown = call([*UNIBACKEND, "--help"], tmp_path)
    assert shown.returncode == 0
    assert all(command in shown.stdout for command in ("info", "demo", "run"))


def test_unknown_command(tmp_path: Path) -> None:
    failed = call([*UNIBACKEND, "demmo"], tmp_path)
    assert failed.returncode == 2
    assert 'Unknown command "demmo"' in failed.stderr


# ---- info ----------------------------------------------------------------------------------------


def info(folder: Path, **variables: str) -> dict[str, Any]:
    shown = call([*UNIBACKEND, "info", "--json"], folder, **variables)
    assert shown.returncode == 0, shown.stderr
    gathered: dict[str, Any] = json.loads(shown.stdout)
    return gathered


def test_info_tells_versions_backends_and_devices(tmp_path: Path) -> None:
    gathered = info(tmp_path, UNIBACKEND_BACKEND="numpy")
    assert gathered["versions"]["python"] == platform.python_version()
    assert gathered["versions"]["unibackend"] == unibackend.__version__
    assert gathered["versions"]["jax"] == metadata.version("jax")
    assert gathered["versions"]["jaxlib"] == metadata.version("jaxlib")
    assert any(name.startswith("tensorflow") for name in gathered["versions"])
    assert gathered["backends"]["numpy"] == {"installed": True, "active": True}
    assert gathered["backends"]["jax"] == {"installed": True, "active": False}
    assert gathered["backends"]["tensorflow"] == {"installed": True, "active": False}
    assert f"CPU: {os.cpu_count()} cores" in gathered["devices"]
    assert "jax: not started" in gathered["devices"]
    assert "tensorflow: not started" in gathered["devices"]


def test_info_tells_every_setting_with_its_source(tmp_path: Path) -> None:
    file = write(tmp_path / "unibackend.toml", "# ours\ntrace_limit = 7\n")
    gathered = info(tmp_path, UNIBACKEND_X64="yes")
    assert list(gathered["settings"]) == list(NAMES)
    assert gathered["settings"]["x64"] == {
        "value": True,
        "source": "environment variable UNIBACKEND_X64",
    }
    assert gathered["settings"]["trace_limit"] == {"value": 7, "source": f"{file}:2"}
    assert gathered["settings"]["compile"] == {"value": True, "source": "default"}
    assert gathered["config_file"] == str(file)


def test_info_without_a_file(tmp_path: Path) -> None:
    assert info(tmp_path)["config_file"] is None


def test_info_prints_tables(tmp_path: Path) -> None:
    write(tmp_path / "unibackend.toml", "float64_input = 'allow'\n")
    shown = call([*UNIBACKEND, "info"], tmp_path).stdout
    for text in ("numpy", "jax", "tensorflow", "matmul_precision", "float64_input", "allow"):
        assert text in shown
    assert f"Configuration file: {tmp_path / 'unibackend.toml'}" in shown


PROBE = """
import sys
{before}
from unibackend.cli import main
main(["info"])
roots = {{name.partition(".")[0] for name in sys.modules}}
sys.exit(", ".join(roots & {{"jax", "jaxlib", "tensorflow"}}))
"""


def test_info_imports_no_framework(tmp_path: Path) -> None:
    shown = call([*PYTHON, "-c", PROBE.format(before="")], tmp_path)
    assert (shown.returncode, shown.stderr) == (1, "\n"), "an empty list of names was expected"


def test_the_probe_notices_a_framework(tmp_path: Path) -> None:
    shown = call([*PYTHON, "-c", PROBE.format(before="import jaxlib")], tmp_path)
    assert "jaxlib" in shown.stderr


@pytest.mark.parametrize(
    ("cards", "plugin", "warned"),
    [([], False, False), (["GPU: H200"], True, False), (["GPU: H200"], False, True)],
)
def test_info_warns_of_a_jax_that_ignores_the_card(
    monkeypatch: pytest.MonkeyPatch, cards: list[str], plugin: bool, warned: bool
) -> None:
    monkeypatch.setattr(_info, "_has_cuda_plugin", lambda: plugin)
    warnings = _info.warnings(cards)
    assert bool(warnings) is warned
    assert all("JAX is installed for the CPU only" in warning for warning in warnings)


def test_cards_are_read_from_the_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(tmp_path / "gpus" / "0000:04:00.0" / "information", "Model: \t\t NVIDIA H200\nIRQ: 1\n")
    monkeypatch.setattr(_info, "DRIVER", tmp_path)
    assert _info.nvidia_cards() == ["GPU: NVIDIA H200"]


def test_no_driver_means_no_card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_info, "DRIVER", tmp_path / "absent")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _info.nvidia_cards() == []


# ---- broken settings -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["info"], ["demo"], ["run", "script.py"]], ids=" ".join)
def test_broken_settings_are_told_without_a_traceback(tmp_path: Path, command: list[str]) -> None:
    write(tmp_path / "script.py", "print('started')")
    broken_variable = call([*UNIBACKEND, *command], tmp_path, UNIBACKEND_X64="maybe")
    write(tmp_path / "unibackend.toml", "backend = 'jaxx'\n")
    broken_file = call([*UNIBACKEND, *command], tmp_path)
    for failed, place in (
        (broken_variable, "environment variable UNIBACKEND_X64"),
        (broken_file, f"{tmp_path / 'unibackend.toml'}:1"),
    ):
        assert failed.returncode == 2
        assert failed.stderr.startswith(f"unibackend {command[0]}: {place}")
        assert "Traceback" not in failed.stderr
        assert failed.stdout == ""


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--backend", "jaxx"], "unibackend run --backend: backend='jaxx': no such backend"),
        (["--memory=plenty"], "unibackend run --memory: memory='plenty'"),
        (["--device", "npu"], "unibackend run --device: device='npu': not allowed"),
        (["--bakend", "jax"], "Unknown option"),
    ],
)
def test_run_refuses_what_is_not_allowed(tmp_path: Path, options: list[str], problem: str) -> None:
    write(tmp_path / "script.py", "print('started')")
    failed = call([*UNIBACKEND, "run", *options, "script.py"], tmp_path)
    assert failed.returncode == 2
    assert problem in failed.stderr
    assert "Traceback" not in failed.stderr
    assert failed.stdout == ""


def test_run_without_a_script(tmp_path: Path) -> None:
    failed = call([*UNIBACKEND, "run", "absent.py"], tmp_path)
    assert failed.returncode == 2
    assert f"can't open file '{tmp_path / 'absent.py'}'" in failed.stderr
    assert call([*UNIBACKEND, "run"], tmp_path).returncode == 2


# ---- run: the settings ---------------------------------------------------------------------------

SHOW = """
import subprocess, sys, unibackend as ub
settings = ub.settings()
print(settings.backend, settings.memory, settings.device, settings.x64, *sys.argv[1:])
"""


def test_run_sets_what_the_script_sees(tmp_path: Path) -> None:
    write(tmp_path / "script.py", SHOW)
    options = ["--backend", "numpy", "--memory", "fraction:0.4", "--device=cpu", "--x64"]
    shown = call([*UNIBACKEND, "run", *options, "script.py"], tmp_path, UNIBACKEND_X64="0")
    assert shown.stdout == "numpy fraction:0.4 cpu True\n", shown.stderr


def test_run_sets_them_before_the_script_imports_anything(tmp_path: Path) -> None:
    write(tmp_path / "script.py", "import os; print(os.environ['UNIBACKEND_BACKEND'])")
    shown = call([*UNIBACKEND, "run", "--backend", "numpy", "script.py"], tmp_path)
    assert shown.stdout == "numpy\n"


def test_run_sets_them_for_child_processes(tmp_path: Path) -> None:
    write(tmp_path / "child.py", SHOW)
    write(
        tmp_path / "script.py",
        "import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'], check=True)\n",
    )
    shown = call([*UNIBACKEND, "run", "--backend=numpy", "--no-x64", "script.py"], tmp_path)
    assert shown.stdout == "numpy default auto False\n", shown.stderr


def test_options_after_the_script_are_the_scripts(tmp_path: Path) -> None:
    write(tmp_path / "script.py", SHOW)
    theirs = ["--backend", "jax", "--x64", "-m", "--help", "--version", "--", "-h", "last"]
    shown = call([*UNIBACKEND, "run", "--backend", "numpy", "script.py", *theirs], tmp_path)
    assert shown.stdout == f"numpy default auto False {' '.join(theirs)}\n", shown.stderr


def test_a_script_may_follow_a_delimiter(tmp_path: Path) -> None:
    write(tmp_path / "-odd.py", SHOW)
    shown = call([*UNIBACKEND, "run", "--backend=numpy", "--", "-odd.py", "--x64"], tmp_path)
    assert shown.stdout == "numpy default auto False --x64\n", shown.stderr


def test_the_settings_file_is_looked_up_beside_the_script(tmp_path: Path) -> None:
    script = write(tmp_path / "project" / "script.py", SHOW)
    write(tmp_path / "project" / "unibackend.toml", "backend = 'numpy'\ndevice = 'cpu'\n")
    (tmp_path / "elsewhere").mkdir()
    shown = call([*UNIBACKEND, "run", "--x64", str(script)], tmp_path / "elsewhere")
    assert shown.stdout == "numpy default cpu True\n", shown.stderr


def test_run_starts_no_framework(tmp_path: Path) -> None:
    write(
        tmp_path / "script.py",
        "import sys; print({'jax', 'jaxlib', 'tensorflow'} & set(sys.modules))",
    )
    assert call([*UNIBACKEND, "run", "--backend=jax", "script.py"], tmp_path).stdout == "set()\n"


def test_what_is_set_holds_for_the_frameworks_own_calls(tmp_path: Path) -> None:
    """A script may use JAX before it uses unibackend, or without it."""
    write(
        tmp_path / "script.py",
        "import os, jax; print(jax.numpy.ones(2).dtype, os.environ['XLA_CLIENT_MEM_FRACTION'])",
    )
    options = ["--backend=jax", "--x64", "--memory=fraction:0.4"]
    shown = call([*UNIBACKEND, "run", *options, "script.py"], tmp_path)
    assert shown.stdout == "float64 0.4\n", shown.stderr


# ---- run: the script cannot tell the difference --------------------------------------------------

SCRIPTS = {
    "names": """
        import sys
        main = sys.modules["__main__"]
        print(__name__, __file__, __doc__, __package__, __spec__, main.__dict__ is globals())
        print(sys.argv, sys.path[0], __builtins__.__name__, type(__loader__).__name__, __cached__)
    """,
    "a sibling is imported": "import sibling; print(sibling.__file__)",
    "exit code": "import sys; sys.exit(3)",
    "exit with a text": "import sys; sys.exit('stopped by myself')",
    "exit with nothing": "raise SystemExit",
    "standard input": "print(input().upper()); print(open(0).read())",
    "an exception": """
        def inner():
            raise ValueError("mine")
        inner()
    """,
    "a chain of exceptions": """
        try:
            {}["key"]
        except KeyError as error:
            raise RuntimeError("second") from error
    """,
    "an exception group": "raise ExceptionGroup('two', [ValueError(1), TypeError(2)])",
    "a syntax error": "print('never')\nthis is not Python\n",
    "an import that fails": "import nothing_of_this_name",
    "an interrupt": "raise KeyboardInterrupt",
    "own hook": """
        import sys
        sys.excepthook = lambda kind, error, traceback: print(kind, error, traceback.tb_lineno)
        1 / 0
    """,
    "a generator left behind": """
        def steps():
            try:
                yield
            finally:
                print("closed")
        left = steps()
        next(left)
    """,
    "at exit": """
        import atexit, sys
        atexit.register(lambda: print("bye", sys.modules["__main__"].later))
        later = "set later"
        raise SystemExit(4)
    """,
    "pickled by a thread that outlives it": """
        import pickle, threading, time
        class Mine: pass
        def work():
            time.sleep(0.2)
            print(pickle.loads(pickle.dumps(Mine())).__class__.__module__)
        threading.Thread(target=work).start()
    """,
    "a process pool": """
        import multiprocessing
        def square(x): return x * x
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(square, [1, 2, 3]))
    """,
    "a warning": "import warnings; warnings.warn('careful', stacklevel=1)",
    "an encoding": "# -*- coding: latin-1 -*-\nprint(ascii('\u00e9'))",
    "annotations are evaluated": "def f(x: 1 + 1): pass\nprint(f.__annotations__)",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_runs_as_python_runs_it(tmp_path: Path, script: str) -> None:
    write(tmp_path / "folder" / "script.py", script)
    write(tmp_path / "folder" / "sibling.py", "")
    arguments = [os.path.join("folder", "script.py"), "one", "--two"]
    outcomes = [
        call([*command, *arguments], tmp_path, stdin="first\nsecond\n")
        for command in (PYTHON, [*UNIBACKEND, "run", "--x64"])
    ]
    python, ours = ((done.returncode, done.stdout, done.stderr) for done in outcomes)
    assert ours == python


MODULES = {
    "module": "print(__name__, __file__, __package__, __spec__.name)",
    "package/__init__": "",
    "package/__main__": "from . import part; import sys; print(part.here, sys.argv, sys.path[0])",
    "package/part": "here = __name__",
    "package/fails": "def f(): 1 / 0\nf()",
    "package/stops": "raise SystemExit(5)",
}


@pytest.mark.parametrize(
    "module", ["module", "package", "package.part", "package.fails", "package.stops"]
)
def test_a_module_runs_as_python_runs_it(tmp_path: Path, module: str) -> None:
    for name, text in MODULES.items():
        write(tmp_path / f"{name}.py", text)
    outcomes = [
        call([*command, "-m", module, "--two"], tmp_path)
        for command in (PYTHON, [*UNIBACKEND, "run", "--x64"])
    ]
    python, ours = ((done.returncode, done.stdout, done.stderr) for done in outcomes)
    if module == "package.fails":  # Python shows its own frames of runpy; we hide them
        assert (ours[0], ours[1]) == (python[0], python[1])
        assert "runpy" not in ours[2]
        assert ours[2].splitlines()[1].lstrip().startswith(f'File "{tmp_path}')
        assert ours[2].splitlines()[-1] == python[2].splitlines()[-1]
    else:
        assert ours == python


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    failed = call([*UNIBACKEND, "run", "-m", "nothing_of_this_name"], tmp_path)
    assert failed.returncode == 1
    assert "No module named nothing_of_this_name" in failed.stderr
    assert "File" not in failed.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_an_interrupt_ends_the_script_by_its_signal(tmp_path: Path) -> None:
    write(tmp_path / "script.py", "print('ready', flush=True)\nimport time\ntime.sleep(60)\n")
    process = subprocess.Popen(
        [*UNIBACKEND, "run", "script.py"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert (
        errors.splitlines()[1].lstrip() == f'File "{tmp_path / "script.py"}", line 3, in <module>'
    )
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
