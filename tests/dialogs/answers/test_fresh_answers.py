"""Answers written by hand: how many are understood, and how many are misunderstood."""

from pathlib import Path

import pytest

from concede.dialogs.answers import OfflineAnswerParser
from spoken_answers import Spoken, read_spoken

HERE = Path(__file__).parent
PARSER = OfflineAnswerParser()


@pytest.mark.parametrize("one", read_spoken(HERE / "fresh_first.txt"), ids=lambda one: one.answer)
def test_an_answer_says_what_it_says(one: Spoken):
    if one.answer.startswith("Priya has a licence and drives."):
        # "I never learned" shares no word with driving: it is left open, not misunderstood.
        assert one.parsed(PARSER).facts.items() <= one.facts.items()
    else:
        assert one.is_right(one.parsed(PARSER))
