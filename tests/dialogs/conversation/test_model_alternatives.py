"""One of several columns will do, what is spoken of stays, how many are taken, rates and times."""

from __future__ import annotations

from datetime import date

import pytest

from concede import Catalog, Constraint
from concede.dialogs.language.either import alternatives, either_of, without
from concede.dialogs.language.packs import packs_wished
from concede.dialogs.language.sums import concerns, topic_of
from model_turns import CHEAP, DESK, NORTH, RENT, SIZE, does, known, talk, wish

pa = pytest.importorskip("pyarrow")

TRIPS = Catalog.open(
    pa.table(
        {
            "trip": ["Castle Wald", "Zoo Berg", "Island See", "Mine Alt", "Baths Tal"],
            "theme": ["culture", "family", "nature", "culture", "wellness"],
            "transport": ["coach", "train", "boat", "coach", "boat"],
            "departure": ["09:45", "10:15", "08:00", "11:30", "09:00"],
            "duration (hours)": [7.0, 5.5, 9.0, 4.0, 6.0],
            "adult price (EUR)": [46, 43, 60, 39, 75],
            "child price (EUR)": [23, 10, 30, 35, 75],
            "date": [date(2031, 8, day) for day in range(16, 21)],
            "days": [["Mon", "Tue"], ["Tue"], ["Wed", "Fri"], ["Tue", "Sat"], ["Sun"]],
        }
    )
)
ADULT, CHILD, LASTS = "adult price (EUR)", "child price (EUR)", "duration (hours)"
CULTURE, BOAT = wish("theme", "==", "culture", "culture"), wish("transport", "==", "boat", "boat")
EITHER = {"constraints": [CULTURE | {"either": [BOAT]}], **does("show")}


def names(session):
    return [item.row["trip"] for item in session.proposal.answer.items]


def test_one_of_two_columns_is_enough():
    session, replies, _ = talk(
        ("culture, or something by boat", EITHER),
        ("which of them are in culture only?", does("count", where=[CULTURE])),
        ("no boat, just culture", {"constraints": [CULTURE | {"quote": "just culture"}]}),
        catalog=TRIPS,
    )
    assert replies[0].startswith("Noted: theme culture or transport boat. What fits: 1. ")
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


def test_rates_are_worked_out_and_compared():
    hourly = [{"column": ADULT, "per": LASTS}]
    _, replies, _ = talk(
        ("which is cheapest per hour?", does("best", total=hourly, direction="min")),
        ("and the castle?", does("tell", items=["Castle Wald"], total=hourly)),
        ("how many for 100?", does("tell", items=["Zoo Berg"],
                                   total=[{"times": 100, "per": ADULT}])),
        ("per cow?", does("tell", items=["Zoo Berg"], total=[{"column": ADULT, "per": "cow"}])),
        catalog=TRIPS,
    )  # fmt: skip
    assert "The lowest adult price per duration, 6.57 EUR: Castle Wald" in replies[0]
    assert "adult price 46 EUR divided by duration 7 hours comes to 6.57 EUR" in replies[1]
    assert "100 divided by adult price 43 EUR comes to 2.33" in replies[2]
    assert "cannot add all of that up" in replies[3]


def test_nothing_is_divided_by_nothing():
    lengths = Catalog.open(pa.table({"roll": ["A", "B"], "metres": [0, 5], "price": [4, 5]}))
    per = does("best", total=[{"column": "price", "per": "metres"}], direction="min")
    _, replies, _ = talk(("cheapest per metre?", per), catalog=lengths)
    assert "The lowest price per metres, 1: B" in replies[0]


def test_when_something_is_over_is_told():
    over = [{"column": "departure"}, {"column": LASTS}]
    _, replies, _ = talk(
        ("when are we back?", does("tell", items=["Castle Wald"], total=over)), catalog=TRIPS
    )
    assert replies[0].startswith(
        "Castle Wald (culture): departure 09:45 plus duration 7 hours comes to 16:45."
    )


