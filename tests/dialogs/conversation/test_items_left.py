"""What is left of what is shown, and averages over what is known, in odd catalogs."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.conversation.described_items import described
from concede.dialogs.conversation.items_meant import meant
from concede.dialogs.conversation.named_items import items_named

LAMPS = Catalog.open(
    pa.table(
        {
            "lamp": ["Nova II", "Nova", "Sol II", "Sol", "Luna", "Astra", "Vega"],
            "glow": ["low", "high", "very high", "medium", "low", "medium", "high"],
            "price (EUR)": [100, 110, 120, 130, 140, None, 400],
            "year": [2018, 2019, 2020, 2021, 2022, 2019, 2020],
        }
    ),
    key="lamp",
)


def talk(*said: str) -> Session:
    session = Session(LAMPS, weighter="lexical", max_questions=0)
    for text in said:
        session.respond(text)
    return session


def named(session: Session, words: str) -> list[str]:
    return [row["lamp"] for row in meant(session, items_named(session, words)).rows]


def test_a_name_within_another_is_not_meant_by_both():
    session = talk("under 200", "list all", "compare Nova II and Sol II")
    assert named(session, "both") == ["Nova II", "Sol II"]


def test_numbers_last_and_all_mean_what_is_left():
    session = talk("under 200", "list all")
    first = session.proposal.answer.items[0]
    session.passed |= {first.row_id}
    session.propose()
    left = [i.row["lamp"] for i in session.proposal.answer.items if i.row_id != first.row_id]
    assert named(session, "the last one") == left[-1:]
    assert named(session, "all of them") == left
    assert items_named(session, "the fifth") == ["fifth"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("what do two of the Nova and one Luna cost?", "2 × Nova (high) 110 EUR plus Luna"),
        ("I'll take two of the Sol. what's that?", "2 × Sol (medium) 130 EUR comes to 260 EUR"),
        ("I'll take the first two", "Taken: Nova II (low), price 100 EUR"),
    ],
)
def test_each_item_has_its_own_number(said, told):
    assert told in talk("under 200", "list all", said).messages[-1].content


def test_the_place_of_what_is_offered_is_among_what_is_shown():
    session = talk("under 450", "list all", "take the first and the second", "list the two")
    assert session.place < len(session.proposal.answer.items)
    assert session.respond("hello").text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("under 125", "what is the average price?"), "110 EUR, over 3 with price under"),
        (("what is the average price?",), "166.67 EUR, over 6 of 7 in all"),
        (("under 450", "what is the average price of the Luna and the Vega?"), "270 EUR, over"),
    ],
)
def test_an_average_is_over_all_that_is_known(said, told):
    assert told in talk(*said).messages[-1].content


def test_a_price_is_not_divided_by_a_year():
    reply = talk("under 125", "what does the Nova cost per year?").messages[-1].content
    assert "divided" not in reply


def test_a_catalog_without_names_has_no_named_items():
    with Catalog.open(pa.table({"price": [1, 2, 3, 4], "size": [10, 20, 30, 40]})) as bare:
        session = Session(bare, weighter="lexical", max_questions=0)
        session.respond("hello")
        assert described(session, "thing from 2020") is None
