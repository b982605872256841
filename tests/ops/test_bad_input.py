"""What does not fit is the same error, to the letter, on every backend: for every operation.

From an operation's signature and one good call come many others, in each of which one argument is
another: of another dtype or shape, no array at all, out of range, of a wrong type, left out or not
known. Most are mistakes, some are not. Either way the backends must agree.
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

import unibackend as ub
from unibackend import _dispatch, errors

from ..conftest import BACKENDS
from .table import ROWS

OPERATIONS = [name for name in ROWS if not name.startswith("_")]

Call = tuple[tuple[Any, ...], dict[str, Any]]


def square() -> Any:
    return np.asarray([[2, 0.5], [0.5, 1]], "float32")


def line() -> Any:
    return np.asarray([0.25, 0.5, 0.75], "float32")


INDICES = np.asarray([[0, 1], [1, 0]], "int32")

# A good call of each operation that takes more, or other things, than square matrices.
GOOD: dict[str, Call] = {
    "arange": ((5,), {}),
    "astype": ((square(), "float32"), {}),
    "broadcast_arrays": ((square(), square()), {}),
    "broadcast_to": ((square(), (2, 2, 2)), {}),
    "clip": ((square(), 0.0, 1.0), {}),
    "concat": (([square(), square()],), {}),
    "dynamic_slice": ((square(), np.asarray([0, 1], "int32"), (1, 1)), {}),
    "dynamic_update_slice": ((square(), square()[:1], np.asarray([0, 0], "int32")), {}),
    "einsum": (("ij,jk->ik", square(), square()), {}),
    "empty": (((2, 2),), {}),
    "expand_dims": ((square(), 0), {}),
    "eye": ((2,), {}),
    "fft.fftfreq": ((4,), {}),
    "fft.rfftfreq": ((4,), {}),
    "full": (((2, 2), 1.0), {}),
    "full_like": ((square(), 1.0), {}),
    "linalg.cross": ((line(), line()), {}),
    "linalg.matrix_power": ((square(), 2), {}),
    "linalg.outer": ((line(), line()), {}),
    "linspace": ((0.0, 1.0, 3), {}),
    "meshgrid": ((line(), line()), {}),
    "moveaxis": ((square(), 0, 1), {}),
    "nn.one_hot": ((INDICES, 3), {}),
    "ones": (((2, 2),), {}),
    "pad": ((square(), 1), {}),
    "permute_dims": ((square(), (1, 0)), {}),
    "repeat": ((line(), 2), {}),
    "reshape": ((square(), (4,)), {}),
    "roll": ((square(), 1), {}),
    "searchsorted": ((line(), line()), {}),
    "segment_sum": ((square(), np.asarray([0, 1], "int32"), 2), {}),
    "squeeze": ((square()[:1], 0), {}),
    "stack": (([square(), square()],), {}),
    "take": ((line(), INDICES), {}),
    "take_along_axis": ((square(), INDICES), {}),
    "tensordot": ((square(), square()), {"axes": 1}),
    "tile": ((square(), (1, 2)), {}),
    "top_k": ((square(), 1), {}),
    "zeros": (((2, 2),), {}),
    **dict.fromkeys(
        (
            *("bitwise_and", "bitwise_or", "bitwise_xor"),
            *("bitwise_left_shift", "bitwise_right_shift"),
        ),
        ((INDICES, INDICES), {}),
    ),
    "bitwise_invert": ((INDICES,), {}),
    "cumulative_prod": ((line(),), {}),
    "cumulative_sum": ((line(),), {}),
}

DTYPES = (
    *("bool", "int8", "uint8", "int32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)

# In place of an array.
SHAPES: tuple[tuple[int, ...], ...] = (
    (),
    (0,),
    (2,),
    (5,),
    (0, 2),
    (2, 3),
    (2, 2, 2),
    (3, 1, 5, 1),
)
NO_ARRAYS: dict[str, Any] = {
    "None": None,
    "ragged": [[1.0, 2.0], [3.0]],
    "text": "text",
    "texts": np.asarray(["a", "b"]),
    "objects": np.asarray([None, 1.0], object),
    "dates": np.asarray(["2020-01-01"], "datetime64[D]"),
    "masked": np.ma.masked_array([1.0, 2.0], [True, False]),
    "nested None": [1.0, None],
    "nested text": [1.0, "a"],
    "set": {1.0},
    "mapping": {"a": 1.0},
    "function": len,
    "number": 2,
    "real": 1.5,
    "complex": 1j,
    "True": True,
    "list": [1.0, 2.0],
    "empty": [],
}

# In place of an argument that is no array.
OTHERS: dict[str, Any] = {
    "None": None,
    "text": "text",
    "real": 1.5,
    "complex": 1j,
    "bool": True,
    "out of range": 7,
    "below range": -7,
    "zero": 0,
    "huge": 2**70,
    "pair": (0, 1),
    "same twice": (0, 0),
    "same twice, from either end": (0, -1, 1, -2),
    "reals": (0.5, 1),
    "texts": ("a", "b"),
    "none": (),
    "list": [0, 1],
    "nested": ((0, 1), (1, 0)),
    "array": np.asarray([0, 1]),
    "reals in an array": np.asarray([0.5]),
    "index": np.int64(1),
    "infinite": float("inf"),
    "nan": float("nan"),
    "type": int,
    "object": "object",
    "wide": "float64",
    "dtype": np.dtype("float32"),
}


def good(name: str) -> Call:
    """Return a call of an operation that succeeds."""
    if name in GOOD:
        args, options = GOOD[name]
        return args, dict(options)
    spec = _dispatch.DECLARED[name]
    return tuple(square() for _ in spec.arrays if _ not in spec.optional), {}


def parameters(name: str) -> list[inspect.Parameter]:
    return list(inspect.signature(_dispatch.DECLARED[name].declaration).parameters.values())


def changes(name: str) -> Iterator[tuple[str, Call]]:
    """Yield calls in which one argument is another, each with what is told apart."""
    args, options = good(name)
    spec = _dispatch.DECLARED[name]
    yield "good", (args, options)
    for place, one in enumerate(parameters(name)):
        variadic = one.kind is one.VAR_POSITIONAL
        sequence = one.annotation.startswith("Sequence[ArrayLike]")
        is_array = one.name in spec.arrays or variadic
        for label, value in values(one.name, is_array, args, place):
            given = [value, square()] if sequence else value
            if one.kind is one.KEYWORD_ONLY or place > len(args):
                yield f"{one.name}, {label}", (args, {**options, one.name: given})
            else:
                changed = (*args[:place], given, *args[place + 1 :])
                yield f"{one.name}, {label}", (changed, options)
        if sequence:
            for label, value in NO_ARRAYS.items():
                yield f"{one.name}, alone, {label}", ((value, *args[1:]), options)
    yield "unknown", (args, {**options, "unknown": 1})
    yield "nothing", ((), {})
    yield "too many", ((*args, *range(6)), options)


def values(
    name: str, is_array: bool, args: tuple[Any, ...], place: int
) -> Iterator[tuple[str, Any]]:
    if not is_array:
        yield from OTHERS.items()
        return
    own = args[place] if place < len(args) else 1.0
    for dtype in DTYPES:
        with np.errstate(all="ignore"):
            array = np.asarray(own, float).astype(ub.dtypes.as_dtype(dtype))
        yield dtype, ub.asarray(array)
        if np.ndim(own) and dtype in ("bool", "float64"):
            yield f"{dtype} from the host", array
    for shape in SHAPES:
        dtype = getattr(own, "dtype", "float32")
        yield f"of shape {shape}", ub.zeros(shape, dtype=dtype)
    yield from NO_ARRAYS.items()


def outcome(call: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Return the class and text of an error, or the shapes and dtypes of what is returned.

    Which devices there are is each backend's own.
    """
    try:
        with np.errstate(all="ignore"):
            result = call(*args, **options)
    except Exception as error:
        text = str(error)
        return type(error), "device=" if text.startswith("device=") else text
    results = result if isinstance(result, tuple | list) else (result,)
    return [(tuple(one.shape), one.dtype.name) for one in results]


