"""Which column a word for much or little is about, where several are named in one message."""

from __future__ import annotations

import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.offline import extract
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of


@pytest.fixture(scope="module")
def catalog(tmp_path_factory):
    file = tmp_path_factory.mktemp("lamps") / "lamps.csv"
    rows = ["lamp,price,weight (kg),cable (m),rating"]
    rows += [f"L{n},{20 + n},{n % 7 + 1},{n % 5 + 1},{n % 4 + 1}" for n in range(60)]
    file.write_text("\n".join(rows), encoding="utf-8")
    with Catalog.open(file) as catalog:
        yield catalog


def offered(catalog, text):
    """Return the columns that each word for much or little may be about, by the word."""
    reading = Reading(text, 0, index_of(catalog), {})
    return {
        reading.text[reading.words[m.first].start : reading.words[m.last].end]: {
            option.column for option in m.options
        }
        for m in find_mentions(reading)
        if m.kind == "grade"
    }


@pytest.mark.parametrize(
    ("text", "word", "column"),
    [
        ("longest cable, smallest weight", "smallest", "weight (kg)"),
        ("lowest weight then highest rating", "highest", "rating"),
        ("rating highest, weight lowest", "lowest", "weight (kg)"),
    ],
)
def test_a_word_beside_a_columns_name_is_about_that_column(catalog, text, word, column):
    assert offered(catalog, text)[word] == {column}


def test_a_sentence_parts_a_word_from_a_name(catalog):
    text = "It has a rating and a weight. Lowest first."
    assert offered(catalog, text)["Lowest"] == {"rating", "weight (kg)"}


@pytest.mark.parametrize("text", ["the lower the price the better", "the lighter the better"])
def test_the_better_only_repeats_what_was_said(catalog, text):
    assert "better" not in offered(catalog, text)
    assert "better" in offered(catalog, "a better rating")


@pytest.mark.parametrize(
    ("text", "wished"),
    [
        ("lowest weight then lowest price", {("weight (kg)", "min"), ("price", "min")}),
        ("longest cable, lowest price", {("cable (m)", "max"), ("price", "min")}),
        ("highest rating, smallest weight please", {("rating", "max"), ("weight (kg)", "min")}),
    ],
)
def test_several_objectives_in_one_message(catalog, text, wished):
    found = extract(text, catalog).objectives
    assert {(objective.column, objective.direction) for objective in found} == wished
