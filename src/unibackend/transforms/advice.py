"""The decorator line to write where the value of a number was needed while tracing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import tree
from .._dispatch import SCALARS
from ..errors import STATIC, TracingError

if TYPE_CHECKING:
    from ..backends.contract import Backend
    from .cache import Call
    from .signature import Spec


def advise(error: TracingError, spec: Spec, call: Call, backend: Backend) -> None:
    """Put into a message which arguments to make static, where they are numbers.

    A value that depends on an array too cannot be made static.
    """
    origins = getattr(backend, "origins", None)
    places = [] if origins is None else origins(error, spec.name, call.leaves)
    if not places or not all(i < len(call.leaves) and _is_number(call.leaves[i]) for i in places):
        return
    arguments = [_argument(spec, call, i) for i in places]
    names = {*spec.static_argnames, *(name for name in arguments if isinstance(name, str))}
    numbers = {*spec.static_argnums, *(i for i in arguments if isinstance(i, int))}
    options = [
        f"{option}={_written(sorted(values))}"
        for option, values in (("static_argnames", names), ("static_argnums", numbers))
        if values
    ]
    error.args = (str(error).replace(STATIC, ", ".join(options)),)


def _is_number(leaf: Any) -> bool:
    """Tell whether a leaf is a Python number, in a compiled function within another too."""
    return type(leaf) in SCALARS or (getattr(leaf, "weak_type", False) and leaf.ndim == 0)


def _written(values: list[Any]) -> str:
    text = repr(values[0] if len(values) == 1 else tuple(values))
    return text.replace("'", '"')


def _argument(spec: Spec, call: Call, leaf: int) -> str | int:
    """Return the name of the argument that holds a leaf, the position of one of `*args`."""
    key: Any = call.key
    structure, which = key.structure, key.which
    place = [i for i, is_static in enumerate(which) if not is_static][leaf]
    args, kwargs = structure.unflatten(range(len(which)))
    for i, value in enumerate(args):
        if place in tree.leaves(value):
            name: str = spec.argument_name(i)
            return name if name.isidentifier() else i
    names: list[str] = [name for name, value in kwargs.items() if place in tree.leaves(value)]
    return names[0]
