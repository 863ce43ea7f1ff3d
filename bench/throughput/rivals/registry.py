"""The registry of rivals that take part in the diagnosis section."""

from __future__ import annotations

from collections.abc import Callable

from ..comparison import Method
from ..data import Question
from . import duckdb_histogram, ours, subset_tree, z3_rows

Rival = Callable[[Question, float], Method]
"""Makes a method for a question; what would take more than so many seconds is skipped."""

WARM: list[Rival] = [
    lambda question, _: ours.histogram_only(question),
    lambda question, _: duckdb_histogram.stored_mask(question),
    lambda question, _: duckdb_histogram.computed_mask(question),
    duckdb_histogram.one_count_a_subset,
    subset_tree.pyroaring_sets,
    subset_tree.python_ints,
    z3_rows.rows_in_z3,
]
"""Rivals once each predicate's rows are known."""

COLD: list[Rival] = [
    lambda question, _: duckdb_histogram.computed_mask(question),
    subset_tree.python_ints_from_columns,
]
"""Rivals that evaluate the predicates themselves."""
