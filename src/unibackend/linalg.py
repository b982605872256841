"""Linear algebra: the `linalg` extension of the array API standard.

Arrays hold matrices in their last two axes. Integers and bools are brought to the default float,
and 16 bit floats are computed in float32. Nothing raises for the numbers in a matrix, since a
compiled function cannot: a matrix that is singular, not positive definite or not finite gives NaN.
"""

from __future__ import annotations

from typing import Any, Literal

from ._dispatch import operation
from ._linear import EighResult, EigResult, Order, QRResult, SlogdetResult, SVDResult
from .ops.products import matmul, matrix_transpose, tensordot, vecdot
from .typing import Array, ArrayLike

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


@operation
def cholesky(x: ArrayLike, /, *, upper: bool = False) -> Array:
    """Return the triangular factors of Hermitian positive definite matrices.

    Args:
        x: an array of square matrices. Only the lower triangle is read, or with `upper` the upper.
        upper: whether to return U with ``x = U^H U`` in place of L with ``x = L L^H``.

    Returns:
        An array of triangular matrices with a positive diagonal; the whole triangle of a matrix
        that is not positive definite is NaN.

    Raises:
        ShapeError: no square matrices.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])
        array([[2., 0.],
               [1., 2.]], dtype=float32)
    """
    ...


@operation
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """Return the cross products of vectors of three elements.

    Args:
        x1: an array of numbers.
        x2: an array of numbers; its other axes must broadcast with those of x1.
        axis: the axis of the vectors, counted from the end where the numbers of axes differ.

    Returns:
        An array of vectors along the same axis.

    Raises:
        ShapeError: no such axis, vectors of other lengths, or shapes that do not broadcast.
        DtypeError: bools.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.cross([1, 0, 0], [0, 1, 0])
        array([0, 0, 1], dtype=int32)
    """
    ...


@operation
def det(x: ArrayLike, /) -> Array:
    """Return the determinants of square matrices.

    Args:
        x: an array of square matrices.

    Returns:
        An array without the last two axes.

    Raises:
        ShapeError: no square matrices.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     print(ub.linalg.det([[2.0, 1.0], [0.0, 3.0]]))
        6.0
    """
    ...


@operation
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Return the diagonals of matrices.

    Args:
        x: an array of two axes at least, of any dtype.
        offset: how far above the main diagonal, or below it if negative.

    Returns:
        An array with the last two axes replaced by one, of the elements of the diagonal. It may
        share the memory of x.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.diagonal([[1, 2, 3], [4, 5, 6]], offset=1)
        array([2, 6], dtype=int32)
    """
    ...


@operation
def eig(x: ArrayLike, /) -> EigResult:
    """Return eigenvalues and eigenvectors of square matrices.

    Their order is not defined, and vectors are defined up to a factor. Derivatives are those of
    the eigenvalues only. JAX computes this on CPUs and some GPUs, TensorFlow not with XLA.

    Args:
        x: an array of square matrices.

    Returns:
        ``(eigenvalues, eigenvectors)``, complex: arrays of the values, and of matrices whose
        columns are the vectors, of length 1.

    Raises:
        ShapeError: no square matrices.
        UnsupportedError: the device cannot compute it.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.eig([[2.0, 0.0], [0.0, 3.0]]).eigenvalues
        array([2.+0.j, 3.+0.j], dtype=complex64)
    """
    ...


@operation
def eigh(x: ArrayLike, /) -> EighResult:
    """Return eigenvalues and eigenvectors of Hermitian matrices.

    Vectors are defined up to their sign, or to a complex number of size 1.

    Args:
        x: an array of square matrices, of which only the lower triangle is read.

    Returns:
        ``(eigenvalues, eigenvectors)``: arrays of the values, real and in ascending order, and of
        matrices whose columns are orthonormal vectors.

    Raises:
        ShapeError: no square matrices.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.eigh([[3.0, 0.0], [0.0, 2.0]]).eigenvalues
        array([2., 3.], dtype=float32)
    """
    ...


@operation
def eigvals(x: ArrayLike, /) -> Array:
    """Return the eigenvalues of square matrices, in any order.

    JAX computes this on CPUs and some GPUs, TensorFlow not with XLA.

    Args:
        x: an array of square matrices.

    Returns:
        A complex array without the last axis.

    Raises:
        ShapeError: no square matrices.
        UnsupportedError: the device cannot compute it.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]])
        array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    ...


