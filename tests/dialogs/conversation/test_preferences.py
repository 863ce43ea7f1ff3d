"""Later wishes replace earlier ones about the same column; what is hard stays hard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Constraint
from concede.catalogs.errors import BadConstraint
from concede.dialogs.conversation.preferences import Preferences


def wish(column: str, op: str, value: object, **more: object) -> Constraint:
    return Constraint(column=column, op=op, value=value, **more)


def test_a_later_wish_replaces_an_earlier_one_in_its_place():
    preferences = Preferences()
    preferences.add([wish("rent", "<=", 900), wish("rooms", ">=", 3), wish("rent", "<=", 800)])
    assert [(constraint.column, constraint.value) for constraint in preferences.soft] == [
        ("rent", 800),
        ("rooms", 3),
    ]


def test_bounds_from_both_sides_stand_side_by_side():
    preferences = Preferences()
    preferences.add([wish("rent", "<=", 900), wish("rent", ">=", 300), wish("rent", "<", 850)])
    assert [(constraint.op, constraint.value) for constraint in preferences.soft] == [
        (">=", 300),
        ("<", 850),
    ] or [(constraint.op, constraint.value) for constraint in preferences.soft] == [
        ("<", 850),
        (">=", 300),
    ]
    preferences.add([wish("rent", "between", [400, 500])])
    assert [constraint.op for constraint in preferences.soft] == ["between"]


@pytest.mark.parametrize(
    ("known", "new", "left"),
    [
        (("day", "<=", "2025-05-12"), ("day", ">=", "2025-05-12"), [">="]),
        (("day", "<=", "2025-05-12"), ("day", ">", "2025-06-01"), [">"]),
        (("rent", ">=", 900), ("rent", "<", 700), ["<"]),
        (("rent", "<=", 900), ("rent", ">=", 300), ["<=", ">="]),
        (("day", ">=", "2025-05-12"), ("day", "<=", "2025-06-01"), [">=", "<="]),
    ],
)
def test_a_bound_that_leaves_nothing_of_an_earlier_one_takes_its_place(known, new, left):
    preferences = Preferences()
    preferences.add([wish(*known)])
    preferences.add([wish(*new)])
    assert [constraint.op for constraint in preferences.soft] == left


def test_bounds_told_at_once_may_meet():
    preferences = Preferences()
    preferences.add([wish("rooms", ">=", 4), wish("rooms", "<=", 4)])
    assert [constraint.op for constraint in preferences.soft] == [">=", "<="]


def test_a_vaguer_word_takes_nothing_back():
    preferences = Preferences(base=[wish("style", "==", "crew cab")])
    preferences.add([wish("style", "in", ["crew cab", "regular cab"])])
    assert [constraint.value for constraint in preferences.base] == ["crew cab"]
    preferences.add([wish("style", "in", ["sedan", "coupe"])])
    assert [constraint.value for constraint in preferences.base] == [("sedan", "coupe")]


def test_a_bare_number_said_again_leaves_its_bound_as_it_is():
    preferences = Preferences()
    preferences.add([wish("rooms", ">=", 4), wish("rent", "<=", 900)])
    preferences.add([wish("rooms", "==", 4), wish("rent", "==", 900)])
    assert [constraint.op for constraint in preferences.soft] == [">=", "<="]
    preferences.add([wish("rooms", "==", 5)])
    preferences.add([wish("rent", "==", 900)], instead=True)
    assert [(part.op, part.value) for part in preferences.soft] == [("==", 5), ("==", 900)]


def test_what_is_looked_for_can_change():
    preferences = Preferences(base=[wish("city", "==", "Ulm")])
    preferences.add([wish("city", "==", "Bonn"), wish("rent", "<=", 900)])
    assert [constraint.value for constraint in preferences.base] == ["Bonn"]
    assert [constraint.column for constraint in preferences.known] == ["city", "rent"]


def test_hard_wishes_stay_hard_and_may_be_waived():
    preferences = Preferences()
    preferences.add([wish("rent", "<=", 900), wish("rooms", ">=", 3)])
    preferences.harden([0])
    preferences.add([wish("rent", "<=", 950)])
    assert [(constraint.value, constraint.hard) for constraint in preferences.soft] == [
        (950, True),
        (3, False),
    ]
    preferences.waive("rent")
    assert [constraint.column for constraint in preferences.soft] == ["rooms"]


def test_weights_are_checked():
    preferences = Preferences()
    preferences.add([wish("rent", "<=", 900), wish("rooms", ">=", 3)])
    preferences.weigh([0.4, None])
    assert [constraint.weight for constraint in preferences.soft] == [0.4, None]
    with pytest.raises(BadConstraint, match="weight"):
        preferences.weigh([1.5, None])
    with pytest.raises(ValueError, match="zip"):
        preferences.weigh([0.5])


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["==", "<=", ">="]), st.integers(0, 9)),
        max_size=12,
    )
)
def test_the_last_word_on_each_side_of_a_column_holds(said):
    preferences = Preferences()
    preferences.add(wish(*fields) for fields in said)
    for column in "abc":
        bounds = {
            constraint.op: constraint.value
            for constraint in preferences.soft
            if constraint.column == column
        }
        expected: dict[str, int] = {}
        for name, op, value in said:
            if name == column and not (op == "==" and value in expected.values()):
                keep = {"<=": [">="], ">=": ["<="], "==": []}[op]
                expected = {o: v for o, v in expected.items() if o in keep} | {op: value}
        assert bounds == expected


def test_what_words_made_hard_may_give_way_where_it_matters_little():
    preferences = Preferences(
        soft=[
            wish("porch", "==", True, hard=True, weight=0.1),
            wish("season", "==", "4 season", hard=True, weight=0.9),
        ]
    )
    preferences.soften()
    assert [constraint.hard for constraint in preferences.soft] == [False, True]


def test_what_was_refused_stays_hard_whatever_it_weighs():
    preferences = Preferences(soft=[wish("porch", "==", True, weight=0.1)])
    preferences.harden([0])
    preferences.soften()
    assert preferences.soft[0].hard


@pytest.mark.parametrize(
    ("known", "also", "left"),
    [
        (("<=", 900), ("<=", 950), [("<=", 950)]),
        (("<=", 1000), (">=", 900), [("<=", 1000)]),
        ((">", "18:00"), ("==", "18:00"), [(">=", "18:00")]),
        ((">=", 20), ("<=", 16), [(">=", 16)]),
        (("between", (5, 8)), ("==", 9), [("between", (5, 9))]),
        (("==", "oak"), ("==", "ash"), [("in", ("oak", "ash"))]),
        (("in", ("oak", "ash")), ("==", "ash"), [("in", ("oak", "ash"))]),
        (("not in", ("oak", "ash")), ("==", "ash"), [("!=", "oak")]),
        (("!=", "ash"), ("==", "ash"), []),
        (("contains any", ("Mon", "Tue")), ("contains", "Wed"),
         [("contains any", ("Mon", "Tue", "Wed"))]),
        (("==", True), ("==", False), [("==", False)]),
    ],
)  # fmt: skip
def test_what_will_do_as_well_widens_what_is_wished(
    known: tuple[str, object], also: tuple[str, object], left: list[tuple[str, object]]
):
    preferences = Preferences()
    preferences.add([wish("x", *known), wish("y", "<=", 3)])
    preferences.add([wish("x", *also)], also=True)
    assert [(part.op, part.value) for part in preferences.soft if part.column == "x"] == left
