"""A step of a loop, and the value that it carries: what that is at first and must stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..errors import DtypeError, ShapeError
from .flat import (
    Flat,
    Kind,
    arguments,
    as_strong,
    check_structure,
    default_kind,
    kind_of,
    same_shape,
)
from .signature import name_of

if TYPE_CHECKING:
    from ..backends.contract import Backend


class Step:
    """The function of a scan on lists of leaves: the next carry, and the outputs."""

    def __init__(
        self, function: str, f: Callable[..., Any], init: Any, xs: Any, backend: Backend
    ) -> None:
        what = f"{function}: f {name_of(f)}"

        def paired(carry: Any, x: Any) -> Any:
            if function == "map":
                return (), f(x)
            result = f(carry, x)
            if not isinstance(result, tuple | list) or len(result) != 2:
                raise TypeError(
                    f"{what} returned {result!r:.80}; it returns a pair, (carry, output), whose "
                    f"output may be None"
                )
            return tuple(result)

        self.flat = Flat(paired, what, arguments(init, xs), backend)
        self.carry_structure: Any = None
        self.ys_structure: Any = None
        self._backend = backend

    def __call__(self, carry: list[Any], xs: list[Any]) -> tuple[list[Any], list[Any]]:
        outputs = self.flat([*carry, *xs])
        self.carry_structure, self.ys_structure = self.flat.structure.children()
        count = self.carry_structure.num_leaves
        ys = [
            as_strong(self._backend, y, default_kind(kind_of(y)), self.flat.what)
            for y in outputs[count:]
        ]
        return outputs[:count], ys


class Carry:
    """The value of a loop: the kinds that it has at first, and keeps."""

    def __init__(
        self, backend: Backend, what: str, name: str, structure: Any, leaves: list[Any]
    ) -> None:
        self._backend, self._what, self._name, self._structure = backend, what, name, structure
        self._kinds = [kind_of(leaf) for leaf in leaves]

    @staticmethod
    def promoted(
        backend: Backend,
        space: Any,
        leaves: list[Any],
        beside: list[Any],
        step: Callable[[list[Any], list[Any]], list[Any]],
        what: str,
    ) -> list[Any]:
        """Return the first leaves with Python numbers in the dtypes that one step returns.

        Args:
            backend: the owner.
            space: who rehearses a step.
            leaves: the first leaves.
            beside: what else a step takes.
            step: from the leaves and what is beside to the next leaves.
            what: the function, for errors.
        """
        wanted = [kind_of(leaf).dtype for leaf in leaves]
        if any(isinstance(dtype, type) for dtype in wanted):
            returned = list(wanted)

            def noted(both: list[Any]) -> list[Any]:
                outputs = step(both[: len(leaves)], both[len(leaves) :])
                if len(outputs) == len(leaves):  # else an error, which the loop will name
                    returned[:] = [kind_of(x).dtype for x in outputs]
                return outputs

            space.rehearse(noted, [*leaves, *beside], what)
            wanted = [
                dtypes.result_type(dtype, then) if isinstance(dtype, type) else dtype
                for dtype, then in zip(wanted, returned, strict=True)
            ]
        return [
            as_strong(backend, leaf, default_kind(Kind((), dtype)), what)
            for leaf, dtype in zip(leaves, wanted, strict=True)
        ]

    def kept(self, outputs: list[Any], structure: Any) -> list[Any]:
        """Return the outputs of a step, which must be what came in.

        Raises:
            ShapeError: the structure or a shape changed.
            DtypeError: a dtype changed.
        """
        check_structure(self._what, self._structure, structure, f"{self._name} has")
        return [self._kept(i, x) for i, x in enumerate(outputs)]

    def _kept(self, i: int, x: Any) -> Any:
        kind, wanted = kind_of(x), self._kinds[i]
        path = self._structure.accessors()[i].codify(self._name)
        changed = f"{self._what} returned {kind} for {path}, which came in as {wanted}"
        if not same_shape(kind.shape, wanted.shape):
            raise ShapeError(
                f"{changed}; a loop keeps shapes: begin with the shape that is returned, as by "
                f"ub.broadcast_to, or return the one that came in"
            )
        if dtypes.result_type(wanted.dtype, kind.dtype) != wanted.dtype or not (
            kind.is_weak or kind.dtype == wanted.dtype
        ):
            raise DtypeError(
                f"{changed}; a loop keeps dtypes: begin with an array of the dtype that is "
                f"returned, as by ub.asarray(..., dtype=...), or use ub.astype on what is returned"
            )
        return as_strong(self._backend, x, default_kind(wanted), self._what)
