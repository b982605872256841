"""Settings: every source, every error, and every kind of scope."""

import asyncio
import contextvars
import copy
import dataclasses
import importlib
import inspect
import logging
import os
import pickle
import re
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

import unibackend as ub
from unibackend import _scopes, _values, backends
from unibackend.errors import BackendNotFoundError, SettingsError
from unibackend.settings import config_file, configure_from, current, load, on_change, within

state = importlib.import_module("unibackend.settings")  # the attribute of this name is a function

HERE = re.escape(__file__)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch, tmp_path):
    """A process that has read and set nothing yet; afterwards all is as it was."""
    for variable in [name for name in os.environ if name.startswith("UNIBACKEND_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("UNIBACKEND_CONFIG", os.devnull)
    monkeypatch.setattr(state, "_base", None)
    monkeypatch.setattr(state, "_file", None)
    token = _scopes.top.set(None)
    listeners = on_change[:]
    on_change.clear()
    yield
    on_change[:] = listeners
    _scopes.top.reset(token)


@pytest.fixture
def config(monkeypatch, tmp_path):
    """Write a settings file, and have it read."""

    def write(text, name="unibackend.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setenv("UNIBACKEND_CONFIG", str(path))
        return path

    return write


@pytest.fixture
def installed(monkeypatch):
    """Choose which backends seem to be installed."""

    def choose(*names):
        monkeypatch.setattr(backends, "is_installed", lambda name: name in names)
        _values._check_installed.cache_clear()
        state._auto_backend.cache_clear()

    yield choose
    _values._check_installed.cache_clear()
    state._auto_backend.cache_clear()


def line():
    """The line of the caller."""
    return sys._getframe(1).f_lineno


# ---- values and their sources ------------------------------------------------------------------


def test_defaults():
    settings = ub.settings()
    assert {name: getattr(settings, name) for name in _values.NAMES if name != "backend"} == {
        "memory": "default",
        "device": "auto",
        "x64": False,
        "default_float": "auto",
        "float64_input": "warn",
        "matmul_precision": "highest",
        "xla": "auto",
        "compile": True,
        "check_buckets": False,
        "check_nans": False,
        "trace_limit": 256,
    }
    assert {settings.source(name) for name in _values.NAMES} == {"default"}


def test_each_field_has_a_rule_a_keyword_and_a_description():
    names = {field.name for field in dataclasses.fields(ub.Settings)} - {"_origin"}
    assert names == set(_values.NAMES) == set(_values.Values.__annotations__)
    for name in names:
        assert f"        {name}: " in ub.Settings.__doc__


def test_settings_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ub.settings().x64 = True


def test_settings_survive_copy_and_pickle():
    settings = ub.configure(x64=True)
    for again in (copy.deepcopy(settings), pickle.loads(pickle.dumps(settings))):
        assert str(again) == str(settings)


def test_later_sources_win(config, monkeypatch):
    path = config('# a comment\nx64 = true\ntrace_limit = 1\nfloat64_input = "error"\nxla = false')
    monkeypatch.setenv("UNIBACKEND_TRACE_LIMIT", "2")
    monkeypatch.setenv("UNIBACKEND_FLOAT64_INPUT", "allow")
    settings = ub.settings()
    assert (settings.x64, settings.source("x64")) == (True, f"{path}:2")
    assert (settings.xla, settings.source("xla")) == (False, f"{path}:5")
    assert settings.trace_limit == 2
    assert settings.source("trace_limit") == "environment variable UNIBACKEND_TRACE_LIMIT"
    settings = ub.configure(trace_limit=3)
    assert settings is ub.settings()
    assert settings.trace_limit == 3
    assert settings.source("trace_limit") == f"ub.configure(...) at {__file__}:{line() - 3}"
    with ub.use(trace_limit=4) as settings:
        assert settings is ub.settings()
        assert settings.trace_limit == 4
        assert settings.source("trace_limit") == f"ub.use(...) at {__file__}:{line() - 3}"
        assert settings.source("float64_input") == "environment variable UNIBACKEND_FLOAT64_INPUT"
    assert ub.settings().trace_limit == 3


def test_source_of_an_unknown_setting():
    with pytest.raises(SettingsError, match=r"source: unknown setting 'x46' \(did you mean 'x64'"):
        ub.settings().source("x46")


def test_printing_is_an_aligned_table():
    ub.configure("numpy", memory="fraction:0.4")
    lines = str(ub.settings()).splitlines()
    assert [text.split()[0] for text in lines] == list(_values.NAMES)
    assert lines[0] == f"backend           numpy         {ub.settings().source('backend')}"
    assert lines[3] == "x64               False         default"
    assert repr(ub.settings()) == str(ub.settings())


def test_on_behalf_of_a_command_line():
    configure_from("--x64", {"x64": True})
    assert ub.settings().source("x64") == "--x64"
    with pytest.raises(SettingsError, match=r"^--device: device='cuda': not allowed"):
        configure_from("--device", {"device": "cuda"})


@pytest.mark.parametrize("by", ["positional", "keyword"])
def test_backend_by_position_or_keyword(by):
    if by == "positional":
        assert ub.configure("numpy").backend == "numpy"
    else:
        assert ub.configure(backend="numpy").backend == "numpy"


def test_backend_given_twice():
    rule = r": the backend is given twice, as 'jax' and as backend='numpy'; give it once$"
    with pytest.raises(SettingsError, match=rf"^ub\.configure\(\.\.\.\) at {HERE}:\d+{rule}"):
        ub.configure("jax", backend="numpy")
    with pytest.raises(SettingsError, match=rf"^ub\.use\(\.\.\.\) at {HERE}:\d+{rule}"):
        ub.use("jax", backend="numpy")


# ---- what is refused ---------------------------------------------------------------------------

REFUSED = {
    "unknown": ({"x46": 1}, r"unknown setting 'x46' \(did you mean 'x64'\?\)\. The settings are "),
    "unknown, far": ({"zzz": 1}, r"unknown setting 'zzz'\. The settings are backend, memory, dev"),
    "word": (
        {"float64_input": "wran"},
        r"float64_input='wran': not allowed \(did you mean 'warn'\?\)\. Allowed are 'warn', 'allo",
    ),
    "case": (
        {"matmul_precision": "HIGH"},
        r"matmul_precision='HIGH': not allowed \(did you mean 'high'\?\)",
    ),
    "word of another type": (
        {"default_float": float},
        r"default_float=<class 'float'>: wrong type, type in place of one of 'auto', 'float32', 'f",
    ),
    "integer for a flag": ({"x64": 1}, r"x64=1: wrong type, int in place of True or False$"),
    "text for a flag": ({"compile": "no"}, r"compile='no': wrong type, str in place of True"),
    "none": ({"x64": None}, r"x64=None: wrong type, NoneType in place of True or False$"),
    "xla": ({"xla": "yes"}, r"xla='yes': not allowed\. Allowed are 'auto', True, False$"),
    "xla integer": ({"xla": 1}, r"xla=1: not allowed\. Allowed are 'auto', True, False$"),
    "range": ({"trace_limit": 0}, r"trace_limit=0: out of range; it must be an integer of at leas"),
    "flag for an integer": ({"trace_limit": True}, r"trace_limit=True: wrong type, bool in place"),
    "float for an integer": ({"trace_limit": 8.0}, r"trace_limit=8\.0: wrong type, float in plac"),
    "device": (
        {"device": "gpuu"},
        r"device='gpuu': not allowed \(did you mean 'gpu'\?\)\. Allowed ",
    ),
    "device index": ({"device": "gpu:a"}, r"device='gpu:a': not allowed .* as in 'gpu:1'$"),
    "device without index": ({"device": "auto:0"}, r"device='auto:0': not allowed"),
    "device type": ({"device": 0}, r"device=0: wrong type, int in place of 'auto', 'cpu'"),
    "memory": (
        {"memory": "grov"},
        r"memory='grov': .*not a memory policy.*The forms are default, ",
    ),
    "memory type": ({"memory": 0.5}, r"memory=0\.5: wrong type, float in place of a memory policy"),
    "backend": (
        {"backend": "JAXX"},
        r"backend='JAXX': no such backend \(did you mean 'jax'\?\)\. Allowed are 'auto', 'jax', 't",
    ),
    "backend case": ({"backend": "NumPy"}, r"backend='NumPy': no such backend \(did you mean 'num"),
    "backend type": ({"backend": os}, r"wrong type, module in place of the name of a backend$"),
    "pair": (
        {"default_float": "float64"},
        r"default_float='float64' \(from: ub\.\w+\(\.\.\.\) at .*\) needs x64=True, but x64=Fa",
    ),
}


@pytest.mark.parametrize(("values", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_values_change_nothing(values, message):
    before = ub.configure("numpy", trace_limit=7)
    with pytest.raises(SettingsError, match=message) as error:
        ub.configure(**{"float64_input": "allow", **values})
    assert f"ub.configure(...) at {__file__}:{line() - 1}" in str(error.value)
    assert ub.settings() is before
    with pytest.raises(SettingsError, match=message) as error, ub.use(**values):
        pytest.fail("entered")
    assert f"ub.use(...) at {__file__}:{line() - 2}" in str(error.value)
    assert ub.settings() is before


def test_errors_of_a_decorator_come_where_it_is_written():
    with pytest.raises(SettingsError, match=r"'x46'"):
        ub.use(x46=True)


def test_float64_by_default_needs_x64():
    assert ub.configure(x64=True, default_float="float64").default_float == "float64"
    before = ub.settings()
    with pytest.raises(
        SettingsError, match=r"needs x64=True, but x64=False is in force \(from: ub"
    ):
        ub.configure(x64=False)
    with pytest.raises(SettingsError, match=r"needs x64=True"), ub.use(x64=False):
        pytest.fail("entered")
    assert ub.settings() is before
    with ub.use(x64=False, default_float="auto"):
        assert not ub.settings().x64


def test_float64_by_default_where_it_is_entered():
    scope = ub.use(default_float="float64")  # x64 may be set between here and there
    with pytest.raises(SettingsError, match="needs x64=True"), scope:
        pytest.fail("entered")
    ub.configure(x64=True)
    with scope as settings:
        assert settings.default_float == "float64"


def test_configure_that_does_not_go_with_a_scope():
    ub.configure(x64=True)
    before = ub.settings()
    with ub.use(default_float="float64"):
        with pytest.raises(SettingsError, match="needs x64=True"):
            ub.configure(x64=False)
        assert ub.settings().x64
    assert ub.settings() is before


def test_backend_that_is_not_installed(installed):
    installed("numpy", "jax")
    before = ub.configure("jax")
    message = r": backend='tensorflow': .*pip install \"unibackend\[tensorflow\]\""
    with pytest.raises(
        BackendNotFoundError, match=rf"^ub\.configure\(\.\.\.\) at {HERE}:\d+{message}"
    ):
        ub.configure("tensorflow")
    with pytest.raises(BackendNotFoundError, match=rf"^ub\.use\(\.\.\.\) at {HERE}:\d+{message}"):
        ub.use("tensorflow")
    assert ub.settings() is before
    installed("numpy", "jax", "tensorflow")  # an error is not remembered
    assert ub.configure("tensorflow").backend == "tensorflow"


def test_third_party_backend(installed, monkeypatch):
    names = (*backends.names(), "cupynumeric")
    monkeypatch.setattr(backends, "names", lambda: names)
    installed("cupynumeric")
    assert ub.configure("cupynumeric").backend == "cupynumeric"


# ---- the backend "auto" ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        (("jax", "tensorflow", "numpy"), "jax"),
        (("tensorflow", "numpy"), "tensorflow"),
        (("numpy",), "numpy"),
    ],
)
def test_auto_is_the_first_that_is_installed(installed, caplog, there, expected):
    installed(*there)
    caplog.set_level(logging.INFO, "unibackend")
    assert ub.settings().backend == expected
    assert ub.configure("auto").backend == expected
    with ub.use("numpy"), ub.use("auto"):
        assert ub.settings().backend == expected
    (record,) = caplog.records  # said once
    assert (record.name, record.levelname) == ("unibackend", "INFO")
    assert f"backend 'auto': {expected} is used" in record.message


def test_auto_is_not_asked_where_a_backend_is_named(installed, caplog, monkeypatch):
    installed("numpy")
    caplog.set_level(logging.INFO, "unibackend")
    monkeypatch.setenv("UNIBACKEND_BACKEND", "numpy")
    assert ub.settings().backend == "numpy"
    assert not caplog.records


def test_auto_is_not_asked_where_configure_comes_first(installed, caplog):
    installed("numpy")
    caplog.set_level(logging.INFO, "unibackend")
    assert ub.configure("numpy").backend == "numpy"
    assert not caplog.records
    assert ub.settings() is ub.configure()


# ---- the environment ---------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["1", "true", "yes", "on", "TRUE", "On"])
def test_yes_in_the_environment(monkeypatch, word):
    monkeypatch.setenv("UNIBACKEND_X64", word)
    monkeypatch.setenv("UNIBACKEND_XLA", word)
    assert ub.settings().x64 is True
    assert ub.settings().xla is True


@pytest.mark.parametrize("word", ["0", "false", "no", "off", "False", "OFF"])
def test_no_in_the_environment(monkeypatch, word):
    monkeypatch.setenv("UNIBACKEND_COMPILE", word)
    monkeypatch.setenv("UNIBACKEND_XLA", word)
    assert ub.settings().compile is False
    assert ub.settings().xla is False


def test_other_types_in_the_environment(monkeypatch):
    monkeypatch.setenv("UNIBACKEND_XLA", "AUTO")
    monkeypatch.setenv("UNIBACKEND_TRACE_LIMIT", "12")
    monkeypatch.setenv("UNIBACKEND_MEMORY", "limit:8GiB")
    monkeypatch.setenv("UNIBACKEND_DEVICE", "")  # as if it were not set
    settings = ub.settings()
    assert (settings.xla, settings.trace_limit, settings.memory) == ("auto", 12, "limit:8GiB")
    assert (settings.device, settings.source("device")) == ("auto", "default")


@pytest.mark.parametrize(
    ("variable", "text", "error", "message"),
    [
        (
            "X46",
            "1",
            SettingsError,
            r"no setting has .*\(did you mean 'UNIBACKEND_X64'\?\)\. The v",
        ),
        ("x64", "1", SettingsError, r"no setting has .*\(did you mean 'UNIBACKEND_X64'\?\)"),
        (
            "X64",
            "ja",
            SettingsError,
            r"'ja' is not a yes or a no\. Allowed are 1, true, yes, on, 0",
        ),
        ("X64", "auto", SettingsError, r"'auto' is not a yes or a no\. .* off$"),
        ("X64", " 1", SettingsError, r"' 1' is not a yes or a no"),
        ("XLA", "maybe", SettingsError, r"'maybe' is not a yes or a no\. .*, off, or auto$"),
        ("TRACE_LIMIT", "-1", SettingsError, r"trace_limit=-1: out of range"),
        ("TRACE_LIMIT", "1e3", SettingsError, r"trace_limit='1e3': wrong type, str in place of an"),
        ("DEFAULT_FLOAT", "Float32", SettingsError, r"\(did you mean 'float32'\?\)"),
        ("BACKEND", "tensorflwo", SettingsError, r"\(did you mean 'tensorflow'\?\)"),
        (
            "BACKEND",
            "tensorflow",
            BackendNotFoundError,
            r"pip install \"unibackend\[tensorflow\]\"",
        ),
    ],
)
def test_broken_environment(monkeypatch, installed, variable, text, error, message):
    installed("numpy")
    monkeypatch.setenv(f"UNIBACKEND_{variable}", text)
    where = f"environment variable UNIBACKEND_{variable}: "
    for call in (ub.settings, lambda: ub.configure(x64=True), lambda: ub.use().__enter__(), load):
        with pytest.raises(error, match=f"^{where}.*{message}"):  # every time again
            call()
    monkeypatch.delenv(f"UNIBACKEND_{variable}")
    assert ub.settings().backend == "numpy"
    assert ub.settings().x64 is False


def test_the_environment_is_read_once(monkeypatch):
    monkeypatch.setenv("UNIBACKEND_BACKEND", "numpy")  # after the import: still in time
    assert ub.settings().backend == "numpy"
    monkeypatch.setenv("UNIBACKEND_BACKEND", "nonsense")
    monkeypatch.setenv("UNIBACKEND_X64", "1")
    monkeypatch.setenv("UNIBACKEND_CONFIG", "/nonsense.toml")
    assert ub.settings().backend == "numpy"
    assert ub.configure(trace_limit=3).x64 is False


# ---- the file ----------------------------------------------------------------------------------


def test_tool_table_of_pyproject(config):
    path = config(
        '[project]\nname = "x"\nx64 = 3\n[tool.other]\nx64 = 1\n'
        '[ tool . "unibackend" ]  # ours\n\n"x64" = true\nxla   =false',
        "pyproject.toml",
    )
    assert ub.settings().source("x64") == f"{path}:8"
    assert ub.settings().source("xla") == f"{path}:9"
    assert config_file() == str(path)


def test_dotted_keys_of_pyproject(config):
    path = config("tool.unibackend.x64 = true", "pyproject.toml")
    assert ub.settings().source("x64") == f"{path}:1"


def test_key_whose_line_is_not_found(config):
    path = config("tool.unibackend = {x64 = true}", "pyproject.toml")
    assert ub.settings().source("x64") == str(path)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_files_from_windows(config, mark):
    path = config(mark + b"x64 = true\r\nxla = false\r\n")
    assert ub.settings().source("x64") == f"{path}:1"
    assert ub.settings().source("xla") == f"{path}:2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x64 = true\nbakend = 'jax'",
            r":2: unknown setting 'bakend' \(did you mean 'backend'\?\)",
        ),
        ("\n\nxla = 'on'", r":3: xla='on': not allowed"),
        ("x64 = 1", r":1: x64=1: wrong type, int in place of True or False$"),
        ("trace_limit = 0", r":1: trace_limit=0: out of range"),
        ("backend = 'tensorflow'", r":1: backend='tensorflow': .*pip install"),
        ("x64 = true\nxla = maybe", r":2: not valid TOML: .*at line 2"),
        ("x64 = true\n\nxla = [", r":3: not valid TOML: "),
        ("x64 = true\nx64 = true", r":2: not valid TOML: "),
        ("[tool.unibackend]\nx64 = true", r": unknown setting 'tool'"),
        ("default_float = 'float64'", r"default_float='float64' \(from: .*:1\) needs x64=True"),
        (b"x64 = true\n# \xff", r": not valid TOML, which is UTF-8: "),
    ],
)
def test_broken_file(config, installed, text, message):
    installed("numpy")
    path = config(text)
    for _ in range(2):
        with pytest.raises((SettingsError, BackendNotFoundError), match=message) as error:
            ub.settings()
        assert str(path) in str(error.value)
    config("")
    assert str(ub.settings()).count("default") >= len(_values.NAMES)


