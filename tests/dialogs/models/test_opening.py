"""A model from what a command line or the environment says."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest

from concede.catalogs.errors import ConcedeError, ModelError, NoReply, UnreadableFile
from concede.dialogs.models.chat_model import Request
from concede.dialogs.models.opening import endpoint_model, open_model
from concede.dialogs.models.settings import ModelSettings
from concede.dialogs.models.wrappers import UsageLedger
from loopback_chat import Answer, Asked, LoopbackChat, refuses, says

HELLO = Request.of("hello", role="agent")


def test_a_script(tmp_path: Path) -> None:
    path = tmp_path / "a:b.json"
    path.write_text('["hi"]')
    ledger = UsageLedger()
    assert open_model(f"fake:{path}", ledger=ledger).complete(HELLO).text == "hi"
    assert ledger.record()["agent"]["calls"] == 1


def test_an_endpoint_is_retried_recorded_and_played_back(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with LoopbackChat([refuses(429, retry_after="0"), says("hi")]) as server:
        model = open_model("qwen3:8b", base_url=server.url + "/", record=path)
        assert model.complete(HELLO).text == "hi"
        assert [request.body["model"] for request in server.asked] == ["qwen3:8b"] * 2
    assert model.name == f"qwen3:8b at {server.url[7:-3]}"
    assert model.ledger.record()["agent"]["calls"] == 1
    assert open_model(f"cassette:{path}").complete(HELLO).text == "hi"


def test_an_endpoint_is_asked_by_no_more_threads_than_its_limit() -> None:
    crowd = Barrier(3)

    def meet(request: Asked) -> Answer:
        # A third request has this long to come while two are answered; it must not.
        with suppress(BrokenBarrierError):
            crowd.wait(0.3)
        return says("met")

    with LoopbackChat(meet) as server:
        model = endpoint_model(
            ModelSettings.of({}, model="tiny", base_url=server.url, concurrency=2)
        )
        with ThreadPoolExecutor(6) as pool:
            replies = list(pool.map(model.complete, [HELLO] * 6))
        assert server.peak == 2
    assert {reply.text for reply in replies} == {"met"}


def test_a_cassette_is_opened_to_be_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.jsonl"
    with LoopbackChat([says("hi"), says("asked again")]) as server:
        open_model("tiny", base_url=server.url, record=path).complete(HELLO)
        recorded = path.read_bytes()
        monkeypatch.setenv("CONCEDE_BASE_URL", server.url)
        with pytest.raises(NoReply):
            open_model(f"cassette:{path}").complete(replace(HELLO, episode="another"))
        assert len(server.asked) == 1
    assert path.read_bytes() == recorded


def test_the_environment_names_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackChat([says("hi")]) as server:
        monkeypatch.setenv("CONCEDE_MODEL", "tiny")
        monkeypatch.setenv("CONCEDE_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "second")
        monkeypatch.setenv("CONCEDE_API_KEY", " first ")
        monkeypatch.setenv("CONCEDE_EXTRA_BODY", '{"chat_template_kwargs": {"think": false}}')
        assert open_model().complete(HELLO).text == "hi"
    (request,) = server.asked
    assert request.headers["authorization"] == "Bearer first"
    assert request.body["model"] == "tiny"
    assert request.body["chat_template_kwargs"] == {"think": False}


def test_arguments_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCEDE_MODEL", "fake:none.json")
    monkeypatch.setenv("CONCEDE_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "second")
    with LoopbackChat([says("hi")]) as server:
        assert open_model("tiny", base_url=server.url, api_key="mine").complete(HELLO).text == "hi"
    assert server.asked[0].headers["authorization"] == "Bearer mine"


def test_the_environment_may_name_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.json").write_text(json.dumps(["hi"]))
    monkeypatch.setenv("CONCEDE_MODEL", f"fake:{tmp_path / 's.json'}")
    assert open_model().complete(HELLO).text == "hi"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("fake:", "write fake:FILE"),
        ("cassette:", "write cassette:FILE"),
        (None, "set CONCEDE_MODEL"),
        ("", "set CONCEDE_MODEL"),
        ("tiny", "CONCEDE_API_KEY"),
        ("x" * 10_000, "bad model"),
    ],
)
def test_what_cannot_be_opened_says_why(spec: str | None, told: str) -> None:
    with pytest.raises(ModelError, match=told):
        open_model(spec)


@pytest.mark.parametrize("scheme", ["fake", "cassette"])
def test_a_file_that_is_not_there(scheme: str) -> None:
    with pytest.raises(UnreadableFile):
        open_model(f"{scheme}:none/such\0file")


SECRET = "sk-very-secret-key"
BAD: list[tuple[dict[str, Any], str]] = [
    ({"base_url": "localhost:8000"}, "CONCEDE_BASE_URL"),
    ({"base_url": "ftp://host/v1"}, "http://HOST"),
    ({"base_url": f"http://me:{SECRET}@host/v1"}, "leave out user names"),
    ({"base_url": f"http://host/v1?key={SECRET}"}, "leave out user names"),
    ({"base_url": "http://[half/v1"}, "bad base_url"),
    ({"api_key": f"{SECRET}\nX-Other: 1"}, "printable ASCII"),
    ({"api_key": f"{SECRET}ü"}, "CONCEDE_API_KEY"),
    ({"extra_body": f"[{SECRET}"}, "CONCEDE_EXTRA_BODY"),
    ({"extra_body": "[" * 100_000}, "write a JSON object"),
    ({"extra_body": "3"}, "write a JSON object"),
    ({"timeout_s": 0}, "CONCEDE_TIMEOUT"),
    ({"timeout_s": "soon"}, "CONCEDE_TIMEOUT"),
    ({"timeout_s": float("nan")}, "CONCEDE_TIMEOUT"),
    ({"attempts": 10**6}, "bad attempts"),
    ({"colour": SECRET}, "bad colour"),
]


@pytest.mark.parametrize(("given", "told"), BAD, ids=range(len(BAD)))
def test_bad_settings_are_named_and_not_shown(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ConcedeError, match=told) as caught:
        ModelSettings.of({}, model="tiny", **given)
    error: BaseException | None = caught.value
    while error is not None:
        assert SECRET not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__


def test_the_environment_is_read_as_arguments_are() -> None:
    environ = {
        "CONCEDE_MODEL": "tiny",
        "OPENAI_BASE_URL": "https://host/v1/",
        "CONCEDE_TIMEOUT": "2.5",
        "CONCEDE_API_KEY": "  ",
    }
    settings = ModelSettings.of(environ)
    assert (settings.base_url, settings.timeout_s) == ("https://host/v1", 2.5)
    assert settings.api_key is None
