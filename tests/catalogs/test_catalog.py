"""Catalogs: row sets mean what Python means, texts run anywhere, threads do not mix."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog_cases as cases
from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint, QueryError, UnknownColumn
from concede.catalogs.query.constraint import Constraint

TABLE = cases.table()
ROWS = TABLE.to_pylist()


@pytest.fixture(scope="module")
def catalogs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Catalog]:
    folder = tmp_path_factory.mktemp("kinds")
    pq.write_table(TABLE, folder / "a.parquet")
    with duckdb.connect() as connection:
        relation = connection.from_arrow(TABLE)
        relation.write_csv(str(folder / "a.csv"))
        connection.execute(f"COPY relation TO '{folder / 'a.jsonl'}'")
    return {
        "parquet": Catalog.open(folder / "a.parquet"),
        "csv": Catalog.open(folder / "a.csv"),
        "json": Catalog.open(folder / "a.jsonl"),
        "arrow": Catalog.open(TABLE),
    }


@given(constraint=cases.constraints())
def test_rows_are_what_python_says(catalogs: dict[str, Catalog], constraint: Constraint) -> None:
    catalog = catalogs["arrow"]
    column = catalog.schema.find(str(constraint.column))
    expected = [i for i, row in enumerate(ROWS) if cases.satisfies(row, constraint, column)]
    predicate = catalog.bind(constraint)
    assert catalog.rows(predicate).ids.tolist() == expected
    assert catalog.count([predicate]) == len(expected)


@given(
    constraints=st.lists(cases.constraints(), max_size=3),
    kind=st.sampled_from(["parquet", "csv", "json", "arrow"]),
)
def test_the_text_runs_anywhere_and_gives_the_same_count(
    catalogs: dict[str, Catalog], constraints: list[Constraint], kind: str
) -> None:
    catalog = catalogs[kind]
    # JSON has no moments: those of the file stay text.
    asked = [
        constraint for constraint in constraints if kind != "json" or constraint.column != "moment"
    ]
    predicates = [catalog.bind(entry) for entry in asked]
    text = catalog.select_text(predicates)
    if kind == "arrow":
        found = len(catalog.query(text))
    else:
        with duckdb.connect() as fresh:
            found = len(fresh.execute(text).fetchall())
    assert found == len(catalog.slice(predicates)) == catalog.count(predicates)


@pytest.mark.slow
@pytest.mark.parametrize("rows", [65_535, 65_536, 65_537])
def test_chunk_borders(rows: int) -> None:
    catalog = Catalog.open(pa.table({"n": np.arange(rows)}))
    for value in (0, 65_534, 65_535, 65_536):
        predicate = catalog.bind(Constraint(column="n", op=">=", value=value))
        assert catalog.rows(predicate).ids.tolist() == list(range(value, rows))
    assert len(catalog.slice([])) == rows


def test_threads_get_their_own_answers() -> None:
    catalog = Catalog.open(pa.table({"n": np.arange(5_000) % 97}), cache_bytes=20_000)

    def ask(value: int) -> bool:
        predicate = catalog.bind(Constraint(column="n", op="==", value=value))
        expected = list(range(value, 5_000, 97))
        counted = catalog.query(f"SELECT count(*) AS c FROM catalog WHERE n = {value}")
        return (
            catalog.rows(predicate).ids.tolist() == expected
            and catalog.count([predicate]) == len(expected)
            and catalog.fetch([value]) == [{"n": value}]
            and counted == [{"c": len(expected)}]
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, [i % 97 for i in range(400)]))


def test_the_published_order_of_ids_is_kept() -> None:
    catalog = Catalog.open(pl.DataFrame({"a": ["x", "y", "z"]}))
    assert [row["a"] for row in catalog.fetch([2, 0, 2])] == ["z", "x", "z"]


def test_numbers() -> None:
    catalog = Catalog.open(
        pl.DataFrame(
            {
                "n": [1, None, 3],
                "d": [date(1970, 1, 2), None, date(1969, 12, 31)],
                "t": ["a", "b", "c"],
            }
        )
    )
    assert np.array_equal(catalog.numbers("n"), [1, np.nan, 3], equal_nan=True)
    assert np.array_equal(catalog.numbers("D"), [86_400, np.nan, -86_400], equal_nan=True)
    with pytest.raises(BadConstraint, match="holds no numbers"):
        catalog.numbers("t")
    with pytest.raises(UnknownColumn):
        catalog.numbers("x")


def test_profiles_of_unusual_columns() -> None:
    catalog = Catalog.open(
        pl.DataFrame(
            {
                "empty": pl.Series([None, None], dtype=pl.Int64),
                "same": ["a", "a"],
                "flag": [True, None],
            }
        )
    )
    empty, same, flag = catalog.profiles()
    assert (empty.kind, empty.nulls, empty.minimum, empty.distinct) == ("numeric", 2, None, 0)
    assert (same.kind, same.values, same.distinct) == ("categorical", ("a",), 1)
    assert (flag.kind, flag.values, flag.nulls) == ("boolean", (True,), 1)


def test_values_come_most_frequent_first_then_in_order() -> None:
    catalog = Catalog.open(pl.DataFrame({"a": ["c", "b", "b", "a", None, None, None]}))
    assert catalog.values("a") == ["b", "a", "c"]
    assert catalog.values("A", 1) == ["b"]


@pytest.mark.parametrize("text", ["CAST(t AS INTEGER) = 1", "n // 0 = 1"])
def test_what_duckdb_cannot_evaluate_is_one_line(text: str) -> None:
    catalog = Catalog.open(pl.DataFrame({"n": [-1, 4], "t": ["x", "1"]}))
    predicate = catalog.bind(Constraint(op="sql", value=text))
    with pytest.raises(QueryError, match="cannot evaluate") as caught:
        catalog.rows(predicate)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["n + 1", "t", "NULL", "n = t || 1 + 'x'", "lower(n, n)"])
def test_an_expression_that_is_no_condition_is_refused_when_bound(text: str) -> None:
    catalog = Catalog.open(pl.DataFrame({"n": [-1, 4], "t": ["x", "1"]}))
    with pytest.raises(QueryError):
        catalog.bind(Constraint(op="sql", value=text))


def test_nothing_is_written_beside_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    Catalog.open(path).query("SELECT * FROM a")
    assert list(tmp_path.iterdir()) == [path]
