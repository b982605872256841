"""The transformations: the rules that every backend shares, one file each."""

from .compile import compile
from .vmap import vmap

__all__ = ["compile", "vmap"]
