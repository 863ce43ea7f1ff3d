"""The joint decision about all mentions, against the search through every subset."""

from dataclasses import replace
from datetime import date
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.decoding import (
    _apart,
    _consistent,
    _decide_together,
    _link,
    _said_again,
    heaviest,
)
from concede.dialogs.extraction.judged import Judged, Weighed
from concede.dialogs.extraction.mention import Mention, Option
from concede.dialogs.extraction.network import LINKS
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of

NOTHING = np.zeros((1, 1), dtype=np.float32)


def weighed(first, length, gain):
    mention = Mention(first, first + length - 1, "value", (Option("c", "whole", ("v",)),))
    return Weighed(mention, np.array([gain], dtype=np.float32), NOTHING, NOTHING[0])


def share_no_word(items):
    words = [set(range(item.mention.first, item.mention.last + 1)) for item in items]
    return all(not one & other for one, other in combinations(words, 2))


@given(
    st.lists(
        st.builds(weighed, st.integers(0, 8), st.integers(1, 4), st.floats(0.1, 9)), max_size=7
    )
)
def test_the_heaviest_set_that_shares_no_word(items):
    subsets = (chosen for size in range(len(items) + 1) for chosen in combinations(items, size))
    best = max(sum(item.gain for item in chosen) for chosen in subsets if share_no_word(chosen))
    chosen = heaviest(items)
    assert share_no_word(chosen)
    assert sum(item.gain for item in chosen) == pytest.approx(best)


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    file = tmp_path_factory.mktemp("boats") / "boats.csv"
    rows = ["hull,price,mooring,extras"]
    rows += [
        f"{('oak', 'steel')[n % 2]},{n * 10},{('yes', 'no')[n % 2]},oars; sail" for n in range(40)
    ]
    file.write_text("\n".join(rows), encoding="utf-8")
    with Catalog.open(file) as catalog:
        words = "one two three four five six seven eight"
        yield Reading(words, 0, index_of(catalog), {}, date(2026, 5, 4))


def said(reading, place, kind, column, values, chance, **more):
    """Return a mention that was decided about, of one word."""
    option = Option(column, "whole", values)
    return Judged(reading, Mention(place, place, kind, (option,)), option, chance, **more)


def test_what_is_much_less_sure_does_not_take_back_what_was_said(reading):
    sure = said(reading, 0, "value", "hull", ("oak",), 0.99)
    decoy = said(reading, 3, "value", "hull", ("steel",), 0.6)
    assert list(_consistent([sure, decoy])) == [sure]


@pytest.mark.parametrize(
    "items",
    [
        # About as sure: the last word counts, and both are handed on.
        [("value", "hull", ("oak",), 0.9, {}), ("value", "hull", ("steel",), 0.88, {})],
        # The words say that one takes the other's place, or stands beside it.
        [
            ("value", "hull", ("oak",), 0.99, {}),
            ("value", "hull", ("steel",), 0.5, {"link": "replaces"}),
        ],
        [("value", "hull", ("oak",), 0.99, {}), ("value", "hull", ("steel",), 0.5, {"link": "or"})],
        # Two ends of a range, and two members of a list, contradict nothing.
        [
            ("number", "price", (90,), 0.99, {"side": ">="}),
            ("number", "price", (20,), 0.5, {"side": "<="}),
        ],
        [("value", "extras", ("oars",), 0.99, {}), ("value", "extras", ("sail",), 0.5, {})],
        # Another column is another matter.
        [("value", "hull", ("oak",), 0.99, {}), ("number", "price", (20,), 0.5, {"side": "<="})],
    ],
)
def test_what_contradicts_nothing_or_is_as_sure_stays(reading, items):
    judged = [said(reading, 2 * at, *item[:4], **item[4]) for at, item in enumerate(items)]
    assert list(_consistent(judged)) == judged


def test_the_surer_of_two_bounds_on_one_side_stays(reading):
    bound = said(reading, 0, "number", "price", (280,), 0.98, side="<=")
    story = said(reading, 4, "number", "price", (300,), 0.6, side="<=")
    assert list(_consistent([bound, story])) == [bound]
    assert list(_consistent([story, bound])) == [story, bound]


