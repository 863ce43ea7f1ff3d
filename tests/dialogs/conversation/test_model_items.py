"""Items that are taken, kept in mind, passed over, named and told of, where a model reads."""

from __future__ import annotations

import pytest

from concede import Catalog
from model_turns import CHEAP, LASTS, NORTH, PAINTS, PIANOS, RENT, SIZE, TRIPS, does, talk, wish

pa = pytest.importorskip("pyarrow")


def test_what_is_asked_about_stays_offered_while_it_meets_what_is_said():
    later = wish("departure", ">", "08:00", "after eight")
    asks = {"act": "tell", "items": ["Castle Wald"], "columns": [LASTS]}
    session, replies, _ = talk(
        ("not wellness", {"constraints": [wish("theme", "!=", "wellness", "wellness")],
                          **does("show")}),
        ("after eight. how long is the castle?", {"constraints": [later], "moves": [asks]}),
        ("ok", does("take")),
        catalog=TRIPS, top=2,
    )  # fmt: skip
    assert "Castle Wald" not in replies[0]
    assert replies[1] == ("Noted: departure after 08:00. Castle Wald (culture): duration 7 hours.")
    assert session.accepted["trip"] == "Castle Wald"


def test_what_would_only_be_nice_does_not_take_away_what_is_spoken_of():
    nice = wish("balcony", "==", True, "a balcony would be nice", weight=0.2)
    read = {"constraints": [nice], "moves": [{"act": "tell", "items": [2], "columns": [SIZE]}]}
    said = "a balcony would be nice, how big is 2?"
    _, replies, _ = talk(CHEAP, (said, read))
    assert replies[1] == (
        "Noted: balcony, if possible. Ash Loft (North): size 20 m2. "
        "Ash Loft (North) misses balcony. Shall it be that one all the same?"
    )
    must = {"constraints": [nice | {"weight": 0.8}], "moves": read["moves"]}
    _, replies, _ = talk(CHEAP, (said, must))
    assert "Birch Attic" in replies[1]


def test_a_refusal_that_says_again_what_is_wished_goes_back_to_it():
    instead = does("show", where=[wish("district", "==", "South", "south")])
    restated = {"constraints": [NORTH], "moves": [{"act": "refuse", "items": [1]}]}
    _, replies, _ = talk(
        ("north", {"constraints": [NORTH], **does("show")}),
        ("anything south?", instead),
        ("no, north", restated),
    )
    assert "Cedar Studio" in replies[1]
    assert "Ash Loft (North)" in replies[2]
    assert "(South)" not in replies[2]


def test_what_has_least_is_told_before_what_else_is_asked():
    moves = [{"act": "tell", "columns": ["viewing"]}, {"act": "best", "columns": [RENT]}]
    _, replies, _ = talk(("viewing of the cheapest?", {"moves": moves}))
    assert replies[0] == (
        "The lowest rent: Dale Cellar (South), rent 450 EUR, size 18 m2. "
        "Dale Cellar (South): viewing 12:00. Shall it be that one?"
    )


@pytest.mark.parametrize(
    ("row", "told"),
    [(0, "yes, extras bath, desk"), (1, "no bath; extras desk"), (2, "no bath listed")],
)
def test_a_list_that_is_not_given_lists_nothing(row, told):
    rooms = {"room": ["Ash", "Birch", "Cedar"], "extras": [["bath", "desk"], ["desk"], None]}
    catalog = Catalog.open(pa.table(rooms | {"rent": [1, 2, 3]}))
    bath = wish("extras", "contains", "bath", "a bath")
    asked = does("tell", items=[rooms["room"][row]], where=[bath])
    _, replies, _ = talk(("has it a bath?", asked), catalog=catalog)
    assert told in replies[0]


def test_an_entry_that_is_asked_for_is_told_of_the_only_one():
    moves = does("show", where=[wish("days", "contains", "Sun", "sundays")])
    _, replies, _ = talk(("which on sundays?", moves), catalog=TRIPS)
    assert "Baths Tal" in replies[0]
    assert "days Sun" in replies[0]


def test_a_day_is_told_with_that_of_its_week():
    _, replies, _ = talk(("when is it?", does("tell", items=["Zoo Berg"], columns=["date"])),
                         catalog=TRIPS)  # fmt: skip
    assert "date 2031-08-17 (Sunday)" in replies[0]


def test_so_many_are_taken_and_that_is_kept():
    session, replies, prompts = talk(
        CHEAP,
        ("three of the first", does("take", items=[1], number=3)),
        ("and one of 2", does("take", items=[2])),
        ("only two of the first", does("take", items=["t1"], number=2)),
        ("undo", does("undo")),
    )
    assert replies[1].startswith("Taken: 3 × Dale Cellar (South)")
    assert "t1 (3 of it): room: Dale Cellar" in prompts[2]
    assert replies[2].startswith("Taken: Ash Loft")
    assert replies[3].startswith("Taken: 2 × Dale Cellar")
    assert session.taken_numbers == [3, 1]
    assert [row["room"] for row in session.taken_rows] == ["Dale Cellar", "Ash Loft"]


