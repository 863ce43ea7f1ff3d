"""Values whose words are known to wish for something are found where they would not be else."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.extraction.decoding import judge, weigh
from concede.dialogs.extraction.lifted_values import LIFT
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.network import fitted
from concede.dialogs.extraction.offline import OfflineExtractor
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of
from labelled_turns import said

CLASSES = Catalog.open(
    pa.table(
        {
            "title": [
                f"{what} {n}" for n in range(1, 7) for what in ("Guitar circle", "Salsa night")
            ],
            "venue": ["Old Mill", "New Hall", "Boat House"] * 4,
            "level": ["beginner", "advanced"] * 6,
            "fee": [40 + 7 * n for n in range(12)],
        }
    ),
    key="title",
)
TEXT = "bro what about a circle instead, total noob"
WHERE = (TEXT.index("circle"), TEXT.index("circle") + len("circle"))


def constraints(found):
    return [(p.constraint.column, p.constraint.op, p.constraint.value) for p in found.constraints]


def test_what_is_known_to_wish_is_likelier_meant_and_all_that_has_the_words_is():
    extractor = OfflineExtractor()
    assert constraints(extractor.extract(TEXT, CLASSES)) == []
    ((column, op, values),) = constraints(extractor.extract(TEXT, CLASSES, wishing=[WHERE]))
    assert (column, op) == ("title", "in")
    assert set(values) == {f"Guitar circle {n}" for n in range(1, 7)}


def test_only_values_all_of_whose_words_wish_are_lifted():
    reading = Reading(TEXT, 0, index_of(CLASSES), {})
    mentions = list(find_mentions(reading))
    place = reading.folded.index("circle")
    (mention,) = (m for m in mentions if [*m.places] == [place] and m.kind == "value")
    assert -LIFT < weigh(reading, mention, fitted()).gain < 0
    assert judge(reading, fitted()) == judge(reading, fitted(), [place + 1])
    lifted = judge(reading, fitted(), [place])
    assert [item.mention.places for item in lifted] == [mention.places]


def test_a_turn_takes_up_what_its_words_of_wishing_name(monkeypatch: pytest.MonkeyPatch):
    session, replies = said(
        monkeypatch,
        CLASSES,
        ("under 100", "inform"),
        ("bro what about a {wish:circle} instead, total noob", "inform"),
    )
    assert [wish.column for wish in session.preferences.known] == ["fee", "title"]
    assert "Not understood" not in replies[-1]


def test_what_is_taken_up_tells_where_it_was_said():
    session = Session(CLASSES, weighter="lexical")
    session.respond("under 100")
    heard = session.hear("somewhere cosy, the guitar thing")
    for part in heard.constraints:
        said_there = session.messages[part.evidence.message].content
        assert said_there[part.evidence.start : part.evidence.end] == part.evidence.text
    assert [part.constraint.column for part in heard.constraints] == ["title"]


@pytest.mark.parametrize(
    ("first", "then", "columns"),
    [
        # What is as good as another column is one wish with it.
        (("hello", "greet"), "at the {wish:Old Mill} or a {wish:circle}, total noob", [None]),
        # What is not wished is not.
        (("under 100", "inform"), "bro what about a {tell:circle} instead, total noob", ["fee"]),
    ],
)
def test_what_is_not_taken_up(monkeypatch: pytest.MonkeyPatch, first, then, columns):
    session, _ = said(monkeypatch, CLASSES, first, (then, "inform"))
    assert [wish.column for wish in session.preferences.known] == columns


PLANTS = Catalog.open(
    pa.table(
        {
            "plant": [f"{kind} {n}" for n in range(1, 6) for kind in ("Rose", "Fern")]
            + ["Iris Blue", "Sedum Late"],
            "light": ["sun", "shade", "part shade"] * 4,
            "price_eur": [4 + n for n in range(12)],
        }
    ),
    key="plant",
)


def test_a_part_of_the_name_of_one_item_is_not_taken_up(monkeypatch: pytest.MonkeyPatch):
    text = "maybe something blue"
    where = (text.index("blue"), len(text))
    assert constraints(OfflineExtractor().extract(text, PLANTS, wishing=[where]))
    turn = ("maybe something {wish:blue}", "inform")
    session, _ = said(monkeypatch, PLANTS, ("under 15", "inform"), turn)
    assert [wish.column for wish in session.preferences.known] == ["price_eur"]


HEATERS = Catalog.open(
    pa.table(
        {
            "heater": [f"Glow {n}" for n in range(9)],
            "kind": ["fan", "oil", "panel"] * 3,
            "noise (dB)": [30 + 4 * n for n in range(9)],
            "weight (kg)": [9.5 - n for n in range(9)],
            "price": [40 + 9 * n for n in range(9)],
        }
    ),
    key="heater",
)


@pytest.mark.parametrize(
    "text",
    [
        "it needs to be quiet as well, the dog is easily upset, and no dearer than 90",
        "Well, it ought to be quiet too, the dog is old, and I'd rather not pay more than 90",
    ],
)
def test_a_word_for_little_is_taken_up_where_it_is_wished(text: str):
    start = text.index("quiet")
    found = OfflineExtractor().extract(text, HEATERS, wishing=[(start, start + 5)])
    assert [goal.column for goal in found.leanings] == ["noise (dB)"]
    assert not OfflineExtractor().extract(text, HEATERS).leanings


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("a panel one, quiet if possible", False),
        ("an oil heater, ideally quiet", False),
        ("a quiet oil heater", True),
    ],
)
def test_what_need_not_be_met_bounds_nothing(text: str, bounds: bool):
    (goal,) = OfflineExtractor().extract(text, HEATERS).leanings
    assert goal.column == "noise (dB)"
    assert (goal.constraint is not None) == bounds
