"""For how many something is said to be, by words for people and places."""

from __future__ import annotations

import pytest

from concede.dialogs.conversation.people_said import people_said


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("we need it for the four of us", 4),
        ("three places on the pottery evening, please", 3),
        ("what is that for my aunt and me?", 2),
        ("for my aunt, my uncle and myself", 3),
        ("please put both down for it", 2),
        ("put all three boys down for the judo", 3),
        ("put Greta down for the judo, and her cousin", 2),
        ("sign my brother and his wife up", 2),
        ("how much for 5 adults", 5),
        ("what would it be for both girls together?", 2),
        ("the judo for three lads", 3),
    ],
)
def test_people_are_counted(text, number):
    assert people_said(text)[0] == number


@pytest.mark.parametrize(
    "text",
    [
        "put that one aside for me",
        "I'll have two of the oak chairs",
        "the oak one for my mother and the elm one for me",
        "a car with 5 seats",
        "the total for the Larch and the Rowan",
        "for my garden",
        "put me down for it",
    ],
)
def test_what_counts_nobody(text):
    assert people_said(text)[0] == 0


def test_people_told_one_by_one_count_only_where_people_pay():
    assert people_said("I'll take it for my wife and me", per_head=False)[0] == 0
