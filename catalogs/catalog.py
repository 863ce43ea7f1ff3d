"""A table of items, held in DuckDB: what can be asked about."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

import duckdb
import numpy as np
from numpy.typing import NDArray

from .base_slice import BaseSlice
from .binding import bind
from .cold_predicates import is_answerable, truth_of_numbers, truth_of_texts
from .column_copies import (
    ColumnCopies,
    Copy,
    NumberCopy,
    TextCopy,
    is_showable,
    shown_values,
)
from .column_names import check_names
from .columns import (
    Column,
    ColumnOverride,
    ColumnProfile,
    Schema,
    guess_cost_column,
    guess_desirable,
    guess_kind,
)
from .constraint import Constraint
from .errors import BadConstraint, QueryError
from .loading import TABLE, Loaded, load
from .predicate import Predicate, conjunction, quoted, where_text
from .row_set import ByteBoundedCache, RowSet, intersection
from .sources import Overrides, explain_failure, open_source

if TYPE_CHECKING:
    from collections.abc import Generator

    from duckdb import DuckDBPyConnection

OPEN_SETTINGS = (
    # Nothing is fetched from the network, and no caller's variable passes for a table.
    "autoinstall_known_extensions = false",
    "GLOBAL python_enable_replacements = false",
    # On a terminal DuckDB would draw its own on standard output, amid the answer.
    "enable_progress_bar = false",
)
LOCKED_SETTINGS = ("enable_external_access = false", "lock_configuration = true")
DEFAULT_CACHE_BYTES = 256 * 2**20
DEFAULT_COLUMN_BYTES = 2 * 2**30
WARM_READS = 2
"""Rows and texts are read from DuckDB so many times before their columns are copied."""

MAX_LISTED_VALUES = 1_000
Row = dict[str, Any]


class Catalog:
    """The items and what is known about their columns; immutable, safe across threads.

    Rows are numbered from 0 in the order of the source (`row id`). Numbers that are NaN are
    read as NULL: both mean unknown. Make one with `Catalog.open`.
    """

    def __init__(
        self,
        connection: DuckDBPyConnection,
        name: str,
        loaded: Loaded,
        cache_bytes: int,
        column_bytes: int,
        cost_column: str | None,
    ) -> None:
        self.name = name
        self.schema: Schema = loaded.schema
        self.version = 1
        self.from_clause = loaded.from_clause
        self.row_id = loaded.row_id
        self._connection = connection
        self._overrides = loaded.overrides
        self._row_sets: ByteBoundedCache[RowSet] = ByteBoundedCache(cache_bytes)
        self._slices: ByteBoundedCache[BaseSlice] = ByteBoundedCache(cache_bytes)
        self._profiles: dict[str, ColumnProfile] = {}
        self._local = threading.local()
        self.row_count = int(self._scalar(f"SELECT count(*) FROM {TABLE}"))
        self.copies = ColumnCopies(self.cursor, self.row_id, self.row_count, column_bytes)
        self._reads = 0
        self._asked: Counter[str] = Counter()
        guessed = guess_cost_column(self.schema.columns)
        self.cost_column = self.schema.find(cost_column).name if cost_column else guessed

    @classmethod
    def open(
        cls,
        source: object,
        *,
        table: str | None = None,
        columns: Mapping[str, ColumnOverride | Mapping[str, str]] | None = None,
        cost_column: str | None = None,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
        column_bytes: int = DEFAULT_COLUMN_BYTES,
    ) -> Catalog:
        """Read a source into a catalog.

        `source` is a path (.csv, .tsv, .parquet, .jsonl, .json, optionally .gz; .duckdb with
        `table`), `"sample:cars"`, a pandas or Polars frame, an Arrow table or a DuckDB
        relation. `columns` overrides what the data shows: `{"zip": {"kind": "text"}}`,
        `{"noise": {"desirable": "low"}}`. `cost_column` breaks ties between equal items
        (default: the column named like a price). `cache_bytes` bounds the row sets kept, and
        `column_bytes` the copies of columns in memory.

        Raises `UnreadableCatalog`, `UnknownTable`, `UnknownColumn`, `BadConstraint` for an
        override that cannot be.
        """
        overrides = {
            name: one if isinstance(one, ColumnOverride) else ColumnOverride.model_validate(one)
            for name, one in (columns or {}).items()
        }
        connection = duckdb.connect(":memory:")
        try:
            _configure(connection, OPEN_SETTINGS)
            name, loaded = _read(connection, source, table, overrides)
            return cls(connection, name, loaded, cache_bytes, column_bytes, cost_column)
        except BaseException:
            connection.close()
            raise

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names in order."""
        return self.schema.names

    def cursor(self) -> DuckDBPyConnection:
        """Return this thread's cursor; a DuckDB connection is not safe across threads."""
        cursor = getattr(self._local, "cursor", None)
        if cursor is None:
            cursor = self._local.cursor = self._connection.cursor()
        return cast("DuckDBPyConnection", cursor)

    def bind(self, constraint: Constraint) -> Predicate:
        """Return the constraint as a predicate on this catalog; raise a `QueryError`."""
        predicate = bind(constraint, self.schema)
        if constraint.op == "sql":
            self._check_boolean(constraint, predicate)
        return predicate

    def rows(self, predicate: Predicate) -> RowSet:
        """Return the rows that satisfy the predicate, from the cache or from DuckDB.

        Raises `QueryError` where DuckDB cannot evaluate it on some row.
        """
        return self._row_sets.get(predicate.key, lambda: self._evaluate(predicate))

    def slice(self, predicates: Iterable[Predicate]) -> RowSet:
        """Return the rows that satisfy all predicates; all rows for none."""
        return self.base_slice(predicates).rows

    def base_slice(self, predicates: Iterable[Predicate]) -> BaseSlice:
        """Return the rows that satisfy all predicates with their columns, from the cache."""
        chosen = tuple(predicates)
        return self._slices.get(
            tuple(one.key for one in chosen),
            lambda: BaseSlice(
                self, intersection([self.rows(one) for one in chosen], self.row_count)
            ),
        )

    def count(self, predicates: Sequence[Predicate]) -> int:
        """Return how many rows satisfy all predicates, counted by DuckDB."""
        condition, values = conjunction(predicates)
        return int(self._scalar(f"SELECT count(*) FROM {TABLE} WHERE {condition}", values))

    def numbers(self, column: str) -> NDArray[np.float64]:
        """Return a numeric or date column as float64[row_count], dates in seconds; NaN for NULL.

        Raises `UnknownColumn`, and `BadConstraint` for a column of another kind.
        """
        return self.number_copy(column).values

    def number_copy(self, column: str) -> NumberCopy:
        """Return the copy that `numbers` reads, with the column's ends; raises what it raises."""
        found = self.schema.find(column)
        if not found.ordered:
            way_out = f"it is of type {found.sql_type}"
            raise BadConstraint("column", found.name, "holds no numbers", way_out=way_out)
        return self.copies.numbers(found)

    def warm(self) -> None:
        """Copy every column into memory now, as far as `column_bytes` allows.

        It happens by itself as columns are asked for; a service calls it before its first query.
        """
        for column in self._copied:
            self._copy(column)
        self._reads = WARM_READS

    @property
    def _copied(self) -> list[Column]:
        wanted = ("numeric", "date", "text", "boolean")
        return [column for column in self.schema.columns if column.family in wanted]

    def _copy(self, column: Column) -> Copy:
        return self.copies.numbers(column) if column.ordered else self.copies.texts(column)

    def fetch(self, row_ids: Sequence[int]) -> list[Row]:
        """Return rows as dictionaries, in the order of the ids."""
        wanted = [int(one) for one in row_ids]
        copies: list[tuple[Column, Copy]] = []
        self._reads += 1
        if self._reads > WARM_READS and self.copies.fits(self.schema.columns):
            copies = [(column, self._copy(column)) for column in self._copied]
        ids = np.array(wanted, dtype=np.int64)
        by_name = {c.name: shown_values(c, copy, ids) for c, copy in copies if is_showable(c, copy)}
        if len(by_name) < len(self.columns):
            by_name |= self._read_values([c for c in self.columns if c not in by_name], wanted)
        names = self.columns
        rows = zip(*(by_name[name] for name in names), strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _read_values(self, names: Sequence[str], row_ids: list[int]) -> dict[str, list[Any]]:
        """Return the values of some rows by column, read from DuckDB."""
        key = quoted(self.row_id)
        # A semi-join reads only the rows wanted; a long IN list reads the table.
        found = self.cursor().execute(
            f"SELECT {key}, {', '.join(map(quoted, names))} FROM {TABLE} "
            f"WHERE {key} IN (SELECT unnest(?::BIGINT[]))",
            [row_ids],
        )
        by_id = {int(row[0]): row[1:] for row in found.fetchall()}
        return {
            name: [_plain(by_id[one][place]) for one in row_ids] for place, name in enumerate(names)
        }

    def select_text(self, predicates: Sequence[Predicate]) -> str:
        """Return a SELECT of the rows that satisfy all predicates, runnable as it stands.

        For a file it names the file; otherwise it names `self.name` and runs in `query`.
        """
        return f"SELECT *\nFROM {self.from_clause}{where_text(predicates)}"

    def query(self, sql: str) -> list[Row]:
        """Run SQL on this catalog's table, which is called by the catalog's name.

        DuckDB runs it read-only, without access to files or the network. Raises `QueryError`
        for anything but one SELECT.
        """
        cursor = self._connection.cursor()
        try:
            _check_read_only(cursor, sql)
            # A SELECT may hold an INSERT; the transaction refuses it.
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            cursor.execute(sql)
            names = [str(one[0]) for one in cursor.description or []]
            found = cursor.fetchall()
        except duckdb.Error as error:
            raise QueryError(str(error).splitlines()[0]) from None
        finally:
            cursor.close()
        return [dict(zip(names, map(_plain, row), strict=True)) for row in found]

    def profile(self, column: str) -> ColumnProfile:
        """Return what the column holds; computed once. Raises `UnknownColumn`."""
        found = self.schema.find(column)
        if found.name not in self._profiles:
            self._profiles[found.name] = self._profile(found)
        return self._profiles[found.name]

    def profiles(self) -> list[ColumnProfile]:
        """Return the profile of every column, in order."""
        return [self.profile(name) for name in self.columns]

    def values(self, column: str, limit: int | None = None) -> list[Any]:
        """Return a column's distinct values, most frequent first, then in order."""
        name = quoted(self.schema.find(column).name)
        found = self.cursor().execute(
            f"SELECT {name} FROM {TABLE} WHERE {name} IS NOT NULL GROUP BY 1 "
            f"ORDER BY count(*) DESC, 1" + (f" LIMIT {int(limit)}" if limit is not None else "")
        )
        return [_plain(row[0]) for row in found.fetchall()]

    def _scalar(self, sql: str, values: Sequence[Any] = ()) -> Any:
        with _as_query_error():
            return cast("tuple[Any]", self.cursor().execute(sql, list(values)).fetchone())[0]

    def _check_boolean(self, constraint: Constraint, predicate: Predicate) -> None:
        body = "".join(part if isinstance(part, str) else "?" for part in predicate.parts)
        with _as_query_error():
            found = self.cursor().execute(f"SELECT ({body}) FROM {TABLE} LIMIT 0", predicate.values)
        kind = str((found.description or [("", "BOOLEAN")])[0][1])
        if kind.upper() not in ("BOOLEAN", "BOOL"):
            raise BadConstraint(
                "value",
                constraint.value,
                f"gives {kind.lower()}, not yes or no",
                way_out="compare it",
            )

    def _evaluate(self, predicate: Predicate) -> RowSet:
        found = self._rows_in_memory(predicate)
        return found if found is not None else self._rows_in_duckdb(predicate)

    def _rows_in_memory(self, predicate: Predicate) -> RowSet | None:
        """Return the rows by the column's copy; None where only DuckDB can tell."""
        if predicate.test is None or not is_answerable(
            predicate.test, column := self.schema.find(predicate.columns[0])
        ):
            return None
        self._asked[column.name] += 1
        # Numbers are needed for ranking in any case; texts are copied once they are asked often.
        if not (column.ordered or self._asked[column.name] > WARM_READS):
            return None
        if not self.copies.fits([column]):
            return None
        copy = self._copy(column)
        if isinstance(copy, NumberCopy):
            met = truth_of_numbers(predicate.test, copy, nulls_match=predicate.nulls_match)
        elif isinstance(copy, TextCopy):
            met = truth_of_texts(predicate.test, copy, nulls_match=predicate.nulls_match)
        else:
            return None
        return None if met is None else RowSet.of_truth(met)

    def _rows_in_duckdb(self, predicate: Predicate) -> RowSet:
        with _as_query_error():
            found = self.cursor().execute(
                f"SELECT {quoted(self.row_id)} FROM {TABLE} WHERE {predicate.sql}",
                predicate.values,
            )
            ids = cast("dict[str, NDArray[np.int64]]", found.fetchnumpy())[self.row_id]
        return RowSet.of_ids(ids, self.row_count)

    def _profile(self, column: Column) -> ColumnProfile:
        name = quoted(column.name)
        ordered = column.family in ("numeric", "date", "text")
        ends = f"min({name}), max({name})" if ordered else "NULL, NULL"
        found = self.cursor().execute(
            f"SELECT count(*) - count({name}), count(DISTINCT {name}), {ends} FROM {TABLE}"
        )
        nulls, distinct, low, high = cast("tuple[int, int, Any, Any]", found.fetchone())
        override = self._overrides.get(column.name, ColumnOverride())
        kind = override.kind or guess_kind(column.family, distinct, self.row_count)
        desirable = override.desirable or guess_desirable(column.name, column.family)
        listed = kind in ("categorical", "boolean")
        return ColumnProfile(
            name=column.name,
            sql_type=column.sql_type,
            kind=kind,
            rows=self.row_count,
            nulls=nulls,
            distinct=distinct,
            minimum=_plain(low),
            maximum=_plain(high),
            desirable=None if desirable == "none" else desirable,
            values=tuple(self.values(column.name, MAX_LISTED_VALUES)) if listed else (),
        )


def _read(
    connection: DuckDBPyConnection, source: object, table: str | None, overrides: Overrides
) -> tuple[str, Loaded]:
    """Load the source, then shut the connection off from files, network and settings."""
    try:
        found = open_source(connection, source, table, overrides)
        try:
            loaded = load(connection, found, overrides)
            check_names(connection, source, found.from_clause, loaded.schema.names)
        finally:
            found.close()
    except (duckdb.Error, OSError, ValueError) as error:
        raise explain_failure(source, error) from None
    _configure(connection, LOCKED_SETTINGS)
    return found.name, loaded


def _configure(connection: DuckDBPyConnection, settings: Iterable[str]) -> None:
    for setting in settings:
        connection.execute(f"SET {setting}")


def _check_read_only(connection: DuckDBPyConnection, sql: str) -> None:
    kinds = [one.type for one in connection.extract_statements(sql)]
    if kinds not in ([duckdb.StatementType.SELECT], [duckdb.StatementType.EXPLAIN]):
        listed = ", ".join(kind.name for kind in kinds) or "nothing"
        raise QueryError(f"only one SELECT runs here, not {listed}", way_out="give one SELECT")


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
            way_out="check the types the expression compares",
        ) from None


def _plain(value: Any) -> Any:
    """Return a value JSON can hold: decimals as numbers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
