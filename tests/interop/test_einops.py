"""einops' functions for the array API standard, on each backend."""

from __future__ import annotations

from typing import Any

import einops.array_api as einops
import numpy as np

import unibackend as ub

X = np.arange(24.0, dtype="float32").reshape(2, 3, 4)


def same(found: Any, right: Any, backend: str) -> None:
    assert ub.backend_of(found) == backend
    np.testing.assert_array_equal(ub.to_numpy(found), right)


def test_rearrange(backend: str) -> None:
    x = ub.asarray(X)
    same(einops.rearrange(x, "a b c -> c (a b)"), X.reshape(6, 4).T, backend)
    same(einops.rearrange([x, x], "k a b c -> a b c k"), np.stack([X, X], -1), backend)


def test_reduce(backend: str) -> None:
    x = ub.asarray(X)
    for name in ("min", "max", "sum", "mean", "prod", "any", "all"):
        operand, array = (x > 3, X > 3) if name in ("any", "all") else (x, X)
        right = getattr(np, name)(array, axis=(0, 2))
        same(einops.reduce(operand, "a b c -> b", name), right, backend)


def test_repeat(backend: str) -> None:
    found = einops.repeat(ub.asarray(X), "a b c -> a (n b) c", n=2)
    same(found, np.tile(X, (1, 2, 1)), backend)


def test_pack_and_unpack(backend: str) -> None:
    x = ub.asarray(X)
    packed, shapes = einops.pack([x, x[..., 0]], "a b *")
    same(packed, np.concatenate([X, X[..., :1]], -1), backend)
    for part, right in zip(einops.unpack(packed, shapes, "a b *"), (X, X[..., 0]), strict=True):
        same(part, right, backend)


def test_a_compiled_function_can_use_it(backend: str) -> None:
    @ub.compile
    def function(x: Any) -> Any:
        return einops.rearrange(ub.exp(x), "a b c -> b (a c)")

    found = ub.to_numpy(function(ub.asarray(X[:1] / 24)))
    np.testing.assert_allclose(found, np.exp(X[0] / 24), rtol=1e-6)
