"""The roles of a dialogue: the person who answers on demand, and all of them on a model."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest

from concede import Catalog
from concede.bench.mapsat.agents import QUESTION, OfflineAgent
from concede.bench.mapsat.dialogue import MOST_TURNS, Turn, converse
from concede.bench.mapsat.items import Items
from concede.bench.mapsat.judge import ModelJudge, OfflineJudge, judged
from concede.bench.mapsat.runner import Roles, held, offline_roles
from concede.bench.mapsat.scores import Verdict
from concede.bench.mapsat.task import Task, task_of
from concede.bench.mapsat.tool_agent import MOST_EQUAL, MOST_STEPS, ToolAgent
from concede.bench.mapsat.user import FINISHED, ModelUser, OfflineUser
from concede.catalogs.errors import BadReply
from concede.dialogs.models.chat_model import Request
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.transcripts.transcript import Message
from mapsat_tasks import town_items, town_tasks


def task(**changes: Any) -> Task:
    return task_of(town_tasks()[0].record() | changes)


INTENT = "I am looking for a cafe. I want price at most 20. I want brand Ada. 希望安静一点。"
ASKED = task(query="I am looking for a cafe.", full_intent=INTENT)


def answer(*said: str) -> str:
    messages = [Message("user", ASKED.query)]
    for at, text in enumerate(said):
        messages.append(Message("user" if at % 2 else "assistant", text))
    return OfflineUser().reply(ASKED, messages)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which brand do you prefer?", "I want brand Ada."),
        ("What price, and which brand?", "I want price at most 20. I want brand Ada."),
        ("Please tell me the price you have in mind.", "I want price at most 20."),
        ("需要安静吗?", "希望安静一点。"),
    ],
)
def test_who_is_asked_answers_that_alone(question: str, expected: str):
    assert answer(question) == expected


def test_an_open_question_gets_what_was_left_out():
    assert answer("Anything else?") == INTENT.removeprefix("I am looking for a cafe. ")


@pytest.mark.parametrize(
    "said",
    [
        ("I suggest p7, which is not what you want.",),
        ("Which colour?",),
        ("Please click the link. Would you?",),
        ("Which brand?", "I want brand Ada.", "Which brand?"),
    ],
)
def test_a_dialogue_ends_where_there_is_nothing_to_say(said: tuple[str, ...]):
    last = answer(*said)
    assert last.endswith(FINISHED)
    assert "Ada" not in last
    assert "20" not in last


def test_who_finds_no_evidence_asks_once_and_is_told():
    table = pa.table({"id": ["a", "b", "c"], "kind": ["cafe"] * 3, "brand": ["Bo", "Ada", "Bo"]})
    items = Items(Catalog.open(table), "id")
    nothing = {"history": [], "implicit": [], "facts": [], "context": {"time": "2026-05-01"}}
    said = {"query": "A cafe, please.", "full_intent": "I want brand Ada."}
    explicit = {"explicit": [{"column": "kind", "op": "==", "value": "cafe"}]}
    dialogue = converse(
        OfflineAgent("evidence", items), OfflineUser(), task(**nothing, **said, **explicit)
    )
    texts = [message.content for message in dialogue.messages]
    assert texts[1:3] == [QUESTION, "I want brand Ada."]
    assert dialogue.last_offer is not None
    assert dialogue.last_offer.item == "b"
    assert len(dialogue.turns) == 2


class Talker:
    name = "talker"

    def turn(self, task: Task, said: object) -> Turn:
        return Turn("Which brand, and what price, and what else?")


class Answerer:
    def reply(self, task: Task, said: object) -> str:
        return "Let us talk on."


def test_a_dialogue_that_does_not_end_is_broken_off():
    dialogue = converse(Talker(), Answerer(), ASKED)
    assert len(dialogue.turns) == MOST_TURNS
    verdict = OfflineJudge(town_items()).verdict(dialogue)
    assert not any((*verdict.explicit, *verdict.credits, *verdict.facts))


def test_what_is_made_up_is_no_fact():
    items, asked = town_items(), town_tasks()[0]
    made_up = Turn("I suggest it.", item=items.keys[0], facts={asked.facts[0].column: "nonsense"})

    class Liar:
        name = "liar"

        def turn(self, task: Task, said: object) -> Turn:
            return made_up

    found = held(offline_roles(Liar(), items), asked)
    assert found.verdict.facts[0] is False
    assert all(found.verdict.facts[1:])
    assert found.scores.ts == 0


def steps(*said: dict[str, Any]) -> ScriptedModel:
    return ScriptedModel([json.dumps(step) for step in said])


CALL = {"action": "call", "tool": "search_user_action_summary", "arguments": {"uid": "t0001"}}


def test_a_model_calls_tools_asks_and_offers():
    items, asked = town_items(), town_tasks()[0]
    search = {
        "action": "call",
        "tool": "search_poi",
        "arguments": {"query": "cafe bar bakery books"},
    }
    unknown = {"action": "call", "tool": "no_such_tool", "arguments": {}}
    ask = {"action": "ask", "text": "Anything else?"}
    offered = {"action": "answer", "text": "Take it.", "item": items.keys[3], "facts": {}}
    agent = ToolAgent(steps(CALL, search, unknown, ask, offered), items)
    dialogue = converse(agent, OfflineUser(), asked)
    assert [each.call.tool for each in dialogue.called] == [
        "search_user_action_summary",
        "search_poi",
        "no_such_tool",
    ]
    history, found, missed = (each.reply for each in dialogue.called)
    assert [event["id"] for event in history.result] == [event["id"] for event in asked.history]
    assert found.result["pois"]
    assert missed.stage == "miss"
    assert dialogue.last_offer is not None
    assert len(dialogue.turns) == 2
    assert judged(dialogue, OfflineJudge(items).verdict(dialogue)).turns == 2


def test_an_equal_call_is_answered_three_times_at_most():
    offered = {"action": "answer", "text": "Take it.", "item": "p1"}
    agent = ToolAgent(steps(*[CALL] * (MOST_EQUAL + 1), offered), town_items())
    turn = agent.turn(town_tasks()[0], [Message("user", "?")])
    stages = [each.reply.stage for each in turn.called]
    assert stages == ["simulated"] * MOST_EQUAL + ["miss"]


def test_an_agent_that_never_ends_its_turn():
    with pytest.raises(BadReply, match="neither asks nor answers"):
        ToolAgent(steps(*[CALL] * MOST_STEPS), town_items()).turn(
            town_tasks()[0], [Message("user", "?")]
        )


@pytest.mark.parametrize("with_profile", [False, True])
def test_a_model_is_shown_nothing_of_what_is_to_be_found_out(with_profile: bool):
    asked = town_tasks()[0]
    secret = "SECRET-OF-THE-TASK"
    hidden = task_of(
        asked.record() | {"after": [{"id": secret}], "full_intent": secret, "implicit": []}
    )
    seen: list[str] = []

    def reply(request: Request) -> str:
        seen.extend(message.content for message in request.messages)
        return json.dumps({"action": "answer", "text": "Take it.", "item": "p1"})

    agent = ToolAgent(ScriptedModel(reply), town_items(), with_profile=with_profile)
    agent.turn(hidden, [Message("user", hidden.query)])
    assert secret not in "".join(seen)
    assert ("e1" in "".join(seen)) == with_profile


def test_a_model_plays_the_person_with_the_sides_turned():
    seen: list[Request] = []

    def reply(request: Request) -> str:
        seen.append(request)
        return f"No, thanks. {FINISHED}"

    user = ModelUser(ScriptedModel(reply))
    said = [Message("user", ASKED.query), Message("assistant", "Anything else?")]
    assert user.reply(ASKED, said).endswith(FINISHED)
    assert [message.role for message in seen[0].messages] == ["system", "user"]
    assert INTENT in seen[0].messages[0].content


def verdict_of(task: Task, credit: float) -> dict[str, Any]:
    return {
        "explicit": [True] * len(task.explicit),
        "implicit": [credit] * len(task.implicit),
        "facts": [True] * len(task.facts),
    }


def test_a_model_judges_three_times_and_the_majority_holds():
    asked = town_tasks()[0]
    offline = offline_roles(OfflineAgent("explicit", town_items()), town_items())
    model = steps(*(verdict_of(asked, credit) for credit in (1, 0, 1)))
    roles = Roles(offline.agent, offline.user, ModelJudge(model))
    found = held(roles, asked)
    assert found.scores.iisr == 1
    assert found.verdict == Verdict(
        (True,) * len(asked.explicit), (1.0,) * len(asked.implicit), (True,) * len(asked.facts)
    )


@pytest.mark.parametrize("credit", [0.3, 2])
def test_a_verdict_that_cannot_be(credit: float):
    asked = town_tasks()[0]
    offline = offline_roles(OfflineAgent("explicit", town_items()), town_items())
    judge = ModelJudge(steps(verdict_of(asked, credit)), times=1)
    with pytest.raises(BadReply, match="factor"):
        held(Roles(offline.agent, offline.user, judge), asked)
