"""Ranks rows that stay in their database: the engine names candidates, NumPy measures them here.

A place is the key of a row. Each question brings the rows that may be its answer and everything
within 1e-9 of the last of them, in one scan and rarely a second; then it is answered as over a
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
from ...catalogs.remote.libraries import pa
from ...catalogs.remote.remote_slice import RemoteSlice
from ...catalogs.vectors.array_types import Floats
from ...catalogs.versions.sorted_rows import SortKey
from ...solvers.histogram import MaskHistogram
from ...solvers.limits import Budget
from ...solvers.masks import mask_of, positions_of
from ..bound_query import BoundQuery
from .interface import Closest, Counted, Places, ProbeResult, Ranked, RowProbe, pareto_among
from .numpy_ranking import NumpyRanker, Truth
from .remote_candidates import Level, Search, are_all, first_of_each, in_order, up_to
from .remote_dominance import in_order_and_judged, is_dominated, shares_of
from .remote_measures import Measures, among, every, some, where

Result = TypeVar("Result")

rows_of = cast("Callable[[Any], list[Row]]", remote_snapshot.rows_of)  # pyright: ignore[reportUnknownMemberType] Arrow has no types

FEW = 128
"""So many rows are brought whole, without looking for the best of them first."""

MORE = 32
"""So many more rows than twice those asked for are brought, to see that no others are as good."""

COMPARED = 10_000
"""So many rows are compared with the first ones in the statement that brings these."""

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
        self._dominated_without: dict[frozenset[int], dict[int, bool]] = {}
        """Which rows are dominated among those that meet all but what is changed."""

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

    def _bring(self, rows: str, *more: str) -> Any:
        """Bring what a SELECT gives, the columns `Measures.brought` and some doubles.

        Returns the result; None if late.
        """
        try:
            found: Any = self._catalog.run(rows, self._types(more), self.budget)
        except DeadlinePassed:
            self._is_late, self.stopped_by = True, "deadline"
            return None
        self._take(found)
        return found

    def _types(self, doubles: Sequence[str]) -> Any:
        """Return the Arrow types of what a SELECT of `Measures.table` gives."""
        types = [("k", pa.int64()), *((f"m{at}", pa.bool_()) for at in range(self.bound.width))]
        types += [(f"c{at}", each.type) for at, each in enumerate(self._catalog.arrow_schema)]
        return pa.schema([*types, *((name, pa.float64()) for name in doubles)])

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
        levels: Callable[[], list[Level]],
        *,
        judged: bool = False,
    ) -> None:
        """Bring what may be among the `top` first rows that meet all but what is changed.

        `count`: how many these are, None where that is not known. `judged`: where these are few,
        look at once which of the first ones are dominated.
        """
        self._is_late = False
        if count is not None and len(self.places_without(changed)) >= count:
            return
        rows = self._measures.rows_without(changed)
        if count is not None and count <= max(top, FEW):
            self._bring(self._listed(rows))
        elif judged and self._is_cheap_to_judge(count):
            self._bring_best(rows, levels(), top, judged=frozenset(changed))
        else:
            self._bring_best(rows, levels(), top)

    def _is_cheap_to_judge(self, count: int | None) -> bool:
        """Return whether so many rows are found once and compared with the first of them."""
        few = count is not None and count <= COMPARED
        return few and bool(self._catalog.engine.materialized)

    def _listed(self, rows: str) -> str:
        return f"SELECT {', '.join(self._measures.brought)} FROM ({rows}) AS r"

    def _bring_best(
        self,
        rows: str,
        levels: Sequence[Level],
        top: int,
        *,
        by_cost: bool = True,
        judged: frozenset[int] | None = None,
    ) -> Floats | None:
        """Bring what may be among the `top` first of some rows in an order.

        Returns the first key of each row there is, `top` of them or more; None if late. `judged`:
        the rows meet all but this, and which of those brought one of them dominates is kept.
        """
        measures, most = self._measures, 2 * top + MORE
        names = [f"e{at}" for at in range(len(levels))]
        shares = {} if judged is None else shares_of(measures, judged)
        if shares:
            asked = in_order_and_judged(measures, rows, levels, most, shares)
            found = self._bring(asked, *names, "x")
        else:
            found = self._bring(in_order(measures, rows, levels, most, by_cost=by_cost), *names)
        if found is None:
            return None
        if judged is not None and shares:
            flags = zip(found.column("k").to_pylist(), found.column("x").to_pylist(), strict=True)
            self._dominated_without[judged] = {key: bool(flag) for key, flag in flags}
        keys: list[Floats] = [found.column(name).to_numpy() for name in names]
        if are_all(keys, levels, top, most):
            return keys[0]
        last = float(keys[0][top - 1])
        found = self._bring(up_to(measures, rows, levels, top, last, by_cost=by_cost))
        return None if found is None else keys[0]

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
            self._bring(self._listed(where(self._measures.table, among(missing))))
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
        searches = [
            self._search(probe.changed, probe.inside)
            for probe, first in zip(probes, firsts, strict=True)
            if probe.inside and first is not None
        ]
        wanted = [key for key in firsts if key is not None and key not in self._own]
        if searches:
            self._bring(first_of_each(self._measures, self._measures.table, searches, wanted))
        results: list[ProbeResult] = []
        for probe, first in zip(probes, firsts, strict=True):
            places = self.places_without(probe.changed)
            nearest = self._front_among(places, probe.inside, 1).points(1)
            nearest = None if self._is_late or not len(nearest) else int(nearest[0])
            results.append(ProbeResult(first, nearest))
        return results

    def _search(self, changed: Iterable[int], inside: Sequence[int]) -> Search:
        measures = self._measures
        reachable = [measures.is_reachable(position) for position in inside]
        condition = every((measures.without(changed), *reachable))
        return Search(condition, self._level(inside))

    def _level(self, positions: Sequence[int]) -> Level:
        """Return the order of rows by violation of some constraints."""
        measures, bounds = self._measures, [self.bound.bounds[at] for at in positions]
        weights = tuple(self.bound.weights[at] for at in positions)
        steps = weights if all(bound is None for bound in bounds) else None
        told = measures.distant_by(positions)
        return Level(
            measures.violation(positions), told, steps, lambda most: measures.near(positions, most)
        )

    def front(self, movable: Sequence[int], top: int) -> Places:
        """See `RowRanker.front`; asks on until nothing nearer than the points known is left."""
        self._is_late, measures = False, self._measures
        reachable = [measures.is_reachable(position) for position in movable]
        level, known = self._level(movable), self._points(movable, top)
        most = max(MORE, top)
        while True:
            nearer = (*reachable, self._is_undominated(movable, known))
            rows = where(measures.rows_without(movable), every(nearer))
            keys = self._bring_best(rows, [level], most, by_cost=False)
            points = self._points(movable, top)
            if keys is None or len(keys) < most:
                return points
            costs = self._front_among(points, movable, top).costs
            known = points[costs <= float(keys[most - 1])]
            if len(known) >= top:
                return known

    def _points(self, movable: Sequence[int], top: int) -> Places:
        """Return the points of the front among the rows here."""
        return self._front_among(self.places_without(movable), movable, top).points(top)

    def _is_undominated(self, movable: Sequence[int], points: Places) -> str:
        """Return whether no point is as near as a row wherever that would have to move."""
        measures, conditions = self._measures, list[str]()
        distances = {at: measures.distance(at) for at in movable}
        for point in points.tolist():
            own = super().distances(np.array([point], dtype=np.intp))[:, 0]
            nearer = (f"({distances[at]}) < {measures.number(own[at])}" for at in movable)
            conditions.append(some(nearer))
        return every(conditions)

    def closest(self, top: int) -> Closest:
        """See `RowRanker.closest`."""
        soft = self.bound.soft
        self._bring_first(soft, self._count_of(soft), top, lambda: [self._level(soft)])
        return super().closest(top)

    def _by_score(self, dropped: frozenset[int]) -> Level:
        kept = frozenset(range(self.bound.width)) - dropped
        measures, terms = self._measures, self.bound.terms
        steps = None if any(term.direction for term in terms) else [each.weight for each in terms]
        told = measures.scored_by(kept)
        return Level(f"-({measures.score()})", told, None if steps is None else tuple(steps))

    def rank(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """See `RowRanker.rank`."""
        self._bring_first(dropped, self._exact(count), top, lambda: [self._by_score(dropped)])
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
            lambda: [self._level(gone), self._by_score(dropped)],
            judged=True,
        )
        return super().rank_near(dropped, count, top, 0, skip)

    def _exact(self, count: int) -> int | None:
        return count if self._histogram.complete else None

    def _undominated(self, dropped: frozenset[int], places: Places, best: Floats) -> Truth:
        """See `NumpyRanker`; one more statement, unless what is here decides."""
        known = self._dominated_without.get(dropped, {})
        if all(place in known for place in places.tolist()):
            return np.array([not known[place] for place in places.tolist()], dtype=np.bool_)
        own = np.arange(best.shape[1], dtype=np.intp)
        here = self.places_without(dropped)
        others, _ = self._scored(here)
        judged = pareto_among(np.concatenate([best, others], axis=1), own)
        open_questions = [at for at in np.flatnonzero(judged).tolist() if best[:, at].min() < 1.0]
        count = self._count_of(dropped)
        if not open_questions or (count is not None and len(here) >= count):
            return judged
        try:
            dominated = self._dominated(dropped, best[:, open_questions])
        except DeadlinePassed:
            self._is_late, self.stopped_by = True, "deadline"
            return np.zeros_like(judged)
        judged[open_questions] = ~dominated
        return judged

    def _dominated(self, dropped: frozenset[int], satisfaction: Floats) -> Truth:
        """Return for several satisfactions whether a row dominates them, bool[n]; one statement."""
        measures, count = self._measures, satisfaction.shape[1]
        types = pa.schema([(f"p{place}", pa.int32()) for place in range(count)])
        asked = is_dominated(measures, measures.rows_without(dropped), dropped, satisfaction)
        found: Any = self._catalog.run(asked, types, self.budget)
        return np.array([bool(found.column(name)[0].as_py()) for name in types.names])

    def cheapest_row(self, limit: float) -> int | None:
        """See `RowRanker.cheapest_row`."""
        self._is_late, measures, soft = False, self._measures, self.bound.soft
        movable, zero = set(self.bound.movable), measures.number(0.0)
        costs, told = [zero], list[str]()
        for price, unit in zip(self.bound.unit_prices, self.bound.units, strict=True):
            if not np.isfinite(price):
                continue
            met, whole = measures.met(unit), measures.number(price)
            missed = f"CASE WHEN {met} THEN {zero} ELSE {whole} END"
            told.append(met)
            if unit[0] in movable:
                reachable = measures.is_reachable(unit[0])
                moved = f"{whole} * ({measures.distance(unit[0])})"
                missed = f"CASE WHEN {reachable} THEN {moved} ELSE {missed} END"
                told += [reachable, *measures.distant_by(unit)]
            costs.append(f"({missed})")
        search = Search(measures.without(soft), Level(" + ".join(costs), told))
        self._bring(first_of_each(measures, measures.table, [search]))
        return None if self._is_late else super().cheapest_row(limit)

    def narrowed(self, predicates: Sequence[Predicate]) -> RemoteRanker:
        """See `RowRanker.narrowed`."""
        ranker = copy(self)
        vars(ranker).pop("_measures", None)
        ranker._moved, ranker._own = tuple(predicates), set()
        ranker._dominated_without = {}
        return ranker

    def page(
        self, kept: Sequence[Predicate], sort: Sequence[SortKey], limit: int, offset: int
    ) -> tuple[Places, RemoteRanker]:
        """See `RowRanker.page`."""
        ranker, schema = self.narrowed(kept), self._catalog.schema
        measures, order = ranker._measures, list[str]()
        for key in sort:
            column = schema.find(key.column)
            if column.name not in measures.columns:
                raise QueryError(f"sort by {key.column}", hint="sort by a column of the rows")
            direction = "DESC" if key.descending else "ASC"
            order.append(f"{measures.cell(column.name)} {direction} NULLS LAST")
        ordered = f"{ranker._listed(measures.table)} ORDER BY {', '.join((*order, 'k'))}"
        rows = f"{ordered} LIMIT {limit} OFFSET {offset}"
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
