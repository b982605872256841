"""Special functions on NumPy: SciPy's, which is imported when the first of them is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _results, _shapes
from .promotion import NumpyArray, binary, unary

__all__ = [
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "expit",
    "gammaln",
    "log_ndtr",
    "logit",
    "logsumexp",
    "ndtr",
    "xlogy",
]


def widened(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that computes the 16 bit floats in float32, and does not warn."""

    def call(*arrays: Any) -> Any:
        dtype = arrays[0].dtype
        wide = _results.wide(dtype)
        with np.errstate(all="ignore"):
            result = kernel(*(array.astype(wide, copy=False) for array in arrays))
            return np.asarray(result).astype(dtype, copy=False)

    return call


def _scipy(name: str) -> Callable[..., Any]:
    def kernel(*arrays: Any) -> Any:
        import scipy.special  # 0.1 s

        return getattr(scipy.special, name)(*arrays)

    return kernel


def _special(name: str, kernel: Callable[[Any], Any] | None = None) -> Callable[[Any], Any]:
    return unary(f"special.{name}", widened(kernel or _scipy(name)), fractions=True)


def logistic(x: Any) -> Any:
    """Return 1 / (1 + exp(-x)) without a sum that overflows, where SciPy's is 0 too early."""
    small = np.exp(-np.abs(x))
    return np.where(x < 0, small, 1) / (1 + small)


def _gammaln(x: Any) -> Any:
    # SciPy's own is minus infinity at minus infinity, and takes 1 / x, which overflows below the
    # normal range (seen on 1.17)
    size = np.abs(x)
    found = np.where(size < np.finfo(x.dtype).tiny, -np.log(size), _scipy("gammaln")(x))
    return np.where(np.isinf(x), np.inf, found)


digamma = _special("digamma")
erf = _special("erf")
erfc = _special("erfc")
erfinv = _special("erfinv", lambda x: np.copysign(_scipy("erfinv")(x), x))  # its -0 is 0
expit = _special("expit", logistic)
gammaln = _special("gammaln", _gammaln)
log_ndtr = _special("log_ndtr")
logit = _special("logit")
ndtr = _special("ndtr")
xlogy = binary("special.xlogy", widened(_scipy("xlogy")), fractions=True)


def logsumexp(
    x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> NumpyArray:
    array = np.asarray(x)
    _results.takes("special.logsumexp", array.dtype)
    keep = _shapes.flag("special.logsumexp", "keepdims", keepdims)
    axes = _shapes.all_axes("special.logsumexp", axis, array.ndim)

    def kernel(a: Any) -> Any:
        most = np.max(a, axes, keepdims=True, initial=-np.inf)
        most = np.where(np.isfinite(most), most, 0)
        total = np.log(np.sum(np.exp(a - most), axes, keepdims=True)) + most
        return total if keep else np.squeeze(total, axes)

    return widened(kernel)(array.astype(_results.floating(array.dtype), copy=False))  # type: ignore[no-any-return]
