"""Every role on the real client, end to end over a server of our own."""

from __future__ import annotations

import json

import pytest

from concede import Catalog, Constraint, Query
from concede.catalogs.errors import ModelError
from concede.dialogs.conversation.agents import LLMAgent
from concede.dialogs.conversation.session import Session, interview
from concede.dialogs.conversation.simulators import LLMRolePlayer
from concede.dialogs.formal.aware import formal_aware
from concede.dialogs.formal.hao import formal_hao
from concede.dialogs.formal.llm import LLMChooser, LLMJudge, LLMPlanner
from concede.dialogs.models.opening import open_model
from concede.engine.answer import Status
from loopback_chat import Asked, LoopbackChat, refuses, says, sends

pa = pytest.importorskip("pyarrow")

FLATS = Catalog.open(
    pa.table(
        {
            "district": ["Nord", "Nord", "Ost", "West"],
            "rent": [900, 1100, 700, 650],
            "rooms": [3, 4, 2, 2],
        }
    )
)
QUERY = Query(
    constraints=(
        Constraint(column="district", op="==", value="Nord", weight=0.8),
        Constraint(column="rent", op="<=", value=600, weight=0.2),
    )
)


def model_at(server: LoopbackChat):
    return open_model("tiny", base_url=server.url, api_key="sk-test", timeout_s=10.0)


def told(request: Asked) -> str:
    return "\n".join(str(message["content"]) for message in request.body["messages"])


def person(request: Asked):
    """Play agent and role-player, by what the prompt is about."""
    text = told(request)
    if "You play a person" in text:
        return says(
            "At most 600, but I am flexible." if "rent" in text[-80:] else "Nord, for sure."
        )
    slot = "rent" if "Find out one thing now: rent" in text else "district"
    return says(f"Which {slot} would suit you?")


def test_agent_and_role_player_hold_an_interview():
    with LoopbackChat(person) as server:
        model = model_at(server)
        session = Session(
            FLATS, agent=LLMAgent(model), weighter="lexical", slots=["district", "rent"]
        )
        proposal = interview(session, LLMRolePlayer(model, "A person."), "I need a flat")
        ledger = model.ledger.record()
    assert [message["content"] for message in session.transcript.records()][1:] == [
        "Which district would suit you?",
        "Nord, for sure.",
        "Which rent would suit you?",
        "At most 600, but I am flexible.",
    ]
    assert proposal.answer.status is Status.SAT_AFTER_RELAXATION
    assert {role: usage["calls"] for role, usage in ledger.items()} == {
        "agent": 2,
        "role-player": 2,
    }


def test_the_baselines():
    answers = [
        says(json.dumps({"choice": 1})),
        says(json.dumps({"action": "suggest", "edit": 0})),
        says(json.dumps({"agrees": True})),
    ]
    with LoopbackChat(answers) as server:
        model = model_at(server)
        aware = formal_aware(FLATS, QUERY, LLMChooser(model))
        hao = formal_hao(FLATS, QUERY, LLMPlanner(model), LLMJudge(model, "Easy-going."))
    assert aware.status is hao.status is Status.SAT_AFTER_RELAXATION
    assert len(server.asked) == 3
    assert all(request.path.endswith("/chat/completions") for request in server.asked)


HOSTILE = [
    says(""),
    says("\x00\x1b[2J" + "nonsense " * 100_000),
    says("[" * 100_000),
    says('{"choice": "DROP TABLE items", "action": {}, "agrees": "perhaps"}'),
    sends({"choices": []}),
    sends([1, 2, 3]),
    refuses(400, "bad request"),
]


@pytest.mark.parametrize("answer", HOSTILE)
def test_hostile_replies_end_in_a_choice_of_ours_or_a_clear_error(answer):
    errors: list[str] = []
    with LoopbackChat(lambda _: answer) as server:
        model = model_at(server)
        for ask in (
            lambda: formal_aware(FLATS, QUERY, LLMChooser(model)),
            lambda: formal_hao(FLATS, QUERY, LLMPlanner(model), LLMJudge(model, "?")),
        ):
            try:
                ask()
            except ModelError as error:
                errors.append(str(error))
    assert not [line for line in errors if "\n" in line or "sk-test" in line]
