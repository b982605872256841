"""SciPy and scikit-learn on TensorFlow arrays: a program that says how each call went.

Both read `SCIPY_ARRAY_API` when they are imported, so that this runs in a process of its own. A
call is right if it returns arrays of ours with the numbers that it returns for NumPy's.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"

import numpy as np
import scipy.cluster.vq
import scipy.fft
import scipy.integrate
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.special
import scipy.stats
import sklearn
from sklearn import metrics
from sklearn.decomposition import PCA
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeCV
from sklearn.preprocessing import KernelCenterer, LabelEncoder

import unibackend as ub

NumpyArray = np.ndarray[Any, Any]

rng = np.random.default_rng(0)
A, B = rng.uniform(0.5, 2, (2, 6))
M = rng.uniform(0.5, 2, (20, 3))
T = M @ np.array([1.0, -2.0, 0.5]) + rng.normal(size=20) / 10
GROUPS = (T > 0).astype(np.int64)


def fitted(estimator: Any, method: str) -> Callable[..., Any]:
    def call(x: Any, *y: Any) -> Any:
        return getattr(estimator.fit(x, *y), method)(x)

    return call


SCIPY: dict[str, tuple[Callable[..., Any], tuple[NumpyArray, ...]]] = {
    "cluster.vq.vq": (lambda m: scipy.cluster.vq.vq(m, m[:4, ...]), (M,)),
    "fft.dct": (scipy.fft.dct, (A,)),
    "fft.fftn": (scipy.fft.fftn, (M,)),
    "fft.irfft": (scipy.fft.irfft, (A + 1j * B,)),
    "fft.rfft": (scipy.fft.rfft, (A,)),
    "integrate.cumulative_trapezoid": (scipy.integrate.cumulative_trapezoid, (A,)),
    "integrate.trapezoid": (scipy.integrate.trapezoid, (A, B)),
    "ndimage.gaussian_filter": (lambda m: scipy.ndimage.gaussian_filter(m, 1.0), (M,)),
    "optimize.rosen": (scipy.optimize.rosen, (A,)),
    "signal.detrend": (scipy.signal.detrend, (A,)),
    "signal.fftconvolve": (scipy.signal.fftconvolve, (A, B)),
    "special.betainc": (scipy.special.betainc, (A, B, A / 3)),
    "special.erf": (scipy.special.erf, (A,)),
    "special.gammaln": (scipy.special.gammaln, (A,)),
    "special.softmax": (lambda m: scipy.special.softmax(m, axis=1), (M,)),
    "special.xlogy": (scipy.special.xlogy, (A, B)),
    "stats.entropy": (scipy.stats.entropy, (A,)),
    "stats.gmean": (scipy.stats.gmean, (A,)),
    "stats.rankdata": (scipy.stats.rankdata, (A,)),
    "stats.skew": (lambda m: scipy.stats.skew(m, axis=0), (M,)),
    "stats.ttest_ind": (scipy.stats.ttest_ind, (A, B)),
}

SKLEARN: dict[str, tuple[Callable[..., Any], tuple[NumpyArray, ...]]] = {
    "KernelCenterer": (lambda m: KernelCenterer().fit_transform(m @ m.T), (M,)),
    "LabelEncoder": (LabelEncoder().fit_transform, (GROUPS + 3,)),
    "Nystroem": (fitted(Nystroem("linear", n_components=2, random_state=0), "transform"), (M,)),
    "PCA": (fitted(PCA(2, svd_solver="full"), "transform"), (M,)),
    "PCA, randomized": (
        fitted(PCA(2, svd_solver="randomized", random_state=0), "transform"),
        (M,),
    ),
    "RidgeCV": (fitted(RidgeCV(), "predict"), (M, T)),
    "metrics.accuracy_score": (metrics.accuracy_score, (GROUPS, 1 - GROUPS)),
    "metrics.confusion_matrix": (metrics.confusion_matrix, (GROUPS, 1 - GROUPS)),
    "metrics.mean_squared_error": (metrics.mean_squared_error, (T, M[:, 0])),
    "metrics.pairwise.polynomial_kernel": (metrics.pairwise.polynomial_kernel, (M,)),
}


def leaves(result: Any) -> Iterator[Any]:
    if isinstance(result, tuple | list):
        for part in result:
            yield from leaves(part)
    else:
        yield result


def outcome(call: Callable[..., Any], operands: tuple[NumpyArray, ...]) -> str:
    """Return "right", or what is wrong."""
    right = list(leaves(call(*operands)))
    try:
        found = list(leaves(call(*map(ub.asarray, operands))))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for ours, theirs in zip(found, right, strict=True):
        if not isinstance(ours, float) and ub.backend_of(ours) != "tensorflow":
            return f"a {type(ours)}"
        if not np.allclose(ub.to_numpy(ours), theirs, rtol=1e-10, atol=1e-12):
            return f"{ours} is not {theirs}"
    return "right"


def main() -> None:
    sklearn.set_config(array_api_dispatch=True)
    with ub.use("tensorflow", x64=True):
        found = {name: outcome(*call) for name, call in {**SCIPY, **SKLEARN}.items()}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
