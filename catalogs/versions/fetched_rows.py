"""Rows as dictionaries, and what a column holds.

Rows come from the columns in memory, once they are fetched often, else from DuckDB: microseconds a
row, or 2 to 4 ms a reading at 10⁶ rows. A profile is one reading for counts and ends, and one for
the values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..deadline import NEVER, Deadline
from ..json_values import Row, plain
from ..query.predicate import quoted
from ..query.schema import Column, ColumnOverride, ColumnProfile, guess_desirable, guess_kind
from ..storage.versioned_table import VersionedTable
from ..vectors.column_vectors import is_showable, shown_values
from ..vectors.row_numbering import LongIds
from .predicate_evaluation import AMPLE, SECONDS_ELSEWHERE
from .snapshot_state import WARM_READS, ReadCounts
from .snapshot_vectors import WIDE, SnapshotVectors

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_LISTED_VALUES = 1_000
"""Distinct values that a profile lists."""


class RowReader:
    """Reads rows of one version, without the columns that are hidden; safe across threads."""

    def __init__(
        self,
        table: VersionedTable,
        vectors: SnapshotVectors,
        reads: ReadCounts,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self._table, self._vectors, self._reads, self._hidden = table, vectors, reads, hidden

    def fetch(self, numbers: Sequence[int], until: Deadline = NEVER) -> list[Row]:
        """Return rows by their numbers and in their order, whatever the time.

        Columns are copied for it only where there is ample time.
        """
        if not len(numbers):
            return []
        places = np.asarray(numbers, dtype=np.int64)
        self._reads.fetches += 1
        names = [name for name in self._vectors.schema.names if name not in self._hidden]
        values = self._in_memory(places, until)
        if len(values) < len(names):
            row_ids = self._vectors.numbering.row_ids(places).tolist()
            values |= self._in_duckdb([name for name in names if name not in values], row_ids)
        rows = zip(*[values[name] for name in names], strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def by_id(self, row_ids: Sequence[int]) -> list[Row | None]:
        """Return rows by their row ids, None for one that is not there."""
        wanted = np.array([_id_or_none(row_id) for row_id in row_ids], dtype=np.int64)
        numbers = self._vectors.numbering.numbers(wanted)
        rows = iter(self.fetch(numbers[numbers >= 0].tolist()))
        return [next(rows) if number >= 0 else None for number in numbers.tolist()]

    def _in_memory(self, places: LongIds, until: Deadline) -> dict[str, list[Any]]:
        """Return the values of some rows by column, as far as columns in memory have them."""
        store = self._vectors.store
        columns = [each for each in self._vectors.copyable if each.name not in self._hidden]
        held = [(each, copy) for each in columns if (copy := store.held(each.name)) is not None]
        missing = len(columns) - len(held)
        if missing and self._are_copied(len(columns), missing, until):
            held = [(column, store.copy(column)) for column in columns]
        return {
            column.name: shown_values(column, copy, places)
            for column, copy in held
            if is_showable(column, copy)
        }

    def _are_copied(self, columns: int, missing: int, until: Deadline) -> bool:
        """Return whether so many columns are copied where so many are not in memory yet."""
        if columns > WIDE or not self._vectors.store.fits(self._vectors.schema.columns):
            # A page of items is no reason to copy hundreds of columns, or to push others out.
            return False
        seconds = SECONDS_ELSEWHERE * self._vectors.universe * missing
        return self._reads.fetches > WARM_READS and until.remaining >= AMPLE * seconds

    def _in_duckdb(self, names: Sequence[str], row_ids: list[int]) -> dict[str, list[Any]]:
        """Return the values of some rows by column, read from DuckDB."""
        key = self._table.row_id
        # A semi-join reads only the rows wanted; a long IN list reads the table.
        result = self._table.cursor().execute(
            f"SELECT {key}, {', '.join(map(quoted, names))} "
            f"FROM {self._table.rows_at(self._vectors.version)} "
            f"WHERE {key} IN (SELECT unnest(?::BIGINT[]))",
            [row_ids],
        )
        by_id = {int(row[0]): row[1:] for row in result.fetchall()}
        return {
            name: [plain(by_id[row_id][place]) for row_id in row_ids]
            for place, name in enumerate(names)
        }


def _id_or_none(row_id: int) -> int:
    """Return a row id that fits 64 bits; −1 for one that cannot be any row's."""
    return int(row_id) if 0 <= row_id < 2**63 else -1


def distinct_values(
    cursor: DuckDBPyConnection, rows_clause: str, column: Column, limit: int | None = None
) -> list[Any]:
    """Return a column's distinct values, or those in its lists, most frequent first, in order."""
    name = value = quoted(column.name)
    if column.family == "list":
        rows_clause, value = f"(SELECT unnest({name}) AS value FROM {rows_clause})", "value"
    result = cursor.execute(
        f"SELECT {value} FROM {rows_clause} WHERE {value} IS NOT NULL GROUP BY 1 "
        f"ORDER BY count(*) DESC, 1" + (f" LIMIT {int(limit)}" if limit is not None else "")
    )
    return [plain(row[0]) for row in result.fetchall()]


def profile_of(
    cursor: DuckDBPyConnection, rows_clause: str, column: Column, override: ColumnOverride
) -> ColumnProfile:
    """Return what a column holds in the rows of a FROM clause."""
    name = quoted(column.name)
    ordered = column.family in ("numeric", "date", "text")
    ends = f"min({name}), max({name})" if ordered else "NULL, NULL"
    distinct_values_of = f"unnest({name})" if column.family == "list" else name
    different = (
        f"(SELECT count(DISTINCT v) FROM (SELECT {distinct_values_of} AS v FROM {rows_clause}))"
    )
    result = cursor.execute(
        f"SELECT count(*), count(*) - count({name}), {different}, {ends} FROM {rows_clause}"
    )
    rows, nulls, distinct, low, high = cast("tuple[int, int, int, Any, Any]", result.fetchone())
    kind = override.kind or guess_kind(column.family, distinct, rows)
    desirable = override.desirable or guess_desirable(column.name, column.family)
    is_listed = kind in ("categorical", "boolean", "list")
    values = distinct_values(cursor, rows_clause, column, MAX_LISTED_VALUES) if is_listed else ()
    return ColumnProfile(
        name=column.name,
        sql_type=column.sql_type,
        kind=kind,
        rows=rows,
        nulls=nulls,
        distinct=distinct,
        minimum=plain(low),
        maximum=plain(high),
        desirable=None if desirable == "none" else desirable,
        values=tuple(values),
        unit=column.unit,
    )
