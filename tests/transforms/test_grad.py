"""grad, value_and_grad, vjp, jacobian, hessian, custom_vjp, stop_gradient: jax's rules on both."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unibackend as ub

DIFFERENTIABLE = ("jax", "tensorflow")


@pytest.fixture(params=DIFFERENTIABLE)
def owner(request):
    """A backend that has derivatives, in the width of NumPy."""
    with ub.use(request.param, x64=True):
        yield request.param


@pytest.fixture(params=["eager", "compiled"])
def run(request):
    """How a function is called: as it is, or compiled."""
    return ub.compile if request.param == "compiled" else lambda f: f


def same(got: Any, expected: Any) -> None:
    """Check structure, dtype, shape and values; expected leaves are NumPy's or numbers."""
    leaves, structure = ub.tree.flatten(got)
    wanted, wanted_structure = ub.tree.flatten(expected)
    assert structure == wanted_structure
    for x, y in zip(leaves, map(np.asarray, wanted), strict=True):
        assert tuple(x.shape) == y.shape
        assert x.dtype == y.dtype
        np.testing.assert_allclose(ub.to_numpy(x), y, rtol=1e-12, atol=0)


class Point(NamedTuple):
    x: Any
    y: Any


# What is differentiated, and by what.


def test_the_gradient_is_that_of_calculus(owner, run):
    x = ub.asarray([1.0, -2.0])
    same(run(ub.grad(lambda x: ub.sum(x**3)))(x), np.array([3.0, 12.0]))
    value, gradient = run(ub.value_and_grad(lambda x: ub.sum(ub.sin(x))))(x)
    same((value, gradient), (np.sin([1.0, -2.0]).sum(), np.cos([1.0, -2.0])))


@pytest.mark.parametrize(
    ("argnums", "expected"),
    [(0, 12.0), (1, 4.0), (-1, 4.0), ((0,), (12.0,)), ((1, 0), (4.0, 12.0)), ([0, 1], (12.0, 4.0))],
    ids=str,
)
def test_argnums_choose_and_order(owner, run, argnums, expected):
    f = ub.grad(lambda x, y: x * x * y, argnums=argnums)
    same(run(f)(ub.asarray(2.0), ub.asarray(3.0)), expected)


def test_argnums_that_are_not_there_are_named(owner):
    with pytest.raises(ValueError, match=r"grad: .*argnums=2.*called with 1 positional"):
        ub.grad(lambda x: x, argnums=2)(1.0)
    with pytest.raises(TypeError, match="argnums='x'"):
        ub.grad(lambda x: x, argnums="x")
    with pytest.raises(TypeError, match="argnums=True"):
        ub.grad(lambda x: x, argnums=True)


def test_trees_go_in_and_come_out(owner, run):
    def f(p, scale):
        return ub.sum(p["w"] * scale) + p["b"][0] ** 2 + p["point"].x * p["point"].y

    p = {
        "w": ub.asarray([1.0, 2.0]),
        "b": [ub.asarray(3.0), None],
        "point": Point(ub.asarray(4.0), ub.asarray(5.0)),
    }
    expected = {"w": np.array([2.0, 2.0]), "b": [6.0, None], "point": Point(5.0, 4.0)}
    same(run(ub.grad(f))(p, 2.0), expected)


def test_keywords_and_other_arguments_pass(owner):
    def f(x, *, n, words):
        return x**n if words == ("a",) else x

    same(ub.grad(f)(2.0, n=3, words=("a",)), 12.0)


def test_aux_comes_along_untouched(owner):
    def f(x):
        return x * x, {"seen": x + 1.0, "text": "hi", "none": None, "three": 3}

    gradient, aux = ub.grad(f, has_aux=True)(3.0)
    same(gradient, 6.0)
    assert (float(aux["seen"]), aux["text"], aux["none"], aux["three"]) == (4.0, "hi", None, 3)
    (value, aux), gradient = ub.value_and_grad(f, has_aux=True)(3.0)
    same((value, gradient), (9.0, 6.0))
    assert float(aux["seen"]) == 4.0
    with pytest.raises(TypeError, match=r"has_aux=True.*pair"):
        ub.grad(lambda x: x, has_aux=True)(1.0)


