"""What is offered for some words, before anything decides: the right reading has to be there."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.mention import Option
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.offline import extract
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of

ROWS = 12
COLUMNS = {
    "origin": ["Japan", "Great Britain", "Peru"],
    "breed": ["Weimaraner", "Dalmatian", "Basset Hound"],
    "drive": ["AWD", "FWD", "RWD"],
    "BYO": [True, False, True],
    "foldable": [1, 0, 1],
    "Runflat": [True, False, False],
    "in_stk": [True, True, False],
    "price (GBP)": [400, 1200, 2500],
    "weight (kg)": [7, 9, 400],
    "exercise (min/day)": [30, 60, 90],
    "distance (km)": [2, 8, 15],
    "makes": ["bread/soup", "soup/dessert", "bread/dessert"],
    "market": ["N/A", "luxury", "economy"],
    "opens": ["08:00", "10:00", "12:00"],
}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    cells = {name: values * (ROWS // 3) for name, values in COLUMNS.items()}
    return Catalog.open(pa.table(cells))


def offered(catalog: Catalog, text: str) -> list[Option]:
    reading = Reading(text, 0, index_of(catalog), {})
    return [option for mention in find_mentions(reading) for option in mention.options]


@pytest.mark.parametrize(
    ("text", "column", "value"),
    [
        ("something japanese", "origin", "Japan"),
        ("a british one", "origin", "Great Britain"),
        ("a wimaraner or a dalmation", "breed", "Weimaraner"),
        ("a wimaraner or a dalmation", "breed", "Dalmatian"),
        ("a baset hond", "breed", "Basset Hound"),
        ("with all wheel drive", "drive", "AWD"),
        ("not more than a grand", "price (GBP)", 1000),
        ("two hundred pounds at most", "price (GBP)", 200),
        ("less than an hour of exercise", "exercise (min/day)", 60),
        ("an hour and a half of exercise", "exercise (min/day)", 90),
        ("a couple of hours", "exercise (min/day)", 120),
        ("8k away", "distance (km)", 8),
        ("bread please", "makes", "bread"),
    ],
)
def test_the_value_is_offered(catalog: Catalog, text: str, column: str, value: object) -> None:
    assert any(o.column == column and value in o.values[:1] for o in offered(catalog, text))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("bring your own", "BYO"),
        ("one that folds", "foldable"),
        ("run-flat tyres", "Runflat"),
        ("in stock", "in_stk"),
    ],
)
def test_the_answer_yes_is_offered(catalog: Catalog, text: str, column: str) -> None:
    assert any(o.column == column and o.how == "flag" for o in offered(catalog, text))


@pytest.mark.parametrize(
    ("text", "offered_too"),
    [
        ("a generator", False),
        ("a Generak", True),
        ("cheer me up", False),
        ("robots", True),
        ("fuels", False),
        ("dual fuel", True),
    ],
)
def test_english_words_are_no_slips_and_a_columns_own_word_tells_no_value(text, offered_too):
    rows = {"brand": ["Generac", "Honda"], "notes": ["cherry", "walnut"]}
    rows |= {"kind": ["robotic", "hover"], "fuel": ["dual fuel", "petrol"]}
    with Catalog.open(pa.table({name: values * 6 for name, values in rows.items()})) as made:
        values = [option for option in offered(made, text) if option.how not in ("name", "flag")]
        assert bool(values) == offered_too


def test_ones_and_zeros_are_no_numbers(catalog: Catalog) -> None:
    assert index_of(catalog).yes_no["foldable"].yes == 1
    assert "foldable" not in index_of(catalog).numeric


def test_times_of_day_are_early_or_late(catalog: Catalog) -> None:
    late = [o for o in offered(catalog, "the latest") if o.how == "grade"]
    assert any(o.column == "opens" and o.values == ("max",) for o in late)


@pytest.mark.parametrize("text", ["a cheapp one", "the chepest"])
def test_words_for_little_may_be_misspelled(catalog: Catalog, text: str) -> None:
    found = [o.column for o in offered(catalog, text) if o.how == "grade"]
    assert "price (GBP)" in found


def test_a_slash_within_an_abbreviation_parts_nothing(catalog: Catalog) -> None:
    assert not index_of(catalog).columns["market"].parts


def test_words_of_values_are_no_initials() -> None:
    rows = {"model": ["CTS", "Camry", "Corolla"] * 4, "make": ["Toyota", "Toyota", "Audi"] * 4}
    with Catalog.open(pa.table(rows)) as cars:
        assert not any("CTS" in option.values for option in offered(cars, "cheapest Toyota sedan"))


def titled(texts: int) -> Catalog:
    """Return boats whose titles say again what another column says of them."""
    kinds = [("House boat", "Rowing boat", "Tug")[at % 3] for at in range(texts)]
    titles = [f"Mooring {at}: {kind} near pier" for at, kind in enumerate(kinds)]
    titles[0] = "Why not take a house boat"
    return Catalog.open(
        pa.table({"title": titles, "kind": kinds, "berths": [2, 4, 6] * (texts // 3)})
    )


@pytest.mark.parametrize(
    "text", ["a house boat", "We would like a house boat.", "House boat please"]
)
def test_titles_that_say_a_value_too_leave_room_for_it(text: str) -> None:
    catalog = titled(300)
    assert any(
        (option.column, option.how, option.values[0]) == ("kind", "whole", "House boat")
        for option in offered(catalog, text)
    )
    found = extract(text, catalog).constraints
    assert [(each.constraint.column, each.constraint.value) for each in found] == [
        ("kind", "House boat")
    ]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("foldable", {"foldable": False}),
        ("unfoldable, please", {"foldable": True}),
        ("a non-foldable one", {"foldable": True}),
        ("nonfoldable", {"foldable": True}),
        ("runflat-free and foldable", {"Runflat": True, "foldable": False}),
        ("runflat free", {"Runflat": True}),
        # What is free here is something else.
        ("foldable, free parking", {"foldable": False}),
        ("runflat free of charge", {"Runflat": False}),
        # What is said not to be so is for the weights to decide.
        ("not foldable", {"foldable": False}),
    ],
)
def test_the_contrary_of_a_column_is_told_from_its_name(catalog, text, denied):
    said = {
        option.column: option.contrary for option in offered(catalog, text) if option.how == "flag"
    }
    assert {name: said.get(name) for name in denied} == denied


def test_no_column_but_of_yes_and_no_has_a_contrary(catalog):
    assert not any(option.contrary for option in offered(catalog, "unweight, non-market, nonprice"))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a UK keyboard", ["UK English"]),
        ("uk keys", ["UK English"]),
        ("find us a US layout", ["US English"]),
        ("find us something", []),
    ],
)
def test_two_letters_of_a_value_say_it_where_they_are_no_common_word(text, meant):
    layouts = pa.table({"layout": ["UK English", "US English", "French"] * 4, "n": range(12)})
    options = offered(Catalog.open(layouts), text)
    assert [option.values[0] for option in options if option.how == "phrase"] == meant


TENTS = {
    "model": [f"Tent {n}" for n in range(12)],
    "sleeps": [2, 3, 4, 6] * 3,
    "pitch_time": ["5 min", "10 min", "15 min", "20 min"] * 3,
    "weight": ["1.9 kg", "2.8 kg", "4.7 kg"] * 4,
    "opens": ["08:00", "12:00", "18:00"] * 4,
}


@pytest.fixture(scope="module")
def tents(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    rows = [TENTS.keys(), *zip(*TENTS.values(), strict=True)]
    file = tmp_path_factory.mktemp("tents") / "tents.csv"
    file.write_text("".join(f"{','.join(map(str, row))}\n" for row in rows))
    return Catalog.open(file)


def test_a_number_with_a_unit_means_what_is_measured_so(tents: Catalog) -> None:
    read = extract("2 person tent under 3kg please", tents).constraints
    assert {str(part.constraint) for part in read} == {"sleeps = 2", "weight < 3"}


@pytest.mark.parametrize("text", ["6PM OR LATER", "from 6 p.m.", "7:30 am"])
def test_an_hour_is_no_number_where_there_are_times(tents: Catalog, text: str) -> None:
    assert {option.how for option in offered(tents, text)} & {"clock", "number"} == {"clock"}


def test_parts_of_several_values_in_a_list_mean_all_that_have_them() -> None:
    names = [
        f"{dance} {level}" for dance in ("Tango", "Salsa", "Waltz") for level in ("One", "Two")
    ]
    dances = Catalog.open(pa.table({"dance": [*names, "Ballet Two"] * 2, "fee": [*range(14)]}))
    read = extract("tango or ballet", dances).constraints
    assert [each.constraint.values for each in read] == [("Tango One", "Tango Two", "Ballet Two")]
    assert len(extract("Tango One or Waltz Two", dances).constraints[0].constraint.values) == 2


COURSES = [
    "Sewing for beginners",
    "Sewing a coat",
    "Rowing I",
    "Rowing II",
    "Chess",
    "Yoga at noon",
]


def test_what_several_titles_begin_with_is_a_kind_of_thing() -> None:
    with Catalog.open(pa.table({"course": COURSES, "fee": [40, 90, 120, 150, 20, 60]})) as courses:
        [sewing] = extract("do you have anything with sewing?", courses).constraints
        assert {*sewing.constraint.values} == {*COURSES[:2]}
        told = extract("my aunt has been rowing since 1980, what a life", courses)
        assert not told.constraints


def test_what_titles_begin_with_is_another_columns_value_first() -> None:
    maker = ["Sewing", "Sewing", "Rowing", "Rowing", "Chess", "Yoga"]
    with Catalog.open(pa.table({"course": COURSES, "teacher": maker})) as courses:
        assert [o.how for o in offered(courses, "sewing") if o.column == "teacher"] == ["whole"]
        assert not any(option.leads for option in offered(courses, "sewing"))


def test_a_slip_means_a_word_of_the_catalog_and_none_made_of_it() -> None:
    kinds = {"plant": ["Clip rose", "Daisy", "Tulip"] * 4, "type": ["Climber", "Bulb", "Shrub"] * 4}
    with Catalog.open(pa.table(kinds)) as plants:
        assert [o.values for o in offered(plants, "a climer")] == [("Climber",)]
