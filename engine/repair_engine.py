"""The engine: bind → mask → diagnose → relax → rank → explain."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..catalogs.catalog import Catalog
from ..catalogs.errors import QueryError
from ..catalogs.query import Query
from ..solvers.limits import DEFAULT_DEADLINE, DEFAULT_MAX_SETS, Budget, StoppedBy, Verdict
from ..solvers.problem import bind_problem
from ..solvers.registry import DEFAULT_SOLVER, get_solver
from ..solvers.solver import Solver
from .alternatives import Drop, alternatives, dropping, relaxed_constraints, shifting
from .answer import Answer, Repair, Status
from .case import Case
from .diagnosis import Check, Diagnosis, diagnose
from .explanation import explain_dead_end, explain_empty_base, explain_relaxation
from .near_misses import Closest, closest, near_misses
from .policies import DEFAULT_POLICY, Choice, get_policy
from .ranking import Ranked, items, rank
from .shifts import Shift, shifts

DEFAULT_TOP = 5
SHOWN_CONFLICTS = 1_000
"""The most conflicts and repairs a repair's diagnosis lists; `diagnose` has its own limit."""


@dataclass(frozen=True)
class Found:
    """What the search has found, rows by their ids: everything but the words."""

    case: Case
    diagnosis: Diagnosis
    choice: Choice
    drops: list[Drop]
    shifts: list[Shift]
    ranked: Ranked
    closest: Closest
    stopped_by: StoppedBy | None

    @property
    def status(self) -> Status:
        """How the query ended."""
        return _status(self.diagnosis, self.choice)

    @property
    def dropped(self) -> frozenset[int]:
        """The positions relaxed; none without an answer."""
        answered = self.status is Status.SAT_AFTER_RELAXATION
        return self.choice.dropped or frozenset() if answered else frozenset()

    @property
    def row_ids(self) -> list[int]:
        """Every row the answer will show."""
        witnesses = [one.witness for one in (*self.drops, *self.shifts)]
        return [*witnesses, *self.ranked.row_ids, *self.closest.row_ids]


def _status(diagnosis: Diagnosis, choice: Choice) -> Status:
    if diagnosis.verdict is Verdict.SAT:
        return Status.SAT_NO_RELAXATION
    stopped = diagnosis.verdict is Verdict.UNKNOWN or choice.stopped_by is not None
    if choice.dropped is None or diagnosis.verdict is Verdict.UNKNOWN:
        return Status.UNKNOWN if stopped else Status.UNSAT_EVEN_AFTER_RELAXATION
    return Status.SAT_AFTER_RELAXATION


class RepairEngine:
    """Answers queries over one catalog; safe across threads.

    `solver` is the default solver's name: `bitset`, `sql`, `z3`, `brute` or a registered one.
    """

    def __init__(self, catalog: Catalog, *, solver: str = DEFAULT_SOLVER) -> None:
        get_solver(solver)
        self.catalog = catalog
        self.solver = solver

    def check(
        self, query: Query, *, solver: str | None = None, deadline: float | None = DEFAULT_DEADLINE
    ) -> Check:
        """Return whether any row satisfies the query, and how many do.

        Raises a `QueryError` for a query that does not fit the catalog.
        """
        case = self._case(query, solver, Budget(deadline))
        count = case.histogram.count_mask(case.histogram.full)
        return Check(case.histogram.verdict, count, case.histogram.stopped_by)

    def diagnose(
        self,
        query: Query,
        *,
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
        limit: int = DEFAULT_MAX_SETS,
    ) -> Diagnosis:
        """Return all conflicts, repairs and maximal subsets, and the count of any subset.

        Ends after `deadline` seconds or `limit` sets with `complete=False`. Raises a
        `QueryError` for a query that does not fit the catalog.
        """
        return diagnose(self._case(query, solver, Budget(deadline, limit)))

    def repair(
        self,
        query: Query,
        *,
        policy: str = DEFAULT_POLICY,
        top: int = DEFAULT_TOP,
        order: str = "cost",
        priority: Sequence[str] = (),
        solver: str | None = None,
        deadline: float | None = DEFAULT_DEADLINE,
    ) -> Answer:
        """Return what gives way and what to offer instead.

        `policy` is how what gives way is chosen (`engine.policies`; `priority` names the
        columns for the policy of that name); `top` bounds alternatives, shifts, items and near
        misses each; `order` is `"cost"` or `"diverse"`. Ends after `deadline` seconds with
        what it has. Raises a `QueryError` for a query that does not fit the catalog.
        """
        started = time.perf_counter()
        if top < 1:
            raise QueryError(f"top is {top}", way_out="ask for at least 1")
        choose = get_policy(policy)
        case = self._case(query, solver, Budget(deadline, SHOWN_CONFLICTS))
        diagnosis = diagnose(case)
        choice = Choice(frozenset())
        if diagnosis.verdict is not Verdict.SAT:
            choice = choose(case, priority)
        found = _search(case, diagnosis, choice, top, order)
        # One read for every row shown, instead of one for each repair, item and near miss.
        case.fetch(found.row_ids)
        answer = _answer(found, policy)
        return answer.model_copy(update={"elapsed_ms": (time.perf_counter() - started) * 1e3})

    def _case(self, query: Query, solver: str | None, budget: Budget) -> Case:
        chosen = get_solver(solver or self.solver)
        _check_width(query, chosen)
        problem = bind_problem(self.catalog, query.base, query.constraints)
        for objective in query.objectives:
            self.catalog.schema.find(objective.column)
        return Case(query, problem, chosen, budget, chosen.histogram(problem, budget))


