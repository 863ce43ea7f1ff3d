"""What differs between the items that somebody names or means, and nothing else, is told."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import Session

pa = pytest.importorskip("pyarrow")

BOATS = Catalog.open(
    pa.table(
        {
            "boat": ["Sea Robin", "Marigold", "Tern", "Lady Jane", "Kittiwake", "Otter"],
            "kind": ["canoe", "canoe", "dinghy", "dinghy", "rowing boat", "canoe"],
            "harbour": ["Arnside", "Bowness", "Arnside", "Coniston", "Bowness", "Coniston"],
            "price (EUR)": [900, 1200, 2400, 3100, 800, 650],
            "length (m)": [4.2, 4.8, 5.1, 6.3, 3.9, 4.1],
            "people": [2, 3, 4, 6, 3, 2],
            "colour": ["red", "green", "white", "blue", "brown", "yellow"],
            "year": [2015, 2018, 2012, 2020, 2009, 2011],
            "trailer": [True, False, True, True, False, False],
            "weight (kg)": [28, 31, 90, 140, 70, 27],
        }
    )
)


def shown(*said: str) -> tuple[Session, str]:
    talk = Session(BOATS, weighter="lexical")
    replies = [talk.respond(text, propose=True).heard.reply for text in said]
    return talk, replies[-1]


ALL = ("harbour", "price", "length", "people", "colour", "year", "weight")


@pytest.mark.parametrize(
    "text",
    [
        "what's the difference between the Sea Robin and the Marigold?",
        "Sea Robin v Marigold, whats the difference",
        "not the Otter. how do the Sea Robin and the Marigold compare?",
        "what's the difference between the Sea Robin and the other one that fits?",
    ],
)
def test_two_items_are_compared_by_all_that_differs(text: str):
    few = "a canoe from at least 2012" if "other" in text else "a canoe at most 1300 euros"
    _, reply = shown(few, text)
    assert all(reply.count(f"{name} ") == 2 for name in ALL)
    assert reply.count(" (canoe): ") == 2
    assert "Marigold (canoe): " in reply
    assert "apart" not in reply


def test_the_one_offered_is_compared_with_the_one_named():
    _, reply = shown("a canoe at most 1300 euros", "how does the Marigold compare with this one?")
    assert "Marigold (canoe): price 1,200 EUR" in reply
    assert "Otter (canoe): price 650 EUR" in reply
    assert "Sea Robin" not in reply


def test_which_has_more_is_told_before_what_is_compared():
    _, reply = shown("a canoe", "which is longer, the Sea Robin or the Marigold?")
    assert reply.startswith("The highest length: Marigold (canoe). ")
    assert "0.6 m apart" in reply


def test_what_is_asked_in_a_clause_beside_a_comparison_is_told():
    _, reply = shown(
        "a canoe", "the Sea Robin and the Marigold, what do they weigh, and which is longer?"
    )
    assert "weight 28 kg" in reply
    assert "The highest length: Marigold" in reply


def test_items_compared_with_one_more_are_told_once():
    _, reply = shown(
        "a canoe",
        "what is different about the Marigold and the Otter, "
        "and how do the Marigold, the Otter and the Sea Robin compare?",
    )
    assert reply.count("Marigold (canoe): ") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("which is calmer of the two, Juno or Pippin?", "The lowest energy: Pippin"),
        ("how do Pippin and Juno compare, and which is livelier?", "The highest energy: Juno"),
        ("how do Pippin and Juno differ?", "Pippin (Fell): price 800 EUR, energy low, size"),
        ("Pippin or Juno, which of the two is larger?", "The highest size: Pippin"),
    ],
)
def test_which_has_more_is_known_by_the_order_of_words(text: str, told: str):
    table = {
        "pony": ["Bramble", "Pippin", "Juno", "Dusty", "Flint"],
        "breed": ["Exmoor", "Fell", "Exmoor", "Dales", "Fell"],
        "energy": ["high", "low", "medium", "low", "high"],
        "size": ["small", "large", "medium", "small", "large"],
        "price (EUR)": [900, 800, 700, 950, 990],
    }
    talk = Session(Catalog.open(pa.table(table)))
    talk.respond("a pony at most 920 euros", propose=True)
    reply = talk.respond(text).text
    assert reply.startswith(told)
    assert reply.count("energy low") < 2
