"""Why a function was traced: what differs from the trace before, and the warning about it.

All of this runs when a trace is made, never when one is found. What is remembered of a trace is
texts and hashes, no objects, so that explaining keeps nothing alive.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from reprlib import repr as short_repr
from typing import Any, NamedTuple

from .._lines import stacklevel
from ..errors import RetraceWarning
from ..settings import current
from .cache import TRACE_SETTINGS, Key, trace_settings
from .captured import described
from .signature import Spec, signature_of

# 200 batch sizes in buckets of powers of two are 9 traces: as many are nothing to warn of.
_RETRACES = 8

# What a trace is for, leaf by leaf: the dtype, the shape, and whether it is a Python number.
Aval = tuple[str, tuple[Any, ...], bool]


class Difference(NamedTuple):
    """One thing that differs from the trace before."""

    kind: str
    label: str  # what `cache_info().reasons` counts
    change: str
    remedy: str


class _Portrait(NamedTuple):
    structure: str
    names: list[str]  # of all leaves
    which: tuple[bool, ...]
    statics: list[tuple[str, int]]  # how each looks, and its hash
    ranges: tuple[Any, ...]
    options: str
    captured: list[tuple[str, int]]
    avals: Sequence[Aval]
    settings: tuple[Any, ...]


class Reasons:
    """The reasons of one function's traces on one backend: counted, and warned of."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._named = spec.parameters is not None  # the spec can name arguments
        self._last: _Portrait | None = None
        self._retraces = 0  # since the last warning
        self._told: set[str] = set()
        self.counts: dict[str, int] = {}

    def note(self, key: Key | None, avals: Sequence[Aval]) -> None:
        """Count a trace that was made, and warn if there are too many for one reason.

        Args:
            key: what it is for.
            avals: dtype, shape and weakness of each leaf that is traced.
        """
        if key is None:
            return
        last, new = self._last, self._portrait(key, avals)
        self._last = new
        if last is None:
            self._count("first call")
            return
        found = list(_differences(last, new, self._spec.transformation)) or [_NOTHING]
        self._count(found[0].label)
        if self._spec.bucketed and found[0].kind == "shape":
            return  # a trace for each bucket is what was asked for
        self._retraces += 1
        if self._retraces > _RETRACES and found[0].kind not in self._told:
            self._told.add(found[0].kind)
            self._retraces = 0
            self._warn(found)

    def _count(self, label: str) -> None:
        self.counts[label] = self.counts.get(label, 0) + 1

    def _warn(self, found: list[Difference]) -> None:
        spec = self._spec
        others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        warnings.warn(
            f"{spec.transformation}: {spec.name} was traced {sum(self.counts.values())} times. "
            f"What differs from the trace before: {found[0].change}{others}. "
            f"Remedy: {found[0].remedy}. cache_info().reasons has the counts",
            RetraceWarning,
            stacklevel=stacklevel(),
        )

    def _portrait(self, key: Key, avals: Sequence[Aval]) -> _Portrait:
        if not self._named:  # reading a signature is slow: `vmap` does without it
            self._named = True
            self._spec = replace(self._spec, parameters=signature_of(self._spec.function))
        if key.structure is None:
            names = [f"value {i}" for i in range(len(avals))]
        else:
            names = leaf_names(self._spec, key.structure)
        return _Portrait(
            str(key.structure),
            names,
            key.which or (False,) * len(avals),
            [(_shown(static), hash(static)) for static in key.statics],
            key.ranges,
            str(key.options),
            [item for function in key.captured for item in described(function)],
            avals,
            trace_settings(current()),
        )


def leaf_names(spec: Spec, structure: Any) -> list[str]:
    """Return what a user calls each leaf of the arguments: "x", "params['w']", "state.mean"."""
    names = []
    for accessor in structure.accessors():
        keyword, argument = accessor[0].entry == 1, accessor[1].entry
        root = argument if keyword else spec.argument_name(argument)
        names.append(accessor[2:].codify(root))
    return names


def _shown(static: Hashable) -> str:
    """Return how a static value looks, from its key: (type, value) or (type, value, sign)."""
    return short_repr(static[1]) if isinstance(static, tuple) else short_repr(static)


_NOTHING = Difference(
    "dropped",
    "the same once more",
    "nothing in the call: the trace was dropped, or the device or the framework's own "
    "configuration changed",
    "raise trace_limit with ub.configure if the function needs so many traces",
)


