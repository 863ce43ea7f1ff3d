"""The options of `Catalog.open`, and the version they make of a source.

The source is read once into DuckDB's memory; after that the connection reaches no file, no network
and no setting.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb
import numpy as np

from ..errors import BadConstraint, CatalogError, UnreadableCatalog
from ..keyboard_interrupt import WATCHER
from ..query.cost_column import guess_cost_column
from ..query.dictionary import ColumnWords, Dictionary, fitted_dictionary
from ..query.predicate import literal, quoted
from ..query.presentation import NOTHING_SAID, Presentation
from ..query.schema import ColumnOverride, Schema
from ..query.travel_times import TravelSource, TravelTimes, read_travel_times
from ..sources.loading import TABLE, Loaded, check_names, load
from ..sources.null_cells import rows_without_nulls
from ..sources.readers import checked_path, explain_failure, open_source
from ..storage.durable_table import State, Store
from ..storage.stored_copies import state_of_copy
from ..storage.versioned_table import VersionedTable
from ..vectors.row_numbering import Numbering
from .snapshot import Snapshot
from .snapshot_state import SnapshotMetadata

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

OPEN_SETTINGS = (
    # Nothing is fetched from the network, and no caller's variable passes for a table.
    "autoinstall_known_extensions = false",
    "GLOBAL python_enable_replacements = false",
    # On a terminal DuckDB would draw its own on standard output, amid the answer.
    "enable_progress_bar = false",
)
LOCKED_SETTINGS = (
    # Rows are in memory: eight threads that wait for files have nothing to do any more.
    "async_threads = 0",
    "enable_external_access = false",
    "lock_configuration = true",
)


@dataclass(frozen=True)
class OpenOptions:
    """The options of `Catalog.open`; folders are those of a `Publication`."""

    overrides: Mapping[str, ColumnOverride]
    cost_column: str | None
    cache_bytes: int
    column_bytes: int
    key: str | Sequence[str] | None
    writable: bool = False
    dictionary: Dictionary = field(default_factory=dict[str, ColumnWords])
    location: tuple[str, str] | None = None
    hours: str | None = None
    hidden: Sequence[str] = ()
    presentation: Presentation = NOTHING_SAID
    name: str | None = None
    travel: TravelTimes | None = None
    publish_to: str | os.PathLike[str] | None = None
    follow: str | os.PathLike[str] | None = None
    in_executors: bool = False

    @property
    def _is_written(self) -> bool:
        """Whether rows are expected to be written to it."""
        told = (self.publish_to, self.follow)
        return self.key is not None or self.writable or told != (None, None)

    def key_for(self, given: str | Sequence[str] | None) -> tuple[str, ...]:
        """Return the columns that tell items apart; none without a key."""
        key = self.key if given is None else given
        if key is None:
            return ()
        return (key,) if isinstance(key, str) else tuple(key)

    def with_travel(self, source: TravelSource | None) -> OpenOptions:
        """Return options with measured minutes; raise what `read_travel_times` raises."""
        if source is None:
            return self
        key = self.key if isinstance(self.key, str) else None
        return replace(self, travel=read_travel_times(source, key))

    def with_nulls(self, rows: Iterable[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
        """Return rows with None where a cell stands for no value; other things pass as they are."""
        told = {name.casefold(): each.nulls for name, each in self.overrides.items() if each.nulls}
        return rows_without_nulls(rows, told) if told else rows

    def read(
        self,
        source: object,
        table: str | None,
        after: Snapshot | None = None,
        keep: Callable[[DuckDBPyConnection, Loaded], None] | None = None,
    ) -> Snapshot:
        """Return the source as a version of a catalog: the first, or the one after another.

        `keep` is called with the rows in a connection that still reads and writes files.
        """
        connection = duckdb.connect(":memory:")
        WATCHER.watch(connection)
        try:
            _configure(connection, OPEN_SETTINGS)
            name, first_id = (after.name, after.numbering.next_id) if after else (self.name, 0)
            loaded = self._load(connection, source, table, name, first_id)
            table_read = self._checked(connection, loaded)
            if keep is not None:
                keep(connection, loaded)
            self._lock(connection)
            version = after.version + 1 if after else 1
            return self._version(table_read, loaded, State(version, first_id))
        except BaseException:
            connection.close()
            raise

    def read_remote(self, source: object, table: str | None) -> Snapshot:
        """Return what reads a source where it is; see `is_remote`."""
        if find_spec("ibis") is None:
            problem = "catalogs that stay in their database need Ibis"
            raise CatalogError(problem, hint="pip install concede[scale]")
        from .remote_opening import read_remote

        # It is read as a snapshot is, as far as no rows have to be in memory.
        return cast("Snapshot", read_remote(self, source, table))

    def open_store(self, source: object, table: str | None) -> tuple[Store, Snapshot]:
        """Open a file for writing; return it and what it holds."""
        if not isinstance(source, str | os.PathLike):
            problem = "only a DuckDB file can be written to"
            raise UnreadableCatalog(type(source).__name__, problem, hint="give its path")
        store = Store(checked_path(cast("str | os.PathLike[Any]", source)), table)
        try:
            return store, self.read_store(store)
        except BaseException:
            store.close()
            raise

    def replace(self, store: Store, source: object, table: str | None, after: Snapshot) -> Snapshot:
        """Return a source as the version after another, kept in a store before it counts."""
        store.check_open()
        if store.is_own(source, table):
            # The file is the truth; reading it again makes a version like any other write.
            store.write(State(store.state.version + 1, store.state.next_id))
            return self.read_store(store, after)

        def keep(connection: DuckDBPyConnection, loaded: Loaded) -> None:
            counted = connection.execute(f"SELECT count(*) FROM {TABLE}").fetchall()
            next_id = after.numbering.next_id + int(counted[0][0])
            state = State(after.version + 1, next_id)
            store.replace_all(connection, loaded, state)

        return self.read(source, table, after, keep)

    def read_store(self, store: Store, after: Snapshot | None = None) -> Snapshot:
        """Return what a store holds as the version it is at; the store is paused meanwhile."""
        return self._read_kept(
            store.path, store.table.full_name, store.state, after, store.paused()
        )

    def read_copy(self, path: Path, after: Snapshot | None = None) -> Snapshot:
        """Return a copy of a store as the version that it is of."""
        state = State(*state_of_copy(path))
        return self._read_kept(path, None, state, after, nullcontext())

    def _read_kept(
        self,
        path: Path,
        table: str | None,
        state: State,
        after: Snapshot | None,
        opened: AbstractContextManager[None],
    ) -> Snapshot:
        connection = duckdb.connect(":memory:")
        WATCHER.watch(connection)
        try:
            _configure(connection, OPEN_SETTINGS)
            name = after.name if after else self.name
            with opened:
                loaded = self._load(connection, path, table, name, 0, keep_ids=True)
            self._lock(connection)
            return self._version(self._checked(connection, loaded), loaded, state)
        except BaseException:
            connection.close()
            raise

    def _lock(self, connection: DuckDBPyConnection) -> None:
        """Have nothing reach files, network or settings from here on, but where it is published."""
        if self.publish_to is not None:
            folder = literal(os.path.join(os.path.abspath(self.publish_to), ""))
            connection.execute(f"SET allowed_directories = [{folder}]")
        _configure(connection, LOCKED_SETTINGS)

    def _load(
        self,
        connection: DuckDBPyConnection,
        source: object,
        table: str | None,
        name: str | None,
        first_id: int,
        *,
        keep_ids: bool = False,
    ) -> Loaded:
        try:
            opened = open_source(connection, source, table, self.overrides, locked=keep_ids)
            try:
                loaded = load(
                    connection,
                    opened,
                    self.overrides,
                    name=name,
                    first_id=first_id,
                    keep_ids=keep_ids,
                )
                check_names(connection, source, opened.from_clause, loaded.schema.names)
            finally:
                opened.close()
        except (duckdb.Error, OSError, ValueError) as error:
            raise explain_failure(source, error) from None
        return loaded

    def _checked(self, connection: DuckDBPyConnection, loaded: Loaded) -> VersionedTable:
        """Return the table of what was read; raise what the options do not fit."""
        table = VersionedTable(connection, loaded)
        if self.cost_column:
            loaded.schema.find(self.cost_column)
        if self.key is not None:
            _check_key(table, self.key_for(None))
        return table

    def _version(self, table: VersionedTable, loaded: Loaded, state: State) -> Snapshot:
        from_clause = loaded.from_clause
        numbering = _numbering(table, state.next_id)
        hidden = frozenset(loaded.schema.find(column).name for column in self.hidden)
        if self._is_written or hidden or self.name is not None:
            # What will be written to soon is named in SQL as it will be then.
            from_clause = quoted(loaded.name)
            if self.key is not None or self.writable:
                table = table.made_writable(state.version)
        presented = self.presentation.spelled(lambda column: loaded.schema.find(column).name)
        presented.check_shown(hidden)
        self._check_key_is_shown(loaded.schema, hidden)
        wanted = self.cost_column or presented.price
        cost = loaded.schema.find(wanted).name if wanted else None
        facts = SnapshotMetadata(
            name=loaded.name,
            schema=loaded.schema.with_places(self.location, self.hours, self.travel),
            version=state.version,
            from_clause=from_clause,
            row_id=loaded.row_id,
            numbering=numbering,
            cost_column=cost or guess_cost_column(loaded.schema.columns),
            overrides=loaded.overrides,
            cache_bytes=self.cache_bytes,
            column_bytes=self.column_bytes,
            dictionary=fitted_dictionary(self.dictionary, loaded.schema),
            hidden=hidden,
            presentation=presented,
        )
        return Snapshot(table, facts)

    def _check_key_is_shown(self, schema: Schema, hidden: frozenset[str]) -> None:
        for name in self.key_for(None):
            if schema.find(name).name in hidden:
                hint = "items are named by it: show it, or take another key"
                raise BadConstraint("key", name, "the column is hidden", hint=hint)


def overrides_of(
    columns: Mapping[str, ColumnOverride | Mapping[str, Any]],
) -> dict[str, ColumnOverride]:
    """Return what is known better of columns; raise `BadConstraint` for what cannot be."""
    return {
        name: given if isinstance(given, ColumnOverride) else ColumnOverride.model_validate(given)
        for name, given in columns.items()
    }


def _numbering(table: VersionedTable, next_id: int) -> Numbering:
    """Return the numbering of a table's rows, which stand in the order of their row ids."""
    counted = table.cursor().execute(
        f"SELECT count(*), min({table.row_id}), max({table.row_id}) FROM {table.relation}"
    )
    count, first, last = cast("tuple[int, int | None, int | None]", counted.fetchone())
    if first is None or last is None:
        return Numbering.of_count(0, next_id)
    if last - first + 1 == count:
        return Numbering(count, max(next_id, last + 1), first)
    rows = table.cursor().execute(f"SELECT {table.row_id} AS i FROM {table.relation}")
    ids = np.sort(cast("Any", rows.fetchnumpy())["i"]).astype(np.int64)
    return Numbering(count, max(next_id, last + 1), ids=ids)


