"""The derivatives of linear algebra, of what does not depend on signs that are free."""

from __future__ import annotations

from typing import Any

import unibackend as ub

from .gradients import NONE, call, calls

NONE.update(("linalg.eig", "linalg.matrix_rank"))  # eig: see test_linalg.py


def adjoint(x: Any) -> Any:
    return ub.conj(ub.matrix_transpose(x))


def weighted(columns: Any) -> Any:
    """Return the sum of the projections on columns, each with a weight of its own."""
    weights = ub.astype(ub.arange(1, columns.shape[-1] + 1), columns.dtype)
    return ub.matmul(columns * weights, adjoint(columns))


# ---- products ----------------------------------------------------------------------------------

for text, shapes in (
    ("ij,jk->ik", ((2, 3), (3, 2))),
    ("ii->i", ((3, 3),)),
    ("iij->j", ((2, 2, 3),)),
    ("...i,...i->...", ((2, 1, 3), (2, 3))),
    ("ij,k,kl->li", ((2, 2), (3,), (3, 2))),
    ("i,j->", ((2,), (3,))),
):

    def summed(*operands: Any, text: str = text) -> Any:
        return ub.einsum(text, *operands)

    call("einsum", summed, *shapes, complex=True)
calls("kron", ((2, 2), (3,)), ((), (2,)), complex="kron")
calls("linalg.cross", ((2, 3), (3,)), complex="linalg.cross")
calls("linalg.cross", ((3, 2), (3, 2)), axis=0)
calls("linalg.outer", ((2,), (3,)), complex="linalg.outer")
calls("linalg.diagonal linalg.trace", ((2, 3, 3),), ((2, 3),), complex="linalg.trace")
calls("linalg.diagonal linalg.trace", ((3, 4),), offset=-1)
for power in (1, 3, -2):

    def multiplied(x: Any, power: int = power) -> Any:
        return ub.linalg.matrix_power(x, power)

    call("linalg.matrix_power", multiplied, (2, 2), complex=True)

# ---- solutions ---------------------------------------------------------------------------------

SQUARE: tuple[tuple[tuple[int, ...]], ...] = (((3, 3),), ((2, 2, 2),), ((1, 1),), ((0, 0),))
calls("linalg.det linalg.inv", *SQUARE, complex="linalg.det linalg.inv")
calls("linalg.det", ((4, 4),), complex="linalg.det")
calls("linalg.det", ([[1.0, 2.0], [2.0, 4.0]],), ([[0.0, 1.0], [0.0, 1.0]],))
calls("linalg.slogdet", ((3, 3),), ((2, 4, 4),), complex="linalg.slogdet")
calls(
    "linalg.solve", ((3, 3), (3,)), ((2, 2), (2, 2)), ((2, 1, 2, 2), (3, 2, 1)), ((2, 2, 2), (2,))
)
calls("linalg.solve", ((2, 2), (2, 3)), complex="linalg.solve")
PSEUDO = ((3, 2),), ((2, 3),), ((2, 2, 2),), ([[2.0, 0.0], [0.0, 2.0], [0.0, 0.0]],)
calls("linalg.pinv", *PSEUDO, complex="linalg.pinv")

# ---- norms -------------------------------------------------------------------------------------

for order in (2, 1, 3, 0.5, -2, float("inf"), float("-inf")):
    calls("linalg.vector_norm", ((2, 3),), complex="linalg.vector_norm", ord=order)
    calls("linalg.vector_norm", ((2, 3),), ord=order, axis=1, keepdims=True)
for norm in ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf")):
    calls("linalg.matrix_norm", ((2, 3),), ((2, 2, 2),), complex="linalg.matrix_norm", ord=norm)

# ---- factors -----------------------------------------------------------------------------------


def definite(x: Any) -> Any:
    return ub.matmul(x, adjoint(x)) + ub.eye(x.shape[-2], dtype=x.dtype)


def of_cholesky(x: Any) -> Any:
    return ub.linalg.cholesky(definite(x)), ub.linalg.cholesky(definite(x), upper=True)


call("linalg.cholesky", of_cholesky, (3, 3), complex=True)
call("linalg.cholesky", of_cholesky, (2, 2, 3), complex=True)


def of_eigh(x: Any) -> Any:
    values, vectors = ub.linalg.eigh(x + adjoint(x))
    return values, weighted(vectors)


call("linalg.eigh", of_eigh, (3, 3), complex=True)
call("linalg.eigh", of_eigh, (2, 2, 2))
call("linalg.eigvalsh", lambda x: ub.linalg.eigvalsh(x + adjoint(x)), (3, 3), complex=True)
call("linalg.eigvals", lambda x: ub.sum(ub.linalg.eigvals(x) ** 3), (3, 3), complex=True)


def of_qr(x: Any, mode: Any = "reduced") -> Any:
    """Return Q and R with a diagonal of R that is positive, and the projection on what is left."""
    q, r = ub.linalg.qr(x, mode=mode)
    count = min(x.shape[-2:])
    diagonal = ub.linalg.diagonal(r)
    turn = diagonal / ub.abs(diagonal)
    rest = q[..., count:]
    return (
        q[..., :count] * turn[..., None, :],
        ub.conj(turn)[..., :, None] * r[..., :count, :],
        ub.matmul(rest, adjoint(rest)),
    )


call("linalg.qr", of_qr, (3, 3), complex=True)
call("linalg.qr", of_qr, (2, 4, 2), complex=True)
call("linalg.qr", of_qr, (2, 4), complex=True)
call("linalg.qr", lambda x: of_qr(x, "complete"), (4, 2), complex=True)


def of_svd(x: Any, full_matrices: bool = False) -> Any:
    u, s, vh = ub.linalg.svd(x, full_matrices=full_matrices)
    return weighted(u), s, weighted(adjoint(vh)), ub.matmul(u, vh)


call("linalg.svd", of_svd, (3, 2), complex=True)
call("linalg.svd", of_svd, (2, 3), complex=True)
call("linalg.svd", lambda x: of_svd(x, True), (2, 2, 2), complex=True)
calls("linalg.svdvals", ((3, 2),), ((2, 2, 3),), complex="linalg.svdvals")
