"""Wishes that one of several columns meets, that would only be nice, and what is said of them."""

from __future__ import annotations

from datetime import date

import pytest

from concede import Catalog, Constraint
from concede.dialogs.language.either import alternatives, either_of, without
from concede.dialogs.language.sums import concerns, topic_of
from model_turns import (
    ADULT,
    BOAT,
    CULTURE,
    DESK,
    EITHER,
    NORTH,
    PIANOS,
    RENT,
    SIZE,
    TRIPS,
    does,
    known,
    talk,
    wish,
)

pa = pytest.importorskip("pyarrow")


def names(session):
    return [item.row["trip"] for item in session.proposal.answer.items]


def test_one_of_two_columns_is_enough():
    session, replies, _ = talk(
        ("culture, or something by boat", EITHER),
        ("which of them are in culture only?", does("count", where=[CULTURE])),
        ("no boat, just culture", {"constraints": [CULTURE | {"quote": "just culture"}]}),
        catalog=TRIPS,
    )
    assert replies[0].startswith("Noted: either theme culture or transport boat. What fits: 1. ")
    assert all(name in replies[0] for name in ("Castle Wald", "Island See", "Baths Tal"))
    assert "Zoo Berg" not in replies[0]
    assert "2 with " in replies[1]
    assert replies[2].startswith("Noted: theme culture. 2 fit")
    assert names(session) == ["Mine Alt", "Castle Wald"]


@pytest.mark.parametrize(
    ("other", "left"),
    [
        (BOAT | {"value": "rocket"}, [("theme", "==", "culture")]),
        (BOAT | {"column": "colour"}, [("theme", "==", "culture")]),
        (BOAT | {"op": "about"}, [("theme", "==", "culture")]),
    ],
)
def test_what_the_catalog_has_not_is_no_alternative(other, left):
    read = {"constraints": [CULTURE | {"either": [other]}], **does("show")}
    session, _, _ = talk(("culture or boat", read), catalog=TRIPS)
    assert known(session) == left


def test_a_wish_for_either_is_known_again():
    ways = [
        Constraint(column="theme", op="==", value="a') OR ('b"),
        Constraint(column=ADULT, op="<=", value=40),
        Constraint(column="days", op="contains", value="Sun"),
        Constraint(column="date", op=">=", value="2031-08-20"),
    ]
    both = either_of(ways[1:], TRIPS, weight=0.4)
    assert both.weight == 0.4
    assert [(way.column, way.op) for way in alternatives(both)] == [
        (way.column, way.op) for way in ways[1:]
    ]
    assert TRIPS.count([TRIPS.bind(both)]) == 2
    assert topic_of(both) == "either adult price (EUR) or date or days"
    assert concerns(both, ["date"])
    assert not concerns(both, ["theme"])
    # One that would not be known again is none, nor is one way, however often.
    for few in (ways[:2], ways[1:2], [ways[1], ways[1]]):
        with pytest.raises(ValueError, match="no choice"):
            either_of(few, TRIPS)
    several = ways[2].changed("contains any", ("Mon", "Sun"))
    assert alternatives(either_of([several, ways[1]], TRIPS)) == (
        ways[2].changed("contains", "Mon"),
        ways[2],
        ways[1],
    )
    left = without(both, lambda way: way.value == "Sun", TRIPS)
    assert left == either_of([ways[1], ways[3]], TRIPS, weight=0.4)
    assert without(both, lambda way: False, TRIPS) == both
    assert without(both, lambda way: True, TRIPS) is None


