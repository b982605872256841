"""Arrays that are gone: values of a trace that has ended, and arrays that were donated."""

from __future__ import annotations

import jax

from ...errors import DonatedError, escaped

_GONE = (
    "has been deleted",
    "deleted or donated",
    "Invalid buffer passed to Execute()",  # where it is given for two arguments
)


def refuse_gone(name: str, error: Exception) -> None:
    """Raise this library's error where JAX's says that an array is gone, else return.

    Raises:
        TracingError: a value of a trace was used outside of it.
        DonatedError: the array was given up.
    """
    if isinstance(error, jax.errors.UnexpectedTracerError):
        raise escaped(name) from error
    text = str(error) if isinstance(error, RuntimeError | ValueError) else ""
    if "donated in the same call" in text:
        raise DonatedError(
            f"{name}: one array was given for two arguments, and one of them is donated by "
            f"donate_argnums; give a copy: ub.asarray(x, copy=True)"
        ) from error
    if any(words in text for words in _GONE):
        raise DonatedError(
            f"{name}: an array was given whose memory is gone, by donate_argnums in an earlier "
            f"call or by x.delete(); use the result of that call, or keep a copy: "
            f"ub.asarray(x, copy=True)"
        ) from error
