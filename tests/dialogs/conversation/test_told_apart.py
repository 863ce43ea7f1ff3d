"""Which of several items of one name is meant, and of how many of it."""

from __future__ import annotations

import pytest

from concede import Catalog
from labelled_turns import said

pa = pytest.importorskip("pyarrow")

WALKS = Catalog.open(
    pa.table(
        {
            "walk": [
                "Mill & Weir Loop", "Mill & Weir Loop (By Night)", "Mill & Weir Loop (Families)",
                "Quarry Path", "Heath Round", "Gorge Climb",
            ],
            "kind": ["guided", "guided", "guided", "guided", "on your own", "on your own"],
            "hours": [3, 4, 2, 5, 6, 4],
            "price per person": [12.0, 19.0, 9.0, 15.0, 4.0, 6.0],
        }
    ),
    key="walk",
)  # fmt: skip


def walks(monkeypatch, *turns):
    shown = (("{wish:at most 5 hours} please", "inform"), ("what is {ask:there}?", "ask items"))
    session, replies = said(monkeypatch, WALKS, *shown, *turns)
    basket = [item.row["walk"] for item in session.basket]
    return dict(zip(basket, session.taken_numbers, strict=True)), replies


@pytest.mark.parametrize(
    ("words", "walk"),
    [
        ("I'll take {take:the Mill & Weir Loop}", "Mill & Weir Loop"),
        ("I'll take {take:the Mill & Weir Loop by night}", "Mill & Weir Loop (By Night)"),
        ("We'll do {take:the ordinary Mill one}", "Mill & Weir Loop"),
        ("{take:the Mill & Weir Loop}, {take:the ordinary guided one}, not {pass:the families one}",
         "Mill & Weir Loop"),
        ("{take:the Quarry Path}, {take:the guided one}", "Quarry Path"),
    ],
)  # fmt: skip
def test_what_is_said_of_an_item_tells_which_it_is(monkeypatch, words, walk):
    assert walks(monkeypatch, (words, "affirm select"))[0] == {walk: 1}


def test_two_items_in_a_row_stay_two(monkeypatch):
    words = "{take:the Mill & Weir Loop}, {take:the Quarry Path} and {take:the Gorge Climb}"
    taken, _ = walks(monkeypatch, (words, "affirm select"))
    assert [*taken] == ["Mill & Weir Loop", "Quarry Path", "Gorge Climb"]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("{take:the Quarry Path}, four places", 4),
        ("put both down for {take:the Quarry Path}", 2),
        ("{take:the Quarry Path} for my father and me", 2),
        ("I'll take {take:the Quarry Path}", 1),
    ],
)
def test_so_many_are_taken_and_paid_for(monkeypatch, words, number):
    turn = (words, "affirm select", "what do I owe altogether?", "ask total")
    taken, replies = walks(monkeypatch, turn)
    assert taken == {"Quarry Path": number}
    assert number == 1 or f"Taken: {number} × Quarry Path" in replies[-1]
    assert number == 1 or f"comes to {15 * number}" in replies[-1]


def test_a_sum_for_people_told_one_by_one_counts_them(monkeypatch):
    asked = ("what is {about:the Gorge Climb} for my father and me?", "ask total")
    assert "comes to 12" in walks(monkeypatch, asked)[1][-1]


def test_the_two_are_those_named_before(monkeypatch):
    turn = (
        "My uncle spoke of {about:the Mill & Weir Loop and the Heath Round}.", "inform",
        "Which of {about:those two} is {ask:cheaper}?", "ask compare",
    )  # fmt: skip
    reply = walks(monkeypatch, turn)[1][-1]
    assert "The lowest price per person: Heath Round" in reply
    assert "Night" not in reply
    assert "Quarry" not in reply


