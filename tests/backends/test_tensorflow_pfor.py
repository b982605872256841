"""The batching rules given to TensorFlow's pfor: each as a loop over the examples, without one."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.ops.parallel_for import pfor

import unibackend as ub
from unibackend.backends.tensorflow import _pfor, _private

from .pfor_cases import CASES, Case, Make, fixed, normal, segment

raw = tf.raw_ops


@pytest.fixture(autouse=True)
def rules() -> None:
    """Register the rules, as the first `vmap` does."""
    _pfor.register()


def _operands(case: Case, size: int, mapped: Iterable[int]) -> list[Any]:
    rng = np.random.default_rng(len(case.operands))
    return [
        np.stack([make(rng) for _ in range(size)]) if i in mapped else make(rng)
        for i, make in enumerate(case.operands)
    ]


def _choices(case: Case) -> Iterator[tuple[int, ...]]:
    """Yield each choice of operands that differ between examples."""
    free = [i for i in range(len(case.operands)) if i not in case.whole]
    for count in range(1, len(free) + 1):
        yield from itertools.combinations(free, count)


def _one(case: Case, operands: list[Any], mapped: tuple[int, ...], number: int) -> list[Any]:
    return [tf.constant(x[number] if i in mapped else x) for i, x in enumerate(operands)]


def _leaves(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


def _mapped(case: Case, mapped: tuple[int, ...], *, loop: bool = False) -> Callable[..., Any]:
    """Return the function of stacked operands by pfor."""

    def run(*operands: Any) -> Any:
        def of_example(elements: list[Any]) -> Any:
            rest = iter(elements)
            result = case.function(*(next(rest) if i in mapped else operands[i] for i in places))
            return _leaves(result)

        places = range(len(operands))
        stacked = [operands[i] for i in mapped]
        return tf.vectorized_map(of_example, stacked, fallback_to_while_loop=loop)

    return run


def _same(results: list[Any], expected: list[Any]) -> None:
    for result, right in zip(results, expected, strict=True):
        assert result.dtype == right.dtype
        np.testing.assert_array_equal(result.numpy(), right.numpy(), strict=True)


def _near(result: Any, expected: Any, reads: int) -> None:
    """Check what may be summed in another order: an error of rounding for each element read."""
    right = expected.numpy()
    bound = 0.0
    if right.dtype.kind not in "biu":
        largest = np.abs(right[np.isfinite(right)]).max(initial=0)
        bound = float(int(reads) * np.finfo(right.dtype).eps * largest)
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result.numpy(), right, rtol=0, atol=bound, strict=True)


def _op_types(graph: Any) -> set[str]:
    definition = graph.as_graph_def()
    nodes = list(definition.node)
    for function in definition.library.function:
        nodes += function.node_def
    return {node.op for node in nodes}


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("name", CASES)
def test_is_the_loop_without_a_loop(name: str, size: int) -> None:
    case = CASES[name]
    for mapped in _choices(case):
        operands = [tf.constant(x) for x in _operands(case, size, mapped)]
        function = tf.function(_mapped(case, mapped), autograph=False)
        concrete = function.get_concrete_function(*operands)
        assert not _op_types(concrete.graph) & {"While", "StatelessWhile"}
        rows = [_leaves(case.function(*_one(case, operands, mapped, n))) for n in range(size)]
        expected = [tf.stack(column) for column in zip(*rows, strict=True)]
        for known, right in zip(_leaves(concrete.structured_outputs), expected, strict=True):
            assert known.shape.is_compatible_with(right.shape)
        _same(_leaves(function(*operands)), expected)


@pytest.mark.parametrize("name", CASES)
def test_sizes_that_are_not_known_while_traced(name: str) -> None:
    case = CASES[name]
    for mapped in _choices(case):
        operands = [tf.constant(x) for x in _operands(case, 3, mapped)]
        specs = [
            tf.TensorSpec(x.shape if i in case.whole else [None] * x.shape.rank, x.dtype)
            for i, x in enumerate(operands)
        ]
        function = tf.function(_mapped(case, mapped), specs, autograph=False)
        rows = [_leaves(case.function(*_one(case, operands, mapped, n))) for n in range(3)]
        expected = [tf.stack(column) for column in zip(*rows, strict=True)]
        _same(_leaves(function(*operands)), expected)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.xla])
def test_under_xla(name: str) -> None:
    case = CASES[name]
    *_, mapped = _choices(case)
    arrays = _operands(case, 3, mapped)
    function = tf.function(_mapped(case, mapped), autograph=False, jit_compile=True)
    one = tf.function(case.function, autograph=False, jit_compile=True)
    rows = [_leaves(one(*_one(case, arrays, mapped, n))) for n in range(3)]
    reads = sum(x.size for x in arrays)
    for result, column in zip(_leaves(function(*arrays)), zip(*rows, strict=True), strict=True):
        _near(result, tf.stack(column), reads)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.by])
def test_gradients_are_those_of_the_loop(name: str) -> None:
    case = CASES[name]
    for mapped in _choices(case):
        operands = [tf.constant(x) for x in _operands(case, 3, mapped)]

        def gradients(run: Callable[..., Any], arguments: list[Any]) -> list[Any]:
            sources = [arguments[i] for i in case.by]
            with tf.GradientTape() as tape:
                tape.watch(sources)
                results = _leaves(run(*arguments))[: case.takes]
                total = tf.add_n([tf.reduce_sum(y * tf.cast(tf.abs(y), y.dtype)) for y in results])
            return tape.gradient(total, sources)

        got = gradients(tf.function(_mapped(case, mapped), autograph=False), operands)
        rows = [gradients(case.function, _one(case, operands, mapped, n)) for n in range(3)]
        for i, result, column in zip(case.by, got, zip(*rows, strict=True), strict=True):
            expected = tf.stack(column) if i in mapped else tf.add_n(column)
            _near(tf.convert_to_tensor(result), expected, sum(tf.size(x) for x in operands))


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Give pfor a registry as it is before the first `vmap`."""
    own = {op: one for op, one in pfor._pfor_converter_registry.items() if op not in _pfor.RULES}
    monkeypatch.setattr(pfor, "_pfor_converter_registry", own)
    monkeypatch.setattr(_pfor, "_done", False)
    return own


