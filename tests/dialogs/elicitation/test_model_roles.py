"""What a model says of a traveller counts only where it can be checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from concede.bench.apec.judge import NO_DIALOGUE
from concede.bench.apec.model_judge import ModelJudge
from concede.bench.apec.seed_dialogues import parse_dialogue, written_by_model
from concede.bench.apec.travellers import TravellerRecord
from concede.catalogs.errors import BadReply
from concede.dialogs.elicitation.agents import Asked
from concede.dialogs.elicitation.model_roles import ModelPlanner, ModelStenographer, ModelTraveller
from concede.dialogs.elicitation.population import people
from concede.dialogs.elicitation.profile import Profile
from concede.dialogs.elicitation.schema import travel_schema
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.transcripts.transcript import Message, Transcript

SCHEMA = travel_schema()
CABIN = Asked("flight.preferred_cabin", "Which cabin do you want to fly in?")


def said(*texts: str) -> Transcript:
    roles: Any = ("assistant", "user")
    return Transcript(tuple(Message(roles[n % 2], text) for n, text in enumerate(texts)))


def test_a_planner_asks_what_its_model_chooses():
    reply = {"thought": "It costs.", "entry": "persona.budget", "question": "How much, at most?"}
    model = ScriptedModel([json.dumps(reply), json.dumps(reply)])
    opening = said("Hello", "Day 1, from Ulm to Bern")
    asked = ModelPlanner(model, think=True).next(SCHEMA, Profile(), (), opening)
    assert asked is not None
    assert (asked.entry, asked.text, asked.thought) == (
        "persona.budget",
        "How much, at most?",
        "It costs.",
    )
    with pytest.raises(BadReply, match="not open"):
        ModelPlanner(model).next(SCHEMA, Profile(), (asked,), opening)


def test_a_planner_is_never_shown_what_may_not_be_asked():
    seen: list[str] = []

    def reply(request: Any) -> str:
        seen.append(request.messages[-1].content)
        return json.dumps({"entry": "persona.budget", "question": "How much?"})

    ModelPlanner(ScriptedModel(reply)).next(SCHEMA, Profile(), (), said("Hello", "Hi"))
    assert "persona.travel_style" not in seen[0]
    assert "persona.budget" in seen[0]


def test_notes_need_words_that_were_said_and_a_possible_value():
    notes = [
        {"entry": "flight.preferred_cabin", "value": "business", "quote": "up front"},
        {"entry": "flight.preferred_cabin", "value": "rocket", "quote": "up front"},
        {"entry": "persona.budget", "value": 900, "quote": "nine hundred"},
    ]
    steno = ModelStenographer(ScriptedModel([json.dumps({"notes": notes})]))
    taken = steno.read(SCHEMA, Profile(), CABIN, said(CABIN.text, "I sit up front, please."))
    assert not taken.vague
    assert {name: known.value for name, known in taken.profile.items()} == {
        "flight.preferred_cabin": "business"
    }
    span = taken.profile["flight.preferred_cabin"].evidence
    assert (span.start, span.end, span.text) == (6, 14, "up front")


def test_an_answer_without_a_note_is_vague():
    steno = ModelStenographer(ScriptedModel([json.dumps({"notes": []})]))
    assert steno.read(SCHEMA, Profile(), CABIN, said(CABIN.text, "It depends.")).vague


def test_a_traveller_is_told_only_the_value_it_is_asked_for():
    seen: list[str] = []

    def reply(request: Any) -> str:
        seen.append(request.messages[-1].content)
        return "Business, please."

    profile = {"flight.preferred_cabin": "business", "persona.budget": 8123}
    traveller = ModelTraveller(ScriptedModel(reply), SCHEMA, profile, "Day 1, from Ulm to Bern")
    assert traveller.answer(CABIN) == "Business, please."
    assert "business" in seen[0]
    assert "8123" not in seen[0]


def test_a_judge_adds_up_itself_and_spends_nothing_on_nothing():
    points = {"plan_priority": 4, "proactive": 5, "clarification": 2, "total": 15}
    judge = ModelJudge(ScriptedModel([json.dumps(points)]))
    assert judge.score(said("Hello", "Hi")).total == 11
    assert judge.score(Transcript(())) == NO_DIALOGUE


WRITTEN = """
Agent: Hello! How can I help?
Traveller: Day 1, from Ulm to Bern, please.
Agent [Think]: The cabin matters to most.
Agent: Which cabin do you want to fly in?
Traveller: Business.
That is a must.
Agent: Thank you.
{"flight.preferred_cabin": "business", "persona.budget": "UNKNOWN"}
"""


def test_a_written_dialogue_is_parsed_into_turns_thoughts_and_profile():
    person = people(1, "coherent", 1)[0]
    traveller = TravellerRecord("a", person.profile, person.critical, "")
    model = ScriptedModel([WRITTEN])
    seed = written_by_model(model, traveller, SCHEMA, rounds=10, style="terse", think=True)
    assert [message.role for message in seed.said] == ["assistant", "user"] * 2 + ["assistant"]
    assert list(seed.said)[3].content == "Business. That is a must."
    assert seed.thoughts == {2: "The cabin matters to most."}
    assert seed.closing == {"flight.preferred_cabin": "business"}


@pytest.mark.parametrize(
    "text",
    ["", "Agent: Hi\n{}", "Agent: Hi\nTraveller: Hi", WRITTEN.replace("business", "rocket")],
)
def test_what_is_no_dialogue_is_refused(text: str):
    with pytest.raises(BadReply):
        parse_dialogue(text, SCHEMA)
