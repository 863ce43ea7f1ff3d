"""Cells of text become what they are: amounts with units, truths, lists; the rest stays text."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog

READ = [
    # cells, type, values, unit
    (["£9,000", "£10,500", "£ 950"], "BIGINT", [9000, 10500, 950], "£"),
    (["£25k", "£9,000"], "BIGINT", [25000, 9000], "£"),
    (["€1,200.50", "n/a", ""], "DOUBLE", [1200.5, None, None], "€"),
    (["950 EUR", "1,200 EUR"], "BIGINT", [950, 1200], "EUR"),
    (["£900 pcm", "£1,150 pcm"], "BIGINT", [900, 1150], "£ pcm"),
    (["1,200 km", "900 km", "tbc"], "BIGINT", [1200, 900, None], "km"),
    (["16GB", "512MB", "1 TB", "8 GB"], "DOUBLE", [16, 0.5, 1024, 8], "GB"),
    (["1 month", "12 months", "24 months"], "BIGINT", [1, 12, 24], "months"),
    (["45 min", "90 min"], "BIGINT", [45, 90], "min"),
    (["1h 30min", "2 hrs", "45 min"], "DOUBLE", [90, 120, 45], "min"),
    (["1,200", "12", "3,400,000"], "BIGINT", [1200, 12, 3400000], ""),
    (["4.5/5", "3/5"], "DOUBLE", [4.5, 3], "/5"),
    (["-5 °C", "12 °C"], "BIGINT", [-5, 12], "°C"),
    (["Y", "n", "Y"], "BOOLEAN", [True, False, True], ""),
    (["wifi; pool", "pool", "wifi;gym", "gym ; wifi"], "VARCHAR[]",
     [["wifi", "pool"], ["pool"], ["wifi", "gym"], ["gym", "wifi"]], ""),
    (["tea|cake", "cake", "tea|", "cake|tea"], "VARCHAR[]",
     [["tea", "cake"], ["cake"], ["tea"], ["cake", "tea"]], ""),
    (["wifi, pool", "pool", "wifi, gym, pool", "gym, wifi", "gym"], "VARCHAR[]",
     [["wifi", "pool"], ["pool"], ["wifi", "gym", "pool"], ["gym", "wifi"], ["gym"]], ""),
    # of the parts that several texts share both are now here, now there
    (["tits, seals", "seals, owls", "caves, cliffs", "cliffs", "harbour"] * 3, "VARCHAR[]",
     [["tits", "seals"], ["seals", "owls"], ["caves", "cliffs"], ["cliffs"], ["harbour"]] * 3, ""),
    (["20 Mar 2027", "3rd June 2026", "1-Dec-2026"], "DATE",
     [date(2027, 3, 20), date(2026, 6, 3), date(2026, 12, 1)], ""),
    (["March 3, 2027", "Sept. 30 2026", ""], "DATE",
     [date(2027, 3, 3), date(2026, 9, 30), None], ""),
    ([" red ", "blue\u00a0", "\t"], "VARCHAR", ["red", "blue", None], ""),
]  # fmt: skip

STAYS = [
    # places, names, and prose with commas; no such day
    ["Dayton, Ohio", "Austin, Texas", "Waco, Texas", "Dayton, Ohio", "Austin, Texas"] * 2,
    ["Roe, Ann", "Doe, Jo", "Poe"],
    ["quick, quiet and light", "light, and cheap", "quick"],
    ["Washington, DC", "Boston", "Boston", "Washington, DC"] * 2,
    ["Smith, John, Jr.", "Smith, John", "Smith, John"] * 3,
    # other writings of lists, brackets, numbers
    ['["wifi", "pool"]', '["pool"]', '["pool", "wifi"]'] * 3,
    ["{wifi, pool}", "{pool, wifi}", "{pool}"] * 3,
    ["wifi (5 GHz, fast)", "fast, wifi (5 GHz)", "fast"] * 3,
    ["1, 200", "200, 1", "1"] * 3,
    ["Mayfair 12 2020", "Marble 3 2019"],
    ["3 Mar 0000", "3 Mar 2027"],
    ["30 Feb 2027", "3 Mar 2027"],
    ["March 2027", "April 2027"],
    ["x;", "x;", "y;", "x;"],  # a mark behind one thing makes no list of it
    # a model, a size, a code, two currencies, two quantities, a thing with a number, prose
    ["3 Series", "5 Series"],
    ["42 EU", "44 EU"],
    ["007", "0,123"],
    ["£900", "€900"],
    ["12 km", "12 kg"],
    ["£900 pcm", "£200 pw"],
    ["16GB", "lots"],
    ["Y", "N", "maybe"],
    ["wait; see", "never mind"],
    ["12-14", "9 to 5"],
]


def written(path: Path, cells: list[str]) -> Catalog:
    text = "".join(
        json.dumps({"n": place, "cell": cell}) + "\n" for place, cell in enumerate(cells)
    )
    path.write_text(text, encoding="utf-8")
    return Catalog.open(path)


def column(catalog: Catalog) -> tuple[str, list[Any], str]:
    profile = catalog.profile("cell")
    rows = catalog.fetch(range(catalog.row_count))
    return profile.sql_type, [row["cell"] for row in rows], profile.unit


@pytest.mark.parametrize(("cells", "sql_type", "values", "unit"), READ)
@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_cells_are_read_as_what_they_are(
    tmp_path: Path, cells: list[str], sql_type: str, values: list[Any], unit: str, suffix: str
) -> None:
    path = tmp_path / f"a{suffix}"
    if suffix == ".csv":
        lines = ["n,cell", *(f'{place},"{cell}"' for place, cell in enumerate(cells))]
        path.write_text("\n".join(lines), encoding="utf-8")
        catalog = Catalog.open(path)
    else:
        catalog = written(path, cells)
    assert column(catalog) == (sql_type, values, unit)
    # Whoever runs the SQL shown gets the same values.
    shown = catalog.query("SELECT count(*) AS c FROM a WHERE cell IS NOT NULL")
    assert shown[0]["c"] == sum(value is not None for value in values)


@pytest.mark.parametrize("cells", STAYS)
def test_what_is_something_else_stays_text(tmp_path: Path, cells: list[str]) -> None:
    assert column(written(tmp_path / "a.jsonl", cells)) == ("VARCHAR", cells, "")


def test_one_cell_beyond_the_first_rows_keeps_a_column_text(tmp_path: Path) -> None:
    cells = [*(f"{number} km" for number in range(3000)), "far away"]
    assert column(written(tmp_path / "a.jsonl", cells))[0] == "VARCHAR"
    lists = ["wifi, pool", "pool", "gym, wifi", "wifi, gym, pool"] * 700
    prose = [*lists, "A big, quiet room of 1,200 sqft, with a view"]
    assert column(written(tmp_path / "a.jsonl", lists))[0] == "VARCHAR[]"
    assert column(written(tmp_path / "a.jsonl", prose))[0] == "VARCHAR"
    cells[-1] = "7 miles"
    assert column(written(tmp_path / "a.jsonl", cells))[0] == "VARCHAR"


def test_a_kind_that_was_given_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("cell\n16GB\n8GB\n")
    kept = Catalog.open(path, columns={"cell": {"kind": "text"}})
    assert [row["cell"] for row in kept.fetch([0, 1])] == ["16GB", "8GB"]


def test_typed_sources_are_left_alone(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"cell": [" 16GB ", "8GB"]}), path)
    assert column(Catalog.open(path)) == ("VARCHAR", [" 16GB ", "8GB"], "")


@given(number=st.integers(0, 10**9), unit=st.sampled_from(["km", "GB", "%", "hp"]))
def test_numbers_keep_their_value(
    tmp_path_factory: pytest.TempPathFactory, number: int, unit: str
) -> None:
    path = tmp_path_factory.mktemp("cells") / "a.jsonl"
    cells = [f"{number:,} {unit}", f"{number:,}.25{unit}"]
    assert column(written(path, cells)) == ("DOUBLE", [float(number), number + 0.25], unit)
