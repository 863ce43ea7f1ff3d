"""Sums, weights, aims and what is taken, where a chat model reads the turns."""

from __future__ import annotations

import pytest

from concede import Catalog
from model_turns import (
    CHEAP,
    DESK,
    FLATS,
    NORTH,
    RENT,
    SIZE,
    does,
    known,
    talk,
    wish,
)

pa = pytest.importorskip("pyarrow")


def test_who_takes_an_item_that_no_longer_fits_has_it():
    read = {"constraints": [wish("balcony", "==", True, "a balcony")], **does("take", items=[2])}
    session, replies, _ = talk(CHEAP, ("I love a balcony, but 2 it is", read))
    assert "Taken: Ash Loft" in replies[1]
    assert session.accepted is not None


def test_what_is_taken_is_given_back():
    taken = ("2, please", does("take", items=[2]))
    session, replies, _ = talk(CHEAP, taken, ("cancel that", does("cancel")))
    assert replies[2].startswith("No longer taken: Ash Loft (North).")
    assert session.accepted is None
    assert session.ended is None
    session, replies, _ = talk(CHEAP, taken, ("not the fourth", does("cancel", items=[4])))
    assert "Taken is only Ash Loft" in replies[2]
    assert session.accepted is not None


def test_a_sum_of_columns_is_one_wish():
    cold = 'rent "cold" (EUR)'
    sum_at_most = wish(cold, "<=", 720, "720 all in", total=[{"column": "utilities (EUR)"}])
    read = {"constraints": [sum_at_most], **does("show", columns=[cold], direction="max")}
    lower = {"constraints": [sum_at_most | {"value": 660, "quote": "660"}]}
    session, replies, _ = talk(("720 all in", read), ("no, 660", lower), catalog=FLATS)
    assert "1. Birch, rent cold 620 EUR, utilities 90 EUR; 2. Ash" in replies[0]
    assert "Rent cold plus utilities: at most 660 EUR now, no longer at most 720 EUR" in replies[1]
    assert [item.row["flat"] for item in session.proposal.answer.items] == ["Ash"]
    total = does(
        "tell",
        items=[2],
        total=[{"column": cold, "times": 2}, {"column": "utilities (EUR)", "times": 2}],
    )
    _, replies, _ = talk(("720 all in", read), ("what is 2 in all?", total), catalog=FLATS)
    assert replies[1].startswith(
        "Ash: 2 × rent cold 500 EUR plus 2 × utilities 150 EUR comes to 1,300 EUR."
    )
    for bad in (
        {"total": [{"column": "flat"}]},
        {"total": [{"column": "nowhere"}]},
        {"value": "x"},
        {"op": "contains"},
    ):
        session, _, _ = talk(("720 all in", {"constraints": [sum_at_most | bad]}), catalog=FLATS)
        assert known(session) == []


def test_looking_on_gives_nothing_back():
    taken = ("2, please", does("take", items=[2]))
    asks = ("which is the biggest?", does("best", columns=[SIZE], direction="max"))
    _, replies, _ = talk(CHEAP, taken, asks, ("cancel it", does("cancel")))
    assert "The highest size: Cedar Studio" in replies[2]
    assert "No longer taken: Ash Loft" in replies[3]


def test_sums_from_both_sides_stand_together_and_are_dropped():
    cold, more = 'rent "cold" (EUR)', {"total": [{"column": "utilities (EUR)", "times": 1}]}
    both = {"constraints": [wish(cold, "<=", 720, "720", **more),
                            wish(cold, ">=", 660, "660", **more)]} | does("show")  # fmt: skip
    gone = does("drop", columns=[cold, "utilities (EUR)"])
    session, replies, _ = talk(("660 to 720", both), ("never mind", gone), catalog=FLATS)
    assert replies[0].startswith("Noted: rent cold plus utilities at least 660 EUR and rent cold")
    assert known(session) == []


