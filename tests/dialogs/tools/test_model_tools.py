"""Replies that a model makes up: asked once, shown the shape of a recorded one."""

from __future__ import annotations

import json

from concede.dialogs.models.chat_model import Reply, Request
from concede.dialogs.tools.calls import RecordedCall, ToolCall
from concede.dialogs.tools.model_tools import LONGEST_EXAMPLE, ModelTools

RECORD = RecordedCall(case="a", tool="get_rgeo", arguments={"x": 1}, result={"city": "Ningbo"})


class Counting:
    """A model that says how often it was asked."""

    name = "counting"

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = texts, list[Request]()

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        text = self.texts[0] if self.texts else json.dumps({"result": {"n": len(self.asked)}})
        return Reply(text)


def test_the_same_call_is_asked_once():
    model = Counting()
    tools = ModelTools(model, [RECORD])
    first = tools.result(ToolCall("get_rgeo", {"x": 2, "y": 3}))
    assert first == {"n": 1}
    assert tools.result(ToolCall("get_rgeo", {"y": 3, "x": 2})) == first
    assert tools.result(ToolCall("get_rgeo", {"x": 2})) == {"n": 2}
    said = model.asked[0].messages[-1].content
    assert '"city": "Ningbo"' in said
    assert "Say what lies at a point" in said


def test_what_cannot_be_read_is_nothing():
    tools = ModelTools(Counting("no idea"))
    assert tools.result(ToolCall("get_rgeo", {})) is None


def test_an_example_is_cut():
    long = RecordedCall(case="a", tool="t", arguments={}, result="x" * 10_000)
    model = Counting()
    ModelTools(model, [long]).result(ToolCall("t", {}))
    assert "x" * LONGEST_EXAMPLE not in model.asked[0].messages[-1].content
