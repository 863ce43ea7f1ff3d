"""`sample:cars`: the shape of the catalog, its determinism, and whether its cars are believable."""

import csv
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from concede.catalogs.sources.sample_cars import COLUMNS, sample_cars

ROWS = 12_000
TRANSMISSIONS = {"AUTOMATIC", "MANUAL", "AUTOMATED_MANUAL", "DIRECT_DRIVE", "UNKNOWN"}
SIZES = {"Compact", "Midsize", "Large"}
SLICED_BY = ("Make", "Vehicle Style", "Transmission Type", "Driven_Wheels")
DIGEST = """
import hashlib, json
from concede.catalogs.sources.sample_cars import sample_cars
print(hashlib.sha256(json.dumps(sample_cars()).encode()).hexdigest())
"""

Cell = str | int | None


@pytest.fixture(scope="module")
def cars() -> dict[str, list[Cell]]:
    return sample_cars()


@pytest.fixture(scope="module")
def records(cars: dict[str, list[Cell]]) -> list[dict[str, Cell]]:
    return [dict(zip(COLUMNS, cells, strict=True)) for cells in zip(*cars.values(), strict=True)]


def numbers(cells: list[Cell]) -> list[int]:
    return [cell for cell in cells if isinstance(cell, int)]


def is_combustion(record: dict[str, Cell]) -> bool:
    return record["Engine Fuel Type"] not in ("electric", None)


@pytest.mark.parametrize("rows", [0, 1, 7, 1_000, ROWS])
def test_every_column_has_as_many_cells_as_asked_for(rows: int) -> None:
    catalog = sample_cars(rows)
    assert tuple(catalog) == COLUMNS
    assert {len(cells) for cells in catalog.values()} == {rows}


def test_a_negative_number_of_rows_is_refused_with_its_value() -> None:
    with pytest.raises(ValueError, match="-3"):
        sample_cars(-3)


def test_text_stays_text_and_numbers_are_integers(cars: dict[str, list[Cell]]) -> None:
    numeric = {
        *("Year", "Engine HP", "Engine Cylinders", "Number of Doors"),
        *("highway MPG", "city mpg", "Popularity", "MSRP"),
    }
    for name, cells in cars.items():
        kind = int if name in numeric else str
        assert {type(cell) for cell in cells} <= {kind, type(None)}, name


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_catalog_does_not_depend_on_the_hash_seed(
    cars: dict[str, list[Cell]], hash_seed: str
) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", DIGEST]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == hashlib.sha256(json.dumps(cars).encode()).hexdigest()


def test_the_seed_decides_the_catalog(cars: dict[str, list[Cell]]) -> None:
    assert sample_cars(ROWS, 2017) == cars
    assert sample_cars(ROWS, 2018) != cars


def test_changing_a_returned_catalog_does_not_change_the_next_one() -> None:
    sample_cars(50)["Make"].clear()
    assert len(sample_cars(50)["Make"]) == 50


def test_values_lie_in_their_vocabularies_and_ranges(cars: dict[str, list[Cell]]) -> None:
    assert 35 <= len(set(cars["Make"])) <= 48
    assert len(set(cars["Model"])) >= 300
    assert set(cars["Year"]) == set(range(1990, 2018))
    assert set(cars["Transmission Type"]) == TRANSMISSIONS
    assert set(cars["Vehicle Size"]) == SIZES
    assert len(set(cars["Vehicle Style"])) == 16
    assert len(set(cars["Driven_Wheels"])) == 4
    assert len(set(cars["Engine Fuel Type"]) - {None}) >= 9
    assert set(cars["Number of Doors"]) == {2, 3, 4, None}
    for name, low, high in (
        ("Engine HP", 50, 1_100),
        ("Engine Cylinders", 0, 16),
        ("highway MPG", 11, 125),
        ("city mpg", 8, 140),
        ("MSRP", 2_000, 2_500_000),
    ):
        cells = numbers(cars[name])
        assert low <= min(cells), name
        assert max(cells) <= high, name


def test_market_categories_are_joined_labels_or_not_available(cars: dict[str, list[Cell]]) -> None:
    labels = {label for cell in cars["Market Category"] for label in str(cell).split(",")}
    assert labels == {
        *("Crossover", "Hatchback", "Exotic", "Flex Fuel", "Diesel", "Factory Tuner", "Luxury"),
        *("Performance", "High-Performance", "Hybrid", "N/A"),
    }
    assert all("N/A" not in str(cell) or cell == "N/A" for cell in cars["Market Category"])


def test_combustion_cars_burn_more_in_town_than_on_the_road(
    records: list[dict[str, Cell]],
) -> None:
    plain = [
        record
        for record in records
        if is_combustion(record) and "Hybrid" not in str(record["Market Category"])
    ]
    thirsty = sum(int(r["city mpg"] or 0) < int(r["highway MPG"] or 0) for r in plain)
    assert thirsty > 0.99 * len(plain)


