"""The settings, what each may be, and what it is if nobody says anything.

Nothing here knows which settings are in force. A value travels with its source, the text by
which reports and errors name the place that it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeAlias, TypedDict

from .errors import BackendNotFoundError, SettingsError

Override: TypeAlias = tuple[str, Any, str]  # the name of a setting, its value, its source

DefaultFloat: TypeAlias = Literal["auto", "float32", "float64"]
Float64Input: TypeAlias = Literal["warn", "allow", "error"]
Precision: TypeAlias = Literal["highest", "high", "default"]
XLA: TypeAlias = Literal["auto"] | bool


class Values(TypedDict, total=False):
    """The settings as keyword arguments, for type checkers and editors."""

    backend: str
    memory: str
    device: str
    x64: bool
    default_float: DefaultFloat
    float64_input: Float64Input
    matmul_precision: Precision
    xla: XLA
    compile: bool
    check_buckets: bool
    check_nans: bool
    trace_limit: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Settings:
    """One value for everything that can be set; printing it shows where each value comes from.

    Attributes:
        backend: the backend of calls without an array of a framework: ``"jax"``,
            ``"tensorflow"``, ``"numpy"`` or one of somebody else's. Given as ``"auto"``, it
            becomes the first of JAX, TensorFlow and NumPy that is installed.
        memory: the memory policy, see `unibackend.memory`.
        device: ``"auto"``, ``"cpu"``, ``"gpu"`` or ``"tpu"``, with an index as in ``"gpu:1"``.
        x64: 64 bit types: off, a 32 bit world as in JAX; on, NumPy's world.
        default_float: the type of floats that say none; ``"auto"`` goes by `x64`.
        float64_input: what happens to float64 values that enter while `x64` is off.
        matmul_precision: how exactly accelerators multiply, as JAX names it.
        xla: whether TensorFlow compiles by XLA; ``"auto"`` where it pays.
        compile: False runs everything eagerly, for a debugger.
        check_buckets: run each padded call of `compile(buckets=...)` once more with other
            padding, and refuse a function that mixes rows.
        check_nans: look for NaNs in all results, see `unibackend.debug.check_nans`.
        trace_limit: how many traces of one function are kept.
    """

    backend: str = "auto"
    memory: str = "default"
    device: str = "auto"
    x64: bool = False
    default_float: DefaultFloat = "auto"
    float64_input: Float64Input = "warn"
    matmul_precision: Precision = "highest"
    xla: XLA = "auto"
    compile: bool = True
    check_buckets: bool = False
    check_nans: bool = False
    trace_limit: int = 256
    _origin: dict[str, str] = field(default_factory=dict, kw_only=True)

    def source(self, name: str) -> str:
        """Return the place that a value comes from: a file and line, a variable or a call.

        Args:
            name: the name of a setting.

        Raises:
            SettingsError: there is no such setting.

        Examples:
            >>> import unibackend as ub
            >>> with ub.use(trace_limit=8) as settings:
            ...     settings.source("trace_limit").partition(" at ")[0]
            'ub.use(...)'
        """
        if name not in NAMES:
            close = suggestion(name, NAMES)
            raise SettingsError(
                f"Settings.source: unknown setting {name!r}{close}. The settings are "
                f"{', '.join(NAMES)}"
            )
        return self._origin.get(name, "default")

    def __str__(self) -> str:
        rows = [(name, str(getattr(self, name)), self.source(name)) for name in NAMES]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        return "\n".join(f"{n:<{widths[0]}}  {v:<{widths[1]}}  {s}" for n, v, s in rows)

    __repr__ = __str__


def check(name: str, value: Any, source: str) -> Override:
    """Return a setting's value with its source, if the setting exists and may be that.

    Raises:
        SettingsError: the name is unknown, or the value misspelt, of a wrong type or out of range.
        BackendNotFoundError: the value is a known backend that is not installed.
    """
    if name not in CHECKS:
        listed = ", ".join(CHECKS)
        close = suggestion(name, CHECKS)
        raise SettingsError(f"{source}: unknown setting {name!r}{close}. The settings are {listed}")
    try:
        CHECKS[name](value)
    except (SettingsError, BackendNotFoundError) as error:
        raise type(error)(f"{source}: {name}={value!r}: {error}") from None
    return name, value, source


def suggestion(wrong: str, allowed: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` for the closest allowed word, or nothing."""
    from difflib import get_close_matches  # for errors only

    by_lower = {word.lower(): word for word in allowed}
    close = get_close_matches(wrong.lower(), by_lower, n=1, cutoff=0.6)
    return f" (did you mean {by_lower[close[0]]!r}?)" if close else ""


