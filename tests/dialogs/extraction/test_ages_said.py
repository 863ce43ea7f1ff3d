"""How old somebody is bounds what takes people of some ages, and nothing else."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.ages_said import takes_ages
from concede.dialogs.extraction.offline import extract

ROWS = {
    "ride": ["Wheel", "Swing", "Train", "Slide", "Tower", "Boats", "Cars", "Maze"],
    "lowest age": [3, 4, 5, 6, 7, 8, 9, 12],
    "oldest age": [8, 9, 10, 12, 13, 14, 15, 16],
    "seats": [1, 2, 4, 6, 8, 10, 12, 16],
    "price (EUR)": [2, 3, 4, 5, 6, 7, 8, 9],
}


@pytest.fixture(scope="module")
def rides() -> Catalog:
    return Catalog.open(pa.table(ROWS))


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("my niece is eight", 8, 8),
        ("Ole is 5 and Ida is 9, something for both please", 5, 9),
        ("they're six, seven and ten", 6, 10),
        ("anything for a 4 and an 11 year old?", 4, 11),
        ("he just turned seven", 7, 7),
        ("I hear that he has turned ten", 10, 10),
        ("two kids, 5 and 9 years", 5, 9),
        ("our three children, 6, 8 and 12 years", 6, 12),
        ("for two grandsons, 6 and 9", 6, 9),
        ("my daughter, 7, likes heights", 7, 7),
        ("hey im 13", 13, 13),
        ("for my 2 grandkids, 6 and 9", 6, 9),
    ],
)
def test_all_are_let_in(rides: Catalog, text: str, least: int, most: int) -> None:
    bounds = {str(part.constraint) for part in extract(text, rides).constraints}
    assert {f"lowest age ≤ {least}", f"oldest age ≥ {most}"} <= bounds
    assert not any(bound.startswith(("seats", "price")) for bound in bounds - {"seats = 3"})


@pytest.mark.parametrize("text", ["the price is 5 at most", "it's 7 each", "there are 4 of us"])
def test_other_numbers_are_no_ages(rides: Catalog, text: str) -> None:
    assert not any("age" in str(part.constraint) for part in extract(text, rides).constraints)


def test_ages_of_people_are_none_of_animals() -> None:
    cats = {"cat": ["Mia", "Tom", "Kit", "Zoe"], "age": [1, 3, 5, 8], "weight": [3, 4, 5, 6]}
    with Catalog.open(pa.table(cats)) as cattery:
        for said in ("We have two girls, 5 and 8 years old.", "two kids, 5 and 8 years"):
            assert not extract(said, cattery).constraints
        [young] = extract("I'd like a girl, 4 years or under", cattery).constraints
        assert str(young.constraint) == "age ≤ 4"
        [old] = extract("one that is about 5 years old", cattery).constraints
        assert old.constraint.column == "age"


def test_which_ages_a_column_takes() -> None:
    names = ("Minimum age", "age_to", "Oldest age", "age", "engine max", "from")
    assert [takes_ages(name) for name in names] == ["<=", ">=", ">=", "", "", ""]