def test_electric_cars_have_no_cylinders_and_one_speed(records: list[dict[str, Cell]]) -> None:
    electric = [record for record in records if record["Engine Fuel Type"] == "electric"]
    assert electric
    for record in electric:
        assert record["Engine Cylinders"] in (0, None)
        assert record["Transmission Type"] in ("DIRECT_DRIVE", "UNKNOWN")
        assert int(record["city mpg"] or 0) > 80
    assert any(record["Engine HP"] is None for record in electric)
    assert any(record["Engine HP"] is not None for record in electric)


def test_only_electric_cars_are_without_cylinders(records: list[dict[str, Cell]]) -> None:
    without = [record for record in records if record["Engine Cylinders"] == 0]
    assert {record["Engine Fuel Type"] for record in without} <= {"electric", None}
    assert {r["Engine Fuel Type"] for r in records if r["Make"] == "Tesla"} <= {"electric", None}


def test_exotic_makes_build_no_pickups_and_no_vans(records: list[dict[str, Cell]]) -> None:
    styles: dict[Cell, set[str]] = defaultdict(set)
    for record in records:
        styles[record["Make"]].add(str(record["Vehicle Style"]))
    for make in ("Ferrari", "Lamborghini", "Porsche", "Aston Martin", "Rolls-Royce", "Tesla"):
        assert not [style for style in styles[make] if "Pickup" in style or "van" in style.lower()]


def test_prices_rise_with_horsepower_and_are_low_for_old_cars(
    records: list[dict[str, Cell]],
) -> None:
    def mean_price(chosen: list[dict[str, Cell]]) -> float:
        return sum(int(record["MSRP"] or 0) for record in chosen) / len(chosen)

    recent = [r for r in records if int(r["Year"] or 0) >= 2010]
    strong = [r for r in recent if int(r["Engine HP"] or 0) >= 300]
    weak = [r for r in recent if 0 < int(r["Engine HP"] or 0) <= 180]
    old = [r for r in records if int(r["Year"] or 0) <= 2000]
    assert mean_price(strong) > 1.5 * mean_price(weak)
    assert sum(record["MSRP"] == 2_000 for record in old) > 0.3 * len(old)
    assert all(int(r["MSRP"] or 0) > 6_000 for r in records if int(r["Year"] or 0) > 2000)


def test_every_make_has_one_popularity(cars: dict[str, list[Cell]]) -> None:
    pairs = set(zip(cars["Make"], cars["Popularity"], strict=True))
    assert len(pairs) == len(set(cars["Make"]))


def test_some_models_are_named_by_digits_alone(cars: dict[str, list[Cell]]) -> None:
    digits = {model for model in cars["Model"] if str(model).isdigit()}
    assert {"3", "6", "200", "300", "900"} <= digits


def test_there_are_many_slices_of_a_size_worth_asking_about(
    records: list[dict[str, Cell]],
) -> None:
    slices = Counter(tuple(record[name] for name in SLICED_BY) for record in records)
    assert sum(35 <= count <= 350 for count in slices.values()) >= 40


def test_a_few_cells_are_missing_and_a_few_rows_repeat(cars: dict[str, list[Cell]]) -> None:
    gaps = {name for name, cells in cars.items() if None in cells}
    assert gaps == {"Engine Fuel Type", "Engine HP", "Engine Cylinders", "Number of Doors"}
    assert all(cells.count(None) < 0.02 * ROWS for cells in cars.values())
    rows = list(zip(*cars.values(), strict=True))
    assert 0.005 * ROWS < len(rows) - len(set(rows)) < 0.08 * ROWS


def test_the_catalog_is_no_copy_of_the_published_one(
    cars: dict[str, list[Cell]], shared_data: Path
) -> None:
    path = shared_data / "cooperunion_cars" / "data.csv"
    if not path.is_file():
        pytest.skip(f"no published catalog at {path}")
    with path.open(encoding="utf-8", newline="") as file:
        header, *published = csv.reader(file)
    assert tuple(header) == COLUMNS
    known = {tuple(row) for row in published}
    made = zip(*cars.values(), strict=True)
    texts = (tuple("" if cell is None else str(cell) for cell in row) for row in made)
    assert sum(row in known for row in texts) < 0.01 * ROWS


def test_a_query_of_the_readme_kind_is_infeasible_and_every_part_can_repair_it(
    records: list[dict[str, Cell]],
) -> None:
    family = ("Toyota", "Sedan", "AUTOMATIC", "front wheel drive")
    chosen = [r for r in records if tuple(r[name] for name in SLICED_BY) == family]
    wishes = [
        {i for i, r in enumerate(chosen) if int(r["Year"] or 0) >= 2017},
        {i for i, r in enumerate(chosen) if int(r["MSRP"] or 0) <= 38_500},
        {i for i, r in enumerate(chosen) if int(r["highway MPG"] or 0) >= 34},
        {i for i, r in enumerate(chosen) if r["Vehicle Size"] == "Large"},
    ]
    assert not set.intersection(*wishes)
    for dropped in range(4):
        assert set.intersection(*(wish for i, wish in enumerate(wishes) if i != dropped))
