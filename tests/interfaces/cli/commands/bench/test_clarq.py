"""`concede bench clarq`: its modes, its complaints, and the same bytes in every process."""

import io
import json
from pathlib import Path

import pytest

from clarq_data import DIALOGUES, KITE, TASKS, write_data, write_lines
from command_line import in_own_process
from concede.interfaces.cli.main import run
from loopback_chat import Asked, LoopbackChat, sends

BENCH = ("bench", "clarq")
JSON = ("--format", "json")


@pytest.fixture
def data(folder: Path) -> str:
    """A small folder of data, by its name."""
    return str(write_data(folder / "data"))


def asks(asked: Asked):
    """A seeker that asks four times."""
    return sends({"text": "And then?" if len(asked.body["turns"]) < 9 else "Goodbye!"})


def test_published(concede, data):
    outcome = concede(*BENCH, "--data", data, "--published", *JSON)
    assert outcome.code == 0
    assert [(row["run"], row["lang"], row["tasks"]) for row in outcome.json] == [
        ("g/provider/chat", "en", 2),
        ("g/provider/chat", "zh", 1),
    ]
    assert outcome.json[0].keys() >= {"success_rate", "D", "L", "intervals", "by_type", "failures"}
    assert "Table II (people as seekers)" in outcome.err


def test_the_published_data_as_tables(concede, shared_data):
    outcome = concede(*BENCH, "--data", str(shared_data / "clarq"), "--published")
    assert outcome.code == 0
    assert "18 of 18 recorded figures are those of the dialogues" in outcome.out


def test_replay(concede, data):
    outcome = concede(*BENCH, "--data", data, "--replay", "--provider", "first", *JSON)
    assert [row["agree"] for row in outcome.json] == [1.0, 1.0]
    assert [row["recorded_success_rate"] for row in outcome.json] == [0.5, 0.0]
    tables = concede(*BENCH, "--data", data, "--replay", "--provider", "first", "--types", "1")
    assert "Recorded seekers, our provider" in tables.out


def test_prefixes(folder, data, capsys):
    said = DIALOGUES[0]["turns"]
    line = {"id": "a", "task": "01-0", "lang": "en", "provider": "multi", "turns": said[:4]}
    write_lines(folder / "p.jsonl", [line])
    given = ("--prefixes", "p.jsonl", "--provider", "first", "--predictions", "out.jsonl")
    assert run((*BENCH, "--data", data, *given, *JSON)) == 0
    assert json.loads(capsys.readouterr().out)[0]["prefixes"] == 1
    made = json.loads((folder / "out.jsonl").read_text(encoding="utf-8"))
    assert made == {
        "id": "a", "type": 2, "nodes": ["1"], "text": "The blue kite is the light one."
    }  # fmt: skip


def test_dialogues_with_agents_at_urls(folder, data, capsys):
    with LoopbackChat(asks) as seeker, LoopbackChat(lambda _: sends({"text": "Who knows?"})) as p:
        given = ("--seeker", seeker.url, "--provider", "first", "--out", "run.jsonl")
        assert run((*BENCH, "--data", data, *given, *JSON)) == 0
        rows = json.loads(capsys.readouterr().out)
        assert [row["success_rate"] for row in rows] == [1.0, 1.0]
        held = len(seeker.asked)
        assert run((*BENCH, "--data", data, *given, *JSON)) == 0
        assert json.loads(capsys.readouterr().out) == rows
        assert len(seeker.asked) == held
        given = ("--seeker", seeker.url, "--provider", p.url, "--lang", "en")
        assert run((*BENCH, "--data", data, *given, "--types", "1", *JSON)) == 0
        (row,) = json.loads(capsys.readouterr().out)
    assert (row["lang"], row["tasks"], row["success_rate"]) == ("en", 1, 0.0)
    assert run((*BENCH, "--rescore", "run.jsonl", "--rescore", "run.jsonl", *JSON)) == 0
    again = json.loads(capsys.readouterr().out)
    assert again[:2] == [
        {name: value for name, value in row.items() if name != "provider_errors"} for row in rows
    ]
    assert (again[-1]["success_rate"], again[-1]["p"]) == (0.0, 1.0)


def test_a_person_seeks_at_the_terminal(concede, data, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("How?\nWhich?\nWhere?\nWhich beach?\nGoodbye\n"))
    given = ("--seeker", "person", "--provider", "first", "--lang", "en", "--types", "1")
    outcome = concede(*BENCH, "--data", data, *given, *JSON)
    assert outcome.json[0]["success_rate"] == 1.0
    assert "provider: It hangs in the shed." in outcome.err


@pytest.mark.parametrize("name", ["silent", "vague", "confirm", "dump", "oracle", "offline"])
@pytest.mark.parametrize("multi", [(), ("--multi",)])
def test_seekers_and_the_provider_of_ours(concede, data, name, multi):
    outcome = concede(*BENCH, "--data", data, "--seeker", name, *multi, *JSON)
    assert (outcome.code, outcome.err) == (0, "")
    mode = "multi" if multi else "single"
    assert [row["run"] for row in outcome.json] == [f"{name}/offline/{mode}"] * 2
    assert all(-3 <= row["D"] <= 20 for row in outcome.json)


