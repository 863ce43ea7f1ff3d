"""How a catalog is opened: its options, and the first version made from a source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from .column_names import check_names
from .columns import ColumnOverride, guess_cost_column
from .errors import BadConstraint
from .item_table import ItemTable
from .loading import Loaded, load
from .numbering import Numbering
from .predicate import quoted
from .snapshot import Facts, Snapshot
from .sources import explain_failure, open_source

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

OPEN_SETTINGS = (
    # Nothing is fetched from the network, and no caller's variable passes for a table.
    "autoinstall_known_extensions = false",
    "GLOBAL python_enable_replacements = false",
    # On a terminal DuckDB would draw its own on standard output, amid the answer.
    "enable_progress_bar = false",
)
LOCKED_SETTINGS = ("enable_external_access = false", "lock_configuration = true")


@dataclass(frozen=True)
class Opening:
    """The options of `Catalog.open`."""

    overrides: Mapping[str, ColumnOverride]
    cost_column: str | None
    cache_bytes: int
    column_bytes: int
    key: str | Sequence[str] | None

    def key_for(self, asked: str | Sequence[str] | None) -> tuple[str, ...]:
        """Return the columns that tell items apart; none without a key."""
        key = self.key if asked is None else asked
        if key is None:
            return ()
        return (key,) if isinstance(key, str) else tuple(key)

    def read(self, source: object, table: str | None, after: Snapshot | None = None) -> Snapshot:
        """Return the source as a version of a catalog: the first, or the one after another."""
        connection = duckdb.connect(":memory:")
        try:
            _configure(connection, OPEN_SETTINGS)
            name, first_id = (after.name, after.facts.numbering.next_id) if after else (None, 0)
            loaded = self._load(connection, source, table, name, first_id)
            return self._version(connection, loaded, after.version + 1 if after else 1, first_id)
        except BaseException:
            connection.close()
            raise

    def _load(
        self,
        connection: DuckDBPyConnection,
        source: object,
        table: str | None,
        name: str | None,
        first_id: int,
    ) -> Loaded:
        """Load the source, then shut the connection off from files, network and settings."""
        try:
            found = open_source(connection, source, table, self.overrides)
            try:
                loaded = load(connection, found, self.overrides, name=name, first_id=first_id)
                check_names(connection, source, found.from_clause, loaded.schema.names)
            finally:
                found.close()
        except (duckdb.Error, OSError, ValueError) as error:
            raise explain_failure(source, error) from None
        _configure(connection, LOCKED_SETTINGS)
        return loaded

    def _version(
        self, connection: DuckDBPyConnection, loaded: Loaded, version: int, first_id: int
    ) -> Snapshot:
        table = ItemTable(connection, loaded)
        from_clause = loaded.from_clause
        if self.key is not None:
            _check_key(table, self.key_for(None))
            # What will be written to soon is named in SQL as it will be then.
            table, from_clause = table.rewritten(version), quoted(loaded.name)
        counted = table.cursor().execute(f"SELECT count(*) FROM {table.relation}").fetchall()
        cost = loaded.schema.find(self.cost_column).name if self.cost_column else None
        facts = Facts(
            name=loaded.name,
            schema=loaded.schema,
            version=version,
            from_clause=from_clause,
            row_id=loaded.row_id,
            numbering=Numbering.of_count(int(counted[0][0]), first_id),
            cost_column=cost or guess_cost_column(loaded.schema.columns),
            overrides=loaded.overrides,
            cache_bytes=self.cache_bytes,
            column_bytes=self.column_bytes,
        )
        return Snapshot(table, facts)


def _check_key(table: ItemTable, key: Sequence[str]) -> None:
    """Raise `BadConstraint` if rows share a key, so that none could be replaced."""
    names = [quoted(table.schema.find(name).name) for name in key]
    if not names:
        raise BadConstraint("key", key, "names no column", way_out="name one, or give no key")
    known = " AND ".join(f"{name} IS NOT NULL" for name in names)
    found = table.cursor().execute(
        f"SELECT {', '.join(names)}, count(*) FROM {table.relation} WHERE {known} "
        f"GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
    )
    for *values, count in found.fetchall():
        same = values[0] if len(values) == 1 else tuple(values)
        problem = f"{count} rows have the same, {same!r}"
        raise BadConstraint("key", key, problem, way_out="name the columns that tell items apart")


def _configure(connection: DuckDBPyConnection, settings: Iterable[str]) -> None:
    for setting in settings:
        connection.execute(f"SET {setting}")
