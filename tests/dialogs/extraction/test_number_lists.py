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
    numbers = [one for one in find_mentions(reading) if one.kind == "number"]
    told = [
        option.values[0]
        for mention in numbers
        for option in mention.options
        if option.column == column and option.how == "number"
    ]
    assert told == values
    follows = [one.quantity.follows for one in numbers if one.quantity and not one.quantity.high]
    assert follows == [None, *[one.first for one in numbers if not one.quantity.high][:-1]]  # type: ignore[union-attr]


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
