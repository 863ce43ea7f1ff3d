"""Questions by expected gain, and profiles that carry over to another catalog."""

from __future__ import annotations

import json
from datetime import date

import pytest

from concede import Catalog, Constraint, RepairEngine
from concede.catalogs.errors import QueryError
from concede.dialogs.conversation.asking_by_gain import elicit_wishes
from concede.dialogs.conversation.gain_agent import GainAgent
from concede.dialogs.conversation.roles import Question
from concede.dialogs.conversation.saved_profile import (
    SavedWish,
    carried_over,
    profile_record,
    read_profile,
)
from concede.dialogs.transcripts.transcript import Transcript

pa = pytest.importorskip("pyarrow")

TENTS = Catalog.open(
    pa.table(
        {
            "model": [f"Tent {n}" for n in range(12)],
            "colour": ["green", "yellow", "red", "blue"] * 3,
            "season": ["summer", "winter"] * 6,
            "maker": ["Nordhaus"] * 12,
            "price": [90, 120, 150, 180, 210, 240, 270, 300, 330, 360, 390, 420],
        }
    )
)
NOTHING = Transcript.of("a tent")


def test_what_divides_the_rows_is_asked_and_what_all_share_is_not():
    found = GainAgent(TENTS).gains([], ["colour", "season", "maker"])
    assert set(found.each) == {"colour", "season"}
    assert found.each["colour"] > found.each["season"] > 0


def test_what_is_known_leaves_less_to_ask():
    agent = GainAgent(TENTS)
    everything = agent.gains([], ["colour", "season"]).all
    known = [Constraint(column="colour", op="==", value="red")]
    # All red tents are for the summer: nothing is left to choose by.
    assert agent.gains(known, ["season"]).each == {}
    assert agent.ask(NOTHING, known, ["season"]) is None
    assert everything > 0


def test_a_question_says_what_it_gains():
    question = GainAgent(TENTS).ask(NOTHING, [], ["season", "colour"])
    assert question is not None
    assert question.slot == "colour"
    assert question.gain is not None
    assert question.gain > 0


def answering(answers: dict[str, str | tuple[str, str]]):
    def answer(question: Question, again: bool) -> str:
        given = answers.get(question.slot, "no preference")
        return given if isinstance(given, str) else given[again]

    return answer


def test_answers_become_wishes_and_a_repair_that_runs():
    elicited = elicit_wishes(TENTS, answering({"colour": "red", "season": "winter"}))
    assert {q.slot for q in elicited.asked} >= {"colour"}
    wishes = {wish.constraint.column: wish for wish in elicited.wishes}
    assert wishes["colour"].constraint.value == "red"
    assert wishes["colour"].said == "red"
    assert elicited.proposal is not None
    assert TENTS.query(elicited.proposal.answer.sql)
    assert elicited.stopped_by in ("gain", "columns")


def test_an_answer_that_says_nothing_is_asked_for_again():
    seen: list[tuple[str, bool]] = []

    def answer(question: Question, again: bool) -> str:
        seen.append((question.slot, again))
        if question.slot == "colour":
            return "green" if again else "hmm"
        return "no preference"

    elicited = elicit_wishes(TENTS, answer)
    assert ("colour", True) in seen
    assert [wish.constraint.value for wish in elicited.wishes] == ["green"]


def test_the_base_is_not_asked_about_and_holds():
    base = [Constraint(column="season", op="==", value="winter")]
    elicited = elicit_wishes(TENTS, answering({"colour": "blue"}), base=base)
    assert "season" not in {question.slot for question in elicited.asked}
    assert elicited.proposal is not None
    assert all(item.row["season"] == "winter" for item in elicited.proposal.answer.items)


def test_no_question_is_none():
    elicited = elicit_wishes(TENTS, answering({}), questions=0)
    assert (elicited.asked, elicited.stopped_by, elicited.proposal) == ((), "questions", None)


def test_a_profile_carries_over_and_what_has_no_place_is_named():
    other = Catalog.open(
        pa.table({"Colour": ["red", "white"], "PRICE": [100, 50], "poles": [2, 3]})
    )
    wishes = [
        SavedWish(Constraint(column="colour", op="==", value="red", weight=0.8), "red"),
        SavedWish(Constraint(column="price", op="<=", value=60, weight=0.4), "at most 60"),
        SavedWish(Constraint(column="season", op="==", value="winter"), "winter"),
        SavedWish(Constraint(column="colour", op="==", value="green"), "green"),
    ]
    carried = carried_over(read_profile(json.dumps(profile_record(wishes))), other)
    assert [constraint.column for constraint in carried.query.constraints] == ["Colour", "PRICE"]
    assert [wish.said for wish in carried.lacking] == ["winter", "green"]
    answer = RepairEngine(other).repair(carried.query)
    assert [constraint.column for constraint in answer.relaxed] == ["PRICE"]


@pytest.mark.parametrize("text", ["", "[", "[]", "{}", '{"wishes": 3}', '{"wishes": [1]}'])
def test_what_is_no_profile_is_refused(text: str):
    with pytest.raises(QueryError, match=r"profile|wish"):
        read_profile(text)


def test_where_no_row_meets_the_base_nothing_is_asked():
    base = [Constraint(column="price", op="<", value=0)]
    elicited = elicit_wishes(TENTS, answering({"colour": "blue"}), base=base)
    assert elicited.asked == ()
    assert elicited.stopped_by == "gain"


def test_words_behind_a_choice_of_two_are_both_kept():
    elicited = elicit_wishes(TENTS, answering({"colour": "either red or blue"}))
    (wish,) = elicited.wishes
    assert wish.constraint.value == ("red", "blue")
    assert wish.said == "red or blue"


BOOKS = Catalog.open(
    pa.table(
        {
            "title": [f"Book {n}" for n in range(10)],
            "released": [date(1985 + 4 * n, 3, 1 + n) for n in range(10)],
        }
    )
)


@pytest.mark.parametrize(
    ("said", "op"), [("after 2005", ">"), ("2005 or later", ">="), ("after 2005 please", ">")]
)
def test_bounds_on_a_date_are_understood_where_we_ask_for_them(said: str, op: str):
    elicited = elicit_wishes(BOOKS, answering({"released": said}))
    assert [(wish.constraint.column, wish.constraint.op) for wish in elicited.wishes] == [
        ("released", op)
    ]
