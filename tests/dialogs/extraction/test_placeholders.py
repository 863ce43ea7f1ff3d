"""Values that mean that nothing is known are wished for only where somebody says so outright."""

import duckdb
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.offline import extract


@pytest.fixture(scope="module")
def lamps():
    """Lamps, of some of which the origin is not known, or has no name."""
    rows = "('brass', 'Unknown', 20), ('steel', 'Spain', 30), ('glass', 'N/A', 40)"
    return Catalog.open(
        duckdb.sql(f'SELECT * FROM (VALUES {rows}) AS t(material, "country of origin", price)')
    )


def wishes(text, catalog, **options):
    return [
        str(extracted.constraint) for extracted in extract(text, catalog, **options).constraints
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The country of origin should be listed as Unknown.", "Unknown"),
        ("I collect lamps whose origin is recorded as unknown, so only those.", "Unknown"),
        ("country of origin: unknown", "Unknown"),
        ("It has to say “Unknown” under country of origin.", "Unknown"),
        ("Only those with the country of origin marked as N/A, please.", "N/A"),
    ],
)
def test_a_value_that_is_asked_for_as_it_is_listed(lamps, text, value):
    assert wishes(text, lamps) == [f"country of origin = {value}"]


@pytest.mark.parametrize(
    "text",
    [
        "The country of origin is unknown to me.",
        pytest.param("Unknown.", marks=pytest.mark.xfail(reason="read as the value")),
        "Whether the country of origin is unknown or not is all the same to me.",
        "I came by an unknown road.",
        "The price is listed as unknown.",
    ],
)
def test_the_same_words_in_ordinary_speech_ask_for_nothing(lamps, text):
    assert not [text for text in wishes(text, lamps) if "origin" in text]


def test_an_answer_that_says_how_it_is_listed(lamps):
    told = wishes("It has to be listed as unknown.", lamps, slot="country of origin")
    assert told == ["country of origin = Unknown"]
