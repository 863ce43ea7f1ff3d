"""What cannot be written is refused in one line, and then nothing is written."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from concede import Catalog, ConcedeError, Constraint, QueryError
from concede.catalogs.versions.row_batch import MAX_ROWS

TYPES: dict[str, tuple[pa.DataType, Any]] = {
    "sku": (pa.string(), "a"),
    "tiny": (pa.int8(), 1),
    "count": (pa.uint64(), 1),
    "huge": (pa.decimal128(38, 0), Decimal(1)),
    "money": (pa.decimal128(6, 2), Decimal("1.50")),
    "ratio": (pa.float64(), 0.5),
    "single": (pa.float32(), 0.5),
    "flag": (pa.bool_(), True),
    "day": (pa.date32(), dt.date(2024, 2, 29)),
    "at": (pa.timestamp("us"), dt.datetime(2024, 2, 29, 12)),
    "tags": (pa.list_(pa.string()), ["x"]),
}


def catalog_of(rows: int = 2) -> Catalog:
    columns = {
        name: pa.array([f"{cell}{i}" if name == "sku" else cell for i in range(rows)], kind)
        for name, (kind, cell) in TYPES.items()
    }
    return Catalog.open(pa.table(columns), key="sku")


HELD = [
    ("tiny", "7", 7),
    ("tiny", -128, -128),
    ("tiny", 7.0, 7),
    ("tiny", np.int64(5), 5),
    ("count", 2**64 - 1, 2**64 - 1),
    ("money", 19.99, 19.99),
    ("money", "1e2", 100),
    ("money", Decimal("-9999.99"), -9999.99),
    ("ratio", 1, 1.0),
    ("ratio", " 1.5e-3 ", 0.0015),
    ("single", 0.25, 0.25),
    ("flag", "TRUE", True),
    ("day", "2024-05-31", dt.date(2024, 5, 31)),
    ("day", dt.datetime(2024, 5, 31), dt.date(2024, 5, 31)),
    ("at", "2024-05-31T10:00:00+02:00", dt.datetime(2024, 5, 31, 8)),
    ("at", dt.date(2024, 5, 31), dt.datetime(2024, 5, 31)),
    ("sku", "", ""),
    ("sku", "a'\"; DROP TABLE x; --", "a'\"; DROP TABLE x; --"),
    ("tags", None, None),
]


@pytest.mark.parametrize(("column", "given", "held"), HELD)
def test_values_are_held_as_the_column_holds_them(column: str, given: Any, held: Any) -> None:
    catalog = catalog_of()
    key = given if column == "sku" else "b"
    assert catalog.upsert([{"sku": key, column: given}]) == 2
    assert catalog.rows_by_id([2])[0] == dict.fromkeys(TYPES) | {"sku": key, column: held}
    catalog.warm()
    assert catalog.rows_by_id([2])[0] == dict.fromkeys(TYPES) | {"sku": key, column: held}


REFUSED: list[tuple[Any, str]] = [
    ({"tiny": 128}, "bad row 1: 'tiny' is 128: out of the range"),
    ({"tiny": 1.5}, "not a whole number"),
    ({"tiny": True}, "not a number"),
    ({"tiny": "1; DROP TABLE x"}, "not a number"),
    ({"tiny": "1" * 10_000}, "not a number"),
    ({"tiny": "1e9999"}, "too large"),
    ({"count": -1}, "out of the range"),
    ({"money": "0.001"}, "more than 2 digits"),
    ({"money": 1e9}, "too large"),
    ({"money": 10**500}, "too large"),
    ({"ratio": float("nan")}, "not a finite number"),
    ({"ratio": float("inf")}, "not a finite number"),
    ({"ratio": Decimal("NaN")}, "not a finite number"),
    ({"ratio": np.float64("nan")}, "not a finite number"),
    ({"ratio": 2**2000}, "too large"),
    ({"single": 1e39}, "too large"),
    ({"flag": 1}, "true or false"),
    ({"flag": "maybe"}, "true or false"),
    ({"day": "29.2.2024"}, "a date such as"),
    ({"day": 20240229}, "not a date"),
    ({"day": dt.datetime(2024, 1, 1, 5)}, "a time of day"),
    ({"sku": "x" * (2**20 + 1)}, "characters"),
    ({"sku": "\ud800"}, "half a character"),
    ({"sku": "a\0"}, "a NUL character"),
    ({"sku": "é\0"}, "a NUL character"),
    ({"tags": ["x", "a\0"]}, "a NUL character"),
    ({"sku": ["a"]}, "not a value of a text column"),
    ({"tags": 3}, "not a list of texts"),
    ({"tags": ["x", 3.5, None]}, "not a value of a list column"),
    ({"sku": None}, "a row needs its key"),
    ({"prise": 1}, "unknown column 'prise'"),
    ({"tiny": 1, "TINY": 2}, "given twice"),
    ({3: 1}, "not a column's name"),
    ("text", "not a mapping"),
    (None, "not a mapping"),
]


@pytest.mark.parametrize(("row", "message"), REFUSED)
def test_one_bad_row_and_nothing_is_written(row: Any, message: str) -> None:
    catalog = catalog_of()
    bad = {"sku": "z"} | row if isinstance(row, dict) else row
    with pytest.raises(QueryError, match=message) as caught:
        catalog.upsert([{"sku": "good", "tiny": 1}, bad])
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    assert (catalog.version, catalog.row_count) == (1, 2)


@pytest.mark.parametrize("rows", ["text", {"sku": "a"}, 5, None, b"x"])
def test_what_is_no_list_of_rows(rows: Any) -> None:
    with pytest.raises(QueryError, match="no list of rows"):
        catalog_of().upsert(rows)


def test_no_endless_rows_are_read() -> None:
    def endless() -> Any:
        while True:
            yield {"sku": "x"}

    with pytest.raises(QueryError, match=f"more than {MAX_ROWS} rows"):
        catalog_of().upsert(endless())


@pytest.mark.parametrize(
    ("row_ids", "message"),
    [
        ([2], "no row ever had it"),
        ([-1], "no row ever had it"),
        ([2**70], "no row ever had it"),
        ([0, 1.0], "not a whole number"),
        ([True], "not a whole number"),
        (["0"], "not a whole number"),
        ("01", "no list"),
        (7, "no list"),
    ],
)
def test_ids_that_cannot_be_deleted(row_ids: Any, message: str) -> None:
    catalog = catalog_of()
    with pytest.raises(QueryError, match=message):
        catalog.delete(row_ids)
    assert (catalog.version, catalog.row_count) == (1, 2)


def test_nothing_to_do_makes_no_version() -> None:
    catalog = catalog_of()
    assert catalog.upsert([]) == 1
    assert catalog.delete([]) == 1
    assert catalog.delete([0, 0]) == 2
    assert catalog.delete([0]) == 2


def test_everything_can_be_deleted_and_rows_come_again_with_new_ids() -> None:
    catalog = catalog_of()
    assert catalog.delete([0, 1]) == 2
    assert (catalog.row_count, catalog.query("SELECT * FROM catalog")) == (0, [])
    assert catalog.profile("tiny").rows == 0
    assert catalog.upsert([{"sku": "a0"}]) == 3
    assert catalog.row_ids(catalog.slice(()).ids) == [2]
    assert catalog.rows_by_id([0, 2, 99, -5])[0::2] == [None, None]


def test_a_key_that_several_rows_share() -> None:
    table = pa.table({"a": [1, 1, 2], "b": [1, 2, 2]})
    with pytest.raises(QueryError, match="2 rows have the same, 1"):
        Catalog.open(table, key="a")
    with pytest.raises(QueryError, match="unknown column 'c'"):
        Catalog.open(table, key="c")
    catalog = Catalog.open(table, key=("a", "b"))
    assert catalog.upsert([{"a": 1, "b": 2}, {"a": 2, "b": 1}]) == 2
    assert catalog.row_count == 4
    with pytest.raises(QueryError, match="2 rows of the catalog have the same"):
        catalog.upsert([{"a": 1}], key="a")
    with pytest.raises(QueryError, match="not a column's name"):
        catalog.upsert([{"a": 1}], key=[3])  # type: ignore[list-item]


def test_a_snapshot_is_read_only() -> None:
    snapshot = catalog_of().snapshot()
    for write in ("upsert", "delete", "reload", "compact"):
        assert hasattr(Catalog, write)
        assert not hasattr(snapshot, write)


def test_names_of_ours_may_be_columns() -> None:
    names = ["row_id", "added", "REMOVED", "_row_id", "i", "v", "g", "o", "p", "n", "code"]
    catalog = Catalog.open(pa.table({name: ["a", "b"] for name in names}), key="g")
    assert catalog.upsert([{"g": "b", "added": "x"}, {"g": "c", "i": "y"}]) == 2
    catalog.warm()
    for column, value in (("added", "x"), ("i", "y"), ("REMOVED", "b")):
        predicate = catalog.bind(Constraint(column=column, op="==", value=value))
        assert catalog.count([predicate]) == len(catalog.rows(predicate)) == 1
    assert [row["g"] for row in catalog.query("SELECT g FROM catalog ORDER BY g")] == list("abc")
    assert catalog.fetch([1])[0] == dict.fromkeys(names, "b") | {"added": "x"}


def test_a_reload_that_fails_leaves_everything_as_it_was(tmp_path: Any) -> None:
    catalog = catalog_of()
    with pytest.raises(ConcedeError, match="no such file"):
        catalog.reload(tmp_path / "gone.csv")
    with pytest.raises(ConcedeError, match="no file to read again"):
        catalog.reload()
    (tmp_path / "a.csv").write_text("x\n1\n")
    with pytest.raises(ConcedeError, match="unknown column 'sku'"):
        catalog.reload(tmp_path / "a.csv")
    assert (catalog.version, catalog.row_count) == (1, 2)
    (tmp_path / "a.csv").write_text("sku\n1\n")
    assert catalog.reload(tmp_path / "a.csv") == 2
    (tmp_path / "a.csv").write_text("sku\n1\n2\n")
    assert (catalog.columns, catalog.row_count) == (("sku",), 1)


def test_a_file_is_read_again(tmp_path: Any) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    catalog = Catalog.open(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("x,y\n1,2\n2,3\n")
    before = catalog.snapshot()
    assert catalog.reload() == 2
    assert catalog.fetch([0, 1]) == [{"x": 1, "y": 2}, {"x": 2, "y": 3}]
    assert catalog.row_ids([0, 1]) == [1, 2]
    assert before.query("SELECT * FROM a") == before.fetch([0]) == [{"x": 1}]
