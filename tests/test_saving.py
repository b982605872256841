"""Trees in files: what comes back, what a failure leaves, and what a stranger's file can do."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import zipfile
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import unibackend as ub
from unibackend.errors import (
    DtypeError,
    FileFormatError,
    PrecisionWarning,
    RangeError,
    SettingsError,
    ShapeError,
    TracingError,
)

from .ops.operands import ALL, arrays, named, shapes

Line = namedtuple("Line", "slope offset")


@dataclass
class Layer:
    weights: Any
    bias: Any
    name: str


ub.tree.register(
    Layer, lambda x: ((x.weights, x.bias), x.name), lambda name, children: Layer(*children, name)
)


@st.composite
def any_array(draw: st.DrawFn) -> Any:
    dtype = named(draw(st.sampled_from(ALL)))
    return draw(arrays(dtype, draw(shapes())))


KEYS = st.text() | st.integers() | st.booleans() | st.none() | st.tuples(st.text(), st.integers())
LEAVES = (
    *(any_array(), any_array(), st.none(), st.booleans(), st.integers()),
    *(st.floats(), st.complex_numbers(), st.text()),
)
TREES = st.recursive(
    st.one_of(*LEAVES),
    lambda part: (
        st.lists(part, max_size=3)
        | st.lists(part, max_size=3).map(tuple)
        | st.dictionaries(KEYS, part, max_size=3)
    ),
    max_leaves=8,
)


def same(found: Any, right: Any) -> bool:
    """Tell whether two trees are the same, arrays bit by bit."""
    if isinstance(right, np.ndarray):
        array = ub.to_numpy(found)
        alike = (array.dtype, array.shape) == (right.dtype, right.shape)
        return alike and array.tobytes() == right.tobytes()
    if type(found) is not type(right):
        return False
    if isinstance(right, dict):
        return [*found] == [*right] and all(same(found[k], right[k]) for k in right)
    if isinstance(right, list | tuple):
        return len(found) == len(right) and all(map(same, found, right))
    return repr(found) == repr(right)  # nan and -0.0 too


@given(tree=TREES)
def test_a_tree_comes_back_bit_by_bit(
    backend: str, tmp_path_factory: pytest.TempPathFactory, tree: Any
) -> None:
    path = tmp_path_factory.getbasetemp() / "tree.npz"
    mine = ub.tree.map(lambda x: ub.asarray(x) if isinstance(x, np.ndarray) else x, tree)
    ub.save(path, mine)
    found = ub.load(path)
    assert same(found, tree)
    for leaf, was in zip(ub.tree.leaves(found), ub.tree.leaves(tree), strict=True):
        if isinstance(was, np.ndarray):
            assert ub.backend_of(leaf) == backend
    assert same(ub.load(path, like=tree), tree)
    for other in ("numpy", "jax", "tensorflow"):
        assert same(ub.load(path, backend=other), tree)


@pytest.mark.parametrize("name", ALL)
def test_every_dtype_comes_back(backend: str, tmp_path: Path, name: str) -> None:
    x = ub.asarray([0, 1, 3], dtype=name)
    ub.save(tmp_path / "x", (x, x[0], x[:0], x[::-1]))
    for was, found in zip((x, x[0], x[:0], x[::-1]), ub.load(tmp_path / "x"), strict=True):
        assert (found.dtype, found.shape) == (was.dtype, was.shape)
        assert ub.to_numpy(found).tobytes() == ub.to_numpy(was).tobytes()


def test_arrays_of_all_backends_in_one_file(backend: str, tmp_path: Path) -> None:
    import tensorflow as tf

    host = np.arange(6, dtype=">i4").reshape(2, 3).T
    tree = {name: ub.asarray(host, backend=name) for name in ("numpy", "jax", "tensorflow")}
    rest = {"variable": tf.Variable(host.astype("int32")), "constant": ub.constant(host)}
    ub.save(tmp_path / "x", {**tree, **rest, "scalar": np.float16(0.1)})
    found = ub.load(tmp_path / "x")
    assert found.pop("scalar").dtype == ub.float16
    for x in found.values():
        assert ub.backend_of(x) == backend
        assert ub.to_numpy(x).tolist() == host.tolist()


def test_what_was_loaded_can_be_written_to_on_numpy(tmp_path: Path) -> None:
    with ub.use("numpy"):
        ub.save(tmp_path / "x", ub.zeros(3, dtype="bfloat16"))
        found: Any = ub.load(tmp_path / "x")
    found[0] = 1
    assert found.tolist() == [1, 0, 0]


# ---- structures --------------------------------------------------------------------------------


def test_classes_come_from_like(backend: str, tmp_path: Path) -> None:
    x = ub.asarray([1.0, 2.0])
    tree = {
        "layer": Layer(x, None, "first"),
        "line": Line(x, 3),
        "ordered": OrderedDict(b=x, a=1),
    }
    ub.save(tmp_path / "x", tree)
    other = ub.zeros(2, dtype=x.dtype)
    like = {
        "layer": Layer(other, None, "second"),
        "line": Line(other, 0),
        "ordered": OrderedDict(a=0, b=other),
    }
    found = ub.load(tmp_path / "x", like=like)
    assert found["layer"].name == "second"  # what is no part of the tree is like's
    assert found["line"].offset == 3
    assert list(found["ordered"]) == ["a", "b"]
    assert found["ordered"]["a"] == 1
    for part in (found["layer"].weights, found["line"].slope, found["ordered"]["b"]):
        assert ub.to_numpy(part).tolist() == [1, 2]
    with pytest.raises(ShapeError, match=r"^load: tree\['layer'\] is a Layer in the file.*like="):
        ub.load(tmp_path / "x")


LIKES: dict[str, tuple[Any, Any, type[Exception], str]] = {
    "keys": ({"a": 1}, {"b": 1}, ShapeError, r"tree is a dictionary of the keys \['a'\]"),
    "length": ([1, 2], [1], ShapeError, "tree is a list of 2 in the file"),
    "kind": ([1, 2], (1, 2), ShapeError, "tree is a list of 2 in the file"),
    "deep": ({"a": [1]}, {"a": [[1]]}, ShapeError, r"tree\['a'\]\[0\] is 1 in the file"),
    "none": ({"a": None}, {"a": 1}, ShapeError, r"tree\['a'\] is None in the file"),
    "class": (Line(1, 2), Layer(1, 2, ""), ShapeError, "tree is a Line of"),
    "array": (np.zeros(2), [0, 0], ShapeError, "tree is an array in the file"),
    "shape": (np.zeros(2), np.zeros(3), ShapeError, r"the shape \(2,\) and, in like, \(3,\)"),
    "dtype": (np.zeros(2), np.zeros(2, int), DtypeError, "the dtype float64 and, in like, int64"),
}


@pytest.mark.parametrize("case", LIKES)
def test_another_structure_is_refused(backend: str, tmp_path: Path, case: str) -> None:
    tree, like, error, message = LIKES[case]
    ub.save(tmp_path / "x", tree)
    with pytest.raises(error, match=message):
        ub.load(tmp_path / "x", like=like)


def test_what_a_file_cannot_hold_is_named(backend: str, tmp_path: Path) -> None:
    loop: list[Any] = []
    loop.append(loop)
    wrong: tuple[tuple[Any, type[Exception], str], ...] = (
        ({"a": [1, {2}]}, DtypeError, r"^save: tree\['a'\]\[1\]=\{2\} is a builtins.set, which"),
        ({(1, b""): 0}, DtypeError, r"^save: tree has the key b'', a builtins.bytes"),
        (np.array(["a"]), DtypeError, "^save: tree=.* has the NumPy dtype <U1"),
        (np.array([{}]), DtypeError, "^save: tree=.* has the NumPy dtype object"),
        (np.ma.masked_array([1.0], [True]), DtypeError, "^save: tree is a masked array"),
        (loop, ShapeError, "holds itself"),
    )
    for tree, error, message in wrong:
        with pytest.raises(error, match=message):
            ub.save(tmp_path / "x", tree)
        assert list(tmp_path.iterdir()) == []


def test_arrays_without_values_are_named(tmp_path: Path) -> None:
    def function(x: Any) -> Any:
        ub.save(tmp_path / "x", x)
        return x

    for backend in ("jax", "tensorflow"):
        with ub.use(backend), pytest.raises(TracingError, match="^save: a concrete value"):
            ub.compile(function)(ub.ones(2))
    assert list(tmp_path.iterdir()) == []


def test_dtypes_of_one_framework_alone_are_named(tmp_path: Path) -> None:
    import jax
    import jax.numpy as jnp
    import tensorflow as tf

    for x in (jnp.zeros(2, "int4"), jax.random.key(0), tf.constant(["a"])):
        with pytest.raises(DtypeError, match="dtype"):
            ub.save(tmp_path / "x", [x])


# ---- widths ------------------------------------------------------------------------------------


@pytest.mark.parametrize("x64", [False])
def test_64_bits_enter_a_32_bit_world_as_by_asarray(
    backend: str, x64: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unibackend import _entry

    ub.save(tmp_path / "floats", {"a": np.array([0.1])})
    ub.save(tmp_path / "integers", [np.array([2**40])])
    _entry._warned.clear()
    with pytest.warns(PrecisionWarning, match=r"^load: tree\['a'\] is float64 and comes in"):
        assert ub.load(tmp_path / "floats")["a"].dtype == ub.float32
    with ub.use(float64_input="error"), pytest.raises(DtypeError, match=r"^load: tree\['a'\]"):
        ub.load(tmp_path / "floats")
    with pytest.raises(RangeError, match=r"^load: tree\[0\] holds 1099511627776, which does not"):
        ub.load(tmp_path / "integers")
    with ub.use(x64=True):
        assert ub.load(tmp_path / "floats")["a"].dtype == ub.float64
        assert ub.to_numpy(ub.load(tmp_path / "integers")[0]).tolist() == [2**40]


def test_a_backend_that_is_not_there_is_named(tmp_path: Path) -> None:
    ub.save(tmp_path / "x", 1)
    with pytest.raises(SettingsError, match="^load: backend='tensroflow' is not known"):
        ub.load(tmp_path / "x", backend="tensroflow")


# ---- the file ----------------------------------------------------------------------------------


def test_numpy_reads_the_file(tmp_path: Path) -> None:
    ub.save(tmp_path / "x.npz", {"a": np.eye(2), "b": np.ones(1, ub.bfloat16)})
    with np.load(tmp_path / "x.npz", allow_pickle=False) as found:
        assert found["0"].tolist() == [[1, 0], [0, 1]]
        assert found["1"].tolist() == [0x3F80]
        described = json.loads(found["tree.json"])
    assert described["tree"]["dict"][1] == ["b", {"array": 1, "dtype": "bfloat16"}]


def test_the_same_tree_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        ub.save(tmp_path / name, [np.arange(3), 1.5])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_link_and_the_permissions_stay(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    ub.save(tmp_path / "link", 5)
    assert (tmp_path / "link").is_symlink()
    assert ub.load(tmp_path / "real") == 5
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="^save: path=.*there is no folder .*make it first"):
        ub.save(tmp_path / "no" / "x", 1)
    with pytest.raises(FileNotFoundError):
        ub.load(tmp_path / "x")


# ---- failures ----------------------------------------------------------------------------------


def run(program: str, *arguments: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


FULL = """
import resource, signal, sys, numpy as np, unibackend as ub
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    ub.save(sys.argv[1], [np.ones(1000), np.ones(10**6)])
except OSError as error:
    print(error.errno == 27)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX")
