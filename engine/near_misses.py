"""Rows that come closest to what was asked, and what each violates."""

from __future__ import annotations

from collections.abc import Mapping

from ..catalogs.catalog import Row
from .answer import NearMiss, Violation
from .case import Case
from .rows import Closest
from .shown import Shown


def near_misses(case: Case, found: Closest, rows: Mapping[int, Shown]) -> tuple[NearMiss, ...]:
    """Return the closest rows with what each violates."""
    return tuple(
        [
            NearMiss(
                row_id=rows[place].row_id,
                row=rows[place].row,
                violation=violation,
                violates=_violations(case, rows[place]),
            )
            for place, violation in zip(
                found.places.tolist(), found.violations.tolist(), strict=True
            )
        ]
    )


def _violations(case: Case, shown: Shown) -> tuple[Violation, ...]:
    return tuple(
        [
            Violation(
                position=position,
                constraint=case.query.constraints[position],
                actual=_actual(case, position, shown.row),
                distance=shown.far[position],
            )
            for position in case.plan.soft
            if shown.far[position]
        ]
    )


def _actual(case: Case, position: int, row: Row) -> object:
    """Return what the row has where the constraint looks: a value, or several by column."""
    columns = case.plan.problem.predicates[position].columns
    if case.query.constraints[position].column is not None:
        return row[columns[0]]
    return {column: row[column] for column in columns}
