"""What goes into a trace of JAX and what comes out, and JAX's errors in this library's words."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ... import dtypes
from ..._dispatch import SCALARS, owner_of_type
from ..._entry import enter, private
from ...errors import TracingError, escaped, no_output, value_needed

# What JAX raises where a value was needed that a trace does not have.
TRACING_ERRORS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
    jax.errors.UnexpectedTracerError,
)


def argument(leaf: Any, name: str) -> Any:
    """Return a leaf as `jax.jit` may have it: numbers weak, NumPy arrays private."""
    cls = type(leaf)
    if cls in SCALARS:
        return dtypes.fit(leaf, dtypes.default(int), name) if cls is int else leaf
    owner = owner_of_type(cls)
    if owner is not None:
        return leaf  # an array, or a container that JAX knows
    if isinstance(leaf, np.ndarray | np.generic):
        return private(leaf, f"{name}: an argument")
    from . import _backend  # the backend is made of this module

    return enter(_backend, leaf, function=name)


def strong(x: Any, name: str = "the function") -> Any:
    """Return an output without weakness: a number becomes an array of the default dtype.

    Raises:
        DtypeError: it is no array or number.
    """
    from . import _backend

    if type(x) in SCALARS:
        return jnp.asarray(np.asarray(x, dtypes.default(type(x))))
    owner = owner_of_type(type(x))
    if owner is None:
        return enter(_backend, x, function=name, argument="an output")
    if owner is not _backend:
        raise no_output(name, x)
    if getattr(x, "weak_type", False):
        wanted = dtypes.default(dtypes.PYTHON_TYPES[x.dtype.kind])
        return jax.lax.convert_element_type(x, wanted)
    return x


def tracing_error(name: str, error: Exception) -> TracingError:
    if isinstance(error, jax.errors.UnexpectedTracerError):
        return escaped(name)
    lines = str(error).strip().splitlines()
    says = lines[0] if lines else type(error).__name__
    cure = (
        "NumPy cannot compute with it: use the functions of ub, as ub.sin in place of np.sin. "
        if isinstance(error, jax.errors.TracerArrayConversionError)
        else ""
    )
    return value_needed(name, f"{cure}JAX says: {says}", error)


def origins(error: TracingError, name: str, leaves: list[Any]) -> list[int]:
    """Return the leaves of a compiled function that a value which was asked for depends on.

    JAX says it in its message, by the names of the parameters of what `jax.jit` was given.
    """
    cause = error.__cause__ or _asked(error.array)
    found = re.search(
        r"tracing the function (\S+) at .* depends on the values? of the arguments? (.*)",
        str(cause),
    )
    if found is None or found[1] != name.rpartition(".")[2]:
        return []
    return [int(i) for i in re.findall(r"leaves\[(\d+)\]", found[2])]


def _asked(x: object) -> Exception | None:
    """Return JAX's error for an array whose values are asked for."""
    try:
        np.asarray(x)
    except jax.errors.TracerArrayConversionError as error:
        return error
    return None