def test_who_cannot_on_one_day_may_on_the_others():
    no = {"constraints": [wish("days", "!=", "Tue", "not tuesdays")], **does("show")}
    other = ["Mon", "Wed", "Fri", "Sat", "Sun"]
    others = wish("days", "contains any", other, "any other day is fine")
    session, replies, _ = talk(
        ("not tuesdays", no),
        ("any other day is fine", {"constraints": [others]}),
        catalog=TRIPS,
    )
    assert known(session) == [("days", "contains any", tuple(other))]
    assert "4 fit" in replies[1]
    some = {"constraints": [others | {"value": ["Mon", "Sun"]}]}
    session, _, _ = talk(("not tuesdays", no), ("any other day is fine", some), catalog=TRIPS)
    assert ("days", "!=", "Tue") in known(session)


def test_cheaper_after_a_wish_is_dropped_looks_anew():
    cheapest = [{"column": RENT, "direction": "min", "quote": "cheap"}]
    drop = {"act": "drop", "columns": ["extras"]}
    _, replies, _ = talk(
        ("a desk, cheap", {"constraints": [DESK], "objectives": cheapest}),
        ("without the desk, cheaper?",
         {"moves": [drop, {"act": "differ", "columns": [RENT], "direction": "min"}]}),
    )  # fmt: skip
    assert "Dale Cellar" in replies[1]
    assert "Ash Loft" not in replies[1]


def test_a_vague_complaint_of_what_is_offered_is_bounded_by_it():
    dear = [{"column": RENT, "direction": "min", "quote": "a bit dear"}]
    _, replies, _ = talk(
        ("a desk, the biggest", {
            "constraints": [DESK],
            "objectives": [{"column": SIZE, "direction": "max", "quote": "biggest"}]}),
        ("a bit dear", {"leanings": dear}),
    )  # fmt: skip
    assert "Elm House" in replies[0]
    assert "I take it that you mean rent under 900 EUR" in replies[1]


def test_what_would_only_be_nice_and_costs_much_is_said_to():
    nice = wish("balcony", "==", True, "a balcony would be nice", weight=0.2)
    least = [{"column": RENT, "direction": "min", "quote": "cheap as can be"}]
    said = "cheap as can be, a balcony would be nice"
    _, replies, _ = talk((said, {"constraints": [nice], "objectives": least}))
    assert "Birch Attic (North), balcony, rent 620 EUR" in replies[0]
    assert "Without balcony: Dale Cellar (South), rent 450 EUR" in replies[0]
    must = {"constraints": [nice | {"weight": 0.9}], "objectives": least}
    _, replies, _ = talk((said, must))
    assert "Without" not in replies[0]


def test_what_is_looked_for_gives_way_first_where_that_is_said():
    session, replies, _ = talk(
        ("north", {"constraints": [NORTH | {"weight": 0.9}]}),
        ("the district matters less", does("may_go", columns=["district"])),
    )
    assert session.preferences.base == []
    assert "What gives way first: district North." in replies[1]


def test_what_is_given_up_that_would_only_be_nice_is_no_failure():
    nice = wish("extras", "contains", "desk", "a desk would be nice", weight=0.2)
    south = wish("district", "==", "South", "south", weight=0.9)
    _, replies, _ = talk(
        ("south, a desk would be nice", {"constraints": [south, nice], **does("show")})
    )
    assert "there are these" in replies[0] or "fit all but extras with desk" in replies[0]
    _, replies, _ = talk(("south, a desk would be nice", {"constraints": [south, nice]}))
    assert "2 fit all but extras with desk; the first: Dale Cellar" in replies[0]
    assert "Nothing fits" not in replies[0]


def test_many_days_are_told_by_the_days_of_the_week():
    days = [date(2031, 8, 1).replace(day=day) for day in range(1, 31)]
    table = {"walk": [f"Walk {day.day}" for day in days], "date": days}
    ends = [day.isoformat() for day in days if day.weekday() > 4]
    read = {"constraints": [wish("date", "in", ends, "at the weekend")]}
    _, replies, _ = talk(("at the weekend", read), catalog=Catalog.open(pa.table(table)))
    assert "date a Saturday or Sunday between 2031-08-02 and 2031-08-30" in replies[0]


