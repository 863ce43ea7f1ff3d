"""Diagnose: why nothing matches. Conflicts, repairs, and the count behind every subset.

Costs what the solver's search costs over the mask histogram, and counts that are not there yet one
pass over the words of the rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.deadline import DeadlinePassed
from ..catalogs.query.constraint import words
from ..catalogs.query.query import Query
from ..solvers.histogram import MaskHistogram
from ..solvers.limits import Budget, StoppedBy, Verdict
from ..solvers.masks import Sets, in_order, mask_of
from ..solvers.minimal_sets import MinimalSets
from ..solvers.one_conflict import first_conflict, shrunk_over_words
from ..solvers.registry import DEFAULT_SOLVER, get_solver
from ..solvers.rows_read import RowsRead
from .answer import Sample
from .explanation import explain_conflicts, explain_empty_base, explain_matches, explain_unread
from .repair_context import RepairContext

QUICK_MASKS = 262_144
"""Among so many distinct row masks a conflict is found in a few milliseconds."""


@dataclass(frozen=True)
class Check:
    """Whether any row satisfies the query: `verdict`, and `count` rows found."""

    verdict: Verdict
    count: int
    stopped_by: StoppedBy | None = None

    @property
    def complete(self) -> bool:
        """Whether every row was read, so that `count` is exact."""
        return self.stopped_by is None

    def __bool__(self) -> bool:
        """Refuse: UNKNOWN is neither true nor false."""
        raise TypeError("a Check is SAT, UNSAT or UNKNOWN; compare its .verdict")


@dataclass(frozen=True)
class Diagnosis:
    """Sets of positions of the additional constraints, smallest first, then by position.

    `conflicts` are all MUSes, over hard and soft constraints alike. `repairs` are all MCSes
    that touch no hard constraint and split no group; `maximal` are what they keep. A
    satisfiable query has no conflicts and the empty repair. When the base slice is empty the
    only conflict is the empty one, there is no repair, and `base_conflicts` says which base
    constraints cannot be met together (positions in `query.base`).

    Unless `complete`, what is listed is right and more may exist.
    """

    query: Query
    verdict: Verdict
    everything: MinimalSets
    allowed: MinimalSets
    base_conflicts: Sets
    histogram: MaskHistogram
    catalog_version: int | None
    labels: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    sample: Sample | None = None
    exact: Mapping[int, int] = field(default_factory=dict[int, int], repr=False)

    @property
    def stopped_by(self) -> StoppedBy | None:
        """What ended the search early."""
        return foremost(self.everything.stopped_by, self.allowed.stopped_by)

    @property
    def conflicts(self) -> Sets:
        """All MUSes."""
        return self.everything.conflicts

    @cached_attribute
    def repairs(self) -> Sets:
        """All MCSes that may be carried out."""
        if self.allowed is self.everything:
            return self.everything.repairs
        units = self.query.groups
        return in_order(
            frozenset(position for unit in repair for position in units[unit])
            for repair in self.allowed.repairs
        )

    @cached_attribute
    def maximal(self) -> Sets:
        """What the repairs keep."""
        full = frozenset(range(len(self.query.constraints)))
        return tuple(full - repair for repair in self.repairs)

    @cached_attribute
    def repair_counts(self) -> tuple[int, ...]:
        """How many rows each repair lets in, in their order; lower bounds unless `counts_exact`."""
        return self.counts_of(self.repairs)

    def counts_of(self, repairs: Iterable[Iterable[int]]) -> tuple[int, ...]:
        """Return how many rows some repairs let in, by one reading of the rows."""
        full = self.histogram.full
        kept = [full & ~mask_of(repair) for repair in repairs]
        self.histogram.count_ahead(kept)
        count, exact = self.histogram.count_mask, self.exact
        return tuple([exact[mask] if mask in exact else count(mask) for mask in kept])

    @property
    def complete(self) -> bool:
        """Whether every conflict and every repair is listed."""
        return self.stopped_by is None

    @property
    def counts_exact(self) -> bool:
        """Whether every count is, else it counts the rows read by then: every row was read."""
        return self.histogram.complete

    @property
    def proven_minimal(self) -> bool:
        """Whether nothing smaller than a listed repair would do: every row was read."""
        return self.histogram.complete

    @property
    def base_rows(self) -> int:
        """The number of rows of the base slice."""
        return self.exact.get(0, self.histogram.rows)

    @property
    def drop_one_counts(self) -> tuple[int, ...]:
        """Rows that meet all additional constraints but one, for each of them."""
        counts, full = self.histogram.drop_one_counts(), self.histogram.full
        if not self.exact:
            return counts
        return tuple(self.exact.get(full ^ 1 << at, count) for at, count in enumerate(counts))

    def count(self, positions: Iterable[int]) -> int:
        """Return how many rows of the base slice meet the constraints at these positions."""
        chosen = tuple(positions)
        known = self.exact.get(mask_of(chosen)) if self.exact else None
        return self.histogram.count(chosen) if known is None else known

    def record(self) -> dict[str, Any]:
        """Return the diagnosis as a JSON object."""
        every = range(len(self.query.constraints))
        self.histogram.count_ahead([0, self.histogram.full, *(1 << i for i in every)])
        return {
            "schema_version": 1,
            "verdict": str(self.verdict),
            "count": self.count(every),
            "base_rows": self.base_rows,
            "base": [constraint.record() for constraint in self.query.base],
            "constraints": [constraint.record() for constraint in self.query.constraints],
            "conflicts": [sorted(conflict) for conflict in self.conflicts],
            "repairs": [sorted(repair) for repair in self.repairs],
            "repair_counts": list(self.repair_counts),
            "maximal": [sorted(subset) for subset in self.maximal],
            "base_conflicts": [sorted(conflict) for conflict in self.base_conflicts],
            "single_counts": [self.count([i]) for i in every],
            "drop_one_counts": list(self.drop_one_counts),
            "explanation": self.explanation,
            "complete": self.complete,
            "proven_minimal": self.proven_minimal,
            "stopped_by": self.stopped_by,
            "catalog_version": self.catalog_version,
            **({"sample": self.sample.model_dump()} if self.sample else {}),
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return the diagnosis as JSON text; the same query gives the same bytes."""
        return json.dumps(self.record(), ensure_ascii=False, indent=indent)

    @property
    def explanation(self) -> str:
        """The diagnosis in plain words."""
        if self.verdict is Verdict.SAT:
            count = self.count(range(len(self.query.constraints)))
            exact = self.histogram.complete or self.histogram.full in self.exact
            return explain_matches(count, exact=exact)
        if self.verdict is Verdict.UNKNOWN:
            return explain_unread()
        if not self.base_rows:
            return explain_empty_base(self.query, self.base_conflicts, self.labels)
        names = [words(constraint, self.labels) for constraint in self.query.constraints]
        return explain_conflicts(names, self.conflicts)


