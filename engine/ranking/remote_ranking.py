"""Ranks rows that stay in their database: the engine names candidates, NumPy measures them here.

A place is the key of a row. Each question brings the rows that may be its answer and everything
within 1e-9 of the last of them, in one statement of two scans; then it is answered as over a
catalog in memory that has these rows alone. What is here already is not asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, TypeVar, cast

import numpy as np

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.deadline import DeadlinePassed
from ...catalogs.errors import QueryError
from ...catalogs.json_values import Row
from ...catalogs.query.predicate import Predicate
from ...catalogs.remote import remote_snapshot
from ...catalogs.remote.double_columns import double_column
from ...catalogs.remote.remote_slice import RemoteSlice
from ...catalogs.vectors.array_types import Floats
from ...catalogs.versions.sorted_rows import SortKey
from ...solvers.histogram import MaskHistogram
from ...solvers.limits import Budget
from ...solvers.masks import mask_of, positions_of
from ..bound_query import BoundQuery
from .interface import Closest, Counted, Places, ProbeResult, Ranked, RowProbe, pareto_among
from .numpy_ranking import NumpyRanker, Truth
from .remote_candidates import Level, Search, first_of_each, first_rows
from .remote_measures import Measures, ibis, number

Result = TypeVar("Result")

rows_of = cast("Callable[[Any], list[Row]]", remote_snapshot.rows_of)  # pyright: ignore[reportUnknownMemberType] Arrow has no types

FEW = 32
"""So many rows are brought whole, without looking for the best of them first."""

UNKNOWN_KEY = np.iinfo(np.int64).max
"""Stands for the first key of a mask whose rows were counted, not named."""


class RemoteRanker(NumpyRanker):
    """Measures the rows that the engine names."""

    def __init__(self, bound: BoundQuery, budget: Budget, histogram: MaskHistogram) -> None:
        super().__init__(bound, budget)
        self._slice = cast("RemoteSlice", bound.base)
        self._catalog: Any = bound.catalog
        self._histogram = histogram
        self._own: set[int] = set(self._slice.met)
        self._moved: tuple[Predicate, ...] = ()
        self._is_late = False

    @cached_attribute
    def _measures(self) -> Measures:
        return Measures(self.bound, self._moved)

    # What the questions of `NumpyRanker` read.

    def _block(self, start: int, stop: int) -> Any:
        return self

    def places_without(self, changed: Iterable[int]) -> Places:
        """Return the rows here that meet all but what is changed, ascending."""
        kept = self.bound.full & ~mask_of(changed)
        met = self._slice.met
        return np.array(sorted(key for key in self._own if met[key] & kept == kept), dtype=np.intp)

    def _read(
        self, words: int, read: Callable[[int, int], Result], at_least: int = 0
    ) -> tuple[list[Result], bool]:
        return [read(0, 0)], not self._is_late

    def _is_met(self, position: int, places: Places) -> Truth:
        met = self._slice.met
        return np.array([met[key] >> position & 1 for key in places.tolist()], dtype=np.bool_)

    # How rows come here.

    def _bring(self, rows: Any, *more: str) -> Any:
        """Bring rows of `Measures.table`, and return the statement's result; None if late."""
        measures, width = self._measures, self.bound.width
        names = ["k", *(f"m{at}" for at in range(width))]
        names += [f"c{at}" for at in range(len(measures.columns))]
        try:
            found: Any = self._catalog.execute(rows.select(*names, *more), self.budget)
        except DeadlinePassed:
            self._is_late, self.stopped_by = True, "deadline"
            return None
        self._take(found)
        return found

    def _take(self, found: Any) -> None:
        measures, schema = self._measures, self._catalog.schema
        keys: list[int] = found.column("k").to_pylist()
        met = [0] * len(keys)
        for at in range(self.bound.width):
            bits = found.column(f"m{at}").to_pylist()
            met = [mask | bit << at for mask, bit in zip(met, bits, strict=True)]
        cells = [f"c{at}" for at in range(len(measures.columns))]
        rows: list[Row] = rows_of(found.select(cells).rename_columns(list(measures.columns)))
        numbers = {
            name: double_column(
                found.column(f"c{measures.columns.index(name)}"), schema.find(name).sql_type
            ).tolist()
            for name in self.bound.measured
        }
        self._slice.take(keys, met, rows, numbers)
        self._own.update(keys)

    def _bring_first(
        self,
        changed: Iterable[int],
        count: int | None,
        top: int,
        levels: Callable[[Any], list[Level]],
    ) -> None:
        """Bring what may be among the `top` first rows that meet all but what is changed.

        `count`: how many these are, None where that is not known.
        """
        self._is_late = False
        if count is not None and len(self.places_without(changed)) >= count:
            return
        measures = self._measures
        rows = measures.table.filter(measures.without(measures.table, changed))
        few = count is not None and count <= max(top, FEW)
        self._bring(rows if few else first_rows(measures, rows, levels(rows), top))

    def _count_of(self, changed: Iterable[int]) -> int | None:
        """Return how many rows meet all but what is changed, where that is known."""
        if self._moved or not self._histogram.complete:
            return None
        return self._histogram.count_mask(self.bound.full & ~mask_of(changed))

    def _fetch(self, places: Iterable[int]) -> None:
        """Bring rows by their keys, whatever the time."""
        missing = [key for key in places if key not in self._slice.rows]
        if not missing:
            return
        budget, self.budget = self.budget, self.budget.whatever_the_time()
        try:
            self._bring(self._measures.table.filter(self._measures.table.k.isin(missing)))
        finally:
            self.budget = budget
        for key in (key for key in missing if key not in self._slice.rows):
            # Not read in time, or gone since: all that is known is its key.
            unknown = {name: [float("nan")] for name in self.bound.measured}
            self._slice.take([key], [0], [{self._catalog.key: key}], unknown)

    def fetch(self, places: Places) -> tuple[list[int], list[Row]]:
        """See `RowRanker.fetch`."""
        keys: list[int] = places.tolist()
        self._fetch(keys)
        return keys, [self._slice.rows[key] for key in keys]

    def distances(self, places: Places) -> Floats:
        """See `RowRanker.distances`."""
        self._fetch(places.tolist())
        return super().distances(places)

    # The questions.

    def first_without(self, dropped: int) -> int | None:
        """See `RowRanker.first_without`; from the statement that counted masks."""
        if self._moved:
            return min(self.places_without(positions_of(dropped)).tolist(), default=None)
        first = self._histogram.witness(self.bound.full & ~dropped)
        return None if first == UNKNOWN_KEY else first

    def probe(self, probes: Sequence[RowProbe]) -> list[ProbeResult]:
        """See `RowRanker.probe`; all in one statement, with the first rows of each."""
        self._is_late = False
        firsts = [self.first_without(mask_of(probe.changed)) for probe in probes]
        table = self._measures.table
        searches = [
            self._search(table, probe.changed, probe.inside)
            for probe, first in zip(probes, firsts, strict=True)
            if probe.inside and first is not None
        ]
        wanted = [key for key in firsts if key is not None and key not in self._own]
        if searches:
            self._bring(first_of_each(table, searches, wanted))
        results: list[ProbeResult] = []
        for probe, first in zip(probes, firsts, strict=True):
            places = self.places_without(probe.changed)
            nearest = self._front_among(places, probe.inside, 1).points(1)
            nearest = None if self._is_late or not len(nearest) else int(nearest[0])
            results.append(ProbeResult(first, nearest))
        return results

    def _search(self, rows: Any, changed: Iterable[int], inside: Sequence[int]) -> Search:
        measures = self._measures
        condition = measures.without(rows, changed)
        for position in inside:
            condition = condition & measures.is_reachable(rows, position)
        return Search(condition, self._level(rows, inside))

    def _level(self, rows: Any, positions: Sequence[int]) -> Level:
        """Return the order of rows by violation of some constraints."""
        measures = self._measures
        return Level(measures.violation(rows, positions), measures.distant_by(rows, positions))

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `RowRanker.front`; asks on until nothing nearer than the points known is left."""
        self._is_late, measures = False, self._measures
        changed, known = frozenset(movable), self._points(movable, top)
        while True:
            rows = measures.table
            search = self._search(rows, changed, movable)
            rows = rows.filter(search.condition & self._is_undominated(rows, movable, known))
            level = self._level(rows, movable)
            most = max(FEW, top)
            found = self._bring(first_rows(measures, rows, [level], most, by_cost=False), "t", "n")
            points = self._points(movable, top)
            if found is None or not len(found):
                return points
            if int(found.column("n")[0].as_py()) < most:
                return points
            costs = self._front_among(points, movable, top).costs
            known = points[costs <= float(found.column("t")[0].as_py())]
            if len(known) >= top:
                return known

    def _points(self, movable: Sequence[int], top: int) -> Places:
        """Return the points of the front among the rows here."""
        return self._front_among(self.places_without(movable), movable, top).points(top)

    def _is_undominated(self, rows: Any, movable: Sequence[int], points: Places) -> Any:
        """Return whether no point is as near as a row wherever that would have to move."""
        condition: Any = ibis.literal(True)
        distances = {at: self._measures.distance(rows, at) for at in movable}
        for point in points.tolist():
            own = super().distances(np.array([point], dtype=np.intp))[:, 0]
            nearer: Any = ibis.literal(False)
            for at in movable:
                nearer = nearer | (distances[at] < number(own[at]))
            condition = condition & nearer
        return condition

    def closest(self, top: int) -> Closest:
        """See `RowRanker.closest`."""
        soft = self.bound.soft
        self._bring_first(soft, self._count_of(soft), top, lambda rows: [self._level(rows, soft)])
        return super().closest(top)

    def _by_score(self, rows: Any, dropped: frozenset[int]) -> Level:
        kept = frozenset(range(self.bound.width)) - dropped
        return Level(-self._measures.score(rows), self._measures.scored_by(rows, kept))

    def rank(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """See `RowRanker.rank`."""
        self._bring_first(
            dropped, self._exact(count), top, lambda rows: [self._by_score(rows, dropped)]
        )
        return super().rank(dropped, count, top, 0, skip)

    def rank_near(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """See `RowRanker.rank_near`."""
        gone = sorted(dropped)
        self._bring_first(
            dropped,
            self._exact(count),
            top,
            lambda rows: [self._level(rows, gone), self._by_score(rows, dropped)],
        )
        return super().rank_near(dropped, count, top, 0, skip)

    def _exact(self, count: int) -> int | None:
        return count if self._histogram.complete else None

    def _undominated(self, dropped: frozenset[int], best: Floats) -> Truth:
        """See `NumpyRanker`; one more statement, unless what is here decides."""
        own = np.arange(best.shape[1], dtype=np.intp)
        here = self.places_without(dropped)
        others, _ = self._scored(here)
        judged = pareto_among(np.concatenate([best, others], axis=1), own)
        open_questions = [at for at in np.flatnonzero(judged).tolist() if best[:, at].min() < 1.0]
        count = self._count_of(dropped)
        if not open_questions or (count is not None and len(here) >= count):
            return judged
        rows = self._measures.table.filter(self._measures.without(self._measures.table, dropped))
        named = {f"p{at}": self._dominates(rows, best[:, at]).any() for at in open_questions}
        try:
            found: Any = self._catalog.execute(rows.aggregate(**named), self.budget)
        except DeadlinePassed:
            self._is_late, self.stopped_by = True, "deadline"
            return np.zeros_like(judged)
        for at in open_questions:
            judged[at] = not found.column(f"p{at}")[0].as_py()
        return judged

    def _dominates(self, rows: Any, satisfaction: Floats) -> Any:
        """Return whether rows are as good in every term as some satisfaction, and better in one."""
        as_good: Any = ibis.literal(True)
        better: Any = ibis.literal(False)
        for term, own in zip(self.bound.terms, satisfaction.tolist(), strict=True):
            share = self._measures.satisfaction(rows, term)
            as_good, better = as_good & (share >= number(own)), better | (share > number(own))
        return as_good & better

    def cheapest_row(self, limit: float) -> int | None:
        """See `RowRanker.cheapest_row`."""
        self._is_late, measures, soft = False, self._measures, self.bound.soft
        rows, movable = measures.table, set(self.bound.movable)
        cost: Any = number(0.0)
        told: list[Any] = []
        for price, unit in zip(self.bound.unit_prices, self.bound.units, strict=True):
            if not np.isfinite(price):
                continue
            missed = (~measures.met(rows, unit)).ifelse(number(price), number(0.0))
            told.append(measures.met(rows, unit))
            if unit[0] in movable:
                reachable = measures.is_reachable(rows, unit[0])
                moved = number(price) * measures.distance(rows, unit[0])
                missed = reachable.ifelse(moved, missed)
                told += [reachable, *measures.distant_by(rows, unit)]
            cost = cost + missed
        self._bring(first_of_each(rows, [Search(measures.without(rows, soft), Level(cost, told))]))
        return None if self._is_late else super().cheapest_row(limit)

    def narrowed(self, predicates: Sequence[Predicate]) -> RemoteRanker:
        """See `RowRanker.narrowed`."""
        ranker = copy(self)
        vars(ranker).pop("_measures", None)
        ranker._moved, ranker._own = tuple(predicates), set()
        return ranker

    def page(
        self, kept: Sequence[Predicate], sort: Sequence[SortKey], limit: int, offset: int
    ) -> tuple[Places, RemoteRanker]:
        """See `RowRanker.page`."""
        ranker, schema = self.narrowed(kept), self._catalog.schema
        measures, order = ranker._measures, list[Any]()
        for key in sort:
            column = schema.find(key.column)
            if column.name not in measures.columns:
                raise QueryError(f"sort by {key.column}", hint="sort by a column of the rows")
            cells = measures.table[f"c{measures.columns.index(column.name)}"]
            order.append((cells.desc if key.descending else cells.asc)(nulls_first=False))
        rows = measures.table.order_by(*order, measures.table.k.asc()).limit(limit, offset=offset)
        found = ranker._bring(rows)
        self.stopped_by = ranker.stopped_by or self.stopped_by
        keys: list[int] = [] if found is None else found.column("k").to_pylist()
        return np.array(keys, dtype=np.intp), ranker

    def count_without(self, dropped: int) -> Counted:
        """See `RowRanker.count_without`."""
        changed = positions_of(dropped)
        known = self._count_of(changed)
        if known is not None:
            return Counted(known)
        return self.count_matching([[*self.bound.predicates_without(changed), *self._moved]])[0]

    def count_matching(self, listed: Sequence[Sequence[Predicate]]) -> list[Counted]:
        """See `RowRanker.count_matching`; all in one statement."""
        try:
            counts = self._catalog.counts(listed, self.budget)
        except DeadlinePassed:
            self.stopped_by = "deadline"
            return [Counted(0, exact=False) for _ in listed]
        return [Counted(count) for count in counts]
