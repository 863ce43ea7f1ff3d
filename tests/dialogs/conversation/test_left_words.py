"""What of a turn is said not to be understood."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.dialogs.conversation.session import Session

HUTS = Catalog.open(
    pa.table(
        {
            "hut": [
                f"{name} Hut" for name in ("Alder", "Birch", "Cedar", "Rowan", "Hazel", "Larch")
            ],
            "nightly price": [40, 55, 60, 75, 80, 95],
            "sleeps": [2, 4, 4, 6, 6, 8],
            "stove": ["yes", "no"] * 3,
        }
    ),
    key="hut",
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a stove please, and a jacuzzi", ["jacuzzi"]),
        ("a stove please, my landlord flooded the cellar", []),
        ("I'm newly widowed, so a stove and a jacuzzi please", ["jacuzzi"]),
        ("my brother complained last year, so a stove please", []),
    ],
)
def test_what_is_wanted_is_said_and_what_is_said_in_passing_is_not(text: str, words: list[str]):
    reply = Session(HUTS, weighter="lexical", max_questions=0).hear(text).reply
    assert "stove" in reply
    left = reply.partition("Not understood:")[2]
    assert all(word in left for word in words)
    assert bool(left) == bool(words)


def test_words_in_passing_are_said_where_nothing_else_is_said_of_a_turn():
    heard = Session(HUTS, weighter="lexical", max_questions=0).hear("my neighbour complained")
    assert "complained" in heard.reply


def test_what_was_not_understood_is_in_what_was_heard_whatever_is_said():
    session = Session(HUTS, weighter="lexical", max_questions=0)
    heard = session.hear("my neighbour complained, so a stove please")
    assert "complained" not in heard.reply
    assert "complained" in [part.evidence.text for part in heard.not_understood]
