"""Rows on which engines are known to disagree, in a DuckDB file and copied to other engines."""

import struct
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import duckdb

from concede.catalogs.errors import ConcedeError

NAN = float("nan")
TYPES = {
    "id": "BIGINT",
    "Name": "VARCHAR",
    "note": "VARCHAR",
    "small": "SMALLINT",
    "n": "INTEGER",
    "big": "BIGINT",
    "price": "DECIMAL(12,2)",
    "fine": "DECIMAL(18,4)",
    "single": "FLOAT",
    "double": "DOUBLE",
    "ok": "BOOLEAN",
    "day": "DATE",
    "at": "TIMESTAMP",
    "seen": "TIMESTAMP WITH TIME ZONE",
}
POSTGRES_TYPES = TYPES | {
    "Name": 'TEXT COLLATE "en-x-icu"',
    "note": "TEXT COLLATE anycase",
    "price": "NUMERIC(12,2)",
    "fine": "NUMERIC(18,4)",
    "single": "REAL",
    "double": "DOUBLE PRECISION",
}
ANY_CASE = (
    "CREATE COLLATION anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"
)

_TEXTS = [
    "Ada", "ada", "Zoe", "a", "Z", "", " x ", "o'x\\y\nz", "100%", "a_b", "a\\", "Ä", "ä", "ÀÉ",
    "Straße", "STRASSE", "\u0130i", "\u0131I", "\u212a9", "κόσμοΣ", "日本", "\U0001f600", "e\u0301",
    '"q"', None,
]  # fmt: skip
_DOUBLES = [
    0.0, -0.0, NAN, 1.5, -1.5, 2.5, 0.1, 4.8, 1e300, -1e300, float("inf"), float("-inf"),
    9007199254740993.0, 0.49999999999999994, 123456.789, None, 5e-324, -2.5,
]  # fmt: skip
_BIGS = [
    0,
    1,
    -1,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**63 - 1,
    -(2**63),
    4611686018427387904,
    None,
    7,
    100,
]
_FINE = [
    "0", "0.0001", "-0.0001", "99999999999999.9999", "-99999999999999.9999", "4.8", "0.1", None,
    "1234567.8900",
]  # fmt: skip
_DAYS = [
    date(1, 1, 1), date(1582, 10, 10), date(1969, 12, 31), date(2020, 2, 29), date(2024, 12, 31),
    date(9999, 12, 31), None,
]  # fmt: skip
_MOMENTS = [
    datetime(1, 1, 1), datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(2024, 3, 10, 2, 30),
    datetime(2024, 11, 3, 1, 30), datetime(2024, 7, 1, 12, 0, 0, 5), datetime(9999, 12, 30, 23),
    None,
]  # fmt: skip


def edge_rows(count: int = 200) -> Iterator[tuple[Any, ...]]:
    """Yield rows whose cells go round lists of different lengths."""
    for i in range(count):
        fine = _FINE[i % len(_FINE)]
        moment = _MOMENTS[i % len(_MOMENTS)]
        yield (
            i * 3 - 50,
            _TEXTS[i % len(_TEXTS)],
            _TEXTS[(i * 7 + 3) % len(_TEXTS)],
            [None, 0, 1, -5, 32767, -32768][i % 6],
            [0, 5, -7, 2147483647, -2147483648, None, 42, 3][i % 8],
            _BIGS[i % len(_BIGS)],
            None if i % 11 == 0 else Decimal(i * 37 % 1000) / 100 - 3,
            None if fine is None else Decimal(fine),
            None if _DOUBLES[i % 18] is None else _single(cast("float", _DOUBLES[i % 18])),
            _DOUBLES[(i * 5 + 1) % len(_DOUBLES)],
            [True, False, None][i % 3],
            _DAYS[i % len(_DAYS)],
            moment,
            None if moment is None else f"{moment.isoformat(sep=' ')}+00:00",
        )


