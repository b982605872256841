"""Testing that backends agree: what a right result is, and how far one may be from it."""

from . import bounds

__all__ = ["bounds"]
