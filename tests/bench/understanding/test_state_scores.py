"""Figures of states and acts against sums made by hand and by a slow twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.fuzz import token_sort_ratio

from concede.bench.understanding.state_scores import StateTally, column_scores, matched

STATES = st.dictionaries(
    st.sampled_from(("city", "day", "seats")),
    st.lists(st.sampled_from(("Oakland", "oakland", "March 3rd", "2", "two")), min_size=1),
)


def twin(read, true, closed):
    """The product of the columns' scores, column by column, spelling by spelling."""
    product = 1.0
    for column in ("city", "day", "seats"):
        if column not in read and column not in true:
            continue
        best = 0.0
        for value in read.get(column, []):
            for spelling in true.get(column, []):
                if column in closed:
                    score = float(value.lower() == spelling.lower())
                else:
                    score = token_sort_ratio(value.lower(), spelling.lower()) / 100
                best = max(best, score)
        product *= best
    return product


@given(STATES, STATES, st.frozensets(st.sampled_from(("city", "day", "seats"))))
def test_joint_goal_is_the_product_over_columns(read, true, closed):
    tally = StateTally()
    tally.add_state(read, true, closed)
    assert tally.joint_goal_accuracy == pytest.approx(100 * twin(read, true, closed))


def test_a_turn_by_hand():
    tally = StateTally()
    tally.add_state(
        {"city": ["oakland"], "seats": ["2"]}, {"city": ["Oakland"], "day": ["today"]}, {"city"}
    )
    tally.add_state({}, {}, set())
    tally.add_acts(("INFORM", "REQUEST"), ("INFORM",))
    assert tally.joint_goal_accuracy == 50
    assert tally.turns_right == 50
    assert tally.slot_precision == 50
    assert tally.slot_recall == 50
    assert tally.act_f1 == pytest.approx(200 / 3)


def test_any_listed_spelling_is_right():
    assert matched("NYC", ["New York", "NYC"], fuzzy=False) == 1
    assert matched("3rd March", ["March 3rd"], fuzzy=True) == 1
    assert matched("3rd March", ["March 3rd"], fuzzy=False) == 0


def test_a_column_that_only_one_state_holds_scores_nothing():
    assert column_scores({"a": ["x"]}, {"b": ["x"]}, set()) == {"a": 0, "b": 0}


def test_without_turns_there_are_no_figures():
    tally = StateTally()
    assert tally.joint_goal_accuracy is None
    assert tally.act_f1 is None
