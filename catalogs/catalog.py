"""A handle on the present version of a table of items, and its one writer.

Reading delegates to the present `Snapshot`; a write makes the next one beside it and publishes it
by one assignment.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from .errors import CatalogError, UnknownColumn, UnreadableCatalog
from .json_values import Row
from .keyboard_interrupt import interruptible_class
from .query.constraint import Constraint
from .query.predicate import Predicate
from .query.presentation import NOTHING_SAID, Presentation
from .query.schema import ColumnOverride, ColumnProfile, Schema
from .remote.remote_sources import is_path, is_remote

if TYPE_CHECKING:
    import numpy as np
    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

    from .query.dictionary import Dictionary, DictionarySource
    from .query.travel_times import TravelSource
    from .storage.durable_table import Store
    from .vectors.column_vectors import NumberCopy
    from .vectors.row_set import RowSet
    from .versions.base_slice import BaseSlice
    from .versions.opening import OpenOptions
    from .versions.publication import Publication, Subscription
    from .versions.snapshot import Snapshot

DEFAULT_CACHE_BYTES = 256 * 2**20
DEFAULT_COLUMN_BYTES = 2 * 2**30

REMEMBERED = 256
"""Replaced versions whose time of replacement is kept; bounds the age of a stale answer."""


@interruptible_class
class Catalog:
    """The items and what is known about their columns; safe across threads.

    It always stands at one version, a `Snapshot`, which never changes. `upsert`, `delete` and
    `reload` publish the next one at once and whole; a question runs to its end on the snapshot
    it began with. Questions never wait for a write, and writes take turns. Several questions
    that belong together are asked of one `snapshot()`.

    Rows are numbered from 0 in the order of the source: row sets, columns and `fetch` count by
    these numbers, which are good within one version. A `row id` is a row's for ever. Numbers
    that are NaN are read as NULL: both mean unknown. Make one with `Catalog.open`.
    """

    _replaced: tuple[tuple[int, float], ...] = ()

    def __init__(self, options: OpenOptions, source: object, table: str | None) -> None:
        self._options = options
        self._is_remote = is_remote(source, options.key)
        # Frames and relations are not kept in memory a second time.
        is_file = is_path(source) and not self._is_remote
        self._reread: tuple[object, str | None] | None = (source, table) if is_file else None
        self._writing = threading.Lock()
        self._store: Store | None = None
        self._publication: Publication | None = None
        self._subscription: Subscription | None = None
        if self._is_remote:
            self._current = options.read_remote(source, table)
        elif options.follow is not None or options.publish_to is not None:
            from .versions.following import shared

            begun = shared(options, source, table)
            self._publication, self._subscription, self._store, self._current = begun
        elif options.writable:
            self._store, self._current = options.open_store(source, table)
        else:
            self._current = options.read(source, table)

    @classmethod
    def open(
        cls,
        source: object,
        *,
        table: str | None = None,
        columns: Mapping[str, ColumnOverride | Mapping[str, Any]] | None = None,
        cost_column: str | None = None,
        cache_bytes: int = DEFAULT_CACHE_BYTES,
        column_bytes: int = DEFAULT_COLUMN_BYTES,
        key: str | Sequence[str] | None = None,
        writable: bool = False,
        dictionary: DictionarySource | None = None,
        location: tuple[str, str] | None = None,
        hours: str | None = None,
        hidden: Sequence[str] = (),
        presentation: Presentation | None = None,
        name: str | None = None,
        publish_to: str | os.PathLike[str] | None = None,
        follow: str | os.PathLike[str] | None = None,
        travel_times: TravelSource | None = None,
        in_executors: bool = False,
    ) -> Catalog:
        """Read a source into a catalog.

        `source` is a path (.csv, .tsv, .parquet, .jsonl, .json, optionally .gz; .duckdb with
        `table`), `"sample:cars"`, a pandas or Polars frame, an Arrow table or a DuckDB relation.
        What stays where it is (docs/scale-engines.md): the address of a Postgres database, with
        `table`, an Ibis table (of Spark: masks are counted `in_executors`, or by SQL), a folder of
        Parquet; `key` is a column of unique whole numbers.
        `columns` overrides what the data shows: `{"zip": {"kind": "text"}}`, `{"power": {"nulls":
        ["NA"]}}`. `cost_column` breaks ties between equal items (default: the column named like a
        price). `cache_bytes` bounds the row sets kept, and again the base slices, `column_bytes`
        the copies of columns in memory. `key` names the columns that tell items apart: a row that
        is upserted replaces the row with the same.
        `dictionary` is a JSON file, or a mapping by column, of what people call columns and values
        (`ColumnWords`). `location` names the columns of latitude and longitude, `hours` that of
        opening hours (default: so called columns), `travel_times` a file of measured minutes
        (`read_travel_times`). `hidden` columns can be written and never read; `presentation` says
        which columns name, price and picture an item; `name` stands in SQL.

        `writable` keeps what is written in the .duckdb file: a write is on the disk when it
        returns, whatever happens to the process afterwards. The file's table gets a column
        `concede_row_id`, and the file a table `concede_catalogs`; version and row ids go on where
        they were. One process at a time writes to a file. `close` it in the end.

        `publish_to` is a folder in which every write is published, for other processes to `follow`
        with the same options: they read nothing from `source`, and `catch_up` with what is written.
        Opened with the same folder, a catalog goes on where it was, whatever became of its process.
        Raises a `CatalogError` for what cannot be read, `UnknownColumn`, `BadConstraint`.
        """
        from .query.dictionary import read_dictionary
        from .versions.opening import OpenOptions, overrides_of

        words = {} if dictionary is None else read_dictionary(dictionary)
        options = OpenOptions(
            overrides_of(columns or {}), cost_column, cache_bytes, column_bytes, key, writable,
            words, location, hours, hidden, presentation or NOTHING_SAID, name,
            publish_to=publish_to, follow=follow, in_executors=in_executors,
        )  # fmt: skip
        return cls(options.with_travel(travel_times), source, table)

    def snapshot(self) -> Snapshot:
        """Return the present version, which stays as it is and is read like the catalog."""
        return self._current.shown

    def upsert(
        self, rows: Iterable[Mapping[str, Any]], key: str | Sequence[str] | None = None
    ) -> int:
        """Insert rows, or replace those with the same key; return the version that has them.

        rows: mappings by column name, at most 100,000. A row of the catalog with the same
        values in the columns of `key` (default: that of `open`) is replaced: it keeps its row
        id, its place in the order of rows, and its values in columns that are not given.
        Otherwise, or without a key, the row is new and comes last; columns not given are NULL.
        Rows of one call are taken one after another, so the last with a key counts. No rows
        make no version.

        All rows are in the version returned, or none is in any: raises `QueryError`,
        `UnknownColumn`, `BadConstraint` for what no column can hold (a wrong type, NaN, a number
        out of range, over 2²⁰ characters) and for a key that a row lacks or several share.
        """
        from .versions.mutations import upserted
        from .versions.publication import repeatable

        columns = self._options.key_for(key)
        given = self._options.with_nulls(rows)
        if self._publication is not None:
            given = repeatable(given)
        try:
            return self._write(
                lambda now: upserted(now, given, columns, self._store),
                lambda publication, following: publication.upserted(following, given, columns),
            )
        except UnknownColumn as error:
            # Hidden columns are not near it.
            raise UnknownColumn(error.name, self.columns) from None

    def delete(self, row_ids: Iterable[int]) -> int:
        """Delete rows by their row ids (`Item.row_id`); return the version without them.

        Ids of rows that are gone already are passed over; if nothing is left to delete, the version
        stays. Raises `BadConstraint` for what is not a whole number and for an id that no row ever
        had; then nothing is deleted.
        """
        from .versions.mutations import deleted
        from .versions.publication import repeatable

        given = row_ids if self._publication is None else repeatable(row_ids)
        return self._write(
            lambda now: deleted(now, given, self._store),
            lambda publication, following: publication.deleted(following, given),
        )

    def reload(self, source: object = None, *, table: str | None = None) -> int:
        """Replace all rows by those of a source, at once; return the version that has them.

        `source` and `table` are as in `open` (default: the file it was opened from); the options
        given there hold. Columns may be others than before. The catalog keeps its name, and every
        row gets a new row id. Until the source is read questions are answered from the version
        before, and so they are if it cannot be: raises what `open` raises.
        """
        if source is None and not self._is_remote:
            if self._reread is None:
                problem = "there is no file to read again"
                raise UnreadableCatalog(self.name, problem, hint="give one")
            source, table = self._reread[0], table or self._reread[1]
        from .versions.next_snapshot import reindexed
        from .versions.reload import prewarmed

        with self._writing:
            self._check_own()
            if self._store is None:
                following = self._options.read(source, table, self._current)
            else:
                following = self._options.replace(self._store, source, table, self._current)
            if self._publication is not None:
                self._publication.replaced(following)
            return self._publish(reindexed(self._current, prewarmed(self._current, following)))

    def catch_up(self) -> int:
        """Take in what was published since the last call, in order; return the version then.

        For a catalog that follows a folder, by one thread at a time. Raises `CatalogError` where
        what was published does not fit; then open it again.
        """
        from .versions.following import catch_up

        if self._subscription is None:
            raise CatalogError("this catalog follows no other", hint="open it with follow=FOLDER")
        for following in catch_up(self._subscription, self._options, self._current):
            with self._writing:
                self._publish(following)
        return self.version

    def compact(self) -> None:
        """Free the memory of rows that were replaced or deleted.

        It happens by itself when they are half as many as the rows. Version, rows and row ids stay.
        """
        from .versions.compaction import renumbered

        with self._writing:
            self._current = renumbered(self._current)

    def close(self) -> None:
        """Let others write to the file of a `writable` catalog; nothing can be written after.

        Questions are answered as before. Twice is no harm.
        """
        with self._writing:
            self._current.close()
            if self._store is not None:
                self._store.close()
            if self._publication is not None:
                self._publication.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def _write(
        self, write: Callable[[Snapshot], Snapshot], log: Callable[[Publication, Snapshot], None]
    ) -> int:
        """Publish what a write makes of the present version; return its number."""
        with self._writing:
            self._check_own()
            if self._store is not None:
                self._store.check(self._current.state)
            following = write(self._current)
            if self._publication is not None and following is not self._current:
                log(self._publication, following)
            return self._publish(following)

    def _check_own(self) -> None:
        if self._subscription is not None:
            raise CatalogError("another process writes to this catalog", hint="write there")
        if self._is_remote:
            raise CatalogError(f"{self.name!r} stays in its database", hint="write there")

    def _publish(self, following: Snapshot) -> int:
        """Answer from a version from now on; return its number."""
        version = self._current.version
        if following.version != version:
            self._replaced = (*self._replaced, (version, time.monotonic()))[-REMEMBERED:]
        self._current = following
        return following.version

    @property
    def name(self) -> str:
        """What the table is called in SQL."""
        return self.snapshot().name

    @property
    def schema(self) -> Schema:
        """The columns."""
        return self.snapshot().schema

    @property
    def version(self) -> int:
        """The number of the present version, from 1; every write makes a higher one."""
        return self.snapshot().version

    def age(self, version: int) -> float:
        """Return the seconds since a version was replaced by the next.

        0 for the present one, infinite for one that is not among the last 256.
        """
        if version == self.version:
            return 0.0
        replaced = dict(self._replaced).get(version)
        return math.inf if replaced is None else time.monotonic() - replaced

    @property
    def from_clause(self) -> str:
        """What SQL texts read the rows from."""
        return self.snapshot().from_clause

    @property
    def row_id(self) -> str:
        """The name of the column of row ids in the DuckDB table."""
        return self.snapshot().row_id

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return self.snapshot().row_count

    @property
    def universe(self) -> int:
        """One more than the highest number a row can have; numbers of deleted rows are empty."""
        return self.snapshot().universe

    @property
    def dictionary(self) -> Dictionary:
        """What people call the columns and values, by column; empty where nobody said."""
        return self.snapshot().dictionary

    @property
    def presentation(self) -> Presentation:
        """What was said of its items as a whole."""
        return self.snapshot().presentation

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that tell items apart; none without a key."""
        return tuple(self.schema.find(name).name for name in self._options.key_for(None))

    @property
    def cost_column(self) -> str | None:
        """The column that breaks ties between equal items."""
        return self.snapshot().cost_column

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names in order."""
        return self.schema.names

    def cursor(self) -> DuckDBPyConnection:
        """Return this thread's cursor; a DuckDB connection is not safe across threads."""
        return self.snapshot().cursor()

    def bind(self, constraint: Constraint) -> Predicate:
        """Return the constraint as a predicate on this catalog; raise a `QueryError`."""
        return self.snapshot().bind(constraint)

    def rows(self, predicate: Predicate) -> RowSet:
        """Return the rows that satisfy the predicate; raise `QueryError` where DuckDB cannot."""
        return self.snapshot().rows(predicate)

    def slice(self, predicates: Iterable[Predicate]) -> RowSet:
        """Return the rows that satisfy all predicates; all rows for none."""
        return self.base_slice(predicates).rows

    def base_slice(self, predicates: Iterable[Predicate]) -> BaseSlice:
        """Return the rows that satisfy all predicates with their columns, from the cache."""
        return self.snapshot().base_slice(predicates)

    def count(self, predicates: Sequence[Predicate]) -> int:
        """Return how many rows satisfy all predicates, counted by DuckDB."""
        return self.snapshot().count(predicates)

    def numbers(self, column: str) -> NDArray[np.float64]:
        """Return a numeric or date column as float64[universe], dates in seconds; NaN for NULL.

        Raises `UnknownColumn`, and `BadConstraint` for a column of another kind.
        """
        return self.number_copy(column).values

    def number_copy(self, column: str) -> NumberCopy:
        """Return the copy that `numbers` reads; raises what it raises."""
        return self.snapshot().number_copy(column)

    def warm(self, columns: Sequence[str] | None = None) -> None:
        """Copy columns into memory now, as far as `column_bytes` allows, and index numbers.

        With none named every column is copied, and numbers are indexed where there are up to 32
        columns of them; of more, those named, or often asked for. A service calls it before its
        first query. Waits for a large catalog's kernels, half a minute where they are compiled.
        """
        self.snapshot().warm(columns)

    def fetch(self, numbers: Sequence[int]) -> list[Row]:
        """Return rows as dictionaries, by their numbers and in their order."""
        return self.snapshot().fetch(numbers)

    def row_ids(self, numbers: Sequence[int] | NDArray[np.integer]) -> list[int]:
        """Return the row ids behind some numbers."""
        return self.snapshot().row_ids(numbers)

    def rows_by_id(self, row_ids: Sequence[int]) -> list[Row | None]:
        """Return rows as dictionaries by their row ids, None for one that is not there."""
        return self.snapshot().rows_by_id(row_ids)

    def select_text(self, predicates: Sequence[Predicate]) -> str:
        """Return a SELECT of the rows that satisfy all predicates, runnable as it stands.

        It names the file that is as it was read; otherwise `self.name`, and runs in `query`.
        """
        return self.snapshot().select_text(predicates)

    def query(self, sql: str) -> list[Row]:
        """Run SQL on this catalog's table, which is called by the catalog's name.

        DuckDB runs it read-only, without access to files or the network. Raises `QueryError`
        for anything but one SELECT.
        """
        return self.snapshot().query(sql)

    def profile(self, column: str) -> ColumnProfile:
        """Return what the column holds; computed once. Raises `UnknownColumn`."""
        return self.snapshot().profile(column)

    def profiles(self) -> list[ColumnProfile]:
        """Return the profile of every column, in order."""
        now = self.snapshot()
        return [now.profile(name) for name in now.columns]

    def values(self, column: str, limit: int | None = None) -> list[Any]:
        """Return a column's distinct values, most frequent first, then in order."""
        return self.snapshot().values(column, limit)
