"""Special functions on TensorFlow: its ops, and JAX's meaning or digits where they lack them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from ... import _results, _shapes
from . import _kernels as k
from ._broadcast import apply
from ._derivatives import derived
from ._kernels import cast, raw, scalar, select
from ._sizes import ints, rank_of
from .array import NUMPY_DTYPES, TF_DTYPES, Array
from .promotion import binary, to_array, unary

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


def widened(function: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel for the dtypes that a function takes.

    Integers become the default float, and 16 bit floats are computed in float32.
    """

    def call(*tensors: Any) -> Any:
        given = NUMPY_DTYPES[tensors[0].dtype]
        _results.takes(function, given)
        result = _results.floating(given)
        working = TF_DTYPES[_results.wide(result)]
        return cast(kernel(*(cast(tensor, working) for tensor in tensors)), TF_DTYPES[result])

    return call


def _special(name: str, kernel: Callable[[Any], Any]) -> Callable[[Any], Array]:
    return unary(f"special.{name}", widened(f"special.{name}", kernel))


def derived_at_any_rank(
    function: str, kernel: Callable[..., Any], derivative: Callable[..., Any]
) -> Any:
    """Return a kernel that selects, and so does its derivative, at any rank."""

    def with_any_rank(*tensors: Any) -> Any:
        return apply(function, kernel, *tensors)

    return derived(with_any_rank, derivative)


_SLOPE = 2 / math.sqrt(math.pi)  # of erf at 0


def _bell(x: Any) -> Any:
    """Return the derivative of erf."""
    return _SLOPE * raw.Exp(x=raw.Neg(x=raw.Square(x=x)))


def _beyond_6(x: Any) -> Any:
    # TensorFlow's own squares large numbers, and infinity over infinity is NaN (seen on 2.21)
    far = raw.Greater(x=raw.Abs(x=x), y=scalar(6, x.dtype))  # where it rounds to 1
    return select(far, raw.Sign(x=x), raw.Erf(x=x))


_erf = derived_at_any_rank("special.erf", _beyond_6, lambda ct, x: (ct * _bell(x),))


def _erfc(x: Any) -> Any:
    return raw.Erfc(x=x)


def _at_0(x: Any) -> Any:
    # TensorFlow's own is NaN there (seen on 2.21), where the function goes to infinity
    pole = raw.Equal(x=x, y=scalar(0, x.dtype))
    return select(pole, -1 / x, raw.Digamma(x=x))


_digamma = derived_at_any_rank(
    "special.digamma",
    _at_0,
    lambda ct, x: (ct * raw.Polygamma(a=raw.OnesLike(x=x), x=x),),
)


def _log_gamma(x: Any) -> Any:
    # TensorFlow's own takes all that is below the normal range for one number (seen on 2.21); it
    # counts as zero here, as it does with XLA
    below = raw.Less(x=raw.Abs(x=x), y=scalar(_tiny(x.dtype), x.dtype))
    return select(below, scalar(math.inf, x.dtype), raw.Lgamma(x=x))


def _tiny(dtype: Any) -> float:
    return 2.0 ** (-1022 if dtype is tf.float64 else -126)


_gammaln = derived_at_any_rank(
    "special.gammaln", _log_gamma, lambda ct, x: (ct * raw.Digamma(x=x),)
)


def _inverse(x: Any) -> Any:
    """Return the quantile of the normal distribution after a step of Halley's method.

    TensorFlow's own adds 1 to x first, which loses the digits of small ones, and XLA takes the
    logarithm of 1 - x * x, which loses those of large ones (seen on 2.21).
    """
    size = raw.Abs(x=x)
    left = 1 - size
    guess = -math.sqrt(0.5) * raw.Ndtri(x=left / 2)
    low = raw.Less(x=size, y=scalar(0.5, x.dtype))
    missing = select(low, raw.Erf(x=guess) - size, left - raw.Erfc(x=guess))
    step = missing / _bell(guess)
    better = guess - step / (1 + guess * step)
    found = select(raw.Equal(x=left, y=scalar(0, x.dtype)), guess, better)
    return select(raw.Less(x=x, y=scalar(0, x.dtype)), -found, found * raw.OnesLike(x=x))


_erfinv: Any = derived_at_any_rank(
    "special.erfinv", _inverse, lambda ct, x: (ct / _bell(_erfinv(x)),)
)


def _normal(x: Any) -> Any:
    return raw.Erfc(x=-math.sqrt(0.5) * x) / 2


# The first term left out is 21!! / 20**22 = 3e-17 of the sum, and 21!! / 10**22 = 1e-12.
_TERMS = 11


