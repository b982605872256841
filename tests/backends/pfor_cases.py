"""A function of one example for each batching rule given to TensorFlow's pfor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf

raw = tf.raw_ops
Make = Callable[[np.random.Generator], Any]


@dataclass(frozen=True)
class Case:
    """A function of one example, and how to make its operands.

    Attributes:
        function: from tensors to a tensor or several.
        operands: makers of operands, each from a generator of random numbers.
        whole: the operands that must be one for all examples.
        by: the operands that gradients are taken by.
        xla: whether XLA has the op.
        takes: how many of several results the gradient is taken of.
    """

    function: Callable[..., Any]
    operands: tuple[Make, ...]
    whole: tuple[int, ...] = ()
    by: tuple[int, ...] = ()
    xla: bool = True
    takes: int = 9


def normal(*shape: int, dtype: Any = np.float64) -> Make:
    """Return a maker of numbers, of matrices that are far from singular where they are square."""

    def make(rng: np.random.Generator) -> Any:
        result = rng.standard_normal(shape)
        if np.dtype(dtype).kind == "c":
            result = result + 1j * rng.standard_normal(shape)
        if len(shape) > 1 and shape[-1] == shape[-2]:
            result = result + 4 * np.eye(shape[-1])
        return result.astype(dtype)

    return make


def whole(low: int, high: int, *shape: int, dtype: Any = np.int32) -> Make:
    """Return a maker of whole numbers from low to high, without high."""
    return lambda rng: rng.integers(low, high, shape).astype(dtype)


def fixed(value: Any, dtype: Any = np.int32) -> Make:
    return lambda rng: np.asarray(value, dtype)


def factor(size: int) -> Make:
    return lambda rng: np.tril(rng.standard_normal((size, size))) + 3 * np.eye(size)


def positive(size: int) -> Make:
    def make(rng: np.random.Generator) -> Any:
        matrix = rng.standard_normal((size, size))
        return matrix @ matrix.T + np.eye(size)

    return make


def fraction(*shape: int) -> Make:
    return lambda rng: rng.uniform(0.1, 0.9, shape)


def permutation(size: int, dtype: Any) -> Make:
    return lambda rng: rng.permutation(size).astype(dtype)


def distinct(count: int, size: int, depth: int, dtype: Any = np.int32) -> Make:
    """Return a maker of places of which none comes twice."""

    def make(rng: np.random.Generator) -> Any:
        flat = rng.permutation(size**depth)[:count]
        return np.stack(np.unravel_index(flat, (size,) * depth), -1).astype(dtype)

    return make


def _svd(full: bool = False) -> Callable[[Any], Any]:
    return lambda x: raw.Svd(input=x, full_matrices=full)


def _matmul(output: Any, **how: bool) -> Callable[[Any, Any], Any]:
    return lambda x, y: raw.BatchMatMulV3(x=x, y=y, Tout=output, **how)


def segment(kind: str) -> Callable[[Any, Any], Any]:
    op = getattr(raw, f"Segment{kind}")
    return lambda x, ids: op(data=x, segment_ids=ids)


def _tensor_scatter(kind: str) -> Callable[[Any, Any, Any], Any]:
    op = getattr(raw, f"TensorScatter{kind}")
    return lambda x, i, y: op(tensor=x, indices=i, updates=y)


def _scatter(shape: tuple[int, ...], dtype: Any = tf.int32) -> Callable[[Any, Any], Any]:
    return lambda i, y: raw.ScatterNd(indices=i, updates=y, shape=tf.constant(shape, dtype))


def _bincount(size: int, weights: Any, binary: bool = False) -> Callable[[Any], Any]:
    return lambda x: raw.DenseBincount(
        input=x, size=size, weights=tf.constant([], weights), binary_output=binary
    )


CASES: dict[str, Case] = {
    # Factorizations and what is made of them
    "Qr": Case(lambda x: raw.Qr(input=x), (normal(4, 3),), by=(0,)),
    "Qr full": Case(lambda x: raw.Qr(input=x, full_matrices=True), (normal(4, 3),)),
    "Qr float32 stack": Case(lambda x: raw.Qr(input=x), (normal(2, 3, 3, dtype=np.float32),)),
    "Qr complex": Case(lambda x: raw.Qr(input=x), (normal(3, 3, dtype=np.complex64),), by=(0,)),
    "Qr of nothing": Case(lambda x: raw.Qr(input=x), (normal(0, 3),), xla=False),
    "Svd": Case(_svd(), (normal(4, 3),), by=(0,), takes=1),
    "Svd values": Case(lambda x: raw.Svd(input=x, compute_uv=False)[0], (normal(4, 3),), by=(0,)),
    "Svd full float32": Case(_svd(full=True), (normal(3, 4, dtype=np.float32),)),
    "Svd complex": Case(_svd(), (normal(3, 3, dtype=np.complex128),), xla=False),
    "MatrixDeterminant": Case(
        lambda x: raw.MatrixDeterminant(input=x), (normal(3, 3),), by=(0,), xla=False
    ),
    "MatrixDeterminant of nothing": Case(
        lambda x: raw.MatrixDeterminant(input=x), (normal(2, 0, 0),), xla=False
    ),
    "Lu": Case(lambda x: raw.Lu(input=x), (normal(3, 3),), xla=False),
    "Lu int64": Case(
        lambda x: raw.Lu(input=x, output_idx_type=tf.int64),
        (normal(2, 3, 3, dtype=np.complex64),),
        xla=False,
    ),
    "Eig": Case(lambda x: raw.Eig(input=x, Tout=tf.complex128), (normal(3, 3),), xla=False),
    "Eig values": Case(
        lambda x: raw.Eig(input=x, Tout=tf.complex64, compute_v=False)[0],
        (normal(3, 3, dtype=np.float32),),
        xla=False,
    ),
    "CholeskyGrad": Case(
        lambda x, y: (
            raw.BatchCholeskyGrad(l=x, grad=y)
            if x.shape.rank > 2
            else raw.CholeskyGrad(l=x, grad=y)
        ),
        (factor(3), normal(3, 3)),
        xla=False,
    ),
    "MatrixLogarithm": Case(
        lambda x: raw.MatrixLogarithm(input=x), (normal(3, 3, dtype=np.complex128),), xla=False
    ),
    "MatrixSquareRoot": Case(
        lambda x: raw.MatrixSquareRoot(input=x), (positive(3),), by=(0,), xla=False
    ),
    "MatrixSolveLs": Case(
        lambda x, y, l2: raw.MatrixSolveLs(matrix=x, rhs=y, l2_regularizer=l2),
        (normal(4, 3), normal(4, 2), fixed(0.1, np.float64)),
        whole=(2,),
        by=(0, 1),
        xla=False,
    ),
    "BandedTriangularSolve": Case(
        lambda x, y: raw.BandedTriangularSolve(matrix=x, rhs=y),
        (lambda rng: rng.uniform(1, 2, (2, 4)), normal(4, 2)),
        by=(0, 1),
        xla=False,
    ),
    "TridiagonalSolve": Case(
        lambda x, y: raw.TridiagonalSolve(diagonals=x, rhs=y),
        (lambda rng: rng.uniform(1, 2, (3, 4)) + [[0], [4], [0]], normal(4, 2)),
        by=(0, 1),
        xla=False,
    ),
    "TridiagonalMatMul": Case(
        lambda a, b, c, y: raw.TridiagonalMatMul(superdiag=a, maindiag=b, subdiag=c, rhs=y),
        (normal(1, 4), normal(1, 4), normal(1, 4), normal(4, 2)),
        by=(0, 1, 2, 3),
        xla=False,
    ),
    # Products
    "BatchMatMulV3 int8": Case(
        _matmul(tf.int32),
        (whole(-128, 128, 3, 4, dtype=np.int8), whole(-9, 9, 4, 5, dtype=np.int8)),
    ),
    "BatchMatMulV3 adjoint": Case(
        _matmul(tf.int32, adj_x=True, adj_y=True),
        (whole(-128, 128, 4, 3, dtype=np.int8), whole(-9, 9, 5, 4, dtype=np.int8)),
    ),
    "BatchMatMulV3 adjoint right": Case(
        _matmul(tf.int32, adj_y=True),
        (whole(-128, 128, 3, 4, dtype=np.int8), whole(-9, 9, 5, 4, dtype=np.int8)),
    ),
    "BatchMatMulV3 stack and one": Case(
        _matmul(tf.int32),
        (whole(-9, 9, 2, 1, 3, 4, dtype=np.int8), whole(-9, 9, 4, 5, dtype=np.int8)),
    ),
    "BatchMatMulV3 one and stack": Case(
        _matmul(tf.int32),
        (whole(-9, 9, 3, 4, dtype=np.int8), whole(-9, 9, 2, 4, 5, dtype=np.int8)),
    ),
    "BatchMatMulV3 stacks": Case(
        _matmul(tf.float64),
        (whole(-9, 9, 2, 1, 3, 4, dtype=np.float64), whole(-9, 9, 2, 4, 3, dtype=np.float64)),
    ),
    "BatchMatMulV3 of nothing": Case(
        _matmul(tf.int32), (whole(-9, 9, 3, 0, dtype=np.int8), whole(-9, 9, 0, 5, dtype=np.int8))
    ),
    # Elementwise
    "Bitcast": Case(lambda x: raw.Bitcast(input=x, type=tf.int32), (normal(3, dtype=np.float32),)),
    "Bitcast narrower": Case(lambda x: raw.Bitcast(input=x, type=tf.uint8), (normal(3),)),
    "Bitcast wider": Case(
        lambda x: raw.Bitcast(input=x, type=tf.int64), (whole(0, 99, 3, 2, dtype=np.uint32),)
    ),
    "Bitcast of nothing": Case(lambda x: raw.Bitcast(input=x, type=tf.int64), (normal(0, 2),)),
    "PopulationCount": Case(
        lambda x: raw.PopulationCount(x=x), (whole(0, 65536, 2, 3, dtype=np.uint16),)
    ),
    "NextAfter": Case(lambda x, y: raw.NextAfter(x1=x, x2=y), (normal(2, 3), normal(3)), by=(0, 1)),
    "NextAfter scalar": Case(
        lambda x, y: raw.NextAfter(x1=x, x2=y),
        (normal(dtype=np.float32), normal(2, 3, dtype=np.float32)),
    ),
    "Betainc": Case(
        lambda a, b, x: raw.Betainc(a=a, b=b, x=x),
        (fraction(2, 3), fraction(2, 3), fraction(2, 3)),
        by=(2,),
    ),
    "Betainc scalars": Case(
        lambda a, b, x: raw.Betainc(a=a, b=b, x=x), (fraction(), fraction(), fraction(2, 3))
    ),
    "Betainc of nothing": Case(
        lambda a, b, x: raw.Betainc(a=a, b=b, x=x), (fraction(), fraction(0), fraction())
    ),
    "RandomGammaGrad": Case(
        lambda a, x: raw.RandomGammaGrad(alpha=a, sample=x), (fraction(3), fraction(2, 3))
    ),
    "InvGrad": Case(lambda y, dy: raw.InvGrad(y=y, dy=dy), (normal(3), normal(3)), xla=False),
    "GuaranteeConst": Case(lambda x: raw.GuaranteeConst(input=x), (normal(3),), xla=False),
    "PreventGradient": Case(lambda x: raw.PreventGradient(input=x, message="no"), (normal(3),)),
    "Snapshot": Case(lambda x: raw.Snapshot(input=x), (normal(3),)),
    # Along axes
    "CumulativeLogsumexp": Case(
        lambda x: raw.CumulativeLogsumexp(x=x, axis=0), (normal(4, 3),), by=(0,)
    ),
    "CumulativeLogsumexp last": Case(
        lambda x: raw.CumulativeLogsumexp(x=x, axis=-1, exclusive=True, reverse=True),
        (normal(4, 3, dtype=np.float32),),
    ),
    "EuclideanNorm": Case(
        lambda x: raw.EuclideanNorm(input=x, axis=[0, -1]),
        (fixed(np.full((2, 3, 2), 3.0), float),),
        xla=False,
    ),
    "EuclideanNorm kept": Case(
        lambda x: raw.EuclideanNorm(input=x, axis=1, keep_dims=True),
        (normal(2, 1),),
        by=(0,),
        xla=False,
    ),
    "EuclideanNorm of nothing": Case(
        lambda x: raw.EuclideanNorm(input=x, axis=0), (normal(0, 3),), xla=False
    ),
    "L2Loss": Case(lambda x: raw.L2Loss(t=x), (whole(-9, 9, 2, 3, dtype=np.float32),), by=(0,)),
    "MirrorPad": Case(
        lambda x: raw.MirrorPad(input=x, paddings=[[1, 2], [0, 1]], mode="REFLECT"),
        (normal(4, 3),),
        by=(0,),
    ),
    "MirrorPad four axes": Case(
        lambda x: raw.MirrorPad(
            input=x, paddings=tf.constant([[1, 2]] * 4, tf.int64), mode="SYMMETRIC"
        ),
        (normal(2, 3, 2, 3),),
        by=(0,),
    ),
    "MirrorPadGrad": Case(
        lambda x: raw.MirrorPadGrad(input=x, paddings=[[1, 2], [0, 1]], mode="SYMMETRIC"),
        (whole(-9, 9, 7, 4, dtype=np.float64),),
    ),
    "NthElement": Case(
        lambda x, n: raw.NthElement(input=x, n=n), (normal(2, 5), fixed(2)), whole=(1,), xla=False
    ),
    # Writing to places
    "ScatterNd": Case(_scatter((5, 5)), (distinct(4, 5, 2), normal(4)), by=(1,)),
    "ScatterNd slices": Case(
        _scatter((5, 3), tf.int64), (distinct(4, 5, 1, np.int64), normal(4, 3)), by=(1,)
    ),
    "ScatterNd added": Case(
        _scatter((3,)), (whole(0, 3, 2, 4, 1), whole(-9, 9, 2, 4, dtype=np.float32))
    ),
    "ScatterNd nowhere": Case(_scatter((5,)), (distinct(0, 5, 1), normal(0))),
    "TensorScatterAdd": Case(
        _tensor_scatter("Add"), (normal(5, 5), distinct(4, 5, 2), normal(4)), by=(0, 2)
    ),
    "TensorScatterSub": Case(
        _tensor_scatter("Sub"), (normal(5, 3), distinct(4, 5, 1), normal(4, 3)), by=(0, 2)
    ),
    "TensorScatterMin": Case(
        _tensor_scatter("Min"), (normal(5), whole(0, 5, 2, 4, 1), normal(2, 4)), by=(0, 2)
    ),
    "TensorScatterMax": Case(
        _tensor_scatter("Max"),
        (whole(-9, 9, 5), distinct(4, 5, 1, np.int64), whole(-9, 9, 4)),
    ),
    "InvertPermutation": Case(lambda x: raw.InvertPermutation(x=x), (permutation(6, np.int32),)),
    "InvertPermutation int64": Case(
        lambda x: raw.InvertPermutation(x=x), (permutation(6, np.int64),)
    ),
    "DynamicStitch": Case(
        lambda i, j, x, y: raw.DynamicStitch(indices=[i, j], data=[x, y]),
        (fixed([4, 0]), fixed([[1], [3]]), normal(2, 3), normal(2, 1, 3)),
        whole=(0, 1),
        by=(2, 3),
        xla=False,
    ),
    "ParallelDynamicStitch": Case(
        lambda i, j, x, y: raw.ParallelDynamicStitch(indices=[i, j], data=[x, y]),
        (fixed(1), fixed([0, 2]), normal(), normal(2)),
        whole=(0, 1),
        by=(2, 3),
        xla=False,
    ),
    # Counting and summing by number
    **{
        f"Segment{kind}": Case(
            segment(kind),
            (normal(4, 3), fixed([0, 0, 2, 2])),
            whole=(1,),
            by=(0,) if kind != "Prod" else (),
            xla=False,
        )
        for kind in ("Max", "Mean", "Min", "Prod", "Sum")
    },
    "Bincount": Case(
        lambda x, w: raw.Bincount(arr=x, size=5, weights=w),
        (whole(0, 7, 2, 4), whole(0, 9, 2, 4, dtype=np.float32)),
        xla=False,  # which counts each row alone
    ),
    "Bincount unweighted": Case(
        lambda x: raw.Bincount(arr=x, size=5, weights=tf.constant([], tf.int64)), (whole(0, 7, 4),)
    ),
    "DenseBincount": Case(_bincount(5, tf.int32), (whole(0, 7, 4),)),
    "DenseBincount scalar": Case(_bincount(5, tf.int32), (whole(0, 7),), xla=False),
    "DenseBincount rows": Case(
        _bincount(5, tf.float32, True), (whole(0, 7, 2, 4, dtype=np.int64),)
    ),
    "DenseBincount weighted": Case(
        lambda x, w: raw.DenseBincount(input=x, size=5, weights=w),
        (whole(0, 7, 2, 4), whole(0, 9, 2, 4, dtype=np.float64)),
    ),
    "InTopK": Case(
        lambda x, i: raw.InTopK(predictions=x, targets=i, k=2),
        (normal(3, 4, dtype=np.float32), whole(0, 4, 3)),
        xla=False,
    ),
    "InTopKV2": Case(
        lambda x, i, k: raw.InTopKV2(predictions=x, targets=i, k=k),
        (normal(3, 4, dtype=np.float32), whole(0, 4, 3, dtype=np.int64), fixed(2, np.int64)),
        whole=(2,),
    ),
}
