"""The private names of TensorFlow that are used: each fails here when it moves."""

from __future__ import annotations

import gc
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import unibackend as ub
from unibackend.backends.tensorflow import _compile, _private


def test_the_names_are_where_they_were() -> None:
    from tensorflow.python import pywrap_tfe
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    assert _private.no_tape_records is pywrap_tfe.TFE_Py_TapeSetIsEmpty
    assert callable(pywrap_tfe.TFE_Py_TapeSetPossibleGradientTypes)
    assert _private.unrecorded is not nullcontext is not _private.recorded
    assert isinstance(ops.gradient_registry._registry, dict)
    assert _private.call_by_name is not None
    assert callable(context.context().clear_kernel_cache)
    assert _private.eager_tensor_type() is type(tf.constant(0))


def test_the_rules_of_pfor_are_where_they_were() -> None:
    from tensorflow.python.ops.parallel_for import pfor

    found = _private.find_pfor()
    assert found is not None
    assert found.has_rule("Cholesky")
    assert not found.has_rule("NoSuchOp")
    with pytest.raises(AssertionError, match="Re-registering Cholesky"):
        found.register("Cholesky", print)
    assert found.wrap(tf.constant(1), True) == pfor.WrappedTensor(tf.constant(1), True, False)
    assert issubclass(found.refusal, Exception)


def test_without_the_rules_of_pfor_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorflow.python.ops.parallel_for import pfor

    monkeypatch.delattr(pfor, "_pfor_converter_registry")
    assert _private.find_pfor() is None


@pytest.mark.parametrize("private", [True, False])
def test_both_ways_run_xla(private: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not private:
        monkeypatch.setattr(_private, "call_by_name", None)
        monkeypatch.setattr(_private, "no_tape_records", lambda: True)
    with ub.use("tensorflow", xla=True):
        # Out of bounds the graph's gather raises, and XLA's takes the last element.
        f = ub.compile(lambda x, i: tf.gather(x.tensor, i.tensor))
        x, i = ub.asarray([1.0, 2.0, 3.0]), ub.asarray(np.int32(9))
        for _ in range(3):
            assert float(f(x, i)) == 3.0


def test_the_public_way_without_the_tapes_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_private, "no_tape_records", lambda: False)
    with ub.use("tensorflow"):
        w = tf.Variable(3.0)
        f = ub.compile(lambda x: x * ub.asarray(w))
        x = ub.asarray([1.0, 2.0])
        f(x)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(f(x).tensor)
        assert float(tape.gradient(y, w)) == 3.0


def test_tapes_pause_and_go_on() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        assert _private.is_watched([x, tf.constant(1.0)])
        assert not _private.is_watched([tf.constant(1.0)])
        with _private.unrecorded():
            hidden = x * x
            assert not _private.is_watched([x])
            with _private.recorded():
                seen = x * x
            again = x * x
        after = x * x
    assert not _private.is_watched([x])
    found = [tape.gradient(y, x) for y in (hidden, seen, again, after)]
    assert [None if g is None else float(g) for g in found] == [None, 6.0, None, 6.0]


def test_without_the_watch_probe_all_may_be_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_private, "_watch_probe", None)
    assert not _private.is_watched([tf.constant(1.0)])
    with tf.GradientTape():
        assert _private.is_watched([tf.constant(1.0)])
    with ub.use("tensorflow"):
        f = ub.custom_vjp(lambda x: x * x)
        f.defvjp(lambda x: (x * x, x), lambda x, ct: (ct * 100.0 * x,))
        assert float(ub.grad(lambda x: ub.compile(f)(x) + f(x))(3.0)) == 600.0


def test_evicted_traces_leave_the_registry_of_gradients() -> None:
    from tensorflow.python.framework import ops

    def count() -> int:
        gc.collect()
        return len(ops.gradient_registry._registry)

    with ub.use("tensorflow", trace_limit=2):
        f = ub.compile(lambda x: ub.maximum(x, 0.0))  # its gradient is our own
        f(ub.zeros(1))
        f(ub.zeros(2))
        before = count()
        for n in range(3, 12):
            f(ub.zeros(n))
        assert count() <= before
        x = ub.ones(11)
        assert ub.grad(lambda x: ub.sum(f(x)))(x).tolist() == [1.0] * 11


def test_evicted_traces_leave_the_kernel_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[Any] = []
    monkeypatch.setattr(_private, "clear_kernel_cache", lambda: cleared.append(1))
    monkeypatch.setattr(_compile, "_EVICTIONS_BETWEEN_CLEARINGS", 3)
    with ub.use("tensorflow", trace_limit=2):
        f = ub.compile(lambda x: x + 1)
        for n in range(8):
            f(ub.zeros(n))
    assert len(cleared) == 2


def _called(x: Any) -> Any:
    return ub.native(ub.sum(ub.concat([ub.asarray(x), ub.asarray(x) * 2])))


def test_autograph_leaves_the_package_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    from tensorflow.python.autograph.core import config

    with ub.use("tensorflow"):
        ub.asarray(1.0)  # loads the backend

        @tf.function  # type: ignore[untyped-decorator]
        def f(x: Any) -> Any:
            return _called(x) if tf.reduce_sum(x) > 0 else _called(-x)

        with caplog.at_level("WARNING", logger="tensorflow"):
            assert float(f(tf.constant([1.0, 2.0]))) == 9.0
    assert "AutoGraph" not in caplog.text
    rules = [str(rule) for rule in config.CONVERSION_RULES]
    _private.leave_unconverted("unibackend")
    assert [str(rule) for rule in config.CONVERSION_RULES] == rules
    assert rules.count("DoNotConvert rule for unibackend") == 1


def test_without_autographs_rules_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    from tensorflow.python.autograph.core import config

    monkeypatch.delattr(config, "CONVERSION_RULES")
    _private.leave_unconverted("unibackend")
