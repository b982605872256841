"""Values of a trace that has ended, or that is built in another thread."""

from __future__ import annotations

from ...errors import escaped

# How it says so: of an eager op, and of a function that is called by `PartitionedCall`.
_TEXTS = ("out of scope", "'SymbolicTensor' object has no attribute")


def refuse_gone(name: str, error: Exception) -> None:
    """Raise this library's error where TensorFlow's says that a tensor is gone, else return.

    Raises:
        TracingError: a tensor of a graph was used outside of it.
    """
    if any(text in str(error) for text in _TEXTS):
        raise escaped(name) from error
