"""Every exception and warning that unibackend raises on purpose.

Each error also derives from the built-in that a NumPy user would expect, so that one
``except ValueError`` serves on every backend.
"""

from . import _lines

# What stands in a message until it is known which argument should be static.
STATIC = "static_argnames=..."


class UnibackendError(Exception):
    """The base of all errors raised on purpose, for code that wants to catch them together.

    Examples:
        >>> import unibackend as ub
        >>> issubclass(ub.errors.ShapeError, ub.errors.UnibackendError)
        True
    """


class SettingsError(UnibackendError, ValueError):
    """A setting is unknown, misspelt, out of range, or cannot change here and now."""


class BackendNotFoundError(UnibackendError, ImportError):
    """A backend was named that is not installed, or that nobody provides."""


class MixedBackendsError(UnibackendError, TypeError):
    """One call got arrays that belong to different backends."""


class ShapeError(UnibackendError, ValueError):
    """Shapes, axes or sizes do not fit together."""


class AxisError(ShapeError, IndexError):
    """An array has no such axis; an IndexError too, as NumPy's is."""


class DtypeError(UnibackendError, TypeError):
    """A dtype is not allowed here, or does not exist in the width in force."""


class OptionError(UnibackendError, ValueError):
    """A word given for an option is not one of those there are."""


class RangeError(UnibackendError, OverflowError):
    """A Python integer or an element does not fit the dtype that it must take."""


class BoundsError(UnibackendError, IndexError):
    """An index is beyond the ends of its axis."""


class DomainError(UnibackendError, ValueError):
    """A function is not defined for a value, as an integer to a negative power."""


class UnsupportedError(UnibackendError, NotImplementedError):
    """A backend cannot do what was asked; the message says what to do instead."""


class TracingError(UnibackendError, TypeError):
    """A concrete value was needed while a function was being compiled or mapped."""

    array: object = None  # the one whose value was asked for, where that is known


class FileFormatError(UnibackendError, ValueError):
    """A file is not one that `ub.save` wrote, or was cut or changed since."""


class NanError(UnibackendError, FloatingPointError):
    """A NaN was computed while `unibackend.debug.check_nans` looks for them."""


class DonatedError(UnibackendError, RuntimeError):
    """An array was used whose memory went to results, by `compile(donate_argnums=...)`."""


class MemoryPolicyError(UnibackendError, RuntimeError):
    """A memory policy came too late, or contradicts what the environment says."""


class OutOfMemory(UnibackendError, MemoryError):  # noqa: N818 - the design's name, as MemoryError's
    """A backend ran out of memory; the message holds the figures that are known."""


class PrecisionWarning(UserWarning):
    """Values were brought to a narrower type on their way into a backend."""


class RetraceWarning(UserWarning):
    """A compiled function was traced again and again; the message names the reason."""


class FallbackWarning(UserWarning):
    """A slower path was taken in place of the one asked for."""


def value_needed(where: str, detail: str, error: Exception | None = None) -> TracingError:
    """Return the error for a value that is asked for while a function is traced.

    Args:
        where: the function, or what asks for the value.
        detail: what is known of the array, or what the framework says.
        error: what the framework raised, in the line to name; None for the line that is running.
    """
    line = _lines.of_stack() if error is None else _lines.of_error(error)
    return TracingError(
        f"{where}: a concrete value is needed, but while a function is compiled or mapped only "
        f"shapes and dtypes are known. Use ub.where, ub.minimum, ... in place of Python's "
        f"branching; make an argument that sets a shape or a branch static: "
        f"@ub.compile({STATIC}). {detail}{line}"
    )


def no_output(where: str, x: object) -> DtypeError:
    """Return the error for what a transformed function returned that is no array or number."""
    return DtypeError(
        f"{where}: it returned {x!r:.60}, a {type(x).__name__}; a compiled or mapped function "
        f"returns arrays of its backend, numbers, None, or trees of these"
    )


def escaped(where: str) -> TracingError:
    """Return the error for a value of a trace that is used outside of it.

    Args:
        where: the function that met the value.
    """
    return TracingError(
        f"{where}: a value that exists only while a function is compiled, mapped or differentiated "
        f"was used outside of that: it has escaped through a list, an attribute, a global or a "
        f"cache, or was handed to another thread. Return it as a result of the function, and "
        f"compute with it in the thread that calls the function"
    )
