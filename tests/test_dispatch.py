"""From arguments to backends: owners, mixtures, foreign and third-party arrays."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub

BACKENDS = ("numpy", "jax", "tensorflow")


@pytest.mark.parametrize("active", BACKENDS)
@pytest.mark.parametrize("owner", ["jax", "tensorflow"])
class TestOwners:
    """A call is served by the backend that owns the arrays in it, whichever is active."""

    def test_host_data_go_along_with_the_owner(self, active: str, owner: str) -> None:
        with ub.use(owner):
            x = ub.ones(3)
        with ub.use(active):
            for other in (1, 2.0, np.float32(2), np.ones(3, np.float32), [1.0, 2.0, 3.0]):
                for y in (ub.add(x, other), ub.add(other, x)):
                    assert ub.backend_of(y) == owner
            assert ub.backend_of(ub.where(np.array([True, False, True]), x, 0.0)) == owner
            assert ub.backend_of(ub.concat([np.ones(2, np.float32), x])) == owner
            assert ub.backend_of(ub.sum(x)) == owner

    def test_traced_bodies_belong_to_the_arguments_owner(self, active: str, owner: str) -> None:
        with ub.use(owner):
            x = ub.ones((2, 3))

        def f(v: Any) -> Any:
            assert ub.settings().backend == owner
            return v + ub.zeros(3)

        with ub.use(active):
            assert ub.backend_of(ub.compile(f)(x)) == owner
            assert ub.backend_of(ub.vmap(f)(x)) == owner
            assert ub.settings().backend == active


@pytest.mark.parametrize("active", BACKENDS)
def test_host_data_alone_go_to_the_active_backend(active: str) -> None:
    with ub.use(active):
        for value in (1, [1.0], np.ones(2, np.float32), np.float32(1)):
            assert ub.backend_of(ub.add(value, value)) == active
            assert ub.backend_of(value) == active


def test_native_arrays_are_owned() -> None:
    with ub.use("numpy"):
        assert ub.backend_of(jnp.ones(2)) == "jax"
        for x in (tf.ones(2), tf.Variable([1.0, 2.0])):
            assert ub.backend_of(x) == "tensorflow"
            y = ub.add(x, 1)
            assert type(y).__name__ == "Array"
            np.testing.assert_array_equal(ub.to_numpy(y), ub.to_numpy(x) + 1)


class TestListsOfArrays:
    """A list that holds arrays is their stack: the owner and the gradient are kept."""

    def test_the_owner_is_kept(self) -> None:
        x = ub.asarray([1.0, 2.0, 3.0], backend="jax")
        with ub.use("tensorflow"):
            assert ub.backend_of(ub.sum([x[0], x[1]])) == "jax"
            assert ub.backend_of(ub.concat([[x[0], 1.0], x])) == "jax"
            with pytest.raises(ub.errors.MixedBackendsError):
                ub.add(ub.ones(2), [x[0], x[1]])

    def test_the_gradient_is_kept(self) -> None:
        with ub.use("tensorflow"):
            v = tf.Variable([1.0, 2.0])
            with tf.GradientTape() as tape:
                y = ub.sum(ub.multiply([v[0], v[1]], 3.0)).tensor
            np.testing.assert_array_equal(tape.gradient(y, v), [3, 3])
        with ub.use("jax"):
            f = ub.compile(lambda x: ub.sum([x[0], x[1] * 2]))
            np.testing.assert_array_equal(jax.grad(f)(jnp.ones(2)), [1, 2])

    def test_keras_variables_are_tensorflows(self) -> None:
        import keras  # comes with TensorFlow

        w = keras.Variable([1.0, 2.0])
        with ub.use("numpy"), tf.GradientTape() as tape:
            y = ub.sum(ub.multiply(w, w))
        assert ub.backend_of(w) == ub.backend_of(y) == "tensorflow"
        np.testing.assert_array_equal(tape.gradient(y.tensor, w.value), [2, 4])


class TestMixed:
    def test_two_owners_are_an_error_that_says_whence(self) -> None:
        x = ub.asarray([1.0], backend="jax")
        y = ub.asarray([1.0], backend="tensorflow")
        with ub.use("numpy"):
            calls = [
                lambda: ub.add(x, y),
                lambda: ub.add(y, x),
                lambda: ub.stack([x, y]),
                lambda: ub.where(x > 0, x, y),
                lambda: ub.compile(lambda a, b: a)(x, y),
                lambda: ub.vmap(lambda a, b: a)(x, y),
                lambda: x + y,
                lambda: y + x,
                lambda: y @ x,
                lambda: x == y,
            ]
            for call in calls:
                with pytest.raises(TypeError) as caught:
                    call()
                assert isinstance(caught.value, ub.errors.MixedBackendsError)
                text = str(caught.value)
                assert "made on jax" in text
                assert "made on tensorflow" in text
                assert "backend='" in text
                assert "test_dispatch.py" in text  # who made numpy the active backend

    def test_numpys_ufuncs_go_to_ours_or_are_refused(self) -> None:
        y = ub.asarray([1.0, 4.0], backend="tensorflow")
        assert ub.backend_of(np.sqrt(y)) == "tensorflow"
        assert ub.backend_of(np.add(y, y)) == "tensorflow"
        assert ub.backend_of(np.ones(2, np.float32) + y) == "tensorflow"
        assert ub.backend_of(np.float32(2) * y) == "tensorflow"
        with pytest.raises(NotImplementedError, match=r"np.logaddexp2.*ub.to_numpy"):
            np.logaddexp2(y, y)
        with pytest.raises(NotImplementedError, match="add.reduce"):
            np.add.reduce(y)


def test_errors_of_arguments_are_pythons_own() -> None:
    with ub.use("numpy"):
        with pytest.raises(TypeError, match=r"add\(\) missing 1 required positional"):
            ub.add(1)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
            ub.sum([1], axes=0)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="unexpected keyword"):
            ub.zeros(3, order="F")  # type: ignore[call-arg]


def test_dispatchers_look_like_their_declarations() -> None:
    import copy
    import inspect
    import pickle

    assert pickle.loads(pickle.dumps(ub.add)) is ub.add
    assert copy.deepcopy(ub.matmul) is ub.matmul
    assert list(inspect.signature(ub.matmul).parameters)[:3] == ["x1", "x2", "transpose_x1"]
    assert ub.matmul.__doc__
    assert ub.matmul.__module__ == "unibackend.ops.products"


def test_64_bit_jax_arrays_are_refused_with_x64_off() -> None:
    with ub.use("jax", x64=True):
        x = ub.asarray([2**40, 1])
        y = ub.asarray([0.1, 0.2])
    with ub.use("jax"):
        for call in (
            lambda: ub.add(x, 1),
            lambda: ub.add(x, x),
            lambda: ub.matmul(y, y),
            lambda: ub.sum(x),
            lambda: ub.sqrt(y),
            lambda: ub.stack([y, y]),
            lambda: ub.compile(lambda v: v)(y),
        ):
            with pytest.raises(ub.errors.DtypeError, match=r"64.*x64=True"):
                call()
    np.testing.assert_array_equal(ub.to_numpy(x), [2**40, 1])


PLUGIN = {
    "toybackend/__init__.py": """
        import numpy as np

        class Toy:
            def __init__(self, values):
                self.values = np.asarray(values)
            shape = property(lambda self: self.values.shape)
            dtype = property(lambda self: self.values.dtype)
    """,
    "toybackend/ops.py": """
        import numpy as np
        from . import Toy
        value = lambda x: x.values if isinstance(x, Toy) else x
        def add(x1, x2, /): return Toy(value(x1) + value(x2))
        def ones(shape, *, dtype=None, device=None): return Toy(np.ones(shape, dtype))
    """,
    "toybackend/backend.py": """
        import numpy as np
        from . import Toy, ops as namespace
        name, copies_host = "toy", True
        def start(settings): pass
        def owns(cls): return issubclass(cls, Toy)
        def wrap(x): return x
        def native(x): return x.values
        def is_concrete(x): return True
        def known(x): return x.values
        def from_host(array, device=None): return Toy(array)
        def to_host(x): return x.values
        def adopt(x): raise BufferError("no shared memory")
        def admit(implementation, operands): return implementation
        def devices(): return ("toy",)
        def device_of(x): return "toy"
        def to_device(x, device): return x
        def block_until_ready(x): pass
        def is_tracing(): return False
        def compile(spec): raise NotImplementedError
        def vmap(*args): raise NotImplementedError
        def watch_nans(on): pass
        def callback(function, arrays, ordered): function(*(x.values for x in arrays))
        vjp = custom_vjp = stop_gradient = vmap
        rehearse = switch = while_loop = scan = refuse_gradient = vmap
        pad_rows = first_rows = part = output_shapes = vmap
    """,
    "toybackend-1.0.dist-info/METADATA": """
        Metadata-Version: 2.1
        Name: toybackend
        Version: 1.0
    """,
    "toybackend-1.0.dist-info/entry_points.txt": """
        [unibackend.backends]
        toy = toybackend.backend
        broken = toybackend.ops
    """,
}

USE = """
    import sys
    import numpy as np
    import unibackend as ub
    from toybackend import Toy

    assert {"toy", "broken"} <= set(ub.backends.names()), ub.backends.names()
    x = ub.add(Toy([1, 2]), 1)  # an array of it finds its owner
    assert type(x) is Toy and x.values.tolist() == [2, 3], x
    with ub.use("toy"):
        assert type(ub.ones(2)) is Toy
        assert ub.to_numpy(ub.add([1, 2], [3, 4])).tolist() == [4, 6]
        try:
            ub.sin(1.0)
        except NotImplementedError as error:
            assert "'toy' does not provide" in str(error), error
    try:
        ub.backends.load("broken")
    except ImportError as error:
        assert "lacks" in str(error) and "owns" in str(error), error
    else:
        raise AssertionError("a module that lacks the contract was taken")
    print("fine", "jax" in sys.modules, "tensorflow" in sys.modules)
"""


def test_a_third_partys_backend_joins_by_its_entry_point(tmp_path: Path) -> None:
    for name, text in PLUGIN.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip())
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(USE)],
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["fine", "False", "False"]
