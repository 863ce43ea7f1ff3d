"""Facets: how many of some rows have each value of a column, the most frequent first.

Counted in memory where the column is there, a pass over its codes; else by DuckDB. Exact always.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..catalogs.json_values import plain
from ..catalogs.query.constraint import Constraint
from ..catalogs.query.predicate import quoted
from ..catalogs.query.schema import Column
from ..catalogs.vectors.column_vectors import NumberCopy, TextCopy, shown_values
from ..catalogs.vectors.row_numbering import LongIds
from ..catalogs.vectors.row_set import intersection
from ..catalogs.versions.snapshot import Snapshot
from .answer import Answer, MovedConstraint

MOST_VALUES = 100
WANTED = "concede_wanted"
"""The relation of the rows counted, in SQL."""

Counts = list[tuple[Any, int]]
"""Values and how many rows have them."""


def repaired_constraints(answer: Answer) -> list[Constraint]:
    """Return what the items of an answer meet: what is hard, what was kept, bounds as moved."""
    moved = [each.to for each in answer.relaxed if isinstance(each, MovedConstraint)]
    return [*answer.hard, *answer.kept, *moved]


def facet_counts(
    catalog: Snapshot, constraints: Iterable[Constraint], columns: Iterable[str]
) -> dict[str, Counts]:
    """Return for each column the most frequent values among the rows that meet constraints.

    At most 100 a column, of equals the least first; of a column of lists the values in them.
    Raises `UnknownColumn`.
    """
    known = [catalog.schema.find(name) for name in columns]
    sets = [catalog.rows(catalog.bind(constraint)) for constraint in constraints]
    rows = intersection(sets, catalog.universe) if sets else catalog.numbering.rows
    numbers = rows.ids.astype(np.int64)
    return {column.name: _counts(catalog, column, numbers) for column in known}


def _counts(catalog: Snapshot, column: Column, numbers: LongIds) -> Counts:
    if not len(numbers):
        return []
    copy = catalog.vectors.held(column.name)
    if isinstance(copy, TextCopy):
        counts = np.bincount(copy.codes[numbers], minlength=copy.null + 1)[: copy.null]
        present = np.flatnonzero(counts)
        listed = [(copy.values[code], int(counts[code])) for code in present.tolist()]
        return sorted(listed, key=lambda pair: (-pair[1], pair[0]))[:MOST_VALUES]
    if isinstance(copy, NumberCopy) and copy.exact:
        return _counted_numbers(column, copy, numbers)
    return _counted_in_duckdb(catalog, column, numbers)


def _counted_numbers(column: Column, copy: NumberCopy, numbers: LongIds) -> Counts:
    values = copy.at(numbers)
    told = np.flatnonzero(~np.isnan(values))
    # The two zeros are equal.
    distinct, first, counts = np.unique(values[told] + 0.0, return_index=True, return_counts=True)
    order = np.lexsort((distinct, -counts))[:MOST_VALUES]
    shown = shown_values(column, copy, numbers[told[first[order]]])
    return list(zip(shown, counts[order].tolist(), strict=True))


def _counted_in_duckdb(catalog: Snapshot, column: Column, numbers: LongIds) -> Counts:
    name = f"o.{quoted(column.name)}"
    value = f"unnest(list_distinct({name}))" if column.family == "list" else name
    source, cursor = f"{catalog.rows_clause} AS o", catalog.cursor()
    is_whole = len(numbers) == catalog.row_count
    if not is_whole:
        # This thread's own cursor, which is interrupted at the deadline.
        cursor.register(WANTED, {"i": catalog.numbering.row_ids(numbers)})
        source += f" JOIN {WANTED} AS w ON w.i = o.{catalog.table.row_id}"
    try:
        found = cursor.execute(
            f"SELECT v, count(*) FROM (SELECT {value} AS v FROM {source}) "
            f"WHERE v IS NOT NULL GROUP BY v ORDER BY 2 DESC, 1 LIMIT {MOST_VALUES}"
        ).fetchall()
    finally:
        if not is_whole:
            cursor.unregister(WANTED)
    return [(plain(each), int(count)) for each, count in found]