def test_a_decorator_with_options(owner):
    @ub.grad(argnums=1)
    def f(x, y):
        """Say what it does."""
        return x * y

    same(f(2.0, 3.0), 2.0)
    assert f.__name__ == "f"
    assert f.__doc__ == "Say what it does."


def test_what_is_not_connected_is_zero(owner, run):
    x, y = ub.asarray([1.0, 2.0]), ub.asarray(3.0)
    same(run(ub.grad(lambda x, y: ub.sum(y), argnums=(0, 1)))(x, y), (np.zeros(2), 1.0))
    same(run(ub.grad(lambda x: 3.0))(y), 0.0)
    same(run(ub.grad(lambda x: ub.astype(ub.astype(x, ub.int32), ub.float64)))(y), 0.0)
    same(run(ub.jacobian(lambda x: ub.ones(2)))(y), np.zeros(2))


def test_python_floats_are_weak_and_python_integers_refused(owner):
    same(ub.grad(lambda x: x**2)(3.0), 6.0)
    half = ub.asarray([1.0, 2.0], dtype=ub.float32)
    with ub.use(x64=True):
        seen = []
        ub.grad(lambda s: (seen.append((s * half).dtype), ub.sum(s * half))[1])(2.0)
        assert seen == [ub.float32]
    with pytest.raises(ub.errors.DtypeError, match=r"is int=3.*floating point.*argnums"):
        ub.grad(lambda x: x**2)(3)
    with pytest.raises(ub.errors.DtypeError, match="is bool=True"):
        ub.grad(lambda x: x)(True)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "bool"])
def test_integer_arrays_are_refused(owner, dtype):
    x = ub.astype(ub.asarray([1, 0]), dtype)
    for transform in (ub.grad, ub.value_and_grad, ub.jacobian, ub.hessian):
        with pytest.raises(ub.errors.DtypeError, match=f"{transform.__name__}: .*{dtype}"):
            transform(lambda x: ub.sum(ub.astype(x, ub.float64)))(x)
    with pytest.raises(ub.errors.DtypeError, match=f"vjp: .*{dtype}"):
        ub.vjp(lambda x: x, x)


def test_text_is_refused_by_name(owner):
    with pytest.raises(ub.errors.DtypeError, match="holds 'text', a str"):
        ub.grad(lambda x: 1.0)("text")


def test_the_value_must_be_one_number(owner):
    x = ub.asarray([1.0, 2.0])
    with pytest.raises(ub.errors.ShapeError, match=r"shape \(2,\).*ub.sum.*ub.jacobian"):
        ub.grad(lambda x: x)(x)
    with pytest.raises(ub.errors.ShapeError, match=r"a tree of 2 arrays.*has_aux"):
        ub.grad(lambda x: (ub.sum(x), x))(x)
    with pytest.raises(ub.errors.DtypeError, match="dtype int64"):
        ub.grad(lambda x: ub.asarray(3))(x)


def test_numpy_says_that_it_has_none():
    with ub.use("numpy"):
        for call in (
            lambda: ub.grad(lambda x: x)(1.0),
            lambda: ub.hessian(lambda x: x)(1.0),
            lambda: ub.vjp(lambda x: x, 1.0),
        ):
            with pytest.raises(ub.errors.UnsupportedError, match=r"NumPy.*use\(.jax.\)"):
                call()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_the_gradient_has_the_dtype_of_the_argument(owner, run, dtype):
    x = ub.astype(ub.asarray([1.0, 2.0]), dtype)
    gradient = run(ub.grad(lambda x: ub.sum(ub.astype(x, ub.float32) ** 2)))(x)
    assert gradient.dtype == dtype
    assert ub.to_numpy(gradient).astype("float64").tolist() == [2.0, 4.0]


def test_host_data_enters(owner):
    same(ub.grad(lambda x: ub.sum(x**2))(np.array([1.0, 2.0])), np.array([2.0, 4.0]))
    with ub.use(x64=False, float64_input="allow"):
        assert ub.grad(lambda x: ub.sum(x**2))(np.array([1.0])).dtype == ub.float32


