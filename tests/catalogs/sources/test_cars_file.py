"""The published cars file, with every quirk its README lists."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.where_clause import parse_where

INTEGERS = (
    "Year",
    "Engine HP",
    "Engine Cylinders",
    "Number of Doors",
    "highway MPG",
    "city mpg",
    "Popularity",
    "MSRP",
)


@pytest.fixture(scope="module")
def path(shared_data: Path) -> Path:
    return shared_data / "cooperunion_cars" / "data.csv"


@pytest.fixture(scope="module")
def catalog(path: Path) -> Catalog:
    return Catalog.open(path)


def count(catalog: Catalog, where: str) -> int:
    return len(
        catalog.slice(
            [catalog.bind(constraint) for constraint in parse_where(where, catalog.schema)]
        )
    )


def test_all_rows_in_the_order_of_the_file(catalog: Catalog, path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as lines:
        expected = [
            {
                name: None if not cell else int(cell) if name in INTEGERS else cell
                for name, cell in row.items()
            }
            for row in csv.DictReader(lines)
        ]
    assert len(expected) == 11_914
    assert catalog.fetch(range(catalog.row_count)) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("\"Market Category\" = 'N/A'", 3742),
        ('"Market Category" IS NULL', 0),
        ('"Engine Fuel Type" IS NULL', 3),
        ('"Engine HP" IS NULL', 69),
        ('"Engine HP" IS NULL AND "Engine Fuel Type" = \'electric\'', 44),
        ('"Engine Cylinders" IS NULL', 30),
        ('"Number of Doors" IS NULL', 6),
        ("MSRP = 2000", 1036),
        ("\"highway MPG\" = 354 AND Make = 'Audi' AND Model = 'A6'", 1),
        ('"highway MPG" > 200', 1),
        ("TRY_CAST(Model AS INTEGER) IS NOT NULL AND Model NOT LIKE '%-%'", 450),
        ('"Engine HP" > 0 OR NOT "Engine HP" > 0', 11_914 - 69),
    ],
)
def test_quirks(catalog: Catalog, where: str, expected: int) -> None:
    assert count(catalog, where) == expected


def test_duplicate_rows(catalog: Catalog) -> None:
    rows = Counter(tuple(row.values()) for row in catalog.fetch(range(catalog.row_count)))
    assert sum(rows.values()) - len(rows) == 715


def test_a_model_of_digits_is_found_by_number_and_by_text(catalog: Catalog) -> None:
    found = [
        catalog.count([catalog.bind(Constraint(column="Model", op="==", value=value))])
        for value in ("300", 300, 300.0)
    ]
    assert found[0] > 0
    assert len(set(found)) == 1


def test_profiles(catalog: Catalog) -> None:
    found = {profile.name: profile for profile in catalog.profiles()}
    assert [name for name, one in found.items() if one.kind == "numeric"] == list(INTEGERS)
    assert {value.kind for value in found.values()} == {"numeric", "categorical"}
    assert (found["Year"].minimum, found["Year"].maximum) == (1990, 2017)
    assert (found["highway MPG"].minimum, found["highway MPG"].maximum) == (12, 354)
    assert (found["Make"].distinct, found["Model"].distinct) == (48, 915)
    assert found["Make"].values[0] == "Chevrolet"
    assert {n: one.desirable for n, one in found.items() if one.desirable} == {
        "Year": "high",
        "Engine HP": "high",
        "highway MPG": "high",
        "city mpg": "high",
        "Popularity": "high",
        "MSRP": "low",
    }
    assert catalog.cost_column == "MSRP"
