"""What `unibackend demo` does: one neutral program on every backend, held against float64.

The program is `examples/digits.py`. Its reference is computed here with plain NumPy in float64, and
so is the bound that its float32 scores must meet: it comes from the data by floating-point
analysis, not from a tolerance that happened to pass.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

import unibackend as ub

from . import backends
from .errors import BackendNotFoundError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Float64: TypeAlias = "NDArray[np.float64]"

KNOWN = 1297  # images whose digit is known; the other 500 are to be recognised
REPEATS = 5
EXP_ULPS = 4  # units in the last place that exp may be off; a test measures every backend's


@dataclass(frozen=True)
class Verdict:
    """How far scores are from the reference, and whether that is within the bound.

    Attributes:
        difference: The largest absolute difference.
        bound: What that difference had to stay under, at its place.
        used: The largest share of its bound that any score took; above 1 is a failure.
        reason: Why the scores fail, empty if they pass.
    """

    difference: float
    bound: float
    used: float
    reason: str = ""


@dataclass(frozen=True)
class Row:
    """The result of one backend; a reason means that it failed."""

    backend: str
    accuracy: float = np.nan
    eager_seconds: float = np.nan
    compiled_seconds: float = np.nan
    difference: float = np.nan
    bound: float = np.nan
    used: float = np.nan
    reason: str = ""


@dataclass(frozen=True)
class Data:
    """The images to recognise, the known ones with their digits, and the right answers."""

    unknown: NDArray[np.float32]
    known: NDArray[np.float32]
    digits: NDArray[np.int64]
    answers: NDArray[np.int64]


@dataclass(frozen=True)
class Task:
    """The program, its data, and the scores that it should get, give or take the bound."""

    program: ModuleType
    data: Data
    expected: Float64
    bound: Float64


def prepare() -> Task:
    """Load the program and its images, and compute the reference.

    Raises:
        BackendNotFoundError: neither JAX nor TensorFlow is installed.
        ModuleNotFoundError: scikit-learn, which brings the images, is not installed.
        SettingsError: the environment or the file says something that is not allowed.
    """
    ub.settings()
    if set(installed()) <= {"numpy"}:
        raise BackendNotFoundError(
            "neither JAX nor TensorFlow is installed, so there is nothing to compare; "
            "install them with: pip install 'unibackend[all-cpu]'"
        )
    if importlib.util.find_spec("sklearn") is None:
        raise ModuleNotFoundError(
            "the images come with scikit-learn, which is not installed; "
            "install it with: pip install 'unibackend[demo]'"
        )
    program = load_program()
    data = load_data(program)
    return Task(program, data, *reference(data, program.SHARPNESS))


def installed() -> list[str]:
    """Return the names of the backends that can run here."""
    return [name for name in backends.names() if backends.is_installed(name)]


def load_program() -> ModuleType:
    """Return examples/digits.py: the copy in the wheel, or the checkout's."""
    package = Path(__file__).parent
    places = [package / "examples" / "digits.py", package.parents[1] / "examples" / "digits.py"]
    path = next(place for place in places if place.is_file())
    spec = importlib.util.spec_from_file_location("unibackend_digits", path)
    assert spec is not None
    assert spec.loader is not None
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


def load_data(program: ModuleType) -> Data:
    """Return the program's images, parted into known ones and ones to recognise."""
    images, digits = program.load()
    return Data(images[KNOWN:], images[:KNOWN], digits[:KNOWN], digits[KNOWN:])


def reference(data: Data, sharpness: float) -> tuple[Float64, Float64]:
    """Return the scores in float64, and how far float32 scores may be from them.

    With unit roundoff u = 2^-24 and Higham's gamma(n) = n u / (1 - n u), for every backend, in
    whatever order it sums and whether or not it fuses multiplication and addition:

    1. *Similarity* ``l = s * (x . q)`` of m pixels: the sum is off by at most ``gamma(m) |x|.|q|``,
       the multiplication by s adds one rounding: ``|dl| <= gamma(m + 1) s |x|.|q|``.
    2. *Exponent* ``l - max``: whichever number is subtracted cancels in the quotient of step 4, so
       only its rounding counts: ``E = |dl| + u (|l - max l| + 2 max |dl|)``.
    3. *Weight* ``w = exp(l - max)``: ``E`` becomes a relative error, to which exp adds its own:
       ``r = e^E (1 + 2 u EXP_ULPS) - 1``. What is under 2^-126 may be flushed to zero: of n
       weights, a sum and a quotient that is less than ``(n + 2) 2^-126``, the largest weight
       being 1.
    4. *Score* ``p = sum(w y) / sum(w)`` with y 0 or 1: where each w is off by ``w a``, and
       ``|a| <= r``, p is off by exactly ``sum(w a (y - p)) / sum(w (1 + a))``, which is at most
       ``sum(w r |y - p|) / (sum(w) (1 - max r))``. The two sums of n terms and the division
       multiply the score by at most ``(1 + gamma(n)) / (1 - gamma(n)) (1 + u)``.

    Args:
        data: The images, exact in both precisions.
        sharpness: The program's factor s, a power of two or any other float32 number.

    Returns:
        Scores and bounds, each with one row per image to recognise and ten columns.
    """
    unknown, known = data.unknown.astype(np.float64), data.known.astype(np.float64)
    n, pixels = known.shape
    votes = np.eye(10)[data.digits]

    logits = sharpness * (unknown @ known.T)
    distance = logits.max(axis=1, keepdims=True) - logits
    weights = np.exp(-distance)
    total = weights.sum(axis=1, keepdims=True)
    scores = (weights @ votes) / total

    unit = 2.0**-24
    logit_error = _gamma(pixels + 1, unit) * sharpness * (np.abs(unknown) @ np.abs(known).T)
    largest = logit_error.max(axis=1, keepdims=True)
    exponent_error = logit_error + unit * (distance + 2 * largest)
    weight_error = np.exp(exponent_error) * (1 + 2 * unit * EXP_ULPS) - 1

    # sum(w r |y - p|), for y = 1 and for y = 0
    doubtful = weights * weight_error
    voting = doubtful @ votes
    others = doubtful.sum(axis=1, keepdims=True) - voting
    spread = voting * (1 - scores) + others * scores
    from_weights = spread / (total * (1 - weight_error.max(axis=1, keepdims=True)))
    from_flushing = (n + 2) * 2.0**-126

    sums = _gamma(n, unit)
    growth = (1 + sums) / (1 - sums) * (1 + unit)
    bound = (scores + from_weights + from_flushing) * growth - scores
    return scores, bound


