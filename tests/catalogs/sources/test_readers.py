"""Every kind of source, good and bad."""

from __future__ import annotations

import csv
import gzip
import io
import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import (
    BadConstraint,
    CatalogError,
    UnknownColumn,
    UnknownTable,
    UnreadableCatalog,
)
from concede.catalogs.sources.cell_types import BLANKS
from example_counts import examples

ROWS = [{"Make": "Audi", "MSRP": 1, "x": 0.5}, {"Make": None, "MSRP": 2, "x": None}]


def all_rows(catalog: Catalog) -> list[dict[str, Any]]:
    return catalog.fetch(range(catalog.row_count))


def opened(path: Path, content: str | bytes, **options: Any) -> Catalog:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(data)
    return Catalog.open(path, **options)


def fresh_count(catalog: Catalog) -> int:
    with duckdb.connect() as connection:
        return len(connection.execute(catalog.select_text([])).fetchall())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "Make,MSRP,x\nAudi,1,0.5\n,2,\n"),
        ("a.CSV", "Make,MSRP,x\nAudi,1,0.5\n,2,\n"),
        ("semicolon.csv", "Make;MSRP;x\nAudi;1;0.5\n;2;\n"),
        ("tab.tsv", "Make\tMSRP\tx\nAudi\t1\t0.5\n\t2\t\n"),
        ("pipe.txt", "Make|MSRP|x\nAudi|1|0.5\n|2|\n"),
        ("bom.csv", "\ufeffMake,MSRP,x\nAudi,1,0.5\n,2,\n"),
        ("crlf.csv", "Make,MSRP,x\r\nAudi,1,0.5\r\n,2,\r\n"),
        ("no-newline.csv", "Make,MSRP,x\nAudi,1,0.5\n,2,"),
        ("quoted.csv", '"Make","MSRP","x"\n"Audi","1","0.5"\n,2,\n'),
        ("blank-lines.csv", "Make,MSRP,x\n\nAudi,1,0.5\n,2,\n\n"),
        ("packed.csv.gz", gzip.compress(b"Make,MSRP,x\nAudi,1,0.5\n,2,\n", mtime=0)),
        ("packed.tsv.gz", gzip.compress(b"Make\tMSRP\tx\nAudi\t1\t0.5\n\t2\t\n", mtime=0)),
        ("a.jsonl", '{"Make":"Audi","MSRP":1,"x":0.5}\n{"Make":null,"MSRP":2,"x":null}\n'),
        ("a.ndjson", '{"Make":"Audi","MSRP":1,"x":0.5}\n{"MSRP":2}\n'),
        ("a.json", '[{"Make":"Audi","MSRP":1,"x":0.5},{"MSRP":2}]'),
        ("a.jsonl.gz", gzip.compress(b'{"Make":"Audi","MSRP":1,"x":0.5}\n{"MSRP":2}\n', mtime=0)),
    ],
)
def test_text_files(tmp_path: Path, name: str, content: str | bytes) -> None:
    catalog = opened(tmp_path / name, content)
    assert all_rows(catalog) == ROWS
    assert catalog.columns == ("Make", "MSRP", "x")
    assert fresh_count(catalog) == 2