@pytest.mark.parametrize("room", [100, 5000, 10**6, 8_008_400])
def test_a_disk_that_is_full_leaves_the_old_file(tmp_path: Path, room: int) -> None:
    ub.save(tmp_path / "x", "old")
    output, errors = run(FULL, tmp_path / "x", room).communicate(timeout=120)
    assert output == "True\n", errors
    assert os.listdir(tmp_path) == ["x"]
    assert ub.load(tmp_path / "x") == "old"


KILLED = """
import sys, numpy as np, unibackend as ub
for number in range(10**6):
    ub.save(sys.argv[1], [number, np.full(300_000, number)])
    print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_process_that_is_killed_leaves_a_whole_file(tmp_path: Path) -> None:
    for pause in (0.0, 0.001, 0.003, 0.01):
        process = run(KILLED, tmp_path / "x")
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        with ub.use("numpy", x64=True):
            number, x = ub.load(tmp_path / "x")
        assert (x == number).all()


# ---- files of strangers ------------------------------------------------------------------------


def file_of(tree: Any, **members: bytes) -> bytes:
    """Return a file with a description and .npy members of any content."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name.lstrip('_')}.npy", content)
        content = {"format": "unibackend tree", "version": 1, "tree": tree}
        archive.writestr("tree.json", tree if isinstance(tree, str) else json.dumps(content))
    return file.getvalue()