def test_of_equals_the_cheapest_is_offered():
    lamps = {"lamp": ["Ada", "Bob", "Cid"], "watts": [5, 5, 9], "price": [30, 20, 10]}
    least = {"objectives": [{"column": "watts", "direction": "min", "quote": "least watts"}]}
    _, replies, _ = talk(("least watts", least), catalog=Catalog.open(pa.table(lamps)))
    assert "Bob" in replies[0]


def test_what_has_a_code_is_called_by_make_and_model():
    table = {
        "item no": ["R10", "R11", "R12"],
        "type": ["phone", "phone", "laptop"],
        "brand": ["Acme", "Bolt", "Acme"],
        "model": ["One", "Two", "Acme Book"],
        "price": [10, 330, 30],
    }
    catalog = Catalog.open(pa.table(table))
    _, replies, _ = talk(
        ("what is there?", does("show")),
        ("Bolt Two?", does("tell", items=["Bolt Two"])),
        ("and Acme One (R10)?", does("tell", items=["Acme One (R10)"])),
        ("the 330 one?", does("tell", items=["the 330 one"], columns=["type"])),
        ("R12?", does("tell", items=["R12"], columns=["price"])),
        catalog=catalog,
    )
    assert "Acme One (R10)" in replies[0]
    assert "Bolt Two (R11)" in replies[1]
    assert "Acme One (R10)" in replies[2]
    assert replies[3].startswith("Bolt Two (R11): type phone")
    assert replies[4].startswith("Acme Book (R12): price 30")


def test_a_name_of_several_means_the_one_that_fits():
    table = {"teacher": ["Ann Lee", "Ann Oko", "Bob Rao"], "level": ["new", "old", "new"]}
    catalog = Catalog.open(pa.table(table | {"fee": [10, 12, 14]}))
    new = {
        "constraints": [wish("level", "==", "new", "a beginner")],
        **does("tell", items=["Ann"], columns=["fee"]),
    }
    _, replies, _ = talk(("a beginner, what does Ann cost?", new), catalog=catalog)
    assert "Ann Lee (new): fee 10" in replies[0]
    assert "Ann Oko" not in replies[0]


def test_what_comes_after_what_was_passed_over_is_said_to():
    refuse = {"constraints": [wish(RENT, "<=", 800, "800")], **does("refuse", items=[1])}
    _, replies, _ = talk(CHEAP, ("not the cellar, up to 800", refuse))
    assert "the next after what you passed over: Ash Loft" in replies[1]


def test_those_that_have_as_much_are_named_together():
    table = {"boat": ["Ada", "Bea", "Cid"], "minutes": [90, 90, 60], "price": [5, 6, 7]}
    catalog = Catalog.open(pa.table(table))
    longest = does("compare", items=["Ada", "Bea", "Cid"], columns=["minutes"], direction="max")
    aims = {"objectives": [{"column": "minutes", "direction": "max", "quote": "long"}]}
    _, replies, _ = talk(
        ("which is longest?", longest), ("long", aims), catalog=catalog, max_questions=0
    )
    assert "The highest minutes: Ada and Bea." in replies[0]
    assert "one of those with the highest minutes: Ada" in replies[1]


def test_what_was_passed_over_is_listed_no_more():
    others = {"moves": [{"act": "refuse", "items": [1]}, {"act": "more"}, {"act": "show"}]}
    _, replies, _ = talk(CHEAP, ("not the cellar, what else?", others))
    assert "besides what you passed over: 1. Ash Loft" in replies[1]
    assert "Dale Cellar" not in replies[1]
    assert replies[1].count("Ash Loft") == 1


def test_who_took_one_is_offered_the_others():
    _, replies, _ = talk(
        CHEAP,
        ("the cellar", does("take", items=[1])),
        ("and another under 600?", {"constraints": [wish(RENT, "<", 600, "under 600")]}),
        ("under 480?", {"constraints": [wish(RENT, "<", 480, "under 480")]}),
    )  # fmt: skip
    assert "the next: Ash Loft" in replies[2]
    assert "What fits is what you have taken: Dale Cellar" in replies[3]


def test_a_condition_of_a_take_is_told():
    big = does("take", items=[2], where=[wish(SIZE, ">=", 20, "20 square metres")])
    _, replies, _ = talk(CHEAP, ("2, if it has 20 square metres", big))
    assert replies[1].startswith("Taken: Ash Loft (North), size 20 m2")


