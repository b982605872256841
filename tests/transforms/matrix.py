"""The support matrix: every pair of transformations, on every backend and in every mode.

Each transformation turns a function of one number into another, in two ways: with this library,
and in plain Python on numbers that carry exact derivatives (`Dual`). The two must agree, or the
pair stands in `UNSUPPORTED` with the reason that the error gives. `python -m
tests.transforms.matrix` writes the table of the documentation from the same facts.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import unibackend as ub

Function = Callable[[Any], Any]


class Dual:
    """A number and its derivative, each of which may be a Dual again: exact for polynomials."""

    def __init__(self, value: Any, slope: Any) -> None:
        self.value, self.slope = value, slope

    def __add__(self, other: Any) -> Dual:
        other = other if isinstance(other, Dual) else Dual(other, 0.0)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other: Any) -> Dual:
        other = other if isinstance(other, Dual) else Dual(other, 0.0)
        slope = self.slope * other.value + self.value * other.slope
        return Dual(self.value * other.value, slope)

    __radd__, __rmul__ = __add__, __mul__


def plain(x: Any) -> float:
    """Return the value without its derivatives."""
    while isinstance(x, Dual):
        x = x.value
    return float(x)


def derivative(g: Function) -> Function:
    def slope(x: Any) -> Any:
        y = g(Dual(x, 1.0))
        return y.slope if isinstance(y, Dual) else 0.0

    return slope


def base(x: Any) -> Any:
    return x * x * 0.5 + x


class Pair:
    """A transformation: with this library, and in plain Python."""

    def __init__(self, ours: Callable[[Function], Function], exact: Any) -> None:
        self.ours, self.exact = ours, exact


def _custom(g: Function) -> Function:
    """The function with ten times its derivative."""
    function = ub.custom_vjp(g)
    function.defvjp(lambda x: (g(x), x), lambda x, ct: (ct * 10.0 * ub.grad(g)(x),))
    return function


def _exact_custom(g: Function) -> Function:
    def function(x: Any) -> Any:
        if not isinstance(x, Dual):
            return g(x)
        return Dual(function(x.value), derivative(g)(x.value) * 10.0 * x.slope)

    return function


def _exact_while(g: Function) -> Function:
    def function(x: Any) -> Any:
        for _ in range(20):
            if plain(x) >= 3.0:
                break
            x = g(x) + 0.25
        return x

    return function


def _repeated(g: Function) -> Function:
    return lambda x: g(g(x))


def _scan(g: Function) -> Function:
    def function(x: Any) -> Any:
        def step(carry: Any, weight: Any) -> Any:
            carry = g(carry) * weight
            return carry, carry * x

        last, each = ub.scan(step, x, ub.asarray([0.5, 0.25]))
        return last + ub.sum(each)

    return function


def _exact_scan(g: Function) -> Function:
    def function(x: Any) -> Any:
        carry, total = x, 0.0
        for weight in (0.5, 0.25):
            carry = g(carry) * weight
            total = carry * x + total
        return carry + total

    return function


TRANSFORMATIONS: dict[str, Pair] = {
    "compile": Pair(lambda g: ub.compile(g), lambda g: g),
    "vmap": Pair(
        lambda g: lambda x: ub.sum(ub.vmap(g)(ub.stack([x, x * 0.5, x * 2.0]))),
        lambda g: lambda x: g(x) + g(x * 0.5) + g(x * 2.0),
    ),
    "grad": Pair(lambda g: ub.grad(g), derivative),
    "custom_vjp": Pair(_custom, _exact_custom),
    "while_loop": Pair(
        lambda g: (
            lambda x: ub.while_loop(  # not for ever, whatever the function is
                lambda s: ub.logical_and(s[0] < 3.0, s[1] < 20),
                lambda s: (g(s[0]) + 0.25, s[1] + 1),
                (x, 0),
            )[0]
        ),
        _exact_while,
    ),
    "fori_loop": Pair(
        lambda g: lambda x: ub.fori_loop(0, 2, lambda i, c: g(c), x),
        _repeated,
    ),
    "scan": Pair(_scan, _exact_scan),
    "cond": Pair(
        lambda g: lambda x: ub.cond(x > 0.75, g, lambda x: x * 3.0, x),
        lambda g: lambda x: g(x) if plain(x) > 0.75 else x * 3.0,
    ),
}
NAMES = tuple(TRANSFORMATIONS)

# Backends and modes: what TensorFlow does depends on whether XLA compiles its graphs.
MODES: dict[str, dict[str, Any]] = {
    "NumPy": {"backend": "numpy"},
    "JAX": {"backend": "jax"},
    "TensorFlow": {"backend": "tensorflow", "xla": False},
    "TensorFlow, XLA": {"backend": "tensorflow", "xla": True},
}

# The one table of what raises an `UnsupportedError`: by outer and inner transformation and mode.
UNSUPPORTED: dict[tuple[str, str, str], str] = {}
_NO_REVERSE = "a while_loop has no gradient in reverse on any backend, as in JAX"
for _mode in MODES:
    UNSUPPORTED["grad", "while_loop", _mode] = _NO_REVERSE
_NUMPY = "NumPy, the reference, has no derivatives"
for _name in NAMES:
    UNSUPPORTED["grad", _name, "NumPy"] = _NUMPY
    UNSUPPORTED[_name, "grad", "NumPy"] = _NUMPY
UNSUPPORTED["vmap", "while_loop", "TensorFlow, XLA"] = (
    "XLA has no kernel for the lists by which TensorFlow maps a loop whose trip count is mapped"
)


def nested(chain: tuple[str, ...], exact: bool) -> Function:
    """Return the base function under transformations, the outermost first."""
    function: Function = base
    for name in reversed(chain):
        pair = TRANSFORMATIONS[name]
        function = (pair.exact if exact else pair.ours)(function)
    return function


def table() -> str:
    """Return the support matrix as text for the documentation."""
    notes: dict[str, int] = {}
    lines = []
    for mode in MODES:
        lines += [f"**{mode}**", "", "| outside \\ inside | " + " | ".join(NAMES) + " |"]
        lines.append("| --- " * (len(NAMES) + 1) + "|")
        for outer in NAMES:
            cells = []
            for inner in NAMES:
                reason = UNSUPPORTED.get((outer, inner, mode))
                note = notes.setdefault(reason, len(notes) + 1) if reason else 0
                cells.append(f"error ({note})" if note else "right")
            lines.append(f"| {outer} | " + " | ".join(cells) + " |")
        lines.append("")
    lines += [f"{note}. {reason}." for reason, note in notes.items()]
    return "\n".join(lines) + "\n"


def write(page: pathlib.Path) -> None:
    """Put the table into the documentation, at its end."""
    before, _, _ = page.read_text(encoding="utf-8").partition("**NumPy**")
    page.write_text(before + table(), encoding="utf-8")


if __name__ == "__main__":
    write(pathlib.Path(__file__).parents[2] / "docs" / "transformations.md")
