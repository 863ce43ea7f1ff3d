"""Numbers said as a list: one of them is enough, and what stands once counts for all."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.offline import OfflineExtractor
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of
from concede.dialogs.transcripts.transcript import Message, Transcript

COLUMNS: dict[str, list[Any]] = {
    "Focal length (mm)": [18, 24, 35, 40, 50, 85, 135, 200],
    "Warranty (months)": [12, 24, 36, 48, 60, 12, 24, 36],
    "Price (€)": [150, 250, 350, 450, 550, 650, 750, 850],
    "Bedrooms": [1, 2, 3, 4, 5, 2, 3, 4],
    "Bathrooms": [1, 1, 2, 2, 3, 3, 1, 2],
    "Maker": ["Canon", "Nikon", "Sigma", "Tamron"] * 2,
}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.open(pa.table({name: values * 4 for name, values in COLUMNS.items()}))


@pytest.mark.parametrize(
    ("text", "column", "values"),
    [
        ("35, 40 or 50 mm", "Focal length (mm)", [35, 40, 50]),
        ("35 mm, 40 mm or 50 mm", "Focal length (mm)", [35, 40, 50]),
        ("35 or 40 or 50 mm", "Focal length (mm)", [35, 40, 50]),
        ("two or three years of warranty", "Warranty (months)", [24, 36]),
        ("three years or two of warranty", "Warranty (months)", [36, 24]),
        ("five or six hundred euros", "Price (€)", [500, 600]),
        ("2 bedrooms or 3", "Bedrooms", [2, 3]),
    ],
)
def test_a_list_shares_what_it_says_once(
    catalog: Catalog, text: str, column: str, values: list[float]
) -> None:
    reading = Reading(text, 0, index_of(catalog), {})
    mentions = [mention for mention in find_mentions(reading) if mention.quantity is not None]
    told = [
        option.values[0]
        for mention in mentions
        for option in mention.options
        if option.column == column and option.how == "number"
    ]
    assert told == values
    numbers = [mention.quantity for mention in mentions]
    members = [number for number in numbers if number is not None and number.high is None]
    before = [None, *(number.first for number in members[:-1])]
    assert [number.follows for number in members] == before


@pytest.mark.parametrize(
    "text",
    [
        "2 bedrooms or 3 bathrooms",
        "35 mm, Canon or Nikon",
        "35 to 50 mm",
        "35 mm or more",
        "35 mm, one either side",
        "35, 40 mm",
        "35 mm but 40 mm or so",
    ],
)
def test_what_other_words_part_is_no_list(catalog: Catalog, text: str) -> None:
    reading = Reading(text, 0, index_of(catalog), {})
    found = [one.quantity for one in find_mentions(reading) if one.quantity]
    assert found
    assert all(quantity.follows is None for quantity in found)


@pytest.mark.parametrize(
    ("text", "slot", "told"),
    [
        ("35, 40 or 50 mm", "Focal length (mm)", "Focal length (mm) in 35, 40, 50"),
        ("not 35 or 50 mm", "Focal length (mm)", "Focal length (mm) not in 35, 50"),
        ("at least 35 or 40 mm", "Focal length (mm)", "Focal length (mm) ≥ 35"),
        ("under 40 or 50 mm", "Focal length (mm)", "Focal length (mm) < 50"),
        ("two or three years", "Warranty (months)", "Warranty (months) in 24, 36"),
        ("five or six hundred", "Price (€)", "Price (€) between 500 and 600"),
    ],
)
def test_one_of_a_list_is_enough(catalog: Catalog, text: str, slot: str, told: str) -> None:
    """Between neighbours where the catalog has something there; a bound where words say one."""
    asked = Message("assistant", f"What {slot} would you like?", slot)
    talk = Transcript.of([asked, Message("user", text)])
    found = OfflineExtractor().extract(talk, catalog, slot=slot).constraints
    assert [str(part.constraint) for part in found] == [told]
    assert len(found[0].evidence.text) > len("35")


HOMES: dict[str, list[Any]] = {
    "Rent (€)": [450, 700, 750, 800, 1200, 1500, 650, 900],
    "Bedrooms": [1, 2, 3, 4, 5, 2, 3, 4],
    "Area (sqm)": [30, 60, 75, 90, 120, 150, 55, 66],
    "Year built": [1990, 2015, 2016, 2019, 2020, 2001, 1975, 1960],
    "Town": ["York", "Leeds"] * 4,
}
CARS: dict[str, list[Any]] = {
    "Price ($)": [12_000, 18_000, 20_000, 25_000, 30_000, 55_000],
    "Year": [2014, 2015, 2016, 2017, 2018, 2020],
    "Mileage (km)": [4_000, 5_000, 50_000, 55_000, 60_000, 90_000],
}


@pytest.mark.parametrize(
    ("columns", "text", "told"),
    [
        (HOMES, "under 800, 2 or 3 bedrooms", {"Rent (€) < 800", "Bedrooms in 2, 3"}),
        (HOMES, "€800, 2 or 3 bedrooms", {"Rent (€) ≤ 800", "Bedrooms in 2, 3"}),
        (HOMES, "built in 2019, 2 or 3 bedrooms", {"Year built = 2019", "Bedrooms in 2, 3"}),
        (HOMES, "since 2015, 2 or 3 bedrooms", {"Year built ≥ 2015", "Bedrooms in 2, 3"}),
        (HOMES, "under €900, 60 or 75 sqm", {"Rent (€) < 900", "Area (sqm) in 60, 75"}),
        (HOMES, "2 bedrooms or 3, 60 or 75 sqm", {"Bedrooms in 2, 3", "Area (sqm) in 60, 75"}),
        (HOMES, "€700, €800 or €900", {"Rent (€) between 700 and 900"}),
        (HOMES, "around 60 or 75 sqm", {"Area (sqm) between 54 and 82.5"}),
        (CARS, "under 20k, 2015 or 2016", {"Price ($) < 20,000", "Year in 2015, 2016"}),
        (CARS, "60 or 50k km", {"Mileage (km) between 50,000 and 60,000"}),
        (CARS, "five or four thousand km", {"Mileage (km) in 5,000, 4,000"}),
    ],
)
def test_numbers_about_other_things_are_no_list(
    columns: dict[str, list[Any]], text: str, told: set[str]
) -> None:
    with Catalog.open(pa.table({name: values * 4 for name, values in columns.items()})) as homes:
        found = OfflineExtractor().extract(text, homes).constraints
    assert {str(part.constraint) for part in found} == told


def test_a_question_for_one_end_makes_a_list_a_bound(catalog: Catalog) -> None:
    """What its other sentences say is no end that it asks for."""
    question = "Price goes from 150 to 850. What would you pay at most?"
    talk = [Message("assistant", question, "Price (€)"), Message("user", "700 or 800")]
    found = OfflineExtractor().extract(Transcript.of(talk), catalog, slot="Price (€)").constraints
    assert [str(part.constraint) for part in found] == ["Price (€) ≤ 800"]


def test_refusals_of_lists_add_up(catalog: Catalog) -> None:
    slot = "Focal length (mm)"
    talk = [
        Message("assistant", f"What {slot} would you like?", slot),
        Message("user", "not 24 mm, and not 35 or 50 mm"),
    ]
    found = OfflineExtractor().extract(Transcript.of(talk), catalog, slot=slot).constraints
    assert [str(part.constraint) for part in found] == [f"{slot} not in 24, 35, 50"]
