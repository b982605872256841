"""The derivatives of arrays made of numbers and of parts of others."""

from __future__ import annotations

import unibackend as ub

from .gradients import NONE, call, calls

calls("tril triu", ((3, 3),), ((2, 2, 3),), complex="tril")
call("full", lambda x: ub.full((2, 2), x), ())
call("full_like", lambda x, y: ub.full_like(x, y), (2, 2), ())
call("linspace", lambda x, y: ub.linspace(x, y, 5), (), (), complex=True)
call("linspace", lambda x: ub.linspace(x, 3.0, 4, endpoint=False), ())
call("meshgrid", lambda x, y: ub.meshgrid(x, y, x), (2,), (3,), complex=True)

NONE.update(
    (*("arange", "empty", "empty_like", "eye", "ones", "ones_like", "zeros", "zeros_like"),)
)
