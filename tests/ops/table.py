"""The tables: rows and derivatives of each declared operation, from a file for each topic."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import unibackend as ub

from .gradients import CALLS, NONE
from .row import ROWS

EXTENSIONS = (ub.fft, ub.linalg, ub.nn, ub.special)  # importing them declares what they have

for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
    if module.name.startswith(("rows_", "gradients_")):  # importing them fills the tables
        importlib.import_module(f"{__package__}.{module.name}")

__all__ = ["CALLS", "NONE", "ROWS"]