def npy(array: Any, **header: Any) -> bytes:
    file = io.BytesIO()
    if header:
        usual = {"descr": "<f8", "fortran_order": False, "shape": (2,)}
        np.lib.format.write_array_header_1_0(file, {**usual, **header})
        file.write(array)
    else:
        np.lib.format.write_array(file, array)
    return file.getvalue()


def compressed() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.npy", bytes(10**7))
    return file.getvalue()


class Trap:
    def __reduce__(self) -> Any:
        return os.mkdir, ("trap",)


FIRST = {"array": 0, "dtype": "float64"}
NUMBERS = npy(np.ones(2))
STRANGE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "it is no zip file"),
    "text": (b"hello", "it is no zip file"),
    "pickle": (pickle.dumps(Trap()), "it is no zip file"),
    "pickle inside": (
        file_of(FIRST, _0=npy(np.array([Trap()], object))),
        "array 0 cannot be read",
    ),
    "compressed": (compressed(), "compressed members"),
    "no tree": (file_of(FIRST, _0=NUMBERS).replace(b"tree.json", b"tree.jsan"), "holds no tree"),
    "no json": (file_of("{"), "its tree.json cannot be read"),
    "no object": (file_of("[]"), "it says []"),
    "no tree in it": (file_of("{}"), "its tree.json cannot be read"),
    "deep json": (file_of("[" * 10**6), "its tree.json cannot be read"),
    "deep tree": (
        file_of('{"tree":' + '{"list":[' * 900 + "]}" * 900 + ', "format": "unibackend tree"'),
        "its tree.json cannot be read",
    ),
    "version": (file_of('{"format": "unibackend tree", "version": 2, "tree": 1}'), "it says"),
    "missing array": (file_of(FIRST), "array 0 is missing"),
    "array twice": (file_of({"list": [FIRST, FIRST]}, _0=NUMBERS), "asked for twice"),
    "array left over": (file_of(None, _0=NUMBERS), "'0.npy', which is in no tree"),
    "path": (file_of({**FIRST, "array": "../x"}, _0=NUMBERS), "tree is described as"),
    "dtype": (file_of({**FIRST, "dtype": "object"}, _0=NUMBERS), "of the dtype 'object'"),
    "other dtype": (file_of({**FIRST, "dtype": "int64"}, _0=NUMBERS), "array 0 cannot be read"),
    "huge": (file_of(FIRST, _0=npy(bytes(16), shape=(2**60,))), "array 0 cannot be read"),
    "huge and empty": (file_of(FIRST, _0=npy(b"", shape=(0, 2**62, 9))), "array 0 cannot be read"),
    "negative": (file_of(FIRST, _0=npy(bytes(16), shape=(-1, -2))), "array 0 cannot be read"),
    "short": (file_of(FIRST, _0=NUMBERS[:-1]), "array 0 cannot be read"),
    "long": (file_of(FIRST, _0=NUMBERS + b" "), "array 0 cannot be read"),
    "no header": (file_of(FIRST, _0=b"\x93NUMPY\x01\x00\xff\xff{"), "array 0 cannot be read"),
    "deep header": (
        file_of(FIRST, _0=b"\x93NUMPY\x01\x00\x00\x20" + b"(" * 8192),
        "array 0 cannot be read",
    ),
    "no bool": (
        file_of({**FIRST, "dtype": "bool"}, _0=npy(b"\x02\x00", descr="|b1")),
        "array 0 cannot be read",
    ),
    "key twice": (file_of({"dict": [["a", 1 > 2], ["a", None]]}), "has a key twice"),
    "no pair": (file_of({"dict": [["a"]]}), "for a key and its value"),
    "no hash": (file_of({"dict": [[{"list": []}, None]]}), "tree is described as"),
    "number": (file_of(5), "tree is described as 5"),
    "no number": (file_of({"int": "five"}), "tree is described as"),
    "no complex": (file_of({"complex": ["0x1p+0"]}), "tree is described as"),
    "unknown": (file_of({"eval": "exit()"}), "tree is described as"),
}