def test_arrays_of_two_backends_are_refused():
    with ub.use("jax"):
        a = ub.ones(2)
    with ub.use("tensorflow"):
        b = ub.ones(2)
    with pytest.raises(ub.errors.MixedBackendsError):
        ub.grad(lambda a, b: ub.sum(a))(a, b)


def test_python_can_branch_on_values_as_in_jax(owner):
    f = ub.grad(lambda x: x * 2.0 if x > 0 else x * 3.0)
    same((f(1.0), f(-1.0)), (2.0, 3.0))


def test_numpy_is_no_way_around_the_gradient(owner):
    for f in (
        lambda x: x * ub.asarray(np.sin(np.asarray(x))),
        lambda x: x * float(ub.to_numpy(x)),
    ):
        with pytest.raises(ub.errors.TracingError):
            ub.grad(f)(2.0)


def test_another_thread_is_no_way_around_the_gradient(owner, run):
    from concurrent.futures import ThreadPoolExecutor

    def f(x):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(lambda: x * x).result()

    with pytest.raises(ub.errors.TracingError, match="thread"):
        run(ub.grad(f))(ub.asarray(2.0))


def test_what_was_differentiated_may_go_to_another_thread():
    from concurrent.futures import ThreadPoolExecutor

    with ub.use("tensorflow", x64=True):
        _, x = ub.grad(lambda x: (x * x, x), has_aux=True)(ub.asarray(2.0))
        with ThreadPoolExecutor(1) as pool:
            assert float(pool.submit(lambda: x + 1.0).result()) == 3.0


def test_what_a_mapped_function_captures_may_be_assigned_anew(owner, run):
    def f(x):
        y, step = x * 2.0, lambda a: ub.abs(a)
        y = ub.sum(ub.vmap(lambda a: step(a) * y)(ub.stack([x, x])))  # 2 x |x| 2
        step = lambda a: a * 100.0  # noqa: E731
        return y

    same(run(ub.grad(f))(ub.asarray(3.0)), 24.0)
    compiled = ub.compile(lambda x: ub.grad(f)(x) + f(x))
    same(ub.grad(compiled)(ub.asarray(3.0)), 8.0 + 24.0)


# Complex numbers.


def test_complex_gradients_are_jaxs(owner, run):
    z = ub.asarray(3 + 4j)
    same(run(ub.grad(lambda z: ub.abs(z) ** 2))(z), 6 - 8j)
    same(run(ub.grad(lambda z: z**3, holomorphic=True))(z), 3 * (3 + 4j) ** 2)
    same(run(ub.grad(lambda x: ub.real((x + 2j * x) ** 2)))(ub.asarray(3.0)), -18.0)
    with pytest.raises(ub.errors.DtypeError, match=r"complex128.*real floating point"):
        ub.grad(lambda z: z)(z)
    with pytest.raises(ub.errors.DtypeError, match=r"float64.*holomorphic is True"):
        ub.grad(lambda z: z, holomorphic=True)(ub.asarray(1.0))
    _, pullback = ub.vjp(lambda z: z * (1 + 2j), z)
    same(pullback(ub.asarray(1 + 1j)), ((1 + 1j) * (1 + 2j),))
    same(run(ub.jacobian(lambda z: z**2, holomorphic=True))(z), 6 + 8j)


# Higher orders, Jacobians, Hessians.


def test_higher_orders(owner, run):
    f = lambda x: x**5  # noqa: E731
    for order, expected in enumerate((80.0, 160.0, 240.0, 240.0, 120.0, 0.0)):
        g = functools.reduce(lambda h, _: ub.grad(h), range(order + 1), f)
        same(run(g)(ub.asarray(2.0)), expected)


def test_an_inner_derivative_does_not_see_the_outer_one(owner, run):
    # d/dx (x * d/dy (x + y) at y = 1) is 1: perturbation confusion would give 2
    f = ub.grad(lambda x: x * ub.grad(lambda y: x + y)(ub.asarray(1.0)))
    same(run(f)(ub.asarray(3.0)), 1.0)
    same(run(ub.grad(lambda x: ub.grad(lambda y: x * y)(x)))(ub.asarray(3.0)), 1.0)


