"""The interface for single rows: probe, measure, rank and count them, by NumPy or by kernels.

A row is a place of the base slice (`BaseSlice`). Of equal rows the first comes first, always.
Rows are read in pieces of some milliseconds until the budget is over; what was found by then is
returned and said to be incomplete.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.deadline import DeadlinePassed
from ...catalogs.json_values import Row
from ...catalogs.query.predicate import Predicate
from ...catalogs.vectors.array_types import Floats, Words
from ...catalogs.vectors.row_set import intersection
from ...catalogs.versions.sorted_rows import SortKey, sorted_numbers
from ...solvers.cheapest_repairs import PRICE_UNITS
from ...solvers.limits import Budget, StoppedBy
from ...solvers.masks import mask_of
from ..bound_query import BoundQuery
from .pieces import PIECE_WORDS, read_pieces

Places = NDArray[np.intp]
Result = TypeVar("Result")

SAME_SCORE = 1e-9
"""Rows that score no less than this below another are looked at when judging domination."""


class RowProbe(NamedTuple):
    """A question about rows: those that meet all but `changed`, and how near the bounds
    `inside`, a part of it, could be moved to one of them. `rows` is how many there are, None where
    not all were counted."""

    changed: frozenset[int]
    inside: tuple[int, ...] = ()
    rows: int | None = None


class ProbeResult(NamedTuple):
    """The first row that a probe lets in, and the row nearest to the bounds inside; None for none.

    Nearest is least weight × distance summed up; then least distance; then first. Rows whose
    unmet bounds inside have no finite value are left out. Where a row found meets all of them there
    is none, since no bound needs to move.
    """

    first: int | None
    nearest: int | None


class Shift(NamedTuple):
    """Bounds moved until they just let the row at place `witness` in, and constraints dropped
    besides.

    `moved` are positions with how far in [0, 1]. `cost` is the weight of what is dropped plus
    weight × distance of what is moved. `moved_mask` are the positions moved as a mask,
    `changed_mask` all that are not kept as they were.
    """

    moved: tuple[tuple[int, float], ...]
    dropped: frozenset[int]
    cost: float
    witness: int
    moved_mask: int
    changed_mask: int

    @classmethod
    def of(
        cls,
        moved: tuple[tuple[int, float], ...],
        dropped: frozenset[int],
        cost: float,
        witness: int,
    ) -> Shift:
        """Return a shift with its masks."""
        moved_mask = mask_of([position for position, _ in moved])
        changed_mask = moved_mask | mask_of(dropped) if dropped else moved_mask
        return cls(moved, dropped, cost, witness, moved_mask, changed_mask)


@dataclass(frozen=True)
class Closest:
    """Rows by weighted violation, closest first: places, and float64 violations.

    Unless `complete`, rows not read may be closer.
    """

    places: Places
    violations: Floats
    complete: bool = True


@dataclass(frozen=True)
class Ranked:
    """The best of `count` candidates, best first.

    `places` intp[n], `scores` float64[n], `satisfaction` float64[terms, n] in [0, 1],
    `pareto` bool[n]: no other candidate is at least as good in every term and better in one.
    Unless `complete`, rows not read may be better, and no row is said to be undominated.
    """

    count: int
    places: Places
    scores: Floats
    satisfaction: Floats
    pareto: NDArray[np.bool_]
    complete: bool = True


class Counted(NamedTuple):
    """A number of rows: a lower bound unless `exact`."""

    rows: int
    exact: bool = True


class _Share(AbstractContextManager[None]):
    """Gives a ranker a part of its time; a class, since a generator takes longer to leave."""

    def __init__(self, ranker: RowRanker, part: float) -> None:
        self._ranker, self._part = ranker, part
        self._whole = ranker.budget

    def __enter__(self) -> None:
        self._ranker.budget = self._whole.share(self._part)

    def __exit__(self, *error: object) -> None:
        self._ranker.budget = self._whole


class RowRanker(ABC):
    """Finds, measures, ranks and counts the rows of one bound query's base slice.

    Reading ends with `budget`, by default never; `stopped_by` then says so.
    """

    piece_words: int | None = None
    """Words read at a time, where threads are of no use."""

    def __init__(self, bound: BoundQuery, budget: Budget | None = None) -> None:
        self.bound = bound
        self.budget = budget or Budget(None)
        self.stopped_by: StoppedBy | None = None

    @cached_attribute
    def _base(self) -> Words:
        """The words of the rows ranked, read when they are first needed."""
        return self.bound.base.words

    @cached_attribute
    def _words(self) -> int:
        """How many words there are."""
        return len(self.bound.base.words)

    @property
    def movable(self) -> tuple[int, ...]:
        """The constraints whose bounds can be moved to a row."""
        return self.bound.movable

    def share(self, part: float) -> AbstractContextManager[None]:
        """Let what is done inside take at most this part of the time that remains."""
        return _Share(self, part)

    def _read(
        self, words: int, read: Callable[[int, int], Result], at_least: int = 0
    ) -> tuple[list[Result], bool]:
        """Return what `read` makes of pieces of so many words; see `read_pieces`."""
        results, complete = read_pieces(
            words, self.budget, read, at_least, self.piece_words, self.bound.width
        )
        if not complete:
            self.stopped_by = "deadline"
        return results, complete

    @abstractmethod
    def probe(self, probes: Sequence[RowProbe]) -> list[ProbeResult]:
        """Return the rows that each probe finds; bounds inside must be movable."""

    @abstractmethod
    def closest(self, top: int) -> Closest:
        """Return the `top` rows of least violation, among those that meet everything hard.

        A violation is weight × distance, added up over the soft constraints; ties go to the
        lower cost (`Catalog.cost_column`).
        """

    @abstractmethod
    def front(self, movable: Sequence[int], top: int) -> Places:
        """Return the `top` cheapest points of the Pareto front of distances over `movable`.

        The rows considered meet everything else, and have a finite value wherever a bound
        would have to move. Points are taken by cost, then by sum of distances; whatever a
        taken point is nowhere farther than is left out: a point that dominates another costs
        no more, so it is always taken before.
        """

    @abstractmethod
    def rank(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """Return the `top` rows by score among the `count` that meet all but what is dropped.

        No row before the place `first` is one of them. Some rows are always read. The first
        `skip` of them are left out.

        The score is the sum over all additional constraints, relaxed ones too, of weight ×
        satisfaction, plus weight × normalised value for each objective (AWARE-US, section 2.4
        and Algorithm 1). Ties go to the lower cost.
        """

    @abstractmethod
    def rank_near(
        self, dropped: frozenset[int], count: int, top: int, first: int = 0, skip: int = 0
    ) -> Ranked:
        """Return the `top` rows nearest to what is dropped among the `count` that meet the rest.

        Nearest is least weight × distance added up over what is dropped, in steps of 10⁻¹²
        (`in_steps`); ties go as in `rank`: to the higher score, then the lower cost. No row
        before the place `first` is one of them, and some rows are always read. The first `skip`
        are left out.
        """

    @abstractmethod
    def cheapest_row(self, limit: float) -> int | None:
        """Return the row whose misses cost least to give up, `limit` at most; None for none.

        Each unit that a row misses costs weight × distance, in steps of 10⁻¹², where its bound
        can move to the row's value (`BoundQuery.movable`), else its price. Of equals the row of
        fewest units missed, then of the first units, of fewest that cannot move, the first.
        """

    @abstractmethod
    def within(self, words: Words) -> RowRanker:
        """Return a ranker of the same query over fewer rows of the base slice, uint64[n]."""

    def narrowed(self, predicates: Sequence[Predicate]) -> RowRanker:
        """Return a ranker of the same query over the rows that satisfy some predicates.

        Raises `DeadlinePassed` where they are not found in time.
        """
        base, catalog = self.bound.base, self.bound.problem.catalog
        stack = base.stack([catalog.rows(predicate, self.budget) for predicate in predicates])
        return self.within(np.bitwise_and.reduce([base.words, *stack]))

    def page(
        self, kept: Sequence[Predicate], sort: Sequence[SortKey], limit: int, offset: int
    ) -> tuple[Places, RowRanker]:
        """Return a page of the rows that satisfy all predicates, in the order of columns.

        And a ranker over these rows alone.
        """
        base = self.bound.base
        numbers = sorted_numbers(self.bound.problem.catalog, kept, sort, limit, offset)
        places = np.searchsorted(base.rows.ids, numbers) if base.is_compact else numbers
        words = np.zeros(len(base.words), dtype=np.uint64)
        np.bitwise_or.at(words, places >> 6, np.uint64(1) << (places & 63).astype(np.uint64))
        return places, self.within(words)

    def fetch(self, places: Places) -> tuple[list[int], list[Row]]:
        """Return the ids of some rows, and the rows."""
        if not len(places):
            return [], []
        numbers, catalog = self.row_ids(places), self.bound.problem.catalog
        return catalog.row_ids(numbers), catalog.fetch(numbers, self.budget)

    def count_matching(self, listed: Sequence[Sequence[Predicate]]) -> list[Counted]:
        """Count the rows that satisfy all predicates of a list, for several lists."""
        return [self._count_all(predicates) for predicates in listed]

    def _count_all(self, predicates: Sequence[Predicate]) -> Counted:
        catalog = self.bound.problem.catalog
        try:
            sets = [catalog.rows(predicate, self.budget) for predicate in predicates]
            self.budget.check()
        except DeadlinePassed:
            self.stopped_by = "deadline"
            return Counted(0, exact=False)
        return Counted(len(intersection(sets, catalog.universe)))

    @abstractmethod
    def distances(self, places: Places) -> Floats:
        """Return how far rows are from meeting each constraint, float64[k, n].

        0 where it is met; for a bound the way to it over its span, at least 1e-9 and at most
        1; 1 for everything else and for NULL.
        """

    @abstractmethod
    def count_without(self, dropped: int) -> Counted:
        """Count the rows that meet all but what is dropped, a mask."""

    @abstractmethod
    def count_shifted(self, shifts: Sequence[Shift]) -> list[Counted]:
        """Count the rows that match once bounds are moved, for each shift.

        Only for columns whose numbers are exact (`BoundQuery.exact`).
        """

    def first_without(self, dropped: int) -> int | None:
        """Return the first row that meets all but what is dropped, a mask; None for none.

        By row sets alone, whatever the time: under a millisecond for 10⁶ rows.
        """
        base, words_of, width = self._base, self.bound.problem.words, self.bound.width
        kept = [words_of(position) for position in range(width) if not dropped >> position & 1]
        for start in range(0, len(base), PIECE_WORDS):
            words = base[start : start + PIECE_WORDS].copy()
            for each in kept:
                words &= each[start : start + PIECE_WORDS]
            occupied = np.flatnonzero(words)
            if len(occupied):
                bits = int(words[occupied[0]])
                return 64 * (start + int(occupied[0])) + (bits & -bits).bit_length() - 1
        return None

    def row_ids(self, places: Places) -> list[int]:
        """Return the catalog's ids of some rows."""
        return self.bound.base.row_ids(places).tolist()

    def lowest(self, places: Places, keys: Floats, top: int) -> Places:
        """Return where the `top` lowest keys stand, lowest first.

        Ties go to the lower cost, then to the first row. `places` and `keys` stand side by side.
        """
        low = np.arange(len(keys))
        if len(keys) > top:
            low, tied = split_lowest(keys, top)
            cheap, as_dear = split_lowest(self._costs(places[tied]), top - len(low))
            equal = tied[as_dear]
            first, last = split_lowest(places[equal], top - len(low) - len(cheap))
            low = np.concatenate([low, tied[cheap], equal[first], equal[last]])
        order = np.lexsort((places[low], self._costs(places[low]), keys[low]))
        return low[order]

    def nearest_first(self, places: Places, violations: Floats, scores: Floats, top: int) -> Places:
        """Return where the `top` rows of least violation stand, the best score among equals.

        Then as `lowest`. Rows stand side by side.
        """
        if len(places) <= top:
            return np.lexsort((places, self._costs(places), -scores, violations))
        nearer, tied = split_lowest(violations, top)
        best = self.lowest(places[tied], -scores[tied], top - len(nearer))
        order = np.concatenate([nearer, tied[best]])
        chosen = places[order]
        return order[np.lexsort((chosen, self._costs(chosen), -scores[order], violations[order]))]

    def _costs(self, places: Places) -> Floats:
        """Return what rows cost: infinite where unknown, 0 without a cost column."""
        column = self.bound.catalog.cost_column
        if column is None:
            return np.zeros(len(places))
        costs = self.bound.base.packed(column).at(places)
        costs[np.isnan(costs)] = np.inf
        return costs


