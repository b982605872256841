"""Linear algebra: the `linalg` extension of the array API standard on TensorFlow."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ... import _linear, _results, _shapes, dtypes
from ..._linear import EighResult, EigResult, Order, QRResult, SlogdetResult, SVDResult
from .. import tensorflow as xp
from . import _factors, _solutions
from ._broadcast import broadcast_shapes, broadcast_to
from ._kernels import cast
from ._matrices import adjoint
from ._sizes import dims_of, product, reshape, ruled_shape
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .matmul import matmul
from .products import matrix_transpose, tensordot, vecdot
from .promotion import promote, to_array

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


def _floats(function: str, x: Any) -> tuple[Any, dtypes.Dtype]:
    """Return an operand in a dtype to compute in, and the dtype of the result."""
    tensor = to_array(function, x)
    dtype = _results.floating(NUMPY_DTYPES[tensor.dtype])
    return cast(tensor, TF_DTYPES[_results.wide(dtype)]), dtype


def _square(function: str, x: Any) -> tuple[Any, dtypes.Dtype]:
    tensor, dtype = _floats(function, x)
    _linear.square(function, ruled_shape(tensor, function))
    return tensor, dtype


def _matrices(function: str, x: Any) -> tuple[Any, dtypes.Dtype]:
    tensor, dtype = _floats(function, x)
    _shapes.matrices(function, ruled_shape(tensor, function))
    return tensor, dtype


def _array(tensor: Any, dtype: dtypes.Dtype) -> Array:
    return Array(cast(tensor, TF_DTYPES[dtype]))


def cholesky(x: Any, /, *, upper: bool = False) -> Array:
    tensor, dtype = _square("linalg.cholesky", x)
    if not _shapes.flag("linalg.cholesky", "upper", upper):
        return _array(_factors.cholesky(tensor), dtype)
    return _array(adjoint(_factors.cholesky(adjoint(tensor))), dtype)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Array:
    name = "linalg.cross"
    t1, t2 = promote(name, x1, x2)
    _linear.check_numbers(name, NUMPY_DTYPES[t1.dtype])
    left, right, end = _linear.crossed(name, ruled_shape(t1, name), ruled_shape(t2, name), axis)
    rank = max(t1.shape.rank, t2.shape.rank)
    # the vectors' axis first, in arrays of as many axes, so that each part is one slice
    parts = []
    for tensor, at in ((t1, left), (t2, right)):
        dims = dims_of(tensor, name)
        wide = reshape(tensor, [1] * (rank - len(dims)) + dims)
        parts.append(xp.unstack(Array(wide), axis=at + rank - len(dims)))
    (a, b, c), (d, e, f) = parts
    found = [(b, f, c, e), (c, d, a, f), (a, e, b, d)]
    across = [
        xp.subtract(xp.multiply(one, two), xp.multiply(three, four))
        for one, two, three, four in found
    ]
    return xp.stack(across, axis=end)


def det(x: Any, /) -> Array:
    return _array(*_of(_solutions.det, *_square("linalg.det", x)))


def _of(kernel: Any, tensor: Any, dtype: dtypes.Dtype) -> tuple[Any, dtypes.Dtype]:
    return kernel(tensor), dtype


def diagonal(x: Any, /, *, offset: int = 0) -> Array:
    tensor = to_array("linalg.diagonal", x)
    offset = _linear.diagonal("linalg.diagonal", ruled_shape(tensor, "linalg.diagonal"), offset)
    *stack, rows, columns = dims_of(tensor)
    if not isinstance(rows, int) or not isinstance(columns, int):
        flat = reshape(tensor, [product(stack), rows, columns])
        found = tf.linalg.diag_part(flat, k=offset)
        return Array(reshape(found, [*stack, dims_of(found)[-1]]))
    count = _linear.diagonal_length(rows, columns, offset)
    first = offset if offset >= 0 else -offset * columns
    flat = reshape(tensor, [product(stack), rows * columns])
    found = flat[:, first : first + count * (columns + 1) : columns + 1][:, :count]
    return Array(reshape(found, [*stack, count]))


def eig(x: Any, /) -> EigResult:
    tensor, dtype = _square("linalg.eig", x)
    values, vectors = _factors.eig(tensor)
    result = _linear.complex_of(dtype)
    return EigResult(_array(values, result), _array(vectors, result))


def eigvals(x: Any, /) -> Array:
    tensor, dtype = _square("linalg.eigvals", x)
    return _array(_factors.eigvals(tensor), _linear.complex_of(dtype))


def eigh(x: Any, /) -> EighResult:
    tensor, dtype = _square("linalg.eigh", x)
    values, vectors = _factors.eigh(tensor)
    return EighResult(_array(values, _linear.real(dtype)), _array(vectors, dtype))


def eigvalsh(x: Any, /) -> Array:
    tensor, dtype = _square("linalg.eigvalsh", x)
    return _array(_factors.eigh(tensor)[0], _linear.real(dtype))


def inv(x: Any, /) -> Array:
    return _array(*_of(_solutions.inverse, *_square("linalg.inv", x)))


def solve(x1: Any, x2: Any, /) -> Array:
    name = "linalg.solve"
    t1, t2 = promote(name, x1, x2)
    (t1, dtype), (t2, _) = _floats(name, Array(t1)), _floats(name, Array(t2))
    vector = _linear.right_sides(name, ruled_shape(t1, name), ruled_shape(t2, name))
    dims1, dims2 = dims_of(t1), dims_of(t2)
    if vector:
        dims2 = [dims2[0], 1]
        t2 = reshape(t2, dims2)
    stack = broadcast_shapes(name, dims1[:-2], dims2[:-2]) if len(dims1) + len(dims2) > 4 else []
    t1 = _spread(t1, dims1, [*stack, *dims1[-2:]])
    t2 = _spread(t2, dims2, [*stack, *dims2[-2:]])
    result = _solutions.solve(t1, t2)
    return _array(reshape(result, [*stack, dims1[-1]]) if vector else result, dtype)


def _spread(tensor: Any, dims: list[Any], shape: list[Any]) -> Any:
    same = len(dims) == len(shape) and all(
        a is b or a == b for a, b in zip(dims, shape, strict=True)
    )
    return tensor if same else broadcast_to(tensor, shape)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Order = "fro") -> Array:
    name = "linalg.matrix_norm"
    tensor, dtype = _floats(name, x)
    order = _linear.matrix_order(name, ord, ruled_shape(tensor, name))
    keep = _shapes.flag(name, "keepdims", keepdims)
    norm = _linear.matrix_norm(xp, Array(tensor), keep, order)
    return _array(norm._tensor, _linear.real(dtype))


def vector_norm(
    x: Any,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Array:
    name = "linalg.vector_norm"
    tensor, dtype = _floats(name, x)
    shape = ruled_shape(tensor, name)
    order = _linear.vector_order(name, ord, shape, axis)
    axes = _shapes.all_axes(name, axis, len(shape))
    keep = _shapes.flag(name, "keepdims", keepdims)
    norm = _linear.vector_norm(xp, Array(tensor), axes, keep, order)
    return _array(norm._tensor, _linear.real(dtype))


def matrix_power(x: Any, n: int, /) -> Array:
    name = "linalg.matrix_power"
    tensor = to_array(name, x)
    _linear.square(name, ruled_shape(tensor, name))
    count = _shapes.integer(name, "n", n)
    if count < 0:
        tensor, dtype = _floats(name, Array(tensor))
        power = _linear.matrix_power(xp, Array(_solutions.inverse(tensor)), -count)
        return _array(power._tensor, dtype)
    result: Array = _linear.matrix_power(xp, Array(tensor), count)
    return result


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Array:
    _linear.tolerance("linalg.matrix_rank", rtol)
    tensor, dtype = _matrices("linalg.matrix_rank", x)
    result: Array = _linear.matrix_rank(xp, Array(tensor), rtol, dtype)
    return result


def outer(x1: Any, x2: Any, /) -> Array:
    name = "linalg.outer"
    t1, t2 = promote(name, x1, x2)
    _linear.vector(name, "x1", ruled_shape(t1, name))
    _linear.vector(name, "x2", ruled_shape(t2, name))
    return xp.multiply(Array(reshape(t1, [*dims_of(t1), 1])), Array(t2))


def pinv(x: Any, /, *, rtol: Any = None) -> Array:
    _linear.tolerance("linalg.pinv", rtol)
    tensor, dtype = _matrices("linalg.pinv", x)

    def compute(one: Any) -> Any:
        return _linear.pinv(xp, Array(one), rtol, dtype)._tensor

    return _array(_solutions.pinv(tensor, compute), dtype)


def qr(x: Any, /, *, mode: str = "reduced") -> QRResult:
    tensor, dtype = _matrices("linalg.qr", x)
    q, r = _factors.qr(tensor, _linear.qr_mode("linalg.qr", mode))
    return QRResult(_array(q, dtype), _array(r, dtype))


def slogdet(x: Any, /) -> SlogdetResult:
    tensor, dtype = _square("linalg.slogdet", x)
    sign, size = _solutions.slogdet(tensor)
    return SlogdetResult(_array(sign, dtype), _array(size, _linear.real(dtype)))


def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    tensor, dtype = _matrices("linalg.svd", x)
    full = _shapes.flag("linalg.svd", "full_matrices", full_matrices)
    u, s, vh = _factors.svd(tensor, full)
    return SVDResult(_array(u, dtype), _array(s, _linear.real(dtype)), _array(vh, dtype))


def svdvals(x: Any, /) -> Array:
    tensor, dtype = _matrices("linalg.svdvals", x)
    return _array(_factors.svdvals(tensor), _linear.real(dtype))


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Array:
    tensor = to_array("linalg.trace", x)
    _linear.diagonal("linalg.trace", ruled_shape(tensor, "linalg.trace"), offset)
    wanted = _results.summed("linalg.trace", NUMPY_DTYPES[tensor.dtype], dtype)
    result: Array = xp.sum(diagonal(Array(tensor), offset=offset), axis=-1, dtype=wanted)
    return result
