"""Seed dialogues with a fault are refused, with the fault's name."""

from __future__ import annotations

import json

import pytest

from concede.bench.apec.judge import OfflineJudge
from concede.bench.apec.seed_dialogues import faults, parse_dialogue, write_seeds
from concede.bench.apec.travellers import TravellerRecord
from concede.dialogs.elicitation.population import people
from concede.dialogs.elicitation.schema import travel_schema
from concede.dialogs.elicitation.stenographer import OfflineStenographer

SCHEMA, STENO = travel_schema(), OfflineStenographer()
PERSON = people(1, "coherent", 5)[0]
PROFILE = {**PERSON.profile, "flight.preferred_cabin": "business", "persona.budget": 4000}
TRAVELLER = TravellerRecord("a", PROFILE, PERSON.critical, "")


def dialogue(question: str, answer: str, **closing: object) -> str:
    told = {name.replace("__", "."): value for name, value in closing.items()}
    lines = ["Agent: Hello!", "Traveller: Day 1, from Ulm to Bern."]
    return "\n".join([*lines, f"Agent: {question}", f"Traveller: {answer}", json.dumps(told)])


CABIN = "Which cabin do you want to fly in?"
GOOD = dialogue(CABIN, "Business class.", flight__preferred_cabin="business")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (GOOD, ""),
        (dialogue(CABIN, "Economy.", flight__preferred_cabin="economy"), "not business"),
        (
            dialogue(
                "Which cabin do you want to fly in? What is your budget for the trip?",
                "Business class, and 4000 dollars.",
            ),
            "one question asks about",
        ),
        (
            dialogue("What's your budget and which carrier do you like?", "4000 dollars, Delta."),
            "one question asks about",
        ),
        (
            dialogue(CABIN, "Business class, and my budget for the trip is 4000 dollars."),
            "persona.budget",
        ),
    ],
)
def test_faults_are_named(text: str, fault: str):
    found = faults(parse_dialogue(text, SCHEMA), TRAVELLER, SCHEMA, STENO)
    assert bool(found) == bool(fault)
    assert all(fault in one for one in found)


def test_what_cannot_be_parsed_is_refused_and_not_judged():
    texts = iter([GOOD, "no dialogue at all"])
    others = [TRAVELLER, TravellerRecord("b", PROFILE, PERSON.critical, "")]
    made = write_seeds(
        others, lambda one: parse_dialogue(next(texts), SCHEMA), OfflineJudge(SCHEMA, STENO)
    )
    assert list(made.accepted) == ["a"]
    assert list(made.refused) == ["b"]
    assert len(made.totals) == 1
