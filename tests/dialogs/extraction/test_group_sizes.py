"""Who says how many they are wants room for them."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import extract
from concede.dialogs.extraction.group_sizes import holds_people
from concede.dialogs.transcripts.transcript import Message

pa = pytest.importorskip("pyarrow")

HALLS = Catalog.open(
    pa.table(
        {
            "hall": [f"Hall {n}" for n in range(24)],
            "town": ["Millbrook", "Ashby", "Kirkham"] * 8,
            "capacity": [4 + 12 * n for n in range(24)],
            "parking_spaces": [3 + 5 * n for n in range(24)],
            "wind_limit_kmh": [10 + n for n in range(24)],
        }
    )
)


def read(text: str) -> set[tuple[str | None, str, object]]:
    parts = extract(text, HALLS).constraints
    return {(part.constraint.column, part.constraint.op, part.constraint.value) for part in parts}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("We're a family of seven, in Ashby please", 7),
        ("a hall in Ashby for a party of 30", 30),
        ("for 12 of us, in Ashby", 12),
        ("a hall in Ashby for about 40 people", 40),
        ("in Ashby, a wedding for around 120 guests", 120),
        ("a hall in Ashby for 150 ppl", 150),
        ("a hall in Ashby for 40 adults and 12 children", 52),
        ("in Ashby, we are 30 adults, 20 kids", 50),
        ("we are 17, in Ashby", 17),
        ("in Ashby, we'll be 9 plus a dog", 9),
        ("Family of nine, in Ashby", 9),
        ("me, my wife and 5 kids, in Ashby", 7),
        ("with my husband and eight children, in Ashby", 10),
    ],
)
def test_how_many_are_coming_is_a_lower_bound(text: str, size: int):
    assert read(text) == {("town", "==", "Ashby"), ("capacity", ">=", size)}


def test_what_is_about_a_number_but_counts_nobody_stays_near_it():
    wishes = read("capacity about 40")
    assert ("capacity", ">=", 40) not in wishes
    assert any(column == "capacity" and op == "between" for column, op, _ in wishes)


def test_who_comes_is_not_added_up_where_a_column_is_about_one_kind_of_them():
    table = {"hall": [f"Hall {n}" for n in range(12)], "max_children": [4 * n for n in range(12)]}
    halls = Catalog.open(pa.table(table | {"capacity": [10 + 9 * n for n in range(12)]}))
    parts = extract("a hall for 40 adults and 12 children", halls).constraints
    assert 52 not in {part.constraint.value for part in parts}


@pytest.mark.parametrize(
    "text",
    [
        "in Ashby, we are 12 miles from it",
        "we are 40 and 42 years old, in Ashby",
        "in Ashby, show us 8 of those",
        "in Ashby, my wife and I have 9 dogs",
    ],
)
def test_what_is_no_number_of_people_bounds_nothing(text: str):
    assert "capacity" not in {column for column, _, _ in read(text)}


def test_how_many_are_coming_is_left_over_where_nothing_holds_people():
    table = {"film": [f"Film {n}" for n in range(12)], "price": [*range(12)]}
    films = Catalog.open(pa.table(table | {"genre": ["drama", "comedy", "crime"] * 4}))
    left = extract("a comedy, we are 7", films).not_understood
    assert [part.evidence.text for part in left] == ["we are 7"]


def test_how_many_are_coming_is_no_answer_to_what_else_is_asked():
    asked = [("assistant", "What wind limit in km/h at least?"), ("user", "we are 18")]
    parts = extract([Message(role, text) for role, text in asked], HALLS).constraints
    assert [str(part.constraint) for part in parts] == ["capacity ≥ 18"]


def test_a_bound_of_something_else_is_none_of_people():
    parts = extract("wind limit 25 max. we are 18 people", HALLS).constraints
    assert "capacity ≥ 18" in {str(part.constraint) for part in parts}


def test_a_bound_that_is_said_stays():
    assert ("capacity", "<=", 40) in read("a hall for a group of at most 40")


@pytest.mark.parametrize(
    ("column", "holds"),
    [
        ("Capacity (people)", True),
        ("seats", True),
        ("max_participants", True),
        ("parking_spaces", False),
        ("boot_capacity_l", False),
        ("min_group_size", False),
        ("rating", False),
        ("Guest rating", False),
    ],
)
def test_columns_of_how_many_people_something_holds(column: str, holds: bool):
    assert holds_people(column) == holds


def test_what_rarely_exceeds_a_number_is_at_most_that():
    assert read("in Ashby, the wind is rarely more than 12 km/h") >= {
        ("wind_limit_kmh", "<=", 12),
    }


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("a 4 man tent", {"sleeps ≥ 4"}),
        ("a two man dome", {"kind = dome"}),
        ("4 season, please", {"season = four-season"}),
        ("a 3-season dome", {"season = three-season", "kind = dome"}),
        ("four poles", set[str]()),
    ],
)
def test_what_a_number_counts_is_of_its_column_or_a_value(text: str, wishes: set[str]):
    table = {
        "model": [f"Model {n}" for n in range(12)],
        "kind": ["dome", "tunnel", "bell"] * 4,
        "sleeps": [*range(2, 8)] * 2,
        "season": ["three-season", "four-season"] * 6,
    }
    tents = Catalog.open(pa.table(table))
    assert {str(part.constraint) for part in extract(text, tents).constraints} == wishes


@pytest.mark.parametrize(
    ("text", "wishes"),
    [("5 seater please", {"seats = 5"}), ("with a child seat", {"extras = child seat"})],
)
def test_what_a_number_counts_is_no_part_of_a_value(text: str, wishes: set[str]):
    table = {"seats": [*range(2, 8)] * 2, "extras": ["child seat", "roof rack", "awning"] * 4}
    cars = Catalog.open(pa.table({"car": [f"Car {n}" for n in range(12)]} | table))
    assert {str(part.constraint) for part in extract(text, cars).constraints} == wishes


KENNELS = Catalog.open(
    pa.table(
        {
            "kennel": [f"Kennel {n}" for n in range(24)],
            "max cats": [1, 2, 3, 4] * 6,
            "own cat": ["yes", "no", "no"] * 8,
            "town": ["Millbrook", "Ashby"] * 12,
        }
    )
)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("we have 3 cats, somewhere in Ashby", {"max cats ≥ 3", "town = Ashby"}),
        ("we have two cats, in Ashby", {"max cats ≥ 2", "town = Ashby"}),
        ("no more than 2 cats, in Ashby", {"max cats ≤ 2", "town = Ashby"}),
        ("max 2 cats, in Ashby", {"max cats ≤ 2", "town = Ashby"}),
        ("they must have an own cat", {"own cat = yes"}),
        ("my cat likes Ashby", {"town = Ashby"}),
    ],
)
def test_who_says_how_many_animals_they_have_wants_room_for_them(text: str, wishes: set[str]):
    assert {str(part.constraint) for part in extract(text, KENNELS).constraints} == wishes


BOATS = Catalog.open(
    pa.table(
        {
            "boat": [f"Boat {n}" for n in range(24)],
            "maker": ["Berth", "Halcyon", "Tern"] * 8,
            "berths": [*range(2, 8)] * 4,
            "night sailing": ["full", "partly", "none"] * 8,
            "shift": ["night", "day"] * 12,
        }
    )
)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("a 4 berth boat", {"berths = 4"}),
        ("a Berth with 4 berths", {"maker = Berth", "berths = 4"}),
        ("a Berth or a Tern", {"maker in Berth, Tern"}),
        ("no night sailing", {"night sailing = none"}),
        ("on the day shift, not night sailing", {"shift = day", "night sailing = none"}),
        ("not the night shift", {"shift ≠ night"}),
        ("full night sailing", {"night sailing = full"}),
    ],
)
def test_a_word_of_a_number_or_of_a_name_in_full_is_no_value(text: str, wishes: set[str]):
    assert {str(part.constraint) for part in extract(text, BOATS).constraints} == wishes


PUMPS = Catalog.open(
    pa.table(
        {
            "pump": [f"Pump {n}" for n in range(12)],
            "pond_size_up_to_m2": [20 + 10 * n for n in range(12)],
            "price_eur": [90 + 7 * n for n in range(12)],
        }
    )
)


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("our pond is about 60 square metres", ">="),
        ("a pump for a 60 m2 pond", ">="),
        ("a pond size of at most 60 m2", "<="),
    ],
)
def test_what_something_is_good_for_at_most_is_bounded_from_below(text: str, op: str):
    parts = extract(text, PUMPS).constraints
    found = {(p.constraint.column, p.constraint.op, p.constraint.value) for p in parts}
    assert found == {("pond_size_up_to_m2", op, 60)}