def test_only_what_is_asked_so_many_times_is_so_many_times():
    twice = {"moves": [{"act": "tell", "items": [1], "total": [{"column": RENT, "times": 3}]},
                       {"act": "tell", "items": [1], "columns": [SIZE]}]}  # fmt: skip
    _, replies, _ = talk(CHEAP, ("3 months of 1? how big?", twice))
    assert "3 × rent 450 EUR comes to 1,350 EUR. Dale Cellar (South): size 18 m2." in replies[1]


def test_what_must_not_be_still_must_not_where_anything_goes():
    read = {"constraints": [wish("district", "!=", "West", "not West")], **does("show")}
    session, replies, _ = talk(("not West", read), ("any", does("any", columns=["district"])))
    assert ("district", "!=", "West") in known(session)
    assert "District not West stays." in replies[1]


def test_a_sum_of_half_a_year_is_a_wish():
    cold, utilities = 'rent "cold" (EUR)', "utilities (EUR)"
    half = [{"column": cold, "times": 6}, {"column": utilities, "times": 6}]
    read = {"constraints": [wish(cold, "<=", 4000, "4000", total=half)], **does("show")}
    session, replies, _ = talk(("half a year for 4000", read), catalog=FLATS)
    assert "6 × rent cold plus 6 × utilities at most 4,000 EUR" in replies[0]
    assert [item.row["flat"] for item in session.proposal.answer.items] == ["Ash"]


def test_what_is_wished_low_breaks_ties_of_an_order():
    low = {"objectives": [{"column": RENT, "direction": "min", "quote": "cheapest"}]}
    balcony = does("show", columns=["balcony"], direction="max")
    session, _, _ = talk(("cheapest", low | does("show", columns=[SIZE], direction="max")),
                         ("by balcony", balcony))  # fmt: skip
    keys = [(key.column, key.descending) for key in session.proposal.sort]
    assert keys[-1] == (RENT, False)


def test_what_may_give_way_again_does():
    must = {"constraints": [wish(SIZE, ">=", 50, "must be 50", hard=True)]} | does("show")
    session, _, _ = talk(("must be 50", must), ("less will do", does("may_go", columns=[SIZE])))
    assert not any(part.hard for part in session.preferences.soft)


def test_what_is_taken_adds_up_and_is_given_back_by_name():
    both, drop = ("1 and 2", does("take", items=[1, 2])), does("cancel", items=["Dale Cellar"])
    session, replies, _ = talk(CHEAP, both, ("not the first after all", drop), ("bye", does("bye")))
    assert "No longer taken: Dale Cellar (South). Taken: Ash Loft (North)" in replies[2]
    assert replies[3].startswith("Goodbye. Taken: Ash Loft (North)")
    session.undo()
    session.undo()
    assert [item.row["room"] for item in session.basket] == ["Dale Cellar", "Ash Loft"]


def test_what_must_be_by_what_is_said_beside_taking_is_told_where_it_is_missed():
    two = {"constraints": [wish("balcony", "==", True, "smokers", hard=True)]}
    session, replies, _ = talk(CHEAP, ("we are smokers, 2", two | does("take", items=[2])))
    assert session.accepted["room"] == "Ash Loft"
    assert "Ash Loft (North) misses balcony" in replies[1]


DESKS = Catalog.open(
    pa.table(
        {
            "piece": ["desk", "desk", "desk", "desk", "desk", "chair"],
            "wood": ["oak", "oak", "beech", "pine", "ash", "oak"],
            "price": [103, 140, 77, 60, 80, 20],
        }
    )
)


def test_an_item_that_is_not_shown_any_more_is_found_by_all_of_its_name_and_what_is_wished():
    cheap = ("under 110", {"constraints": [wish("price", "<", 110, "under 110")]} | does("show"))
    beech = ("beech", {"constraints": [wish("wood", "==", "beech", "beech")]} | does("show"))
    more = ("or 150", {"constraints": [wish("price", "<", 150, "150")]})
    oak = ("the oak one", does("take", items=["desk (oak)"]))
    session, _, _ = talk(cheap, beech, oak, catalog=DESKS)
    assert session.accepted["price"] == 103
    session, replies, _ = talk(cheap, beech, more, oak, catalog=DESKS)
    assert session.accepted is None
    assert replies[3].startswith(
        "Which do you mean: desk (oak), price 103; or desk (oak), price 140?"
    )