def _check_key(table: VersionedTable, key: Sequence[str]) -> None:
    """Raise `BadConstraint` if rows share a key, so that none could be replaced."""
    names = [quoted(table.schema.find(name).name) for name in key]
    if not names or _are_apart(table, names):
        return
    shared = table.cursor().execute(
        f"SELECT {', '.join(names)}, count(*) FROM {table.relation} WHERE {_known(names)} "
        f"GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
    )
    for *values, count in shared.fetchall():
        same = values[0] if len(values) == 1 else tuple(values)
        problem = f"{count} rows have the same, {same!r}"
        raise BadConstraint("key", key, problem, hint="name the columns that tell items apart")


def _are_apart(table: VersionedTable, names: Sequence[str]) -> bool:
    """Whether hashes show that no rows share a key: sorting them is far less than grouping rows."""
    hashed = table.cursor().execute(
        f"SELECT hash({', '.join(names)}) AS h FROM {table.relation} WHERE {_known(names)}"
    )
    hashes = np.sort(cast("Any", hashed.fetchnumpy())["h"])
    return not (hashes[1:] == hashes[:-1]).any()


def _known(names: Sequence[str]) -> str:
    return " AND ".join(f"{name} IS NOT NULL" for name in names)


def _configure(connection: DuckDBPyConnection, settings: Iterable[str]) -> None:
    for setting in settings:
        connection.execute(f"SET {setting}")
