"""What a table cannot say of linear algebra: results by name, what is read, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import unibackend as ub
from unibackend.errors import DtypeError, OptionError, ShapeError, UnsupportedError

from ..gaps import LACKS

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]


def x(*shape: int) -> Any:
    return ub.ones(shape)


def numpy(result: Any) -> Any:
    return np.asarray(ub.to_numpy(result))


# ---- results -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("eig", ("eigenvalues", "eigenvectors")),
        ("eigh", ("eigenvalues", "eigenvectors")),
        ("qr", ("Q", "R")),
        ("slogdet", ("sign", "logabsdet")),
        ("svd", ("U", "S", "Vh")),
    ],
)
def test_results_have_the_standards_names(
    backend: str, mode: str, name: str, fields: tuple[str, ...]
) -> None:
    function, x = getattr(ub.linalg, name), ub.asarray([[2.0, 1.0], [1.0, 3.0]])
    with ub.use(xla=mode == "xla"):
        run = function if mode == "eager" else ub.compile(lambda x: function(x))
        if (backend, mode, f"linalg.{name}") in LACKS:
            with pytest.raises(UnsupportedError):
                run(x)
            return
        result = run(x)
    assert result._fields == fields
    assert type(result).__module__ == "unibackend._linear"
    assert all(ub.backend_of(one) == backend for one in result)


def test_one_triangle_is_read(backend: str) -> None:
    """Case LA03: JAX's own functions take the mean of both."""
    a = ub.asarray([[4.0, 100.0], [2.0, 5.0]])
    lower = numpy(ub.linalg.cholesky(a))
    np.testing.assert_allclose(lower, [[2, 0], [1, 2]], rtol=1e-12)
    np.testing.assert_allclose(numpy(ub.linalg.eigvalsh(a)), [2.438447187, 6.561552813], rtol=1e-9)
    upper = numpy(ub.linalg.cholesky(ub.matrix_transpose(a), upper=True))
    np.testing.assert_allclose(upper, lower.T, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_nothing_raises_for_numbers(backend: str, mode: str, dtype: str) -> None:
    """Cases LA02, LA07, LA13: what has no result is NaN in every mode."""
    indefinite, nan = [[1.0, 2.0], [2.0, 1.0]], [[np.nan, 1.0], [1.0, 1.0]]

    def run(function: Callable[..., Any], *operands: Any) -> Any:
        arrays = [ub.asarray(one, dtype=dtype) for one in operands]
        compiled = function if mode == "eager" else ub.compile(lambda *xs: function(*xs))
        return numpy(compiled(*arrays))

    linalg = ub.linalg
    with ub.use(xla=mode == "xla"):
        for matrix in (indefinite, SINGULAR, nan):
            factor = run(linalg.cholesky, matrix)
            assert np.isnan(factor[np.tril_indices(2)]).all()
            assert factor[0, 1] == 0
        for matrix in (SINGULAR, nan, [[0.0, 0.0], [0.0, 0.0]]):
            assert np.isnan(run(linalg.inv, matrix)).all()
            assert np.isnan(run(linalg.solve, matrix, [1.0, 1.0])).all()
        for function in (linalg.eigvalsh, linalg.svdvals):
            assert np.isnan(run(function, nan)).all()
        assert run(linalg.det, SINGULAR) == 0
        assert run(linalg.matrix_rank, nan) == 0
        # the other matrices of a stack, and the other columns, are not touched
        both = run(linalg.inv, [SINGULAR, [[2.0, 0.0], [0.0, 2.0]]])
        np.testing.assert_allclose(both[1], [[0.5, 0], [0, 0.5]])
        columns = run(linalg.solve, [[2.0, 0.0], [0.0, 2.0]], [[1.0, np.nan], [1.0, 1.0]])
        np.testing.assert_array_equal(columns, [[0.5, np.nan], [0.5, np.nan]])


def test_the_cut_off_of_small_singular_values(backend: str) -> None:
    """Case LA09: the larger side times eps, where JAX and TensorFlow take ten times that."""
    for small, inverse in ((3e-7, 3333333), (1e-9, 0)):
        a = ub.asarray([[1.0, 0.0], [0.0, small]], dtype="float32")
        np.testing.assert_allclose(numpy(ub.linalg.pinv(a))[1, 1], inverse, rtol=1e-6)
        assert numpy(ub.linalg.matrix_rank(a)) == (2 if inverse else 1)
    stack = ub.asarray([[[1.0, 0.0], [0.0, 0.1]]] * 2)
    ranks = ub.linalg.matrix_rank(stack, rtol=ub.asarray([0.5, 0.01]))
    assert numpy(ranks).tolist() == [1, 2]
    assert numpy(ub.linalg.pinv(stack, rtol=np.array([0.5, 0.01])))[:, 1, 1].tolist() == [0, 10]


def test_integers_are_floats(backend: str) -> None:
    """Case LA14: one rule, the default float; powers that are not negative stay integers."""
    a = ub.asarray([[2, 1], [1, 1]], dtype="int8")
    for function in (ub.linalg.det, ub.linalg.inv, ub.linalg.matrix_norm, ub.linalg.vector_norm):
        assert function(a).dtype == ub.float64
    assert ub.linalg.matrix_power(a, 2).dtype == ub.int8
    assert ub.linalg.matrix_power(a, -1).dtype == ub.float64
    half = ub.astype(a, ub.float16)
    assert ub.linalg.inv(half).dtype == ub.float16
    assert ub.linalg.eigvals(half).dtype == ub.complex64


# ---- vmap --------------------------------------------------------------------------------------

MAPPED: dict[str, Callable[[Any], Any]] = {
    "cholesky": lambda a: ub.linalg.cholesky(ub.matmul(a, ub.matrix_transpose(a))),
    "complex cholesky": lambda a: ub.linalg.cholesky(ub.matmul(a, ub.matrix_transpose(a)) + 0j),
    "cross": lambda a: ub.linalg.cross(a, a[0]),
    "det": lambda a: ub.linalg.det(a),
    "diagonal": lambda a: ub.linalg.diagonal(a, offset=1),
    "eigh": lambda a: ub.linalg.eigh(a).eigenvalues,
    "complex eigh": lambda a: ub.linalg.eigh(a * 1j).eigenvalues,
    "eigvals": lambda a: ub.sum(ub.linalg.eigvals(a) ** 2),
    "einsum": lambda a: ub.einsum("ij,kj->ik", a, a),
    "inv": lambda a: ub.linalg.inv(a),
    "kron": lambda a: ub.kron(a, a),
    "matrix_norm": lambda a: ub.linalg.matrix_norm(a, ord=2),
    "matrix_power": lambda a: ub.linalg.matrix_power(a, -2),
    "pinv": lambda a: ub.linalg.pinv(a[:2]),
    "qr": lambda a: ub.abs(ub.linalg.qr(a).R),
    "slogdet": lambda a: ub.linalg.slogdet(a),
    "solve": lambda a: ub.linalg.solve(a, a[0]),
    "svd": lambda a: ub.linalg.svd(a[:2], full_matrices=False).S,
    "trace": lambda a: ub.linalg.trace(a),
}


@pytest.mark.parametrize("name", MAPPED)
def test_mapped_functions_are_those_of_each(backend: str, name: str) -> None:
    function = MAPPED[name]
    a = np.random.default_rng(7).uniform(-1, 1, (3, 3, 3)) + 3 * np.eye(3)
    mapped = ub.vmap(function)(ub.asarray(a))
    for place in range(3):
        alone = function(ub.asarray(a[place]))
        pairs = zip(ub.tree.leaves(mapped), ub.tree.leaves(alone), strict=True)
        for whole, one in pairs:
            np.testing.assert_allclose(numpy(whole)[place], numpy(one), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", [one for one in MAPPED if one != "eigvals"])
def test_gradients_of_mapped_functions_are_those_of_each(backend: str, name: str) -> None:
    if backend == "numpy":
        return
    function = MAPPED[name]
    a = np.random.default_rng(7).uniform(-1, 1, (3, 3, 3)) + 3 * np.eye(3)

    def loss(one: Any) -> Any:
        return sum(ub.sum(ub.real(y) ** 2) for y in ub.tree.leaves(function(one)))

    mapped = numpy(ub.vmap(ub.grad(loss))(ub.asarray(a)))
    total = numpy(ub.grad(lambda x: ub.sum(ub.vmap(loss)(x)))(ub.asarray(a)))
    for place in range(3):
        alone = numpy(ub.grad(loss)(ub.asarray(a[place])))
        np.testing.assert_allclose(mapped[place], alone, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(total[place], alone, rtol=1e-8, atol=1e-8)


# ---- derivatives -------------------------------------------------------------------------------


def test_a_vector_among_equal_eigenvalues_has_a_derivative(backend: str) -> None:
    """Case GR10: only the vectors of the equal ones have none."""
    if backend == "numpy":
        return
    gradient = ub.grad(lambda a: ub.linalg.eigh(a).eigenvectors[0, 2] ** 2)
    result = numpy(gradient(ub.asarray(np.diag([2.0, 1.0, 1.0]))))
    np.testing.assert_allclose(result, np.zeros((3, 3)), atol=1e-12)


def test_the_derivative_by_a_hermitian_matrix_is_symmetric(backend: str) -> None:
    if backend == "numpy":
        return
    a = ub.asarray([[4.0, 1.0], [1.0, 3.0]])
    for function in (ub.linalg.cholesky, ub.linalg.eigvalsh):
        gradient = numpy(ub.grad(lambda a, f=function: ub.sum(f(a) ** 2))(a))
        np.testing.assert_allclose(gradient, gradient.T, rtol=1e-12)


def test_second_derivatives(backend: str) -> None:
    if backend == "numpy":
        return
    a = np.random.default_rng(3).uniform(-1, 1, (2, 2)) + 2 * np.eye(2)
    functions: list[Callable[[Any], Any]] = [
        lambda x: ub.linalg.det(x),
        lambda x: ub.linalg.slogdet(x).logabsdet,
        lambda x: ub.sum(ub.linalg.inv(x)),
        lambda x: ub.sum(ub.linalg.eigvalsh(x + ub.matrix_transpose(x)) ** 3),
        lambda x: ub.sum(ub.linalg.svdvals(x) ** 3),
        lambda x: ub.sum(ub.linalg.cholesky(ub.matmul(x, ub.matrix_transpose(x)))),
        lambda x: ub.sum(ub.abs(ub.linalg.qr(x).R)),
    ]
    for number, function in enumerate(functions):
        found = numpy(ub.hessian(function)(ub.asarray(a)))
        for place in np.ndindex(2, 2):
            step = np.zeros((2, 2))
            step[place] = 1e-4
            up = numpy(ub.grad(function)(ub.asarray(a + step)))
            down = numpy(ub.grad(function)(ub.asarray(a - step)))
            # differences of third order: the square of the step times derivatives below 1e4
            np.testing.assert_allclose(
                found[place], (up - down) / 2e-4, atol=1e-4, err_msg=str(number)
            )


def test_what_has_no_derivative_says_so(backend: str) -> None:
    if backend == "numpy":
        return
    with pytest.raises(UnsupportedError, match="full"):
        ub.grad(lambda a: ub.sum(ub.linalg.svd(a).U))(x(3, 2))
    with pytest.raises(UnsupportedError, match="eigenvectors"):
        ub.grad(lambda a: ub.sum(ub.real(ub.linalg.eig(a).eigenvectors)))(x(2, 2))


@pytest.mark.parametrize("name", ["eig", "eigvals"])
def test_what_xla_lacks_says_so(name: str) -> None:
    with (
        ub.use("tensorflow", xla=True),
        pytest.raises(UnsupportedError, match="XLA lacks TensorFlow's op"),
    ):
        ub.compile(getattr(ub.linalg, name))(ub.asarray([[1j, 2.0], [0.0, 1.0]]))


# ---- bad input ---------------------------------------------------------------------------------

WRONG: list[tuple[str, Callable[[], Any], type[Exception], str]] = [
    ("square", lambda: ub.linalg.inv(x(2, 3)), ShapeError, r"linalg.inv: x of shape \(2, 3\)"),
    ("vector", lambda: ub.linalg.det(x(3)), ShapeError, "linalg.det: .* no rows and columns"),
    ("qr", lambda: ub.linalg.qr(x(2, 2), mode="raw"), OptionError, "mode='raw' is not one of"),  # type: ignore[arg-type]
    ("solve", lambda: ub.linalg.solve(x(2, 2), x(3)), ShapeError, "x2 of shape .* has 3"),
    ("stacks", lambda: ub.linalg.solve(x(2, 2, 2), x(3, 2, 1)), ShapeError, "linalg.solve: the sh"),
    ("cross", lambda: ub.linalg.cross(x(2), x(2)), ShapeError, "vectors have 2 elements"),
    ("cross bool", lambda: ub.linalg.cross([True] * 3, [True] * 3), DtypeError, "not bools"),
    ("outer", lambda: ub.linalg.outer(x(2, 2), x(2)), ShapeError, "x1 of shape .* not a vector"),
    ("norm", lambda: ub.linalg.matrix_norm(x(2, 2), ord=3), OptionError, "ord=3 is not one of"),
    ("least", lambda: ub.linalg.matrix_norm(x(0, 2), ord=-2), ShapeError, "least of some"),
    (
        "least of vectors",
        lambda: ub.linalg.vector_norm(x(0), ord=float("-inf")),
        ShapeError,
        "-inf",
    ),
    ("ord", lambda: ub.linalg.vector_norm(x(2), ord="fro"), DtypeError, "ord='fro' is not a real"),  # type: ignore[arg-type]
    ("power", lambda: ub.linalg.matrix_power(x(2, 2), 1.5), DtypeError, "n=1.5 is not an integer"),  # type: ignore[arg-type]
    ("offset", lambda: ub.linalg.trace(x(2, 2), offset="1"), DtypeError, "offset='1'"),  # type: ignore[arg-type]
    ("upper", lambda: ub.linalg.cholesky(x(2, 2), upper=1), DtypeError, "upper=1"),  # type: ignore[arg-type]
    ("kron", lambda: ub.kron([True], [True]), DtypeError, "kron: .* not bools"),
    ("einsum text", lambda: ub.einsum(x(2), "i"), DtypeError, "'i' is a builtins.str"),  # type: ignore[arg-type]
    ("einsum letters", lambda: ub.einsum("i1", x(2, 3)), ShapeError, "'1' in 'i1' is no label"),
    ("einsum count", lambda: ub.einsum("i,j", x(2)), ShapeError, "about 2 arrays, and 1 were"),
    ("einsum axes", lambda: ub.einsum("i", x(2, 3)), ShapeError, "does not name the 2 axes"),
    ("einsum sizes", lambda: ub.einsum("i,i", x(2), x(1)), ShapeError, "have the sizes 2 and 1"),
    ("einsum twice", lambda: ub.einsum("i->ii", x(2)), ShapeError, "'i' comes twice in"),
    ("einsum result", lambda: ub.einsum("i->j", x(2)), ShapeError, "'j' is no label of an array"),
]


@pytest.mark.parametrize(
    ("call", "error", "text"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG]
)
def test_is_an_error(
    backend: str, call: Callable[[], Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        call()
