"""Reads all of some predicates over a few rows at a time, so that a short deadline leaves answers.

A column in memory is compared where it is; whatever is not there, DuckDB is asked for the rows of
the piece: 2 to 5 ms for 65,536 rows and 6 to 16 predicates, where copying one column takes 25.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from ..deadline import Deadline, DeadlinePassed
from ..interrupts import interrupted_at
from ..query.constraint import LISTS
from ..query.predicate import Predicate, quoted
from ..storage.versioned_table import VersionedTable
from ..vectors.array_types import Words
from ..vectors.column_vectors import Copy, NumberCopy
from ..vectors.packed_numbers import PackedNumbers
from ..vectors.recycled_memory import zeros_in_pages
from ..vectors.row_set import RowSet, words_for
from .predicate_evaluation import (
    LONG,
    PredicateEvaluator,
    Truth,
    as_query_error,
    truth_in,
)
from .snapshot_vectors import SnapshotVectors

PIECE_WORDS = 1_024
"""Words of each predicate read at a time: 65,536 rows."""

PLAIN_NUMBERS = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER", "DOUBLE")
)
"""Types of which every value is a double."""

ASKED_AT_ONCE = 8
"""Predicates that DuckDB is asked for whole pieces; for more, pieces get smaller."""


class PiecewiseReading:
    """The words of predicates over all rows of a version, filled in from the first row on.

    `words` is uint64[len(predicates), n], by number of the row; those of rows not yet read are
    zeros. Rows that are deleted meet nothing.
    """

    def __init__(
        self,
        table: VersionedTable,
        vectors: SnapshotVectors,
        evaluator: PredicateEvaluator,
        predicates: Sequence[Predicate],
        *,
        in_duckdb: bool = False,
    ) -> None:
        self._table, self._vectors, self._evaluator = table, vectors, evaluator
        self.predicates = tuple(predicates)
        self.universe = vectors.universe
        self.rows = vectors.numbering.rows
        rows, row = words_for(self.universe)
        self.words: Words = zeros_in_pages((len(self.predicates), rows * row), np.uint64)
        self.known: dict[int, Words] = {}
        """The words of all rows for predicates whose rows are known."""
        self._sets: dict[int, RowSet] = {}
        self.copies: dict[int, Copy] = {}
        self.asked: list[int] = []
        """Positions of the predicates that DuckDB is asked about."""
        self._in_duckdb = in_duckdb
        if in_duckdb:
            self.asked.extend(range(len(self.predicates)))
            return
        for position, predicate in enumerate(self.predicates):
            self._begin(position, predicate)

    def _begin(self, position: int, predicate: Predicate) -> None:
        known = self._evaluator.known(predicate)
        if known is not None:
            self._know(position, known)
            return
        copy = self._evaluator.copy_for(predicate)
        if copy is None or truth_in(copy.taken(slice(0, 0)), predicate) is None:
            self.asked.append(position)
        else:
            self.copies[position] = copy

    def look_up(self, start: int, until: Deadline, *, to_the_end: bool) -> None:
        """Find the rows of the predicates that a kernel answers at once, as time allows.

        Begins with those that fewest rows pass of the words before `start`, which are read. With
        `to_the_end` goes on, whatever the time, while some row passes all of those found.
        """
        if self._in_duckdb:
            return
        met = self._met(self.known.values(), 0)
        for position in self._fewest_first([*self.copies, *self.asked], start):
            if until.expired and not (to_the_end and met.any()):
                break
            predicate = self.predicates[position]
            if self._evaluator.is_quick(predicate):
                rows = self._evaluator.rows(predicate, until.whatever_the_time())
                self._know(position, rows)
                met = met & rows.flat[: len(met)]
        self.copies = {i: copy for i, copy in self.copies.items() if i not in self.known}
        self.asked = [i for i in self.asked if i not in self.known]

    def _fewest_first(self, positions: Iterable[int], start: int) -> list[int]:
        """Return positions of predicates, those first that fewest rows pass before a word."""
        passing = np.bitwise_count(self.words[:, :start]).sum(axis=1, dtype=np.int64)
        return sorted(positions, key=passing.__getitem__)

    def _know(self, position: int, rows: RowSet) -> None:
        self._sets[position], self.known[position] = rows, rows.flat

    @property
    def row_sets(self) -> list[RowSet]:
        """The rows of each predicate, where nothing is left to read."""
        return [self._sets[position] for position in range(len(self.predicates))]

    @property
    def is_left(self) -> bool:
        """Whether the rows of some predicate have to be read."""
        return bool(self.copies or self.asked)

    @property
    def piece_words(self) -> int:
        """The words that take some milliseconds to read."""
        return max(64, PIECE_WORDS * ASKED_AT_ONCE // max(ASKED_AT_ONCE, len(self.asked)))

    def read(self, start: int, stop: int, until: Deadline) -> None:
        """Fill in the words from `start` to before `stop`; raise `DeadlinePassed` late."""
        first, end = 64 * start, min(64 * stop, self.universe)
        for position, known in self.known.items():
            self.words[position, start:stop] = known[start:stop]
        for position, copy in self.copies.items():
            until.check()
            truth = truth_in(copy.taken(slice(first, end)), self.predicates[position])
            self._put(position, start, truth)
        if self.asked and first < end:
            for position, truth in zip(self.asked, self._ask(first, end, until), strict=True):
                self._put(position, start, truth)
        self.words[:, start:stop] &= self.rows.flat[start:stop]

    def _put(self, position: int, start: int, truth: Truth | None) -> None:
        assert truth is not None
        octets = self.words[position, start:].view(np.uint8)
        packed = np.packbits(truth, bitorder="little")
        octets[: len(packed)] = packed

    def _ask(self, first: int, end: int, until: Deadline) -> list[Truth]:
        """Return which of the rows from `first` to before `end` satisfy each of `asked`.

        Raises `DeadlinePassed` late.
        """
        chosen = [self.predicates[position] for position in self.asked]
        values = self._fetched([self._expression(each) for each in chosen], first, end, until)
        truths: list[Truth] = []
        for each, found in zip(chosen, values, strict=True):
            truth = _listed(each, found) if self._is_long_list(each) else found
            if truth is None:
                # Only DuckDB can tell, for instance where a number is none.
                (truth,) = self._fetched([_truth_of(each)], first, end, until)
            truths.append(np.asarray(truth, dtype=np.bool_))
        return truths

    def _expression(self, predicate: Predicate) -> tuple[str, Sequence[Any]]:
        """Return what to ask for: whether rows satisfy a predicate, or their numbers themselves.

        DuckDB reads a list of 5,000 values for 5 to 10 ms, for each piece again.
        """
        if self._is_long_list(predicate):
            return quoted(predicate.columns[0]), ()
        return _truth_of(predicate)

    def _is_long_list(self, predicate: Predicate) -> bool:
        """Return whether a predicate compares plain numbers with a long list of such."""
        test = predicate.test
        if test is None or test.op not in LISTS or len(test.values) <= LONG or self._in_duckdb:
            return False
        return self._vectors.schema.find(predicate.columns[0]).sql_type in PLAIN_NUMBERS

    def _fetched(
        self,
        asked: Sequence[tuple[str, Sequence[Any]]],
        first: int,
        end: int,
        until: Deadline,
    ) -> list[Any]:
        """Return expressions over the rows from `first` to before `end`, an array each.

        Rows that are deleted have zeros; NULLs are masked.
        """
        listed = ", ".join(f"{expression} AS v{i}" for i, (expression, _) in enumerate(asked))
        numbering, row_id = self._vectors.numbering, self._table.row_id
        low, high = numbering.row_ids(np.array([first, end - 1])).tolist()
        statement = (
            f"SELECT {row_id} AS i, {listed} FROM {self._table.rows_at(self._vectors.version)} "
            f"WHERE {row_id} BETWEEN {low} AND {high}"
        )
        cursor = self._table.cursor()
        with as_query_error(), interrupted_at(cursor, until):
            values = [value for _, bound in asked for value in bound]
            columns = cast("dict[str, Any]", cursor.execute(statement, values).fetchnumpy())
        places = numbering.numbers(columns["i"]) - first
        found: list[Any] = []
        for i in range(len(asked)):
            column = columns[f"v{i}"]
            arrays: Any = np.ma if np.ma.is_masked(column) else np
            spread = arrays.zeros(end - first, dtype=column.dtype)
            spread[places] = column
            found.append(spread)
        return found

    def keep(self, until: Deadline) -> None:
        """Hand the rows of every predicate, all read by now, to the cache, as time allows."""
        for position in range(len(self.predicates)):
            if until.expired:
                return
            if self._evaluator.known(self.predicates[position]) is not None:
                continue
            words = self.words[position].reshape(words_for(self.universe))
            rows = RowSet.of_words(words.copy(), self.universe)
            self._evaluator.keep(self.predicates[position], rows)

    def find(self, start: int, until: Deadline) -> int | None:
        """Return the number of some row that satisfies every predicate; None if none does.

        The words before `start` are read by now. Of columns in memory ever fewer rows are
        compared, by the predicate that most rows read so far fail first; else DuckDB looks for
        one row. Raises `DeadlinePassed` where neither is known in time.
        """
        found = _first(self._met(self.words[:, :start], 0), 0)
        if found is not None:
            return found
        met = self._met(self.known.values(), start)
        found = _first(met, start)
        if found is None or not self.is_left:
            return found
        if self.asked:
            if any(map(_takes_long_to_plan, self.predicates)):
                raise DeadlinePassed
            return self._evaluator.first_row(self.predicates, until)
        order = self._fewest_first(self.copies, start)
        # As many words as hold the rows of a piece that are left.
        rows = int(np.bitwise_count(met).sum(dtype=np.int64))
        for begin, end in until.pieces(len(met), PIECE_WORDS * 64 * len(met) // rows):
            found = self._find_in(met[begin:end], start + begin, order)
            if found is not None:
                return found
        return None

    def _met(self, every: Iterable[Words], start: int) -> Words:
        """Return the words, from `start` on, of the rows that lie in all of some words.

        Those are as many as there are words to read, or only the first.
        """
        stop = self.words.shape[1]
        met = self.rows.flat[:stop]
        for words in every:
            met = met[: len(words)] & words[:stop]
        return met[start:]

    def _find_in(self, met: Words, start: int, order: Sequence[int]) -> int | None:
        """Return the first row that meets the predicates in order, of those in some words."""
        occupied = np.flatnonzero(met)
        bits = np.unpackbits(met[occupied].view(np.uint8), bitorder="little")
        within = np.flatnonzero(bits)
        places = 64 * (start + occupied[within >> 6]) + (within & 63)
        for position in order:
            if not len(places):
                return None
            truth = truth_in(self.copies[position].taken(places), self.predicates[position])
            assert truth is not None
            places = places[truth]
        return int(places[0]) if len(places) else None


def _truth_of(predicate: Predicate) -> tuple[str, Sequence[Any]]:
    """Return SQL for whether a row satisfies a predicate, and the values bound in it.

    As the condition of a CASE an expression is evaluated as in a WHERE, row by row.
    """
    sql, values = predicate.fewest_marks
    return f"CASE WHEN {sql} THEN TRUE ELSE FALSE END", values


def _takes_long_to_plan(predicate: Predicate) -> bool:
    """Return whether DuckDB plans a predicate for longer than there is time."""
    return len(predicate.fewest_marks[1]) > LONG


def _listed(predicate: Predicate, numbers: Any) -> Truth | None:
    """Return which numbers, NULLs masked, a list holds, or not; None where one is not finite."""
    doubles = np.ma.filled(np.ma.asarray(numbers).astype(np.float64), np.nan)
    if not np.isfinite(doubles[~np.ma.getmaskarray(np.ma.asarray(numbers))]).all():
        return None
    return truth_in(NumberCopy(PackedNumbers(doubles), True), predicate)


def _first(words: Words, start: int) -> int | None:
    """Return the number of the first row in some words, the first of which is word `start`."""
    occupied = np.flatnonzero(words)
    if not len(occupied):
        return None
    bits = int(words[occupied[0]])
    return 64 * (start + int(occupied[0])) + (bits & -bits).bit_length() - 1
