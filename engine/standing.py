"""Whether an answer still stands after rows have changed, without asking again.

An answer follows from few rows: those it shows and counts, the ends of the columns it measures
by, and which subsets of the constraints any row meets. A write seldom touches one of those. What
it did touch is known (`TouchedRows`); each such row is looked at as it was and as it became.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..catalogs.catalog import Catalog
from ..catalogs.passing import Passing, PassingTests
from ..catalogs.touched_rows import TouchedRows
from ..solvers.histogram import mask_of
from ..solvers.limits import Verdict
from .answer import Status
from .rows import SAME_SCORE
from .search import Found

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_WIDTH = 10
"""Answers to more constraints are not kept standing: a count for every subset is held."""

MAX_IN_SLICE = 65_536
MAX_ROWS = 8_192
"""Where more rows were touched asking again costs as little: with a base slice, and without."""

ROUNDING = 1e-9
"""Sums of distances may differ by this much, relative to them, from the order they are made in."""


@dataclass(frozen=True, eq=False)
class Tests:
    """The tests of the base, then those of the constraints, as `matters` takes them."""

    base: int
    places: Longs
    starts: Longs
    lows: Floats
    highs: Floats
    negated: NDArray[np.uint8]
    nulls: NDArray[np.uint8]
    read_by: tuple[tuple[int, object], ...]
    """For each column read its place, and what `TouchedRows.known` has to say of it."""

    @classmethod
    def of(cls, base: int, tests: list[Passing], more: set[int]) -> Tests:
        """Return tests as arrays; numbers are read from the columns at the places `more` too."""
        intervals = [one for test in tests for one in test.intervals]
        ends = _side_by_side(intervals)
        read_by = dict.fromkeys(more, True) | {one.place: one.read_by for one in tests}
        return cls(
            base,
            np.array([one.place for one in tests], dtype=np.int64),
            np.cumsum([0, *(len(one.intervals) for one in tests)], dtype=np.int64),
            ends[0],
            ends[1],
            np.array([one.negated for one in tests], dtype=np.uint8),
            np.array([one.nulls for one in tests], dtype=np.uint8),
            tuple(read_by.items()),
        )

    def are_readable(self, rows: TouchedRows) -> bool:
        """Return whether the columns of some rows mean what they meant to these tests."""
        return all(rows.known[place] is meaning for place, meaning in self.read_by)


@dataclass(frozen=True, eq=False)
class Relevance:
    """Which rows matter to an answer, whatever the version; see `solvers.standing_kernel`."""

    tests: Tests
    bound_columns: Longs
    bound_numbers: Floats
    hard: int
    apart: Longs
    reach: float
    term_columns: Longs
    term_numbers: Floats
    least: float
    end_columns: Longs
    ends: Floats
    from_clause: str

    def matters(self, rows: Floats, sign: int, counts: Longs, held: Longs) -> bool:
        """Return whether any of some rows that came or went may matter; count them all."""
        from ..solvers.standing_kernel import matters

        tests = self.tests
        return matters(
            rows, sign, tests.base, tests.places, tests.starts, tests.lows, tests.highs,
            tests.negated, tests.nulls, self.bound_columns, self.bound_numbers, self.hard,
            self.apart, self.reach, self.term_columns, self.term_numbers, self.least,
            self.end_columns, self.ends, counts, held,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Standing:
    """What tells whether an answer of one version is that of a later one.

    `counts`, int64[2^k], are the rows of the base slice that meet at least each subset, `held`,
    int64[2, e], some of those that have the ends of the columns measured by. Where
    `satisfied`, those that meet everything and everything but one may have changed, and nothing
    else of the answer; otherwise only the version it names.
    """

    version: int
    satisfied: bool
    counts: Longs
    held: Longs
    relevance: Relevance

    @property
    def nbytes(self) -> int:
        """The memory held, about."""
        return self.counts.nbytes + 4_096

    @property
    def count(self) -> int:
        """The rows that meet everything."""
        return int(self.counts[-1])

    @property
    def drop_one_counts(self) -> list[int]:
        """The rows that meet everything but one, for each."""
        full = len(self.counts) - 1
        return [int(self.counts[full ^ 1 << one]) for one in range(full.bit_length())]

    def at(self, catalog: Catalog) -> Standing | None:
        """Return what stands at the present version of a catalog; None if the answer may not.

        Looks at no row but those touched since: some 0.1 µs each.
        """
        now = catalog.snapshot()
        if now.version == self.version:
            return self
        later = now.known.history.rows_between(self.version, now.version)
        if later is None or now.from_clause != self.relevance.from_clause:
            return None
        most = MAX_IN_SLICE if self.relevance.tests.base else MAX_ROWS
        if sum(rows.count for rows in later) > most:
            return None
        counts, held = self.counts.copy(), self.held.copy()
        for rows in later:
            if not self.relevance.tests.are_readable(rows):
                return None
            for touched, sign in ((rows.before, -1), (rows.after, 1)):
                if self.relevance.matters(touched, sign, counts, held):
                    return None
        if not self.satisfied and not np.array_equal(counts != 0, self.counts != 0):
            return None
        if held.size and held.min() < 1:
            # Others may have those ends; to find out takes as long as asking again.
            return None
        return replace(self, version=now.version, counts=counts, held=held)

    def prepare(self, catalog: Catalog) -> None:
        """Compile what `at` runs."""
        nothing = np.zeros((len(catalog.schema.columns), 0))
        self.relevance.matters(nothing, 1, self.counts.copy(), self.held.copy())


def standing(found: Found, top: int) -> Standing | None:
    """Return what tells whether the answer to what was found still stands; None if nothing can.

    `top` is how many of each kind were asked for.
    """
    case, diagnosis = found.case, found.diagnosis
    catalog, plan = case.plan.problem.catalog, case.plan
    if not (plan.is_large and plan.width <= MAX_WIDTH and diagnosis.base_rows):
        return None
    if found.stopped_by is not None or not diagnosis.histogram.complete:
        return None
    problem = plan.problem
    tests = PassingTests(catalog)
    passing = [tests.of(one) for one in (*problem.base_predicates, *problem.predicates)]
    known = [one for one in passing if one is not None]
    if len(known) < len(passing):
        return None
    places = {name: place for name, (place, _) in tests.places.items()}
    columns = plan.columns
    measured = [places[one.column] if one.direction else -1 for one in plan.terms]
    ended = {bound.column.name for bound in plan.bounds if bound is not None}
    ended |= {one.column for one in plan.terms if one.direction}
    ends = {name: plan.base.ends(name) for name in sorted(ended)}
    satisfied = diagnosis.verdict is Verdict.SAT
    relevance = Relevance(
        tests=Tests.of(len(problem.base_predicates), known, {places[name] for name in ended}),
        bound_columns=np.array(
            [-1 if one is None else places[one.column.name] for one in plan.bounds], dtype=np.int64
        ),
        bound_numbers=np.array([columns.lows, columns.highs, columns.spans, columns.weights]),
        hard=plan.hard_mask,
        apart=np.array([] if satisfied else [*_apart(found, top)], dtype=np.int64),
        reach=-math.inf if satisfied else _reach(found, top),
        term_columns=np.array([columns.directions, measured], dtype=np.int64),
        term_numbers=np.array([columns.term_lows, columns.term_highs, columns.term_weights]),
        least=_least(found, top) if satisfied else math.inf,
        end_columns=np.array([places[name] for name in ends], dtype=np.int64),
        # Of a column without a value the first that comes lies outside.
        ends=_side_by_side([one or (math.inf, -math.inf) for one in ends.values()]),
        from_clause=catalog.from_clause,
    )
    held = _side_by_side([plan.base.drawn_ends(name) for name in ends], np.int64)
    return Standing(catalog.version, satisfied, diagnosis.histogram.subset_counts, held, relevance)


def _apart(found: Found, top: int) -> Iterator[int]:
    """Yield masks: a row that contains one of them is shown, counted or may be a witness."""
    case, full = found.case, found.case.plan.full
    yield full
    for position in range(case.width):
        yield full ^ 1 << position
    for one in found.drops:
        yield full & ~mask_of(one.dropped)
    if found.status is Status.SAT_AFTER_RELAXATION:
        yield full & ~mask_of(found.dropped)
    if len(found.moves) < top:
        # Then any point of the front is shown.
        yield full & ~mask_of(case.plan.movable)


def _reach(found: Found, top: int) -> float:
    """Return the violation up to which a row may be a near miss, or the witness of a shift."""
    if len(found.closest.places) < top:
        return math.inf
    reach = float(found.closest.violations[-1])
    if len(found.moves) == top:
        reach = max(reach, found.moves[-1].cost)
    return reach * (1 + ROUNDING) + ROUNDING


def _least(found: Found, top: int) -> float:
    """Return the score from which a row may be shown, or dominate one that is."""
    if len(found.ranked.places) < top:
        return -math.inf
    return float(found.ranked.scores[-1]) - SAME_SCORE - ROUNDING


def _side_by_side(pairs: list[tuple[Any, Any]], kind: type[Any] = np.float64) -> NDArray[Any]:
    """Return pairs as an array [2, n], in one layout for one kernel."""
    return np.array(pairs, dtype=kind).reshape(-1, 2).T.copy()