def outcomes(name: str) -> dict[str, Any]:
    """Return the outcome of changed calls on the active backend.

    Every third is tried, others for the next operation; all of them when Hypothesis is told to be
    thorough.
    """
    call, few = _dispatch.DECLARED[name].call, settings().max_examples < 100
    return {
        label: outcome(call, *changed)
        for label, changed in changes(name)
        if label == "good" or not few or zlib.crc32(f"{name} {label}".encode()) % 3 == 0
    }


def is_ours(name: str, error: type[Exception], text: str) -> bool:
    """Tell whether an error was raised on purpose: by this library or by Python's signatures."""
    if issubclass(error, errors.UnibackendError):
        builtin = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError)
        return text.startswith((f"{name}: ", "device=")) and issubclass(error, builtin)
    if error is TypeError:
        return text.startswith(f"{name.rpartition('.')[2]}() ")
    return False


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_does_not_fit_is_the_same_everywhere(name: str) -> None:
    found = {}
    before = np.geterr()
    for backend in BACKENDS:
        with ub.use(backend, x64=True):
            found[backend] = outcomes(name)
    assert np.geterr() == before
    reference = found["numpy"]
    assert isinstance(reference["good"], list)
    different = {
        label: [one[label] for one in found.values()]
        for label in reference
        if any(one[label] != reference[label] for one in found.values())
    }
    assert different == {}
    strange = {
        label: result
        for label, result in reference.items()
        if isinstance(result, tuple) and not is_ours(name, *result)
    }
    assert strange == {}
