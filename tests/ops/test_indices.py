"""One rule for indices: out of bounds is an error where they have values; else it is never read
beyond the ends, and nothing is written there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend.errors import DtypeError, OptionError, ShapeError, TracingError

PLACES = [1, 7, -7, -1]  # of five elements

UNKNOWN: dict[str, tuple[Callable[..., Any], list[float]]] = {
    "take": (ub.take, [1, 4, 0, 4]),
    "take_along_axis": (ub.take_along_axis, [1, 4, 0, 4]),
    "get": (lambda x, i: ub.at(x)[i].get(), [1, 4, 0, 4]),
    "set": (lambda x, i: ub.at(x)[i].set(9.0), [0, 9, 2, 3, 9]),
    "add": (lambda x, i: ub.at(x)[i].add(10.0), [0, 11, 2, 3, 14]),
    "subtract": (lambda x, i: ub.at(x)[i].subtract(10.0), [0, -9, 2, 3, -6]),
    "multiply": (lambda x, i: ub.at(x)[i].multiply(10.0), [0, 10, 2, 3, 40]),
    "divide": (lambda x, i: ub.at(x)[i].divide(2.0), [0, 0.5, 2, 3, 2]),
    "power": (lambda x, i: ub.at(x)[i].power(2.0), [0, 1, 2, 3, 16]),
    "min": (lambda x, i: ub.at(x)[i].min(-3.0), [0, -3, 2, 3, -3]),
    "max": (lambda x, i: ub.at(x)[i].max(8.0), [0, 8, 2, 3, 8]),
    "apply": (lambda x, i: ub.at(x)[i].apply(ub.negative), [0, -1, 2, 3, -4]),
    "dynamic_slice": (lambda x, i: ub.dynamic_slice(x, i[1:2], (2,)), [3, 4]),
    "dynamic_slice below": (lambda x, i: ub.dynamic_slice(x, [i[2]], (2,)), [0, 1]),
    "dynamic_update_slice": (
        lambda x, i: ub.dynamic_update_slice(x, x[:2] * 0, [i[3]]),
        [0, 1, 2, 0, 0],
    ),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_indices_out_of_bounds(backend: str, mode: str, name: str) -> None:
    function, right = UNKNOWN[name]
    x, places = ub.asarray(np.arange(5.0)), ub.asarray(PLACES)
    if mode == "eager":
        if name.startswith("dynamic"):
            assert ub.to_numpy(function(x, places)).tolist() == right
        else:
            with pytest.raises(IndexError, match="index (7|-7) is out of bounds for axis 0 with 5"):
                function(x, places)
        return
    with ub.use(xla=mode == "xla"):
        assert ub.to_numpy(ub.compile(function)(x, places)).tolist() == right
        mapped = ub.vmap(function, in_axes=(None, 0))(x, ub.stack([places, places]))
        assert ub.to_numpy(mapped).tolist() == [right, right]


@pytest.mark.parametrize("way", ["jax", "tensorflow", "xla"])
def test_the_gradient_goes_where_the_number_came_from(way: str) -> None:
    owner = "jax" if way == "jax" else "tensorflow"
    right = {
        "take": [3, 1, 0, 0, 6],
        "take_along_axis": [3, 1, 0, 0, 6],
        "get": [3, 1, 0, 0, 6],
        "set": [1, 0, 3, 4, 0],
        "multiply": [1, 20, 3, 4, 50],
        "power": [1, 4, 3, 4, 40],
        "dynamic_slice": [0, 0, 0, 1, 2],
        "dynamic_update_slice": [1, 2, 3, 0, 0],
    }
    with ub.use(owner, x64=True, xla=way == "xla"):
        x, places = ub.asarray(np.arange(5.0)), ub.asarray(PLACES)
        for name, gradient in right.items():

            def weighted(x: Any, places: Any, name: str = name) -> Any:
                result = UNKNOWN[name][0](x, places)
                return ub.sum(result * ub.asarray([1.0, 2.0, 3.0, 4.0, 5.0])[: result.shape[0]])

            found = ub.compile(ub.grad(weighted))(x, places)
            assert ub.to_numpy(found).tolist() == gradient, name


WRONG: list[tuple[str, Callable[[Any], Any], type[Exception], str]] = [
    ("far", lambda x: ub.at(x)[5].get(), IndexError, "^at: index 5 is out of bounds for axis 0"),
    ("far list", lambda x: ub.at(x)[[0, 5]].get(), IndexError, "^at: index 5 is out of bounds"),
    ("before", lambda x: ub.at(x)[0, -5].set(0.0), IndexError, "^at: index -5 .* for axis 1 with"),
    ("many", lambda x: ub.at(x)[0, 0, 0].set(1.0), IndexError, "^at: 3 indices for an array of 2"),
    ("ellipses", lambda x: ub.at(x)[..., ...].get(), IndexError, "^at: two ellipses"),
    ("mask", lambda x: ub.at(x)[[True, False]].set(0.0), IndexError, r"^at: a mask of shape \(2,"),
    ("floats", lambda x: ub.at(x)[ub.asarray([0.5])].get(), DtypeError, "^at: indices are float"),
    ("float", lambda x: ub.at(x)[0.5].get(), IndexError, "^at: 0.5 is not an index"),
    ("text", lambda x: ub.at(x)["a"].set(0.0), IndexError, "^at: 'a' is not an index"),
    ("step", lambda x: ub.at(x)[::0].get(), ShapeError, "^at: a step of 0"),
    ("slice", lambda x: ub.at(x)[0.5:].get(), DtypeError, "^at: slice=0.5 is not an integer"),
    ("apart", lambda x: ub.at(x)[[0, 1], [0, 1, 2]].get(), IndexError, "^at: arrays of indices of"),
    (
        "values",
        lambda x: ub.at(x)[0].set([1.0, 2.0]),
        ShapeError,
        r"^at: values of shape \(2,\) do",
    ),
    ("integers", lambda x: ub.at(ub.astype(x, "int8"))[0].divide(2), DtypeError, "floats and"),
    ("complex", lambda x: ub.at(x * 1j)[0].min(0), DtypeError, "what has an order"),
    ("bools", lambda x: ub.at(x > 0)[0].subtract(True), DtypeError, "numbers, not bools"),
    ("starts", lambda x: ub.dynamic_slice(x, [1], (2, 2)), ShapeError, "one integer for each of"),
    ("sizes", lambda x: ub.dynamic_slice(x, [1, 1], (4, 2)), ShapeError, "is not part of an"),
    ("start", lambda x: ub.dynamic_slice(x, [1.0, 1], (1, 2)), DtypeError, "indices are float"),
    ("update", lambda x: ub.dynamic_update_slice(x, x * 1j, [0, 0]), DtypeError, "would change it"),
    ("widths", lambda x: ub.pad(x, (1, 2, 3)), ShapeError, "a pair for each axis"),
    ("width", lambda x: ub.pad(x, -1), ShapeError, "negative width"),
    ("mode", lambda x: ub.pad(x, 1, mode="x"), OptionError, "mode='x' is not one of 'constant'"),  # type: ignore[arg-type]
    ("nothing", lambda x: ub.pad(x[:0], 1, mode="edge"), ShapeError, "has no elements that"),
    ("constant", lambda x: ub.pad(x, 1, constant_values=1j), DtypeError, "constant_values of comp"),
    ("grid", lambda x: ub.meshgrid(x), ShapeError, "each array has one axis"),
    ("indexing", lambda x: ub.meshgrid(x[0], indexing="a"), OptionError, "one of 'xy', 'ij'"),  # type: ignore[arg-type]
    ("order", lambda x: ub.reshape(x, (4, 3), order="A"), OptionError, "one of 'C', 'F'"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("name", "call", "error", "text"), WRONG, ids=[one[0] for one in WRONG])
def test_is_an_error(backend: str, name: str, call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call(ub.asarray(np.arange(12.0).reshape(3, 4)))


def test_masks_without_values_take_one_number(backend: str) -> None:
    x, mask = ub.asarray(np.arange(6.0).reshape(3, 2)), ub.asarray([True, False, True])
    for update, right in (
        (lambda x, m: ub.at(x)[m].set(9), [[9, 9], [2, 3], [9, 9]]),
        (lambda x, m: ub.at(x)[m].add(1.0), [[1, 2], [2, 3], [5, 6]]),
        (lambda x, m: ub.at(x)[m].divide(2), [[0, 0.5], [2, 3], [2, 2.5]]),
    ):
        assert ub.to_numpy(ub.compile(update)(x, mask)).tolist() == right
    if backend == "numpy":
        return
    for call in (lambda x, m: ub.at(x)[m].get(), lambda x, m: ub.at(x)[m].set(x[:2])):
        with pytest.raises(TracingError, match=r"ub.where\(mask, other, x\)"):
            ub.compile(call)(x, mask)
    constant = ub.compile(lambda x: ub.at(x)[[True, False, True]].set(x[:2]))(x)
    assert ub.to_numpy(constant).tolist() == [[0, 1], [2, 3], [2, 3]]


def test_a_key_holds_what_belongs_to_the_backend(backend: str) -> None:
    x = ub.asarray(np.arange(6.0).reshape(3, 2))
    for key in ([0, 2], np.array([0, 2]), ub.asarray([0, -1]), [ub.asarray(0), 2]):
        assert ub.to_numpy(ub.at(x)[key].get()).tolist() == [[0, 1], [4, 5]]
    assert ub.at(x)[[]].get().shape == (0, 2)
    assert ub.to_numpy(ub.at(x)[np.int64(1)].set([7, 8.0])).tolist() == [[0, 1], [7, 8], [4, 5]]
    assert ub.to_numpy(ub.at(x)[True].set(0.0)).tolist() == [[0, 0]] * 3