def _check_word(*allowed: str, value: Any) -> None:
    if not isinstance(value, str):
        raise SettingsError(f"{_kind(value)} in place of one of {_listed(allowed)}")
    if value not in allowed:
        raise SettingsError(
            f"not allowed{suggestion(value, allowed)}. Allowed are {_listed(allowed)}"
        )


def _check_flag(value: Any) -> None:
    if not isinstance(value, bool):
        raise SettingsError(f"{_kind(value)} in place of True or False")


def _check_xla(value: Any) -> None:
    if not isinstance(value, bool) and not (isinstance(value, str) and value == "auto"):
        raise SettingsError("not allowed. Allowed are 'auto', True, False")


def _check_trace_limit(value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingsError(f"{_kind(value)} in place of an integer of at least 1")
    if value < 1:
        raise SettingsError("out of range; it must be an integer of at least 1")


def _check_device(value: Any) -> None:
    rule = "'auto', 'cpu', 'gpu' or 'tpu', the last three with an index if need be, as in 'gpu:1'"
    if not isinstance(value, str):
        raise SettingsError(f"{_kind(value)} in place of {rule}")
    if not re.fullmatch(r"auto|(cpu|gpu|tpu)(:\d+)?", value, re.ASCII):
        close = suggestion(value.partition(":")[0], ("auto", "cpu", "gpu", "tpu"))
        raise SettingsError(f"not allowed{close}. Allowed are {rule}")


def _check_memory(value: Any) -> None:
    if not isinstance(value, str):
        raise SettingsError(f"{_kind(value)} in place of a memory policy as a text, like 'grow'")
    from .memory import parse  # a module that few programs need

    parse(value)


def _check_backend(value: Any) -> None:
    if not isinstance(value, str):
        raise SettingsError(f"{_kind(value)} in place of the name of a backend")
    if value != "auto":
        _check_installed(value)


@cache  # errors are not kept: a backend may be installed meanwhile
def _check_installed(name: str) -> None:
    from . import backends  # it reads the settings

    if name not in backends.names():
        allowed = ("auto", *backends.names())
        raise SettingsError(
            f"no such backend{suggestion(name, allowed)}. Allowed are {_listed(allowed)}"
        )
    if not backends.is_installed(name):
        raise BackendNotFoundError(backends.missing(name))


def _kind(value: Any) -> str:
    return f"wrong type, {type(value).__name__}"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(repr, words))


CHECKS: dict[str, Callable[[Any], None]] = {
    "backend": _check_backend,
    "memory": _check_memory,
    "device": _check_device,
    "x64": _check_flag,
    "default_float": lambda value: _check_word("auto", "float32", "float64", value=value),
    "float64_input": lambda value: _check_word("warn", "allow", "error", value=value),
    "matmul_precision": lambda value: _check_word("highest", "high", "default", value=value),
    "xla": _check_xla,
    "compile": _check_flag,
    "check_buckets": _check_flag,
    "check_nans": _check_flag,
    "trace_limit": _check_trace_limit,
}

NAMES = tuple(CHECKS)
FLAGS = ("x64", "compile", "check_buckets", "check_nans", "xla")  # in the environment a yes or a no
PREFERRED = ("jax", "tensorflow", "numpy")  # the backend "auto" is the first that is installed
