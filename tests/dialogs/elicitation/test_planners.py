"""Planners ask about each open entry once, and know nothing that nobody said."""

import pytest

from concede.dialogs.elicitation.agents import Asked, Planner
from concede.dialogs.elicitation.planners import (
    CriticalPlanner,
    published_planner,
    random_planner,
)
from concede.dialogs.elicitation.profile import Known, Profile
from concede.dialogs.elicitation.schema import Value, travel_schema
from concede.dialogs.transcripts.transcript import Span, Transcript

SCHEMA = travel_schema()
SAID = Transcript.of("Day 1, from Austin to Boston.")


def known(name: str, value: Value) -> Known:
    return Known(name, value, Span(0, 0, 1, "D"))


@pytest.mark.parametrize("planner", [CriticalPlanner(), published_planner(), random_planner(3)])
def test_every_open_entry_is_asked_about_once_then_none(planner: Planner):
    profile = Profile().with_(known("persona.budget", 4000))
    asked: list[Asked] = []
    while (question := planner.next(SCHEMA, profile, asked, SAID)) is not None:
        asked.append(question)
    names = [question.entry for question in asked]
    assert sorted([*names, "persona.budget"]) == sorted(entry.name for entry in SCHEMA.askable)


def test_what_is_known_changes_what_is_likely_critical():
    planner = CriticalPlanner()
    plain = planner.chances(SCHEMA, Profile())
    told = planner.chances(SCHEMA, Profile().with_(known("persona.disability", "Yes")))
    assert told["hotel.need_disability_access"] > plain["hotel.need_disability_access"]


def test_the_published_order_begins_with_the_person():
    first = published_planner().next(SCHEMA, Profile(), [], SAID)
    assert first is not None
    assert first.entry == "persona.travel_with_child"
