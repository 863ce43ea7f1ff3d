"""Tasks read strictly: torn lines, evidence that is none, weights that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from concede.bench.mapsat.task import VisibleTask, read_tasks, task_of
from concede.catalogs.errors import QueryError, UnreadableFile
from mapsat_tasks import town_tasks


def record(**changes: Any) -> dict[str, Any]:
    return json.loads(json.dumps(town_tasks()[0].record() | changes))


def with_need(**changes: Any) -> dict[str, Any]:
    made = record()
    made["implicit"][0] |= changes
    return made


def test_a_task_comes_back_as_it_was_written(tmp_path: Path):
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(task.record()) + "\n" for task in town_tasks()))
    read = read_tasks(path)
    assert [task.record() for task in read] == [task.record() for task in town_tasks()]


@pytest.mark.parametrize("weight", [0, 0.2, 1, 1.44])
def test_weights_go_up_to_what_evidence_can_add_up_to(weight: float):
    assert task_of(with_need(weight=weight)).implicit[0].weight == weight


@pytest.mark.parametrize("weight", [-0.1, 1.5, float("nan"), float("inf"), "1", None, True])
def test_weights_that_cannot_be(weight: object):
    with pytest.raises(QueryError, match="weight"):
        task_of(with_need(weight=weight))


@pytest.mark.parametrize(
    ("evidence", "problem"),
    [([], "at least 1"), (["a1"], "not in the history"), ([7], "evidence"), ("e1", "evidence")],
)
def test_evidence_is_from_before_the_question(evidence: object, problem: str):
    with pytest.raises(QueryError, match=problem):
        task_of(with_need(evidence=evidence))


def test_a_factor_without_evidence_is_none():
    made = record()
    del made["implicit"][0]["evidence"]
    with pytest.raises(QueryError, match="evidence"):
        task_of(made)


@pytest.mark.parametrize(
    "changes",
    [
        {"context": {}},
        {"context": {"time": "whenever"}},
        {"context": {"time": "2026-05-01", "location": [91, 0]}},
        {"explicit": []},
        {"explicit": [{"column": "price", "op": "near", "value": 3}]},
        {"clarifications": 0},
        {"history": [{"id": "e1"}]},
        {"history": [{"id": "e1", "time": "2026-05-01", "clicked": ["x"]}]},
        {"id": ""},
        {"query": None},
        {"implicit": None},
    ],
)
def test_what_is_no_task(changes: dict[str, Any]):
    with pytest.raises(QueryError) as caught:
        task_of(record(**changes))
    assert "\n" not in str(caught.value)


def test_torn_and_foreign_files_name_the_line(tmp_path: Path):
    path, line = tmp_path / "tasks.jsonl", json.dumps(record())
    for text, problem in (
        (line + "\n" + line[:-30], "line 2: not JSON"),
        (line + "\n" + line, "stands twice"),
        ("[1]\n", "line 1: .*no task"),
        ("", "no task"),
        (line.replace('"weight": 1', '"weight": NaN', 1), "line 1"),
    ):
        path.write_text(text)
        with pytest.raises(UnreadableFile, match=problem):
            read_tasks(path)


def test_an_agent_is_given_nothing_of_what_came_after():
    made = record()
    late = made["history"][-1] | {"id": "late", "time": "2030-01-01T00:00:00"}
    visible = VisibleTask.of(task_of(made | {"history": [*made["history"], late]}))
    assert "late" not in {event.id for event in visible.events}
    assert not {"implicit", "full_intent", "after", "deciding"} & set(vars(visible))


def test_anything_may_have_come_after():
    for after in (None, [], "nothing", [{"any": "thing"}]):
        assert task_of(record(after=after)).after == after
