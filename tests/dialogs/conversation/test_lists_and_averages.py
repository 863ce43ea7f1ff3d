"""Who asks to see several items is shown them, and who asks for an average is told it."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.conversation.lists_asked import counted_items, list_asked
from model_turns import CHEAP, NORTH, RENT, SIZE, does
from model_turns import talk as read_by_a_model

pa = pytest.importorskip("pyarrow")

HUTS = Catalog.open(
    pa.table(
        {
            "hut": ["Ard", "Bealach", "Corrie", "Druim", "Eas", "Fada", "Glas", "Inver", "Kyle"],
            "valley": [
                "North",
                "North",
                "South",
                "South",
                "North",
                "South",
                "West",
                "West",
                "West",
            ],
            "price (EUR)": [30, 42, 55, 28, 61, 35, 47, 90, 85],
            "beds": [4, 8, 12, 6, 16, 4, 10, 20, 6],
            "metres up": [410, 620, 700, 380, 910, 450, 530, 880, 300],
            "stove": [True, True, False, True, True, False, True, False, True],
        }
    )
)


def huts(*said: str, first: str = "at most 62 euros") -> tuple[Session, list[str]]:
    talk = Session(HUTS, weighter="lexical")
    talk.respond(first, propose=True)
    return talk, [talk.respond(text).text for text in said]


@pytest.mark.parametrize(
    ("text", "many", "counted"),
    [
        ("show me all four with their beds", 4, ["four"]),
        ("could you tell me what the five are?", 5, ["five"]),
        ("list them please", 12, []),
        ("which three have the most beds?", 3, ["three"]),
        ("and the two highest? just list the 2 highest", 2, ["2"]),
        ("give me a list of what fits", 12, []),
        ("my name is on the list", None, []),
        ("what is the list price?", None, []),
        ("tell me all about it", None, []),
        ("what are the two like?", None, []),
        ("how do the two compare", None, []),
    ],
)
def test_a_list_is_known_by_its_words(text: str, many: int | None, counted: list[str]):
    assert list_asked(text) == many
    assert [text[a:b] for a, b in counted_items(text)] == counted


def test_all_that_fits_is_listed_with_the_columns_asked_about():
    talk, replies = huts("please show me all seven, with the metres up and the beds")
    assert replies[0].startswith("What fits: 1. ")
    assert "; 7. " in replies[0]
    assert replies[0].count("metres up ") == replies[0].count("beds ") == 7
    assert [wish.column for wish in talk.preferences.known] == ["price (EUR)"]


def test_as_many_are_listed_as_are_asked_for_in_the_order_asked_for():
    talk, replies = huts(
        "show me the two huts with the most beds and the price of each", "I'll take number 2"
    )
    first, second = replies[0].split("; 2. ")
    assert "What fits, 2 of 7: 1. Eas" in first
    assert "price 61 EUR" in first
    assert second.startswith("Corrie")
    assert talk.accepted is not None
    assert talk.accepted["hut"] == "Corrie"


def test_a_wish_beside_a_list_is_noted_and_what_fits_is_listed():
    _, replies = huts("In the North please. List what fits with the metres up.")
    assert "Noted: valley North." in replies[0]
    assert "1. " in replies[0]
    assert "; 3. " in replies[0]
    assert "metres up 910" in replies[0]
    assert "Shall it be" not in replies[0]


def test_the_same_is_not_listed_twice():
    _, replies = huts("show me all that fit and list their beds, too")
    assert replies[0].count("1. ") == replies[0].count("Druim") == 1
    assert "beds 16" in replies[0]


def test_the_next_one_comes_after_a_list_of_some():
    _, replies = huts("show me the three cheapest", "another one")
    assert "; 3. Fada" in replies[0]
    assert "4. " not in replies[0]
    assert "The next one: " in replies[1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what is the average price of those?", "The average price is 42.57 EUR, over 7 with"),
        ("how many beds do they have on average?", "The average beds is 8.57, over 7"),
        ("how much is it on average for those with a stove?", "48.83 EUR, over 6 with stove."),
        ("How many are there and what do they cost on average?", "7 with price at most 62 EUR"),
    ],
)
def test_an_average_is_told_with_how_many_it_is_over(text: str, told: str):
    talk, replies = huts(text)
    assert told in replies[0]
    assert [wish.column for wish in talk.preferences.known] == ["price (EUR)"]


def test_a_model_may_ask_for_so_many_and_for_an_average():
    show = does("show", columns=[SIZE], direction="max", number=2)
    mean = does("values", columns=[RENT], average=True)
    both = does("values", columns=[RENT], average=True, items=[1, 2])
    _, replies, _ = read_by_a_model(
        CHEAP,
        ("the two largest", show),
        ("what do they cost on average?", mean),
        ("the average rent of these two?", both),
        ("and in the north", {"constraints": [NORTH], **mean}),
    )
    assert "What fits, 2 of 4: 1. Cedar Studio (South), size 38 m2" in replies[1]
    assert "3. " not in replies[1]
    assert replies[2] == "The average rent is 567.50 EUR, over 4 with rent at most 700 EUR."
    assert "660 EUR, over Cedar Studio (South) and Birch Attic (North)." in replies[3]
    assert "over 2 with rent at most 700 EUR and district North." in replies[4]
