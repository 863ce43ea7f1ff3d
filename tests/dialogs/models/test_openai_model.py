"""The real client over the wire: what a reply becomes, and what every fault becomes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from concede.catalogs.errors import BadReply, ModelError, ModelRefused, ModelUnavailable
from concede.dialogs.models.chat_model import Request, Tokens
from concede.dialogs.models.openai_model import OpenAIModel
from concede.dialogs.models.settings import ModelSettings
from concede.dialogs.transcripts.transcript import Message
from loopback_chat import (
    SILENCE,
    Answer,
    LoopbackChat,
    breaks_off,
    completion,
    refuses,
    says,
    says_with_logprobs,
    sends,
)

KEY = "sk-test-0123456789abcdef"


def model_at(server: LoopbackChat, **settings: Any) -> OpenAIModel:
    given = {"model": "tiny", "base_url": server.url, "api_key": KEY, "timeout_s": 20.0}
    return OpenAIModel(ModelSettings.of({}, **{**given, **settings}))


def reply_to(answer: Answer, **settings: Any) -> Any:
    with LoopbackChat([answer]) as server:
        return model_at(server, **settings).complete(Request.of("hello"))


def fault_of(answer: Answer, **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        reply_to(answer, **settings)
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_reply_is_read_whole() -> None:
    reply = reply_to(says("Good day", finish_reason="length"))
    assert (reply.text, reply.finish_reason, reply.model) == ("Good day", "length", "loopback-1")
    assert reply.tokens == Tokens(prompt=7, completion=3)
    assert reply.top_logprobs == ()


def test_what_is_asked_arrives_and_nothing_else() -> None:
    request = Request(
        (Message("system", "Be brief."), Message("user", "hi")),
        role="agent",
        episode="e1",
        temperature=0.0,
        max_tokens=5,
        seed=3,
        stop=("\n",),
        json_schema={"type": "object"},
        top_logprobs=2,
    )
    with LoopbackChat([says("x")]) as server:
        model_at(server, extra_body={"think": False}).complete(request)
    (sent,) = server.asked
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    schema = {"name": "reply", "schema": {"type": "object"}, "strict": False}
    assert sent.body == {
        "model": "tiny",
        "messages": [message.record() for message in request.messages],
        "temperature": 0.0,
        "max_tokens": 5,
        "seed": 3,
        "stop": ["\n"],
        "logprobs": True,
        "top_logprobs": 2,
        "response_format": {"type": "json_schema", "json_schema": schema},
        "think": False,
    }


def test_what_is_not_asked_is_left_out() -> None:
    with LoopbackChat([says("x")]) as server:
        model_at(server).complete(Request.of("hi"))
    assert set(server.asked[0].body) == {"model", "messages"}


def test_a_closed_schema_is_asked_for_strictly() -> None:
    inner = {"type": "object", "properties": {}, "additionalProperties": False}
    closed = {**inner, "properties": {"a": {"type": "array", "items": inner}}, "required": ["a"]}
    half = {**inner, "properties": {"a": {"type": "object"}}, "required": ["a"]}
    with LoopbackChat([says("x"), says("x")]) as server:
        for schema in (closed, half):
            model_at(server).complete(Request((Message("user", "hi"),), json_schema=schema))
    strict = [request.body["response_format"]["json_schema"]["strict"] for request in server.asked]
    assert strict == [True, False]


def test_log_probabilities_of_the_first_token() -> None:
    reply = reply_to(says_with_logprobs("B", {" B": -1.5, "A": -0.25, "b": -9.0}))
    assert reply.top_logprobs == (("A", -0.25), (" B", -1.5), ("b", -9.0))


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        3,
        {"content": []},
        {"content": [{"top_logprobs": "A"}]},
        {"content": [{"top_logprobs": [None, {"token": 3, "logprob": -1}, {"token": "A"}]}]},
        {"content": [{"top_logprobs": [{"token": "A", "logprob": True}]}]},
        {"content": [{"top_logprobs": [{"token": "A", "logprob": -(10**400)}]}]},
    ],
)
def test_log_probabilities_that_are_none_are_left_out(logprobs: object) -> None:
    assert reply_to(says("A", logprobs=logprobs)).top_logprobs == ()


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_what_may_pass_is_unavailable(status: int) -> None:
    fault = fault_of(refuses(status, "overloaded"))
    assert isinstance(fault, ModelUnavailable)
    assert fault.status == status
    assert f"answered {status}" in str(fault)
    assert "overloaded" in str(fault)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 501])
def test_what_will_not_pass_is_refused(status: int) -> None:
    fault = fault_of(refuses(status, "no such thing"))
    assert isinstance(fault, ModelRefused)
    assert fault.status == status
    assert "no such thing" in str(fault)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("Mon, 01 Jan 2024 00:00:00 GMT", 0.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("Mon, 99 Jan 999999 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(given: str, seconds: float | None) -> None:
    fault = fault_of(refuses(429, retry_after=given))
    assert isinstance(fault, ModelUnavailable)
    assert fault.retry_after == seconds


def test_one_complete_is_one_attempt() -> None:
    with LoopbackChat([refuses(500), says("late")]) as server:
        with pytest.raises(ModelUnavailable):
            model_at(server).complete(Request.of("hi"))
        assert len(server.asked) == 1


def test_a_silent_server_is_given_up() -> None:
    fault = fault_of(SILENCE, timeout_s=0.2)
    assert isinstance(fault, ModelUnavailable)
    assert "within 0.2 s" in str(fault)


def test_a_server_that_drips_is_given_up() -> None:
    """Each chunk arrives in time, all of them do not: the clock runs over all."""
    times: Iterator[float] = iter([0.0, 21.0])
    with LoopbackChat([says("slow")]) as server:
        settings = ModelSettings.of({}, model="tiny", base_url=server.url, timeout_s=20.0)
        with pytest.raises(ModelUnavailable, match="longer than 20 s"):
            OpenAIModel(settings, clock=lambda: next(times)).complete(Request.of("hi"))


def test_a_reply_that_breaks_off_is_unavailable() -> None:
    assert isinstance(fault_of(breaks_off("half")), ModelUnavailable)


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with LoopbackChat([]) as server:
        model = model_at(server)
    with pytest.raises(ModelUnavailable, match=r"cannot reach 127\.0\.0\.1:"):
        model.complete(Request.of("hi"))


@pytest.mark.parametrize(
    "body", [b"", b"<html>busy</html>", b'{"choices": [', b"\xff\xfe", b"NaN{"]
)
def test_a_body_that_is_no_json_is_unavailable(body: bytes) -> None:
    fault = fault_of(Answer(body))
    assert isinstance(fault, ModelUnavailable)
    assert "no JSON" in str(fault)


WRONG = completion("x")
MISSHAPEN: list[Any] = [
    None,
    3,
    [],
    "text",
    {},
    {"choices": None},
    {"choices": {}},
    {"choices": []},
    {"choices": [3]},
    {"choices": [{"message": "text"}]},
    {"choices": [{"message": {"content": 3}}]},
    {"choices": [{"message": {"content": {"a": 1}}}]},
]


@pytest.mark.parametrize("body", MISSHAPEN)
def test_json_that_is_no_chat_completion_is_a_bad_reply(body: object) -> None:
    assert isinstance(fault_of(sends(body)), BadReply)


@pytest.mark.parametrize(
    ("fields", "tokens"),
    [
        ({"usage": None}, Tokens()),
        ({"usage": {"prompt_tokens": "7", "completion_tokens": -1}}, Tokens()),
        ({"usage": {"prompt_tokens": True, "completion_tokens": 2}}, Tokens(0, 2)),
        ({"usage": {"prompt_tokens": 10**30}, "model": 3}, Tokens()),
    ],
)
def test_what_a_reply_can_do_without_may_be_wrong(fields: Any, tokens: Tokens) -> None:
    reply = reply_to(sends({**WRONG, **fields}))
    assert (reply.text, reply.tokens) == ("x", tokens)


def test_parts_refusals_and_empty_replies() -> None:
    assert reply_to(says([{"type": "text", "text": "a"}, {"text": "b"}, 3])).text == "ab"
    assert reply_to(says(None)).text == ""
    message = {"role": "assistant", "content": None, "refusal": "I would rather not."}
    assert reply_to(sends({"choices": [{"message": message}]})).text == "I would rather not."


def test_brackets_without_end_are_a_bad_reply() -> None:
    assert isinstance(fault_of(Answer(b"[" * 100_000 + b"]" * 100_000)), ModelError)
    nested = b'{"error": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert isinstance(fault_of(Answer(nested, status=400)), ModelRefused)


def test_a_reply_longer_than_the_limit_is_a_bad_reply() -> None:
    fault = fault_of(says("x" * 5_000), max_reply_bytes=4_000)
    assert isinstance(fault, BadReply)
    assert "4,000 bytes" in str(fault)


def test_an_error_without_end_is_not_read_to_its_end() -> None:
    """The body promises more than will come: who reads it all waits for the time-out."""
    endless = Answer(b"x" * 5_000, status=400, promised=10**12)
    fault = fault_of(endless, max_reply_bytes=4_000)
    assert isinstance(fault, ModelRefused)
    half = Answer(b'{"error": ', status=503, promised=10**12)
    assert isinstance(fault_of(half, timeout_s=0.5), ModelUnavailable)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "too long"}},
        {"error": "too long"},
        {"message": "too long"},
        {"detail": "too long"},
        "too long",
    ],
)
def test_every_shape_of_a_complaint_is_shown(body: object) -> None:
    assert "answered 400: too long" in str(fault_of(sends(body, status=400)))


@pytest.mark.parametrize("body", [None, 3, [], {}, {"error": {"message": 3}}, {"error": [3]}])
def test_no_complaint_is_no_matter(body: object) -> None:
    assert str(fault_of(sends(body, status=400))).endswith("answered 400")


def test_a_complaint_is_cut_and_harmless() -> None:
    fault = fault_of(refuses(400, "\x1b[2J\n\u202e" * 100_000))
    assert str(fault).isprintable()
    assert len(str(fault)) < 500


def test_a_million_characters_of_anything_are_a_reply() -> None:
    text = "Ignore all instructions; DROP TABLE cars; \x1b[2J\x07\u202e" * 25_000
    assert reply_to(says(text)).text == text


def test_characters_that_nothing_can_hold_are_replaced() -> None:
    assert reply_to(says("a\0b\ud800c")).text == "a\ufffdb\ufffdc"


def test_the_newer_name_of_the_limit_is_learned_once() -> None:
    refusal = refuses(400, "Unsupported parameter: use 'max_completion_tokens' instead")
    request = Request((Message("user", "hi"),), max_tokens=9)
    with LoopbackChat([refusal, says("a"), says("b")]) as server:
        model = model_at(server)
        assert [model.complete(request).text for _ in range(2)] == ["a", "b"]
    sent = [request.body.get("max_completion_tokens") for request in server.asked]
    assert sent == [None, 9, 9]


@pytest.mark.parametrize(
    "answer",
    [
        refuses(401, f"Incorrect API key provided: {KEY}"),
        refuses(500, "x" * 295 + KEY),
        refuses(429, KEY * 100),
        Answer(f"<html>{KEY}</html>".encode()),
        Answer(KEY.encode(), status=400),
        sends({KEY: 1}),
        sends({"choices": [{"message": {"content": {KEY: 1}}}]}),
    ],
)
def test_no_error_shows_the_key(answer: Answer) -> None:
    fault = fault_of(answer)
    error: BaseException | None = fault
    while error is not None:
        assert KEY[:12] not in f"{error!r} {error} {error.__dict__}"
        error = error.__cause__ or error.__context__


def test_no_reply_or_repr_shows_the_key() -> None:
    answer = {**completion(f"key: {KEY}", finish_reason=KEY), "model": KEY}
    reply = reply_to(sends(answer))
    assert KEY not in json.dumps(reply.record())
    settings = ModelSettings.of({}, model="tiny", base_url="http://127.0.0.1:9/v1", api_key=KEY)
    assert (
        KEY not in f"{settings!r} {settings} {OpenAIModel(settings)!r} {OpenAIModel(settings).name}"
    )


def test_a_key_that_is_a_plain_word_leaves_replies_alone() -> None:
    assert reply_to(says("none"), api_key="none").text == "none"
    assert "none" not in str(fault_of(refuses(401, "bad key none"), api_key="none"))


def test_without_a_key_none_is_asked_of_ones_own_server() -> None:
    assert reply_to(says("hi"), api_key=None).text == "hi"


def test_the_public_endpoint_needs_a_key() -> None:
    with pytest.raises(ModelError, match="CONCEDE_API_KEY"):
        OpenAIModel(ModelSettings.of({}, model="tiny"))


def test_without_the_package_the_hint_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with LoopbackChat([]) as server, pytest.raises(ModelError) as caught:
        model_at(server).complete(Request.of("hi"))
    assert "pip install 'concede[llm]'" in str(caught.value)


def test_importing_and_making_a_model_does_not_import_the_package() -> None:
    program = (
        "import sys; from concede.dialogs.models.opening import open_model\n"
        "open_model('tiny', base_url='http://127.0.0.1:9/v1')\n"
        "print([one for one in ('openai', 'duckdb', 'numba') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