def test_who_looks_on_beyond_what_is_shown_is_told():
    cheap = [{"column": RENT, "direction": "min", "quote": "cheap"}]
    view = {"act": "beyond", "items": ["Elm House"], "quote": "the view"}
    _, replies, _ = talk(
        ("cheap", {"objectives": cheap}),
        ("cheap; Elm House, has it the view?", {"objectives": cheap, "moves": [view]}),
        top=1,
    )
    assert "Of “the view” the catalog says nothing." in replies[1]
    assert "Elm House" in replies[1]


def test_what_is_refused_is_not_the_cheapest():
    twice = [{"column": RENT, "times": 2}]
    moves = [{"act": "refuse", "items": [1]}, {"act": "best", "total": twice}]
    _, replies, _ = talk(CHEAP, ("not the cellar. what is cheapest then?", {"moves": moves}))
    assert "The lowest 2 × rent, 1,000 EUR: Ash Loft" in replies[1]
    assert "Dale Cellar" not in replies[1]


def test_who_takes_the_biggest_has_it():
    moves = [{"act": "best", "columns": [SIZE], "direction": "max"}, {"act": "take"}]
    session, replies, _ = talk(CHEAP, ("the biggest, I take it", {"moves": moves}))
    assert session.accepted["room"] == "Cedar Studio"
    assert "Shall it be" not in replies[1]
    moves = [{"act": "take", "items": [2]}, {"act": "best", "columns": [RENT]}, {"act": "bye"}]
    _, replies, _ = talk(CHEAP, ("2. which is cheapest? bye", {"moves": moves}))
    assert "Shall it be" not in replies[1]


def test_a_number_in_a_name_is_no_number_of_another():
    table = {"lamp": ["Nova Spot", "Rex 7", "Bob", "Cid"], "watts": [60, 7, 5, 40]}
    catalog = Catalog.open(pa.table(table | {"price": [1, 2, 3, 4]}))
    _, replies, _ = talk(
        ("what is there?", does("show")),
        ("the Atlas 60", does("take", items=["Atlas 60"])),
        ("the 60 one", does("tell", items=["the 60 one"], columns=["price"])),
        catalog=catalog,
    )
    assert "Taken" not in replies[1]
    assert "Nova Spot: price 1" in replies[2]


def test_who_says_yes_again_keeps_how_many():
    session, replies, _ = talk(
        CHEAP,
        ("three of the first", does("take", items=[1], number=3)),
        ("yes", does("take", items=[1])),
        ("no, none", does("cancel")),
    )
    assert replies[2].startswith("Taken: 3 × Dale Cellar")
    assert session.numbers == {}


def test_who_takes_one_may_see_another():
    moves = [{"act": "take", "items": [1]}, {"act": "more"}]
    _, replies, _ = talk(CHEAP, ("the cellar. and a backup?", {"moves": moves}))
    assert replies[1].startswith("Taken: Dale Cellar")
    assert "The next one: Ash Loft" in replies[1]


def test_what_is_taken_is_told_without_what_is_wished():
    _, replies, _ = talk(
        CHEAP,
        ("the cellar, thanks", {"moves": [{"act": "take", "items": [1]}, {"act": "thanks"}]}),
        ("what have I taken?", does("summary", items=["t1"])),
    )
    assert replies[1].startswith("You are welcome. Taken: Dale Cellar")
    assert replies[2] == "Taken: Dale Cellar (South), rent 450 EUR, size 18 m2."


def test_who_takes_one_and_turns_to_another_thing_is_shown_it():
    kind = wish("kind", "==", "primer", "a primer")
    moves = [{"act": "take", "items": ["Silk"]}]
    _, replies, _ = talk(
        ("a paint", {"constraints": [wish("kind", "==", "paint", "a paint")], **does("show")}),
        ("Silk. now a primer", {"constraints": [kind], "moves": moves}),
        catalog=PAINTS,
    )
    assert "Taken: Silk" in replies[1]
    assert "Cover" in replies[1]


def test_what_is_no_item_is_not_said_beside_an_answer():
    moves = [{"act": "tell", "items": ["Oak Hut"]}, {"act": "best", "columns": [RENT]}]
    _, replies, _ = talk(("Oak Hut? and the cheapest?", {"moves": moves}))
    assert "no such item" not in replies[0]
    _, replies, _ = talk(("Oak Hut?", does("tell", items=["Oak Hut"])))
    assert "There is no such item." in replies[0]


def test_which_is_in_the_best_condition_is_known_by_their_order():
    three = does("compare", items=["Ada", "Cid", "Dot"], columns=["condition"], direction="max")
    _, replies, _ = talk(
        ("which of the three is in the best condition?", three),
        ("and of all?", does("best", columns=["condition"], direction="max")),
        ("under 35, the best condition?", {
            "constraints": [wish("price", "<", 35, "under 35")],
            **does("best", columns=["condition"], direction="max")}),
        catalog=PIANOS,
    )  # fmt: skip
    assert replies[0].startswith("The best condition: Cid (very good).")
    assert "The best condition: Bea (like new)" in replies[1]
    assert "The best condition: Cid (very good), price 30" in replies[2]


