"""The engines that are measured: each gives its costs at one number of rows."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from ...catalogs.errors import CatalogError
from ...catalogs.partitions.parquet_folder import ParquetFolder
from ...solvers.partials.by_file import bound_question
from ...solvers.partials.counting import count_partitions
from ...solvers.partials.partial import merged
from ...solvers.partials.stored_histogram import (
    Header,
    StoredHistogram,
    read_histogram,
    write_histogram,
)
from .data import KEY, QUERY, parquet_folder, select
from .fit import Measured, least
from .processor_time import seconds_below
from .statements import RANKED, STATEMENTS, ranker_of

if TYPE_CHECKING:
    from ...catalogs.remote.remote_snapshot import RemoteSnapshot

Engine = Callable[[Path, int, int], Iterator[Measured]]
"""Yields costs; is given a folder to work in, the rows, and how often each statement is asked."""


def on_duckdb(folder: Path, rows: int, repeats: int) -> Iterator[Measured]:
    """Measure our statements over a folder of Parquet, and those by hand."""
    import duckdb

    from ...catalogs.catalog import Catalog

    place = parquet_folder(folder, rows)
    snapshot: Any = Catalog.open(place, key=KEY).snapshot()
    with duckdb.connect(":memory:") as connection:
        source = f"read_parquet('{place}/*.parquet')"

        def by_hand(sql: str) -> object:
            return connection.sql(sql).to_arrow_table()

        yield from ours_and_by_hand(
            "duckdb", snapshot, rows, repeats, lambda sql: by_hand(sql), source
        )


def ours_and_by_hand(
    engine: str,
    snapshot: RemoteSnapshot,
    rows: int,
    repeats: int,
    by_hand: Callable[[str], object],
    source: str,
    clock: Callable[[], float] = process_time,
) -> Iterator[Measured]:
    """Yield each statement as we ask it and by hand, taking turns."""
    for statement in STATEMENTS:
        sql = statement.hand(source)
        if statement.name in RANKED:
            # Masks are counted before, once.
            ranker_of(snapshot)
        ours = hand = float("inf")
        for _ in range(repeats):
            ours = min(ours, least(lambda ask=statement.ask: ask(snapshot), 1, clock))
            hand = min(hand, least(lambda text=sql: by_hand(text), 1, clock))
        yield Measured(engine, statement.name, rows, ours, hand)


def on_partials(folder: Path, rows: int, repeats: int) -> Iterator[Measured]:
    """Measure partials by file beside one pass, and stored ones read and added up."""
    lake = ParquetFolder(parquet_folder(folder, rows))
    question = bound_question(QUERY, lake.schema, KEY)

    def by_file() -> list[Any]:
        counted: list[Any] = []
        for batch in lake.batches(lake.parts):
            counted += zip(batch, count_partitions(lake, batch, question), strict=True)
        return counted

    one = least(lambda: _one_pass(lake, question), repeats)
    parts = least(lambda: merged(question.width, [each for _, each in by_file()]), repeats)
    yield Measured("partials", "counted by file", rows, parts, one)
    output = folder / f"histogram-{rows}.parquet"
    header = Header.of(QUERY, question, lake.schema, str(lake.path))
    write_histogram(output, StoredHistogram(header, dict(by_file())), lake.connection)
    stored = least(lambda: read_histogram(output, lake.connection).together, repeats)
    yield Measured("partials", "stored ones added up", rows, stored, one)


def _one_pass(lake: ParquetFolder, question: Any) -> object:
    from ...solvers.partials.counting import count_partition

    return count_partition(lake.connection, lake.every_clause, question)


def on_bitset(folder: Path, rows: int, repeats: int) -> Iterator[Measured]:
    """Measure a copy in this process: reading it, the first histogram, and the next ones."""
    from ...catalogs.catalog import Catalog
    from ...solvers.limits import Budget
    from ...solvers.problem import bind_problem
    from ...solvers.registry import get_solver

    source = parquet_folder(folder, rows) / "*.parquet"
    import duckdb

    with duckdb.connect(":memory:") as connection:
        data = connection.sql(f"SELECT * EXCLUDE (note) FROM read_parquet('{source}')")
        begun = process_time()
        catalog = Catalog.open(data)
        yield Measured("bitset", "copy", rows, process_time() - begun)

    def histogram() -> object:
        problem = bind_problem(catalog, QUERY.base, QUERY.constraints)
        return get_solver("bitset").histogram(problem, Budget(None))

    yield Measured("bitset", "first histogram", rows, least(histogram, 1))
    yield Measured("bitset", "next histogram", rows, least(histogram, repeats))
    catalog.close()
    gc.collect()


def on_postgres(address: str) -> Engine:
    """Return the engine of a database on this machine, in which tables may be made."""

    def measured(folder: Path, rows: int, repeats: int) -> Iterator[Measured]:
        import psycopg

        from ...catalogs.catalog import Catalog

        table = f"concede_scale_{rows}"
        with ExitStack() as open_ones:
            try:
                connection = open_ones.enter_context(psycopg.connect(address, autocommit=True))
                _make_table(connection, table, rows)
            except psycopg.Error as error:
                hint = "name a role that may make tables there"
                raise CatalogError(f"Postgres: {str(error).splitlines()[0]}", hint=hint) from None
            (postmaster,) = _row(connection, "SELECT pg_backend_pid()")
            server = _parent(int(postmaster))

            def clock() -> float:
                return process_time() + seconds_below(server)

            snapshot: Any = Catalog.open(address, table=table, key=KEY).snapshot()

            def by_hand(sql: str) -> object:
                return connection.execute(sql.encode()).fetchall()

            yield from ours_and_by_hand("postgres", snapshot, rows, repeats, by_hand, table, clock)

    return measured


def _make_table(connection: Any, table: str, rows: int) -> None:
    made = select(0, rows, "generate_series({start}::BIGINT, {stop}::BIGINT - 1) AS r(i)")
    for statement in (
        f"CREATE TABLE IF NOT EXISTS {table} AS {made}",
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {table}_key",
        f"ALTER TABLE {table} ADD CONSTRAINT {table}_key PRIMARY KEY ({KEY})",
        f"VACUUM ANALYZE {table}",
    ):
        connection.execute(statement.encode())


def _row(connection: Any, sql: str) -> Any:
    return connection.execute(sql).fetchone()


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