def test_cheaper_for_all_of_us_is_a_sum():
    four = [{"column": ADULT, "times": 2}, {"column": CHILD, "times": 2}]
    _, replies, _ = talk(
        ("the castle?", does("tell", items=["Castle Wald"])),
        ("cheaper for the four of us?", does("differ", total=four, direction="min")),
        catalog=TRIPS,
    )
    assert "2 × adult price plus 2 × child price, 106 EUR: Zoo Berg" in replies[1]


def test_of_equals_the_cheapest_is_offered():
    lamps = {"lamp": ["Ada", "Bob", "Cid"], "watts": [5, 5, 9], "price": [30, 20, 10]}
    least = {"objectives": [{"column": "watts", "direction": "min", "quote": "least watts"}]}
    _, replies, _ = talk(("least watts", least), catalog=Catalog.open(pa.table(lamps)))
    assert "Bob" in replies[0]


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


def test_what_comes_after_what_was_passed_over_is_said_to():
    refuse = {"constraints": [wish(RENT, "<=", 800, "800")], **does("refuse", items=[1])}
    _, replies, _ = talk(CHEAP, ("not the cellar, up to 800", refuse))
    assert "the next after what you passed over: Ash Loft" in replies[1]


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
    assert "besides what you passed over: 2. Ash Loft" in replies[1]
    assert "Dale Cellar" not in replies[1]
    assert replies[1].count("Ash Loft") == 1


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
    assert session.wording.wish(either) == "theme culture, transport boat or theme wellness"


def test_more_than_a_condition_can_hold_is_no_choice():
    tags = [f"tag {number}" for number in range(200)]
    catalog = Catalog.open(pa.table({"thing": ["A"], "tags": [tags], "price": [1]}))
    many = wish("tags", "contains any", tags[:150], "some")
    many["either"] = [wish("price", "<", 9, "some")]
    _, replies, _ = talk(("some", {"constraints": [many]}), catalog=catalog)
    assert replies[0]


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


@pytest.mark.parametrize(
    ("total", "told"),
    [
        ([{"column": "departure"}, {"column": LASTS}],
         "09:45 plus duration 7 hours comes to 16:45"),
        ([{"column": "departure"}, {"column": LASTS, "times": 3}], "comes to 06:45 the next day"),
        ([{"column": "departure"}, {"column": LASTS, "times": -1}],
         "09:45 minus duration 7 hours comes to 02:45"),
        ([{"column": "departure", "times": 2}, {"column": LASTS}], "cannot add all of that up"),
        ([{"column": "departure"}, {"times": 2}], "cannot add all of that up"),
        ([{"column": "departure"}, {"column": LASTS, "per": ADULT}], "cannot add all of that up"),
        ([{"column": ADULT, "times": -2}, {"column": CHILD}],
         "minus 2 × adult price 46 EUR plus child price 23 EUR comes to -69 EUR"),
    ],
)  # fmt: skip
def test_sums_are_told_as_they_are_made(total, told):
    asked = does("tell", items=["Castle Wald"], total=total)
    _, replies, _ = talk(("what of the castle?", asked), catalog=TRIPS)
    assert told in replies[0]


def test_what_is_over_first_is_found():
    over = [{"column": "departure"}, {"column": LASTS}]
    _, replies, _ = talk(("back first?", does("best", total=over, direction="min")), catalog=TRIPS)
    assert "The lowest departure plus duration, 15:00: Baths Tal" in replies[0]


def test_small_rates_are_told_apart():
    table = {"paper": ["A", "B", "C"], "price": [4, 3, 1], "sheets": [1000, 1000, 1000]}
    per = [{"column": "price", "per": "sheets"}]
    _, replies, _ = talk(
        ("cheapest per sheet?", does("best", total=per)),
        ("and A?", does("tell", items=["A"], total=per)),
        catalog=Catalog.open(pa.table(table)),
    )
    assert "The lowest price per sheets, 0.001: C" in replies[0]
    assert "comes to 0.004" in replies[1]


