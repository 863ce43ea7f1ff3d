"""The tool `understand`: a user's words as arguments of the other tools, by a scripted model."""

import json

import pytest

from agents import call, complaint
from concede.dialogs.extraction.llm import LLMExtractor
from concede.dialogs.models.scripted import ScriptedModel
from concede.interfaces.mcp.server import create_server

TEXT = "A red lamp and nothing else, the cheapest, rather bright; any room; with zing"
REPLY = {
    "constraints": [{"column": "colour", "op": "==", "value": "red", "quote": "red", "hard": True}],
    "objectives": [{"column": "price", "direction": "min", "quote": "cheapest"}],
    "leanings": [{"column": "watts", "direction": "max", "quote": "rather bright"}],
    "waived": [{"column": "room", "quote": "any room"}],
    "not_understood": ["zing"],
}


@pytest.fixture
def understood(lamps):
    model = ScriptedModel(lambda request: json.dumps(REPLY))
    server = create_server(lamps, reader=LLMExtractor(model))
    return server, call(server, "understand", {"text": TEXT})


def test_it_says_what_was_understood_and_what_was_not(understood):
    words = understood[1].content[0].text
    for part in ("colour = red (must)", "rather watts ≥", "price as low as possible"):
        assert part in words
    assert "No wish about room." in words
    assert "Not understood: “zing”." in words


def test_its_reply_goes_to_the_other_tools(understood):
    server, reply = understood
    content = reply.structured_content
    assert content["not_understood"] == ["zing"]
    assert content["waived"] == ["room"]
    assert content["chance"] == 0
    wishes = {name: content[name] for name in ("constraints", "minimize", "maximize")}
    for tool in ("search", "repair"):
        assert not call(server, tool, wishes).is_error
    items = call(server, "repair", wishes).structured_content["items"]
    assert items[0]["row"]["colour"] == "red"


def test_without_a_model_it_reads_by_itself(server):
    content = call(server, "understand", {"text": "something red"}).structured_content
    assert [(part["column"], part["value"]) for part in content["constraints"]] == [
        ("colour", "red")
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"text": "x", "slot": "colur"}, "colur"),
        ({"text": "x", "today": "soon"}, "today"),
        ({"text": "x" * 10_001}, "text"),
        ({}, "text"),
    ],
)
def test_bad_arguments_are_one_line(server, arguments, said):
    assert said in complaint(call(server, "understand", arguments))


def test_talk_is_read_by_the_same_reader(understood):
    server, _ = understood
    reply = call(server, "talk", {"text": TEXT}).structured_content
    wishes = [*reply["query"]["base"], *reply["query"]["constraints"]]
    assert "red" in [part["value"] for part in wishes]
