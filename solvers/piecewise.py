"""The histogram where time is too short to find the rows of every constraint first.

All constraints are read over a few rows at a time, so that whenever the deadline comes the masks of
the rows before are right. After the first rows it is found out whether any row meets everything,
which takes a fraction of reading all.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..catalogs.deadline import NEVER, Deadline, DeadlinePassed
from ..catalogs.query.predicate import FEW_VALUES, is_comparison
from ..catalogs.versions.piecewise_reading import PiecewiseReading
from .histogram import MaskHistogram
from .limits import Budget
from .mask_counting import counting_for
from .masks import Masks
from .problem import Problem
from .rows_read import RowsRead

AMPLE = 4
"""There is ample time to read where this many times as much is left as reading may take."""

CERTAIN_SECONDS = 12.5e-3
"""Where reading takes less, as of 20 columns in memory at 10⁶ rows, the rows of every constraint
are found whatever the time, if there was any when the question began."""

KNOWN_SHARE = 0.75
"""The part of the time for what kernels answer at once."""

FIRST_WORDS = 256
"""Words read before anything else: 16,384 rows, so that some repair is known."""

CERTAIN_WORDS = 1 << 14
"""Up to so many words of columns in memory, 2²⁰ rows, the verdict takes 2 to 5 ms: it is found
whatever the time, if there was any when the question began."""

CERTAIN_DEADLINE = 25e-3
"""So it is by DuckDB, which takes 10 to 20 ms, for a question that was given so many seconds or
more: however late it is that its rows are read, on a machine that has other things to do."""

COMPARED = 20
"""The most comparisons that DuckDB makes in that time."""

LISTED = 12_000
"""The most values that it compares with in that time."""

MOST_LISTS = 4
"""The most long lists that it looks rows up in, each of which may take 10 ms."""

VERDICT_SHARE = 0.7
"""The part of what then remains for finding out whether any row meets everything."""


def time_to_read(problem: Problem, budget: Budget) -> Budget | None:
    """Return until when to find the rows of every constraint; None where time is too short."""
    remaining = budget.remaining
    if remaining >= AMPLE * problem.most_seconds_to_read:
        # As a rule; `read_in_time` looks closer should time run out all the same.
        return budget
    seconds = problem.seconds_to_read()
    if remaining and seconds <= CERTAIN_SECONDS:
        return budget.whatever_the_time()
    return budget if remaining >= AMPLE * seconds else None


def read_in_time(problem: Problem, until: Budget) -> bool:
    """Have the rows of every constraint, and return whether there was time to find them.

    There is always where it takes little, unless none was given.
    """
    try:
        problem.read(until, until.threads)
    except DeadlinePassed:
        if not until.given or problem.seconds_to_read() > CERTAIN_SECONDS:
            return False
        problem.read(until.whatever_the_time(), until.threads)
    return True


def read_piecewise(
    problem: Problem, budget: Budget, *, by_kernels: bool, in_duckdb: bool = False
) -> MaskHistogram:
    """Return the histogram of as many rows as the budget lets read, with the verdict if possible.

    `in_duckdb` leaves every predicate to DuckDB, whatever is in memory.
    """
    return _Piecewise(problem, budget, by_kernels, in_duckdb).histogram()


class _Piecewise:
    def __init__(self, problem: Problem, budget: Budget, by_kernels: bool, in_duckdb: bool) -> None:
        catalog = problem.catalog
        predicates = (*problem.base_predicates, *problem.predicates)
        self.problem, self.budget = problem, budget
        self.reading: PiecewiseReading = catalog.piecewise(predicates, in_duckdb=in_duckdb)
        self.counting = counting_for(
            problem.width, catalog.universe, by_kernels=by_kernels, until=budget
        )
        among_base = len(problem.base_predicates)
        self.base_terms = self.reading.words[:among_base]
        self.stack = self.reading.words[among_base:]
        self.total = -(-catalog.universe // 64)
        self.base: Masks = np.zeros(self.total, dtype=np.uint64)
        self.done = 0
        self.found: int | None = None
        self.decided = False

    def histogram(self) -> MaskHistogram:
        try:
            is_compared_soon = self._is_compared_soon()
            if not is_compared_soon:
                self.budget.check()
            # The first rows of columns in memory take less than a millisecond, by DuckDB 3 to 5.
            certain = is_compared_soon or not self.reading.asked
            self._read(min(FIRST_WORDS, self.total), NEVER if certain else self.budget)
            is_soon = not self.reading.asked and self.total <= CERTAIN_WORDS
            self.reading.look_up(self.done, self.budget.share(KNOWN_SHARE), to_the_end=is_soon)
            if not self.reading.is_left:
                among_base = len(self.base_terms)
                self.problem.take(self.reading.row_sets[among_base:])
            # A pass over words alone takes a fraction of a millisecond.
            is_certain = is_soon or not self.reading.is_left or is_compared_soon
            self._decide(NEVER if is_certain else self.budget.share(VERDICT_SHARE))
            step = self.reading.piece_words
            while self.done < self.total:
                self.budget.check()
                self._read(min(self.total, self.done + step), self.budget)
        except DeadlinePassed:
            return self._partial()
        self.reading.keep(self.budget)
        histogram = self.counting.histogram()
        if self.problem.is_read:
            return histogram
        # A repair chosen needs its witness, though there was no time to keep all.
        return replace(histogram, rows_read=RowsRead(self.base, self.stack, None, self.found))

    def _read(self, stop: int, until: Deadline) -> None:
        """Count the rows up to a word."""
        start = self.done
        self.reading.read(start, stop, until)
        self.base[start:stop] = self.reading.rows.flat[start:stop]
        for words in self.base_terms[:, start:stop]:
            self.base[start:stop] &= words
        self.counting.add(self.base, self.stack, start, stop, self.budget)
        self.done = stop

    def _is_compared_soon(self) -> bool:
        """Return whether DuckDB will find a row, or that there is none, in a bounded time."""
        few = self.total <= CERTAIN_WORDS and len(self.reading.predicates) <= COMPARED
        return (
            few
            and self.budget.given >= CERTAIN_DEADLINE
            and all(map(is_comparison, self.reading.predicates))
            and self._lists_are_few()
        )

    def _lists_are_few(self) -> bool:
        """Return whether looking rows up in all lists takes no longer than that."""
        listed = [len(predicate.values) for predicate in self.reading.predicates]
        long = [length for length in listed if length > FEW_VALUES]
        return len(long) <= MOST_LISTS and sum(long) <= LISTED

    def _decide(self, until: Deadline) -> None:
        if self.done == self.total:
            return
        try:
            self.found = self.reading.find(self.done, until)
            self.decided = True
        except DeadlinePassed:
            self.decided = False

    def _partial(self) -> MaskHistogram:
        rows_read = RowsRead(self.base[: self.done], self.stack, None, self.found)
        among_base, known = len(self.base_terms), self.reading.known
        if all(position in known for position in range(among_base)):
            base = [known[position][: self.total] for position in range(among_base)]
            whole = np.bitwise_and.reduce([self.reading.rows.flat[: self.total], *base])
            asked = {i - among_base: words for i, words in known.items() if i >= among_base}
            rows_read = replace(rows_read, whole=whole, known=asked)
        histogram = replace(self.counting.histogram("deadline"), rows_read=rows_read)
        return histogram.with_verdict(self.found is not None) if self.decided else histogram
