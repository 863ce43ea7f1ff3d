"""`formal-aware`: the solver-style baseline that AWARE-US compares with (section 3).

Loop: a minimal conflict, its priced edits, one of them chosen and made, until some row matches.
By design it uses no weights of the user. A round costs one unsat core, and two slices for each
constraint in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.query import Query
from ...catalogs.versions.reader import CatalogReader
from ...engine.answer import Status
from ...solvers.limits import DEFAULT_DEADLINE, Budget, Verdict
from .edits import Edit, check, default_order, edits, matching, recommended

MAX_ITERATIONS = 12


class Chooser(Protocol):
    """Picks one of the edits shown."""

    def choose(self, core: Sequence[Constraint], edits: Sequence[Edit]) -> int | None:
        """Return the place of the edit to make; None, or a place not shown, is no answer."""
        ...


class CheapestEdit:
    """Takes the edit shown first: the offline stand-in for a model."""

    def choose(self, core: Sequence[Constraint], edits: Sequence[Edit]) -> int | None:
        """See `Chooser.choose`."""
        return 0 if edits else None


@dataclass(frozen=True)
class Iteration:
    """One conflict, how many edits were listed, the one made, and how many rows then match."""

    core: tuple[Constraint, ...]
    n_edits: int
    chosen: Edit
    results_after: int

    def record(self, number: int) -> dict[str, Any]:
        """Return the iteration as the published runs write it."""
        return {
            "iter": number,
            "unsat_core": [
                {"column": constraint.column, "op": constraint.op, "value": constraint.value}
                for constraint in self.core
            ],
            "num_candidates_presented": self.n_edits,
            "chosen_repair": self.chosen.record(),
            "num_results_after": self.results_after,
        }


@dataclass(frozen=True)
class FormalRun:
    """What a baseline did: its iterations, what is left of the query, and the row it offers."""

    status: Status
    iterations: tuple[Iteration, ...]
    remaining: tuple[Constraint | None, ...]
    recommended: dict[str, Any] | None = field(default=None)

    @property
    def relaxed(self) -> Edit | None:
        """The first edit made: what the published runs report."""
        return self.iterations[0].chosen if self.iterations else None

    def record(self) -> dict[str, Any]:
        """Return the run as a JSON object, in the published shape."""
        return {
            "iterations": [iteration.record(at) for at, iteration in enumerate(self.iterations)],
            "status": self.status.value,
            "relaxed_constraint": self.relaxed.record() if self.relaxed else None,
            "recommended": self.recommended,
        }


def formal_aware(
    catalog: CatalogReader,
    query: Query,
    chooser: Chooser | None = None,
    *,
    order: Sequence[tuple[str, str]] | None = None,
    deadline: float | None = DEFAULT_DEADLINE,
) -> FormalRun:
    """Return what the baseline makes of a query.

    At most 12 iterations; an answer of the chooser that names no edit shown drops the first
    member of the conflict that may give way. `order` says what is recommended: by default the
    lowest cost, then the columns whose desirable direction is known. Raises a `QueryError` for
    a query that does not fit the catalog.
    """
    budget, pick = Budget(deadline), chooser or CheapestEdit()
    remaining: list[Constraint | None] = list(query.constraints)
    iterations: list[Iteration] = []
    checked = check(catalog, query, remaining, budget)
    while checked.verdict is Verdict.UNSAT and len(iterations) < MAX_ITERATIONS:
        core = tuple(constraint for at in checked.core if (constraint := remaining[at]) is not None)
        listed = edits(catalog, query, remaining, checked.core)
        if not listed:
            break
        chosen = _chosen(pick.choose(core, listed), listed)
        remaining[chosen.position] = chosen.to
        iterations.append(
            Iteration(core, len(listed), chosen, len(matching(catalog, query, remaining)))
        )
        checked = check(catalog, query, remaining, budget)
    return finished(catalog, query, remaining, checked.verdict, iterations, order)


def _chosen(place: int | None, listed: Sequence[Edit]) -> Edit:
    if place is not None and 0 <= place < len(listed):
        return listed[place]
    dropped = [edit for edit in listed if edit.to is None]
    # Dropping may have been too dear to be shown.
    return min(dropped, key=lambda edit: edit.position) if dropped else listed[0]


def finished(
    catalog: CatalogReader,
    query: Query,
    remaining: Sequence[Constraint | None],
    verdict: Verdict,
    iterations: Sequence[Iteration],
    order: Sequence[tuple[str, str]] | None,
) -> FormalRun:
    """Return the run of a search that ended with this verdict, with the row it recommends."""
    status = Status.SAT_AFTER_RELAXATION if iterations else Status.SAT_NO_RELAXATION
    if verdict is not Verdict.SAT:
        unsat = verdict is Verdict.UNSAT
        status = Status.UNSAT_EVEN_AFTER_RELAXATION if unsat else Status.UNKNOWN
    rows = matching(catalog, query, remaining) if verdict is Verdict.SAT else []
    best = recommended(catalog, rows, default_order(catalog) if order is None else order)
    return FormalRun(status, tuple(iterations), tuple(remaining), best)