@operation
def eigvalsh(x: ArrayLike, /) -> Array:
    """Return the eigenvalues of Hermitian matrices, in ascending order.

    Args:
        x: an array of square matrices, of which only the lower triangle is read.

    Returns:
        A real array without the last axis.

    Raises:
        ShapeError: no square matrices.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.eigvalsh([[3.0, 0.0], [0.0, 2.0]])
        array([2., 3.], dtype=float32)
    """
    ...


@operation
def inv(x: ArrayLike, /) -> Array:
    """Return the inverses of square matrices.

    Args:
        x: an array of square matrices.

    Returns:
        An array of the same shape, NaN where a matrix is singular.

    Raises:
        ShapeError: no square matrices.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.inv([[2.0, 0.0], [0.0, 4.0]])
        array([[0.5 , 0.  ],
               [0.  , 0.25]], dtype=float32)
    """
    ...


@operation
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Order = "fro") -> Array:
    """Return the norms of matrices.

    Args:
        x: an array of two axes at least.
        keepdims: whether the last two axes stay, with length 1.
        ord: "fro" is the root of the sum of squares; "nuc" the sum, 2 the largest and -2 the
            smallest of the singular values; 1 the largest and -1 the smallest sum of magnitudes
            in a column; inf and -inf the same of rows.

    Returns:
        A real array without the last two axes. The largest of nothing is 0.

    Raises:
        ShapeError: fewer than two axes, or the smallest of nothing.
        OptionError: no such order.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     print(ub.linalg.matrix_norm([[1.0, -2.0], [3.0, 4.0]], ord=1))
        6.0
    """
    ...


@operation(arrays=("x",))
def matrix_power(x: ArrayLike, n: int, /) -> Array:
    """Return square matrices multiplied by themselves.

    Args:
        x: an array of square matrices. Those of integers stay so, exact modulo their width, while
            n is not negative.
        n: how many equal factors; negative powers are those of the inverses.

    Returns:
        An array of the same shape.

    Raises:
        ShapeError: no square matrices.
        DtypeError: n is not an integer.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.matrix_power([[1, 1], [0, 1]], 5)
        array([[1, 5],
               [0, 1]], dtype=int32)
    """
    ...