def test_nothing_is_cheaper_than_the_cheapest():
    four = [{"column": ADULT, "times": 2}, {"column": CHILD, "times": 2}]
    _, replies, _ = talk(
        ("the zoo?", does("tell", items=["Zoo Berg"])),
        ("cheaper for the four of us?", does("differ", items=["Zoo Berg"], total=four)),
        catalog=TRIPS,
    )
    assert "Nothing that fits has less than 2 × adult price plus 2 × child price 106" in replies[1]


def test_who_says_yes_again_keeps_how_many():
    session, replies, _ = talk(
        CHEAP,
        ("three of the first", does("take", items=[1], number=3)),
        ("yes", does("take", items=[1])),
        ("no, none", does("cancel")),
    )
    assert replies[2].startswith("Taken: 3 × Dale Cellar")
    assert session.numbers == {}


def test_entries_named_twice_rule_out_no_more():
    lists = [["x", "x", "x"], ["x"], ["x"]]
    catalog = Catalog.open(pa.table({"thing": ["A", "B", "C"], "has": lists, "price": [1, 2, 3]}))
    session, _, _ = talk(("hello", does("greet")), catalog=catalog)
    stakes = session._agent.stakes([], ["has", "price"])
    assert stakes["has"] == 0
    assert 0 <= stakes["price"] <= 1


PAINTS = Catalog.open(
    pa.table(
        {
            "paint": ["Silk", "Matt", "Cover"],
            "price per pack (£)": [48.95, 46.95, 40.95],
            "covers (m2)": [31.0, 40.0, 25.0],
            "weeks": [2, 6, 1],
            "from": [date(2031, 3, 18), date(2031, 4, 1), date(2031, 5, 30)],
            "kind": ["paint", "paint", "primer"],
        }
    )
)
PACK, COVERS = "price per pack (£)", "covers (m2)"


def test_packs_are_counted_whole():
    walls = [{"times": 62, "per": COVERS, "whole": True, "column": PACK}]
    packs = [{"times": 62, "per": COVERS, "whole": True}]
    _, replies, _ = talk(
        ("cheapest for 62 square metres?", does("best", total=walls, direction="min")),
        ("and Silk?", does("tell", items=["Silk"], total=walls)),
        ("how many of Cover?", does("tell", items=["Cover"], total=packs)),
        catalog=PAINTS,
    )
    assert "93.90: Matt" in replies[0]
    assert (
        "2 (62 divided by covers 31 m2, rounded up) × price per pack £48.95 comes to £97.90"
        in (replies[1])
    )
    assert "3 (62 divided by covers 25 m2, rounded up) comes to 3" in replies[2]


def test_when_a_course_of_weeks_ends_is_told():
    ends = [{"column": "from"}, {"column": "weeks"}]
    _, replies, _ = talk(
        ("when does Matt end?", does("tell", items=["Matt"], total=ends)),
        ("which ends first?", does("best", total=ends, direction="min")),
        catalog=PAINTS,
    )
    assert "from 2031-04-01 plus weeks 6 comes to 2031-05-13 (Tuesday)" in replies[0]
    assert "and the last week begins 2031-05-06 (Tuesday)" in replies[0]
    assert "2031-04-01 (Tuesday): Silk" in replies[1]


def test_the_least_of_two_columns_are_two_answers():
    ways = [
        {"act": "compare", "items": [1, 2, 4], "columns": [name], "direction": "min"}
        for name in (SIZE, RENT)
    ]
    _, replies, _ = talk(CHEAP, ("which is smallest, which cheapest?", {"moves": ways}))
    assert "The lowest size: Dale Cellar" in replies[1]
    assert "The lowest rent: Dale Cellar" in replies[1]


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


PIANOS = Catalog.open(
    pa.table(
        {
            "piano": ["Ada", "Bea", "Cid", "Dot"],
            "condition": ["good", "like new", "very good", "fair"],
            "maker": ["Acme", "Acme", "Bolt", "Bolt"],
            "price": [10, 40, 30, 20],
        }
    )
)


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