def test_entries_of_a_list_are_told_together():
    both = [wish("extras", "contains", name, f"a {name}") for name in ("bath", "desk")]
    _, replies, _ = talk(
        ("a bath, a desk", {"constraints": both}),
        ("has 1 both?", does("tell", items=[1], where=both)),
    )
    assert replies[0].startswith("Noted: extras with bath and desk. 2 fit")
    assert "Ash Loft (North): bath: yes; desk: yes; extras bath, desk." in replies[1]


@pytest.mark.parametrize("other", [wish("transport", "!=", "coach", "coach"),
                                   wish("theme", "!=", "wellness", "wellness")])  # fmt: skip
def test_what_is_ruled_out_leaves_the_choice(other):
    session, _, _ = talk(
        ("culture, or something by boat", EITHER),
        (f"no {other['quote']} though", {"constraints": [other]}),
        catalog=TRIPS,
    )
    assert len(known(session)) == 2
    assert any(alternatives(part) for part in session.preferences.known)


@pytest.mark.parametrize("values", [["boat"], []])
def test_a_part_of_a_choice_is_dropped(values):
    session, replies, _ = talk(
        ("culture, or something by boat", EITHER),
        ("forget the boat", does("drop", columns=["transport"], values=values)),
        catalog=TRIPS,
    )
    assert known(session) == [("theme", "==", "culture")]
    assert replies[1].startswith("Noted: theme culture. 2 fit")
    session, _, _ = talk(("culture or by boat", EITHER), ("forget it", does("drop")), catalog=TRIPS)
    assert known(session) == []


def test_another_column_may_do_as_well():
    also = BOAT | {"quote": "a boat would do too", "also": True}
    also["either"] = [wish("theme", "==", "wellness", "a boat would do too")]
    session, _, _ = talk(
        ("culture", {"constraints": [CULTURE], **does("show")}),
        ("a boat would do too, or wellness", {"constraints": [also]}),
        catalog=TRIPS,
    )
    (either,) = session.preferences.known
    assert session.wording.wish(either) == "either theme culture, transport boat or theme wellness"


def test_more_than_a_condition_can_hold_is_no_choice():
    tags = [f"tag {number}" for number in range(200)]
    catalog = Catalog.open(pa.table({"thing": ["A"], "tags": [tags], "price": [1]}))
    many = wish("tags", "contains any", tags[:150], "some")
    many["either"] = [wish("price", "<", 9, "some")]
    _, replies, _ = talk(("some", {"constraints": [many]}), catalog=catalog)
    assert replies[0]


def test_a_vague_wish_beside_another_is_not_about_what_is_offered():
    low = [{"column": RENT, "direction": "min", "quote": "not too dear"}]
    biggest = [{"column": SIZE, "direction": "max", "quote": "the biggest"}]
    west = wish("district", "==", "West", "west")
    _, replies, _ = talk(
        ("north, the biggest", {"constraints": [NORTH], "objectives": biggest}),
        ("west instead, not too dear", {"constraints": [west], "leanings": low}),
    )
    assert "Birch Attic" in replies[0]
    assert "under 620" not in replies[1]


def test_entries_named_twice_rule_out_no_more():
    lists = [["x", "x", "x"], ["x"], ["x"]]
    catalog = Catalog.open(pa.table({"thing": ["A", "B", "C"], "has": lists, "price": [1, 2, 3]}))
    session, _, _ = talk(("hello", does("greet")), catalog=catalog)
    stakes = session._agent.stakes([], ["has", "price"])
    assert stakes["has"] == 0
    assert 0 <= stakes["price"] <= 1


def test_cheaper_may_do_without_what_would_only_be_nice():
    nice = wish("balcony", "==", True, "a balcony would be nice", weight=0.2)
    cheaper = does("differ", columns=[RENT], direction="min")
    _, replies, _ = talk(
        ("a balcony would be nice", {"constraints": [nice], **does("show")}),
        ("anything cheaper?", cheaper),
    )
    assert "Birch Attic" in replies[0]
    assert "Dale Cellar" in replies[1]
    assert "fits all but balcony" in replies[1] or "fit all but balcony" in replies[1]