def test_what_matters_more_to_the_person_gives_way_later():
    read = {"constraints": [wish(SIZE, ">=", 50, "50", weight=0.1),
                            wish(RENT, "<=", 700, "700", weight=0.9)]} | does("show")  # fmt: skip
    session, _, _ = talk(("50 for 700", read))
    assert [session.preferences.soft[at].column for at in session.proposal.relaxed] == [SIZE]
    turned = read["constraints"][0] | {"weight": 0.9}, read["constraints"][1] | {"weight": 0.1}
    session, _, _ = talk(("50 for 700", {"constraints": [*turned]} | does("show")))
    assert [session.preferences.soft[at].column for at in session.proposal.relaxed] == [RENT]


def test_the_first_vague_wish_is_an_aim_and_the_next_is_told_as_a_bound():
    cheap = {"column": RENT, "direction": "min", "quote": "cheap"}
    big = {"column": SIZE, "direction": "max", "quote": "big"}
    session, replies, _ = talk(("cheap and big", {"leanings": [cheap, big]} | does("show")))
    assert "rent as low as possible" in replies[0]
    assert "By “big” I take it that you mean size at least" in replies[0]
    exact = {"constraints": [wish(RENT, "between", [500, 700], "500 to 700")]}
    session, _, _ = talk(("cheap", {"leanings": [cheap]} | does("show")), ("500 to 700", exact))
    assert session.preferences.objectives == []


def test_all_that_is_taken_is_added_up():
    parts = [{"item": name, "column": RENT} for name in ("t1", "t2")]
    asks = ("all in all?", does("tell", total=parts))
    _, replies, _ = talk(CHEAP, ("1 and 2", does("take", items=[1, 2])), asks)
    assert replies[2].startswith("Dale Cellar (South) 450 EUR plus Ash Loft (North) 500 EUR comes")


def test_who_takes_one_and_turns_to_another_thing_is_shown_it():
    turns = does("take", items=[2]) | {"constraints": [wish("district", "==", "West", "west")]}
    north = ("north", {"constraints": [wish("district", "==", "North", "north")]} | does("show"))
    _, replies, _ = talk(north, ("2, and now one in the west", turns))
    assert "Taken: Birch Attic (North)" in replies[1]
    assert "One fits all of it: Elm House (West)" in replies[1]
    assert "misses" not in replies[1]
    turns["moves"].append({"act": "drop", "columns": [RENT]})
    session, replies, _ = talk(CHEAP, ("2, and now one in the west", turns))
    assert "Taken: Ash Loft (North)" in replies[1]
    assert "One fits all of it: Elm House (West)" in replies[1]
    assert [item.row["room"] for item in session.basket] == ["Ash Loft"]


def test_other_entries_of_a_list_do_not_become_musts():
    bath = {"constraints": [wish("extras", "contains", "bath", "bath")]} | does("show")
    desk = {"constraints": [wish("extras", "contains", "desk", "desk", hard=True)]}
    session, _, _ = talk(("bath", bath), ("must have a desk", desk))
    assert [(part.value, part.hard) for part in session.preferences.soft] == [
        ("bath", False),
        ("desk", True),
    ]


def test_what_is_asked_for_stands_beside_what_is_known_of_the_other_side():
    dear = does("show", where=[wish(RENT, ">=", 600, "600 or more")])
    session, _, _ = talk(CHEAP, ("which are 600 or more?", dear))
    rooms = {item.row["room"] for item in session.proposal.answer.items}
    assert rooms == {"Birch Attic", "Cedar Studio"}


