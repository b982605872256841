"""A file of arrays and a description: an .npz of NumPy's, written whole or not at all.

It is NumPy's container, a zip file that holds an .npy for each array (`numpy.load` reads it too),
with `tree.json` beside them. Nothing of a file is believed when it is read: members are
uncompressed and no larger together than the file, an array has as many bytes as its shape says,
and no object is ever made from what a file names.
"""

from __future__ import annotations

import errno
import json
import math
import os
import secrets
import shutil
import struct
import tokenize
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import numpy as np

from . import dtypes
from ._entry import HostArray
from .errors import FileFormatError

PathLike = str | os.PathLike[str]

DESCRIPTION = "tree.json"
FORMAT = {"format": "unibackend tree", "version": 1}

# What bytes that are no whole zip file of .npy files make zipfile, json and NumPy raise.
_DAMAGED: tuple[type[Exception], ...] = (
    *(zipfile.BadZipFile, struct.error, EOFError, SyntaxError, tokenize.TokenError),
    *(ValueError, LookupError, TypeError, OverflowError, RuntimeError, OSError),
)

_PIECE = 2**24


@contextmanager
def replacing(path: PathLike) -> Iterator[IO[bytes]]:
    """Give a new file that takes the place of `path` once the block has ended without an error.

    Raises:
        FileNotFoundError: the folder does not exist.
    """
    target = os.path.realpath(os.fsdecode(path))  # a link stays, what it names is replaced
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(
            f"save: path={os.fsdecode(path)!r}: there is no folder {folder!r}; make it first"
        )
    temporary = os.path.join(folder, f".unibackend-{secrets.token_hex(8)}.part")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    if os.name == "posix":  # a folder keeps the new name after a crash once it is written itself
        with suppress(OSError):  # some network file systems refuse
            number = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)


@contextmanager
def writing(path: PathLike) -> Iterator[Writer]:
    """Give what writes arrays and a description into a file that then takes the place of `path`."""
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        yield Writer(archive)


class Writer:
    """What writes arrays one after the other, and the description of the tree at the end."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        self._count = 0

    def add(self, array: HostArray) -> dict[str, Any]:
        """Write an array and return what names it in the description."""
        number = self._count
        self._count += 1
        name = array.dtype.name
        if name == "bfloat16":
            array = array.view(dtypes.uint16)
        array = array.astype(_stored(name), order="C", copy=False)
        with self._zip.open(f"{number}.npy", "w", force_zip64=True) as member:
            np.lib.format.write_array(member, array, allow_pickle=False)
        return {"array": number, "dtype": name}

    def describe(self, tree: Any) -> None:
        """Write the description, of what JSON can hold."""
        self._zip.writestr(zipfile.ZipInfo(DESCRIPTION), json.dumps({**FORMAT, "tree": tree}))


class Reader:
    """What reads each array of a file once."""

    def __init__(self, file: IO[bytes], path: PathLike) -> None:
        self._path = os.fsdecode(path)
        size = os.fstat(file.fileno()).st_size
        with self._trusting_nothing("it is no zip file"):
            self._zip = zipfile.ZipFile(file)
            members = self._zip.infolist()
        if any(member.compress_type != zipfile.ZIP_STORED for member in members):
            raise self.damaged("it holds compressed members")
        if sum(member.file_size for member in members) > size:
            raise self.damaged("its members are larger together than the file")
        self._left = {member.filename: member for member in members}

    def tree(self) -> Any:
        """Return the description of the tree."""
        if DESCRIPTION not in self._left:
            raise self.damaged(f"it holds no {DESCRIPTION}")
        with self._trusting_nothing(f"its {DESCRIPTION} cannot be read"):
            content = json.loads(self._zip.read(self._left.pop(DESCRIPTION)))
            tree = content.pop("tree") if isinstance(content, dict) else None
        if content != FORMAT:
            raise self.damaged(f"it says {content!r:.80}, where {FORMAT} is read here")
        return tree

    def array(self, number: int, name: str) -> HostArray:
        """Return an array in a buffer of its own.

        Args:
            number: which one.
            name: its dtype, as the description has it.
        """
        if name not in dtypes.NAMES:
            raise self.damaged(f"it has an array of the dtype {name!r:.40}")
        member = self._left.pop(f"{number}.npy", None)
        if member is None:
            raise self.damaged(f"array {number} is missing, or asked for twice")
        with (
            self._trusting_nothing(f"array {number} cannot be read"),
            self._zip.open(member) as npy,
        ):
            array = np.empty(_shape(npy, member.file_size, _stored(name)), _stored(name))
            _fill(npy, array)
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        return array.view(dtypes.bfloat16) if name == "bfloat16" else array

    def finish(self) -> None:
        """Check that nothing is left over."""
        if self._left:
            raise self.damaged(f"it holds {sorted(self._left)[0]!r:.80}, which is in no tree")

    def damaged(self, reason: str) -> FileFormatError:
        """Return the error for a file that `save` has not written like this."""
        return FileFormatError(
            f"load: path={self._path!r} is not a file as ub.save writes it: {reason}. It was cut "
            f"or changed, or something else has written it"
        )

    @contextmanager
    def _trusting_nothing(self, reason: str) -> Iterator[None]:
        try:
            yield
        except _DAMAGED as error:
            if isinstance(error, OSError) and error.errno != errno.EINVAL:
                raise  # a disk that fails is another matter than a place before the file's begin
            raise self.damaged(f"{reason} ({type(error).__name__}: {error!s:.120})") from error


def _stored(name: str) -> dtypes.Dtype:
    """Return the dtype by which the bytes of an array are written: NumPy names no bfloat16."""
    return np.dtype("uint16" if name == "bfloat16" else name).newbyteorder("<")


def _shape(npy: IO[bytes], size: int, dtype: dtypes.Dtype) -> tuple[int, ...]:
    """Return the shape that an .npy begins with, if the rest has as many bytes.

    Raises:
        ValueError: it has not, or is of another dtype.
    """
    if np.lib.format.read_magic(npy) != (1, 0):
        raise ValueError("not version 1.0 of the format")
    try:
        shape, fortran, found = np.lib.format.read_array_header_1_0(npy)
    except MemoryError:  # Python's parser, of many brackets
        raise ValueError("a header that is nested too deep") from None
    if fortran or found != dtype:
        raise ValueError(f"the array is not of the dtype {dtype.name} in order")
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != size - npy.tell():
        raise ValueError(f"the shape {shape!r:.80} asks for other bytes than there are")
    return shape


def _fill(npy: IO[bytes], array: HostArray) -> None:
    """Read the numbers of an array, to the end, where the checksum is compared."""
    buffer = array.reshape(-1).view(np.uint8)
    start = 0
    while piece := npy.read(_PIECE):
        buffer[start : start + len(piece)] = np.frombuffer(piece, np.uint8)
        start += len(piece)
    if start != buffer.size or (array.dtype == bool and (buffer > 1).any()):
        raise ValueError("not the bytes that its shape and dtype ask for")