def test_what_is_kept_in_mind_is_told_and_found_again():
    session, replies, prompts = talk(
        CHEAP,
        ("put 2 on a shortlist, I have to ask her first", does("note", items=[2])),
        ("and the fourth, and Elm House", does("note", items=[4, "Elm House"])),
        ("has the first of them a balcony?", does("tell", items=["k1"],
            where=[wish("balcony", "==", True, "a balcony")])),
        ("not the last", does("cancel", items=["k3"])),
        ("then that", does("take", items=["k2"])),
        ("undo", does("undo")),
        ("begin anew", does("restart")),
    )  # fmt: skip
    assert replies[1] == "Kept in mind: Ash Loft (North), rent 500 EUR, size 20 m2."
    assert "Cedar Studio" in replies[2]
    assert "Elm House" in replies[2]
    assert "- Kept in mind, k1: room: Ash Loft" in prompts[3]
    assert "Ash Loft (North): no balcony." in replies[3]
    assert replies[4] == "No longer kept in mind: Elm House (West)."
    assert replies[5].startswith("Taken: Cedar Studio")
    assert session.shortlist == ()
    assert replies[6].startswith("The last step is taken back.")


def test_what_is_ruled_out_by_name_is_not_offered_after_all():
    other = wish("room", "!=", "Ash Loft", "besides the Ash Loft", weight=0.4)
    _, replies, _ = talk(
        ("north, at most 550", {"constraints": [NORTH, wish(RENT, "<=", 550, "at most 550")]}),
        ("what else, besides the Ash Loft?", {"constraints": [other], **does("note", items=[1])}),
    )
    assert "Kept in mind: Ash Loft" in replies[1]
    assert "there is: Ash Loft" not in replies[1]


def test_that_there_are_fewer_than_are_taken_is_said():
    table = {"plant": ["Ajuga", "Hosta"], "in stock": [3, 0], "price": [7, 16]}
    session, replies, _ = talk(
        ("five Ajugas", does("take", items=["Ajuga"], number=5)),
        ("and two Hostas", does("take", items=["Hosta"], number=2)),
        ("three Ajugas then", does("take", items=["Ajuga"], number=3)),
        catalog=Catalog.open(pa.table(table)),
    )
    assert "Taken: 5 × Ajuga" in replies[0]
    assert "But only 3 are there (in stock 3)." in replies[0]
    assert "But none is there (in stock 0)." in replies[1]
    assert "But" not in replies[2]
    assert session.taken_numbers == [2, 3]


def test_a_list_of_words_from_bad_to_good_has_no_best():
    table = {"room": ["Ash", "Birch", "Cedar", "Dot"], "price": [1, 2, 3, 4],
             "conditions": [["good", "new"], ["fair"], ["new"], []]}  # fmt: skip
    catalog = Catalog.open(pa.table(table))
    three = does("compare", items=["Ash", "Birch"], columns=["conditions"], direction="max")
    for move in (three, does("best", columns=["conditions"], direction="max"),
                 does("differ", columns=["conditions"], direction="max")):  # fmt: skip
        _, replies, _ = talk(("which is best?", move), catalog=catalog)
        assert "could not do that" not in replies[0]


def test_nothing_matters_after_the_best_was_shown():
    moves = does("best", columns=["condition"], direction="max")
    _, replies, _ = talk(
        ("the best?", moves), ("the price is all the same", does("any", columns=["price"])),
        catalog=PIANOS,
    )  # fmt: skip
    assert "could not do that" not in replies[1]


def test_what_is_kept_is_not_the_next_one():
    _, replies, _ = talk(
        CHEAP,
        ("keep the first two in mind", does("note", items=[1, 2])),
        ("another?", does("more")),
        ("keep the barn", does("note", items=["the barn"])),
        ("what is kept?", does("summary", items=["k1"])),
        ("not the first", {"moves": [{"act": "refuse", "items": [1]}]}),
        ("what is kept?", does("summary", items=["k1"])),
    )
    assert "The next one: Birch Attic" in replies[2]
    assert "There is no such item." in replies[3]
    assert replies[4].startswith("Kept in mind: Dale Cellar")
    assert replies[6].startswith("Kept in mind: Ash Loft")


def test_another_take_forgets_how_many_there_were():
    session, _, _ = talk(CHEAP, ("three of the first", does("take", items=[1], number=3)))
    session.accept(1)
    session.accept(0)
    assert session.taken_numbers == [1]