def test_jacobian_and_hessian(owner, run):
    a = np.arange(6.0).reshape(2, 3)
    x = ub.asarray([1.0, 2.0, 3.0])
    same(run(ub.jacobian(lambda x: ub.matmul(ub.asarray(a), x)))(x), a)
    same(run(ub.hessian(lambda x: ub.sum(x**3)))(x), np.diag([6.0, 12.0, 18.0]))

    def f(p):
        return {"m": ub.reshape(p["x"], (3, 1)) * p["y"], "s": ub.sum(p["x"])}

    p = {"x": x, "y": ub.asarray([1.0, 10.0])}
    rows = run(ub.jacobian(f))(p)
    eye = np.eye(3)
    by_x = eye[:, None, :] * np.array([1.0, 10.0])[None, :, None]
    by_y = np.array([1.0, 2.0, 3.0])[:, None, None] * np.eye(2)[None]
    expected = {"m": {"x": by_x, "y": by_y}, "s": {"x": np.ones(3), "y": np.zeros(2)}}
    same(rows, expected)


def test_jacobian_with_aux_and_several_arguments(owner, run):
    f = lambda x, y: (x * y, x + y)  # noqa: E731
    rows, aux = run(ub.jacobian(f, argnums=(0, 1), has_aux=True))(
        ub.asarray([1.0, 2.0]), ub.asarray([3.0, 4.0])
    )
    same(rows, (np.diag([3.0, 4.0]), np.diag([1.0, 2.0])))
    same(aux, np.array([4.0, 6.0]))


# Pullbacks.


def test_vjp_pulls_back_as_often_as_asked(owner, run):
    def f(x):
        value, pullback = ub.vjp(lambda x: x**2, x)
        return value, pullback(ub.ones_like(x)), pullback(x)

    x = ub.asarray([1.0, 3.0])
    same(
        run(f)(x),
        (np.array([1.0, 9.0]), (np.array([2.0, 6.0]),), (np.array([2.0, 18.0]),)),
    )


def test_vjp_of_several_arguments_with_aux_and_integers(owner):
    value, pullback, aux = ub.vjp(
        lambda x, y: ((x * y, ub.astype(x, ub.int32)), "aux"),
        ub.asarray(2.0),
        ub.asarray(3.0),
        has_aux=True,
    )
    assert aux == "aux"
    same(value, (6.0, np.int32(2)))
    same(pullback((ub.asarray(10.0), ub.asarray(0))), (30.0, 20.0))
    same(pullback((10.0, 0)), (30.0, 20.0))


def test_a_pullback_checks_what_it_is_given(owner):
    _, pullback = ub.vjp(lambda x: x**2, ub.asarray([1.0, 3.0]))
    with pytest.raises(ub.errors.ShapeError, match=r"shape \(3,\).*\(2,\)"):
        pullback(ub.ones(3))
    with pytest.raises(ub.errors.DtypeError, match=r"float32.*float64"):
        pullback(ub.ones(2, dtype=ub.float32))
    with pytest.raises(ub.errors.ShapeError, match="pullback was given"):
        pullback((ub.ones(2),))


def test_a_pullback_under_vmap(owner, run):
    def f(x):
        _, pullback = ub.vjp(ub.sin, x)
        return ub.vmap(pullback)(ub.eye(2))

    x = ub.asarray([1.0, 3.0])
    same(run(f)(x), (np.diag(np.cos([1.0, 3.0])),))


# Functions that bring their own derivative.


def hundred():
    """The square, with a hundred times its argument as its derivative."""
    f = ub.custom_vjp(lambda x: x * x)
    f.defvjp(lambda x: (x * x, x), lambda x, ct: (ct * 100.0 * x,))
    return f


def test_custom_vjp_is_used(owner, run):
    f, x = hundred(), ub.asarray([1.0, 2.0])
    same(run(f)(x), np.array([1.0, 4.0]))
    same(run(ub.grad(lambda x: ub.sum(f(x))))(x), np.array([100.0, 200.0]))
    same(run(ub.grad(ub.grad(f)))(ub.asarray(3.0)), 100.0)


