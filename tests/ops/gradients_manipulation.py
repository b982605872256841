"""The derivatives of what moves elements."""

from __future__ import annotations

import unibackend as ub

from .gradients import call, calls

call("broadcast_arrays", ub.broadcast_arrays, (2, 1), (3,), complex=True)
calls("broadcast_to", ((2, 1),), shape=(2, 2, 3))
for axis in (0, 1, None):
    call("concat", lambda x, y, axis=axis: ub.concat([x, y, x], axis=axis), (2, 2), (2, 2))
call("stack", lambda x, y: ub.stack([x, y, x], axis=-1), (2, 2), (2, 2), complex=True)
call("stack", lambda x: ub.stack([x[0], 3.0, x[1] * 2]), (3,))
calls("unstack", ((2, 3),), axis=1)
calls("expand_dims", ((2, 2),), axis=(0, 2))
calls("flip", ((2, 3),))
calls("flip", ((2, 3),), axis=1)
call("moveaxis", lambda x: ub.moveaxis(x, 0, -1), (2, 3, 2))
calls("permute_dims", ((2, 3, 2),), axes=(2, 0, 1))
call("repeat", lambda x: ub.repeat(x, 2, axis=1), (2, 2))
call("repeat", lambda x: ub.repeat(x, [1, 0, 2], axis=0), (3, 2))
calls("reshape", ((2, 3),), shape=(3, 2))
calls("roll", ((2, 3),), shift=(1, -1), axis=(0, 1))
calls("roll", ((2, 3),), shift=2)
calls("squeeze", ((1, 2, 1),), axis=(0, 2))
call("tile", lambda x: ub.tile(x, (2, 1, 3)), (2, 2))
calls("reshape", ((2, 3),), shape=(3, 2), order="F")
for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
    calls("pad", ((3,),), ((2, 3),), complex="pad", pad_width=((1, 4),), mode=mode)
call("pad", lambda x, y: ub.pad(x, 2, constant_values=y), (2,), ())
