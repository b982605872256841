"""`buckets`: batches of many sizes served by few programs, each padded up to the next bucket.

The rows added are copies of the last one: whatever the function does with them it does with a row
of the caller's too, so that nothing divides by zero, loops for ever, or brings NaN into a gradient
that the caller's own rows would not.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

import numpy as np

from .. import _dispatch, tree
from .._entry import enter
from ..errors import ShapeError
from ..settings import current, within
from .cache import Call
from .compile import Compiled
from .reasons import leaf_names
from .signature import Spec

if TYPE_CHECKING:
    from ..backends.contract import Backend
    from .cache import Cache

P = ParamSpec("P")
R = TypeVar("R")

Sizes: TypeAlias = str | Sequence[int]
Option: TypeAlias = Sizes | Mapping[str | int, Sizes]

_POWERS = "powers_of_two"


@dataclasses.dataclass(frozen=True)
class Rule:
    """What `buckets=` says: the sizes, and which arguments are batched."""

    option: Option
    sizes: tuple[int, ...]  # none are the powers of two
    arguments: frozenset[str | int] | None  # None are all

    def bucket(self, count: int, name: str) -> int:
        """Return the size that a number of rows is padded to.

        Raises:
            ShapeError: it is larger than the largest.
        """
        if not self.sizes:
            return 1 << max(count - 1, 0).bit_length()
        if count > self.sizes[-1]:
            raise ShapeError(
                f"{name}: a batch of {count} rows, and the largest of buckets={self.option!r} is "
                f"{self.sizes[-1]}; add a larger one, use {_POWERS!r}, or split the batch"
            )
        return self.sizes[bisect_left(self.sizes, count)]

    def covers(self, key: str | int, spec: Spec) -> bool:
        """Tell whether an argument, given by its position or by its keyword, is batched."""
        if self.arguments is None or key in self.arguments:
            return True
        if isinstance(key, int):
            return spec.argument_name(key).partition("[")[0] in self.arguments  # "more[0]"
        known = spec.parameters.parameters if spec.parameters else {}
        rest = [name for name, p in known.items() if p.kind is p.VAR_KEYWORD]
        return key not in known and any(name in self.arguments for name in rest)

    def of_method(self) -> Rule:
        """Return the rule with the positions counted without `self`."""
        if self.arguments is None:
            return self
        return dataclasses.replace(
            self, arguments=frozenset(i - 1 if isinstance(i, int) else i for i in self.arguments)
        )


def rule_of(option: Option, spec: Spec) -> Rule:
    """Return what `buckets=` says of a function.

    Raises:
        ShapeError: it is none of what is allowed, or names what is no argument or a static one.
    """
    if not isinstance(option, Mapping):
        return Rule(option, _sizes(option), None)
    different = {_sizes(sizes) for sizes in option.values()}
    if len(different) != 1:
        raise ShapeError(
            f"compile: buckets={option!r} must name the batched arguments, with the same buckets "
            f"for each, since they share one number of rows"
        )
    for argument in option:
        _check_argument(argument, option, spec)
    return Rule(dict(option), different.pop(), frozenset(option))


def _sizes(option: Any) -> tuple[int, ...]:
    if option == _POWERS:
        return ()
    if isinstance(option, Sequence) and not isinstance(option, str) and option:
        sizes = tuple(option)
        if all(type(size) is int for size in sizes) and all(
            a < b for a, b in zip((0, *sizes), sizes, strict=False)
        ):
            return sizes
    raise ShapeError(
        f"compile: buckets={option!r} must be {_POWERS!r}, increasing positive integers, or a "
        f"mapping from the batched arguments to one of these"
    )


def _check_argument(argument: str | int, option: Option, spec: Spec) -> None:
    """Refuse a name or position that is no argument of the function, or a static one."""
    parameters = list(spec.parameters.parameters.values()) if spec.parameters else []
    names = [p.name for p in parameters]
    kinds = {p.kind for p in parameters}
    if isinstance(argument, int):
        count = sum(p.kind <= p.POSITIONAL_OR_KEYWORD for p in parameters)
        known = 0 <= argument < count or 2 in kinds  # *args
        static = argument in spec.static_argnums or (
            spec.argument_name(argument) in spec.static_argnames
        )
    else:
        known = argument in names or 4 in kinds  # **kwargs
        static = argument in spec.static_argnames or (
            argument in names and names.index(argument) in spec.static_argnums
        )
    if parameters and not known:
        raise ShapeError(
            f"compile: buckets={option!r}: {argument!r} is no parameter of {spec.name}, which has "
            f"{', '.join(names)}"
        )
    if static:
        raise ShapeError(
            f"compile: buckets={option!r}: {argument!r} of {spec.name} is static, so it has no rows"
        )


class Bucketed(Compiled[P, R]):
    """A compiled function whose batches are padded up to buckets, and its results cut again."""

    def __init__(self, spec: Spec, backend: str | None, rule: Rule) -> None:
        super().__init__(dataclasses.replace(spec, bucketed=True), backend)
        self._rule = rule
        self._followed: set[Hashable] = set()  # calls whose outputs follow the number of rows

    def _run(self, backend: Backend, call: Call) -> Any:
        if _is_traced(backend, call.leaves):
            return super()._run(backend, call)  # what is around this call sees it at its own size
        name = self._spec.name
        batched = self._batched(call)
        leaves = [
            enter(backend, leaf, function=name, argument="an argument") if is_batched else leaf
            for leaf, is_batched in zip(call.leaves, batched, strict=True)
        ]
        count = self._rows(call, leaves, batched)
        size = self._rule.bucket(count, name)

        def padded(zeros: bool) -> Call:
            return call._replace(
                leaves=[
                    backend.pad_rows(leaf, size, zeros) if is_batched and count < size else leaf
                    for leaf, is_batched in zip(leaves, batched, strict=True)
                ]
            )

        checked = current().check_buckets and 0 < count < size
        other = self._with_zeros(backend, padded(True)) if checked else None
        call = padded(False)
        with np.errstate(all=None if count else "ignore"):  # an empty batch is padded with zeros
            outputs, structure = tree.flatten(super()._run(backend, call))
        self._check_shapes(backend, call, batched, size, outputs, structure)
        if count < size:
            outputs = [backend.first_rows(x, count) for x in outputs]
        if other is not None:
            others = [backend.first_rows(x, count) for x in other]
            self._check_values(backend, outputs, others, structure)
        return structure.unflatten(outputs)

    def _shorten(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        call: Call,
        cache: Cache,
        owner: Backend,
    ) -> None:
        """Take no short way: each call looks how many rows it has."""

    def _batched(self, call: Call) -> list[bool]:
        """Tell which leaves of a call are batched."""
        if self._rule.arguments is None:
            return [True] * len(call.leaves)
        assert call.key is not None, "a compiled call has a key"
        paths = zip(call.key.structure.paths(), call.key.which, strict=True)
        return [
            self._rule.covers(path[1], self._spec)  # after 0 for positional, 1 for keyword
            for path, is_static in paths
            if not is_static
        ]

    def _names(self, call: Call) -> list[str]:
        """Return what the leaves of a call are called."""
        assert call.key is not None, "a compiled call has a key"
        names = leaf_names(self._spec, call.key.structure)
        return [n for n, is_static in zip(names, call.key.which, strict=True) if not is_static]

    def _rows(self, call: Call, leaves: list[Any], batched: list[bool]) -> int:
        """Return the number of rows that the batched leaves share.

        Raises:
            ShapeError: there is none, or more than one.
        """
        name, option = self._spec.name, self._rule.option
        places = [i for i, is_batched in enumerate(batched) if is_batched]
        if not places:
            raise ShapeError(f"{name}: buckets={option!r}, and this call has no batched array")
        count = 0
        for i in places:
            leaf = leaves[i]
            shape = getattr(leaf, "shape", ())
            if not shape:
                argument = self._names(call)[i]
                raise ShapeError(
                    f"{name}: {argument}={leaf!r:.60} has no axis 0, which buckets={option!r} "
                    f"pads. Name the arguments that are batches, as in buckets={{'x': "
                    f"{_POWERS!r}}}, or make {argument} static"
                )
            if i == places[0]:
                count = shape[0]
            elif shape[0] != count:
                names = self._names(call)
                raise ShapeError(
                    f"{name}: {names[places[0]]} has {count} rows and {names[i]} has {shape[0]}, "
                    f"and buckets={option!r} pads both. Give as many, or name the arguments that "
                    f"are batches, as in buckets={{'x': {_POWERS!r}}}"
                )
        return count

    def _check_shapes(
        self,
        backend: Backend,
        call: Call,
        batched: list[bool],
        size: int,
        outputs: list[Any],
        structure: Any,
    ) -> None:
        """Refuse outputs without one row for each row given.

        Sizes alone do not tell: the function is looked at with twice as many rows, once for each
        kind of call.

        Raises:
            ShapeError: an output does not follow the number of rows, or not by axis 0 alone.
        """
        shapes = [tuple(getattr(x, "shape", ())) for x in outputs]
        kinds = tuple(
            (x.shape[1:] if is_batched else getattr(x, "shape", None), getattr(x, "dtype", None))
            for x, is_batched in zip(call.leaves, batched, strict=True)
        )
        key = (backend.name, call.key, kinds)
        if key in self._followed and all(shape[:1] == (size,) for shape in shapes):
            return
        doubled = self._doubled(backend, call, batched, 2 * size)
        if len(doubled) != len(shapes):
            raise ShapeError(
                f"{self._spec.name}: buckets={self._rule.option!r}: it returns {len(shapes)} "
                f"arrays for {size} rows and {len(doubled)} for {2 * size}; with buckets the "
                f"number of rows may change nothing but axis 0"
            )
        for path, shape, twice in zip(structure.accessors(), shapes, doubled, strict=True):
            if shape[:1] == (size,) and twice == (2 * size, *shape[1:]):
                continue
            what = (
                "mixes rows, padded ones would count"
                if twice == shape
                else "is no array of one row for each row given"
            )
            raise ShapeError(
                f"{self._spec.name}: buckets={self._rule.option!r}: {path.codify('output')} "
                f"{what}: its shape is {shape} for {size} rows and {twice} for {2 * size}. Return "
                f"a value for each row and reduce them outside, or leave buckets out"
            )
        if len(self._followed) >= current().trace_limit:
            self._followed.clear()
        self._followed.add(key)

    def _doubled(
        self, backend: Backend, call: Call, batched: list[bool], size: int
    ) -> list[tuple[int | None, ...]]:
        """Return the shapes of the outputs if the batched leaves had so many rows.

        Python numbers keep their values, since shapes do not depend on them.
        """
        leaves = [
            leaf
            if _dispatch.owner_of_type(type(leaf)) is _dispatch.UNKNOWN
            else enter(backend, leaf, function=self._spec.name)
            for leaf in call.leaves
        ]
        places = [i for i, leaf in enumerate(leaves) if hasattr(leaf, "shape")]

        def outputs(arrays: list[Any]) -> list[Any]:
            merged = list(leaves)
            for i, array in zip(places, arrays, strict=True):
                merged[i] = array
            with within(backend.name):
                return tree.leaves(call.run(merged))

        arrays = [leaves[i] for i in places]
        sizes = [size if batched[i] else None for i in places]
        try:
            return backend.output_shapes(outputs, arrays, sizes)
        except Exception as error:
            error.add_note(
                f"{self._spec.name}: raised while buckets={self._rule.option!r} looked at it with "
                f"{size} rows; with buckets a function must take any number of rows"
            )
            raise

    def _with_zeros(self, backend: Backend, call: Call) -> list[Any]:
        """Return the outputs with rows of zeros added."""
        cache = self._cache(backend)
        if self._spec.donate_argnums:  # the call itself needs the arguments afterwards
            cache = backend.compile(dataclasses.replace(self._spec, donate_argnums=()))
        with np.errstate(all="ignore"):
            return tree.leaves(cache.call(call))

    def _check_values(
        self, backend: Backend, outputs: list[Any], others: list[Any], structure: Any
    ) -> None:
        """Refuse a function whose results depend on the rows added.

        Raises:
            ShapeError: it names the first row that does.
        """
        for path, x, other in zip(structure.accessors(), outputs, others, strict=True):
            if not isinstance(x.dtype, np.dtype):
                continue  # JAX's random keys have no numbers to compare
            row = _first_difference(backend.to_host(x), backend.to_host(other))
            if row is not None:
                raise ShapeError(
                    f"{self._spec.name} mixes rows: row {row} of {path.codify('output')} "
                    f"changes with the rows that buckets={self._rule.option!r} adds. Compute each "
                    f"row from itself alone and combine rows outside, or leave buckets out"
                )

    def cache_clear(self) -> None:
        """Forget all traces."""
        super().cache_clear()
        self._followed.clear()

    def _bind(self, instance: Any) -> Compiled[..., R]:
        plain = super()._bind(instance)
        return Bucketed(plain._spec, plain._backend, self._rule.of_method())

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "buckets": self._rule.option}


def _is_traced(backend: Backend, leaves: list[Any]) -> bool:
    """Tell whether a call is part of a trace, or has tracers among its leaves."""
    return backend.is_tracing() or any(
        _dispatch.owner_of_type(type(leaf)) is backend and not backend.is_concrete(leaf)
        for leaf in leaves
    )


def _first_difference(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> int | None:
    """Return the first row in which two arrays differ in a bit, all NaN being the same."""
    both = np.stack([a, b])
    nan = both != both
    if nan.any():
        both[nan] = np.nan
    bits = both.reshape(2, -1).view(np.uint8).reshape(2, len(a), a.nbytes // len(a))
    rows = np.flatnonzero((bits[0] != bits[1]).any(axis=1))
    return int(rows[0]) if len(rows) else None
