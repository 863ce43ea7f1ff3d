"""What follows from what is rightly heard in a turn: each sentence labelled, as people say it."""

from __future__ import annotations

import pytest

from concede import Catalog
from labelled_turns import said
from model_turns import RENT, ROOMS, TRIPS

pa = pytest.importorskip("pyarrow")

START = (("{wish:at most 700} please", "inform"), ("what is {ask:there}?", "ask items"))
"""Shows Dale Cellar, Ash Loft, Birch Attic and Cedar Studio."""


def known(session):
    return {(wish.column, wish.op, wish.value) for wish in session.preferences.known}


@pytest.mark.parametrize(
    ("words", "room"),
    [
        ("{take:the second one}, please", "Ash Loft"),
        ("{take:the last}", "Cedar Studio"),
        ("{take:number 3} then", "Birch Attic"),
        ("{take:the Birch}", "Birch Attic"),
        ("{take:the attic}", "Birch Attic"),
        ("{take:the cheapest one}", "Dale Cellar"),
        ("{take:the one with the balcony and the bath}", "Cedar Studio"),
        ("{take:the Elm}", "Elm House"),
        ("I take it", "Dale Cellar"),
    ],
)
def test_the_item_that_is_named_is_taken(monkeypatch, words, room):
    session, replies = said(monkeypatch, ROOMS, *START, (words, "affirm select"))
    assert [item.row["room"] for item in session.basket] == [room]
    assert replies[-1].startswith(f"Taken: {room}")


def test_what_is_asked_is_told_of_the_item_named_before(monkeypatch):
    asked = ("{about:the Ash} sounds nice.", "", "what {ask:extras} has it?", "ask value")
    _, replies = said(monkeypatch, ROOMS, *START, asked)
    assert replies[-1] == "Ash Loft (North): extras bath, desk."


def test_what_is_asked_for_in_other_words_is_told_by_its_grade(monkeypatch):
    _, replies = said(
        monkeypatch, ROOMS, *START, ("how {ask:roomy} is {about:the Ash}?", "ask value")
    )
    assert replies[-1] == "Ash Loft (North): size 20 m2."


def test_what_no_column_says_is_said(monkeypatch):
    session, replies = said(
        monkeypatch, ROOMS, *START, ("does it have {ask:a jacuzzi}?", "ask value")
    )
    assert replies[-1] == "Of “a jacuzzi” the catalog says nothing."
    assert known(session) == {(RENT, "<=", 700)}


def test_the_others_are_told_of(monkeypatch):
    two = ("{wish:at most 500}", "inform")
    _, replies = said(monkeypatch, ROOMS, *START, two, ("and {about:the other one}?", "ask_more"))
    assert "Ash Loft (North): rent 500 EUR" in replies[-1]


def test_two_that_are_named_are_compared(monkeypatch):
    asked = ("how do {about:Ash} and {about:the third} differ in {ask:size}?", "ask compare")
    _, replies = said(monkeypatch, ROOMS, *START, asked)
    assert replies[-1].startswith("Ash Loft (North): size 20 m2; Birch Attic (North): size 31 m2.")


def test_what_has_too_little_is_bounded_by_it(monkeypatch):
    session, _ = said(monkeypatch, ROOMS, *START, ("that is too small", "negate"))
    assert ("size (m2)", ">", 18) in known(session)
    session, _ = said(
        monkeypatch, ROOMS, *START, ("too small, {wish:at least 30}", "negate, inform")
    )
    assert ("size (m2)", ">=", 30) in known(session)
    assert ("size (m2)", ">", 18) not in known(session)


def test_of_a_list_only_what_is_dropped_goes(monkeypatch):
    both = ("{wish:a bath and a desk}", "inform")
    session, _ = said(monkeypatch, ROOMS, *START, both, ("no matter the {drop:desk}", "retract"))
    assert known(session) == {(RENT, "<=", 700), ("extras", "contains", "bath")}
    session, replies = said(monkeypatch, ROOMS, *START, ("forget {drop:the rent}", "retract"))
    assert known(session) == set()
    assert replies[-1].count("open") == 1


