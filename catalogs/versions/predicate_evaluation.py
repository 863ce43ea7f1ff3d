"""Which rows satisfy a predicate: read from an index, from a column in memory, or by DuckDB.

The result of an earlier version is taken over where few rows were touched since: the predicate
is evaluated on those alone.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from ..deadline import NEVER, Deadline
from ..errors import QueryError
from ..interrupts import interrupted_at
from ..query.predicate import Predicate, ValueTest, conjunction
from ..query.schema import Column
from ..storage.versioned_table import VersionedTable
from ..vectors.array_types import Words
from ..vectors.bitmap_index import IndexedColumn
from ..vectors.byte_bounded_cache import VersionedCache
from ..vectors.column_vectors import Copy, NumberCopy, ObjectCopy, TextCopy
from ..vectors.kernel_use import kernels_are_used
from ..vectors.number_rows import is_decided, is_listed, rows_of_numbers
from ..vectors.packed_rows import rows_between
from ..vectors.row_numbering import LongIds
from ..vectors.row_set import RowSet, words_for
from ..vectors.text_rows import rows_of_objects, rows_of_texts
from ..vectors.vectorized_predicates import (
    Interval,
    hides_nulls,
    intervals_of,
    is_answerable,
    truth_of_numbers,
    truth_of_texts,
)
from .measured_rows import DistanceReader
from .snapshot_state import WARM_READS, ReadCounts
from .snapshot_vectors import SnapshotVectors

Truth = NDArray[np.bool_]

LONG = 100
"""A list of more values takes some 50 ns a row."""

PIECE = 1 << 17
"""Rows of a column read between two looks at the clock; a multiple of 64."""

SECONDS_BY_KERNEL = 0.6e-9
"""What evaluating a predicate takes, for each row of a column in memory, by a kernel, or less."""

SECONDS_BY_TABLE = 4e-9
"""What a long list of numbers takes, whose cells a kernel looks for in a hash table."""

SECONDS_IN_MEMORY = 2e-9
"""What it takes by NumPy, or less."""

SECONDS_ELSEWHERE = 75e-9
"""What it takes where the column is copied and indexed first, or DuckDB is asked."""

AMPLE = 4
"""There is ample time for something where this many times as much is left."""


class PredicateEvaluator:
    """Evaluates predicates on one version; safe across threads."""

    def __init__(
        self,
        table: VersionedTable,
        vectors: SnapshotVectors,
        row_sets: VersionedCache[RowSet],
        reads: ReadCounts,
    ) -> None:
        self._table, self._vectors, self._reads = table, vectors, reads
        self._row_sets = row_sets
        self._numbering, self._universe = vectors.numbering, vectors.universe
        self._touched_values: dict[str, tuple[int, Copy]] = {}

    def rows(self, predicate: Predicate, until: Deadline = NEVER) -> RowSet:
        """Return the rows that satisfy the predicate, from the cache where they are known.

        Raises `DeadlinePassed` where they are not found in time.
        """
        return self._row_sets.at(
            predicate.key,
            self._vectors.version,
            lambda: self._evaluated(predicate, until),
            lambda since, rows: self._renewed(predicate, since, rows),
            lambda rows: rows.is_quick,
        )

    def write(self, predicate: Predicate, words: Words, until: Deadline = NEVER) -> None:
        """Write the rows that satisfy the predicate, a bit a row, whatever was there before.

        What an index tells for the first time is written there at once instead of copied. Raises
        `DeadlinePassed` where the rows are not found in time.
        """
        found = self._in_index(predicate, until)
        if found is None or not self._row_sets.is_asked_first(predicate.key):
            words[:] = self.rows(predicate, until).flat[: len(words)]
            return
        until.check()
        self._reads.by_column[predicate.columns[0]] += 1
        indexed, intervals = found
        indexed.write_between(intervals, words)

    def _in_index(
        self, predicate: Predicate, until: Deadline
    ) -> tuple[IndexedColumn, Sequence[Interval]] | None:
        """Return the index that tells which rows satisfy a predicate, and what to look for there.

        None where `rows` has to look elsewhere.
        """
        test = predicate.test
        if test is None or predicate.measured is not None or is_listed(test):
            return None
        if self._numbering.deleted_rows:
            return None
        copy = self.copy_for(predicate) if kernels_are_used(self._universe) else None
        if not isinstance(copy, NumberCopy):
            return None
        intervals = intervals_of(test, copy, nulls_match=predicate.nulls_match)
        if intervals is None:
            return None
        indexed = self._index(predicate.columns[0], until)
        return None if indexed is None else (indexed, intervals)

    def known(self, predicate: Predicate) -> RowSet | None:
        """Return the rows that satisfy the predicate where they are known by now."""
        version = self._vectors.version
        kept = self._row_sets.find(predicate.key)
        return kept.value if kept is not None and kept.version == version else None

    def keep(self, predicate: Predicate, rows: RowSet) -> None:
        """Hold the rows that satisfy a predicate, found elsewhere."""
        self._row_sets.at(
            predicate.key, self._vectors.version, lambda: rows, lambda since, before: rows
        )

    def _evaluated(self, predicate: Predicate, until: Deadline) -> RowSet:
        until.check()
        rows = None
        if predicate.measured is not None:
            # Not kept: in a circle of references a catalog would wait for the collector of garbage.
            distances = DistanceReader(self._vectors, self._truth_in_duckdb)
            rows = distances.rows(predicate, until)
        if rows is None:
            rows = self.rows_in_memory(predicate, until)
        return self.rows_in_duckdb(predicate, until) if rows is None else rows

    def _renewed(self, predicate: Predicate, since: int, rows: RowSet) -> RowSet | None:
        """Return the rows of an earlier version brought up to this one."""
        touched = self._vectors.touched(since, predicate.columns)
        if touched is None:
            return None
        truth = self._truth_in_memory(predicate, since, touched)
        if truth is None:
            truth = self._truth_in_duckdb(predicate, touched)
        if self._numbering.deleted_rows:
            truth &= self._numbering.rows.within(touched)
        return rows.patched(touched, truth, self._universe)

    def copy_for(self, predicate: Predicate) -> Copy | None:
        """Return the copy of the column that may answer the predicate, if it is in memory."""
        column = self._answering_column(predicate)
        copy = None if column is None else self._vectors.held(column.name)
        if column is None or copy is None or hides_nulls(predicate.test, column, copy):
            return None
        return copy

    def is_quick(self, predicate: Predicate) -> bool:
        """Return whether `rows` takes one call of a kernel: by an index, codes, or the column."""
        copy = self.copy_for(predicate) if kernels_are_used(self._universe) else None
        if copy is None or not isinstance(copy, NumberCopy):
            return copy is not None
        test = cast("ValueTest", predicate.test)
        return is_decided(test, copy) and not is_listed(test)

    def seconds_for(self, predicate: Predicate) -> float:
        """Return an upper estimate of how long `rows` takes now."""
        if self.known(predicate) is not None:
            return 0.0
        if self.is_quick(predicate):
            return self._universe * SECONDS_BY_KERNEL
        copy, by_kernels = self.copy_for(predicate), kernels_are_used(self._universe)
        if by_kernels and isinstance(copy, NumberCopy):
            is_read = is_decided(cast("ValueTest", predicate.test), copy)
            return self._universe * (SECONDS_BY_TABLE if is_read else SECONDS_ELSEWHERE)
        is_read = copy is not None and not by_kernels
        return self._universe * (SECONDS_IN_MEMORY if is_read else SECONDS_ELSEWHERE)

    def rows_in_memory(self, predicate: Predicate, until: Deadline = NEVER) -> RowSet | None:
        """Return the rows by the column's copy; None where only DuckDB can tell."""
        column = self._answering_column(predicate)
        if column is None:
            return None
        self._reads.by_column[column.name] += 1
        if not self._is_in_memory(column):
            return None
        copy = self._vectors.copy(column, until)
        if hides_nulls(predicate.test, column, copy):
            return None
        by_kernels = kernels_are_used(self._universe)
        rows = self._by_kernels(predicate, column, copy, until) if by_kernels else None
        if rows is None:
            rows = self._in_pieces(predicate, copy, until)
        elif predicate.test is not None and not is_listed(predicate.test):
            return self._found_quickly(rows)
        return None if rows is None else self._numbering.only_rows(rows)

    def rows_between(self, column: str, low: float, high: float, until: Deadline) -> RowSet:
        """Return the rows whose number lies from `low` to `high`, by kernels.

        Raises `DeadlinePassed` where time is short.
        """
        until.check()
        self._reads.by_column[column] += 1
        copy = self._vectors.number_copy(column)
        return self._found_quickly(self._between(column, copy, [(low, high)], until))

    def _found_quickly(self, rows: RowSet) -> RowSet:
        """Return those of some rows that exist, found in less time than keeping them is worth."""
        rows.is_quick = not self._numbering.deleted_rows
        return self._numbering.only_rows(rows)

    def _answering_column(self, predicate: Predicate) -> Column | None:
        """Return the column whose copy may answer the predicate; None for none."""
        if predicate.test is None:
            return None
        column = self._vectors.schema.find(predicate.columns[0])
        return column if is_answerable(predicate.test, column) else None

    def _is_in_memory(self, column: Column) -> bool:
        # Numbers are needed for ranking in any case; texts are copied once they are asked often.
        store = self._vectors.store
        is_wanted = column.ordered or self._reads.by_column[column.name] > WARM_READS
        return (is_wanted or store.holds(column.name)) and store.fits([column])

    def _in_pieces(self, predicate: Predicate, copy: Copy, until: Deadline) -> RowSet | None:
        """Return the rows by reading all of a copy; None where doubles cannot tell."""
        octets = np.zeros(math.prod(words_for(self._universe)) * 8, dtype=np.uint8)
        is_long = predicate.test is not None and len(predicate.test.values) > LONG
        for start, stop in until.pieces(self._universe, PIECE // 4 if is_long else PIECE):
            truth = truth_in(copy.taken(slice(start, stop)), predicate)
            if truth is None:
                return None
            octets[start // 8 : -(-stop // 8)] = np.packbits(truth, bitorder="little")
        words = octets.view(np.uint64).reshape(words_for(self._universe))
        return RowSet.of_words(words, self._universe)

    def _by_kernels(
        self, predicate: Predicate, column: Column, copy: Copy, until: Deadline
    ) -> RowSet | None:
        """Return the rows without an array of a cell a row; None where kernels cannot tell.

        A bound is read from the index or from the column, a long list of numbers is looked for in
        a hash table, a few texts by their codes or hashes. Raises `DeadlinePassed`.
        """
        test, nulls_match = cast("ValueTest", predicate.test), predicate.nulls_match
        if isinstance(copy, TextCopy):
            return rows_of_texts(test, copy, nulls_match=nulls_match)
        if isinstance(copy, ObjectCopy):
            is_text = column.sql_type == "VARCHAR"
            return rows_of_objects(test, copy, nulls_match=nulls_match) if is_text else None
        intervals = intervals_of(test, copy, nulls_match=nulls_match)
        if intervals is None:
            return rows_of_numbers(test, copy, nulls_match=nulls_match, until=until)
        return self._between(column.name, copy, intervals, until)

    def _between(
        self, column: str, copy: NumberCopy, intervals: Sequence[Interval], until: Deadline
    ) -> RowSet:
        """Return the rows whose number lies in one of some intervals."""
        indexed = self._index(column, until)
        if indexed is not None:
            return indexed.between(*intervals)
        return rows_between(copy.packed, intervals, copy.buckets if copy.has_buckets else None)

    def _index(self, column: str, until: Deadline) -> IndexedColumn | None:
        """Return a column's index where that lists its rows and there is time to make it."""
        in_time = self._vectors.indexes_in_time(column, until)
        indexed = self._vectors.index(column) if in_time else None
        return indexed if indexed is not None and indexed.index.has_detail else None

    def _truth_in_memory(self, predicate: Predicate, since: int, touched: LongIds) -> Truth | None:
        """Return which of the rows touched satisfy a predicate; see `rows_in_memory`."""
        column = self._answering_column(predicate)
        if column is None or not self._is_in_memory(column):
            return None
        known = self._touched_values.get(column.name)
        if known is None or known[0] != since:
            # A dozen predicates ask for the same rows.
            known = since, self._vectors.copy(column).taken(touched)
            self._touched_values[column.name] = known
        if hides_nulls(predicate.test, column, known[1]):
            return None
        return truth_in(known[1], predicate)

    def _truth_in_duckdb(self, predicate: Predicate, numbers: LongIds) -> Truth:
        """Return which of some rows satisfy a predicate by asking DuckDB."""
        row_ids = self._numbering.row_ids(numbers)
        sql, values = predicate.fewest_marks
        condition = f"{self._table.row_id} IN (SELECT unnest(?::BIGINT[])) AND {sql}"
        return np.isin(row_ids, self._select(condition, [row_ids.tolist(), *values]))

    def rows_in_duckdb(self, predicate: Predicate, until: Deadline = NEVER) -> RowSet:
        """Return the rows by asking DuckDB."""
        row_ids = self._select(*predicate.fewest_marks, until)
        return RowSet.of_ids(self._numbering.numbers(row_ids), self._universe)

    def first_row(self, predicates: Sequence[Predicate], until: Deadline = NEVER) -> int | None:
        """Return the number of some row that satisfies all predicates, None if none does.

        By one statement of DuckDB that ends with the first row. Raises `DeadlinePassed`.
        """
        condition, values = conjunction(predicates, fewest_marks=True)
        found = self._select(f"{condition} LIMIT 1", values, until)
        return int(self._numbering.numbers(found)[0]) if len(found) else None

    def _select(self, condition: str, values: Sequence[Any], until: Deadline = NEVER) -> LongIds:
        """Return the row ids of the rows that meet a condition in SQL."""
        rows = self._table.rows_at(self._vectors.version)
        cursor = self._table.cursor()
        with as_query_error(), interrupted_at(cursor, until):
            result = cursor.execute(
                f"SELECT {self._table.row_id} FROM {rows} WHERE {condition}", values
            )
            (row_ids,) = cast("dict[str, LongIds]", result.fetchnumpy()).values()
            return row_ids


def truth_in(copy: Copy, predicate: Predicate) -> Truth | None:
    """Return which rows of a column's copy satisfy a predicate; None where it cannot tell."""
    if predicate.test is None:
        return None
    if isinstance(copy, NumberCopy):
        return truth_of_numbers(predicate.test, copy, nulls_match=predicate.nulls_match)
    if isinstance(copy, TextCopy):
        return truth_of_texts(predicate.test, copy, nulls_match=predicate.nulls_match)
    return None


@contextmanager
def as_query_error() -> Generator[None]:
    """Turn what DuckDB cannot evaluate into one line of ours."""
    try:
        yield
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise QueryError(
            f"the catalog cannot evaluate this: {str(error).splitlines()[0]}",
            hint="check the types the expression compares",
        ) from None