def test_what_is_named_twice_has_the_polarity_it_has_on_the_whole(reading):
    refused = said(
        reading, 0, "value", "hull", ("oak",), 0.9, polarity="unwanted", leaning=(0.0, 3.0, 0.0)
    )
    again = said(
        reading, 3, "value", "hull", ("oak",), 0.9, polarity="wanted", leaning=(0.5, 0.0, 0.0)
    )
    judged = [refused, again]
    _decide_together(judged, _said_again(judged))
    assert [item.polarity for item in judged] == ["unwanted", "unwanted"]
    taken_back = [refused, replace(again, link="replaces")]
    _decide_together(taken_back, _said_again(taken_back))
    assert [item.polarity for item in taken_back] == ["unwanted", "wanted"]


def linking(**chances):
    """Return a network that decides every link with these probabilities."""
    given = np.array([chances.get(link, 0.0) for link in LINKS], dtype=np.float32)
    return SimpleNamespace(embedded=lambda hashes: NOTHING[0], chances=lambda *_: given.copy())


@pytest.mark.parametrize(
    ("column", "values", "sure", "link"),
    [
        ("hull", ("oak", "steel"), 0.95, "or"),
        # Of hulls a boat has one: whoever wishes for either says so.
        ("hull", ("oak", "steel"), 0.8, "separate"),
        ("hull", ("oak", "oak"), 0.8, "or"),
        ("extras", ("oars", "sail"), 0.6, "or"),
    ],
)
def test_one_of_two_values_is_wished_only_where_that_is_plain(reading, column, values, sure, link):
    one, other = (
        said(reading, 3 * at, "value", column, (value,), 0.9) for at, value in enumerate(values)
    )
    assert _link(reading, one, other, linking(**{"or": sure, "separate": 1 - sure})) == link


def going(reading, *odds):
    """Return mentions of words 0, 3, … with the odds of each column, and how they are judged.

    The first option of each is the likeliest.
    """
    items = []
    for at, chances in enumerate(odds):
        value = (f"value {at}",)
        options = tuple(Option(column, "whole", value) for column in chances)
        logits = np.array([*chances.values()], dtype=np.float32)
        mention = Mention(3 * at, 3 * at, "value", options)
        items.append(Weighed(mention, logits, np.zeros((len(logits), 1)), NOTHING[0]))
    judged = [
        said(reading, 3 * at, "value", next(iter(chances)), (f"value {at}",), 0.9)
        for at, chances in enumerate(odds)
    ]
    return items, judged


def columns_of(items):
    return [item.mention.options[item.best].column for item in items]


def test_of_two_values_one_means_the_other_column_that_has_it(reading):
    items, judged = going(reading, {"hull": 4.2, "mooring": 2.3}, {"hull": 6.1})
    assert columns_of(_apart(items, judged)) == ["mooring", "hull"]
    # The one that gives less way.
    items, judged = going(reading, {"hull": 4.2, "mooring": 1.0}, {"hull": 3.0, "mooring": 2.8})
    assert columns_of(_apart(items, judged)) == ["hull", "mooring"]
    # However much it sounds as if the second took the place of the first.
    judged = [judged[0], replace(judged[1], link="replaces")]
    assert columns_of(_apart(items, judged)) == ["hull", "mooring"]


@pytest.mark.parametrize(
    ("odds", "link"),
    [
        # No other column, none that is likelier than nothing, or one that is spoken for.
        ([{"hull": 4.2}, {"hull": 6.1}], ""),
        ([{"hull": 4.2, "mooring": -0.5}, {"hull": 6.1}], ""),
        ([{"hull": 4.2, "mooring": 2.3}, {"hull": 6.1}, {"mooring": 3.0}], ""),
        # Either will do.
        ([{"hull": 4.2, "mooring": 2.3}, {"hull": 6.1}], "or"),
        # Nothing contradicts.
        ([{"hull": 4.2, "mooring": 2.3}, {"mooring": 6.1}], ""),
    ],
)
def test_values_stay_in_their_column_where_no_other_is_free(reading, odds, link):
    items, judged = going(reading, *odds)
    judged[1] = replace(judged[1], link=link)
    assert _apart(items, judged) is None


def test_a_number_takes_no_part_in_a_polarity(reading):
    named = said(reading, 0, "name", "price", (), 0.9, leaning=(0.1, 2.0, 0.0))
    number = said(reading, 2, "number", "price", (7,), 0.9, sides=(1.0,) * 7)
    linked = [named, number]
    _decide_together(linked, [0, 1])
    assert linked == [named, number]