def test_pyproject_that_is_named_must_have_the_table(config):
    path = config("[project]", "pyproject.toml")
    with pytest.raises(SettingsError, match=rf"^{path}: it has no table \[tool\.unibackend\]$"):
        ub.settings()


def test_tool_table_that_is_no_table(config):
    path = config("[tool]\nunibackend = 3", "pyproject.toml")
    with pytest.raises(SettingsError, match=rf"^{path}: it has no table \[tool\.unibackend\]$"):
        ub.settings()


def test_file_that_is_named_must_exist(monkeypatch, tmp_path):
    monkeypatch.setenv("UNIBACKEND_CONFIG", str(tmp_path / "none.toml"))
    message = (
        rf"^{tmp_path}/none\.toml: cannot be read \(UNIBACKEND_CONFIG names it\): No such file"
    )
    for _ in range(2):
        with pytest.raises(SettingsError, match=message):
            ub.settings()
    monkeypatch.setenv("UNIBACKEND_CONFIG", "")  # as if it were not set
    assert ub.settings().x64 is False


def test_file_that_cannot_be_read(monkeypatch, tmp_path):
    monkeypatch.delenv("UNIBACKEND_CONFIG")
    (tmp_path / "unibackend.toml").mkdir()
    message = rf"^{tmp_path}/unibackend\.toml: cannot be read: Is a directory"
    with pytest.raises(SettingsError, match=message):
        load(str(tmp_path))


