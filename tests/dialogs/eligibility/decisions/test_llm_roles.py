"""Programs, questions, answers and predictions by a chat model: scripted, and over the wire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from concede.catalogs.errors import BadReply
from concede.dialogs.eligibility.decisions.agent import DecisionAgent
from concede.dialogs.eligibility.decisions.baselines import (
    DirectDecider,
    RandomDecider,
    ReActDecider,
)
from concede.dialogs.eligibility.decisions.cross_check import CrossCheck
from concede.dialogs.eligibility.decisions.llm_roles import (
    LLMAnswerParser,
    LLMQuestionWriter,
    written_by,
)
from concede.dialogs.eligibility.keys import SIZE, Key, KeyTable, Slot
from concede.dialogs.eligibility.roles import Question
from concede.dialogs.eligibility.rules.synthesis import synthesise, synthesise_all
from concede.dialogs.eligibility.sandbox.running import open_sandbox
from concede.dialogs.models.chat_model import Request
from concede.dialogs.models.opening import open_model
from concede.dialogs.models.scripted import ScriptedModel
from loopback_chat import Asked, LoopbackChat, says

KEYS = KeyTable.of([Key("age", "int", high=120, description="age in years")])

OLD = {"source": "def eligible(hh):\n    return hh[0]['age'] > 60\n", "keys": []}
TOWN = {
    "source": (
        "```python\ndef eligible(hh):\n    return hh['town'] == 'here' and hh[0]['age'] > 20\n```"
    ),
    "keys": [
        {"name": "town", "kind": "choice", "level": "household", "values": ["here", "there"]},
        {"name": "age", "kind": "float", "description": "another age"},
        {"name": "unused", "kind": "nonsense"},
    ],
}


def by_role(replies: Mapping[str, Any]) -> ScriptedModel:
    """A model that gives each role its replies in order, the last one for ever."""
    left = {role: list(texts) for role, texts in replies.items()}

    def answer(request: Request) -> str:
        texts = left[request.role]
        reply = texts.pop(0) if len(texts) > 1 else texts[0]
        return reply if isinstance(reply, str) else json.dumps(reply)

    return ScriptedModel(answer)


def test_a_program_is_written_with_the_keys_there_are() -> None:
    written = synthesise("town", "You live here.", by_role({"programmer": [TOWN]}), KEYS)
    assert written.program.origin == "model"
    assert [key.name for key in written.keys] == ["age", "town"]
    assert written.keys.key("age").kind == "int"
    assert written.keys.key("town").values == ("here", "there")


def test_a_program_that_is_refused_goes_back_with_the_reason() -> None:
    requests: list[str] = []
    replies = [{"source": "import os"}, {"source": "def eligible(hh):\n    return hh['x']"}, OLD]

    def answer(request: Request) -> str:
        requests.append(request.messages[-1].content)
        return json.dumps(replies[len(requests) - 1])

    written = synthesise("old", "You are over 60.", ScriptedModel(answer), KEYS)
    assert written.program.keys == ("age",)
    assert "import is not allowed" in requests[1]
    assert "no key 'x'" in requests[2]


def test_no_usable_program_is_an_error() -> None:
    with pytest.raises(BadReply, match="no usable program for 'p' in 3 attempts"):
        synthesise("p", "…", by_role({"programmer": [{"source": "import os"}]}), KEYS)


def test_the_programs_of_a_text_share_their_keys() -> None:
    text = "# First\nYou live here.\n\n# Second\nYou are over 60 and live here.\n"
    first: dict[str, Any] = TOWN | {"keys": [TOWN["keys"][0], {"name": "age", "kind": "int"}]}
    programs = synthesise_all(text, by_role({"programmer": [first, OLD]}))
    assert [program.name for program in programs] == ["First", "Second"]
    assert [key.name for key in programs.keys] == ["town", "age"]


def test_a_conversation_with_models_in_every_role() -> None:
    model = by_role(
        {
            "programmer": [OLD],
            "questioner": ["May I ask your age?"],
            "reader": ["no idea", {"facts": [{"slot": "0.age", "value": "70"}]}],
        }
    )
    written = synthesise("old", "You are over 60.", model, KEYS)
    with open_sandbox("subprocess") as sandbox:
        agent = DecisionAgent(
            [written.program], written.keys, cross_check=CrossCheck(sandbox), **written_by(model)
        )
        question = agent.next_question()
        assert question is not None
        assert question.text == "May I ask your age?"
        agent.observe("seventy")
        assert agent.decisions()["old"].eligible is True


def test_what_a_model_reads_is_checked() -> None:
    heard = {
        "facts": [
            {"slot": "0.age", "value": 70},
            {"slot": "1.age", "value": 700},
            {"slot": "0.nothing", "value": 1},
            {"slot": "len(hh)", "value": 2},
        ],
        "unknown": ["1.age", "x"],
        "names": [{"person": 1, "name": "Bo"}, {"person": 99, "name": "No"}],
    }
    parser = LLMAnswerParser(by_role({"reader": [heard]}))
    parsed = parser.parse(Question("?", (SIZE,), (SIZE.key, "age")), "…", KEYS, {}, {})
    assert parsed.facts == {Slot(0, "age"): 70, SIZE: 2}
    assert parsed.unknown == (Slot(1, "age"),)
    assert parsed.names == {1: "Bo"}


def test_a_reply_that_cannot_be_read_says_nothing() -> None:
    parser = LLMAnswerParser(by_role({"reader": ["I would rather not."]}))
    parsed = parser.parse(Question("?", (Slot(0, "age"),), ("age",)), "…", KEYS, {}, {})
    assert not parsed.facts


PROGRAMS = {"Bread": "For bakers.", "Iron": "For smiths."}


def held(decider: DirectDecider | ReActDecider, answer: str = "I bake.") -> list[str]:
    questions: list[str] = []
    while (question := decider.next_question()) is not None:
        questions.append(question.text)
        decider.observe(answer)
    return questions


def steps(*replies: str) -> ScriptedModel:
    return by_role({"decider": list(replies)})


def test_direct_prompting_asks_until_it_is_ready_and_predicts() -> None:
    model = steps("What do you do?", "False", "Since when?", "True.", "[true, false]")
    decider = DirectDecider(PROGRAMS, model)
    assert held(decider) == ["What do you do?", "Since when?"]
    assert {name: decision.eligible for name, decision in decider.decisions().items()} == {
        "Bread": True,
        "Iron": False,
    }
    assert decider.turns == 2
    assert len(decider.transcript) == 4


def test_react_thinks_first_and_the_last_word_counts() -> None:
    model = steps(
        "True would be early. Question: What do you do?",
        "It is true that bakers bake. True",
        "Bread fits a baker.",
        "[true, false]",
    )
    decider = ReActDecider(PROGRAMS, model)
    assert held(decider) == ["What do you do?"]
    assert decider.decisions()["Bread"].eligible is True


def test_whoever_is_never_ready_is_stopped() -> None:
    decider = DirectDecider(PROGRAMS, steps("Hm?", "maybe"), max_questions=3)
    assert len(held(decider)) == 3


def test_a_prediction_of_the_wrong_length_decides_nothing() -> None:
    decider = DirectDecider(PROGRAMS, steps("[true]"), max_questions=0)
    assert [decision.eligible for decision in decider.decisions().values()] == [None, None]


def test_chance_is_the_same_for_the_same_seed() -> None:
    names = [f"p{at}" for at in range(200)]
    decisions = RandomDecider(names, 7).decisions()
    assert decisions == RandomDecider(names, 7).decisions()
    assert decisions != RandomDecider(names, 8).decisions()
    assert 60 < sum(decision.eligible is True for decision in decisions.values()) < 140
    assert RandomDecider(names).next_question() is None


def test_the_wire() -> None:
    """The real client against a server of our own: synthesis and a question."""

    def reply(request: Asked) -> Any:
        text = "\n".join(str(message["content"]) for message in request.body["messages"])
        return says(json.dumps(OLD) if "eligible(hh)" in text else "How old are you, please?")

    with LoopbackChat(reply) as server:
        model = open_model("tiny", base_url=server.url, api_key="sk-test", timeout_s=10.0)
        written = synthesise("old", "You are over 60.", model, KEYS)
        writer = LLMQuestionWriter(model)
        agent = DecisionAgent([written.program], written.keys, writer=writer)
        question = agent.next_question()
    assert question is not None
    assert question.text == "How old are you, please?"