def test_what_is_only_asked_or_told_is_no_wish(monkeypatch):
    turns = (("has it {ask:a balcony}?", "ask value"), ("my last had {tell:an oven}", ""))
    session, _ = said(monkeypatch, ROOMS, *START, *turns)
    assert known(session) == {(RENT, "<=", 700)}


def test_as_good_as_what_was_said_is_added(monkeypatch):
    turns = (("{wish:in the North}", "inform"), ("{also:South} would do too", "inform"))
    session, _ = said(monkeypatch, ROOMS, *START, *turns)
    assert {part.values for part in session.preferences.known if part.column == "district"} == {
        ("North", "South")
    }


def test_how_many_are_taken(monkeypatch):
    session, _ = said(
        monkeypatch,
        ROOMS,
        *START,
        ("I take {take:two of the Birch}, two of those", "affirm select"),
    )
    assert session.taken_numbers == [2]


def test_a_yes_takes_only_what_was_asked(monkeypatch):
    told = ("does it have {ask:extras}?", "ask value")
    session, _ = said(monkeypatch, ROOMS, *START, told, ("yes, fine", "affirm"))
    assert session.basket == ()
    one = ("{wish:at most 450}", "inform")
    session, replies = said(monkeypatch, ROOMS, *START, one, ("yes, fine", "affirm"))
    assert replies[2].endswith("Shall it be that one?")
    assert [item.row["room"] for item in session.basket] == ["Dale Cellar"]


CULTURE = ("{wish:culture}", "inform")
ALL = ("show me", "ask items")


def test_sums_that_are_asked_for(monkeypatch):
    _, replies = said(monkeypatch, TRIPS, CULTURE, ALL, ("what do two adults pay?", "ask total"))
    assert replies[-1] == "Mine Alt (culture): 2 × adult price 39 EUR comes to 78 EUR."
    taken = ("{take:both}, please", "affirm select")
    _, replies = said(
        monkeypatch, TRIPS, CULTURE, ALL, taken, ("what is that altogether?", "ask total")
    )
    assert "comes to 85 EUR" in replies[-1]


HALLS = Catalog.open(
    pa.table(
        {
            "hall": ["Barn", "Mill", "Tent"],
            "hire price (£)": [1200, 900, 400],
            "menu price per person (£)": [30, 45, 20],
            "weekly rate (£)": [5000, 4000, 1500],
            "seats": [90, 60, 120],
        }
    )
)


def test_a_budget_multiplies_nothing(monkeypatch):
    asked = ("what is left of our 800?", "ask total")
    _, replies = said(monkeypatch, TRIPS, CULTURE, ALL, asked)
    assert "800" not in replies[-1]


def test_what_is_passed_over_is_not_taken(monkeypatch):
    turn = ("not {pass:the Ash}, I take {take:the Birch}", "affirm select, negate")
    session, _ = said(monkeypatch, ROOMS, *START, turn)
    assert [item.row["room"] for item in session.basket] == ["Birch Attic"]


def test_what_cannot_be_written_raises_nothing(monkeypatch):
    for words in ("{take:the \ud83d} please", "{about:" + "zorbing " * 100 + "}"):
        _, replies = said(monkeypatch, ROOMS, *START, (words, "affirm select, ask value"))
        assert replies[-1]


@pytest.mark.parametrize("words", ["undo", "no, take that back"])
def test_what_is_taken_back_is_so_once(monkeypatch, words):
    session, replies = said(monkeypatch, ROOMS, START[0], (words, "undo"), (words, "undo"))
    assert replies[1].startswith("The last step is taken back.")
    assert replies[2].startswith("There is nothing to take back.")
    assert known(session) == set()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("what is it all together for 60 of us?",
         "60 × menu price per person £30 plus hire price £1,200 comes to £3,000"),
        ("and {ask:the weekly rate} for a fortnight?",
         "2 × weekly rate £5,000 comes to £10,000"),
        ("what do three weeks at {ask:the weekly rate} come to?",
         "3 × weekly rate £5,000 comes to £15,000"),
    ],
)  # fmt: skip
def test_a_number_counts_what_is_paid_for_so_many(monkeypatch, words, told):
    turns = (
        ("at least {wish:80 seats}", "inform"),
        ("and {wish:the hire at least 1000}", "inform"),
    )
    _, replies = said(
        monkeypatch, HALLS, *turns, ("{ask:the Barn}", "ask value"), (words, "ask total")
    )
    assert told in replies[-1]


