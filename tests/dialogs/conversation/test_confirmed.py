"""A yes to a question that names one wish is that wish; anything else is none."""

from __future__ import annotations

import pytest

from concede import Catalog
from concede.dialogs import Session
from concede.dialogs.conversation.acts import read_acts
from concede.dialogs.conversation.confirmed import confirmed
from concede.dialogs.conversation.roles import Question
from concede.dialogs.transcripts.transcript import Span

pa = pytest.importorskip("pyarrow")

FLATS = Catalog.open(
    pa.table(
        {
            "district": ["Nord", "Nord", "Ost", "Ost", "West", "West", "Sued", "Sued"] * 3,
            "heating": ["gas", "oil", "electric"] * 8,
            "rent": [600 + 50 * n for n in range(24)],
        }
    )
)


class Asks:
    """An agent with one question."""

    def __init__(self, slot: str, text: str) -> None:
        self.question = Question(slot, text)

    def ask(self, transcript, known, slots):
        return self.question if self.question.slot in slots else None


def after(slot: str, question: str, answer: str) -> set[tuple[str | None, str, object]]:
    talk = Session(FLATS, agent=Asks(slot, question), weighter="lexical")
    talk.hear("a flat in Nord")
    assert talk.next_question() is not None
    talk.hear(answer)
    return {(wish.column, wish.op, wish.value) for wish in talk.preferences.known}


NORD = ("district", "==", "Nord")


@pytest.mark.parametrize("answer", ["yes", "Yes please.", "yes, that's right", "sure"])
def test_a_value_that_the_question_names_is_taken(answer: str) -> None:
    assert after("heating", "Would you like gas heating?", answer) == {
        NORD,
        ("heating", "==", "gas"),
    }


def test_a_bound_is_taken_with_its_side() -> None:
    assert after("rent", "Is it right that you want to pay at most 900?", "yes") == {
        NORD,
        ("rent", "<=", 900),
    }


def yes_to(slot: str, question: str, answer: str):
    """Return what an answer says yes to."""
    said = Span(1, 0, len(answer), answer)
    return confirmed(Question(slot, question), said, read_acts(answer, question), FLATS)


def test_the_evidence_is_the_answer() -> None:
    found = yes_to("heating", "Would you like gas heating?", "Yes please.")
    assert found is not None
    assert [part.evidence.text for part in found.constraints] == ["Yes please."]


@pytest.mark.parametrize("answer", ["no", "no, thanks", "why do you ask?", "I don't mind", "hmm"])
def test_nothing_is_taken_without_a_yes(answer: str) -> None:
    assert yes_to("heating", "Would you like gas heating?", answer) is None


@pytest.mark.parametrize("question", ["Which heating: gas, oil or electric?", "What heating?"])
def test_a_question_that_names_no_one_value_is_not_said_yes_to(question: str) -> None:
    assert yes_to("heating", question, "yes") is None


def test_a_wish_about_another_column_is_none() -> None:
    assert yes_to("rent", "Would you like gas heating?", "yes") is None


def test_what_the_answer_says_itself_holds() -> None:
    assert after("heating", "Would you like gas heating?", "yes, but electric is better") >= {
        NORD,
        ("heating", "==", "electric"),
    }


def test_the_change_is_said_and_taken_back_by_undo() -> None:
    talk = Session(FLATS, agent=Asks("heating", "Would you like gas heating?"), weighter="lexical")
    talk.hear("a flat in Nord")
    talk.next_question()
    assert "gas" in talk.hear("yes please").reply
    assert talk.undo()
    assert [wish.column for wish in talk.preferences.known] == ["district"]
