"""Needs restored on a model: what all candidates name, what is disputed, what has no evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concede.bench.mapsat.annotating import Annotator
from concede.bench.mapsat.builder import Builder, build_from
from concede.bench.mapsat.case import Case
from concede.bench.mapsat.histories import Histories
from concede.bench.mapsat.log_cases import cases_of_log
from concede.bench.mapsat.people import Crowd
from concede.bench.mapsat.restoring import NotKept, factors_before, restored
from concede.bench.mapsat.reviewing import Review
from concede.bench.mapsat.wishes import Wishes
from concede.catalogs.errors import QueryError, UnreadableFile
from concede.dialogs.models.scripted import ScriptedModel
from concede.dialogs.weighters.evidence.events import Event, of_record
from mapsat_tasks import town_items


def made_case() -> Case:
    random = np.random.default_rng(7)
    person = Crowd(town_items(), Wishes(town_items()), random).person(sought=False)
    assert person is not None
    return Histories(town_items(), random).case("t1", person)


CASE = made_case()
FACTORS = factors_before(town_items(), CASE)
NEEDS = restored(town_items(), CASE, FACTORS).needs


def named(need: Any, **changes: Any) -> dict[str, Any]:
    record = need.record()
    del record["weight"]
    return record | changes


def annotated(*candidates: list[dict[str, Any]]) -> Builder:
    model = ScriptedModel([json.dumps({"needs": needs}) for needs in candidates])
    return Builder(town_items(), Annotator(model, town_items()))


def test_what_all_candidates_name_is_agreed_on():
    builder = annotated(*[[named(need) for need in NEEDS]] * 3)
    task = builder.task(CASE)
    assert task is not None
    assert {str(need.constraint) for need in task.implicit} == {
        str(need.constraint) for need in NEEDS
    }
    weights = {str(need.constraint): need.weight for need in NEEDS}
    assert all(need.weight == weights[str(need.constraint)] for need in task.implicit)
    assert not builder.review.now


def test_what_is_disputed_waits_for_a_person(tmp_path: Path):
    first, *rest = [named(need) for need in NEEDS]
    assert rest
    path = tmp_path / "review.jsonl"
    candidates = ([first, *rest], [first], [first])
    builder = annotated(*candidates)
    task = builder.task(CASE)
    assert task is not None
    assert len(task.implicit) == 1
    builder.review.write(path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == len(rest)
    assert all(line["decision"] is None and line["named_by"] == 1 for line in lines)

    corrected = lines[0]["need"] | {"type": "hard", "weight": 1.44}
    decided = [lines[0] | {"decision": "correct", "corrected": corrected}]
    decided += [line | {"decision": "accept"} for line in lines[1:2]]
    decided += [line | {"decision": "reject"} for line in lines[2:]]
    path.write_text("".join(json.dumps(line) + "\n" for line in decided))
    again = annotated(*candidates)
    again.review = Review.read(path)
    task = again.task(CASE)
    assert task is not None
    assert len(task.implicit) == 1 + len(decided[:2])
    assert 1.44 in [need.weight for need in task.implicit]
    again.review.write(path)
    assert [json.loads(line) for line in path.read_text().splitlines()] == decided


@pytest.mark.parametrize(
    "change",
    [
        {"decision": "maybe"},
        {"decision": "correct"},
        {"decision": "accept", "corrected": NEEDS[0].record()},
        {"need": NEEDS[0].record() | {"weight": -1}},
        {"need": NEEDS[0].record() | {"evidence": []}},
        {"task": None},
    ],
)
def test_a_review_that_cannot_be_names_its_line(tmp_path: Path, change: dict[str, Any]):
    line = {"task": "t1", "need": NEEDS[0].record(), "named_by": 1, "of": 3, "decision": None}
    path = tmp_path / "review.jsonl"
    path.write_text(json.dumps(line) + "\n" + json.dumps(line | change) + "\n")
    with pytest.raises(UnreadableFile, match="line 2") as caught:
        Review.read(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"evidence": ["a1"]},
        {"evidence": []},
        {"constraint": {"column": "brand", "op": "==", "value": "nobody's"}},
        {"constraint": {"column": "nothing", "op": "==", "value": 1}},
        {"constraint": CASE.explicit[0].record()},
    ],
)
def test_a_model_is_not_believed_without_evidence(change: dict[str, Any]):
    wanted = next(need for need in NEEDS if need.evidence[0].startswith("e"))
    made_up = named(wanted, **change)
    if "evidence" in change:
        # Of a thing that no factor is known of.
        made_up["constraint"] = {"column": "name", "op": "!=", "value": "x"}
    builder = annotated(*[[made_up]] * 3)
    assert builder.task(CASE) is None
    assert builder.left_out["no need is agreed on or accepted"] == 1


def test_what_was_taken_before_counts_for_the_weight():
    event = next(event for event in CASE.events if event.clicked)
    asked = {constraint.column for constraint in CASE.explicit}
    column = next(name for name in ("brand", "kind", "stars") if name not in asked)
    row = next(row for row in town_items().rows if row["id"] == event.clicked[0])
    said = {
        "constraint": {"column": column, "op": "in", "value": [row[column]]},
        "type": "soft",
        "source": "preference",
        "evidence": [event.id, "a1"],
    }
    task = annotated(*[[said]] * 3).task(CASE)
    assert task is not None
    (need,) = task.implicit
    assert "a1" not in need.evidence
    assert event.id in need.evidence
    assert 0 < need.weight <= 1.44


def test_a_choice_that_could_have_had_it_for_nothing_speaks_against_a_need():
    found = restored(town_items(), CASE, FACTORS)
    assert all(town_items().met(each)[found.anchor] for each in CASE.explicit)
    for factor in FACTORS:
        kept = str(factor.constraint) in {str(need.constraint) for need in found.needs}
        if town_items().met(factor.constraint)[found.anchor]:
            assert kept


def test_without_a_choice_there_is_no_task():
    for after in ((), CASE.after[:1]):
        picks = tuple(record | {"clicked": []} for record in after)
        case = Case(CASE.id, CASE.explicit, CASE.context, CASE.history, picks)
        with pytest.raises(NotKept, match="chosen"):
            restored(town_items(), case, FACTORS)


def log() -> list[Event]:
    hour = 3_600
    question = [constraint.record() for constraint in CASE.explicit]
    events = [event.record() | {"user": "ann"} for event in CASE.events if event.id[0] == "e"]
    start = max(event["time"] for event in events) + 30 * hour
    chosen = CASE.later[-1].bought[0]
    first = {"id": "q", "user": "ann", "time": start, "constraints": question, "shown": [chosen]}
    then = {"id": "z", "user": "ann", "time": start + 60, "shown": [chosen], "bought": [chosen]}
    new = first | {"id": "n", "user": "new"}
    return [of_record(Event, record) for record in (*events, first, then, new)]


def test_a_log_makes_tasks_of_people_it_knows():
    cases = list(cases_of_log(log()))
    assert [case.id for case in cases][-1] == "ann q"
    last = cases[-1]
    assert [record["id"] for record in last.after] == ["q", "z"]
    assert "user" not in last.history[0]
    tasks = build_from(Builder(town_items()), [last])
    assert tasks[0].implicit


def test_a_log_without_a_question():
    with pytest.raises(QueryError, match="no question in the log"):
        build_from(Builder(town_items()), list(cases_of_log(log()[:3])))
