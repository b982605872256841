"""Memory policies: how much of a GPU each framework takes, settled before it starts its device.

The forms of a policy, given as ``ub.configure(memory=...)``:

- ``default``: what each framework does by itself;
- ``preallocate``, ``preallocate:60%``: all that the framework takes by default, or that share of
  the GPU, at the start;
- ``grow``: memory is taken as it is needed;
- ``fraction:0.4`` or ``fraction:40%``: as it is needed, and never more than that share;
- ``limit:8GiB``: as it is needed, and never more than that;
- ``split:jax=0.5,tensorflow=0.3``: each framework as it needs, and never more than its share;
- ``only:jax``, ``only:tensorflow``: the GPU is hidden from the other framework.

A policy is put in force when a framework is started by the first call that needs it; what comes
later, or contradicts the environment, is a `MemoryPolicyError`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from . import _memory_knobs as knobs
from ._memory_knobs import MIB
from .errors import SettingsError
from .settings import Settings, current, on_change

Kind: TypeAlias = Literal["default", "preallocate", "grow", "fraction", "limit", "split", "only"]

FORMS = (
    "default",
    "preallocate",
    "preallocate:60%",
    "grow",
    "fraction:0.4",
    "fraction:40%",
    "limit:8GiB",
    "split:jax=0.5,tensorflow=0.3",
    "only:jax",
    "only:tensorflow",
)
FRAMEWORKS = ("jax", "tensorflow")

_UNITS = {"MiB": MIB, "GiB": 2**30, "TiB": 2**40}
_SMALLEST, _LARGEST_SUM = 0.001, 0.9


# ---- the text ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Policy:
    """A memory policy, taken apart.

    Attributes:
        kind: the word before the colon.
        shares: for each framework its share of the GPU's memory, where the policy names shares.
        limit: the bound in bytes, of ``limit``.
        owner: the framework that keeps the GPU, of ``only``.
    """

    kind: Kind = "default"
    shares: tuple[tuple[str, float], ...] = ()
    limit: int | None = None
    owner: str | None = None

    def share(self, framework: str) -> float | None:
        """Return a framework's share of the memory, None where the policy names none."""
        return dict(self.shares).get(framework)

    def __str__(self) -> str:
        if self.kind == "split":
            return "split:" + ",".join(f"{name}={share!r}" for name, share in self.shares)
        if self.kind == "limit" and self.limit is not None:
            return f"limit:{self.limit // MIB}MiB"
        detail = self.owner or (repr(self.shares[0][1]) if self.shares else "")
        return f"{self.kind}:{detail}" if detail else self.kind


def parse(text: str) -> Policy:
    """Take the text of a memory policy apart.

    Args:
        text: one of the forms that the module lists.

    Raises:
        SettingsError: the text has none of the forms, or names an amount that cannot be.

    Examples:
        >>> from unibackend.memory import parse
        >>> parse("fraction:40%").share("jax")
        0.4
        >>> parse("limit:8GiB").limit == 8 * 2**30
        True
    """
    kind, colon, detail = text.partition(":")
    if text in ("default", "preallocate", "grow"):
        return Policy(cast("Kind", kind))
    if kind in ("preallocate", "fraction"):
        share = _share(text, detail)
        return Policy(cast("Kind", kind), tuple((name, share) for name in FRAMEWORKS))
    if kind == "limit":
        return Policy("limit", limit=_bytes(text, detail))
    if kind == "only" and detail in FRAMEWORKS:
        return Policy("only", owner=detail)
    if kind == "split":
        return Policy("split", _shares(text, detail))
    rule = "it names jax or tensorflow" if kind == "only" and colon else "it is none of the forms"
    raise _nonsense(text, rule)


def _nonsense(text: str, rule: str) -> SettingsError:
    return SettingsError(
        f"{text!r} is not a memory policy: {rule}. The forms are {', '.join(FORMS)}"
    )


def _share(text: str, number: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(%?)", number, re.ASCII)
    if match is None:
        raise _nonsense(text, "a share is a number like 0.4 or a percentage like 40%")
    share = float(match[1]) / (100 if match[2] else 1)
    if not _SMALLEST <= share <= 1:
        raise _nonsense(text, f"a share lies between {_SMALLEST} and 1, or 0.1% and 100%")
    return share


def _bytes(text: str, amount: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(MiB|GiB|TiB)", amount, re.ASCII)
    if match is None:
        raise _nonsense(text, "an amount is a number and MiB, GiB or TiB, like 8GiB")
    whole = int(float(match[1]) * _UNITS[match[2]]) // MIB * MIB
    if whole < MIB:
        raise _nonsense(text, "the least amount is 1MiB")
    return whole


def _shares(text: str, detail: str) -> tuple[tuple[str, float], ...]:
    shares = {}
    for part in detail.split(","):
        name, _, number = part.partition("=")
        if name not in FRAMEWORKS or name in shares:
            raise _nonsense(text, "it gives jax and tensorflow a share each")
        shares[name] = _share(text, number)
    if len(shares) != len(FRAMEWORKS):
        raise _nonsense(text, "it gives jax and tensorflow a share each")
    if round(sum(shares.values()), 9) > _LARGEST_SUM:
        raise _nonsense(
            text,
            f"the shares add up to more than {_LARGEST_SUM}; the rest is for the GPU's own "
            f"libraries, which allocate outside both",
        )
    return tuple(sorted(shares.items()))


# ---- put in force ------------------------------------------------------------------------------

_in_force: dict[str, tuple[Policy, str]] = {}  # policy and device of the frameworks that started


def put_in_force(policy: Policy, framework: str, device: str) -> None:
    """Make a policy hold for a framework whose device is about to start.

    A policy about both frameworks (``split``, ``only``) is put in force for the other one too, so
    that it also holds where the user's program calls that framework directly.

    Args:
        policy: what `parse` returned.
        framework: ``"jax"`` or ``"tensorflow"``, which has been imported.
        device: the setting ``device``; on ``"cpu"`` the framework does not touch a GPU.

    Raises:
        MemoryPolicyError: the framework's device has already started, or the environment says
            something else; nothing was changed.
        UnsupportedError: the size of the GPU's memory is needed and not known.
    """
    if framework in _in_force:
        if _in_force[framework] != (policy, device):
            raise knobs.too_late(framework, policy, device, current(), _in_force[framework])
        return
    both = policy.kind in ("split", "only")
    frameworks = [f for f in FRAMEWORKS if f == framework or (both and f not in _in_force)]
    plans = {"jax": knobs.jax, "tensorflow": knobs.tensorflow}
    actions = [action for f in frameworks for action in plans[f](policy, device)]
    for action in actions:
        action()
    _in_force.update((f, (policy, device)) for f in frameworks)


def _refuse_late_change(old: Settings, new: Settings, kind: str) -> None:
    if kind == "exit" or (old.memory, old.device) == (new.memory, new.device):
        return
    policy = parse(new.memory)
    for framework, in_force in _in_force.items():
        if in_force != (policy, new.device):
            raise knobs.too_late(framework, policy, new.device, new, in_force)


on_change.append(_refuse_late_change)