def foremost(*reasons: StoppedBy | None) -> StoppedBy | None:
    """Return why something ended early: by the clock, if that ended any part of it."""
    return "deadline" if "deadline" in reasons else next(filter(None, reasons), None)


def diagnose(context: RepairContext, part: float = 1.0) -> Diagnosis:
    """Return the diagnosis of a query over one catalog; takes a part of the time that remains."""
    budget = context.budget.share(part)
    everything = _with_a_conflict(
        context, context.solver.minimal_sets(context.histogram, budget), budget
    )
    return Diagnosis(
        query=context.query,
        verdict=context.histogram.verdict,
        everything=everything,
        allowed=_allowed_repairs(context, everything, budget),
        base_conflicts=base_conflicts(context, budget),
        histogram=context.histogram,
        catalog_version=context.catalog.version,
        labels=context.bound.labels,
        sample=context.sample,
        exact={} if context.exact is None else context.exact.known,
    )


def _with_a_conflict(context: RepairContext, sets: MinimalSets, until: Budget) -> MinimalSets:
    """Return the sets, a conflict among them where the clock came first and one costs little."""
    if sets.complete or len(sets.conflict_masks):
        return sets
    try:
        conflict = _first_conflict(context, until)
    except DeadlinePassed:
        return sets
    if conflict is None:
        return sets
    return replace(sets, conflict_masks=np.array([conflict], dtype=np.uint64))


def _first_conflict(context: RepairContext, until: Budget) -> int | None:
    """Return one MUS: from few masks whatever the time, else from the words of rows."""
    histogram, problem = context.histogram, context.bound.problem
    if not histogram.complete or len(histogram.deciding.masks) <= QUICK_MASKS:
        quick = until.whatever_the_time() if histogram.complete else until
        return first_conflict(histogram, quick)
    if histogram.verdict is not Verdict.UNSAT or not problem.is_read:
        return None
    base, stack = problem.slice.words, problem.stack
    rows = RowsRead(base, stack, problem.slice, None, base, dict(enumerate(stack)))
    return shrunk_over_words(rows, histogram.full, until)


def _allowed_repairs(
    context: RepairContext, everything: MinimalSets, budget: Budget
) -> MinimalSets:
    """Return the minimal repairs in units; those over everything if nothing is hard or grouped."""
    if not context.bound.hard and len(context.bound.units) == context.width:
        return everything
    return context.solver.minimal_sets(context.unit_histogram, budget)


def base_conflicts(context: RepairContext, budget: Budget) -> Sets:
    """Return which base constraints conflict, where the base slice is empty; else nothing."""
    if context.histogram.rows or not context.histogram.complete or not context.query.base:
        return ()
    problem = context.bound.problem.only_base()
    wide = problem.width > context.solver.max_constraints
    solver = get_solver(DEFAULT_SOLVER) if wide else context.solver
    histogram = solver.histogram(problem, budget)
    return solver.minimal_sets(histogram, budget).conflicts
