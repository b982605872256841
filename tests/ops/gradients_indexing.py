"""The derivatives of elements by their places."""

from __future__ import annotations

from typing import Any

import numpy as np

import unibackend as ub

from .gradients import call, calls

FIRST_TWICE = np.array([0, 2, 0])
calls("take", ((3, 2), FIRST_TWICE), complex="take", axis=0)
calls("take", ((2, 3), [[-1, 0], [1, 1]]), axis=1)
calls("take_along_axis", ((3, 4), [[0, 0], [1, -1], [2, 0]]), complex="take_along_axis")
KEYS: tuple[Any, ...] = (
    *(1, slice(1, None), (slice(None, None, -2), slice(1, None)), (None, -1), (..., 0)),
    *(FIRST_TWICE, (FIRST_TWICE, np.array([0, 1, 0])), (slice(None), np.array([-1, -1]))),
    np.array([True, False, True]),
)
for key in KEYS:
    call("take", lambda x, key=key: x[ub.asarray(key) if hasattr(key, "dtype") else key], (3, 2))
    call("_get", lambda x, key=key: ub.at(x)[key].get(), (3, 2))
for mode in ("add", "subtract", "multiply", "min", "max"):

    def updated(x: Any, values: Any, key: Any = FIRST_TWICE, mode: str = mode) -> Any:
        return getattr(ub.at(x)[key], mode)(values)

    call("_at", updated, (3, 2), (3, 2), complex=mode not in ("min", "max"))
    call("_at", lambda x, v, f=updated: f(x, v, (slice(1, None), 0)), (3, 2), ())
call("_at", lambda x, v: ub.at(x)[[2, 0]].set(v), (3, 2), (2,), complex=True)
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].set(v), (3, 2), (1,))  # the same for all places
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].multiply(v), (3,), [0.0, 3.0, 2.0])
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].multiply(v), (3,), [0.0, 3.0, 0.0])
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].divide(v), (3,), (3,), complex=True)
call("_at", lambda x, v: ub.at(x)[FIRST_TWICE].power(v), (3,), (3,))
call("_at", lambda x: ub.at(x)[1:].apply(ub.square), (3,))
STARTS = np.array([1, -1])
call("dynamic_slice", lambda x, i: ub.dynamic_slice(x, i, (2, 1)), (3, 2), STARTS, complex=True)
calls("dynamic_update_slice", ((3, 2), (2, 1), STARTS), complex="dynamic_update_slice")