def test_the_two_are_the_one_named_and_the_one_offered(monkeypatch):
    first = ("tell me about {about:the Gorge Climb}", "ask value")
    turn = ("And then there is {about:the Heath Round}.", "inform",
            "Which of the two is {ask:cheaper}?", "ask compare")  # fmt: skip
    reply = walks(monkeypatch, first, turn)[1][-1]
    assert "The lowest price per person: Heath Round" in reply
    assert "Gorge Climb" in reply
    assert "Quarry" not in reply


@pytest.mark.parametrize("each", ["what's the total for each", "what do they come to apiece"])
def test_each_has_a_sum_of_its_own(monkeypatch, each):
    words = f"{{about:the Heath Round}} and {{about:the Gorge Climb}}, {each} for the five of us?"
    reply = walks(monkeypatch, (words, "ask total"))[1][-1]
    assert "comes to 20" in reply
    assert "comes to 30" in reply
    assert "comes to 50" not in reply


def test_of_rates_it_is_said_which_is_the_least(monkeypatch):
    words = "is {about:the Heath Round} or {about:the Quarry Path} {ask:cheaper per hour}?"
    reply = walks(monkeypatch, (words, "ask compare"))[1][-1]
    assert "The least: Heath Round" in reply


def test_what_is_left_of_a_sum_of_money_is_less_all_that_is_taken(monkeypatch):
    first = ("{take:the Gorge Climb}", "affirm select")
    turn = ("put both down for {take:the Quarry Path}", "affirm select",
            "and what is left of my 100?", "ask total")  # fmt: skip
    assert "comes to 64" in walks(monkeypatch, first, turn)[1][-1]


@pytest.mark.parametrize(
    "words",
    [
        "and what is it with {ask:a guided} one on top, the cheapest you have?",
        "how much with {ask:the cheapest guided} one as well?",
    ],
)
def test_the_cheapest_of_a_kind_is_added_to_what_is_taken(monkeypatch, words):
    turn = ("{take:the Gorge Climb}.", "affirm select", words, "ask total")
    taken, replies = walks(monkeypatch, turn)
    assert [*taken] == ["Gorge Climb"]
    assert "Mill & Weir Loop (Families)" in replies[-1]
    assert "comes to 15" in replies[-1]


@pytest.mark.parametrize(
    "words", ["put {about:the Gorge Climb} aside for me", "keep {about:the Gorge Climb} for us"]
)
def test_what_is_put_aside_is_kept(monkeypatch, words):
    assert "Kept in mind: Gorge Climb" in walks(monkeypatch, (words, ""))[1][-1]


@pytest.mark.parametrize(
    ("words", "walk"),
    [
        ("{wish:the families} one then", "Mill & Weir Loop (Families)"),
        ("{take:the ordinary one}", "Mill & Weir Loop"),
        ("{take:the by night one}", "Mill & Weir Loop (By Night)"),
    ],
)
def test_what_answers_which_one_is_taken(monkeypatch, words, walk):
    first = ("do you have {wish:the Mill & Weir}", "inform")
    assert walks(monkeypatch, first, (words, "affirm select"))[0] == {walk: 1}


def test_what_is_asked_of_the_cheapest_is_of_that_alone(monkeypatch):
    turn = ("what is {ask:the cheapest guided} one?", "ask best",
            "and what is that for the four of us?", "ask total")  # fmt: skip
    reply = walks(monkeypatch, ("{about:the Gorge Climb}?", "ask value"), turn)[1][-1]
    assert "comes to 36" in reply
    assert "Gorge" not in reply


@pytest.mark.parametrize("between", ["with", "to", "against"])
def test_what_stands_between_two_whole_names_parts_them(monkeypatch, between):
    asks = f"how does {{about:the Quarry Path compare {between} the Heath Round}}?"
    _, replies = walks(monkeypatch, (asks, "ask compare"))
    assert "Quarry Path" in replies[-1]
    assert "Heath Round" in replies[-1]
    assert "Mill & Weir" not in replies[-1]