NAMES = [
    "a b.csv",
    "it's.csv",
    'say "hi".csv',
    "[1-2].csv",
    "star*.csv",
    "what?.csv",
    "ünï 東.csv",
    "a;b--.csv",
    "items.csv",
    "x.y.z.csv",
    "{a,b}.csv",
    "main.csv",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", ["plain", "year=2020", "a[b]*c"])
def test_names_are_taken_literally(tmp_path: Path, folder: str, name: str) -> None:
    (tmp_path / folder).mkdir()
    for other in ("1.csv", "starX.csv", "whatX.csv", "a.csv"):
        (tmp_path / folder / other).write_text("wrong\n1\n2\n3\n")
    catalog = opened(tmp_path / folder / name, "Make,MSRP,x\nAudi,1,0.5\n,2,\n")
    assert all_rows(catalog) == ROWS
    assert fresh_count(catalog) == 2
    named = '"' + catalog.name.replace('"', '""') + '"'
    assert catalog.query(f"SELECT * FROM {named}") == ROWS


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_other_files_with_wildcards_in_their_names(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"[a]*{suffix}"
    frame = pl.DataFrame(ROWS)
    if suffix == ".json":
        path.write_text(json.dumps(ROWS))
    else:
        frame.write_parquet(path)
    (tmp_path / f"ab{suffix}").write_bytes(path.read_bytes())
    assert all_rows(Catalog.open(path)) == ROWS


def test_quotes_newlines_and_delimiters_inside_fields(tmp_path: Path) -> None:
    table = [
        ["na;me", 'q"q', "n"],
        ["a,b", 'say "hi"', "1"],
        ["two\nlines", "#x", "2"],
        ["東", "", "3"],
    ]
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(table)
    catalog = opened(tmp_path / "a.csv", buffer.getvalue())
    rows = [list(row.values()) for row in all_rows(catalog)]
    assert list(catalog.columns) == table[0]
    assert rows == [["a,b", 'say "hi"', 1], ["two\nlines", "#x", 2], ["東", None, 3]]
    assert fresh_count(catalog) == 3


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["00501", "10001"], ["00501", "10001"]),
        (["007", "1.5"], ["007", "1.5"]),
        (["-01", "2"], [-1, 2]),
        (["0", "10"], [0, 10]),
        (["0.5", "1"], [0.5, 1.0]),
        (["12345678901234567890", "1"], [12345678901234567890, 1]),
        (["9" * 45, "1.5"], ["9" * 45, "1.5"]),
        (["9007199254740993", "1"], [9007199254740993, 1]),
        (["1", "x"], ["1", "x"]),
        (["N/A", "NULL"], ["N/A", "NULL"]),
        (["#1", "# 2"], ["#1", "# 2"]),
        (["true", "false"], [True, False]),
        (["2024-01-31", "2024-02-29"], [date(2024, 1, 31), date(2024, 2, 29)]),
        (["nan", "1.5"], [None, 1.5]),
    ],
)
def test_what_csv_cells_become(tmp_path: Path, cells: list[str], expected: list[object]) -> None:
    catalog = opened(tmp_path / "a.csv", "c,k\n" + "".join(f"{cell},y\n" for cell in cells))
    held = [row["c"] for row in all_rows(catalog)]
    assert held == expected
    assert [type(entry) for entry in held] == [type(entry) for entry in expected]


def test_a_type_is_decided_by_all_rows(tmp_path: Path) -> None:
    catalog = opened(tmp_path / "a.csv", "c\n" + "1\n" * 50_000 + "x\n")
    assert catalog.schema.find("c").family == "text"
    assert catalog.row_count == 50_001


def test_rows_keep_the_order_of_a_large_file(tmp_path: Path) -> None:
    numbers = [(i * 7919) % 300_007 for i in range(300_000)]
    catalog = opened(tmp_path / "a.csv", "n\n" + "\n".join(map(str, numbers)) + "\n")
    assert catalog.numbers("n").tolist() == numbers


def test_header_only_is_an_empty_catalog(tmp_path: Path) -> None:
    catalog = opened(tmp_path / "a.csv", "Make,MSRP\n")
    assert (catalog.row_count, catalog.columns) == (0, ("Make", "MSRP"))
    assert [profile.nulls for profile in catalog.profiles()] == [0, 0]
    assert catalog.fetch([]) == []


def test_names_that_collide_with_ours_stay_apart(tmp_path: Path) -> None:
    catalog = opened(tmp_path / "a.csv", "a,row_id,_row_id,items\n1,2,3,4\n")
    assert catalog.columns == ("a", "row_id", "_row_id", "items")
    assert list(all_rows(catalog)[0].values()) == [1, 2, 3, 4]


def parquet_table() -> pa.Table:
    return pa.table(
        {
            "Make": pa.array(["Audi", None, "BMW"]),
            "f": pa.array([0.1, float("nan"), None], pa.float32()),
            "d": pa.array([float("nan"), 0.30000000000000004, 1e300]),
            "n": pa.array([1, None, 2], pa.int8()),
            "when": pa.array(
                [datetime(2024, 1, 1), None, datetime(2024, 7, 1)],
                pa.timestamp("us", "Europe/Berlin"),
            ),
            "kind": pa.array(["x", "y", None]).dictionary_encode(),
            "tags": pa.array([["a"], None, []]),
        }
    )


