"""The judge by rule, over dialogues in words other than ours."""

import pytest

from concede.bench.apec.judge import NO_DIALOGUE, AgenticScores, OfflineJudge
from concede.dialogs.elicitation.schema import travel_schema
from concede.dialogs.elicitation.stenographer import OfflineStenographer
from concede.dialogs.transcripts.transcript import Message, Transcript

JUDGE = OfflineJudge(travel_schema(), OfflineStenographer())

GREETED = [("Hi there! Where are we heading?", "Day 2, from Reno to Tulsa")]
ROUNDS = [
    ("Before anything else, how much money can you set aside?", "About three grand"),
    ("Will any kids be coming along?", "Hm, hard to say"),
    ("To find places that allow it: is a child coming with you, yes or no?", "No"),
    ("Does anyone in your group need wheelchair access at the hotel?", "No"),
    ("Which sort of accommodation suits you?", "entire home"),
    ("Tell me your favorite airline.", "Delta"),
    ("What food do you fancy most?", "Italian"),
    ("In which cabin would you like to sit?", "economy"),
    ("How many stars should your hotel have?", "4"),
    ("Should your lodging be close to the beach, or downtown?", "downtown"),
]
POOR = [
    ("Should I look for live music in the restaurant?", "no idea"),
    ("Do you like hair dryers in the bathroom?", "hard to say"),
    ("Nice weather, isn't it?", "yes"),
]


def score(rounds: list[tuple[str, str]]) -> AgenticScores:
    """Judge a dialogue of rounds: what the agent says, and the traveller."""
    turns = [
        Message(role, text)
        for said in rounds
        for role, text in zip(("assistant", "user"), said, strict=True)
    ]
    return JUDGE.score(Transcript(tuple(turns)))


def test_a_good_dialogue_in_other_words_is_far_ahead_of_a_poor_one():
    good, poor = score(GREETED + ROUNDS), score(GREETED + POOR)
    assert good.total >= 12
    assert poor.total <= 7
    assert good.proactive >= 4.5
    assert good.clarification == 5


def test_small_talk_and_silence_earn_the_least():
    chat = [*GREETED, ("Nice weather, isn't it?", "yes"), ("How are you?", "fine")]
    assert score(chat) == score([("", "Day 2"), ("", "hello?")]) == AgenticScores(1, 1, 1)
    assert score([]) == NO_DIALOGUE


@pytest.mark.parametrize("empty", ["", "  \n", "...", "[Think] What now? [End think]"])
@pytest.mark.parametrize("place", range(0, 10, 3))
def test_a_turn_without_words_lowers_its_axis(empty: str, place: int):
    emptied = [*ROUNDS]
    emptied[place] = (empty, ROUNDS[place][1])
    full, less = score(GREETED + ROUNDS), score(GREETED + emptied)
    assert less.plan_priority < full.plan_priority
    assert less.proactive < full.proactive


def test_a_vague_answer_is_asked_about_once():
    asked = GREETED + ROUNDS[:1]
    vague = ("Will any kids be coming along?", "Hm, hard to say")
    again = ("So, is a child coming with you?", "Not sure yet")
    assert score([*asked, vague, again, ROUNDS[5]]).clarification == 5
    assert score([*asked, vague, ROUNDS[5], ROUNDS[6]]).clarification == 1