PIANOS = Catalog.open(
    pa.table(
        {
            "model": ["Yamaha P", "Yamaha P", "Casio C", "Roland R"],
            "year": [2015, 2020, 2020, 2018],
            "price_eur": [185, 320, 140, 610],
        }
    )
)


@pytest.mark.parametrize("between", ["from ", "of ", ""])
def test_a_value_behind_an_items_name_tells_which_it_is(monkeypatch, between):
    asked = (
        f"how does {{about:the Casio}} compare with {{about:the Yamaha P}} {between}{{ask:2020}}?"
    )
    shown = (("{wish:at most 500} please", "inform"), ("what is {ask:there}?", "ask items"))
    _, replies = said(monkeypatch, PIANOS, *shown, (asked, "ask compare"))
    assert "Casio C" in replies[-1]
    assert "320" in replies[-1]
    assert "185" not in replies[-1]
    assert "yes" not in replies[-1]


@pytest.mark.parametrize(
    ("take", "total"),
    [
        ("{take:2 casio c}, please", "2 × Casio C"),
        ("{take:three casios}, please", "3 × Casio C"),
        ("{take:two of the Casio C}, please", "2 × Casio C"),
        ("{take:the Casio C}, please", None),
        ("{take:the 2020 Casio C}, please", None),
    ],
)
def test_as_many_as_are_taken_are_added_up(monkeypatch, take, total):
    shown = (("{wish:at most 500} please", "inform"), ("what is {ask:there}?", "ask items"))
    turn = (take, "affirm select", "what does that {ask:come to}?", "ask total")
    session, replies = said(monkeypatch, PIANOS, *shown, turn)
    assert [item.row["model"] for item in session.basket] == ["Casio C"]
    assert ("×" in replies[-1]) == (total is not None)
    if total is not None:
        assert f"{total} €140 comes to" in replies[-1].replace("140 EUR", "€140")
        assert str(int(total[0]) * 140) in replies[-1]


FLOWERS = Catalog.open(
    pa.table(
        {
            "name": ["Star Jasmine", "White Peony", "7 Sisters Rose", "Blue Salvia"],
            "light": ["sun", "sun", "shade", "shade"],
            "litres": [3, 4, 3, 4],
            "price_eur": [12.5, 15.0, 20.0, 6.0],
        }
    ),
    key="name",
)


def flowers(monkeypatch, *turns):
    shown = (("{wish:at most 18} please", "inform"), ("what is {ask:there}?", "ask items"))
    return said(monkeypatch, FLOWERS, *shown, *turns)


@pytest.mark.parametrize(
    ("take", "count"),
    [
        ("I'll take 2 {take:Star Jasmine}", 2),
        ("{take:two Star Jasmine}", 2),
        ("{take:the Star Jasmine}", 1),
        ("I'll take {take:7 White Peony}", 7),
        ("{take:7 Sisters Rose}", 1),
        ("{take:the 4 litres White Peony}", 1),
    ],
)
def test_how_many_are_taken_is_no_part_of_a_name_or_a_measure(monkeypatch, take, count):
    session, _ = flowers(monkeypatch, (take, "affirm select"))
    assert session.taken_numbers == [count]


def test_what_everything_comes_to_counts_how_many_are_taken(monkeypatch):
    _, replies = flowers(
        monkeypatch,
        ("{take:two Star Jasmine}", "affirm select"),
        ("{take:the White Peony} as well", "affirm select"),
        ("what does everything {ask:come to}?", "ask total"),
    )
    assert "comes to 40" in replies[-1]


def test_another_item_is_added_up_once(monkeypatch):
    turn = (
        "{take:two Star Jasmine}.",
        "affirm select",
        "and what is {about:White Peony} in total?",
        "ask total",
    )
    _, replies = flowers(monkeypatch, turn)
    assert "30" not in replies[-1]
