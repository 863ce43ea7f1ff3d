"""The encoder of phrasing: what it sees of a message, and what the reader makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.dialogs.extraction.mentions import find_mentions
from concede.dialogs.extraction.network import fitted
from concede.dialogs.extraction.offline import OfflineExtractor, extract
from concede.dialogs.extraction.phrasing import (
    DECISIONS,
    QUESTION,
    SHARES,
    WHOLE,
    masked,
    shipped,
    together,
)
from concede.dialogs.extraction.reading import Reading
from concede.dialogs.extraction.value_index import index_of
from concede.dialogs.language.encoder import LONGEST, PARTS, embeddings

PIECES = embeddings().pieces
FLATS = "Flat,Heating,Floor,Balcony,Rent\n" + "".join(
    f"f{at},{('gas', 'oil', 'district')[at % 3]},{at % 5},{('yes', 'no')[at % 2]},{600 + 37 * at}\n"
    for at in range(30)
)


@pytest.fixture(scope="module")
def flats(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    path = tmp_path_factory.mktemp("flats") / "flats.csv"
    path.write_text(FLATS)
    return Catalog.open(path)


def words(numbers: list[int]) -> list[str]:
    names = {number: piece for piece, number in PIECES.numbers.items()}
    return [names[number] for number in numbers]


def test_a_mention_is_seen_as_one_mask_behind_the_question():
    text = "Spare me gas heating, please."
    (part,) = masked(text, "Which heating?", [(9, 20), WHOLE], PIECES)
    numbers, places = part
    assert words(numbers) == [
        *("[CLS]", "which", "heating", "?", "[SEP]", "spare", "me", "[MASK]", ",", "please", "."),
        "[SEP]",
    ]
    assert places == {0: 7, 1: 0}


def test_neighbours_have_masks_of_their_own_and_what_overlaps_shares_one():
    (part,) = masked("gas oil or gas", "", [(0, 3), (4, 7), (4, 10)], PIECES)
    assert words(part[0]) == ["[CLS]", "[MASK]", "[MASK]", "gas", "[SEP]"]
    assert part[1] == {0: 1, 1: 2, 2: 2}


@given(
    st.lists(
        st.sampled_from(["gas", "no", "£250", "non-smoker", "x" * 30, ".", "é"]), max_size=400
    ),
    st.integers(0, 80),
    st.data(),
)
def test_every_part_fits_and_every_mask_is_one(said: list[str], asked: int, data: st.DataObject):
    text = " ".join(said)
    starts = [0]
    for word in said:
        starts.append(starts[-1] + len(word) + 1)
    places = st.integers(0, max(0, len(said) - 1))
    chosen = data.draw(st.lists(places, max_size=5, unique=True)) if said else []
    spans = [(starts[at], starts[at] + len(said[at])) for at in chosen]
    seen: dict[int, int] = {}
    for parts, (numbers, masks) in enumerate(masked(text, "why " * asked, spans, PIECES)):
        assert parts < PARTS
        assert len(numbers) <= LONGEST + 2
        assert numbers[0] == PIECES.first
        assert numbers[-1] == PIECES.end
        assert all(numbers[place] == PIECES.mask for place in masks.values())
        assert seen.keys().isdisjoint(masks)
        seen |= masks
    near = len(list(PIECES.cut(text))) <= LONGEST - QUESTION - 1
    assert not near or seen.keys() == set(range(len(spans)))


def test_a_long_message_is_read_where_something_is_meant():
    text = "blah " * 300 + "no gas"
    (part,) = masked(text, "", [(len(text) - 3, len(text))], PIECES)
    assert words(part[0])[-3:] == ["no", "[MASK]", "[SEP]"]
    far = "blah " * 5000 + "no gas"
    assert list(masked(far, "", [(len(far) - 3, len(far))], PIECES)) == []


@pytest.mark.parametrize("text", ["\ud800 gas \x00", "gas " * 20_000, "[MASK] gas [SEP]"])
def test_any_text_is_heard(text: str, flats: Catalog):
    reading = Reading(text, 0, index_of(flats), {}, question=text)
    mentions = find_mentions(reading)[:3]
    told = shipped().hear(reading, mentions)
    assert told.wished is not None
    assert np.isfinite(told.wished)
    heard = told.mentions
    assert len(heard) == len(mentions) > 0
    assert all(told.keys() == set(DECISIONS) for told in heard)
    assert all(np.isfinite(odds).all() for told in heard for odds in told.values())


def test_an_answer_without_words_of_its_own_is_heard_as_a_whole(flats: Catalog):
    question = "Do you want a balcony: yes, no, or is it all the same?"
    heard: list[float | None] = []
    for text in ("yes please, that would be lovely", "my cat sat on the keyboard again"):
        reading = Reading(text, 0, index_of(flats), {"Balcony": 1.0}, question=question)
        mentions = [mention for mention in find_mentions(reading) if not mention.has_words]
        assert mentions
        heard.append(shipped().hear(reading, mentions).wished)
    yes, cat = heard
    assert yes is not None
    assert cat is not None
    assert yes > cat


def test_decisions_are_weighed_together():
    assert SHARES.keys() == set(DECISIONS)
    one, other = np.array([1, 0, 0], np.float32), np.array([0, 2, 0], np.float32)
    own, heard = SHARES["polarity"]
    assert together("polarity", one, other) == pytest.approx([own, 2 * heard, 0])


@pytest.mark.parametrize(
    "text",
    [
        "I've had it with gas heating.",
        "Gas heating? Over my dead body.",
        "Gas heating gives my wife headaches, so look elsewhere.",
    ],
)
def test_a_refusal_without_a_word_of_denial_is_heard(text: str, flats: Catalog):
    (found,) = extract(text, flats).constraints
    wish = found.constraint
    assert (wish.column, wish.op, wish.value) == ("Heating", "!=", "gas")


def test_without_the_encoder_the_network_decides_alone(flats: Catalog):
    alone = OfflineExtractor(replace(fitted(), phrasing=None))
    (found,) = alone.extract("No gas heating.", flats).constraints
    assert (found.constraint.op, found.constraint.value) == ("!=", "gas")


def test_it_is_read_once(tmp_path: Path):
    assert shipped() is shipped()
