"""Values that mean that nothing is known are not wished for by a word that says so."""

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


def wishes(text, catalog):
    return [str(extracted.constraint) for extracted in extract(text, catalog).constraints]


@pytest.mark.parametrize(
    "text",
    [
        "The country of origin is unknown to me.",
        "Unknown.",
        "Whether the country of origin is unknown or not is all the same to me.",
        "I came by an unknown road.",
        "The price is listed as unknown.",
    ],
)
def test_the_same_words_in_ordinary_speech_ask_for_nothing(lamps, text):
    assert not [text for text in wishes(text, lamps) if "origin" in text]
