"""Later wishes replace earlier ones about the same column; what is hard stays hard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Constraint
from concede.catalogs.errors import BadConstraint
from concede.dialogs.wishes import Wishes


def wish(column: str, op: str, value: object, **more: object) -> Constraint:
    return Constraint(column=column, op=op, value=value, **more)


def test_a_later_wish_replaces_an_earlier_one_in_its_place():
    wishes = Wishes()
    wishes.add([wish("rent", "<=", 900), wish("rooms", ">=", 3), wish("rent", "<=", 800)])
    assert [(one.column, one.value) for one in wishes.soft] == [("rent", 800), ("rooms", 3)]


def test_bounds_from_both_sides_stand_side_by_side():
    wishes = Wishes()
    wishes.add([wish("rent", "<=", 900), wish("rent", ">=", 300), wish("rent", "<", 850)])
    assert [(one.op, one.value) for one in wishes.soft] == [(">=", 300), ("<", 850)] or [
        (one.op, one.value) for one in wishes.soft
    ] == [("<", 850), (">=", 300)]
    wishes.add([wish("rent", "between", [400, 500])])
    assert [one.op for one in wishes.soft] == ["between"]


def test_a_vaguer_word_takes_nothing_back():
    wishes = Wishes(base=[wish("style", "==", "crew cab")])
    wishes.add([wish("style", "in", ["crew cab", "regular cab"])])
    assert [one.value for one in wishes.base] == ["crew cab"]
    wishes.add([wish("style", "in", ["sedan", "coupe"])])
    assert [one.value for one in wishes.base] == [("sedan", "coupe")]


def test_what_is_looked_for_can_change():
    wishes = Wishes(base=[wish("city", "==", "Ulm")])
    wishes.add([wish("city", "==", "Bonn"), wish("rent", "<=", 900)])
    assert [one.value for one in wishes.base] == ["Bonn"]
    assert [one.column for one in wishes.known] == ["city", "rent"]


def test_hard_wishes_stay_hard_and_may_be_waived():
    wishes = Wishes()
    wishes.add([wish("rent", "<=", 900), wish("rooms", ">=", 3)])
    wishes.harden([0])
    wishes.add([wish("rent", "<=", 950)])
    assert [(one.value, one.hard) for one in wishes.soft] == [(950, True), (3, False)]
    wishes.waive("rent")
    assert [one.column for one in wishes.soft] == ["rooms"]


def test_weights_are_checked():
    wishes = Wishes()
    wishes.add([wish("rent", "<=", 900), wish("rooms", ">=", 3)])
    wishes.weigh([0.4, None])
    assert [one.weight for one in wishes.soft] == [0.4, None]
    with pytest.raises(BadConstraint, match="weight"):
        wishes.weigh([1.5, None])
    with pytest.raises(ValueError, match="zip"):
        wishes.weigh([0.5])


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["==", "<=", ">="]), st.integers(0, 9)),
        max_size=12,
    )
)
def test_the_last_word_on_each_side_of_a_column_holds(said):
    wishes = Wishes()
    wishes.add(wish(*one) for one in said)
    for column in "abc":
        held = {one.op: one.value for one in wishes.soft if one.column == column}
        expected: dict[str, int] = {}
        for name, op, value in said:
            if name == column:
                keep = {"<=": [">="], ">=": ["<="], "==": []}[op]
                expected = {o: v for o, v in expected.items() if o in keep} | {op: value}
        assert held == expected
