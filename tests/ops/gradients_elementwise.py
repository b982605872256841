"""The derivatives of functions of each element that other tables have not."""

from __future__ import annotations

import unibackend as ub

from .gradients import NONE, call, calls

SMALL = ([-0.7, -0.4, -0.3, 0.2, 0.45, 0.6],)  # where the branch points are far away
LARGE = ([-9.5, -1.7, 0.1, 2.5, 7.25],)
PLANE = ([0.3 + 0.4j, -0.6 + 1.7j, 1.5 - 0.7j, -0.2 - 2.1j],)
calls("asin acos atan sinh cosh tanh asinh atanh", SMALL, PLANE)
calls("atan sinh cosh tanh asinh", LARGE)
calls("log2 log10", ((7,),), ((2, 1, 3),), PLANE)
calls("reciprocal", LARGE, PLANE)
calls("acosh", ([1.6, 3.5, 20.0],), PLANE)
calls("exp expm1 sin cos tan sqrt log log1p", PLANE)
calls("log1p", ([-0.45, -0.36, -0.3, 0.3],))
calls("asinh atan cosh", ((2, *(1,) * 10, 3),))

for name in ("copysign", "hypot", "logaddexp"):
    calls(name, ((3, 2), (3, 2)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2,)), ((2, 0), (1, 1)))
calls("copysign", ([1.5, -2.0, 0.7], [-1.0, -3.0, 2.0]))
calls("hypot", ([3.0, -1.5, 0.25], [-4.0, 0.5, 2.0]))
calls("logaddexp", ([1.0, -300.0, 30.0], [1.0, 300.0, -2.0]))
call("logaddexp", lambda x: ub.logaddexp(x, 1.5) + ub.logaddexp(0, x), (4,))

NONE.update(("nextafter", "signbit"))