def _single(value: float) -> float:
    """Return a double as one that a single stands for, where it has one."""
    if not 1e-30 < abs(value) < 1e30:
        return value if value in (0.0, float("inf"), float("-inf")) else 3e38
    return struct.unpack("<f", struct.pack("<f", value))[0]


def duckdb_file(path: Path, rows: list[tuple[Any, ...]]) -> Path:
    """Write rows to a DuckDB file with a table `items`."""
    with duckdb.connect(str(path)) as connection:
        listed = ", ".join(f'"{name}" {kind}' for name, kind in TYPES.items())
        connection.execute(f"CREATE TABLE items ({listed})")
        marks = ", ".join("?" for _ in TYPES)
        connection.executemany(f"INSERT INTO items VALUES ({marks})", rows)
    return path


def fill_postgres(connection: Any, rows: list[tuple[Any, ...]], table: str = "items") -> None:
    """Make the same table in Postgres, its texts in collations that are not by bytes."""
    connection.execute(f"DROP TABLE IF EXISTS {table}")
    listed = ", ".join(f'"{name}" {kind}' for name, kind in POSTGRES_TYPES.items())
    connection.execute(f"CREATE TABLE {table} ({listed})")
    with connection.cursor().copy(f"COPY {table} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def parquet_folder(file: Path, folder: Path) -> None:
    """Write the rows of a DuckDB file as three Parquet files."""
    with duckdb.connect(str(file), read_only=True) as connection:
        for part in range(3):
            connection.execute(
                f"COPY (FROM items WHERE abs(id) % 3 = {part}) "
                f"TO '{folder / f'part-{part}.parquet'}' (FORMAT parquet)"
            )


def ibis_table(file: Path) -> Any:
    """Return the table of a DuckDB file as Ibis sees it, in a session that is not in UTC."""
    import ibis

    backend = ibis.duckdb.connect()
    backend.con.execute(f"ATTACH '{file}' AS kept (READ_ONLY)")
    backend.con.execute("CREATE VIEW items AS FROM kept.items")
    backend.con.execute("SET TimeZone = 'America/New_York'")
    return backend.table("items")


def keys_of(catalog: Any, constraints: list[Any]) -> list[set[int] | None]:
    """Return the keys of the rows that meet each constraint, by the rows in memory.

    None for a constraint that cannot be evaluated.
    """
    snapshot = catalog.snapshot()
    rows = snapshot.fetch(range(snapshot.row_count))
    found: list[set[int] | None] = []
    for constraint in constraints:
        try:
            numbers = snapshot.rows(snapshot.bind(constraint)).ids
        except ConcedeError:
            found.append(None)
        else:
            found.append({rows[int(number)]["id"] for number in numbers})
    return found


def check_rows_of_a_file(as_file: Any, remote: Any, constraints: list[Any]) -> None:
    """Fail where a constraint finds other rows than in a file; a hundred in one statement."""
    expected = keys_of(as_file, constraints)
    for start in range(0, len(constraints), 100):
        part = constraints[start : start + 100]
        for constraint, keys, found in zip(
            part, expected[start:], remote_keys(remote, part), strict=False
        ):
            assert found == keys, constraint


def remote_keys(catalog: Any, constraints: list[Any]) -> list[set[int]]:
    """Return the same by an engine, in one statement; no condition may be NULL."""
    snapshot = catalog.snapshot()
    conditions = {
        f"c{place}": snapshot.expression(snapshot.bind(constraint))
        for place, constraint in enumerate(constraints)
    }
    found = snapshot.execute(snapshot.table.select(key=snapshot.table[snapshot.key], **conditions))
    keys = found.column("key").to_pylist()
    results: list[set[int]] = []
    for name in conditions:
        truths = found.column(name).to_pylist()
        assert None not in truths
        results.append({key for key, truth in zip(keys, truths, strict=True) if truth})
    return results
