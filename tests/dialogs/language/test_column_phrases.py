"""Phrases by which people name a column, from its name alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.language.column_phrases import column_phrases, mentions


def named(said, column, family=None):
    return [said[mention.start : mention.end] for mention in mentions(said, column, family)]


@pytest.mark.parametrize(
    ("column", "said", "expected"),
    [
        ("monthly_rent", "The rent should stay low", ["rent"]),
        ("price", "my budget is tight", ["budget"]),
        ("Aggregate Rating", "at least four stars", ["stars"]),
        ("bedrooms", "a 3 bedroom flat", ["bedroom"]),
        ("highway MPG", "decent mpg on the highway", ["mpg on the highway"]),
        ("pricePerNight", "what it costs a night", ["costs", "a night"]),
        ("battery_hours", "the battery life counts", ["battery life"]),
        ("qzx_17", "the qzx 17 counts", ["qzx 17"]),
    ],
)
def test_a_column_is_named_by_what_people_call_it(column, said, expected):
    assert named(said, column) == expected


def test_the_whole_name_comes_first():
    assert column_phrases("highway MPG")[0] == "highway mpg"
    assert column_phrases("Number of Doors")[0] == "number of doors"


def test_a_shared_word_names_a_column_less_surely_than_its_own():
    said = "the mpg"
    (bare,) = mentions(said, "city mpg")
    (own,) = mentions("the mpg in the city", "city mpg")
    assert bare.strength < own.strength <= 1.0


def test_a_city_of_miles_per_gallon_is_no_place():
    assert mentions("located in Spain", "city mpg") == ()
    assert named("located in Spain", "city", "text") == ["located"]


def test_a_name_without_letters_has_no_phrases():
    assert column_phrases("___") == ()
    assert mentions("anything", "___") == ()


@given(st.text(max_size=80), st.text(max_size=30))
def test_mentions_stand_where_they_say(said, column):
    end = 0
    for mention in mentions(said, column):
        assert end <= mention.start < mention.end <= len(said)
        assert 0.0 < mention.strength <= 1.0
        end = mention.end
