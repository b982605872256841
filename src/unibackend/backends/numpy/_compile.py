"""`compile` on NumPy, the reference: it checks the arguments and runs the function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ... import tree
from ..._entry import enter
from ...settings import current, within
from ...transforms.cache import CacheInfo, Call, Stoppable
from ._values import output

if TYPE_CHECKING:
    from ...transforms.signature import Spec


class Runs:
    """What stands for a cache: nothing is traced, arguments enter as they do elsewhere."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._hits = 0

    def call(self, call: Call) -> Any:
        """Run the function on arguments of the width in force; numbers returned become arrays."""
        from . import _backend  # the backend is made of this module

        self._hits += 1
        leaves = [enter(_backend, leaf, function=self._spec.name) for leaf in call.leaves]
        with within("numpy"):
            return tree.map(lambda x: output(x, self._spec.name), call.run(leaves))

    def fast(self, call: Call, caller: Stoppable) -> Callable[..., Any] | None:
        """Return None: every call enters its arguments."""
        return None

    def explain(self, error: Exception) -> Exception:
        return error

    def info(self) -> CacheInfo:
        """Return the number of calls as hits."""
        return CacheInfo(self._hits, 0, 0, 0, current().trace_limit, {})

    def clear(self) -> None:
        """Start counting anew."""
        self._hits = 0


def compile(spec: Spec) -> Runs:
    return Runs(spec)