@operation(arrays=("x", "rtol"))
def matrix_rank(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> Array:
    """Return the ranks of matrices: how many singular values are not zero.

    Args:
        x: an array of two axes at least.
        rtol: up to which part of the largest singular value another one counts as zero, a number
            or an array of one for each matrix; None is the larger side of the matrices times the
            distance from 1 to the next number of their dtype.

    Returns:
        An array of the default integer without the last two axes; 0 for matrices with NaN.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     print(ub.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
        1
    """
    ...


@operation
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the products of each element of a vector with each of another.

    Args:
        x1: an array of one axis.
        x2: an array of one axis.

    Returns:
        An array with a row for each element of x1.

    Raises:
        ShapeError: an array of another number of axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.outer([1, 2], [3, 4])
        array([[3, 4],
               [6, 8]], dtype=int32)
    """
    ...


@operation(arrays=("x", "rtol"))
def pinv(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> Array:
    """Return the Moore-Penrose pseudo-inverses of matrices.

    Args:
        x: an array of two axes at least.
        rtol: up to which part of the largest singular value another one counts as zero, a number
            or an array of one for each matrix; None is the larger side of the matrices times the
            distance from 1 to the next number of their dtype.

    Returns:
        An array with the last two axes exchanged.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.pinv([[2.0, 0.0], [0.0, 0.0]])
        array([[0.5, 0. ],
               [0. , 0. ]], dtype=float32)
    """
    ...


@operation
def qr(x: ArrayLike, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Return matrices as products of orthonormal columns and upper triangles.

    Columns of Q and rows of R are defined up to their sign, or to a complex number of size 1.

    Args:
        x: an array of two axes at least.
        mode: "reduced" for as many columns of Q as the shorter side has, "complete" for a square
            Q.

    Returns:
        ``(Q, R)``, arrays of matrices.

    Raises:
        ShapeError: fewer than two axes.
        OptionError: no such mode.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     q, r = ub.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
        ...     ub.round(ub.matmul(q, r))
        array([[3., 1.],
               [4., 2.]], dtype=float32)
    """
    ...


@operation
def slogdet(x: ArrayLike, /) -> SlogdetResult:
    """Return the signs of determinants, and the logarithms of their absolute values.

    Args:
        x: an array of square matrices.

    Returns:
        ``(sign, logabsdet)``: arrays of the signs, or of complex numbers of size 1, and of real
        logarithms. They are 0 and -inf for a singular matrix.

    Raises:
        ShapeError: no square matrices.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     print(ub.linalg.slogdet([[-1.0, 0.0], [0.0, 1.0]]).sign)
        -1.0
    """
    ...


@operation
def solve(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the solutions x of ``x1 x = x2``.

    Args:
        x1: an array of square matrices.
        x2: a vector, if it has one axis; else an array of matrices, whose columns are the right
            sides, and whose stack broadcasts with that of x1.

    Returns:
        An array of vectors or matrices, NaN where a matrix is singular.

    Raises:
        ShapeError: no square matrices, other rows in x2, or stacks that do not broadcast.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [1.0, 1.0])
        array([0.5 , 0.25], dtype=float32)
    """
    ...


@operation
def svd(x: ArrayLike, /, *, full_matrices: bool = True) -> SVDResult:
    """Return the singular value decompositions of matrices.

    Pairs of vectors are defined up to their sign, or to a complex number of size 1.

    Args:
        x: an array of two axes at least.
        full_matrices: whether U and Vh are square; else they have as many vectors as there are
            singular values.

    Returns:
        ``(U, S, Vh)``: left vectors as columns, singular values in descending order, and right
        vectors, conjugated, as rows.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     u, s, vh = ub.linalg.svd([[0.0, 2.0], [3.0, 0.0]])
        ...     s
        array([3., 2.], dtype=float32)
    """
    ...


@operation
def svdvals(x: ArrayLike, /) -> Array:
    """Return the singular values of matrices, in descending order.

    Args:
        x: an array of two axes at least.

    Returns:
        A real array with the last two axes replaced by one.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     ub.linalg.svdvals([[0.0, 2.0], [3.0, 0.0]])
        array([3., 2.], dtype=float32)
    """
    ...


@operation
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sums of the diagonals of matrices.

    Args:
        x: an array of two axes at least.
        offset: how far above the main diagonal, or below it if negative.
        dtype: the dtype of the sums; None is that of x, for integers the default one at least.

    Returns:
        An array without the last two axes.

    Raises:
        ShapeError: fewer than two axes.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     print(ub.linalg.trace([[1, 2], [3, 4]]))
        5
    """
    ...


@operation
def vector_norm(
    x: ArrayLike,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Array:
    """Return the norms of vectors.

    Args:
        x: an array of numbers.
        axis: the axis of the vectors, or several that are taken as one; None is all of them.
        keepdims: whether these axes stay, with length 1.
        ord: any real number p for the p-th root of the sum of the p-th powers of the magnitudes;
            inf is the largest and -inf the smallest magnitude, 0 how many are not zero.

    Returns:
        A real array. The largest of nothing is 0.

    Raises:
        ShapeError: no such axis, or the smallest of nothing.
        DtypeError: an order that is not a real number.

    Examples:
        >>> import unibackend as ub
        >>> with ub.use("numpy"):
        ...     print(ub.linalg.vector_norm([3.0, 4.0]))
        5.0
    """
    ...
