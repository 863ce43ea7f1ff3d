"""Sums with rates, whole packs, times of day and days, where a chat model reads the turns."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs.language.packs import packs_wished
from model_turns import (
    ADULT,
    CHEAP,
    CHILD,
    COVERS,
    LASTS,
    PACK,
    PAINTS,
    RENT,
    SIZE,
    TRIPS,
    does,
    known,
    talk,
    wish,
)

pa = pytest.importorskip("pyarrow")


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


def test_what_is_taken_has_not_the_least_any_more():
    twice = [{"column": RENT, "times": 2}]
    _, replies, _ = talk(
        CHEAP, ("the first", does("take", items=[1])), ("cheapest two?", does("best", total=twice))
    )
    assert "The lowest 2 × rent, 1,000 EUR: Ash Loft" in replies[2]


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


def test_what_is_compared_by_its_own_sum_is_added_up_apart():
    lunch = {"times": 20}
    own = [{"column": ADULT, "times": 2, "item": "Castle Wald"}, {"column": ADULT}, lunch]
    compare = does("compare", items=["Castle Wald", "Zoo Berg"], total=own)
    _, replies, _ = talk(("which is dearer in all?", compare), catalog=TRIPS)
    assert replies[0].startswith("Zoo Berg (family): adult price 43 EUR plus 20 comes to 63")
    assert "comes to 158 EUR" in replies[0]


def test_a_number_that_is_not_known_is_said_beside_sums_that_are():
    table = {"roll": ["A", "B"], "price": [4, 5], "fee": [None, 2]}
    total = [{"column": "price"}, {"column": "fee"}]
    compare = does("compare", items=["A", "B"], total=total)
    _, replies, _ = talk(("in all?", compare), catalog=Catalog.open(pa.table(table)))
    assert replies[0].startswith("B: price 5 plus fee 2 comes to 7. A: fee not given.")


def test_a_share_is_divided():
    half = [{"column": ADULT, "times": 1 / 2}, {"column": CHILD, "times": 0.0833333}]
    tell = does("tell", items=["Castle Wald"], total=half)
    _, replies, _ = talk(("each of us?", tell), catalog=TRIPS)
    assert "adult price 46 EUR divided by 2 plus child price 23 EUR divided by 12" in replies[0]


def test_the_least_sum_of_what_is_asked_for():
    pair = [{"column": ADULT, "times": 2}]
    read = does(
        "best", total=pair, direction="min", where=[wish("transport", "==", "boat", "boat")]
    )
    _, replies, _ = talk(("the cheapest boat for two?", read), catalog=TRIPS)
    assert replies[0].startswith("The lowest 2 × adult price, 120 EUR: Island See")


def test_ends_of_a_column_are_told_of_what_they_are_asked_of():
    moves = [
        {"act": "values", "columns": [ADULT], "where": [wish("theme", "==", kind, kind)]}
        for kind in ("culture", "nature")
    ]
    _, replies, _ = talk(("culture or nature, what do they cost?", {"moves": moves}), catalog=TRIPS)
    assert "With theme culture: Adult price: from 39 EUR to 46 EUR." in replies[0]
    assert "With theme nature: Adult price: 60 EUR." in replies[0]
