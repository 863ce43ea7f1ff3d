"""Which items are meant, taken and added up, where words of the catalog tell it."""

from __future__ import annotations

import pytest

from concede import Catalog
from labelled_turns import said

pa = pytest.importorskip("pyarrow")

BIKES = Catalog.open(
    pa.table(
        {
            "model": [
                "Kestrel Tour (2018)", "Kestrel Tour (2021)", "Heron City (2019)",
                "Heron Cargo (2020)", "Finch Mini (2016)", "Bella", "Osprey Trail (2021)",
                "Osprey Trail (2014)",
            ],
            "kind": [
                "touring bike", "touring bike", "city bike", "cargo bike", "folding bike",
                "tandem", "mountain bike", "mountain bike",
            ],
            "year": [2018, 2021, 2019, 2020, 2016, 2011, 2021, 2014],
            "town": ["Leiden", "Delft", "Delft", "Gouda", "Leiden", "Gouda", "Zwolle", "Delft"],
            "gears": [21, 24, 7, 9, 3, 18, 12, 10],
            "lamps": ["front", "front", "both", "both", "none", "none", "front", "none"],
            "price_eur": [310, 540, 260, 820, 150, 400, 700, 230],
        }
    ),
    key="model",
)  # fmt: skip

SHOWN = (("{wish:at most 330} please", "inform"), ("what is {ask:there}?", "ask items"))
"""Shows Finch Mini, Osprey Trail 2014, Heron City and Kestrel Tour 2018."""

OFFERED = "Finch Mini (2016)"


def bikes(monkeypatch, *turns, shown=SHOWN):
    session, replies = said(monkeypatch, BIKES, *shown, *turns)
    return session, replies[-1], [item.row["model"] for item in session.basket]


TOTAL = ("what does that come to?", "ask total")


@pytest.mark.parametrize(
    ("words", "taken", "total"),
    [
        ("I'll take {take:the Finch} and the Heron City.",
         ["Finch Mini (2016)", "Heron City (2019)"], 410),
        ("We'll have {take:the Finch} plus the 2021 Kestrel from Delft.",
         ["Finch Mini (2016)", "Kestrel Tour (2021)"], 690),
        ("I'd buy it together with {take:the Heron cargo bike for Anna}.",
         ["Finch Mini (2016)", "Heron Cargo (2020)"], 970),
        ("I take {take:both}, the Heron City for me and the Finch for my son.",
         ["Heron City (2019)", "Finch Mini (2016)"], 410),
        ("Bella is the tandem, so I'll have {take:that one} and {take:the Finch}.",
         ["Bella", "Finch Mini (2016)"], 550),
    ],
)  # fmt: skip
def test_all_that_a_sentence_takes_is_taken_and_added_up(monkeypatch, words, taken, total):
    _, reply, basket = bikes(monkeypatch, (words, "affirm select", *TOTAL))
    assert basket == taken
    assert f"comes to {total}" in reply


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("I'll take {take:the Finch}, and the Heron City is too dear.", ["Finch Mini (2016)"]),
        ("I'll take {take:the Finch}, it is lighter than the Heron City.", ["Finch Mini (2016)"]),
        ("I take {take:the Finch} instead of {take:the Heron City}.", ["Finch Mini (2016)"]),
        ("I take {take:the Finch} or {take:the Heron City}.", []),
    ],
)
def test_what_is_only_spoken_of_is_not_taken(monkeypatch, words, taken):
    _, _, basket = bikes(monkeypatch, (words, "affirm select"))
    assert basket == taken


def test_the_number_taken_is_that_of_each_item(monkeypatch):
    words = "I'll take {take:two of the Finch} and one Heron City."
    session, reply, basket = bikes(monkeypatch, (words, "affirm select", *TOTAL))
    assert dict(zip(basket, session.taken_numbers, strict=True)) == {
        "Finch Mini (2016)": 2,
        "Heron City (2019)": 1,
    }
    assert "comes to 560" in reply


def test_a_sentence_of_an_item_goes_on_taking(monkeypatch):
    two = ("{wish:at most 240}", "inform")
    turn = ("I'll take {take:the Finch}.", "affirm select", "{about:the other one} as well.",
            "affirm select", *TOTAL)  # fmt: skip
    _, reply, basket = bikes(monkeypatch, two, turn)
    assert basket == ["Finch Mini (2016)", "Osprey Trail (2014)"]
    assert "comes to 380" in reply


def test_what_is_asked_right_after_is_of_all_that_was_taken(monkeypatch):
    turns = (("{take:the Finch} and the Heron City", "affirm select"), ("total?", "ask total"))
    assert "comes to 410" in bikes(monkeypatch, *turns)[1]