def test_relative_name_of_the_file(config, monkeypatch, tmp_path):
    path = config("x64 = true")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNIBACKEND_CONFIG", "unibackend.toml")
    assert ub.settings().source("x64") == f"{path}:1"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with a script three folders down, and another project as the working folder."""
    root = tmp_path / "project"
    (root / "src" / "package").mkdir(parents=True)
    (root / "src" / "package" / "__init__.py").touch()
    (root / "src" / "package" / "__main__.py").write_text(SHOW)
    (root / "src" / "script.py").write_text(SHOW)
    (root / "pyproject.toml").write_text("[tool.unibackend]\ntrace_limit = 11\n")
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "sub").mkdir(parents=True)
    (elsewhere / "unibackend.toml").write_text("trace_limit = 22\n")
    monkeypatch.delenv("UNIBACKEND_CONFIG")
    monkeypatch.chdir(elsewhere / "sub")
    return root


SHOW = """
import unibackend as ub
from unibackend.settings import config_file
print(ub.settings().trace_limit, ub.settings().source("trace_limit"), config_file())
"""


def show(*arguments, **environment):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_file_of_the_running_script(project):
    file = project / "pyproject.toml"
    assert show(project / "src" / "script.py") == f"11 {file}:2 {file}"


def test_file_of_the_running_package(project):
    file = project / "pyproject.toml"
    assert show("-m", "package", PYTHONPATH=str(project / "src")) == f"11 {file}:2 {file}"


def test_file_of_the_working_folder_without_a_script(project):
    file = project.parent / "elsewhere" / "unibackend.toml"
    assert show("-c", SHOW) == f"22 {file}:1 {file}"


def test_no_file_is_touched_by_the_import(project):
    (project / "pyproject.toml").write_text("broken")
    (project / "src" / "script.py").write_text(
        "import unibackend, sys\nprint('tomllib' in sys.modules)"
    )
    assert show(project / "src" / "script.py") == "False"


def search(monkeypatch, script):
    monkeypatch.setitem(sys.modules, "__main__", type(sys)("__main__"))
    if script is not None:
        sys.modules["__main__"].__file__ = str(script)
    monkeypatch.setattr(state, "_base", None)
    return load().trace_limit, config_file()


def test_the_nearest_project_ends_the_search(project, monkeypatch):
    script = project / "src" / "script.py"
    assert search(monkeypatch, script) == (11, str(project / "pyproject.toml"))
    nearer = project / "src" / "unibackend.toml"
    nearer.write_text("trace_limit = 33\n")
    (project / "src" / "pyproject.toml").write_text("[tool.unibackend]\ntrace_limit = 44\n")
    assert search(monkeypatch, script) == (33, str(nearer))
    nearer.unlink()
    assert search(monkeypatch, script) == (44, str(project / "src" / "pyproject.toml"))
    (project / "src" / "pyproject.toml").write_text("[project]\n")  # says nothing, and ends it
    assert search(monkeypatch, script) == (256, None)


def test_scripts_by_a_link(project, monkeypatch, tmp_path):
    link = tmp_path / "link.py"
    link.symlink_to(project / "src" / "script.py")
    assert search(monkeypatch, link) == (11, str(project / "pyproject.toml"))


@pytest.mark.parametrize(
    "tool",
    [
        Path(sys.executable).parent / "pytest",
        Path(pytest.__file__).parent / "__main__.py",
        Path(asyncio.__file__).parent / "__main__.py",
    ],
    ids=["script", "package", "standard library"],
)
def test_installed_tools_are_in_no_project(project, monkeypatch, tool):
    file = project.parent / "elsewhere" / "unibackend.toml"
    assert search(monkeypatch, tool) == search(monkeypatch, None) == (22, str(file))


def test_no_script_and_no_working_folder(project, monkeypatch, tmp_path):
    def no_folder():
        raise FileNotFoundError

    monkeypatch.setattr(os, "getcwd", no_folder)
    assert search(monkeypatch, None) == (256, None)


# ---- scopes ------------------------------------------------------------------------------------


def limit():
    return ub.settings().trace_limit


def test_scopes_nest_and_leave_on_errors():
    base = ub.settings()
    with ub.use(trace_limit=1, x64=True) as outer:
        with suppress(ZeroDivisionError), ub.use(trace_limit=2):
            assert limit() == 2
            assert ub.settings().x64
            raise ZeroDivisionError
        assert ub.settings() is outer
    assert ub.settings() is base


def test_the_same_scope_again_and_inside_itself():
    scope = ub.use(trace_limit=1)
    with scope as first:
        with ub.use(trace_limit=2), scope:
            assert limit() == 1
        assert ub.settings() is first
    assert limit() == 256
    with scope as second:
        assert second is first  # nothing changed, so it is the same object
    assert limit() == 256


def test_identity_while_nothing_changes():
    base = current()
    assert all(current() is base for _ in range(3))
    seen = set()
    for _ in range(3):
        with ub.use("numpy"):
            seen.add(id(current()))
            assert current() is current() is ub.settings()
    assert len(seen) == 1
    assert current() is base
    for _ in range(3):
        again = ub.configure(trace_limit=9)
        seen.add(id(again))
    assert len(seen) == 2


def test_configure_in_a_scope_is_seen_where_the_scope_says_nothing():
    with ub.use(x64=True):
        assert ub.configure(trace_limit=5, x64=False) is ub.settings()
        assert ub.settings().trace_limit == 5
        assert ub.settings().x64
    assert not ub.settings().x64
    assert limit() == 5


def test_a_scope_of_nothing():
    base = ub.settings()
    with ub.use() as settings:
        assert settings is base


def test_interleaved_generators_restore():
    def generator(value):
        with ub.use(trace_limit=value):
            yield limit()
            yield limit()

    base = ub.settings()
    first, second, third = generator(1), generator(2), generator(3)
    assert [next(first), next(second), next(third)] == [1, 2, 3]
    first.close()
    assert limit() == 3
    third.close()
    assert limit() == 2
    second.close()
    assert ub.settings() is base


def test_a_generator_that_ends_in_another_context():
    def generator():
        with ub.use(trace_limit=1):
            yield limit()

    started = generator()
    assert contextvars.copy_context().run(next, started) == 1
    with ub.use(trace_limit=2):
        started.close()
        assert limit() == 2


def test_an_inconsistent_rest_is_an_error_at_the_next_use():
    wide, double = ub.use(x64=True), ub.use(default_float="float64")
    wide.__enter__()
    double.__enter__()
    wide.__exit__(None, None, None)
    with pytest.raises(SettingsError, match="needs x64=True"):
        ub.settings()
    double.__exit__(None, None, None)
    assert ub.settings().default_float == "auto"


def test_within():
    base = ub.configure("numpy")
    with within("jax"):
        assert ub.settings().backend == "jax"
        assert ub.settings().source("backend") == "the function being compiled"
        with ub.use("tensorflow"), within("jax"):
            assert ub.settings().backend == "jax"
    assert ub.settings() is base


# ---- decorated functions -----------------------------------------------------------------------


def test_decorated_function():
    @ub.use(trace_limit=1)
    def function(a: int, *, b: int = 2) -> tuple:
        """The docstring."""
        if b == 0:
            raise ZeroDivisionError
        return a, b, limit()

    assert function(1, b=3) == (1, 3, 1)
    assert str(inspect.signature(function)) == "(a: int, *, b: int = 2) -> tuple"
    assert (function.__name__, function.__doc__) == ("function", "The docstring.")
    with pytest.raises(ZeroDivisionError):
        function(1, b=0)
    assert limit() == 256


def test_decorated_recursion_and_methods():
    class Model:
        @ub.use(trace_limit=1)
        def method(self, depth):
            inner = self.method(depth - 1) if depth else ()
            return (limit(), *inner)

        @staticmethod
        @ub.use(trace_limit=2)
        def static():
            return limit()

    assert Model().method(3) == (1, 1, 1, 1)
    assert Model.static() == 2
    assert limit() == 256


@pytest.mark.parametrize(
    "thing",
    [int, staticmethod(limit), classmethod(limit), 3],
    ids=["class", "static", "class method", "number"],
)
def test_what_cannot_be_decorated(thing):
    rule = "it decorates functions and methods, not .*; put it below @staticmethod"
    with pytest.raises(SettingsError, match=rf"^ub\.use\(\.\.\.\) at {HERE}:\d+: {rule}"):
        ub.use(trace_limit=1)(thing)


def test_decorated_generator_has_the_setting_in_its_steps_only():
    log = []

    @ub.use(trace_limit=1)
    def generator(start):
        try:
            sent = yield start, limit()
            try:
                yield sent, limit()
            except KeyError:
                yield "caught", limit()
        finally:
            log.append(limit())

    base = ub.settings()
    assert inspect.isgeneratorfunction(generator)
    steps = generator("a")
    assert next(steps) == ("a", 1)
    assert ub.settings() is base
    with ub.use(trace_limit=2):
        assert steps.send("b") == ("b", 1)
        assert limit() == 2
    assert steps.throw(KeyError()) == ("caught", 1)
    steps.close()
    assert log == [1]
    assert ub.settings() is base


def test_decorated_generator_returns_and_raises():
    @ub.use(trace_limit=1)
    def generator(fail):
        yield limit()
        if fail:
            raise ZeroDivisionError
        return limit()

    def outer():
        result = yield from generator(False)
        assert limit() == 256
        yield result

    assert list(outer()) == [1, 1]
    steps = generator(True)
    next(steps)
    with pytest.raises(ZeroDivisionError):
        next(steps)
    assert limit() == 256


def test_scopes_inside_a_decorated_generator_stay_with_it():
    @ub.use(trace_limit=1)
    def generator():
        with ub.use(trace_limit=2):
            yield limit()
            with ub.use(x64=True):
                yield limit(), ub.settings().x64
            yield limit(), ub.settings().x64
        yield limit()

    base = ub.settings()
    seen = []
    for value in generator():
        assert ub.settings() is base
        seen.append(value)
    assert seen == [2, (2, True), (2, False), 1]


def test_interleaved_decorated_generators():
    def make(value):
        @ub.use(trace_limit=value)
        def generator():
            for _ in range(3):
                yield limit()

        return generator()

    assert list(zip(make(1), make(2), make(3), strict=True)) == [(1, 2, 3)] * 3
    assert limit() == 256


def test_decorated_coroutine():
    @ub.use(trace_limit=1)
    async def coroutine(event):
        before = limit()
        try:
            await event.wait()
            return before, limit()
        except asyncio.CancelledError:
            return "cancelled", limit()

    async def main():
        event = asyncio.Event()
        first, second = (asyncio.ensure_future(coroutine(event)) for _ in range(2))
        await asyncio.sleep(0)
        assert limit() == 256
        second.cancel()
        event.set()
        assert await first == (1, 1)
        assert await second == ("cancelled", 1)
        assert await coroutine(event) == (1, 1)
        assert limit() == 256

    assert inspect.iscoroutinefunction(coroutine)
    asyncio.run(main())


def test_decorated_coroutine_between_its_steps():
    class Pause:
        def __await__(self):
            return (yield "paused")

    @ub.use(trace_limit=1)
    async def coroutine():
        with ub.use(x64=True):
            sent = await Pause()
            return sent, limit(), ub.settings().x64

    base = ub.settings()
    steps = coroutine()
    assert steps.send(None) == "paused"
    assert ub.settings() is base
    with pytest.raises(StopIteration) as stop:
        steps.send("sent")
    assert stop.value.value == ("sent", 1, True)
    assert ub.settings() is base


def test_decorated_async_generator():
    log = []

    @ub.use(trace_limit=1)
    async def generator(count):
        try:
            with ub.use(x64=True):
                for index in range(count):
                    await asyncio.sleep(0)
                    try:
                        sent = yield index, limit(), ub.settings().x64
                    except KeyError:
                        sent = "caught"
                    log.append((sent, limit()))
        finally:
            await asyncio.sleep(0)
            log.append(("end", limit(), ub.settings().x64))

    async def main():
        base = ub.settings()
        async for value in generator(2):
            assert value[1:] == (1, True)
            assert ub.settings() is base
        assert log == [(None, 1), (None, 1), ("end", 1, False)]
        log.clear()
        steps = generator(9)
        assert await steps.asend(None) == (0, 1, True)
        assert await steps.asend("sent") == (1, 1, True)
        assert await steps.athrow(KeyError()) == (2, 1, True)
        assert ub.settings() is base
        await steps.aclose()
        assert log == [("sent", 1), ("caught", 1), ("end", 1, False)]
        steps = generator(9)
        await anext(steps)
        with pytest.raises(ZeroDivisionError):
            await steps.athrow(ZeroDivisionError())
        assert ub.settings() is base
        assert [value async for value in generator(0)] == []

    assert inspect.isasyncgenfunction(generator)
    asyncio.run(main())


# ---- tasks and threads -------------------------------------------------------------------------

NAMES = ("jax", "tensorflow", "numpy")


def test_eight_tasks_never_mix():
    async def task(number):
        name = NAMES[number % 3]
        for step in range(50):
            with ub.use(name, trace_limit=number + 1):
                await asyncio.sleep(0)
                assert (ub.settings().backend, limit()) == (name, number + 1)
                with ub.use(NAMES[(number + step) % 3]):
                    await asyncio.sleep(0)
                    assert ub.settings().backend == NAMES[(number + step) % 3]
            await asyncio.sleep(0)
            assert ub.settings() is base

    async def main():
        await asyncio.gather(*(task(number) for number in range(8)))

    base = ub.settings()
    asyncio.run(main())
    assert ub.settings() is base


def run_threads(function, count=8):
    errors = []

    def run(number):
        try:
            function(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_eight_threads_never_mix():
    start = threading.Barrier(8)

    def thread(number):
        name = NAMES[number % 3]
        start.wait()
        for step in range(200):
            with ub.use(name, trace_limit=number + 1):
                assert (ub.settings().backend, limit()) == (name, number + 1)
                with ub.use(NAMES[(number + step) % 3]):
                    assert ub.settings().backend == NAMES[(number + step) % 3]
                    assert limit() == number + 1

    base = ub.settings()
    run_threads(thread)
    assert ub.settings() is base


def test_a_new_thread_starts_from_what_configure_set():
    ub.configure(trace_limit=3)
    seen = []
    with ub.use(trace_limit=1):
        run_threads(lambda _: seen.append(limit()), 1)
    assert seen == [3]


def test_configure_of_many_threads_loses_nothing():
    values = [{"trace_limit": 7}, {"x64": True}, {"xla": False}, {"compile": False}]
    values += [
        {"memory": "grow"},
        {"device": "cpu"},
        {"float64_input": "allow"},
        {"backend": "numpy"},
    ]
    start = threading.Barrier(8)

    def thread(number):
        start.wait()
        ub.configure(**values[number])

    run_threads(thread)
    for value in values:
        for name, expected in value.items():
            assert getattr(ub.settings(), name) == expected


def test_a_scope_that_threads_share_sees_configure_at_once():
    """A reader in a copied context never gets a value that is older than one it has seen."""
    stop = threading.Event()
    with ub.use(x64=True):
        contexts = [contextvars.copy_context() for _ in range(4)]

    def reader():
        last = 0
        while not stop.is_set():
            ub_limit = limit()
            assert ub.settings().x64
            assert ub_limit >= last or ub_limit == 256
            last = ub_limit if ub_limit != 256 else last
        return last

    def thread(number):
        if number < 4:
            contexts[number].run(reader)
            return
        for value in range(1000, 1200):
            ub.configure(trace_limit=value)
        stop.set()

    run_threads(thread, 5)


def test_first_need_in_many_threads_gives_one_object():
    start = threading.Barrier(8)
    seen = []

    def thread(_):
        start.wait()
        seen.append(ub.settings())

    run_threads(thread)
    assert all(settings is seen[0] for settings in seen)


# ---- listeners ---------------------------------------------------------------------------------


def test_listeners_hear_every_change_before_it():
    heard = []

    def listener(old, new, kind):
        heard.append((old.trace_limit, new.trace_limit, kind, limit()))

    on_change.append(listener)
    ub.configure(trace_limit=1)
    with ub.use(trace_limit=2):
        ub.configure(trace_limit=3)
    assert heard == [
        (256, 1, "configure", 256),
        (1, 2, "enter", 1),
        (2, 2, "configure", 2),
        (2, 3, "exit", 3),
    ]


def test_a_listener_that_refuses():
    heard = []

    def witness(old, new, kind):
        heard.append((old.trace_limit, new.trace_limit, kind))

    def refuse(old, new, kind):
        raise SettingsError("not here and now")

    before = ub.configure(trace_limit=1)
    on_change[:] = [witness, refuse]
    with pytest.raises(SettingsError, match="not here and now"):
        ub.configure(trace_limit=2)
    assert ub.settings() is before
    with pytest.raises(SettingsError, match="not here and now"), ub.use(trace_limit=2):
        pytest.fail("entered")
    assert ub.settings() is before
    assert heard == [(1, 2, "configure"), (2, 1, "configure"), (1, 2, "enter"), (2, 1, "enter")]


def test_a_listener_that_cannot_take_back():
    def once(old, new, kind):
        if new.trace_limit == 256:
            raise RuntimeError("cannot go back")

    def refuse(old, new, kind):
        raise SettingsError("not here and now")

    on_change[:] = [once, refuse]
    with pytest.raises(SettingsError, match="not here and now") as error:
        ub.configure(trace_limit=2)
    assert "cannot go back" in error.value.__notes__[0]


# ---- speed -------------------------------------------------------------------------------------


def test_current_is_cheap():
    import timeit

    def per_call():
        return min(timeit.repeat(current, number=20_000, repeat=7)) / 20_000 * 1e6

    def empty():
        pass

    bound = 10 * min(timeit.repeat(empty, number=20_000, repeat=7)) / 20_000 * 1e6  # 0.15 us here
    assert per_call() < max(bound, 0.15)
    with ub.use("numpy"):
        assert per_call() < max(bound, 0.15)