def split_lowest(keys: Floats | Places, top: int) -> tuple[Places, Places]:
    """Return where those of the `top` lowest keys stand that are surely among them, and where
    those that are equal to the highest of these, of which as many as are wanting belong to them.

    keys: [n], of any order. All stand among the first where there are no more than `top`.
    """
    if len(keys) <= top:
        return np.arange(len(keys)), np.arange(0)
    if not top:
        return np.arange(0), np.arange(0)
    last = np.partition(keys, top - 1)[top - 1]
    return np.flatnonzero(keys < last), np.flatnonzero(keys == last)


def undominated(distances: Floats, costs: Floats, places: Places, top: int) -> list[int]:
    """Return where the `top` cheapest points stand that no other dominates, cheapest first.

    distances: float64[d, n], costs: float64[n], places: intp[n], side by side.
    """
    points, _ = points_and_rest(distances, costs, places, top)
    return [point for point in points if distances[:, point].any()]


def points_and_rest(
    distances: Floats, costs: Floats, places: Places, top: int
) -> tuple[list[int], NDArray[np.bool_]]:
    """Return what `undominated` does, and which rows none of these dominates, bool[n].

    A row that meets everything is the only point. Costs d comparisons a row and point: nothing is
    sorted or copied.
    """
    points, rest = list[int](), np.ones(len(places), dtype=np.bool_)
    sums = distances.sum(axis=0)
    while len(points) < top and rest.any():
        least = costs.min(where=rest, initial=np.inf)
        tied = np.flatnonzero(rest & (costs == least))
        tied = tied[sums[tied] == sums[tied].min()]
        first = int(tied[np.argmin(places[tied])])
        points.append(first)
        nearer = np.zeros(len(places), dtype=np.bool_)
        for along in distances:
            nearer |= along < along[first]
        rest &= nearer
    return points, rest


def in_steps(violations: Floats) -> Floats:
    """Return sums of weight × distance rounded to 10⁻¹², so that 0.1 + 0.2 equals 0.3."""
    return np.rint(violations * PRICE_UNITS) / PRICE_UNITS


def pareto_among(satisfaction: Floats, best: Places) -> NDArray[np.bool_]:
    """Return for each of the best whether no other dominates it.

    satisfaction: float64[terms, n]; best: places in it.
    """
    own = satisfaction[:, best, None]
    others = satisfaction[:, None, :]
    dominated = (others >= own).all(axis=0) & (others > own).any(axis=0)
    return np.asarray(~dominated.any(axis=-1))