def test_what_is_asked_of_all_is_answered_of_all():
    acme = wish("maker", "==", "Acme", "Acme")
    session, replies, _ = talk(
        ("an Acme under 20", {"constraints": [acme, wish("price", "<", 20, "under 20")]}),
        ("how many Acmes in all?", does("count", where=[acme], all=True)),
        ("the dearest of all?", does("best", columns=["price"], direction="max", all=True)),
        ("what makers are there in all?", does("values", columns=["maker"], all=True)),
        catalog=PIANOS,
    )
    assert replies[1].startswith("2 with maker Acme, of 4 in all.")
    assert "The highest price: Bea" in replies[2]
    assert "Maker: Acme (2), Bolt (2)." in replies[3]
    assert len(session.preferences.known) == 2


def test_what_is_as_good_stands_beside_what_is_ruled_out():
    jazz = wish("district", "==", "West", "the west as well", also=True)
    no = wish("district", "!=", "South", "not the south", hard=True)
    session, replies, _ = talk(
        ("north", {"constraints": [NORTH]}),
        ("the west as well, not the south", {"constraints": [jazz, no]}),
    )
    assert ("district", "in", ("North", "West")) in known(session)
    assert not any(part.hard and part.op == "in" for part in session.preferences.known)
    assert "stays" not in replies[1]


def test_what_must_be_must_be_as_one_of_both():
    also = wish("district", "==", "West", "the west too", also=True)
    also["either"] = [wish(RENT, "<=", 700, "the west too")]
    session, replies, _ = talk(
        ("what is there up to 500?", {
            "constraints": [wish(RENT, "<=", 500, "up to 500", hard=True)], **does("show")}),
        ("the west too, or 700", {"constraints": [also]}),
    )  # fmt: skip
    (either,) = session.preferences.known
    assert either.hard or either in session.preferences.base
    assert "open again" not in replies[1]


def test_some_days_of_the_week_are_told_one_by_one():
    days = [date(2031, 6, day) for day in range(1, 31)]
    table = {"walk": [f"Walk {day.day}" for day in days], "date": days}
    some = [day.isoformat() for day in days if day.weekday() == 5] + ["2031-06-30", "2031-06-10"]
    odd = {"constraints": [wish("date", "in", [*some, "2031-06-01"], "then")]}
    _, replies, _ = talk(("then", odd), catalog=Catalog.open(pa.table(table)))
    assert "Saturday" not in replies[0]


def test_all_there_is_is_asked_only_where_that_can_be():
    west = wish("district", "==", "West", "west")
    cheaper = does("differ", columns=[RENT], direction="min", all=True)
    session, _, _ = talk(("west", {"constraints": [west], **does("show")}), ("cheaper?", cheaper))
    assert any(part.column == "district" for part in session.preferences.known)
    _, replies, _ = talk(("west", {"constraints": [west]}), ("so?", does("summary", all=True)))
    assert "district West" in replies[1]


def test_entries_of_one_list_are_told_together_where_any_is_enough():
    days = wish("days", "contains any", ["Tue", "Wed", "Sat"], "midweek")
    read = {"constraints": [CULTURE | {"either": [days]}]}
    session, replies, _ = talk(("culture, or midweek", read), catalog=TRIPS)
    assert replies[0].startswith("Noted: either theme culture or days with Tue, Wed or Sat.")
    more = {"constraints": [wish("days", "!=", "Fri", "not on a Friday")]}
    session, replies, _ = talk(
        ("culture, or midweek", read), ("not on a Friday", more), catalog=TRIPS
    )
    assert "open again" not in replies[1]
    assert len(session.preferences.known) == 2
