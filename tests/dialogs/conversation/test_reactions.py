"""What people say to a proposal, in words of all kinds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Constraint
from concede.dialogs.conversation.reactions import LESS, MORE, reaction

WISHES = [
    Constraint(column="rent", op="<=", value=900),
    Constraint(column="district", op="==", value="Nord"),
    Constraint(column="bedrooms", op=">=", value=3),
]


@pytest.mark.parametrize(
    "text", ["yes", "Yes, please.", "ok!", "Sounds good to me", "I'll take it", "that works", "y"]
)
def test_acceptance(text):
    assert reaction(text, WISHES).kind == "accept"


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("no", ()),
        ("Nope.", ()),
        ("anything but that", ()),
        ("not the rent", (0,)),
        ("No, I won't give up on the bedrooms", (2,)),
        ("keep the district please", (1,)),
        ("Nord is not negotiable", (1,)),
        ("the price is not negotiable", (0,)),
    ],
)
def test_refusal(text, positions):
    reply = reaction(text, WISHES)
    assert (reply.kind, reply.positions) == ("refuse", positions)


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("weight rent 0.9", {0: 0.9}),
        ("weight district = 0", {1: 0.0}),
        ("the rent matters more than the bedrooms", {0: MORE, 2: LESS}),
        ("bedrooms are less important than the district", {2: LESS, 1: MORE}),
        ("the rent matters most", {0: MORE}),
    ],
)
def test_weights(text, weights):
    reply = reaction(text, WISHES)
    assert (reply.kind, reply.weights) == ("reweigh", weights)


@pytest.mark.parametrize("text", ["quit", " bye ", "never mind", "exit"])
def test_the_end(text):
    assert reaction(text, WISHES).kind == "stop"


@pytest.mark.parametrize(
    "text", ["", "up to 950 would be fine with me", "weight 7", "weight rent 7", "what about Ost?"]
)
def test_everything_else_is_something_said(text):
    assert reaction(text, WISHES).kind == "say"


@given(st.text(max_size=300))
def test_any_text_has_one_reading(text):
    reply = reaction(text, WISHES)
    assert set(reply.positions) <= {0, 1, 2}
    assert all(0.0 <= weight <= 1.0 for weight in reply.weights.values())


def test_endless_text_is_read_at_its_beginning():
    assert reaction("weight " + "a " * 500_000, WISHES).kind == "say"