def test_a_column_is_known_by_a_part_of_its_name():
    read = {"constraints": [wish("rent", "<=", 600, "600")]} | does("show", columns=["Size"])
    session, _, _ = talk(("600", read))
    assert known(session) == [(RENT, "<=", 600)]


def test_who_has_taken_something_is_asked_nothing_more():
    given_up = does("tell", items=["t1"], columns=[SIZE])
    given_up["moves"].append({"act": "drop"})
    session, replies, _ = talk(CHEAP, ("1", does("take", items=[1])), ("how big? rest", given_up))
    assert "size 18 m2" in replies[2]
    assert session.question is None


def test_a_condition_that_an_item_misses_is_asked_about_and_nothing_else_offered():
    read = does("take", items=[1], where=[DESK]) | {"constraints": [DESK]}
    _, replies, _ = talk(CHEAP, ("1 if it has a desk", read))
    assert replies[1].count("Shall it be that one") == 1


def test_what_is_left_out_of_several_leaves_the_others():
    several = wish("district", "in", ["North", "South"], "north or south")
    neither = wish("district", "not in", ["South", "West"], "not south or west")
    session, _, _ = talk(("north or south", {"constraints": [several]} | does("show")),
                         ("not south or west", {"constraints": [neither]}))  # fmt: skip
    assert known(session) == [("district", "==", "North")]


def test_what_is_asked_of_several_in_turn_is_told_once_each():
    asks = {"moves": [{"act": "tell", "items": items, "where": [DESK]} for items in ([2], [1, 2])]}
    _, replies, _ = talk(CHEAP, ("has 2 a desk? which has?", asks))
    assert replies[1].count("Ash Loft (North): yes") == 1
    assert "Dale Cellar (South): no desk" in replies[1]


def test_a_direction_of_several_columns_is_of_none_of_them():
    both = does("compare", items=[1, 2], columns=[RENT, SIZE], direction="min")
    _, replies, _ = talk(CHEAP, ("rent and size of both?", both))
    assert replies[1].startswith("1. Dale Cellar (South): rent 450 EUR, size 18 m2; 2. Ash")


def test_what_several_have_least_of_is_no_single_one_and_of_few_no_half_is_told():
    table = pa.table({"lamp": ["Sun", "Moon", "Star"], "price": [9, 9, 12]})
    least = does("best", columns=["price"], direction="min")
    asks = does("values", columns=["price"])
    with Catalog.open(table) as lamps:
        _, replies, _ = talk(("the cheapest?", least), ("from what?", asks), catalog=lamps)
    assert replies[0].startswith("One of several with the lowest price: Sun, price 9.")
    assert replies[1].startswith("Price: from 9 to 12.")


