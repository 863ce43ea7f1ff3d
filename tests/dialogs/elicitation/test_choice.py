"""The expected gain of a question is what a slow count over all answers says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.dialogs.elicitation.choice import OpenWish, gains

SHARES = st.lists(st.integers(1, 5), min_size=1, max_size=3)


@st.composite
def wishes_over_rows(draw: st.DrawFn):
    rows = draw(st.integers(1, 5))
    known = np.array(draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows)), float)
    wishes = {}
    for name in draw(st.lists(st.sampled_from("abc"), unique=True, min_size=1)):
        shares = np.array(draw(SHARES), float)
        met = [
            draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=rows, max_size=rows))
            for _ in shares
        ]
        wishes[name] = OpenWish(
            shares / shares.sum(), np.array(met), draw(st.sampled_from([0.3, 1.0]))
        )
    return known, wishes


def gain_by_hand(known, wishes, asked: str) -> float:
    """Return the expected best after each answer, less the best now, row by row."""

    def expected(row: int, without: str = "") -> float:
        return known[row] + sum(
            wish.worth * sum(c * m[row] for c, m in zip(wish.chances, wish.met, strict=True))
            for name, wish in wishes.items()
            if name != without
        )

    rows, wish = range(len(known)), wishes[asked]
    after = sum(
        chance * max(expected(row, asked) + wish.worth * met[row] for row in rows)
        for chance, met in zip(wish.chances, wish.met, strict=True)
    )
    return after - max(expected(row) for row in rows)


@given(wishes_over_rows())
def test_a_question_gains_at_least_what_it_gains_by_itself(case):
    known, wishes = case
    found = gains(known, wishes)
    for name in wishes:
        assert found.each[name] >= gain_by_hand(known, wishes, name) - 1e-9
    if len(wishes) == 1:
        (name,) = wishes
        # Alone, asking it and adding it to all others is the same, but for the draw of persons.
        assert found.each[name] == pytest.approx(gain_by_hand(known, wishes, name), abs=0.15)


@given(wishes_over_rows())
def test_the_same_seed_finds_the_same(case):
    known, wishes = case
    assert gains(known, wishes) == gains(known, wishes)


def test_a_question_that_helps_only_with_another_gains_something():
    # Row 0 is best unless both wishes turn out against it.
    half = np.array([0.5, 0.5])
    a = OpenWish(half, np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), 0.4)
    b = OpenWish(half, np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), 0.4)
    found = gains(np.array([0.5, 0.0, 0.0]), {"a": a, "b": b})
    assert gain_by_hand(np.array([0.5, 0.0, 0.0]), {"a": a, "b": b}, "a") == pytest.approx(0)
    assert found.all > 0
    assert found.each["a"] > 0


def test_without_rows_or_wishes_nothing_is_gained():
    assert gains(np.zeros(0), {}).all == 0
    assert gains(np.ones(3), {}).each == {}
