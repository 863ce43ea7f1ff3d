"""Wishes that go with one kind of thing fall away when another kind is looked for."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede import Catalog
from concede.dialogs import Session

SHOP = Catalog.open(
    pa.table(
        {
            "name": [
                *("Alder Cycle", "Birch Cycle", "Cedar Cycle", "Dogwood Cycle"),
                *("Elm Scoot", "Fir Scoot", "Gorse Scoot"),
                *("Hazel Kayak", "Ivy Kayak", "Juniper Kayak"),
            ],
            "type": [*["bicycle"] * 4, *["scooter"] * 3, *["kayak"] * 3],
            "equipment": [
                *("bell;basket", "bell;lights", "lights;basket", "basket"),
                *("bell;lights", "lights", "stand"),
                *("paddle", "paddle;seat", "seat"),
            ],
            "colour": "red blue red green blue blue red green blue red".split(),
            "weight_kg": [14, 15, 13, 16, 11, 12, 10, 22, 24, 26],
            "price_eur": [320, 410, 280, 390, 150, 210, 180, 450, 520, 610],
        }
    ),
    key="name",
)


def held(session: Session) -> set[str]:
    return {wish.column or "" for wish in session.preferences.known}


def test_what_nothing_of_the_other_kind_has_falls_away_and_it_is_said() -> None:
    session = Session(SHOP)
    session.respond("a bicycle with a basket, please")
    reply = session.respond("actually, a kayak instead").text
    assert held(session) == {"type"}
    assert "no longer with basket" in reply


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I need a red bicycle with lights", "a scooter then"),
        ("a bicycle with a basket", "I'd rather have a blue one"),
    ],
)
def test_what_some_of_the_other_kind_have_stays(first: str, then: str) -> None:
    session = Session(SHOP)
    session.respond(first)
    session.respond(then)
    assert {"type", "equipment"} <= held(session)


def test_what_was_meant_for_what_is_taken_falls_away_where_nothing_fits() -> None:
    session = Session(SHOP)
    session.respond("a bicycle that weighs at least 15 kg")
    session.respond("I'll take the Birch Cycle. I also need a scooter for my son")
    assert held(session) == {"type"}


def test_a_limit_stays_for_another_kind_where_nothing_was_taken() -> None:
    session = Session(SHOP)
    session.respond("a bicycle up to 300 euros")
    reply = session.respond("no, a kayak instead").text
    assert held(session) == {"type", "price_eur"}
    assert "Nothing fits" in reply or "nothing fits" in reply


@pytest.mark.parametrize("text", ["no scooter please", "not a scooter, too wobbly"])
def test_a_kind_that_is_turned_down_is_avoided(text: str) -> None:
    session = Session(SHOP)
    session.respond("something blue")
    session.respond(text)
    assert any(wish.column == "type" and wish.op == "!=" for wish in session.preferences.known)


@pytest.mark.parametrize(
    "text", ["not that one, I'd like something lighter", "no, not the Elm Scoot"]
)
def test_an_item_that_is_turned_down_makes_no_wish_about_its_kind(text: str) -> None:
    session = Session(SHOP)
    session.respond("something blue")
    session.respond(text)
    assert "type" not in held(session)


@pytest.mark.parametrize(
    "text", ["forget bicycles. A kayak or a scooter", "no bike. Kayak or scooter"]
)
def test_what_is_dropped_in_a_sentence_before_is_no_alternative(text: str) -> None:
    session = Session(SHOP)
    session.respond("a bicycle")
    session.respond(text)
    [wish] = [wish for wish in session.preferences.known if wish.column == "type"]
    assert {*wish.values} == {"kayak", "scooter"}
