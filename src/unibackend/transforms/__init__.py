"""The transformations: the rules that every backend shares, one file each."""

from .branches import cond, switch
from .compile import compile
from .custom_vjp import custom_vjp
from .grad import grad, stop_gradient, value_and_grad, vjp
from .jacobian import hessian, jacobian
from .loops import fori_loop, map, scan, while_loop
from .vmap import vmap

__all__ = [
    "compile",
    "cond",
    "custom_vjp",
    "fori_loop",
    "grad",
    "hessian",
    "jacobian",
    "map",
    "scan",
    "stop_gradient",
    "switch",
    "value_and_grad",
    "vjp",
    "vmap",
    "while_loop",
]