@pytest.mark.parametrize("case", STRANGE)
def test_a_file_of_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.chdir(tmp_path)
    content, message = STRANGE[case]
    Path("x").write_bytes(content)
    with (
        ub.use("numpy"),
        pytest.raises(FileFormatError, match="not a file as ub.save writes it") as caught,
    ):
        ub.load("x")
    assert message in str(caught.value)
    assert os.listdir() == ["x"]


SAVED = file_of(
    {"dict": [["a", FIRST], ["b", {"list": [{"int": "0x5"}, {"array": 1, "dtype": "bool"}]}]]},
    _0=NUMBERS,
    _1=npy(np.array([True, False])),
)


@given(cut=st.integers(0, len(SAVED) - 1))
def test_a_file_that_was_cut_is_refused(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.getbasetemp() / "cut"
    path.write_bytes(SAVED[:cut])
    with ub.use("numpy"), pytest.raises(FileFormatError):
        ub.load(path)


@given(changes=st.lists(st.tuples(st.integers(0, len(SAVED) - 1), st.integers(0, 255))))
def test_a_file_that_was_changed_is_refused_or_the_same(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]
) -> None:
    content = bytearray(SAVED)
    for place, byte in changes:
        content[place] = byte
    path = tmp_path_factory.getbasetemp() / "changed"
    path.write_bytes(content)
    with ub.use("numpy", x64=True):
        try:
            found = ub.load(path)
        except FileFormatError:
            return
    assert same(found, {"a": np.ones(2), "b": [5, np.array([True, False])]})
