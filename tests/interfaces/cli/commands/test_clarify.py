"""`concede clarify`: questions of a text, and of a free-text task."""

import json

import pytest

TASK = {
    "goal": "collect rubies",
    "items": ["A lamp"],
    "skills": ["Dig with a shovel"],
    "scenes": ["West Mine", "North Mine"],
    "background": "You can visit West Mine and North Mine.",
}


def test_a_text_has_questions_with_counted_answers(concede):
    text = "An IS from Lexus or maybe the GS, cheap"
    done = concede("clarify", "--catalog", "sample:cars", "--text", text, "--format", "json")
    found = json.loads(done.out)
    assert [wish["value"] for wish in found["constraints"]] == ["Lexus"]
    assert [unknown["kind"] for unknown in found["unknowns"]] == ["alternatives", "vague"]
    for unknown in found["unknowns"]:
        assert unknown["question"].endswith("?")
        assert all(option["rows"] >= 0 for option in unknown["options"])


def test_tables_and_lines(concede):
    given = ("clarify", "--catalog", "sample:cars", "--text", "30")
    assert "“30”" in concede(*given).out
    (line,) = concede(*given, "--format", "ndjson").out.splitlines()
    assert json.loads(line)["kind"] == "number"


def test_a_task_has_open_points(concede, tmp_path):
    path = tmp_path / "task.json"
    path.write_text(json.dumps(TASK), encoding="utf-8")
    found = json.loads(concede("clarify", "--task", str(path), "--format", "json").out)
    assert found["constraints"] == []
    assert all(point["columns"] == [] for point in found["unknowns"])


@pytest.mark.parametrize(
    "content", ["[1]", "{}", '{"task": 3}', '{"goal": "x", "turns": [1]}', "{"]
)
def test_a_broken_task_is_one_line(concede, tmp_path, content):
    path = tmp_path / "task.json"
    path.write_text(content, encoding="utf-8")
    done = concede("clarify", "--task", str(path))
    assert done.code in (2, 3, 4)
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("given", [(), ("--text", "x", "--task", "y")])
def test_one_text(concede, given):
    assert concede("clarify", *given).code == 2
