"""Agents at a URL: what they are sent, and what becomes of one that is dead or hostile."""

import json
import socket

import pytest

from clarq_data import kite, turns
from concede.catalogs.errors import AgentError, QueryError
from concede.dialogs.information_seeking.http_agents import (
    MAX_BODY,
    Endpoint,
    HTTPProvider,
    HTTPSeeker,
)
from concede.dialogs.information_seeking.task import ProviderReply
from loopback_chat import Answer, LoopbackChat, refuses, sends

START = turns("Hi?", "How?", "Take the kite to the beach.")
ASKED = (*START, *turns("", "Which beach?")[1:])


def test_a_seeker_is_sent_what_it_may_know():
    with LoopbackChat([sends({"text": "Which beach?", "more": 1})]) as server:
        said = HTTPSeeker(Endpoint(server.url)).say(kite(), START)
    assert said == "Which beach?"
    (asked,) = server.asked
    assert asked.path == "/v1"
    assert asked.body["turns"][1] == {"speaker": "seeker", "text": "How?"}
    assert set(asked.body["task"]) == {
        "id", "lang", "role", "goal", "items", "skills", "scenes", "background"
    }  # fmt: skip
    assert asked.body["task"]["scenes"] == ["Long Beach", "Short Beach (closed)"]


def test_a_provider_is_sent_the_tree_and_its_text_counts():
    answers = [
        sends({"text": "Hello."}),
        sends({"text": "Long Beach has wind!", "released": ["2"]}),
        sends({"text": "It hangs in the shed. Long beach has wind.", "released": []}),
    ]
    with LoopbackChat(answers) as server:
        provider = HTTPProvider(Endpoint(server.url))
        assert provider.reply(kite(), ()) == ProviderReply("Hello.")
        assert provider.reply(kite(), ASKED).released == ("2",)
        assert provider.reply(kite(), ASKED).released == ("1.1", "2")
    assert server.asked[0].body["turns"] == []
    assert server.asked[0].body["task"]["responses"][1] == {
        "node": "1", "parent": "0", "text": "The blue kite is the light one.", "purpose": "which"
    }  # fmt: skip


HOSTILE = {
    "1 MB": (sends({"text": "x" * 1_000_000}), f"more than {MAX_BODY:,} bytes"),
    "long text": (sends({"text": "x" * 50_000}), "a text of 50,000 characters"),
    "no JSON": (Answer(b"<html>"), "sent no JSON"),
    "no UTF-8": (Answer(b'{"text": "\xff"}'), "sent no JSON"),
    "deep": (Answer(b"[" * 100_000), "sent no JSON"),
    "a list": (sends(["text"]), r"sent \['text'\]"),
    "no text": (sends({"released": []}), "sent text None"),
    "empty text": (sends({"text": " "}), "sent text ' '"),
    "a number": (sends({"text": 5}), "sent text 5"),
    "unknown node": (sends({"text": "x", "released": ["9"]}), "released node '9'; task 01-0 has 0"),
    "no list": (sends({"text": "x", "released": "1"}), "sent released '1'"),
    "no nodes": (sends({"text": "x", "released": [{"node": "1"}]}), "released node {'node'"),
    "redirect": (Answer(b"", 302, {"Location": "http://127.0.0.1:9/"}), "answered 302"),
    "error": (refuses(500), "answered 500"),
    "broken off": (Answer(b'{"te', promised=90), "sent no JSON|gave no answer"),
}


@pytest.mark.parametrize(("answer", "told"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_answer_is_told_in_one_line(answer: Answer, told: str):
    with LoopbackChat([answer]) as server, pytest.raises(AgentError, match=told) as raised:
        HTTPProvider(Endpoint(server.url)).reply(kite(), ASKED)
    assert raised.value.exit_code == 4
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400
    assert len(server.asked) == 1


def test_nobody_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
    with pytest.raises(AgentError, match="gave no answer"):
        HTTPSeeker(Endpoint(url)).say(kite(), START)


def test_one_that_takes_too_long():
    late = iter([0.0, 100.0, 200.0])
    with LoopbackChat([sends({"text": "at last"})]) as server:
        endpoint = Endpoint(server.url, timeout_s=50.0, clock=lambda: next(late))
        with pytest.raises(AgentError, match="took longer than 50 s"):
            HTTPSeeker(endpoint).say(kite(), START)


def test_characters_that_no_file_holds_are_replaced():
    with LoopbackChat([Answer(json.dumps({"text": "a\x00\ud800b"}).encode())]) as server:
        assert HTTPSeeker(Endpoint(server.url)).say(kite(), START) == "a��b"


@pytest.mark.parametrize(
    "url",
    ["ftp://a/", "http://", "http://user:secret@host/", "http://h ost/", "file:///etc/passwd",
     "http://a:99999/", "http://[::1/"],
)  # fmt: skip
def test_what_is_no_url_for_agents(url: str):
    with pytest.raises(QueryError, match="write http"):
        Endpoint(url)
