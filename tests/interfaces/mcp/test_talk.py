"""The tool `talk`: a conversation, a turn a call."""

from __future__ import annotations

from agents import call, complaint
from concede import Catalog
from concede.interfaces.mcp.talk import MAX_CONVERSATIONS, TalkTool
from concede.interfaces.mcp.tools import CatalogTools


def test_a_conversation_goes_on_by_its_name(server):
    first = call(server, "talk", {"text": "price at most 40"}).structured_content
    assert first["query"]["constraints"][0]["column"] == "price"
    assert "price at most 40" in first["explanation"]
    assert first["asked"]
    said = {"text": "why do you ask?", "conversation": first["conversation"]}
    second = call(server, "talk", said).structured_content
    assert second["acts"] == ["ask"]
    assert "I ask about" in second["explanation"]
    assert second["query"] == first["query"]
    said["text"] = "show me what you have"
    third = call(server, "talk", said).structured_content
    assert len(third["items"]) == 4
    said["text"] = "I'll take the first one"
    assert call(server, "talk", said).structured_content["accepted"] == third["items"][0]


def test_a_conversation_that_is_not_there(server):
    reply = call(server, "talk", {"text": "hi", "conversation": "x"})
    assert "no conversation" in complaint(reply)


def test_the_oldest_conversation_is_forgotten(lamps_file):
    tool = TalkTool(CatalogTools(Catalog.open(lamps_file), deadline=5.0))
    for _ in range(MAX_CONVERSATIONS + 3):
        tool._found("")
    assert len(tool._sessions) == MAX_CONVERSATIONS
