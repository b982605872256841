"""Linear algebra: the `linalg` extension of the array API standard on JAX."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp

from ... import _linear, _results, _shapes, dtypes
from ..._linear import EighResult, EigResult, Order, QRResult, SlogdetResult, SVDResult
from ...errors import UnsupportedError
from .. import jax as xp
from .matmul import matmul
from .products import matrix_transpose, tensordot, vecdot
from .promotion import check_known, check_width, promote, strong

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def _array(function: str, x: Any) -> Any:
    check_width(function, x)
    check_known(function, x)
    return strong(x)


def _floats(function: str, x: Any) -> tuple[Any, dtypes.Dtype]:
    """Return an operand in a dtype to compute in, and the dtype of the result."""
    array = _array(function, x)
    dtype = _results.floating(array.dtype)
    return array.astype(_results.wide(dtype)), dtype


@cache
def _jitted(function: Callable[..., Any], *static: Any) -> Callable[..., Any]:
    """Return a function compiled once for the arguments after the arrays; inlined in a trace."""
    return jax.jit(lambda *arrays: function(*arrays, *static), inline=True)


def _adjoint(x: Any) -> Any:
    return jnp.conj(jnp.matrix_transpose(x))


def _all_or_nan(x: Any, *factors: Any) -> list[Any]:
    """Return the factors of matrices, all NaN where a matrix is not finite."""
    finite = jnp.isfinite(x).all(axis=(-2, -1), keepdims=True)
    return [
        jnp.where(finite if one.ndim == x.ndim else finite[..., 0], one, jnp.nan) for one in factors
    ]


@jax.custom_jvp
def _from_lower(x: Any) -> Any:
    """Return the Hermitian matrices that have these lower triangles.

    Its derivative is that of the mean of a matrix and its adjoint, as JAX's own: symmetric.
    """
    lower, diagonal = jnp.tril(x, -1), jnp.real(jnp.diagonal(x, axis1=-2, axis2=-1))
    middle = jnp.eye(x.shape[-1], dtype=x.dtype) * diagonal[..., None, :].astype(x.dtype)
    # where the diagonal is infinite, 0 times it is not 0
    middle = jnp.where(jnp.eye(x.shape[-1], dtype=bool), middle, 0)
    return lower + middle + _adjoint(lower)


@_from_lower.defjvp
def _from_lower_jvp(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (dx,) = primals, tangents
    return _from_lower(x), (dx + _adjoint(dx)) / 2


def _cholesky(x: Any, upper: bool) -> Any:
    hermitian = _from_lower(_adjoint(x) if upper else x)
    factor = jax.lax.linalg.cholesky(hermitian, symmetrize_input=False)
    (factor,) = _all_or_nan(hermitian, factor)
    factor = jnp.tril(factor)
    return _adjoint(factor) if upper else factor


def cholesky(x: Any, /, *, upper: bool = False) -> Any:
    a, dtype = _floats("linalg.cholesky", x)
    _linear.square("linalg.cholesky", a.shape)
    upper = _shapes.flag("linalg.cholesky", "upper", upper)
    return _jitted(_cholesky, upper)(a).astype(dtype)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    a, b = promote("linalg.cross", x1, x2)
    _linear.check_numbers("linalg.cross", a.dtype)
    left, right, end = _linear.crossed("linalg.cross", a.shape, b.shape, axis)
    a, b = jnp.moveaxis(a, left, -1), jnp.moveaxis(b, right, -1)
    return jnp.moveaxis(jnp.cross(a, b), -1, end)


def det(x: Any, /) -> Any:
    a, dtype = _floats("linalg.det", x)
    _linear.square("linalg.det", a.shape)
    if a.shape[-1] == 0:  # the empty product
        return jnp.ones(a.shape[:-2], dtype)
    return jnp.linalg.det(a).astype(dtype)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    a = _array("linalg.diagonal", x)
    return jnp.linalg.diagonal(a, offset=_linear.diagonal("linalg.diagonal", a.shape, offset))


def _eig(x: Any) -> Any:
    return _all_or_nan(x, *jnp.linalg.eig(x))


def eig(x: Any, /) -> EigResult:
    a, dtype = _floats("linalg.eig", x)
    _linear.square("linalg.eig", a.shape)
    values, vectors = _on_cpu_and_gpu("linalg.eig", _eig, a)
    result = _linear.complex_of(dtype)
    return EigResult(values.astype(result), vectors.astype(result))


def _eigvals(x: Any) -> Any:
    return _all_or_nan(x, jnp.linalg.eigvals(x))[0]


def eigvals(x: Any, /) -> Any:
    a, dtype = _floats("linalg.eigvals", x)
    _linear.square("linalg.eigvals", a.shape)
    values = _on_cpu_and_gpu("linalg.eigvals", _eigvals, a)
    return values.astype(_linear.complex_of(dtype))


def _on_cpu_and_gpu(name: str, function: Callable[..., Any], x: Any) -> Any:
    try:
        return _jitted(function)(x)
    except NotImplementedError as error:
        raise UnsupportedError(f"{name}: JAX cannot do this: {error}") from error


@jax.custom_jvp
def _eigh_of(hermitian: Any) -> tuple[Any, Any]:
    vectors, values = jax.lax.linalg.eigh(hermitian, symmetrize_input=False)
    return values, vectors


@_eigh_of.defjvp
def _eigh_jvp(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """Differentiate where eigenvalues are equal too, for the vectors of the others.

    Without JAX's division by their differences, which makes NaN of all.
    """
    (x,), (dx,) = primals, tangents
    values, vectors = _eigh_of(x)
    product = partial(jnp.matmul, precision="highest")
    turned = product(product(_adjoint(vectors), dx), vectors)
    apart = values[..., None, :] - values[..., :, None]
    scale = jnp.where(apart == 0, 0, 1 / jnp.where(apart == 0, 1, apart)).astype(x.dtype)
    d_values = jnp.real(jnp.diagonal(turned, axis1=-2, axis2=-1))
    return (values, vectors), (d_values, product(vectors, scale * turned))


def _eigh(x: Any) -> Any:
    hermitian = _from_lower(x)
    return _all_or_nan(hermitian, *_eigh_of(hermitian))


def eigh(x: Any, /) -> EighResult:
    a, dtype = _floats("linalg.eigh", x)
    _linear.square("linalg.eigh", a.shape)
    values, vectors = _jitted(_eigh)(a)
    return EighResult(values.astype(_linear.real(dtype)), vectors.astype(dtype))


def eigvalsh(x: Any, /) -> Any:
    a, dtype = _floats("linalg.eigvalsh", x)
    _linear.square("linalg.eigvalsh", a.shape)
    return _jitted(_eigh)(a)[0].astype(_linear.real(dtype))


def _solution(a: Any, result: Any) -> Any:
    """Return solutions, with the columns that are not finite all NaN."""
    finite = jnp.isfinite(result).all(axis=-2, keepdims=True)
    finite &= jnp.isfinite(a).all(axis=(-2, -1), keepdims=True)
    return jnp.where(finite, result, jnp.nan)


def _inv(x: Any) -> Any:
    return _solution(x, jnp.linalg.inv(x))


def inv(x: Any, /) -> Any:
    a, dtype = _floats("linalg.inv", x)
    _linear.square("linalg.inv", a.shape)
    return _jitted(_inv)(a).astype(dtype)


def _solve(a: Any, b: Any) -> Any:
    stack = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    b = jnp.broadcast_to(b, (*stack, *b.shape[-2:]))
    return _solution(a, jnp.linalg.solve(a, b))


def solve(x1: Any, x2: Any, /) -> Any:
    a, b = promote("linalg.solve", x1, x2)
    (a, dtype), (b, _) = _floats("linalg.solve", a), _floats("linalg.solve", b)
    vector = _linear.right_sides("linalg.solve", a.shape, b.shape)
    result = _jitted(_solve)(a, b[:, None] if vector else b)
    return (result[..., 0] if vector else result).astype(dtype)


def _matrix_norm(x: Any, keepdims: bool, order: Order) -> Any:
    return _linear.matrix_norm(xp, x, keepdims, order)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Order = "fro") -> Any:
    name = "linalg.matrix_norm"
    a, dtype = _floats(name, x)
    order = _linear.matrix_order(name, ord, a.shape)
    norm = _jitted(_matrix_norm, _shapes.flag(name, "keepdims", keepdims), order)(a)
    return norm.astype(_linear.real(dtype))


def _vector_norm(x: Any, axes: tuple[int, ...], keepdims: bool, order: float) -> Any:
    return _linear.vector_norm(xp, x, axes, keepdims, order)


def vector_norm(
    x: Any,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Any:
    name = "linalg.vector_norm"
    a, dtype = _floats(name, x)
    order = _linear.vector_order(name, ord, a.shape, axis)
    axes = _shapes.all_axes(name, axis, a.ndim)
    norm = _jitted(_vector_norm, axes, _shapes.flag(name, "keepdims", keepdims), order)(a)
    return norm.astype(_linear.real(dtype))


def matrix_power(x: Any, n: int, /) -> Any:
    name = "linalg.matrix_power"
    a = _array(name, x)
    _linear.square(name, a.shape)
    count = _shapes.integer(name, "n", n)
    if count < 0:
        a, dtype = _floats(name, a)
        return _linear.matrix_power(xp, inv(a), -count).astype(dtype)
    return _linear.matrix_power(xp, a, count)


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Any:
    _linear.tolerance("linalg.matrix_rank", rtol)
    a, dtype = _floats("linalg.matrix_rank", x)
    _shapes.matrices("linalg.matrix_rank", a.shape)
    return _linear.matrix_rank(xp, a, rtol, dtype)


def outer(x1: Any, x2: Any, /) -> Any:
    a, b = promote("linalg.outer", x1, x2)
    _linear.vector("linalg.outer", "x1", a.shape)
    _linear.vector("linalg.outer", "x2", b.shape)
    return jnp.multiply(a[:, None], b)


def pinv(x: Any, /, *, rtol: Any = None) -> Any:
    _linear.tolerance("linalg.pinv", rtol)
    a, dtype = _floats("linalg.pinv", x)
    _shapes.matrices("linalg.pinv", a.shape)
    if rtol is None:  # JAX's own is ten times the standard's
        rtol = max(a.shape[-2:]) * _linear.epsilon(dtype)
    return jnp.linalg.pinv(a, rtol=jnp.asarray(rtol, _linear.real(a.dtype))).astype(dtype)


def _qr(x: Any, complete: bool) -> Any:
    q, r = _all_or_nan(x, *jnp.linalg.qr(x, mode="complete" if complete else "reduced"))
    return q, jnp.triu(r)


def qr(x: Any, /, *, mode: str = "reduced") -> QRResult:
    a, dtype = _floats("linalg.qr", x)
    _shapes.matrices("linalg.qr", a.shape)
    q, r = _jitted(_qr, _linear.qr_mode("linalg.qr", mode))(a)
    return QRResult(q.astype(dtype), r.astype(dtype))


def slogdet(x: Any, /) -> SlogdetResult:
    a, dtype = _floats("linalg.slogdet", x)
    _linear.square("linalg.slogdet", a.shape)
    sign, size = jnp.linalg.slogdet(a)
    return SlogdetResult(sign.astype(dtype), size.astype(_linear.real(dtype)))


def _svd(x: Any, full_matrices: bool) -> Any:
    return _all_or_nan(x, *jnp.linalg.svd(x, full_matrices=full_matrices))


def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    a, dtype = _floats("linalg.svd", x)
    _shapes.matrices("linalg.svd", a.shape)
    full = _shapes.flag("linalg.svd", "full_matrices", full_matrices)
    u, s, vh = _jitted(_svd, full)(a)
    return SVDResult(u.astype(dtype), s.astype(_linear.real(dtype)), vh.astype(dtype))


def _svdvals(x: Any) -> Any:
    return _all_or_nan(x, jnp.linalg.svdvals(x))[0]


def svdvals(x: Any, /) -> Any:
    a, dtype = _floats("linalg.svdvals", x)
    _shapes.matrices("linalg.svdvals", a.shape)
    return _jitted(_svdvals)(a).astype(_linear.real(dtype))


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    a = _array("linalg.trace", x)
    _linear.diagonal("linalg.trace", a.shape, offset)
    wanted = _results.summed("linalg.trace", a.dtype, dtype)
    return xp.sum(diagonal(a, offset=offset), axis=-1, dtype=wanted)
