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
        reading.text[reading.words[m.first].start : reading.words[m.last].end]: [
            option.column for option in m.options
        ]
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
    assert offered(catalog, text)[word] == [column]


def test_a_sentence_parts_a_word_from_a_name(catalog):
    text = "It has a rating and a weight. Lowest first."
    assert set(offered(catalog, text)["Lowest"][:2]) == {"rating", "weight (kg)"}


@pytest.mark.parametrize(
    ("text", "word", "column"),
    [
        ("whatever leaves the most in my wallet", "most", "price"),
        ("easiest on my bank account", "easiest", "price"),
    ],
)
def test_a_superlative_alone_is_about_what_its_message_is_likest_to(catalog, text, word, column):
    every = offered(catalog, text)[word]
    assert every[0] == column
    assert set(every) == {"price", "weight (kg)", "cable (m)", "rating"}


def test_an_abbreviation_beside_takes_no_column_from_the_word(tmp_path):
    file = tmp_path / "shoes.csv"
    file.write_text("shoe,prc_usd,wt_g\na,10,200\nb,20,300\nc,30,250\n", encoding="utf-8")
    with Catalog.open(file) as shoes:
        assert "wt_g" in offered(shoes, "the lightest practice shoe")["lightest"]


@pytest.mark.parametrize(
    "text",
    [
        "an interest in lamps",
        "a lamp for a guest in the forest",
        "with a headrest and armrests from Everest",
    ],
)
def test_words_that_only_end_like_a_superlative_are_none(catalog, text):
    assert offered(catalog, text) == {}


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


def test_a_superlative_is_about_what_stands_behind_its_to(tmp_path):
    file = tmp_path / "drills.csv"
    rows = [f"d{n},{100 + n},{n % 9 + 1}" for n in range(20)]
    file.write_text("\n".join(["drill,speed (rpm),delivery time (days)", *rows]), encoding="utf-8")
    with Catalog.open(file) as drills:
        (aim,) = extract("which is the fastest to be delivered?", drills).objectives
        assert (aim.column, aim.direction) == ("delivery time (days)", "min")
        (aim,) = extract("which is the fastest?", drills).objectives
        assert aim.column == "speed (rpm)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("any lamp will do as long as it is white", False),
        ("anything, so long as you send it", False),
        ("a cable as long as possible", True),
    ],
)
def test_a_condition_says_nothing_of_how_long(catalog, text, told):
    assert any("long" in words for words in offered(catalog, text)) == told
