"""Files that are nearly what they should be: read as far as they can be, else refused by line."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from concede import Catalog, UnreadableCatalog


def opened(path: Path, text: str) -> Catalog:
    path.write_text(text, encoding="utf-8")
    return Catalog.open(path)


@pytest.mark.parametrize("dates", [("2024-1-2", "01/02/2024"), ("01/02/2024", "2024-1-2")])
def test_dates_of_two_formats_are_text_in_any_order(tmp_path: Path, dates: tuple[str, str]) -> None:
    catalog = opened(tmp_path / "a.csv", f"n,day\n1,{dates[0]}\n2,{dates[1]}\n")
    assert [row["day"] for row in catalog.fetch([0, 1])] == list(dates)
    assert len(duckdb.sql(catalog.select_text([]))) == 2


def test_a_column_of_dates_of_one_format_stays_one_beside_it(tmp_path: Path) -> None:
    rows = "2024-1-2,13/02/2024\n01/02/2024, 14/02/2024\n"
    catalog = opened(tmp_path / "a.csv", f"mixed,day\n{rows}")
    types = [column.sql_type for column in catalog.schema.columns]
    assert types == ["VARCHAR", "DATE"]


@pytest.mark.parametrize(
    ("text", "line"), [('a,"b\n1,2\n', 1), ('a,b\n1,2\n3,"4\n5,6\n', 3), ('a,b\n1,"x"y\n', 2)]
)
def test_a_quote_that_is_not_closed_is_named_by_its_line(
    tmp_path: Path, text: str, line: int
) -> None:
    with pytest.raises(UnreadableCatalog, match=f"line {line} .*close every quote"):
        opened(tmp_path / "a.csv", text)


@pytest.mark.parametrize("text", ["[]", "[ ]", "[1, 2]", '"x"', "[{}]", "[[1]]", "[null]"])
def test_json_without_fields_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnreadableCatalog, match="no objects with fields"):
        opened(tmp_path / "a.json", text)


def test_a_field_may_be_called_json_and_objects_be_wide(tmp_path: Path) -> None:
    assert opened(tmp_path / "a.json", '[{"json": 1}]').fetch([0]) == [{"json": 1}]
    wide = {f"k{place}": place for place in range(300)}
    catalog = opened(tmp_path / "wide.json", json.dumps([wide]))
    assert catalog.fetch([0]) == [wide]
    assert duckdb.sql(catalog.select_text([])).fetchall() == [tuple(range(300))]