@pytest.mark.parametrize(
    ("words", "model"),
    [
        ("Put {about:the cargo bike from 2020} aside", "Heron Cargo (2020)"),
        ("Put {about:the Kestrel} from 2021 aside", "Kestrel Tour (2021)"),
        ("Put {about:the Osprey in Zwolle} aside", "Osprey Trail (2021)"),
        ("Put {about:the tandem} aside", "Bella"),
    ],
)
def test_an_item_is_described_by_parts_of_its_name_and_what_it_holds(monkeypatch, words, model):
    session, reply, _ = bikes(monkeypatch, (words, "note"))
    assert [item.row["model"] for item in session.shortlist] == [model]
    assert "no such item" not in reply


def test_two_that_are_described_are_compared(monkeypatch):
    turn = ("Kestrel from 2021 v {about:bella}, what is the difference?", "ask compare")
    _, reply, _ = bikes(monkeypatch, turn)
    assert "Kestrel Tour (2021)" in reply
    assert "Bella" in reply
    assert OFFERED not in reply


def test_which_of_several_is_asked(monkeypatch):
    _, reply, basket = bikes(
        monkeypatch,
        ("I take {take:the Kestrel}", "affirm select"),
        shown=(("{wish:at most 5 gears}", "inform"),),
    )
    assert basket == []
    assert reply.startswith("Which do you mean:")
    assert "Kestrel Tour (2018)" in reply
    assert "Kestrel Tour (2021)" in reply


def test_there_is_none_where_no_name_has_the_words(monkeypatch):
    _, reply, _ = bikes(monkeypatch, ("I take {take:the Pelican}", "affirm select"))
    assert "Taken" not in reply


def test_a_kind_is_no_item(monkeypatch):
    turn = ("Which of your {ask:mountain bikes} have {ask:front lamps}?", "ask compare")
    _, reply, _ = bikes(monkeypatch, ("{wish:at most 900}", "inform"), turn)
    assert "Osprey Trail (2021)" in reply
    assert "no such item" not in reply


def test_the_cheapest_of_a_kind_comes_first(monkeypatch):
    turn = ("Which {ask:mountain bikes} have you got,", "ask items, ask value",
            "and which is {ask:the cheapest}?", "ask best")  # fmt: skip
    _, reply, _ = bikes(monkeypatch, ("{wish:at most 900}", "inform"), turn)
    assert 0 < reply.find("Osprey Trail (2014)") < reply.find("Osprey Trail (2021)")
    assert "Finch" not in reply


def test_what_was_named_before_is_meant_by_that_one(monkeypatch):
    turn = ("I go back to the Osprey model in Zwolle.", "", "Put me down for {take:that one}.",
            "affirm select")  # fmt: skip
    assert bikes(monkeypatch, turn)[2] == ["Osprey Trail (2021)"]


def test_who_wants_no_such_value_refuses_no_item(monkeypatch):
    one = ("{wish:at most 200}", "inform")
    session, reply, _ = bikes(monkeypatch, one, ("not in {pass:Delft}", "negate"))
    assert session.passed == frozenset()
    assert OFFERED in reply or session.offered.row["model"] == OFFERED


def test_what_is_to_be_like_an_item_is_not_that_item(monkeypatch):
    assert bikes(monkeypatch, ("I'd love something like {wish:Bella}", "inform"))[2] == []


def test_one_of_many_others_is_not_all_of_them(monkeypatch):
    words = "I'll have {take:Bella and the other one}"
    assert bikes(monkeypatch, (words, "affirm select"))[2] == ["Bella"]


def test_an_items_own_name_takes_it_and_is_no_wish(monkeypatch):
    turn = ("I'd like {wish:Bella}.", "inform", "where {ask:is the town} of it?", "ask value")
    session, reply, basket = bikes(monkeypatch, turn)
    assert basket == ["Bella"]
    assert "town Gouda" in reply
    assert {wish.column for wish in session.preferences.known} == {"price_eur"}


def test_an_item_named_in_part_is_offered_and_no_wish(monkeypatch):
    turn = ("no, I meant {wish:the Heron Cargo}", "correct, negate")
    session, reply, basket = bikes(monkeypatch, turn)
    assert basket == []
    assert session.offered.row["model"] == "Heron Cargo (2020)"
    assert "Heron Cargo (2020)" in reply
    assert {wish.column for wish in session.preferences.known} == {"price_eur"}


@pytest.mark.parametrize("words", ["{about:both}", "{about:those two}", "{about:the two}"])
def test_those_that_the_last_reply_named_are_meant_by_both(monkeypatch, words):
    turns = (
        ("how do {about:Bella} and {about:the Finch} compare?", "ask compare"),
        (f"what are {words} together?", "ask total"),
    )
    assert "comes to 550" in bikes(monkeypatch, *turns)[1]


