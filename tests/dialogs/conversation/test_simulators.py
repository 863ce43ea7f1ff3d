"""Personas from templates: every wish once, its weight told, the softest last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Constraint, Query
from concede.dialogs.conversation.simulators import OfflinePersonaWriter, phrase_of
from concede.dialogs.language.tokens import sentences

WISHES = [
    Constraint(column="rent", op="<=", value=900),
    Constraint(column="rooms", op=">=", value=3),
    Constraint(column="district", op="==", value="Nord"),
    Constraint(column="balcony", op="==", value=True),
    Constraint(column="heating", op="in", value=["gas", "district heat"]),
    Constraint(column="floor", op="between", value=[1, 4]),
]


def weighed(weights: list[float]) -> Query:
    constraints = [
        constraint.model_copy(update={"weight": weight})
        for constraint, weight in zip(WISHES, weights, strict=False)
    ]
    return Query(base=[Constraint(column="city", op="==", value="Ulm")], constraints=constraints)


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6), st.integers(0, 50), st.integers(0, 5))
def test_every_wish_is_told_once_and_the_softest_last(weights, seed, softest):
    query = weighed(weights)
    softest = softest % len(weights)
    text = OfflinePersonaWriter(seed).write(query, softest=softest)
    assert text == OfflinePersonaWriter(seed).write(query, softest=softest)
    folded = text.casefold()
    for constraint in (*query.base, *query.constraints):
        assert folded.count(phrase_of(constraint).casefold()) == 1
    assert phrase_of(query.constraints[softest]).casefold() in sentences(text)[-1].text.casefold()
    assert all(str(weight) not in text for weight in weights if 0 < weight < 1)
    assert "weight" not in folded


def test_seeds_vary_the_wording():
    query = weighed([0.5, 0.3, 0.15, 0.05])
    assert len({OfflinePersonaWriter(seed).write(query) for seed in range(20)}) > 10


def test_three_to_five_sentences_where_there_are_enough_wishes():
    for count in (2, 3, 4, 6):
        text = OfflinePersonaWriter(3).write(weighed([0.4, 0.2, 0.18, 0.1, 0.06, 0.05][:count]))
        assert 3 <= len(sentences(text)) <= 5


def test_a_position_that_is_not_there():
    with pytest.raises(IndexError):
        OfflinePersonaWriter().write(weighed([0.5]), softest=3)


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [
        (WISHES[0], "rent of at most 900"),
        (WISHES[1], "rooms of at least 3"),
        (WISHES[3], "balcony"),
        (WISHES[4], "heating gas or district heat"),
        (WISHES[5], "floor between 1 and 4"),
        (Constraint(column="balcony", op="==", value=False), "no balcony"),
        (Constraint(column="colour", op="!=", value="red"), "colour other than red"),
        (Constraint(column="built_year", op=">", value=1990), "built year above 1990"),
    ],
)
def test_constraints_in_plain_words(constraint, expected):
    assert phrase_of(constraint) == expected