def _check_width(query: Query, solver: Solver) -> None:
    if len(query.constraints) > solver.max_constraints:
        raise QueryError(
            f"{len(query.constraints)} constraints, and solver {solver.name} takes at most "
            f"{solver.max_constraints}",
            way_out=f"use solver {DEFAULT_SOLVER}",
        )


def _search(case: Case, diagnosis: Diagnosis, choice: Choice, top: int, order: str) -> Found:
    """Return the alternatives and shifts beside the policy's choice, and the rows to offer."""
    status = _status(diagnosis, choice)
    drops: list[Drop] = []
    moves: list[Shift] = []
    stopped_by = diagnosis.stopped_by or choice.stopped_by
    if status is not Status.SAT_NO_RELAXATION:
        listed, search = alternatives(case, top, order)
        if choice.dropped is not None:
            listed = [choice.dropped, *(one for one in listed if one != choice.dropped)][:top]
        drops = [Drop(dropped, case.rows_without(dropped)) for dropped in listed]
        moves = shifts(case, listed, top) if case.histogram.complete else []
        stopped_by = stopped_by or search.stopped_by
    candidates = case.no_rows
    if status is Status.SAT_NO_RELAXATION:
        candidates = case.rows_without(frozenset())
    elif status is Status.SAT_AFTER_RELAXATION:
        candidates = drops[0].rows
    near = Closest([], [])
    if diagnosis.verdict is Verdict.UNSAT:
        near = closest(case, top)
    ranked = rank(case, candidates, top)
    return Found(case, diagnosis, choice, drops, moves, ranked, near, stopped_by)


def _answer(found: Found, policy: str) -> Answer:
    case, diagnosis, dropped = found.case, found.diagnosis, found.dropped
    repairs = tuple(dropping(case, one) for one in found.drops)
    moves = tuple(shifting(case, one) for one in found.shifts)
    everything = range(case.width)
    proven = found.status is Status.SAT_NO_RELAXATION and diagnosis.histogram.complete
    return Answer(
        status=found.status,
        policy=policy,
        solver=case.solver.name,
        count=len(found.ranked.ids),
        constraints=case.query.constraints,
        conflicts=diagnosis.conflicts,
        base_conflicts=diagnosis.base_conflicts,
        drop_one_counts=diagnosis.drop_one_counts,
        relaxed=relaxed_constraints(case, dropped),
        kept=relaxed_constraints(case, set(everything) - dropped),
        hard=(*case.query.base, *relaxed_constraints(case, case.hard)),
        repairs=repairs,
        shifts=moves,
        items=items(case, found.ranked),
        near_misses=near_misses(case, found.closest),
        sql=case.catalog.select_text(case.predicates_without(dropped)),
        explanation=_explain(found, policy, repairs, moves),
        complete=found.stopped_by is None,
        proven_minimal=proven or (bool(dropped) and repairs[0].minimal),
        stopped_by=found.stopped_by,
        catalog_version=case.catalog.version,
    )


def _explain(found: Found, policy: str, repairs: Sequence[Repair], moves: Sequence[Repair]) -> str:
    query, diagnosis = found.case.query, found.diagnosis
    if found.status in (Status.SAT_NO_RELAXATION, Status.UNKNOWN):
        so_far = f" So far: {repairs[0].explanation}." if repairs else ""
        return diagnosis.explanation + so_far
    if not diagnosis.base_rows:
        return explain_empty_base(query, diagnosis.base_conflicts)
    if found.status is Status.UNSAT_EVEN_AFTER_RELAXATION:
        return explain_dead_end(query, diagnosis.conflicts, policy, repairs)
    nearest = next((one for one in moves if not one.dropped), None)
    return explain_relaxation(query, diagnosis.conflicts, repairs[0], nearest)
