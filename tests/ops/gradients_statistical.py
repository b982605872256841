"""The derivatives of sums, means and extremes, of order, and of differences."""

from __future__ import annotations

import unibackend as ub

from .gradients import NONE, call, calls

REDUCED = "sum prod mean std var max min"
calls(REDUCED, ((7,),), ((2, 3),))
for options in ({"axis": 0}, {"axis": (0, 2), "keepdims": True}, {"axis": -1, "keepdims": True}):
    calls(REDUCED, ((2, 3, 2),), complex="sum prod mean std var", **options)
calls("std var", ((5,),), correction=1)
calls("sum prod mean", ((0, 2),), axis=0)
call("prod", ub.prod, [5.0, 0.0, 4.0])
call("prod", ub.prod, [0.0, 0.0, 4.0])
RUNNING = "cumulative_sum cumulative_prod"
calls(RUNNING, ((3, 4),), ((2, 0),), complex=RUNNING, axis=1)
calls(RUNNING, ((3,),), include_initial=True)
call("cumulative_prod", lambda x: ub.cumulative_prod(x, axis=0), [5.0, 0.0, 4.0, 0.0, 3.0])
calls("sort", ((7,),), ((2, 3),))
calls("sort", ((3, 2),), axis=0, descending=True)
calls("top_k", ((2, 5),), k=2)
calls("top_k", ((5, 2),), k=3, axis=0, largest=False)
SEGMENTS = [2, 0, 2, 7, -1]
calls("segment_sum", ((5, 2), SEGMENTS), ((5,), SEGMENTS), complex="segment_sum", num_segments=3)
calls("diff", ((2, 5),), ((2, 0),), complex="diff", n=2)
call("diff", lambda x, y, z: ub.diff(x, axis=0, prepend=y, append=z), (3, 2), (2, 2), ())

NONE.update(
    (
        *("all", "any", "argmax", "argmin", "argsort", "count_nonzero", "isin", "nonzero"),
        "searchsorted",
        # their values have one, which depends on values: test_sets.py
        *("unique_all", "unique_counts", "unique_inverse", "unique_values"),
    )
)