def test_every_rule_has_a_case() -> None:
    tested = {name.split()[0] for name in CASES} | set(PYTHON)
    assert set(_pfor.RULES) == tested


# The op's shape rule and its kernel differ about a scalar, and TensorFlow's loop fails for it.
@pytest.mark.parametrize("name", [name for name in CASES if name != "DenseBincount scalar"])
def test_a_users_own_map_gives_the_same(name: str, registry: dict[str, Any]) -> None:
    case = CASES[name]
    *_, mapped = _choices(case)
    operands = [tf.constant(x) for x in _operands(case, 3, mapped)]
    before = _leaves(tf.function(_mapped(case, mapped, loop=True), autograph=False)(*operands))
    assert not set(_pfor.RULES) & set(registry)
    _pfor.register()
    after = _leaves(tf.function(_mapped(case, mapped, loop=True), autograph=False)(*operands))
    _same(after, before)


def test_only_absent_rules_are_registered(registry: dict[str, Any]) -> None:
    registry["Qr"] = theirs = object()
    before = dict(registry)
    threads = [threading.Thread(target=_pfor.register) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(registry) == set(before) | set(_pfor.RULES)
    assert {op: registry[op] for op in before} == before
    assert registry["Qr"] is theirs
    after = dict(registry)
    _pfor.register()
    assert registry == after


def test_nothing_of_tensorflows_has_a_rule_here() -> None:
    # In a new process, where nothing is registered: a rule that TensorFlow gained can go from here.
    program = (
        "import tensorflow.python.ops.parallel_for.pfor as pfor;"
        "from unibackend.backends.tensorflow import _pfor;"
        "print(sorted(set(_pfor.RULES) & set(pfor._pfor_converter_registry)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


@pytest.mark.parametrize(
    ("op", "function", "operands"),
    [
        ("SegmentSum", segment("Sum"), (normal(4), fixed([0, 0, 1, 2]))),
        (
            "DynamicStitch",
            lambda i, x: raw.DynamicStitch(indices=[i], data=[x]),
            (
                fixed([1, 0]),
                normal(2),
            ),
        ),
        ("NthElement", lambda x, n: raw.NthElement(input=x, n=n), (normal(4), fixed(2))),
        (
            "MirrorPad",
            lambda x: raw.MirrorPad(input=x, paddings=[[0, 1]] * 5, mode="SYMMETRIC"),
            (normal(1, 2, 1, 2, 1),),
        ),
        (
            "ScatterNd",
            lambda i, x: raw.ScatterNd(indices=i, updates=x, shape=[1] * 7),
            (
                fixed([[0] * 7]),
                normal(1),
            ),
        ),
    ],
)
def test_what_a_rule_cannot_do_is_an_error_that_names_the_op_or_a_loop(
    op: str, function: Callable[..., Any], operands: tuple[Make, ...]
) -> None:
    arrays = [np.stack([make(np.random.default_rng(0))] * 2) for make in operands]

    def of_example(*xs: Any) -> Any:
        return ub.asarray(function(*(x.tensor for x in xs)))

    with ub.use("tensorflow", x64=True):
        with pytest.raises(ub.errors.UnsupportedError, match=rf"TensorFlow's op {op}, .*loop"):
            ub.vmap(of_example)(*map(ub.asarray, arrays))
        with pytest.warns(ub.errors.FallbackWarning, match=op):
            looped = ub.vmap(of_example, fallback="loop")(*map(ub.asarray, arrays))
    expected = [function(*(tf.constant(x[n]) for x in arrays)) for n in range(2)]
    _same([looped.tensor], [tf.stack(expected)])


def test_vmap_registers_the_rules(registry: dict[str, Any]) -> None:
    with ub.use("tensorflow"):
        x = ub.asarray(np.eye(3, dtype=np.float32) * np.float32([[[2]], [[4]]]))
        determinants = ub.vmap(lambda m: ub.asarray(tf.linalg.det(m.tensor)))(x)
    assert determinants.tensor.numpy().tolist() == [8.0, 64.0]
    assert set(_pfor.RULES) <= set(registry)


def test_without_pfors_names_vmap_names_the_op(
    registry: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_private, "find_pfor", lambda: None)
    with ub.use("tensorflow"), pytest.raises(ub.errors.UnsupportedError, match="op Qr,"):
        ub.vmap(lambda m: ub.asarray(tf.linalg.qr(m.tensor).q))(ub.zeros((2, 3, 3)))


PYTHON: dict[str, Callable[..., Any]] = {
    "EagerPyFunc": tf.py_function,
    "PyFunc": tf.numpy_function,
    "PyFuncStateless": lambda *args: tf.numpy_function(*args, stateful=False),
}


def _called(op: str, mapped: Callable[[Any], Any], x: Any) -> Any:
    """Map a function that calls Python; itself it is called for one example more without this."""

    def of_example(one: Any) -> Any:
        spec = tf.TensorSpec(one.shape, one.dtype)
        inner = tf.function(mapped, autograph=False).get_concrete_function(spec)
        arguments = [one, *inner.captured_inputs]
        # Not stateful, so that the one of the example that was traced is not run for its effect.
        return raw.PartitionedCall(args=arguments, Tout=[tf.float32], f=inner)[0]

    run = tf.function(lambda x: tf.vectorized_map(of_example, x, fallback_to_while_loop=False))
    return run(x)


@pytest.mark.parametrize("op", PYTHON)
def test_python_functions_are_called_once_for_each_example_in_order(op: str) -> None:
    seen: list[tuple[str, float]] = []

    def double(x: Any, y: Any) -> Any:
        seen.append(("double", float(x)))
        return np.float32(2 * float(x) + float(y))

    y = tf.constant(0.5)
    result = _called(op, lambda x: PYTHON[op](double, [x, y], tf.float32) + 1, tf.range(40.0))
    np.testing.assert_array_equal(result, np.arange(40, dtype=np.float32) * 2 + 1.5, strict=True)
    assert seen == [("double", float(n)) for n in range(40)]


def test_python_functions_without_results_are_called_too() -> None:
    seen: list[tuple[str, float]] = []

    def record(x: Any) -> Any:
        tf.py_function(lambda v: seen.append(("x", float(v))), [x], [])
        tf.py_function(lambda v: seen.append(("2x", float(v))), [2 * x], [])
        return x + 1

    result = _called("EagerPyFunc", record, tf.constant([1.0, 2.0, 3.0]))
    assert result.numpy().tolist() == [2.0, 3.0, 4.0]
    assert seen == [("x", 1), ("x", 2), ("x", 3), ("2x", 2), ("2x", 4), ("2x", 6)]


@pytest.mark.parametrize("axes", [(0, None), (None, 0), (0, 0)])
@pytest.mark.parametrize("stack", [(1,), (1, 1), (2,)])
def test_products_of_short_stacks(axes: tuple[int | None, ...], stack: tuple[int, ...]) -> None:
    # By pfor's own rule the kernel read what lies behind a stack of one (tensorflow#117700).
    rng = np.random.default_rng(0)
    x, y = (
        rng.integers(-5, 6, (*(() if axis is None else (4,)), *stack, 5, 5)).astype(np.float32)
        for axis in axes
    )
    with ub.use("tensorflow"):
        product = ub.vmap(ub.matmul, in_axes=axes)(ub.asarray(x), ub.asarray(y))
    np.testing.assert_array_equal(product.tensor, np.matmul(x, y), strict=True)
