"""Mask: which constraints each row meets, counted; and what every later step of a repair reads.

The mask histogram costs one pass over the words of the constraints' row sets. Rows themselves are
read by a ranker, NumPy over whole columns where they are few, kernels where they are many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.deadline import DeadlinePassed
from ..catalogs.query.query import Query
from ..catalogs.unchecked_model import unchecked
from ..catalogs.vectors.kernel_use import kernels_are_used
from ..catalogs.versions.reader import CatalogReader
from ..solvers.cheapest_repairs import PricedRepairs
from ..solvers.histogram import MaskHistogram
from ..solvers.limits import Budget
from ..solvers.masks import mask_of
from ..solvers.solver import Solver
from .answer import Change, Sample
from .answer_size import AnswerTexts
from .bound_query import BoundQuery
from .moved_bounds import MovableBound, SaidChange
from .ranking.interface import RowRanker
from .ranking.unmeasured import UnmeasuredRows
from .sampling import SampleCounts, check_share, judged

if TYPE_CHECKING:
    from ..catalogs.remote.remote_slice import RemoteSlice

MASKING = 0.8
"""The part of the time that remains which counting masks may take, so that a repair can follow."""

CHEAPEST = 0.4
"""The part that looking for the cheapest repairs may take."""

COUNTING = 0.5
"""The part that counting on all rows may take, where a sample was read."""

READING = 0.5
"""The part that reading columns into memory, to measure rows by, may take."""


@dataclass(frozen=True)
class RepairContext:
    """A bound query and its mask histogram. Positions count the additional constraints."""

    bound: BoundQuery
    solver: Solver
    budget: Budget
    histogram: MaskHistogram
    wanted: int = 1
    """How many of the cheapest repairs will be asked for."""
    exact: SampleCounts | None = None
    """What was counted on all rows, where the histogram is that of a sample."""

    @property
    def query(self) -> Query:
        """The query asked."""
        return self.bound.query

    @property
    def catalog(self) -> CatalogReader:
        """The catalog asked."""
        return self.bound.catalog

    @property
    def width(self) -> int:
        """The number of additional constraints."""
        return self.bound.width

    @cached_attribute
    def rows(self) -> RowRanker:
        """What measures and ranks the rows of the base slice."""
        late = self.histogram.stopped_by == "deadline"
        if not (late and self.bound.is_remote) and self._is_measurable():
            return row_ranker(self.bound, self.budget, self.histogram)
        return UnmeasuredRows(self.bound, self.budget, self.histogram)

    def _is_measurable(self) -> bool:
        """Return whether what rows are measured by could be read in time."""
        try:
            self.bound.read(self.budget.share(READING))
        except DeadlinePassed:
            return False
        return True

    @cached_attribute
    def unit_histogram(self) -> MaskHistogram:
        """The histogram over units, of the rows that meet everything hard."""
        every = self.histogram.deciding
        allowed = every.with_all(self.bound.hard_mask) if self.bound.hard else every
        alone = all(len(unit) == 1 for unit in self.bound.units)
        return allowed if alone else allowed.by_unit(self.bound.units)

    @cached_attribute
    def cheapest(self) -> PricedRepairs:
        """The cheapest minimal repairs in units, as many as are wanted."""
        return self.solver.cheapest_repairs(
            self.unit_histogram, self.bound.unit_prices, self.wanted, self.budget.share(CHEAPEST)
        )

    @cached_attribute
    def texts(self) -> AnswerTexts:
        """The SQL of alternatives, and which constraints stand once in the answer."""
        return AnswerTexts(self.bound, self.wanted)

    @cached_attribute
    def drops(self) -> tuple[SaidChange, ...]:
        """Each constraint dropped, as repairs name it: made once, since a dozen of them do."""
        drops = [
            unchecked(
                Change,
                position=position,
                action="drop",
                from_=constraint,
                to=None,
                distance=1.0,
                brief=position in self.texts.brief,
            )
            for position, constraint in enumerate(self.query.constraints)
        ]
        names = self.bound.names
        return tuple([SaidChange(drop, f"drop {names[drop.position]}") for drop in drops])

    @cached_attribute
    def movable_bounds(self) -> dict[int, MovableBound]:
        """The bounds that may move, by position."""
        return {position: MovableBound(self.bound, position) for position in self.bound.movable}

    def expand(self, units: Iterable[int]) -> frozenset[int]:
        """Return the constraint positions of some units."""
        if len(self.bound.units) == self.width:
            return frozenset(units)
        return frozenset(position for unit in units for position in self.bound.units[unit])

    def count_without(self, dropped: Iterable[int]) -> int:
        """Return how many rows read meet everything but what is dropped.

        Of a sample, how many of all rows, where that was counted (`count_ahead`).
        """
        kept = self.bound.full & ~mask_of(dropped)
        if self.exact is not None and kept in self.exact.known:
            return self.exact.known[kept]
        return self.histogram.count_mask(kept)

    def count_ahead(self, repairs: Iterable[Iterable[int]]) -> None:
        """Have what some repairs let in counted on all rows, where only a sample was read."""
        if self.exact is not None:
            kept = [self.bound.full & ~mask_of(dropped) for dropped in repairs]
            self.exact.count(kept, self.budget.share(COUNTING))

    @property
    def counts_exact(self) -> bool:
        """Whether counts shown are those of all rows."""
        if self.exact is not None:
            return not self.exact.is_late
        return self.histogram.complete

    @property
    def sample(self) -> Sample | None:
        """What was sampled, None where every row was looked at."""
        if self.exact is None:
            return None
        return Sample(share=cast("RemoteSlice", self.bound.base).share, rows=self.histogram.rows)

    @property
    def helped_alone(self) -> list[bool]:
        """For each constraint whether some row read meets everything else."""
        return [count > 0 for count in self.histogram.drop_one_counts()]

    def feasible_without(self, dropped: Iterable[int]) -> bool:
        """Return whether some row read meets everything but what is dropped."""
        return self.histogram.feasible(self.bound.full & ~mask_of(dropped))


def row_ranker(
    bound: BoundQuery, budget: Budget | None = None, histogram: MaskHistogram | None = None
) -> RowRanker:
    """Return the ranker for as many rows as there are.

    It reads rows until `budget` is over, by default to their end.
    """
    if bound.is_remote:
        from .ranking.remote_ranking import RemoteRanker

        assert histogram is not None
        return RemoteRanker(bound, budget or Budget(None), histogram)
    if kernels_are_used(bound.catalog.row_count):
        from .ranking.near_ranking import NearRanker

        return NearRanker(bound, budget)
    from .ranking.numpy_ranking import NumpyRanker

    return NumpyRanker(bound, budget)


def mask(
    bound: BoundQuery,
    solver: Solver,
    budget: Budget,
    wanted: int = 1,
    sample: float | None = None,
) -> RepairContext:
    """Return a bound query with its mask histogram; `wanted` cheapest repairs will be asked for.

    `sample` is the share of the rows to look at. Raises a `QueryError` for more constraints than
    the solver takes, and for a sample of rows in memory.
    """
    check_share(bound, sample)
    solver.check_width(bound.problem)
    if bound.is_remote:
        base = cast("RemoteSlice", bound.base)
        base.wanted, base.share = bound.measured, sample or 1.0
    histogram = solver.histogram(bound.problem, budget.share(MASKING))
    if sample is None or sample == 1.0:
        return RepairContext(bound, solver, budget, histogram, wanted)
    histogram, exact = judged(bound, histogram, budget.share(COUNTING))
    return RepairContext(bound, solver, budget, histogram, wanted, exact)
