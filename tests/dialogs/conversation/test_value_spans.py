"""Spans that may be values: forms, names, and values of a catalog against a slow twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.conversation.tracked_columns import TrackedColumn
from concede.dialogs.conversation.value_spans import LONGEST_TURN, ValueSpans
from concede.dialogs.language.tokens import tokens

WORDS = st.sampled_from(("blue", "door", "kitchen", "golden", "wok", "grill", "cafe"))
VALUES = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join), max_size=6)


def column(name, values):
    return TrackedColumn(name, (name,), "text", dict.fromkeys(values), False, "unsaid", 1)


def spans_of(text, kind, columns=()):
    found = ValueSpans.of(columns).find(text)
    return [text[mention.start : mention.end] for mention in found if mention.kind == kind]


@given(VALUES, VALUES, st.lists(WORDS, max_size=8))
def test_values_are_found_wherever_their_words_stand(names, kinds, said):
    columns, text = [column("name", names), column("kind", kinds)], " ".join(said)
    found = ValueSpans.of(columns).find(text)
    whole = {
        (mention.start, mention.end, number)
        for mention in found
        for number, (_, entire) in mention.matches.items()
        if entire
    }
    words = tokens(text)
    twin = {
        (words[first].start, words[last - 1].end, number)
        for number, one in enumerate(columns)
        for value in one.values
        for first in range(len(words))
        for last in range(first + 1, len(words) + 1)
        if text[words[first].start : words[last - 1].end] == value
    }
    assert whole <= twin
    for start, end, number in twin - whole:
        assert any(a <= start and end <= b and b - a > end - start for a, b, _ in whole), number


@pytest.mark.parametrize(
    ("text", "kind", "spans"),
    [
        ("on March 3rd please", "date", ["March 3rd"]),
        ("the 10th of this month", "date", ["10th of this month"]),
        ("leave on the 10th", "date", ["the 10th"]),
        ("Thursday next week or tomorrow", "date", ["Thursday next week", "tomorrow"]),
        ("at half past 12 in the afternoon", "time", ["half past 12 in the afternoon"]),
        ("at evening 5:30", "time", ["evening 5:30"]),
        ("at 4 pm. Thanks", "time", ["4 pm"]),
        ("send 1,710 dollars", "amount", ["1,710 dollars"]),
        ("three hundred and twenty bucks", "amount", ["three hundred and twenty bucks"]),
        ("two of us for 3 days", "number", ["two", "3"]),
    ],
)
def test_forms_are_found_as_said(text, kind, spans):
    assert spans_of(text, kind) == spans


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I want to stay in Walnut Creek.", "Walnut Creek"),
        ("from Portland, OR. Also for two", "Portland, OR"),
        ("from Portland, OR. Also for two", "Portland"),
        ("send it to Maria's account", "Maria"),
        ("a song called midnight train please", "midnight train"),
        ("The Queen's Gate is fine", "The Queen's Gate"),
    ],
)
def test_names_that_no_catalog_holds_are_found(text, name):
    assert name in [m.text for m in ValueSpans.of([]).find(text) if m.kind == "name"]


def test_a_long_turn_is_read_from_its_beginning():
    found = ValueSpans.of([]).find("1 " * 50_000)
    assert 0 < len(found) <= LONGEST_TURN
    assert max(mention.end for mention in found) <= LONGEST_TURN