def test_custom_vjp_under_vmap_in_every_order(owner, run):
    f, x = hundred(), ub.asarray([1.0, 2.0])
    total = lambda x: ub.sum(ub.vmap(f)(x))  # noqa: E731
    same(run(ub.grad(total))(x), np.array([100.0, 200.0]))
    same(run(ub.vmap(ub.grad(f)))(x), np.array([100.0, 200.0]))
    same(run(ub.hessian(total))(x), np.diag([100.0, 100.0]))
    nested = lambda x: ub.sum(ub.vmap(lambda a: ub.vmap(lambda b: f(a * b))(x))(x))  # noqa: E731
    # each f(x_i x_j) gives 100 x_i x_j x_j to x_i and 100 x_i x_j x_i to x_j
    same(run(ub.grad(nested))(x), 200.0 * np.array([1.0, 2.0]) * 5.0)
    same(run(ub.grad(lambda x: ub.sum(ub.vmap(ub.compile(f))(x))))(x), np.array([100.0, 200.0]))
    same(run(ub.grad(ub.compile(total)))(x), np.array([100.0, 200.0]))


def test_custom_vjp_under_vmap_gives_gradients_to_what_is_not_mapped(owner, run):
    f, x = hundred(), ub.asarray([1.0, 2.0])
    same(run(ub.grad(lambda w: ub.sum(ub.vmap(lambda x: f(x * w))(x))))(ub.asarray(3.0)), 1500.0)
    both = lambda x, w: ub.sum(ub.vmap(lambda x, w: f(x * w), in_axes=(0, None))(x, w))  # noqa: E731
    gradients = run(ub.grad(both, argnums=(0, 1)))(x, ub.asarray(3.0))
    same(gradients, (np.array([900.0, 1800.0]), 1500.0))


def test_custom_vjp_with_trees_residuals_and_fixed_arguments(owner, run):
    @functools.partial(ub.custom_vjp, nondiff_argnums=(0, 2))
    def f(g, p, n):
        return {"y": g(p["x"]) * n, "i": ub.astype(p["x"], ub.int32)}

    def fwd(g, p, n):
        return f(g, p, n), (p["x"], "text", 2.0, None)

    def bwd(g, n, kept, ct):
        x, text, two, none = kept
        assert (text, float(two), none) == ("text", 2.0, None)
        return ({"x": ct["y"] * x * 7.0, "k": None},)

    f.defvjp(fwd, bwd)
    p = {"x": ub.asarray([1.0, 2.0]), "k": ub.asarray(3)}
    x = p["x"]
    gradient = run(ub.grad(lambda x: ub.sum(f(ub.sin, {"x": x, "k": p["k"]}, 3)["y"])))(x)
    same(gradient, np.array([7.0, 14.0]))


def test_custom_vjp_binds_keywords(owner):
    f = ub.custom_vjp(lambda x, y=2.0: x * y)
    f.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, ct: (ct * 5.0, None))
    same(ub.grad(lambda x: f(y=ub.asarray(3.0), x=x))(2.0), 5.0)


def test_what_a_custom_vjp_takes_from_outside_is_refused(owner, run):
    def outer(w):
        f = ub.custom_vjp(lambda x: x * w)
        f.defvjp(lambda x: (x * w, None), lambda _, ct: (ct,))
        return f(ub.asarray(2.0))

    same(run(outer)(ub.asarray(3.0)), 6.0)
    with pytest.raises(ub.errors.UnsupportedError, match=r"from outside.*argument"):
        run(ub.grad(outer))(ub.asarray(3.0))


def test_a_constant_from_outside_is_no_reason_to_refuse(owner, run):
    table = ub.asarray([1.0, 2.0])
    f = ub.custom_vjp(lambda x: x * table)
    f.defvjp(lambda x: (x * table, None), lambda _, ct: (ct * 10.0,))
    x = ub.asarray([3.0, 4.0])
    same(run(ub.grad(lambda x: ub.sum(f(x))))(x), np.array([10.0, 10.0]))
    same(ub.grad(ub.compile(lambda x: ub.sum(f(x))))(x), np.array([10.0, 10.0]))