def test_parquet(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    pq.write_table(parquet_table(), path)
    catalog = Catalog.open(path)
    rows = all_rows(catalog)
    assert [row["f"] for row in rows] == [np.float32(0.1), None, None]
    assert [row["d"] for row in rows] == [None, 0.30000000000000004, 1e300]
    assert [row["when"] for row in rows] == [datetime(2024, 1, 1), None, datetime(2024, 7, 1)]
    assert [profile.kind for profile in catalog.profiles()][-2:] == ["categorical", "list"]
    assert fresh_count(catalog) == 3


def frames() -> list[object]:
    frame = pd.DataFrame(ROWS)
    return [
        frame,
        pl.DataFrame(ROWS),
        pa.Table.from_pylist(ROWS),
        pl.DataFrame(ROWS).lazy().collect(),
        frame.set_index("MSRP", drop=False),
    ]


@pytest.mark.parametrize("index", range(5))
def test_frames(index: int) -> None:
    catalog = Catalog.open(frames()[index])
    rows = [{name: row[name] for name in ROWS[0]} for row in all_rows(catalog)]
    assert rows == ROWS
    assert len(catalog.query(catalog.select_text([]))) == 2


def test_a_relation_of_another_connection() -> None:
    with duckdb.connect() as other:
        relation = other.sql("SELECT 'Audi' AS Make, 1 AS MSRP, 1.25::DECIMAL(9,2) AS x")
        catalog = Catalog.open(relation)
    assert all_rows(catalog) == [{"Make": "Audi", "MSRP": 1, "x": 1.25}]
    assert catalog.schema.find("x").sql_type == "DECIMAL(9,2)"


def test_a_change_of_the_frame_does_not_reach_the_catalog() -> None:
    frame = pd.DataFrame({"a": [1, 2]})
    catalog = Catalog.open(frame)
    frame.loc[0, "a"] = 99
    assert [row["a"] for row in all_rows(catalog)] == [1, 2]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE cars AS SELECT 'Audi' AS Make, 1 AS MSRP")
        connection.execute('CREATE TABLE "odd ""name" AS SELECT 2 AS MSRP')
        connection.execute("CREATE VIEW cheap AS SELECT * FROM cars WHERE MSRP < 5")
    return path


@pytest.mark.parametrize(("table", "msrp"), [("cars", 1), ("cheap", 1), ('odd "name', 2)])
def test_tables_and_views_of_a_database(database: Path, table: str, msrp: int) -> None:
    before = database.read_bytes()
    catalog = Catalog.open(database, table=table)
    assert [row["MSRP"] for row in all_rows(catalog)] == [msrp]
    assert len(catalog.query(catalog.select_text([]))) == 1
    assert database.read_bytes() == before


def test_a_database_with_one_table_needs_no_name(tmp_path: Path) -> None:
    path = tmp_path / "one.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE items AS SELECT 1 AS a")
    assert all_rows(Catalog.open(path)) == [{"a": 1}]


@pytest.mark.parametrize(
    ("table", "words"), [(None, "3 tables and none was named"), ("Cars", "no table 'Cars'")]
)
def test_an_unknown_table_lists_the_tables(database: Path, table: str | None, words: str) -> None:
    with pytest.raises(UnknownTable) as caught:
        Catalog.open(database, table=table)
    assert words in str(caught.value)
    assert "'cheap'" in str(caught.value)
    assert caught.value.exit_code == 3


def parquet_bytes() -> bytes:
    buffer = io.BytesIO()
    pl.DataFrame({"a": list(range(1000))}).write_parquet(buffer)
    return buffer.getvalue()


BAD: list[tuple[str, str | bytes, str]] = [
    ("empty.csv", "", "empty"),
    ("spaces.csv", " \n\n ", "empty"),
    ("bom.csv", "\ufeff", "empty"),
    ("empty.parquet", "", "empty"),
    ("empty.json", "", "empty"),
    ("empty.csv.gz", gzip.compress(b"", mtime=0), ""),
    ("not-packed.csv.gz", "a,b\n1,2\n", ""),
    ("cut.csv.gz", gzip.compress(b"a,b\n1,2\n" * 5000, mtime=0)[:-20], ""),
    ("few.csv", "a,b,c\n1,2,3\n4,5\n6,7,8\n", "line 3 has 2 fields, the header has 3"),
    ("many.csv", "a,b\n1,2\n\n3,4,5\n", "line 4 has 3 fields, the header has 2"),
    ("late.csv", "a,b\n" + "1,2\n" * 30_000 + "3\n", "line 30002 has 1 fields"),
    ("latin-1.csv", "a,b\nx,1\nM\u00fcller,2\n".encode("latin-1"), "line 3 is not UTF-8"),
    ("utf-16.csv", "a,b\nx,1\n".encode("utf-16"), ""),
    ("junk.csv", bytes(range(256)) * 20, ""),
    ("junk.parquet", bytes(range(256)) * 20, ""),
    ("junk.duckdb", bytes(range(256)) * 20, ""),
    ("junk.json", bytes(range(256)) * 20, ""),
    ("cut.parquet", parquet_bytes()[:-100], ""),
    ("cut.json", '[{"a": 1}, {"a":', ""),
    ("cut.jsonl", '{"a": 1}\n{"a":', ""),
    ("text.parquet", "a,b\n1,2\n", ""),
    ("text.duckdb", "a,b\n1,2\n", ""),
    ("table.csv", parquet_bytes(), ""),
    ("table.json", parquet_bytes(), ""),
    ("notes.md", "a,b\n1,2\n", "known endings"),
    ("noending", "a,b\n1,2\n", "known endings"),
]