def _gamma(terms: int, unit: float) -> float:
    return terms * unit / (1 - terms * unit)


def check(scores: NDArray[Any], expected: Float64, bound: Float64) -> Verdict:
    """Hold the scores of a backend against the reference, each within its own bound.

    Args:
        scores: What the backend computed, as a NumPy array.
        expected: The reference of the same shape.
        bound: The largest difference allowed, element by element.

    Returns:
        The verdict; its reason is empty when every score is within its bound.

    Examples:
        >>> expected, bound = np.array([[0.25, 0.75]]), np.array([[1e-6, 1e-6]])
        >>> check(np.array([[0.25, 0.75]], dtype="float32"), expected, bound).reason
        ''
        >>> check(np.array([[0.26, 0.74]], dtype="float32"), expected, bound).reason
        'scores differ from the reference by more than rounding explains'
    """
    if scores.dtype != np.float32 or scores.shape != expected.shape:
        reason = f"scores are {scores.dtype}{scores.shape}, not float32{expected.shape}"
        return Verdict(np.inf, 0.0, np.inf, reason)
    if not np.isfinite(scores).all():
        return Verdict(np.inf, 0.0, np.inf, "scores are not finite")
    differences = np.abs(scores.astype(np.float64) - expected)
    place = np.unravel_index(differences.argmax(), differences.shape)
    used = float((differences / bound).max())
    reason = "" if used <= 1 else "scores differ from the reference by more than rounding explains"
    return Verdict(float(differences[place]), float(bound[place]), used, reason)


def measure(backend: str, task: Task) -> Row:
    """Run the program on one backend, eager and compiled, and hold its scores against the bound.

    It runs in a 32 bit world with products in full precision, whatever the settings say.

    Args:
        backend: The name of an installed backend.
        task: What `prepare` returned.

    Returns:
        The row of the table; whatever goes wrong in the backend is its reason.
    """
    try:
        return _measure(backend, task)
    except Exception as error:  # a backend that breaks has failed, and the others still count
        return Row(backend, reason=f"{type(error).__name__}: {error}")


def _measure(backend: str, task: Task) -> Row:
    data, classify = task.data, task.program.classify
    with ub.use(backend, x64=False, default_float="auto", matmul_precision="highest", compile=True):
        arguments = [ub.asarray(part) for part in (data.unknown, data.known, data.digits)]
        eager, eager_seconds = _timed(classify, arguments)
        compiled, compiled_seconds = _timed(ub.compile(classify), arguments)
    verdicts = [check(scores, task.expected, task.bound) for scores in (eager, compiled)]
    worst = max(verdicts, key=lambda verdict: verdict.used)
    return Row(
        backend,
        _accuracy(compiled, data.answers),
        eager_seconds,
        compiled_seconds,
        worst.difference,
        worst.bound,
        worst.used,
        worst.reason,
    )


def _accuracy(scores: NDArray[Any], answers: NDArray[np.int64]) -> float:
    guesses = scores.argmax(axis=-1)
    return float(np.mean(guesses == answers)) if guesses.shape == answers.shape else np.nan


def _timed(function: Callable[..., Any], arguments: list[Any]) -> tuple[NDArray[Any], float]:
    """Return the result as a NumPy array, and the shortest of a few calls after the first."""
    result = ub.block_until_ready(function(*arguments))
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        ub.block_until_ready(function(*arguments))
        seconds.append(time.perf_counter() - start)
    return ub.to_numpy(result), min(seconds)