@pytest.mark.parametrize(
    ("said", "move", "reply"),
    [
        ("the long one", {"act": "tell", "items": ["9" * 400]}, "There is no such item."),
        ("1 if it has a helipad",
         {"act": "take", "items": [1], "where": [wish("extras", "contains", "helipad", "helipad")]},
         "So I have not taken it. Of “helipad” the catalog says nothing."),
        ("2 and 1 with a desk", {"act": "take", "items": [2, 1], "where": [DESK]},
         "Dale Cellar (South): no desk; extras oven. Shall it be that one all the same?"),
        ("1 and 9", {"act": "take", "items": [1, 9]}, "There is no such item."),
        ("how many up north with a helipad",
         {"act": "count", "where": [wish("district", "==", "North", "north"),
                                    wish("extras", "contains", "helipad", "helipad")]},
         "Of “helipad” the catalog says nothing."),
        ("rent and heating",
         {"act": "tell", "total": [{"column": RENT}, {"column": "heating"}], "limit": 1000},
         "I cannot add all of that up."),
        ("size and rent", {"act": "tell", "total": [{"column": SIZE}, {"column": RENT}]},
         "size 18 m2 plus rent 450 EUR comes to 468."),
        ("rent less 50", {"act": "tell", "total": [{"column": RENT}, {"times": -50}]},
         "rent 450 EUR minus 50 comes to 400 EUR."),
        ("dearest of 1 and 2 for 2",
         {"act": "best", "items": [1, 2], "total": [{"column": RENT, "times": 2}]},
         "Dale Cellar (South): 2 × rent 450 EUR comes to 900 EUR. Ash Loft"),
        ("cheapest twice with a key",
         {"act": "best", "total": [{"column": RENT, "times": 2}, {"times": 50}]},
         "The lowest 2 × rent plus 50, 950 EUR: Dale Cellar"),
        ("nothing given", {"act": "tell", "items": None, "where": None, "direction": None},
         "Dale Cellar (South): rent 450 EUR"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_neither_taken_nor_counted_nor_added(said, move, reply):
    session, replies, _ = talk(CHEAP, (said, {"moves": [move]}))
    assert reply in replies[1]
    assert len(session.basket) <= said.startswith("1 and 9")


def test_what_is_refused_or_cancelled_is_what_was_taken_before():
    one = ("1", does("take", items=[1]))
    north = {"constraints": [NORTH], **does("refuse", items=["t1"])}
    session, _, _ = talk(CHEAP, one, ("not that, north", north))
    assert session.basket == ()
    swap = {"moves": [{"act": "take", "items": [2]}, {"act": "cancel"}]}
    session, _, _ = talk(CHEAP, one, ("2 instead", swap))
    assert [item.row["room"] for item in session.basket] == ["Ash Loft"]


def test_sums_of_cents_are_what_they_are_told_to_be():
    table = pa.table({"lamp": ["Sun", "Moon"], "price": [1.1, 5.0], "post": [2.2, 1.0]})
    both = [{"column": "price"}, {"column": "post"}]
    read = {"constraints": [wish("price", "<=", 3.3, "3.30", total=both)]} | does("show")
    with Catalog.open(table) as lamps:
        session, _, _ = talk(("3.30 in all", read), catalog=lamps)
    assert [item.row["lamp"] for item in session.proposal.answer.items] == ["Sun"]


def test_many_different_entries_of_lists_are_told_as_values():
    tasks = [["cleaning", "cooking"], ["reading", "tutoring"], ["filing", "lifting"]]
    table = pa.table({"job": ["A", "B", "C"], "tasks": tasks})
    asks = does("values", columns=["tasks"])
    with Catalog.open(table) as jobs:
        _, replies, _ = talk(("what would I do there?", asks), catalog=jobs)
    assert replies[0].startswith("Tasks: cleaning (1), cooking (1), reading (1)")


def test_what_is_taken_is_kept_in_mind_no_more():
    kept = ("2 may do", does("note", items=[2]))
    session, _, _ = talk(CHEAP, kept, ("I take it", does("take", items=["k1"])))
    assert session.shortlist == ()
    assert [item.row["room"] for item in session.basket] == ["Ash Loft"]


def test_who_takes_one_and_looks_for_another_kind_is_offered_one():
    south = {"constraints": [NORTH], **does("show")}
    turned = {
        "constraints": [wish("district", "==", "West", "west")],
        "moves": [
            {"act": "take", "items": ["Cedar Studio"], "quote": "Cedar it is"},
            {"act": "drop", "columns": [RENT], "quote": "and one"},
        ],
    }
    session, replies, _ = talk(("north", south), ("Cedar it is, and one in the west", turned))
    assert "Taken: Cedar Studio" in replies[1]
    assert "Elm House" in replies[1]
    assert session.accepted is None


def test_what_is_shown_gives_up_nothing_said_just_now_where_it_need_not():
    first = {"constraints": [wish(SIZE, ">=", 10, "10")]}
    more = {"constraints": [wish("balcony", "==", True, "a balcony"), NORTH]}
    then = {"constraints": [wish(RENT, "<=", 500, "up to 500")], **does("show")}
    session, _, _ = talk(
        ("10", first), ("a balcony, north", more), ("up to 500, what is there?", then)
    )
    assert session.offered.row[RENT] <= 500