@pytest.mark.parametrize(("name", "content", "words"), BAD, ids=[entry[0] for entry in BAD])
def test_bad_files(tmp_path: Path, name: str, content: str | bytes, words: str) -> None:
    with pytest.raises(UnreadableCatalog) as caught:
        opened(tmp_path / name, content)
    message = str(caught.value)
    assert words in message
    assert name in message
    assert message.isprintable()
    assert len(message) < 500
    assert caught.value.exit_code == 3
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere/at/all.csv", "no such file"),
        ("https://example.org/a.csv", "no such file"),
        ("s3://bucket/a.parquet", "no such file"),
        ("x" * 5000 + ".csv", ""),
        ("a\0b.csv", ""),
        ("sample:nothing", "sample:cars"),
        ("/dev/null", "not a regular file"),
        ("", ""),
        (None, "give a path"),
        (5, "give a path"),
        ([1, 2], "give a path"),
        ({"a": [1]}, "give a path"),
    ],
)
def test_bad_sources(source: object, words: str) -> None:
    with pytest.raises(UnreadableCatalog) as caught:
        Catalog.open(source)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableCatalog, match="a folder"):
        Catalog.open(tmp_path)


def test_a_missing_database_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(UnreadableCatalog, match="no such file"):
        Catalog.open(tmp_path / "new.duckdb")
    assert list(tmp_path.iterdir()) == []


def test_a_table_of_a_file_without_tables(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="no table 'cars'"):
        opened(tmp_path / "a.csv", "a\n1\n", table="cars")


def test_overrides(tmp_path: Path) -> None:
    content = "zip,Price,when\n501,1,2024-01-01\n10001,2,2024-01-02\n"
    columns = {"ZIP": {"kind": "text"}, "Price": {"desirable": "high"}, "when": {"kind": "text"}}
    catalog = opened(tmp_path / "a.csv", content, columns=columns)
    assert [row["zip"] for row in all_rows(catalog)] == ["501", "10001"]
    assert catalog.profile("zip").kind == "text"
    assert catalog.profile("Price").desirable == "high"
    assert all_rows(catalog)[0]["when"] == "2024-01-01"
    assert fresh_count(catalog) == 2


def test_an_override_turns_text_into_numbers() -> None:
    frame = pl.DataFrame({"a": ["1", "nan", "2.5"], "b": ["2024-01-01", None, "2024-05-01"]})
    columns = {"a": {"kind": "numeric"}, "b": {"kind": "date"}}
    catalog = Catalog.open(frame, columns=columns)
    assert [row["a"] for row in all_rows(catalog)] == [1.0, None, 2.5]
    assert catalog.profile("b").kind == "date"


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ({"nope": {"kind": "text"}}, UnknownColumn),
        ({"a": {"kind": "nonsense"}}, BadConstraint),
        ({"a": {"colour": "red"}}, BadConstraint),
        ({"a": {"kind": "numeric"}}, UnreadableCatalog),
    ],
)
def test_bad_overrides(tmp_path: Path, columns: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        opened(tmp_path / "a.csv", "a,b\nx,1\n", columns=columns)
    assert str(caught.value).isprintable()


def test_types_that_are_read_as_others() -> None:
    with duckdb.connect() as other:
        other.execute("SET TimeZone = 'America/New_York'")
        catalog = Catalog.open(
            other.sql(
                "SELECT 'a'::ENUM('a', 'b') AS e, uuid() AS u, TIME '10:00' AS t, "
                "TIMESTAMPTZ '2024-01-01 12:00:00+02' AS z, INTERVAL 1 DAY AS i, 1::HUGEINT AS h"
            )
        )
    assert [column.family for column in catalog.schema.columns] == [
        "text",
        "text",
        "text",
        "date",
        "text",
        "numeric",
    ]
    assert all_rows(catalog)[0]["z"] == datetime(2024, 1, 1, 10)


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6).map(
    lambda text: "x" + text
)


@settings(max_examples=examples(25))
@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), names=st.tuples(CELLS, CELLS)
)
def test_any_text_survives_csv(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], names: tuple[str, str]
) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("a", "b"), *rows])
    catalog = opened(tmp_path_factory.mktemp("csv") / "a.csv", buffer.getvalue())
    trimmed = [tuple(cell.strip(BLANKS) for cell in row) for row in rows]
    assert [tuple(row.values()) for row in all_rows(catalog)] == trimmed
