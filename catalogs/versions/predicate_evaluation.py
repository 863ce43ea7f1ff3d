"""Which rows satisfy a predicate: read from an index, from a column in memory, or by DuckDB.

The result of an earlier version is taken over where few rows were touched since: the predicate
is evaluated on those alone.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from ..errors import QueryError
from ..query.predicate import Predicate, ValueTest
from ..query.schema import Column
from ..storage.versioned_table import VersionedTable
from ..vectors.byte_bounded_cache import VersionedCache
from ..vectors.column_vectors import Copy, NumberCopy, ObjectCopy, TextCopy
from ..vectors.row_numbering import LongIds
from ..vectors.row_set import KERNEL_ROWS, RowSet
from ..vectors.text_rows import rows_of_objects, rows_of_texts
from ..vectors.vectorized_predicates import (
    intervals_of,
    is_answerable,
    truth_of_numbers,
    truth_of_texts,
)
from .snapshot_state import WARM_READS, ReadCounts
from .snapshot_vectors import SnapshotVectors

Truth = NDArray[np.bool_]


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

    def rows(self, predicate: Predicate) -> RowSet:
        """Return the rows that satisfy the predicate, from the cache where they are known."""
        return self._row_sets.at(
            predicate.key,
            self._vectors.version,
            lambda: self._evaluated(predicate),
            lambda since, rows: self._renewed(predicate, since, rows),
            lambda rows: rows.is_quick,
        )

    def _evaluated(self, predicate: Predicate) -> RowSet:
        rows = self.rows_in_memory(predicate)
        return self.rows_in_duckdb(predicate) if rows is None else rows

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

    def rows_in_memory(self, predicate: Predicate) -> RowSet | None:
        """Return the rows by the column's copy; None where only DuckDB can tell."""
        column = self._answering_column(predicate)
        if column is None:
            return None
        self._reads.by_column[column.name] += 1
        if not self._is_in_memory(column):
            return None
        copy = self._vectors.copy(column)
        rows = self._by_kernels(predicate, column, copy) if self._universe > KERNEL_ROWS else None
        if rows is not None and not self._numbering.deleted_rows:
            rows.is_quick = True
        if rows is None:
            truth = truth_in(copy, predicate)
            rows = None if truth is None else RowSet.of_truth(truth)
        return None if rows is None else self._numbering.only_rows(rows)

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
        return (is_wanted or store.holds(column)) and store.fits([column])

    def _by_kernels(self, predicate: Predicate, column: Column, copy: Copy) -> RowSet | None:
        """Return the rows without an array of a cell a row; None where kernels cannot tell.

        A bound is read from the index, a few texts are looked for by their codes or hashes.
        """
        test, nulls_match = cast("ValueTest", predicate.test), predicate.nulls_match
        if isinstance(copy, TextCopy):
            return rows_of_texts(test, copy, nulls_match=nulls_match)
        if isinstance(copy, ObjectCopy):
            is_text = column.sql_type == "VARCHAR"
            return rows_of_objects(test, copy, nulls_match=nulls_match) if is_text else None
        intervals = intervals_of(test, copy, nulls_match=nulls_match)
        if intervals is None or not (bounds := self._vectors.bounds(column.name)).index.has_detail:
            return None
        return bounds.between(*intervals)

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
        return truth_in(known[1], predicate)

    def _truth_in_duckdb(self, predicate: Predicate, numbers: LongIds) -> Truth:
        """Return which of some rows satisfy a predicate by asking DuckDB."""
        row_ids = self._numbering.row_ids(numbers)
        condition = f"{self._table.row_id} IN (SELECT unnest(?::BIGINT[])) AND {predicate.sql}"
        return np.isin(row_ids, self._select(condition, [row_ids.tolist(), *predicate.values]))

    def rows_in_duckdb(self, predicate: Predicate) -> RowSet:
        """Return the rows by asking DuckDB."""
        row_ids = self._select(predicate.sql, predicate.values)
        return RowSet.of_ids(self._numbering.numbers(row_ids), self._universe)

    def _select(self, condition: str, values: Sequence[Any]) -> LongIds:
        """Return the row ids of the rows that meet a condition in SQL."""
        rows = self._table.rows_at(self._vectors.version)
        with as_query_error():
            result = self._table.cursor().execute(
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
