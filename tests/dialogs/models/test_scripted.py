"""Scripts give the replies they hold, in order, to whom they are meant for."""

import json
from pathlib import Path
from typing import Any

import pytest

from concede.catalogs.errors import NoReply, UnreadableFile
from concede.dialogs.models.chat_model import Reply, Request
from concede.dialogs.models.scripted import ScriptedModel


def written(folder: Path, content: Any, name: str = "script.json") -> ScriptedModel:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return ScriptedModel.from_file(path)


def say(model: ScriptedModel, text: str, role: str = "agent") -> str:
    return model.complete(Request.of(text, role=role)).text


def test_a_list_is_used_up_in_order() -> None:
    model = ScriptedModel(["a", Reply("b", "length")])
    assert say(model, "x") == "a"
    assert model.complete(Request.of("y")).finish_reason == "length"
    with pytest.raises(NoReply, match="no further reply for role 'judge' to 'and now\\?'"):
        say(model, "and now?", role="judge")


def test_a_function_sees_the_request() -> None:
    model = ScriptedModel(lambda request: f"{request.role}: {request.messages[-1].content}")
    assert say(model, "hi", role="weighter") == "weighter: hi"


def test_a_file_is_keyed_by_role_and_pattern(tmp_path: Path) -> None:
    model = written(
        tmp_path,
        {
            "agent": [{"match": "(?i)rent", "reply": "How much?"}, "Where?"],
            "weighter": [{"reply": {"weight": 0.5}, "times": 2}],
            "*": [{"reply": "…", "times": 0}],
        },
    )
    assert say(model, "hello") == "Where?"
    assert say(model, "The RENT matters") == "How much?"
    assert [say(model, "rent", "weighter") for _ in range(2)] == ['{"weight": 0.5}'] * 2
    assert [say(model, "rent", "weighter"), say(model, "rent")] == ["…", "…"]


def test_json_lines_say_the_same(tmp_path: Path) -> None:
    lines = [
        {"role": "agent", "match": "^no", "reply": "Why not?"},
        {"reply": "A", "top_logprobs": {"B": -2.0, "A": -0.1}, "finish_reason": "length"},
    ]
    text = "\n\n".join(map(json.dumps, lines)) + "\n"
    model = written(tmp_path, text, "script.jsonl")
    reply = model.complete(Request.of("which?", role="agent"))
    assert reply.top_logprobs == (("A", -0.1), ("B", -2.0))
    assert reply.finish_reason == "length"
    assert say(model, "no way") == "Why not?"


def test_a_plain_list_is_for_everybody(tmp_path: Path) -> None:
    model = written(tmp_path, ["a", "b"])
    assert [say(model, "x", "one"), say(model, "x", "two")] == ["a", "b"]


BROKEN = {
    "": "not JSON",
    "3": "is no script",
    "{": "not JSON",
    "[" * 100_000: "nested too deeply",
    '{"agent": "hi"}': "is no list of replies",
    "[3]": "reply 1 of role '\\*'",
    '[{"match": "(", "reply": "x"}]': "bad pattern",
    '[{"match": 3, "reply": "x"}]': "match",
    '[{"reply": "x", "times": -1}]': "times",
    '[{"reply": "x", "top_logprobs": {"A": "high"}}]': "top_logprobs",
    '[{"replies": "x"}]': "reply",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_script_says_where(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnreadableFile, match=BROKEN[text]) as caught:
        written(tmp_path, text)
    assert str(caught.value).isprintable()


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="line 2"):
        written(tmp_path, '{"reply": "x"}\n{"reply"', "script.jsonl")


def test_no_script_at_all(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(UnreadableFile, match="cannot read"):
            ScriptedModel.from_file(path)
