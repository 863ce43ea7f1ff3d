"""Which words, if not understood, would be missed, and which are said in passing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from concede.dialogs.extraction.phrasing import Span, shipped
from concede.dialogs.extraction.telling import NUMBERS, fitted, word_states
from concede.dialogs.language.encoder import LONGEST


def spans(text: str, *parts: str) -> list[Span]:
    return [(text.index(part), text.index(part) + len(part)) for part in parts]


@pytest.mark.parametrize(
    ("text", "understood", "left", "missed"),
    [
        ("I'm newly widowed, so a flat with a bathtub please", ["flat"], "bathtub", True),
        ("I'm newly widowed, so a flat with a bathtub please", ["flat"], "newly widowed", False),
        ("is there a sauna?", [], "sauna", True),
        ("anything with a trampoline, under 50 euros", ["under 50 euros"], "trampoline", True),
        ("my neighbour complained last time, so a quiet place", ["quiet"], "complained", False),
    ],
)
def test_what_is_wanted_would_be_missed_and_what_is_said_in_passing_not(
    text: str, understood: Sequence[str], left: str, missed: bool
) -> None:
    judged = fitted().would_be_missed(text, "", spans(text, *understood), spans(text, left))
    assert judged == [missed]


def test_a_part_counts_as_its_most_telling_word():
    text = "I'm newly widowed, so a flat with a bathtub please"
    first, last = spans(text, "newly", "bathtub please")
    assert fitted().would_be_missed(text, "", [], [(first[0], last[1])]) == [True]


def test_words_beyond_what_is_read_would_be_missed():
    text = "well " * 4 * LONGEST + "blimey"
    assert fitted().would_be_missed(text, "", [], spans(text, "blimey")) == [True]
    assert fitted().would_be_missed("", "", [], []) == []


def test_a_word_is_its_state_and_four_numbers_and_what_was_understood_is_masked():
    text = "a garden in Oakfield, no 7"
    width = shipped().encoder.embeddings.words.shape[1]
    told = word_states(shipped(), text, "", [], spans(text, "garden", "Oakfield", "7"))
    assert [None if row is None else row.shape for row in told] == [(width + NUMBERS,)] * 3
    digit, known, _, capital = np.array([row[width:] for row in told if row is not None]).T
    assert digit.tolist() == [0, 0, 1]
    assert known.tolist() == [1, 0, 0]
    assert capital.tolist() == [0, 1, 0]
    red, blue = "a red bathtub", "a blue bathtub"
    (one,) = word_states(shipped(), red, "", spans(red, "red"), spans(red, "bathtub"))
    (other,) = word_states(shipped(), blue, "", spans(blue, "blue"), spans(blue, "bathtub"))
    assert one is not None
    assert other is not None
    np.testing.assert_allclose(one, other, atol=1e-5)