def _differences(old: _Portrait, new: _Portrait, transformation: str) -> Iterator[Difference]:
    if old.structure != new.structure or len(old.which) != len(new.which):
        yield Difference(
            "structure",
            "structure of the arguments",
            f"the structure of the arguments, {_cut(old.structure)} -> {_cut(new.structure)}",
            "pass the same containers with the same keys at each call; None in place of an array "
            "is another structure",
        )
        return  # leaves are not comparable
    if old.which != new.which:
        name = _first(new.names, old.which, new.which)
        yield Difference(
            "number",
            f"array or number for {name}",
            f"argument `{name}` changed between an array and a Python number",
            f"pass an array always: ub.asarray({name})",
        )
        return
    static = [name for name, is_static in zip(new.names, new.which, strict=True) if is_static]
    traced = [name for name, is_static in zip(new.names, new.which, strict=True) if not is_static]
    yield from _statics(static, old, new, transformation)
    if old.options != new.options and transformation == "vmap":
        yield Difference(
            "axes", "axes", f"the axes, {old.options} -> {new.options}", "give in_axes once"
        )
    yield from _captured(old, new)
    yield from _avals(traced, old, new, transformation)
    if old.options != new.options and transformation != "vmap":
        yield Difference(
            "options",
            "structure or options",
            f"the structure of what is carried, or an option of {transformation}",
            "keep both at each call, or compile the function around",
        )
    for name, before, after in zip(TRACE_SETTINGS, old.settings, new.settings, strict=True):
        if before != after:
            yield Difference(
                "setting",
                f"setting {name}",
                f"the setting {name}, {before!r} -> {after!r}",
                "choose it once with ub.configure",
            )


def _statics(
    names: list[str], old: _Portrait, new: _Portrait, transformation: str
) -> Iterator[Difference]:
    for name, before, after in zip(names, old.statics, new.statics, strict=True):
        if before == after:
            continue
        if transformation == "compile":
            remedy = (
                f"leave `{name}` out of the static arguments, so that it is traced, unless it "
                f"sets a shape or a branch; then each of its values is a program of its own"
            )
        else:
            remedy = f"Python numbers are compiled in: pass ub.asarray({name})"
        yield Difference(
            "static",
            f"static value of {name}",
            f"the static value of argument `{name}`, {before[0]} -> {after[0]}",
            remedy,
        )


def _captured(old: _Portrait, new: _Portrait) -> Iterator[Difference]:
    before = dict(old.captured)
    for name, value in new.captured:
        if before.get(name) != value:
            yield Difference(
                "captured",
                name,
                f"{name}, which the function captures",
                "pass it as an argument",
            )


def _avals(
    names: list[str], old: _Portrait, new: _Portrait, transformation: str
) -> Iterator[Difference]:
    for name, before, after in zip(names, old.avals, new.avals, strict=True):
        (dtype, shape, weak), (new_dtype, new_shape, new_weak) = before, after
        if weak != new_weak:
            yield Difference(
                "number",
                f"array or number for {name}",
                f"argument `{name}` changed between an array and a Python number",
                f"pass an array always: ub.asarray({name})",
            )
        elif dtype != new_dtype:
            yield Difference(
                "dtype",
                f"dtype of {name}",
                f"the dtype of argument `{name}`, {_dtype(before)} -> {_dtype(after)}",
                f"bring it to one dtype before the call: ub.astype({name}, ...)"
                if not weak
                else "pass the same kind of Python number at each call, as 2.0 in place of 2",
            )
        elif shape != new_shape:
            yield Difference(
                "shape",
                f"shape of {name}",
                f"the shape of argument `{name}`, {shape} -> {new_shape}",
                _PAD if transformation in ("compile", "vmap") else "pad it to a few sizes by hand",
            )
    if old.ranges != new.ranges:
        yield Difference(
            "range",
            "range of a Python integer",
            f"the range of a Python integer, {old.ranges} -> {new.ranges} (by it an integer that "
            f"does not fit its partner's dtype is refused)",
            "pass an array of the dtype that you want: ub.asarray(n, dtype=...)",
        )


_PAD = (
    'pad it to a few sizes, by hand or with ub.compile(buckets="powers_of_two") where rows do not '
    "mix; or drop the last, smaller batch"
)


def _dtype(aval: Aval) -> str:
    return f"a Python number of {aval[0]}" if aval[2] else aval[0]


def _cut(text: str) -> str:
    text = text.removeprefix("PyTreeSpec(").removesuffix(")")
    return text if len(text) < 100 else f"{text[:97]}..."


def _first(names: list[str], old: Sequence[Any], new: Sequence[Any]) -> str:
    return next(n for n, a, b in zip(names, old, new, strict=True) if a != b)
