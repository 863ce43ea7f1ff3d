"""The rows of the scale benchmark, the same on every engine, and the query that is asked of them.

Cells are digits of multiplicative hashes of the row's number, another one for each column, in
arithmetic that DuckDB and Postgres share. Written once, as Parquet files of equal length.
"""

from __future__ import annotations

from pathlib import Path

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.predicate import literal
from ...catalogs.query.query import Query

KEY = "id"
PARTS = 100
PRIME = 4_294_967_291


def digits(salt: int, below: int) -> str:
    """Return an SQL expression of row `i`: a whole number from 0 to below `below`."""
    factor = 2_654_435_761 + salt * 202_733_906
    return f"((((i * {factor} + {salt * 40503}) % {PRIME}) >> 12) % {below})"


COLUMNS = {
    KEY: "i",
    "price": f"({digits(1, 1000)} / 10.0)::DOUBLE PRECISION",
    "rating": f"({digits(2, 50)} / 10.0)::REAL",
    "year": f"{digits(3, 2000)}::INTEGER",
    "city": f"'c' || {digits(4, 12)}",
    "flag": f"({digits(5, 3)} = 0)",
    "day": f"(DATE '2020-01-01' + {digits(6, 1500)}::INTEGER)",
    "power": f"(CASE WHEN {digits(7, 10)} > 0 THEN {digits(8, 400)} END)::SMALLINT",
    "note": f"'remark ' || {digits(9, 50000)}",
}
"""The columns by name, as SQL of row `i`; `note` is read by no statement."""

ASKED: tuple[tuple[str, str, object], ...] = (
    ("price", "<=", 5),
    ("rating", ">=", 4.5),
    ("year", ">=", 1900),
    ("city", "==", "c3"),
    ("flag", "==", True),
    ("day", ">=", "2023-06-01"),
    ("power", "between", (300, 399)),
    ("city", "in", ("c3", "c5", "c7")),
)
QUERY = Query(constraints=tuple(
    Constraint.model_validate({"column": column, "op": op, "value": value})
    for column, op, value in ASKED
))  # fmt: skip
READ = ("id", "price", "rating", "year", "city", "flag", "day", "power")


def select(start: int, stop: int, source: str) -> str:
    """Return a SELECT of the rows numbered from start to below stop; `source` gives `i`."""
    listed = ", ".join(f"{expression} AS {name}" for name, expression in COLUMNS.items())
    return f"SELECT {listed} FROM {source.format(start=start, stop=stop)}"


def parquet_folder(folder: Path, rows: int, parts: int = PARTS) -> Path:
    """Return a folder of so many rows in so many files; written where it is not there yet.

    Raises `OSError` where there is no room.
    """
    import duckdb

    place = folder / f"scale-{rows}"
    place.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(":memory:") as connection:
        for part in range(parts):
            path = place / f"part-{part:04}.parquet"
            if path.exists():
                continue
            start, stop = part * rows // parts, (part + 1) * rows // parts
            half = path.with_name(f".{path.name}")
            source = select(start, stop, "range({start}, {stop}) AS r(i)")
            connection.execute(f"COPY ({source}) TO {literal(str(half))} (FORMAT parquet)")
            half.replace(path)
    return place


def bytes_a_row(folder: Path, rows: int) -> float:
    """Return how many bytes of a folder the columns that are read take, by row."""
    import duckdb

    names = ", ".join(literal(name) for name in READ)
    with duckdb.connect(":memory:") as connection:
        found = connection.execute(
            "SELECT sum(total_compressed_size) FROM parquet_metadata("
            f"{literal(str(folder / '*.parquet'))}) WHERE path_in_schema IN ({names})"
        ).fetchall()
    return float(found[0][0]) / rows
