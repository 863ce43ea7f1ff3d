"""A conversation: rounds, asking again once, and the end."""

import pytest

from concede.catalogs.errors import QueryError
from concede.dialogs.elicitation.agents import Asked
from concede.dialogs.elicitation.conversation import elicit
from concede.dialogs.elicitation.planners import published_planner
from concede.dialogs.elicitation.schema import Entry, Schema
from concede.dialogs.elicitation.stenographer import OfflineStenographer
from concede.dialogs.elicitation.traveller import SimulatedTraveller

SCHEMA = Schema(
    "persona",
    (
        Entry("persona.cabin", "cabin", ("economy", "business")),
        Entry("persona.budget", "budget", low=0, high=9000),
    ),
)


class Traveller:
    """Says the same to every question."""

    def __init__(self, text: str) -> None:
        self._text = text

    def request(self) -> str:
        return "Day 1, from Austin to Boston."

    def answer(self, asked: Asked) -> str:
        return self._text


def test_a_vague_answer_is_asked_about_once_more():
    done = elicit(SCHEMA, published_planner(), OfflineStenographer(), Traveller("hmm"), 9)
    assert [(one.entry, one.again) for one in done.asked] == [
        ("persona.cabin", False),
        ("persona.cabin", True),
        ("persona.budget", False),
        ("persona.budget", True),
    ]
    assert done.stopped_by == "planner"
    assert not done.profile


def test_the_rounds_are_a_bound_and_each_has_its_profile():
    answers = {"persona.cabin": ("hm", "business"), "persona.budget": ("$2,000", "")}
    traveller = SimulatedTraveller({}, request="Hello.", answers=answers)
    done = elicit(SCHEMA, published_planner(), OfflineStenographer(), traveller, 2)
    assert done.stopped_by == "rounds"
    assert [len(profile) for profile in done.profiles] == [0, 0, 1]
    assert len(done.said) == 2 + 2 * done.rounds


def test_fewer_than_no_rounds_are_refused():
    with pytest.raises(QueryError, match="-1 rounds"):
        elicit(SCHEMA, published_planner(), OfflineStenographer(), Traveller("x"), -1)
