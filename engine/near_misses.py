"""Rows that come closest to what was asked, and what each violates."""

from __future__ import annotations

from ..catalogs.catalog import Row
from .answer import NearMiss, Violation
from .case import Case
from .rows import Closest


def near_misses(case: Case, found: Closest) -> tuple[NearMiss, ...]:
    """Return the closest rows with what each violates."""
    numbers = case.rows.row_ids(found.places)
    row_ids, rows = case.catalog.row_ids(numbers), case.fetch(numbers)
    far = case.rows.far(found.places).T.tolist()
    return tuple(
        NearMiss.made(
            row_id=row_id,
            row=row,
            violation=violation,
            violates=_violations(case, distances, row),
        )
        for row_id, row, violation, distances in zip(
            row_ids, rows, found.violations.tolist(), far, strict=True
        )
    )


def _violations(case: Case, distances: list[float], row: Row) -> tuple[Violation, ...]:
    return tuple(
        Violation.made(
            position=position,
            constraint=case.query.constraints[position],
            actual=_actual(case, position, row),
            distance=distances[position],
        )
        for position in case.plan.soft
        if distances[position]
    )


def _actual(case: Case, position: int, row: Row) -> object:
    """Return what the row has where the constraint looks: a value, or several by column."""
    columns = case.plan.problem.predicates[position].columns
    if case.query.constraints[position].column is not None:
        return row[columns[0]]
    return {column: row[column] for column in columns}
