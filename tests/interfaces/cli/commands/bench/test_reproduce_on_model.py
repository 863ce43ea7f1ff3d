"""`concede bench reproduce --model`: an estimate, a cap, what is kept, and the column it adds."""

import json
from pathlib import Path

import pytest

from clarq_data import write_data
from concede.dialogs.models.cassette import recorded_tokens
from loopback_chat import Asked, LoopbackChat, says

NAMES = ("--only", "clarq-chat-en,clarq-comp-en")


@pytest.fixture
def command(folder: Path) -> tuple[str, ...]:
    """The command on a small folder of data; no stage without a model has these names."""
    write_data(folder / "data" / "clarq")
    return ("bench", "reproduce", "--data", str(folder / "data"), *NAMES)


@pytest.fixture
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a report goes: not beside the data, where no command writes."""
    return tmp_path_factory.mktemp("out")


@pytest.fixture
def script(folder: Path) -> str:
    """A model that asks twice and then says goodbye for ever."""
    rules = [{"reply": "Which kite do I take?", "times": 2}, {"reply": "Goodbye!", "times": 0}]
    (folder / "script.json").write_text(json.dumps({"seeker": rules}), "utf-8")
    return f"fake:{folder / 'script.json'}"


def taken(folder: Path) -> int:
    return sum(map(recorded_tokens, folder.rglob("*.cassette.jsonl")))


def on_model(rows, name):
    return [row for row in rows if name in row.get("columns", {})]


def test_an_estimate_asks_nobody(concede, command, out):
    given = ("--out", str(out / "none"), "--estimate")
    outcome = concede(*command, *given, "--format", "json")
    assert outcome.code == 0
    assert [each["benchmark"] for each in outcome.json["benchmarks"]] == [
        "clarq-chat-en", "clarq-comp-en",
    ]  # fmt: skip
    assert outcome.json["tokens"] == sum(each["tokens"] for each in outcome.json["benchmarks"]) > 0
    assert not (out / "none").exists()
    assert "tokens of replies" in concede(*command, *given).out


def test_the_column_of_a_model_and_its_replay(concede, command, script, out):
    given = ("--model", script, "--format", "json")
    first = concede(*command, *given, "--out", str(out / "a"))
    assert first.code == 0, first.err
    assert "tokens on fake:" in first.err
    rows = on_model(first.json["rows"], script)
    assert len(rows) == 6
    assert {(row["document"], row["table"]) for row in rows} == {("ClarQ-LLM", "Table III")}
    assert rows[0]["columns"][script]["value"] == 0
    assert all(row["command"] and row["ours"] is None for row in rows)
    page = (out / "a" / "index.html").read_text("utf-8")
    assert "The roles on a model" in page
    assert "the seeker, in chat" in page
    before = taken(out / "a")
    # Another run asks nobody: the script would have nothing left to ask with.
    again = concede(*command, *given, "--out", str(out / "a"))
    assert on_model(again.json["rows"], script) == rows
    assert taken(out / "a") == before
    kept = next((out / "a" / "model").iterdir())
    replayed = concede(
        *command, "--model", f"cassette:{kept}", "--out", str(out / "b"), "--format", "json"
    )
    name = f"cassette:{kept}"
    assert [row["columns"][name] for row in on_model(replayed.json["rows"], name)] == [
        row["columns"][script] for row in rows
    ]


def test_a_cap_ends_in_one_line_and_keeps_what_was_finished(concede, command, script, out):
    given = ("--model", script, "--format", "json", "--out", str(out / "out"))
    capped = concede(*command, *given, "--max-tokens-total", "7000")
    assert capped.code == 4
    last = capped.err.strip().splitlines()[-1]
    assert last.startswith("concede: ")
    assert "of 7,000 tokens are left" in last
    assert 0 < taken(out / "out") <= 7_000
    held = {row["reason"].split(" held")[0] for row in on_model(capped.json["rows"], script)}
    assert held == {"1 of 2"}
    whole = concede(*command, *given, "--max-tokens-total", "60000")
    assert whole.code == 0
    assert len(on_model(whole.json["rows"], script)) == 6
    assert taken(out / "out") <= 60_000


def test_an_endpoint(concede, command, out):
    def answer(asked: Asked):
        return says("Goodbye!" if len(asked.body["messages"]) > 3 else "Which one?")

    with LoopbackChat(answer) as server:
        outcome = concede(
            *command, "--model", "tiny", "--base-url", server.url, "--max-tokens-total", "20000",
            "--out", str(out / "out"), "--format", "json",
        )  # fmt: skip
        assert outcome.code == 0, outcome.err
        assert len(on_model(outcome.json["rows"], "tiny")) == 6
        assert taken(out / "out") == 10 * len(server.asked)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--base-url", "http://127.0.0.1:1"), 2, "name the model"),
        (("--max-tokens-total", "9"), 2, "name the model"),
        (("--model", "fake:none.json"), 3, "none.json"),
    ],
)
def test_what_cannot_be_is_one_line(concede, command, out, arguments, code, told):
    outcome = concede(*command, *arguments, "--out", str(out / "out"))
    assert outcome.code == code
    assert told in outcome.err.strip().splitlines()[-1]
