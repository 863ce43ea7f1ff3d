"""`concede bench mapsat-build` and `bench mapsat --tasks` from the outside, without a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from concede.interfaces.cli.main import run
from mapsat_tasks import write_town

METRICS = ("ECR", "IISR", "AR", "TS", "IFS", "Eff", "SES")
BUILD = ("bench", "mapsat-build", "--catalog", "town.csv", "--key", "id", "--seed", "4")
RUN = ("bench", "mapsat", "--tasks", "tasks.jsonl", "--catalog", "town.csv", "--key", "id")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_town(tmp_path / "town.csv")
    return tmp_path


def built(folder: Path, count: int = 5) -> list[dict[str, Any]]:
    assert run((*BUILD, "--count", str(count), "--output", "tasks.jsonl")) == 0
    return [json.loads(line) for line in (folder / "tasks.jsonl").read_text().splitlines()]


def test_tasks_are_built_and_run(folder: Path, capsys: pytest.CaptureFixture[str]):
    tasks = built(folder)
    assert [task["id"] for task in tasks] == [f"t{number:04}" for number in range(1, 6)]
    for agent in ("evidence", "equal", "explicit", "oracle"):
        capsys.readouterr()
        assert run((*RUN, "--agent", agent, "--offline", "--format", "json")) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["n"] == len(report["tasks"]) == 5
        assert set(report["means"]) == set(METRICS)
        assert report["deciding"]["n"] == sum(task["deciding"] for task in tasks)
        if agent != "equal" and report["deciding"]["n"]:
            low, high = report["deciding"]["over_equal"]["interval"]
            assert low <= report["deciding"]["over_equal"]["difference"] <= high
        for task, found in zip(tasks, report["tasks"], strict=True):
            assert found["id"] == task["id"]
            weights = [need["weight"] for need in task["implicit"]]
            met = [need["weight"] * need["credit"] for need in found["credits"]]
            assert found["IISR"] == pytest.approx(sum(met) / sum(weights))


def test_tables_and_what_was_said(folder: Path, capsys: pytest.CaptureFixture[str]):
    built(folder, 3)
    assert run((*RUN, "--agent", "evidence", "--offline", "--out", "run.jsonl")) == 0
    assert "Agent evidence" in capsys.readouterr().out
    lines = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    assert lines[0]["benchmark"] == "mapsat"
    assert sum(line["kind"] == "end" for line in lines) == 3


def test_a_file_that_holds_a_run_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]):
    built(folder, 1)
    saved = (*RUN, "--agent", "explicit", "--offline", "--out", "run.jsonl")
    assert run(saved) == 0
    before = (folder / "run.jsonl").read_bytes()
    capsys.readouterr()
    assert run(saved) == 2
    assert "run.jsonl" in capsys.readouterr().err
    assert (folder / "run.jsonl").read_bytes() == before


def test_tasks_are_made_of_a_log(folder: Path, capsys: pytest.CaptureFixture[str]):
    log = [
        {**event, "user": task["id"]}
        for task in built(folder)
        for event in (
            *(event for event in task["history"] if event["id"].startswith("e")),
            *({**event, "constraints": task["explicit"]} for event in task["after"]),
        )
    ]
    (folder / "log.jsonl").write_text("".join(json.dumps(event) + "\n" for event in log))
    made = ("--events", "log.jsonl", "--output", "made.jsonl", "--format", "json")
    capsys.readouterr()
    assert run((*BUILD, *made)) == 0
    figures = json.loads(capsys.readouterr().out)
    lines = (folder / "made.jsonl").read_text().splitlines()
    assert figures["tasks"] == len(lines) > 0
    assert all(json.loads(line)["after"] for line in lines)
    (folder / "log.jsonl").write_text('{"id": "e1"')
    capsys.readouterr()
    assert run((*BUILD, *made)) == 3
    assert "line 1 is unfinished" in capsys.readouterr().err


def test_the_same_bytes_twice(folder: Path, capsys: pytest.CaptureFixture[str]):
    built(folder, 3)
    first = (folder / "tasks.jsonl").read_bytes()
    built(folder, 3)
    assert (folder / "tasks.jsonl").read_bytes() == first
    outputs: list[str] = []
    for _ in range(2):
        capsys.readouterr()
        assert run((*RUN, "--agent", "evidence", "--offline", "--format", "json")) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def spoiled(folder: Path, **changes: Any) -> None:
    record = built(folder, 1)[0]
    need = record["implicit"][0]
    for name, value in changes.items():
        (need if name in need else record)[name] = value
    (folder / "tasks.jsonl").write_text(json.dumps(record) + "\n")


@pytest.mark.parametrize(
    "changes",
    [
        {"weight": -0.5},
        {"weight": float("nan")},
        {"weight": float("inf")},
        {"evidence": []},
        {"evidence": ["nowhere"]},
        {"constraint": {"column": "nothing", "op": "==", "value": 1}},
        {"facts": [{"column": "nothing"}]},
        {"history": [{}]},
    ],
)
def test_bad_tasks_are_one_line(
    folder: Path, changes: dict[str, Any], capsys: pytest.CaptureFixture[str]
):
    spoiled(folder, **changes)
    capsys.readouterr()
    assert run((*RUN, "--agent", "evidence", "--offline")) == 3
    told = capsys.readouterr().err.strip()
    assert "tasks.jsonl" in told
    assert "\n" not in told


def test_a_torn_file_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]):
    built(folder, 2)
    path = folder / "tasks.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    capsys.readouterr()
    assert run((*RUN, "--agent", "evidence", "--offline")) == 3
    assert "line 2" in capsys.readouterr().err


def test_weights_up_to_what_they_can_add_up_to_are_right(folder: Path):
    spoiled(folder, weight=1.44)
    assert run((*RUN, "--agent", "oracle", "--offline", "--format", "json")) == 0


@pytest.mark.parametrize(
    "options",
    [
        (*RUN[:4], "--agent", "evidence"),
        (*RUN[:6], "--agent", "evidence"),
        (*RUN, "--agent", "model", "--offline"),
        (*RUN[:7], "nothing", "--agent", "evidence"),
        ("bench", "mapsat", "--agent", "evidence"),
        (*BUILD, "--output", "x.jsonl", "--review", "y.jsonl", "--offline"),
        (*BUILD[:5], "nothing", "--output", "x.jsonl"),
    ],
)
def test_options_that_cannot_be_meant(
    folder: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
):
    built(folder, 1)
    capsys.readouterr()
    assert run(options) == 2
    assert "\n" not in capsys.readouterr().err.strip()


def test_every_part_on_a_model(folder: Path, capsys: pytest.CaptureFixture[str]):
    (task,) = built(folder, 1)
    verdict = {
        "explicit": [True] * len(task["explicit"]),
        "implicit": [1] * len(task["implicit"]),
        "facts": [True] * len(task["facts"]),
    }
    script = {
        "agent": [json.dumps({"action": "answer", "text": "Take p1.", "item": "p1"})],
        "user": ["Thanks. [FinishConversation]"],
        "judge": [{"reply": verdict, "times": 0}],
    }
    (folder / "script.json").write_text(json.dumps(script))
    capsys.readouterr()
    model = ("--agent", "model", "--model", "fake:script.json", "--format", "json")
    assert run((*RUN, *model)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["agent"] == "model"
    assert report["tasks"][0]["IISR"] == 1
    assert report["tasks"][0]["item"] == "p1"
