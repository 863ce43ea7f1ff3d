"""One version of a catalog: whatever is asked of it, and whenever, it answers the same."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Generator, Hashable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from .base_slice import BaseSlice
from .bound_index import DETAIL_BYTES, STEPS, BoundIndex, Bounds
from .buckets import Buckets
from .catalog import Catalog, Row
from .cold_predicates import FEW, intervals_of, is_answerable, truth_of_numbers, truth_of_texts
from .column_copies import Copy, NumberCopy, TextCopy, is_showable, shown_values
from .column_store import ColumnStore
from .columns import (
    Column,
    ColumnProfile,
)
from .constraint import Constraint
from .errors import BadConstraint, QueryError
from .facts import Facts, Known
from .item_table import ItemTable
from .lazy import lazy
from .numbering import LongIds
from .plain_values import plain
from .predicate import Predicate, ValueTest, conjunction, equality, quoted, where_text
from .profiling import profile_of
from .row_set import KERNEL_ROWS, ByteBoundedCache, RowSet, intersection
from .select_only import rows_of_select
from .store import State

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

WARM_READS = 2
"""Rows and texts are read from DuckDB so many times before their columns are copied."""


class Snapshot(Catalog):
    """One version of a catalog; immutable, safe across threads.

    It stays as it is, and readable, for as long as anybody holds it. It is a catalog in every
    way but that it cannot be written to.
    """

    def __init__(self, table: ItemTable, facts: Facts, known: Known | None = None) -> None:
        self.table = table
        self.known = Known(facts) if known is None else known
        self.facts = facts
        self._binder = self.known.binder(facts.schema)
        self.copies = ColumnStore(
            table.cursor,
            partial(table.rows_at, facts.version),
            table.row_id,
            facts.numbering,
            facts.column_bytes,
        )
        self._slices: ByteBoundedCache[BaseSlice] = ByteBoundedCache(facts.cache_bytes)
        self.known_profiles: dict[str, ColumnProfile] = {}
        self._bounds: dict[str, Bounds] = {}
        self._touched: dict[tuple[int, tuple[str, ...]], LongIds | None] = {}
        self._taken: dict[str, tuple[int, Copy]] = {}
        self._making = threading.Lock()
        self.reads = 0
        self.asked: Counter[str] = Counter()

    @property
    def state(self) -> State:
        """The version, and the next row id to give."""
        return State(self.version, self.facts.numbering.next_id)

    @property
    def rows_clause(self) -> str:
        """A FROM clause of the rows with their row ids, for statements run now."""
        return self.table.rows_at(self.version)

    def snapshot(self) -> Snapshot:
        """Return this version itself."""
        return self

    def cursor(self) -> DuckDBPyConnection:
        """Return this thread's cursor; a DuckDB connection is not safe across threads."""
        return self.table.cursor()

    def bind(self, constraint: Constraint) -> Predicate:
        """See `Catalog.bind`."""
        predicate = self._binder.bind(constraint)
        if constraint.op == "sql":
            self._check_boolean(constraint, predicate)
        return predicate

    def rows(self, predicate: Predicate) -> RowSet:
        """See `Catalog.rows`."""
        return self.known.row_sets.get(
            predicate.key,
            self.version,
            lambda: self._evaluate(predicate),
            lambda since, rows: self._renewed(predicate, since, rows),
        )

    def _renewed(self, predicate: Predicate, since: int, rows: RowSet) -> RowSet | None:
        """Return the rows of an earlier version brought up to this one."""
        touched = self.touched(since, predicate.columns)
        if touched is None:
            return None
        found = self._truth_in_memory(predicate, since, touched)
        if found is None:
            found = self._truth_in_duckdb(predicate, touched)
        if self.facts.numbering.holes:
            found &= self.facts.numbering.rows.within(touched)
        return rows.patched(touched, found, self.universe)

    def touched(self, since: int, columns: Sequence[str]) -> LongIds | None:
        """Return the numbers touched since an earlier version; see `History.touched`."""
        key = since, tuple(columns)
        if key not in self._touched:
            self._touched[key] = self.known.history.touched(since, columns, self.universe)
        return self._touched[key]

    def bounds(self, column: str) -> Bounds:
        """Return an ordered column with its index, which earlier versions may have made."""
        name = self._ordered(column).name
        if name not in self._bounds:
            values = self.number_copy(name).values
            index = self.known.indexes.get(name)
            touched = None
            if index is not None and index.version <= self.version:
                touched = self.touched(index.version, [name])
            if index is None or touched is None:
                self.reindex(name)
            else:
                self._bounds[name] = Bounds(values, index, touched)
        return self._bounds[name]

    def reindex(self, column: str) -> None:
        """Make the index of an ordered column anew, for this version and later ones."""
        values = self.number_copy(column).values
        index = self._indexed(values)
        self._bounds[column] = Bounds(values, index, np.zeros(0, dtype=np.int64))
        self._share(column, index)

    def _indexed(self, values: NDArray[np.float64]) -> BoundIndex:
        """Return an index such that those of all columns take half of the columns' memory."""
        ordered = sum(column.ordered for column in self.schema.columns)
        a_row = self.facts.column_bytes // (4 * max(1, self.universe) * ordered)
        steps = max(1, min(STEPS, 8 * a_row))
        return BoundIndex.of(values, self.version, steps, detail=a_row >= DETAIL_BYTES)

    def _share(self, column: str, index: BoundIndex) -> None:
        """Let other versions have an index, unless they know a newer one."""
        held = self.known.indexes.get(column)
        if held is None or held.version < index.version:
            self.known.indexes[column] = index

    def base_slice(self, predicates: Iterable[Predicate]) -> BaseSlice:
        """See `Catalog.base_slice`."""
        chosen = tuple(predicates)
        key = tuple(one.key for one in chosen)
        return self._slices.get(key, lambda: self._slice(key, chosen)).held_by(self)

    def _slice(self, key: Hashable, predicates: Sequence[Predicate]) -> BaseSlice:
        made = BaseSlice(self, self._common(predicates))
        if not made.is_compact or self.universe <= KERNEL_ROWS:
            return made.held_by(None)

        def renewed(since: int, before: BaseSlice) -> BaseSlice | None:
            touched = self.touched(since, self.columns)
            if touched is None:
                return None
            made.take_over(before, touched)
            return made.held_by(None)

        return self.known.slices.get(key, self.version, lambda: made.held_by(None), renewed)

    def _common(self, predicates: Sequence[Predicate]) -> RowSet:
        if not predicates:
            return self.facts.numbering.rows
        return intersection([self.rows(one) for one in predicates], self.universe)

    def count(self, predicates: Sequence[Predicate]) -> int:
        """See `Catalog.count`."""
        condition, values = conjunction(predicates)
        return int(
            self._scalar(f"SELECT count(*) FROM {self.rows_clause} WHERE {condition}", values)
        )

    def number_copy(self, column: str) -> NumberCopy:
        """See `Catalog.number_copy`."""
        return self.copies.numbers(self._ordered(column))

    def ends(self, column: str) -> tuple[float, float] | None:
        """Return the least and the greatest finite value of an ordered column; None without."""
        return self.copies.ends(self._ordered(column))

    def buckets(self, column: str) -> Buckets:
        """Return an ordered column as bytes."""
        copy = self.number_copy(column)
        with self._making:
            return copy.buckets

    def _ordered(self, column: str) -> Column:
        found = self.schema.find(column)
        if not found.ordered:
            hint = f"it is of type {found.sql_type}"
            raise BadConstraint("column", found.name, "holds no numbers", hint=hint)
        return found

    def warm(self) -> None:
        """See `Catalog.warm`."""
        for column in self.copied:
            self.copies.copy(column)
            if column.ordered and self.universe > KERNEL_ROWS:
                self.bounds(column.name)
                self.buckets(column.name)
        self.reads = WARM_READS

    @lazy
    def copied(self) -> list[Column]:
        """The columns that can be held in memory."""
        wanted = ("numeric", "date", "text", "boolean")
        return [column for column in self.schema.columns if column.family in wanted]

    def fetch(self, numbers: Sequence[int]) -> list[Row]:
        """See `Catalog.fetch`."""
        wanted = np.array([int(one) for one in numbers], dtype=np.int64)
        copies: list[tuple[Column, Copy]] = []
        self.reads += 1
        if self.reads > WARM_READS and self.copies.fits(self.schema.columns):
            copies = [(column, self.copies.copy(column)) for column in self.copied]
        by_name = {
            c.name: shown_values(c, copy, wanted) for c, copy in copies if is_showable(c, copy)
        }
        names = self.columns
        if len(by_name) < len(names):
            row_ids = self.facts.numbering.row_ids(wanted).tolist()
            by_name |= self._read_values([c for c in names if c not in by_name], row_ids)
        rows = zip(*[by_name[name] for name in names], strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _read_values(self, names: Sequence[str], row_ids: list[int]) -> dict[str, list[Any]]:
        """Return the values of some rows by column, read from DuckDB."""
        key = self.table.row_id
        # A semi-join reads only the rows wanted; a long IN list reads the table.
        found = self.cursor().execute(
            f"SELECT {key}, {', '.join(map(quoted, names))} FROM {self.rows_clause} "
            f"WHERE {key} IN (SELECT unnest(?::BIGINT[]))",
            [row_ids],
        )
        by_id = {int(row[0]): row[1:] for row in found.fetchall()}
        return {
            name: [plain(by_id[one][place]) for one in row_ids] for place, name in enumerate(names)
        }

    def row_ids(self, numbers: Sequence[int] | NDArray[np.integer]) -> list[int]:
        """See `Catalog.row_ids`."""
        return self.facts.numbering.row_ids(np.asarray(numbers, dtype=np.int64)).tolist()

    def rows_by_id(self, row_ids: Sequence[int]) -> list[Row | None]:
        """See `Catalog.rows_by_id`."""
        wanted = np.array([_id_or_none(one) for one in row_ids], dtype=np.int64)
        numbers = self.facts.numbering.numbers(wanted)
        found = iter(self.fetch(numbers[numbers >= 0].tolist()))
        return [next(found) if number >= 0 else None for number in numbers.tolist()]

    def query(self, sql: str) -> list[Row]:
        """See `Catalog.query`."""
        cursor = self.table.connection.cursor()
        try:
            if self.table.marks is not None:
                # A view of this connection alone, and of this version alone.
                cursor.execute(
                    f"CREATE TEMP VIEW {quoted(self.name)} AS SELECT * EXCLUDE "
                    f"({self.table.row_id}) FROM {self.rows_clause}"
                )
            return rows_of_select(cursor, sql)
        finally:
            cursor.close()

    def select_text(self, predicates: Sequence[Predicate]) -> str:
        """See `Catalog.select_text`."""
        return f"SELECT *\nFROM {self.from_clause}{where_text(predicates)}"

    def profile(self, column: str) -> ColumnProfile:
        """See `Catalog.profile`."""
        found = self.schema.find(column)
        if found.name not in self.known_profiles:
            self.known_profiles[found.name] = profile_of(self, found)
        return self.known_profiles[found.name]

    def values(self, column: str, limit: int | None = None) -> list[Any]:
        """See `Catalog.values`."""
        name = quoted(self.schema.find(column).name)
        found = self.cursor().execute(
            f"SELECT {name} FROM {self.rows_clause} WHERE {name} IS NOT NULL GROUP BY 1 "
            f"ORDER BY count(*) DESC, 1" + (f" LIMIT {int(limit)}" if limit is not None else "")
        )
        return [plain(row[0]) for row in found.fetchall()]

    def upsert(
        self, rows: Iterable[Mapping[str, Any]], key: str | Sequence[str] | None = None
    ) -> int:
        """Refuse: a snapshot does not change."""
        raise _standing_still(self)

    def delete(self, row_ids: Iterable[int]) -> int:
        """Refuse: a snapshot does not change."""
        raise _standing_still(self)

    def reload(self, source: object = None, *, table: str | None = None) -> int:
        """Refuse: a snapshot does not change."""
        raise _standing_still(self)

    def compact(self) -> None:
        """Refuse: a snapshot does not change."""
        raise _standing_still(self)

    def save_index(self) -> None:
        """Refuse: the catalog it was taken from keeps the index."""
        raise _standing_still(self)

    def close(self) -> None:
        """Leave the catalog it was taken from as it is."""

    def _scalar(self, sql: str, values: Sequence[Any] = ()) -> Any:
        with _as_query_error():
            return cast("tuple[Any]", self.cursor().execute(sql, list(values)).fetchone())[0]

    def _check_boolean(self, constraint: Constraint, predicate: Predicate) -> None:
        plain = replace(predicate, nulls_match=False)
        sql = f"SELECT {plain.sql} FROM {self.table.relation} LIMIT 0"
        with _as_query_error():
            found = self.cursor().execute(sql, plain.values)
        kind = str((found.description or [("", "BOOLEAN")])[0][1])
        if kind.upper() not in ("BOOLEAN", "BOOL"):
            raise BadConstraint(
                "value",
                constraint.value,
                f"gives {kind.lower()}, not yes or no",
                hint="compare it",
            )

    def _evaluate(self, predicate: Predicate) -> RowSet:
        found = self.rows_in_memory(predicate)
        return found if found is not None else self.rows_in_duckdb(predicate)

    def rows_in_memory(self, predicate: Predicate) -> RowSet | None:
        """Return the rows by the column's copy; None where only DuckDB can tell."""
        if predicate.test is None or not is_answerable(
            predicate.test, column := self.schema.find(predicate.columns[0])
        ):
            return None
        self.asked[column.name] += 1
        if not self._is_in_memory(column):
            return None
        copy = self.copies.copy(column)
        found = self._by_index(predicate, copy) if self.universe > KERNEL_ROWS else None
        if found is not None:
            return self.facts.numbering.only_rows(found)
        met = truth_in(copy, predicate)
        return None if met is None else self.facts.numbering.only_rows(RowSet.of_truth(met))

    def _by_index(self, predicate: Predicate, copy: Copy) -> RowSet | None:
        """Return the rows from what is known of the column's values; None where that is not all.

        A bound is read from the index, a list of texts is put together from the rows of each.
        """
        test, (column,) = cast("ValueTest", predicate.test), predicate.columns
        if isinstance(copy, NumberCopy):
            intervals = intervals_of(test, copy, nulls_match=predicate.nulls_match)
            if intervals is None or not (bounds := self.bounds(column)).index.has_detail:
                return None
            return bounds.between(*intervals)
        if test.op != "in" or predicate.nulls_match or not 0 < len(test.values) <= FEW:
            return None
        sets = [self.rows(equality(column, one)) for one in test.values]
        return RowSet.of_words(np.bitwise_or.reduce([one.words for one in sets]), self.universe)

    def _is_in_memory(self, column: Column) -> bool:
        # Numbers are needed for ranking in any case; texts are copied once they are asked often.
        is_wanted = column.ordered or self.asked[column.name] > WARM_READS
        return is_wanted and self.copies.fits([column])

    def _truth_in_memory(
        self, predicate: Predicate, since: int, touched: LongIds
    ) -> NDArray[np.bool_] | None:
        """Return which of the rows touched satisfy a predicate; see `rows_in_memory`."""
        if predicate.test is None or not is_answerable(
            predicate.test, column := self.schema.find(predicate.columns[0])
        ):
            return None
        if not self._is_in_memory(column):
            return None
        taken = self._taken.get(column.name)
        if taken is None or taken[0] != since:
            # A dozen predicates ask for the same rows.
            taken = since, self.copies.copy(column).taken(touched)
            self._taken[column.name] = taken
        return truth_in(taken[1], predicate)

    def _truth_in_duckdb(self, predicate: Predicate, numbers: LongIds) -> NDArray[np.bool_]:
        """Return which of some rows satisfy a predicate by asking DuckDB."""
        row_id, row_ids = self.table.row_id, self.facts.numbering.row_ids(numbers)
        with _as_query_error():
            found = self.cursor().execute(
                f"SELECT {row_id} FROM {self.rows_clause} WHERE {row_id} IN "
                f"(SELECT unnest(?::BIGINT[])) AND {predicate.sql}",
                [row_ids.tolist(), *predicate.values],
            )
            ids = cast("dict[str, NDArray[np.int64]]", found.fetchnumpy())[self.row_id]
        return np.isin(row_ids, ids)

    def rows_in_duckdb(self, predicate: Predicate) -> RowSet:
        """Return the rows by asking DuckDB."""
        with _as_query_error():
            found = self.cursor().execute(
                f"SELECT {self.table.row_id} FROM {self.rows_clause} WHERE {predicate.sql}",
                predicate.values,
            )
            ids = cast("dict[str, NDArray[np.int64]]", found.fetchnumpy())[self.row_id]
        return RowSet.of_ids(self.facts.numbering.numbers(ids), self.universe)


def truth_in(copy: Copy, predicate: Predicate) -> NDArray[np.bool_] | None:
    """Return which rows of a column's copy satisfy a predicate; None where it cannot tell."""
    if predicate.test is None:
        return None
    if isinstance(copy, NumberCopy):
        return truth_of_numbers(predicate.test, copy, nulls_match=predicate.nulls_match)
    if isinstance(copy, TextCopy):
        return truth_of_texts(predicate.test, copy, nulls_match=predicate.nulls_match)
    return None


def _standing_still(snapshot: Snapshot) -> QueryError:
    problem = f"this is version {snapshot.version} of {snapshot.name!r}, which does not change"
    return QueryError(problem, hint="write to the catalog it was taken from")


def _id_or_none(row_id: int) -> int:
    """Return a row id that fits 64 bits; −1 for one that cannot be any row's."""
    return int(row_id) if 0 <= row_id < 2**63 else -1


@contextmanager
def _as_query_error() -> Generator[None]:
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