def test_packs_for_an_area_may_cost_so_much_and_have_to_be_there():
    tiles = Catalog.open(
        pa.table(
            {
                "tile": ["Ash", "Oak", "Elm", "Fir"],
                "price per pack (£)": [36.95, 29.95, 20.0, 36.0],
                "covers (m2)": [2.4, 2.0, 0.0, 2.3],
                "packs": [8, 40, 99, 7],
            }
        )
    )
    area = [{"times": 18, "per": COVERS, "whole": True}]
    cost = wish(PACK, "<=", 300, "300 at most", total=area)
    enough = wish("packs", ">=", None, "enough of it", total=area)
    session, replies, _ = talk(
        ("for 18 square metres, 300 at most", {"constraints": [cost]}),
        ("enough of it", {"constraints": [enough]}),
        ("280 at most", {"constraints": [cost | {"value": 280, "quote": "280"}]}),
        ("the price does not matter", does("drop", columns=[PACK])),
        catalog=tiles,
    )
    assert replies[0].startswith("Noted: price per pack for 18 m2 at most £300. 3 fit")
    assert "packs for 18 m2 enough. 2 fit" in replies[1]
    assert "Price per pack for 18 m2: at most £280 now, no longer at most £300" in replies[2]
    assert "Oak" in replies[2]
    assert [packs_wished(part).number for part in session.preferences.known] == [None]
    for bad in ({"op": "contains"}, {"value": "x"}, {"total": [area[0] | {"per": "colour"}]}):
        session, _, _ = talk(("300 at most", {"constraints": [cost | bad]}), catalog=tiles)
        assert known(session) == []


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


def test_packs_are_told_as_they_are_counted():
    tiles = {"tile": ["Ash"], "covers (m2)": [1.4], "price (EUR)": [30]}
    area = [{"times": 4.2, "per": "covers (m2)", "whole": True}]
    cost = wish("price (EUR)", "<=", 90, "90", total=area)
    told = does("tell", items=["Ash"], total=[area[0] | {"column": "price (EUR)"}])
    _, replies, _ = talk(
        ("4.2 square metres for 90", {"constraints": [cost]}),
        ("what is it?", told),
        catalog=Catalog.open(pa.table(tiles)),
    )
    assert "One fits" in replies[0]
    assert "3 (4.2 divided by covers 1.4 m2, rounded up)" in replies[1]
    assert "comes to 90 EUR" in replies[1]


def test_nothing_matters_after_the_best_was_shown():
    moves = does("best", columns=["condition"], direction="max")
    _, replies, _ = talk(
        ("the best?", moves), ("the price is all the same", does("any", columns=["price"])),
        catalog=PIANOS,
    )  # fmt: skip
    assert "could not do that" not in replies[1]


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


def test_what_is_taken_has_not_the_least_any_more():
    twice = [{"column": RENT, "times": 2}]
    _, replies, _ = talk(
        CHEAP, ("the first", does("take", items=[1])), ("cheapest two?", does("best", total=twice))
    )
    assert "The lowest 2 × rent, 1,000 EUR: Ash Loft" in replies[2]


def test_another_take_forgets_how_many_there_were():
    session, _, _ = talk(CHEAP, ("three of the first", does("take", items=[1], number=3)))
    session.accept(1)
    session.accept(0)
    assert session.taken_numbers == [1]


@pytest.mark.parametrize(
    ("total", "told"),
    [
        (
            [{"column": "departure"}, {"column": LASTS, "times": -2}],
            "comes to 19:45 the day before",
        ),
        ([{"column": "date"}, {"column": LASTS, "times": 1e6}], "comes to 2830-03-06 16:00"),
        ([{"times": -100, "per": ADULT, "whole": True}], "minus 3 (100 divided by"),
    ],
)
def test_odd_sums_are_told_right(total, told):
    asked = does("tell", items=["Castle Wald"], total=total)
    _, replies, _ = talk(("what of the castle?", asked), catalog=TRIPS)
    assert told in replies[0]