@pytest.mark.parametrize(
    ("bwd", "error", "words"),
    [
        (lambda kept, ct: ct, TypeError, "tuple with a gradient for each of its 1"),
        (lambda kept, ct: (ct, ct), TypeError, "tuple with a gradient for each of its 1"),
        (lambda kept, ct: (ub.ones(3),), ub.errors.ShapeError, r"shape \(3,\); it has \(2,\)"),
        (lambda kept, ct: (ub.astype(ct, ub.float32),), ub.errors.DtypeError, "float32"),
        (lambda kept, ct: ((ct, ct),), ub.errors.ShapeError, "argument 0"),
    ],
    ids=["bare", "too-many", "shape", "dtype", "structure"],
)
def test_a_wrong_backward_function_is_told(owner, bwd, error, words):
    f = ub.custom_vjp(lambda x: x * 2.0)
    f.defvjp(lambda x: (x * 2.0, None), bwd)
    with pytest.raises(error, match=words):
        ub.grad(lambda x: ub.sum(f(x)))(ub.ones(2))


def test_custom_vjp_without_its_derivative_is_told(owner):
    f = ub.custom_vjp(lambda x: x)
    with pytest.raises(TypeError, match="no derivative yet"):
        f(ub.ones(2))
    with pytest.raises(TypeError, match="fwd=3 is not callable"):
        f.defvjp(3, lambda k, ct: ct)


def test_custom_vjp_runs_as_it_is_on_numpy():
    with ub.use("numpy", x64=True):
        same(hundred()(ub.asarray([2.0])), np.array([4.0]))


def test_stop_gradient(owner, run):
    x = ub.asarray([1.0, 3.0])
    same(run(ub.grad(lambda x: ub.sum(x * ub.stop_gradient(x))))(x), np.array([1.0, 3.0]))
    tree = {"a": x, "n": 2, "text": "t", "none": None}
    stopped = ub.stop_gradient(tree)
    assert (stopped["n"], stopped["text"], stopped["none"]) == (2, "t", None)
    mapped = ub.grad(lambda x: ub.sum(ub.vmap(lambda x: x * ub.stop_gradient(x))(x)))
    same(run(mapped)(x), np.array([1.0, 3.0]))


def test_stop_gradient_on_numpy():
    with ub.use("numpy"):
        assert ub.stop_gradient(ub.asarray([1.0])).tolist() == [1.0]


# With compile and vmap, and with TensorFlow's own tapes.


def test_gradients_of_compiled_functions(owner):
    x = ub.asarray([1.0, 2.0])
    f = ub.compile(lambda x, w: ub.sum(x * x * w))
    same(ub.grad(f, argnums=(0, 1))(x, ub.asarray(3.0)), (np.array([6.0, 12.0]), 5.0))
    same(ub.hessian(lambda x: f(x, 3.0))(x), np.diag([6.0, 6.0]))


def test_per_example_gradients(owner, run):
    g = ub.vmap(ub.grad(lambda w, x: ub.sum((w * x) ** 2)), in_axes=(None, 0))
    same(run(g)(ub.asarray([1.0, 2.0]), ub.eye(2)), np.array([[2.0, 0.0], [0.0, 4.0]]))


@pytest.fixture(params=["jax", "tensorflow", "tensorflow-xla"])
def compiler(request):
    """A backend that has derivatives, TensorFlow as a graph and by XLA."""
    name, _, xla = request.param.partition("-")
    with ub.use(name, x64=True, xla=bool(xla)):
        yield name


def power_by_scan(x, first=1.0):
    """Return first * x[0] * x[0] * x[1] * x[1], and what is carried on the way."""
    return ub.scan(lambda c, y: (c * y * y, c), first, x)


def test_second_derivatives_of_loops(compiler, run):
    x = ub.asarray([2.0, 3.0])
    hessian = np.array([[18.0, 24.0], [24.0, 8.0]])
    same(run(ub.hessian(lambda x: power_by_scan(x)[0]))(x), hessian)
    # the carries before each step are 1 and x[0] ** 2
    rows = run(ub.grad(lambda x: ub.sum(ub.jacobian(lambda x: power_by_scan(x)[1])(x))))(x)
    same(rows, np.array([2.0, 0.0]))


