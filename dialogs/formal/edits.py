"""Edits of one constraint of a conflict: dropped, replaced, its bound moved. Z3 finds conflicts.

The candidates of the solver-style baseline that AWARE-US compares with (section 3), as its
published runs show them: a value is offered only if some row that meets everything else has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.vectors.row_set import RowSet
from ...catalogs.versions.reader import CatalogReader
from ...engine.scoring_terms import FALLING, RISING
from ...solvers.limits import Budget, Verdict
from ...solvers.problem import bind_problem
from ...solvers.registry import get_solver
from ...solvers.z3_table import Stopped, minimised_core


@dataclass(frozen=True, slots=True)
class Checked:
    """A verdict; for UNSAT the positions of one minimal conflict, ascending."""

    verdict: Verdict
    core: tuple[int, ...] = ()


def check(
    catalog: CatalogReader, query: Query, remaining: Sequence[Constraint | None], budget: Budget
) -> Checked:
    """Return whether any row meets the base and what remains; None in `remaining` is dropped.

    UNKNOWN when the budget ends first, which is never read as UNSAT.
    """
    places = [at for at, constraint in enumerate(remaining) if constraint is not None]
    constraints = [constraint for constraint in remaining if constraint is not None]
    problem = bind_problem(catalog, query.base, constraints)
    try:
        core = minimised_core(get_solver("z3").histogram(problem, budget), budget)
    except Stopped:
        return Checked(Verdict.UNKNOWN)
    if core is None:
        return Checked(Verdict.SAT)
    return Checked(Verdict.UNSAT, tuple(places[position] for position in sorted(core)))


def matching(
    catalog: CatalogReader, query: Query, remaining: Sequence[Constraint | None]
) -> list[dict[str, Any]]:
    """Return the rows that meet the base and what remains, in the catalog's order."""
    constraints = [constraint for constraint in remaining if constraint is not None]
    rows = catalog.slice([catalog.bind(constraint) for constraint in (*query.base, *constraints)])
    return catalog.fetch(rows.ids.tolist())


def recommended(
    catalog: CatalogReader, rows: Sequence[dict[str, Any]], order: Sequence[tuple[str, str]]
) -> dict[str, Any] | None:
    """Return the first row by some columns, each ("column", "asc" or "desc"); NULLs last."""
    if not rows:
        return None
    best = list(rows)
    for column, direction in reversed(order):
        name = catalog.schema.find(column).name
        down = direction == "desc"
        known = [row for row in best if row[name] is not None]
        missing = [row for row in best if row[name] is None]
        best = sorted(known, key=lambda row, name=name: row[name], reverse=down) + missing
    return best[0]


def default_order(catalog: CatalogReader) -> tuple[tuple[str, str], ...]:
    """Return the cost column, lowest first, then the columns people want much or little of."""
    cost = catalog.cost_column
    first = [(cost, "asc")] if cost else []
    others = [
        (profile.name, "desc" if profile.desirable == "high" else "asc")
        for profile in catalog.profiles()
        if profile.desirable and profile.name != cost
    ]
    return (*first, *others)


DROP_COST = 1.0
REPLACE_COST = 0.25
RANK_COST = 0.05
SHOWN = 20
"""The most edits shown at a time."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What becomes of the constraint at `position`: `to`, or nothing where it is dropped."""

    position: int
    before: Constraint
    to: Constraint | None
    cost: float

    def record(self) -> dict[str, Any]:
        """Return the edit as the published runs write it."""
        return {
            "action": "drop" if self.to is None else "replace",
            "from": _plain(self.before),
            "to": None if self.to is None else _plain(self.to),
        }


def _plain(constraint: Constraint) -> dict[str, Any]:
    record = constraint.record()
    return {key: record[key] for key in ("column", "op", "value") if key in record}


def edits(
    catalog: CatalogReader,
    query: Query,
    remaining: Sequence[Constraint | None],
    members: Iterable[int],
    *,
    limit: int = SHOWN,
) -> list[Edit]:
    """Return the cheapest edits of some constraints, at most `limit`, cheapest first.

    `remaining` holds what each position says now, None where it is dropped. Dropping costs 1.0; a
    categorical value costs 0.25 + 0.05 × its rank by frequency; a bound costs its way to the
    nearest value over the range of the base slice. Hard constraints are left out.
    """
    candidates: list[Edit] = []
    for position in sorted(members):
        now = remaining[position]
        if now is None or position in query.hard_positions:
            continue
        candidates.append(Edit(position, now, None, DROP_COST))
        others = [
            constraint
            for at, constraint in enumerate(remaining)
            if at != position and constraint is not None
        ]
        rows = catalog.slice([catalog.bind(constraint) for constraint in (*query.base, *others)])
        if len(rows):
            base = catalog.slice([catalog.bind(constraint) for constraint in query.base])
            candidates.extend(_moved(catalog, position, now, rows, base))
    # Stable: of equal costs the lower position, then the order found.
    return sorted(candidates, key=lambda edit: edit.cost)[:limit]


def _moved(
    catalog: CatalogReader, position: int, now: Constraint, rows: RowSet, base: RowSet
) -> list[Edit]:
    if now.column is None:
        return []
    column = catalog.schema.find(now.column)
    if not column.ordered:
        return _replaced(catalog, position, now, rows) if now.op == "==" else []
    if now.op not in (*RISING, *FALLING, "=="):
        return []
    numbers = catalog.numbers(column.name)
    nearest = _nearest(now, numbers, rows.ids, _number(now.value))
    if nearest is None:
        return []
    span = _range(numbers[base.ids])
    cost = abs(float(numbers[nearest]) - _number(now.value)) / span
    value = catalog.fetch([nearest])[0][column.name]
    op = {"<": "<=", ">": ">="}.get(now.op, now.op)
    return [Edit(position, now, _with(now, op, value), cost)]


def _replaced(catalog: CatalogReader, position: int, now: Constraint, rows: RowSet) -> list[Edit]:
    """Return the values that rows have instead, most frequent first, then by name."""
    values = Counter(row[now.column or ""] for row in catalog.fetch(rows.ids.tolist()))
    others = [value for value in values if value is not None and value != now.value]
    ranked = sorted(others, key=lambda value: (-values[value], str(value)))
    return [
        Edit(position, now, _with(now, "==", value), REPLACE_COST + RANK_COST * rank)
        for rank, value in enumerate(ranked)
    ]


def _nearest(now: Constraint, numbers: Any, ids: Any, bound: float) -> int | None:
    """Return the row whose value is nearest to the bound; the first of equals."""
    values = numbers[ids]
    known = np.flatnonzero(np.isfinite(values))
    if not len(known):
        return None
    return int(ids[known[np.argmin(np.abs(values[known] - bound))]])


def _range(values: Any) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.max() - finite.min()) or 1.0 if len(finite) else 1.0


def _number(value: Any) -> float:
    if isinstance(value, int | float):
        return float(value)
    return float(np.datetime64(value, "us").astype(np.int64)) / 1e6


def _with(constraint: Constraint, op: str, value: Any) -> Constraint:
    return Constraint.model_validate(constraint.record() | {"op": op, "value": value})
