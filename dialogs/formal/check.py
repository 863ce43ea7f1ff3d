"""Satisfiability of what is left of a query, by Z3: a verdict and a minimised unsat core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
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