def test_a_forward_function_that_calls_its_own_keeps_the_derivative_in_the_second(compiler, run):
    """JAX differentiates what `fwd` computes again; so the function must be in it."""
    rounded = ub.custom_vjp(ub.round)
    rounded.defvjp(lambda x: (rounded(x), None), lambda kept, ct: (ct,))
    slope = ub.grad(lambda x: rounded(x) ** 2)  # 2 * rounded(x), whose derivative is 2
    same(run(ub.grad(slope))(ub.asarray(1.3)), 2.0)
    same(run(ub.hessian(lambda x: ub.sum(rounded(x) ** 2)))(ub.asarray([1.3])), np.array([[2.0]]))


def test_gradients_of_mapped_loops(compiler, run):
    x, first = ub.asarray([[2.0, 3.0], [1.0, 2.0]]), ub.asarray(2.0)

    def f(x, first):
        return ub.sum(ub.vmap(lambda x: power_by_scan(x, first)[0])(x))

    by_x = np.array([[72.0, 48.0], [16.0, 8.0]])
    same(run(ub.grad(f, argnums=(0, 1)))(x, first), (by_x, 40.0))


def test_gradients_of_maps_in_loops(compiler, run):
    """Where what is mapped has a gradient of its own."""
    x = ub.asarray([-2.0, 3.0, 1.0])
    same(
        run(ub.grad(lambda x: ub.sum(ub.map(lambda y: ub.abs(y) * y, x, batch_size=2))))(x),
        np.array([4.0, 6.0, 2.0]),
    )

    def f(x):
        g = ub.vmap(lambda y: ub.abs(y) * y)
        return ub.scan(lambda c, _: (c + ub.sum(g(x)), None), 0.0, length=2)[0]

    same(run(ub.grad(f))(x), np.array([8.0, 12.0, 4.0]))


def test_a_variable_that_a_custom_vjp_reads_is_refused():
    import tensorflow as tf

    w = tf.Variable(3.0)
    f = ub.custom_vjp(lambda x: x * ub.asarray(w))
    f.defvjp(lambda x: (f(x), None), lambda _, ct: (ct,))
    with ub.use("tensorflow"):
        x = ub.asarray(2.0)
        assert float(f(x)) == 6.0
        with pytest.raises(ub.errors.UnsupportedError, match=r"reads the variable.*ub\.asarray"):
            ub.compile(f)(x)
        with tf.GradientTape() as tape:
            tape.watch(x.tensor)
            y = f(x)
        with pytest.raises(ub.errors.UnsupportedError, match="from outside"):
            tape.gradient(ub.native(y), [x.tensor, w])


def test_native_tapes_see_through_ours():
    import tensorflow as tf

    with ub.use("tensorflow", x64=True):
        f = hundred()
        x, w = tf.Variable([1.0, 2.0], dtype="float64"), tf.Variable(3.0, dtype="float64")
        for call in (
            lambda: ub.sum(f(x * w)),
            lambda: ub.sum(ub.vmap(lambda x: f(x * w))(ub.asarray(x))),
            lambda: ub.compile(lambda x: ub.sum(f(x * w)))(ub.asarray(x)),
        ):
            with tf.GradientTape() as tape:
                loss = ub.native(call())
            by_x, by_w = tape.gradient(loss, [x, w])
            assert np.asarray(by_x).tolist() == [900.0, 1800.0]
            assert float(by_w) == 1500.0


@given(
    st.lists(st.floats(-2, 2), min_size=1, max_size=4),
    st.sampled_from(DIFFERENTIABLE),
    st.booleans(),
)
def test_gradients_equal_central_differences(values, backend, compiled):
    def f(x):
        return ub.sum(ub.sin(x) * ub.exp(-x * x) + x[0] * ub.cos(x))

    with ub.use(backend, x64=True):
        g = ub.grad(f)
        x = ub.asarray(values)
        got = ub.to_numpy((ub.compile(g) if compiled else g)(x))
    step = 2.0**-17  # the error is step**2 / 6 * |f'''| + eps / step, both below 1e-10 times 40
    with ub.use("numpy", x64=True):
        for i in range(len(values)):
            ends = [np.array(values), np.array(values)]
            ends[0][i] -= step
            ends[1][i] += step
            slope = (float(f(ends[1])) - float(f(ends[0]))) / (ends[1][i] - ends[0][i])
            assert abs(got[i] - slope) <= 1e-10 * 40
