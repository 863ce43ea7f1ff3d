"""A turn that says something else than what was asked is heard for what it says."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import Session

pa = pytest.importorskip("pyarrow")

BOATS = Catalog.open(
    pa.table(
        {
            "harbour": ["Vigo", "Vigo", "Cadiz", "Cadiz", "Porto", "Porto"] * 4,
            "berths": [2, 4, 6, 8] * 6,
            "weekly_price_eur": [900 + 70 * n for n in range(24)],
            "autopilot": [n % 3 == 0 for n in range(24)],
            "bow_thruster": [n % 2 == 0 for n in range(24)],
            "equipment": [
                ["dinghy", "fridge"],
                ["fridge", "solar panel"],
                ["dinghy", "solar panel"],
            ]
            * 8,
        }
    )
)


def asked(slot: str, *said: str) -> Session:
    talk = Session(BOATS, weighter="lexical", slots=[slot])
    for text in said:
        talk.hear(text)
    assert talk.next_question() is not None
    return talk


def wishes(talk: Session) -> set[tuple[str | None, str, object]]:
    return {(wish.column, wish.op, wish.value) for wish in talk.preferences.known}


VIGO = ("harbour", "==", "Vigo")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("at least six berths", ("berths", ">=", 6)),
        ("with a bow thruster", ("bow_thruster", "==", True)),
        ("under 1500 euros a week", ("weekly_price_eur", "<", 1500)),
        ("with a solar panel", ("equipment", "contains", "solar panel")),
    ],
)
def test_another_wish_is_no_yes(text: str, wish: tuple[str, str, object]):
    talk = asked("autopilot", "a boat in Vigo")
    talk.hear(text)
    assert wishes(talk) == {VIGO, wish}


@pytest.mark.parametrize("text", ["yes please", "yes, I sail alone", "an autopilot, yes"])
def test_a_yes_is_a_yes(text: str):
    talk = asked("autopilot", "a boat in Vigo")
    talk.hear(text)
    assert wishes(talk) == {VIGO, ("autopilot", "==", True)}


@pytest.mark.parametrize("text", ["I'd prefer Cadiz", "make it Cadiz", "no, Cadiz"])
def test_what_is_looked_for_changes_while_a_question_is_open(text: str):
    talk = asked("weekly_price_eur", "a boat in Vigo")
    assert "Cadiz now, no longer Vigo" in talk.hear(text).reply
    assert wishes(talk) == {("harbour", "==", "Cadiz")}
    again = talk.next_question()
    assert again is not None and again.slot == "weekly_price_eur"


@pytest.mark.parametrize("text", ["or Cadiz", "Cadiz too", "Cadiz would also do"])
def test_another_value_may_be_as_good(text: str):
    talk = asked("weekly_price_eur", "a boat in Vigo")
    assert talk.hear(text).reply.startswith("Harbour: Vigo or Cadiz now. ")
    assert wishes(talk) == {("harbour", "in", ("Vigo", "Cadiz"))}


def test_part_of_a_list_is_wished_and_another_is_not():
    talk = asked("autopilot", "a boat in Vigo")
    talk.hear("with a fridge but no dinghy")
    assert wishes(talk) >= {("equipment", "contains", "fridge"), ("equipment", "!=", "dinghy")}
    talk.hear("no fridge")
    assert ("equipment", "contains", "fridge") not in wishes(talk)


def test_what_was_taken_after_something_gave_way_is_not_offered_again():
    talk = Session(BOATS, weighter="lexical")
    talk.hear("a boat in Vigo")
    offered = talk.respond("at least 8 berths and at most 950 a week", propose=True)
    assert offered.proposes and "given up" in offered.text or "instead of" in offered.text
    taken = talk.respond("yes, that would do", propose=True)
    assert talk.accepted is not None
    assert taken.text.startswith("Taken: ") and "Would that do" not in taken.text
    assert not taken.proposes and taken.question is None
