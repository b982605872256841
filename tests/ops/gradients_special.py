"""The derivatives of special functions and of those of neural networks."""

from __future__ import annotations

from typing import Any

import unibackend as ub

from .gradients import NONE, call, calls

SMOOTH = "digamma erf erfc expit gammaln log_ndtr ndtr"
calls(" ".join(f"special.{name}" for name in SMOOTH.split()), ((7,),), ((2, 1, 3),), ((0,),))
calls("special.gammaln special.digamma", ([-2.5, -0.4, 6.0],))
calls("special.log_ndtr", ([-25.0, -12.0, -3.0, -0.5, 3.0],))
calls("special.erf special.erfc special.ndtr", ([-2.0, -0.5, 0.0, 2.5],), ([[0.1]],))
calls("special.erfinv", ([-0.7, -0.2, 0.0, 0.3, 0.6],))
calls("special.logit", ([0.1, 0.3, 0.5, 0.7, 0.9],))
calls("special.xlogy", ((4,), (4,)), ((2, 3), (3,)), ((1, 2, *(1,) * 8, 2), (2, 1)))
call("special.xlogy", lambda y: ub.special.xlogy(0.0, y), (3,))
for options in ({}, {"axis": 0}, {"axis": (0, -1), "keepdims": True}):
    calls("special.logsumexp", ((2, 3, 2),), **options)  # type: ignore[arg-type]

calls("nn.gelu nn.relu nn.silu nn.softplus", ([-1.7, -0.3, 0.3, 0.7, 1.8],), ((2, 3),))
calls("nn.gelu", ([-1.7, 0.3, 1.8],), approximate=False)
soft: tuple[Any, ...] = ({}, {"axis": 0}, {"axis": (0, -1)}, {"axis": None})
for options in soft:
    calls("nn.softmax nn.log_softmax", ((2, 3, 2),), **options)

NONE.add("nn.one_hot")