def test_the_others_are_those_not_named_beside_them(monkeypatch):
    turn = ("compare {about:the Heron City and the other three}", "ask compare")
    _, reply, _ = bikes(monkeypatch, turn)
    assert all(name in reply for name in ("Heron City", "Finch", "Osprey", "Kestrel"))


def test_whom_somebody_does_not_take_is_not_compared(monkeypatch):
    turn = ("{pass:the Finch} won't do.", "negate",
            "{about:Bella and the Heron City}, how do they compare?", "ask compare")  # fmt: skip
    _, reply, _ = bikes(monkeypatch, turn)
    assert "Bella" in reply
    assert "Finch" not in reply


WORK = Catalog.open(
    pa.table(
        {
            "post": ["Ranger", "Diver", "Potter"],
            "hourly wage (€)": [15.0, 22.0, 13.0],
            "hours per week": [20, 8, 30],
            "travel (km)": [4, 9, 12],
        }
    )
)
LESSONS = Catalog.open(
    pa.table(
        {
            "course": ["Weaving", "Archery", "Baking"],
            "evenings": [8, 5, 4],
            "fee (€)": [120, 100, 90],
            "hall hire per hour (€)": [12, 15, 18],
        }
    )
)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("what would I earn in {ask:a week} as {about:a diver}?",
         "8 × Diver hourly wage €22 comes to €176"),
        ("what do I get for {ask:a fortnight} as {about:the ranger}?", "comes to €600"),
        ("what do I get for 3 hours as {about:the ranger}?", "3 × Ranger €15 comes to €45"),
    ],
)  # fmt: skip
def test_a_wage_is_paid_for_the_hours_that_are_told(monkeypatch, words, told):
    asked = (words, "ask total")
    _, replies = said(monkeypatch, WORK, ("{wish:at most 10 km}", "inform"), asked)
    assert told in replies[-1]


def test_both_who_pay_count_twice(monkeypatch):
    asked = ("and what is {about:Archery} for {ask:both children together}?", "ask total")
    _, replies = said(monkeypatch, LESSONS, ("a fee of {wish:at most 110}", "inform"), asked)
    assert "2 × Archery" in replies[-1]
    assert "€200" in replies[-1]


def test_no_hours_of_a_week_are_made_up(monkeypatch):
    asked = ("what is {ask:the hall hire} of {about:Weaving} for a week?", "ask total")
    _, replies = said(monkeypatch, LESSONS, ("{wish:at most 110}", "inform"), asked)
    assert "168" not in replies[-1]


@pytest.mark.parametrize("act", ["ask total", "ask value"])
def test_a_price_for_each_of_what_a_column_counts_is_divided(monkeypatch, act):
    asked = ("what is {ask:the fee per evening} of {about:Weaving}?", act)
    _, replies = said(monkeypatch, LESSONS, ("{wish:at most 110}", "inform"), asked)
    assert "€120 divided by evenings 8 comes to €15" in replies[-1]


def test_what_is_listed_is_told_by_its_price_for_each(monkeypatch):
    turns = (("a fee of {wish:at most 110}", "inform"),
             ("list them with {ask:the fee per evening} of each", "ask items"))  # fmt: skip
    _, replies = said(monkeypatch, LESSONS, *turns)
    assert "Archery: fee €100 divided by evenings 5 comes to €20" in replies[-1]
    assert "Baking: fee €90 divided by evenings 4 comes to €22.50" in replies[-1]


def test_for_so_many_of_them_counts_people_and_names_no_items(monkeypatch):
    asked = ("what is {about:the Finch} for {about:the three of them}?", "ask total")
    _, reply, _ = bikes(monkeypatch, asked)
    assert "3 × " in reply
    assert "150 EUR comes to 450 EUR" in reply


def test_a_rate_is_of_each_item_that_is_compared(monkeypatch):
    asked = ("which is less per gear, {about:the Finch} or {about:the Heron City}?", "ask compare")
    _, reply, _ = bikes(monkeypatch, asked)
    assert "comes to 0" not in reply
    for rate in ("150 EUR divided by gears 3", "260 EUR divided by gears 7"):
        assert rate in reply


def test_when_something_is_asks_for_no_sum(monkeypatch):
    _, reply, _ = bikes(monkeypatch, ("when is {about:the Finch} from?", "ask total"))
    assert "comes to" not in reply


def test_of_several_that_were_not_told_of_none_is_taken(monkeypatch):
    shown = (("{wish:at most 200} please", "inform"), ("what is {ask:there}?", "ask items"))
    turn = ("now {take:the touring bike}, at most 24 gears", "affirm select")
    session, reply, basket = bikes(monkeypatch, turn, shown=shown)
    assert basket == []
    assert "Which" in reply
    assert session.accepted is None
