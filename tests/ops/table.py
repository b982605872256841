"""The table: one row for each declared operation, from one file for each topic."""

from __future__ import annotations

from . import rows_arrays, rows_elementwise, rows_reductions
from .row import ROWS

TOPICS = (rows_arrays, rows_elementwise, rows_reductions)  # importing them fills the table

__all__ = ["ROWS"]
