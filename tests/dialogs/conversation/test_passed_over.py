"""Passed over is what was refused and nothing else; what is left is numbered as it is shown."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import Session

pa = pytest.importorskip("pyarrow")

TENTS = Catalog.open(
    pa.table(
        {
            "tent": ["Alpine", "Breeze", "Cabin", "Dune", "Eagle", "Fjord", "Glade"],
            "kind": ["tunnel", "tunnel", "tunnel", "tunnel", "tunnel", "dome", "dome"],
            "price (EUR)": [100, 140, 180, 220, 260, 90, 150],
            "weight (kg)": [3.1, 2.9, 5.2, 4.8, 6.1, 2.2, 3.3],
            "porch": [False, True, True, False, True, False, True],
        }
    )
)


def tents(*said: str) -> tuple[Session, list[str]]:
    talk = Session(TENTS, weighter="lexical")
    talk.respond("a tunnel tent at most 230 euros", propose=True)
    return talk, [talk.respond(text).text for text in said]


def test_what_is_left_is_numbered_without_gaps_and_taken_by_its_number():
    talk, replies = tents("no, not that one", "show me all of them", "I'll take number 2")
    assert "besides what you passed over: 1. Breeze" in replies[1]
    assert "; 2. Cabin" in replies[1]
    assert "; 3. Dune" in replies[1]
    assert "Alpine" not in replies[1]
    assert talk.accepted is not None
    assert talk.accepted["tent"] == "Cabin"


def test_a_number_means_the_item_that_is_shown_at_that_place():
    talk, _ = tents("no, not that one", "show me all of them")
    assert talk.proposal is not None
    shown = [item.row["tent"] for item in talk.proposal.answer.items]
    assert shown == ["Breeze", "Cabin", "Dune", "Alpine"]
    assert talk.accept(1)["tent"] == "Cabin"


def test_a_list_is_as_long_as_if_nothing_was_refused():
    talk, _ = tents("no, not that one", "no, not that either", "up to 300 euros", "show them all")
    assert talk.proposal is not None
    assert len(talk.proposal.answer.items) >= 5


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Not yet.", "the first: Alpine"),
        ("Not yet. The price may go up to 250.", "the first: Alpine"),
        ("Not now. Is there a porch?", "Alpine (tunnel): no porch"),
        ("No. What does it weigh?", "Alpine (tunnel): weight 3.1 kg"),
    ],
)
def test_who_decides_later_or_asks_refuses_nothing(said: str, told: str):
    talk, replies = tents(said)
    assert told in replies[0]
    assert not talk.passed


def test_what_a_wish_ruled_out_was_not_refused():
    talk, replies = tents("no, at least 4 kilos please", "the weight doesn't matter after all")
    assert not talk.passed
    assert "passed over" not in replies[1]
    assert "Alpine" in replies[1]


def test_the_cheapest_is_told_to_be_so_besides_what_was_refused():
    _, replies = tents("no, not that one", "which is the cheapest?")
    assert "Besides what you passed over, the lowest price: Breeze" in replies[1]
    _, replies = tents("no, not that one", "which is the lightest?")
    assert replies[1].startswith("The lowest weight: Breeze")


def test_what_was_refused_is_not_the_next_one():
    talk, replies = tents("no, not that one", "show me all of them", *["another one"] * 3)
    assert all("next one: Alpine" not in reply for reply in replies)
    assert "That was all there is." in replies[-1]
    assert len(talk.passed) == 1