def test_a_seeker_on_a_model(concede, data, folder):
    script = folder / "model.json"
    script.write_text(json.dumps({"seeker": ["How?", "Which kite?", "Goodbye!"]}), "utf-8")
    given = ("--seeker", "comp", "--model", f"fake:{script}", "--lang", "en", "--types", "1")
    outcome = concede(*BENCH, "--data", data, *given, *JSON)
    assert (outcome.code, outcome.json[0]["D"]) == (0, -2)
    assert concede(*BENCH, "--data", data, "--seeker", "chat").code == 2


def test_a_provider_on_a_model(concede, data, folder):
    script = folder / "model.json"
    replies = [{"reply": {"type": 2, "nodes": [node]}} for node in "12"]
    script.write_text(json.dumps({"provider": replies}), "utf-8")
    given = ("--provider", "model", "--model", f"fake:{script}", "--lang", "en", "--types", "2")
    outcome = concede(*BENCH, "--data", data, "--seeker", "oracle", *given, *JSON)
    assert (outcome.code, outcome.json[0]["success_rate"]) == (0, 1.0)
    assert outcome.json[0]["provider_errors"]["turns"] == 2


def test_judge_pairs(concede, data, folder):
    pair = {"lang": "en", "gold": "a b", "purpose": "c", "generated": ["a b"], "match": True}
    write_lines(folder / "data" / "judge_pairs.jsonl.gz", [pair])
    outcome = concede(*BENCH, "--data", data, "--judge-pairs", "--lang", "en", *JSON)
    assert [(row["pairs"], row["agree"], row["always_no"]) for row in outcome.json] == [(1, 1, 0)]
    assert "judge offline" in concede(*BENCH, "--data", data, "--judge-pairs").out


def test_a_judge_on_a_model(concede, data, folder):
    script = folder / "model.json"
    script.write_text(json.dumps({"judge": ['{"told": true}', '{"told": false}']}), "utf-8")
    given = ("--judge", "model", "--model", f"fake:{script}", "--lang", "en", "--types", "2")
    outcome = concede(*BENCH, "--data", data, "--published", *given, *JSON)
    # The soup's provider said nothing on its own account, so nobody is asked.
    assert (outcome.code, outcome.json[0]["rescued_by_judge"]) == (0, 0)


SEEKER = ("--seeker", "http://127.0.0.1:9/", "--provider", "first")


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        ((), 2, "nothing to run; give one of --published"),
        (("--published", "--replay"), 2, "--published and --replay given"),
        (("--published", "--lang", "fr"), 2, "'fr' is not one of"),
        (("--published", "--types", "9"), 2, "no task of type 9; the data holds 1-2"),
        (("--published", "--types", "3-1"), 2, "types '3-1'; write 1-18"),
        (("--prefixes", "p.jsonl"), 2, "--predictions"),
        (("--prefixes", "no.jsonl", "--predictions", "o", "--provider", "first"), 3, "no.jsonl"),
        ((*SEEKER, "--types", "1"), 4, "gave no answer"),
        (("--seeker", "ftp://x/", "--provider", "first"), 2, "agent 'ftp://x/'"),
        (("--seeker", "person", "--provider", "nobody"), 2, "no provider 'nobody'"),
        (("--replay", "--provider", "person"), 2, "a person answers no recorded dialogues"),
    ],
)  # fmt: skip
def test_complaints_are_one_line(concede, data, given, code, told):
    outcome = concede(*BENCH, "--data", data, *given)
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("tasks", "told"),
    [
        ([{**KITE, "responses": [{"node": "0", "parent": "0", "text": "x"}]}], "line 1"),
        ([*TASKS, KITE], "occurs twice"),
    ],
)
def test_broken_data_has_exit_code_3(concede, folder, tasks, told):
    write_data(folder / "data", tasks)
    outcome = concede(*BENCH, "--data", "data", "--published")
    assert outcome.code == 3
    assert told in outcome.err


def test_no_data(concede):
    assert "give --data" in concede(*BENCH, "--published").err
    assert concede(*BENCH, "--published", "--data", "nowhere").code == 3


@pytest.mark.slow
@pytest.mark.parametrize("given", [("--replay",), ("--seeker", "offline", "--multi")])
def test_the_same_bytes_whatever_the_hash_seed(folder, data, given):
    outcomes = [
        in_own_process(
            *BENCH, "--data", data, *given, *JSON,
            folder=folder, environment={"PYTHONHASHSEED": seed},
        )
        for seed in ("0", "1", "77")
    ]  # fmt: skip
    assert outcomes[0].code == 0
    assert len({outcome.out for outcome in outcomes}) == 1