def _tail(x: Any) -> Any:
    """Return ndtr(x) * -x / phi(x) for x far below 0, by its asymptotic series.

    M. Abramowitz and I. A. Stegun, Handbook of mathematical functions, 26.2.12.
    """
    square, total = raw.Square(x=x), raw.OnesLike(x=x)
    for odd in range(2 * _TERMS - 1, 0, -2):
        total = 1 - odd / square * total
    return total


def _cut(x: Any) -> Any:
    return scalar(-20 if x.dtype is tf.float64 else -10, x.dtype)


def _log_normal(x: Any) -> Any:
    """Return log(ndtr(x)) by the form that keeps its digits."""
    low = -x * x / 2 - raw.Log(x=-math.sqrt(2 * math.pi) * x) + raw.Log(x=_tail(x))
    near = raw.Log(x=_normal(x))
    high = raw.Log1p(x=-_normal(-x))
    below = raw.Less(x=x, y=scalar(-1, x.dtype))
    return select(raw.Less(x=x, y=_cut(x)), low, select(below, near, high))


def _log_normal_slope(x: Any) -> Any:
    far = raw.Less(x=x, y=_cut(x))
    safe = select(far, _cut(x), x)
    near = raw.Exp(x=-safe * safe / 2 - math.log(2 * math.pi) / 2 - _log_ndtr(safe))
    return select(far, -x / _tail(x), near)


_log_ndtr = derived_at_any_rank(
    "special.log_ndtr",
    _log_normal,
    lambda ct, x: (ct * apply("special.log_ndtr", _log_normal_slope, x),),
)


def _log_odds(x: Any) -> Any:
    """Return log(x / (1 - x)), with the digits of results near 0."""
    left = 1 - x
    low = raw.Less(x=x, y=scalar(0.25, x.dtype))
    return select(low, raw.Log(x=x / left), raw.Log1p(x=(2 * x - 1) / left))


_logit = derived_at_any_rank("special.logit", _log_odds, lambda ct, x: (ct / (x * (1 - x)),))


def _times_log(x: Any, y: Any) -> Any:
    """Return x * log(y), 0 where x is; TensorFlow's own is so for NaN too."""
    zero = scalar(0, x.dtype)
    nothing = raw.LogicalAnd(x=raw.Equal(x=x, y=zero), y=raw.Equal(x=y, y=y))
    return select(nothing, zero, x * raw.Log(x=y))


_xlogy = derived(
    _times_log, lambda ct, x, y: (ct * raw.Log(x=y), ct * raw.RealDiv(x=x, y=y))
)  # JAX's: infinite by x where y is 0

digamma = _special("digamma", _digamma)
erf = _special("erf", _erf)
erfc = _special("erfc", _erfc)
erfinv = _special("erfinv", _erfinv)
expit = _special("expit", lambda x: raw.Sigmoid(x=x))
gammaln = _special("gammaln", _gammaln)
log_ndtr = _special("log_ndtr", _log_ndtr)
logit = _special("logit", _logit)
ndtr = _special("ndtr", _normal)
xlogy = binary("special.xlogy", widened("special.xlogy", _xlogy), select=True)


def largest_along(function: str, tensor: Any, axes: Any) -> Any:
    """Return the largest elements along axes, which stay; NaN where there is one."""
    most = raw.Max(input=tensor, axis=axes, keep_dims=True)
    if type(most) is not k.EagerTensor:  # XLA drops NaN on the CPU
        nan = raw.Any(input=k.is_nan(tensor), axis=axes, keep_dims=True)
        most = apply(function, select, nan, scalar(k.NAN, tensor.dtype), most)
    return raw.StopGradient(input=most)


def logsumexp(
    x: Any, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Array:
    tensor = to_array("special.logsumexp", x)
    _results.takes("special.logsumexp", NUMPY_DTYPES[tensor.dtype])
    keep = _shapes.flag("special.logsumexp", "keepdims", keepdims)
    axes = ints(_shapes.all_axes("special.logsumexp", axis, rank_of(tensor, "special.logsumexp")))

    def kernel(tensor: Any) -> Any:
        most = largest_along("special.logsumexp", tensor, axes)
        zero = scalar(0, tensor.dtype)
        most = apply("special.logsumexp", select, raw.IsFinite(x=most), most, zero)
        powers = raw.Exp(x=apply("special.logsumexp", _minus, tensor, most))
        total = raw.Log(x=raw.Sum(input=powers, axis=axes, keep_dims=keep))
        if not keep:  # each is along axes of length 1
            most = raw.Sum(input=most, axis=axes, keep_dims=False)
        return raw.AddV2(x=total, y=most)

    return Array(widened("special.logsumexp", kernel)(tensor))


def _minus(x: Any, y: Any) -> Any:
    return raw.Sub(x=x, y=y)
