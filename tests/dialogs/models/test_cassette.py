"""What was recorded comes back, to the same questions only, also after a crash."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from pydantic import BaseModel

from concede.catalogs.errors import ModelError, ModelUnavailable, NoReply, UnreadableFile
from concede.dialogs.models.cassette import CassetteModel
from concede.dialogs.models.chat_model import Reply, Request, Tokens
from concede.dialogs.models.openai_model import OpenAIModel
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.models.settings import ModelSettings
from concede.dialogs.models.structured import SchemaMemory, ask_for
from loopback_chat import LoopbackChat, refuses, says

HELLO = Request.of("hello", role="agent", episode="e1")


def record(path: Path, *replies: str | Reply, request: Request = HELLO) -> None:
    with CassetteModel(path, "record", ScriptedModel(replies)) as cassette:
        for _ in replies:
            cassette.complete(request)


def test_recorded_replies_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    full = Reply("b\ud800\0\u2028", "length", Tokens(3, 4), (("A", -0.5), (" B", -1.0)), "tiny")
    record(path, "a", full)
    strict = CassetteModel(path)
    assert strict.complete(HELLO).text == "a"
    assert strict.complete(HELLO) == full
    with pytest.raises(NoReply, match=r"no reply number 3 .* role 'agent', episode 'e1'"):
        strict.complete(HELLO)


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"role": "judge"}, {"episode": "e2"}, {"temperature": 0.0}]
)
def test_another_question_has_no_reply(tmp_path: Path, change: dict[str, object]) -> None:
    record(tmp_path / "c.jsonl", "a")
    with pytest.raises(NoReply):
        CassetteModel(tmp_path / "c.jsonl").complete(replace(HELLO, **change))


def test_replay_asks_only_what_is_missing_and_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "a")
    with CassetteModel(path, "replay", ScriptedModel(["b"])) as resumed:
        assert [resumed.complete(HELLO).text for _ in range(2)] == ["a", "b"]
    strict = CassetteModel(path)
    assert [strict.complete(HELLO).text for _ in range(2)] == ["a", "b"]


def test_recording_anew_replaces_what_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "old", "second")
    record(path, "new")
    strict = CassetteModel(path)
    assert [strict.complete(HELLO).text for _ in range(2)] == ["new", "second"]


def test_a_failure_counts_as_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with LoopbackChat([refuses(503), says("late")]) as server:
        model = OpenAIModel(ModelSettings.of({}, model="tiny", base_url=server.url))
        with CassetteModel(path, "record", model) as cassette:
            with pytest.raises(ModelUnavailable):
                cassette.complete(HELLO)
            cassette.complete(HELLO)
    assert CassetteModel(path).complete(HELLO).text == "late"


def test_no_reply_is_lost_where_one_of_several_under_way_fails(tmp_path: Path) -> None:
    """The first request fails only after the second one, of the same words, was answered."""
    first, answered, calls = Event(), Event(), count()

    def reply(request: Request) -> str:
        number = next(calls)
        if number == 0:
            first.set()
            assert answered.wait(30)
            raise ModelUnavailable("busy")
        return f"reply {number}"

    path = tmp_path / "c.jsonl"
    with (
        CassetteModel(path, "record", ScriptedModel(reply)) as cassette,
        ThreadPoolExecutor(1) as pool,
    ):
        failing = pool.submit(cassette.complete, HELLO)
        assert first.wait(30)
        cassette.complete(HELLO)
        answered.set()
        assert isinstance(failing.exception(30), ModelUnavailable)
        cassette.complete(HELLO)
        cassette.complete(HELLO)
    strict = CassetteModel(path)
    said = [strict.complete(HELLO).text for _ in range(3)]
    assert said == ["reply 2", "reply 1", "reply 3"]


class Verdict(BaseModel):
    weight: float


def test_a_structured_run_replays_whatever_the_endpoint_had_refused(tmp_path: Path) -> None:
    """The refused formats are not on the tape, and which way is remembered may differ."""
    path = tmp_path / "c.jsonl"
    answers = [refuses(400), refuses(400), says("hm"), says('{"weight": 1}'), says('{"weight": 0}')]
    with LoopbackChat(answers) as server:
        settings = ModelSettings.of({}, model="tiny", base_url=server.url, api_key="sk-secret-0123")
        with CassetteModel(path, "record", OpenAIModel(settings)) as recorder:
            memory = SchemaMemory()
            verdicts = [ask_for(recorder, HELLO, Verdict, memory=memory) for _ in range(2)]
    assert [verdict.weight for verdict in verdicts] == [1.0, 0.0]
    assert "sk-secret" not in path.read_text()
    assert "127.0.0.1" not in path.read_text()
    strict, memory = CassetteModel(path), SchemaMemory()
    assert [ask_for(strict, HELLO, Verdict, memory=memory) for _ in range(2)] == verdicts


def test_threads_write_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    requests = [Request.of(f"{i} {'x' * 5_000}", episode=str(i)) for i in range(40)]
    echo = ScriptedModel(lambda request: request.messages[-1].content)
    with CassetteModel(path, "record", echo) as cassette, ThreadPoolExecutor(8) as pool:
        list(pool.map(cassette.complete, requests))
    strict = CassetteModel(path)
    for request in requests:
        assert strict.complete(request).text == request.messages[-1].content


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_torn_last_line_is_dropped_when_recording_and_an_error_in_strict(
    tmp_path: Path, cut: int
) -> None:
    path = tmp_path / "c.jsonl"
    record(path, "a", "b")
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(UnreadableFile, match="line 3 is unfinished"):
        CassetteModel(path)
    with pytest.warns(UserWarning, match="unfinished line 3 dropped"):
        resumed = CassetteModel(path, "replay", ScriptedModel(["again"]))
    with resumed:
        assert resumed.torn_line == 3
        assert [resumed.complete(HELLO).text for _ in range(2)] == ["a", "again"]
    strict = CassetteModel(path)
    assert [strict.complete(HELLO).text for _ in range(2)] == ["a", "again"]


def test_a_killed_process_leaves_a_cassette(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    program = (
        "import sys, os\n"
        "from concede.dialogs.models.cassette import CassetteModel\n"
        "from concede.dialogs.models.chat_model import Request\n"
        "from concede.dialogs.models.scripted import ScriptedModel\n"
        "cassette = CassetteModel(sys.argv[1], 'record', ScriptedModel(lambda r: 'y' * 1000))\n"
        "for i in range(50): cassette.complete(Request.of(str(i)))\n"
        f"os.kill(os.getpid(), {int(signal.SIGKILL)})\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    strict = CassetteModel(path)
    assert all(strict.complete(Request.of(str(i))).text == "y" * 1000 for i in range(50))


@pytest.mark.skipif(os.name != "posix", reason="the lock is POSIX's")
def test_two_recorders_do_not_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with (
        CassetteModel(path, "record", ScriptedModel([])),
        pytest.raises(UnreadableFile, match="somebody else records"),
    ):
        CassetteModel(path, "record", ScriptedModel([]))
    CassetteModel(path, "record", ScriptedModel([])).close()


HEADER = '{"concede_cassette": 1}\n'
BROKEN = {
    "": "no cassette",
    "a\n": "not JSON",
    "{}\n": "no cassette",
    "3\n": "no cassette",
    '{"concede_cassette": 2}\n': "version 2",
    '{"concede_cassette": [[]]}\n': "version",
    HEADER + "{}\n": "line 2",
    HEADER + "\n": "line 2",
    HEADER + "[" * 100_000 + "\n": "nested too deeply",
    HEADER + '{"episode": 3}\n': "line 2: episode",
    "an ordinary text": "line 1 is unfinished",
    "one line\nand another": "line 2 is unfinished",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_is_no_cassette_is_an_error_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(text)
    with pytest.raises(UnreadableFile, match=BROKEN[text]) as caught:
        CassetteModel(path)
    assert str(caught.value).isprintable()
    if text:
        with pytest.raises(UnreadableFile):
            CassetteModel(path, "record", ScriptedModel([]))
        assert path.read_text() == text


def test_places_and_modes_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        CassetteModel(tmp_path / "none.jsonl")
    with pytest.raises(UnreadableFile):
        CassetteModel(tmp_path / "none" / "c.jsonl", "record", ScriptedModel([]))
    with pytest.raises(ModelError, match="needs a model"):
        CassetteModel(tmp_path / "c.jsonl", "record")
    with pytest.raises(ModelError, match="needs a model"):
        CassetteModel(tmp_path / "c.jsonl", "replay")
    with pytest.raises(ModelError, match="record, replay or strict"):
        CassetteModel(tmp_path / "c.jsonl", "erase")  # pyright: ignore[reportArgumentType]


def test_the_hash_is_the_same_in_every_release() -> None:
    """Cassettes outlive the code that wrote them."""
    schema = {"type": "object", "properties": {"b": {}, "a": {}}}
    request = replace(HELLO, stop=("\n",), json_schema=schema, schema_by="prompt", seed=1)
    other = json.loads(json.dumps(schema, sort_keys=True))
    assert request.sha256() == replace(request, json_schema=other, role="x").sha256()
    assert HELLO.sha256() == "5b6fb0fe1d0fa8a9f72584e35c16a12ac46601d935f7244e450b5f1cb34ed700"
