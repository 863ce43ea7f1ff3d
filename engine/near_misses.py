"""Rows that come closest to what was asked, and what each violates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..catalogs.catalog import Row
from ..catalogs.row_set import intersection
from .answer import NearMiss, Violation
from .case import Case
from .distances import distance
from .ranking import lowest


@dataclass(frozen=True)
class Closest:
    """Rows by weighted violation, closest first."""

    row_ids: list[int]
    violations: list[float]


def closest(case: Case, top: int) -> Closest:
    """Return the `top` rows with the least weighted violation.

    The rows considered meet the base and every hard constraint. A violation is weight ×
    distance, added up over the soft constraints; ties go to the lower cost, then the first row.
    """
    held = [case.row_sets[position] for position in sorted(case.hard)]
    ids = intersection([case.base_slice, *held], case.catalog.row_count).ids
    violation = np.zeros(len(ids))
    for position in _soft(case):
        violation += case.query.constraints[position].importance * distance(case, position, ids)
    order = lowest(case, ids, violation, top)
    return Closest([int(one) for one in ids[order]], [float(one) for one in violation[order]])


def near_misses(case: Case, found: Closest) -> tuple[NearMiss, ...]:
    """Return the closest rows with what each violates."""
    rows = case.fetch(found.row_ids)
    return tuple(
        NearMiss(
            row_id=row_id,
            row=row,
            violation=violation,
            violates=_violations(case, row_id, row),
        )
        for row_id, row, violation in zip(found.row_ids, rows, found.violations, strict=True)
    )


def _soft(case: Case) -> list[int]:
    return [position for position in range(case.width) if position not in case.hard]


def _violations(case: Case, row_id: int, row: Row) -> tuple[Violation, ...]:
    ids = np.array([row_id], dtype=np.uint32)
    violated = [i for i in _soft(case) if row_id not in case.row_sets[i].bitmap]
    return tuple(
        Violation(
            position=position,
            constraint=case.query.constraints[position],
            actual=_actual(case, position, row),
            distance=float(distance(case, position, ids)[0]),
        )
        for position in violated
    )


def _actual(case: Case, position: int, row: Row) -> object:
    """Return what the row has where the constraint looks: a value, or several by column."""
    columns = case.problem.predicates[position].columns
    if case.query.constraints[position].column is not None:
        return row[columns[0]]
    return {column: row[column] for column in columns}
