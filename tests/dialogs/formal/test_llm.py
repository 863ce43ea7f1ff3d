"""The solver-style baselines with a model: its choices are followed, its nonsense is not."""

from __future__ import annotations

import json

import pytest

from concede import Catalog, Constraint, Query
from concede.dialogs.formal.aware import formal_aware
from concede.dialogs.formal.hao import formal_hao
from concede.dialogs.formal.llm import LLMChooser, LLMJudge, LLMPlanner
from concede.dialogs.models.scripted import ScriptedModel
from concede.engine.answer import Status

pa = pytest.importorskip("pyarrow")

FLATS = Catalog.open(
    pa.table({"district": ["Nord", "Ost", "West", "West"], "rent": [900, 700, 650, 980]})
)
QUERY = Query(
    constraints=(
        Constraint(column="district", op="==", value="Nord"),
        Constraint(column="rent", op="<=", value=600),
    )
)
HOSTILE = [
    "",
    "no idea",
    '{"choice": "the third"}',
    '{"choice": 10000000000000000000000000000000000000000}',
    "[" * 50_000,
    '{"choice": null} DROP TABLE items;',
    "x" * 1_000_000,
]


def test_the_model_chooses_the_edit():
    prompts: list[str] = []

    def reply(request):
        prompts.append(request.messages[-1].content)
        return '{"choice": 1}'

    run = formal_aware(FLATS, QUERY, LLMChooser(ScriptedModel(reply)))
    lines = prompts[0].splitlines()
    assert any(line.startswith("1. ") for line in lines)
    assert run.status is Status.SAT_AFTER_RELAXATION
    assert run.iterations[0].chosen.to is None


@pytest.mark.parametrize("reply", HOSTILE)
def test_a_reply_that_cannot_be_used_drops_the_first_member(reply):
    run = formal_aware(FLATS, QUERY, LLMChooser(ScriptedModel(lambda _: reply)))
    assert run.status is Status.SAT_AFTER_RELAXATION
    assert run.iterations[0].chosen.to is None
    assert run.iterations[0].chosen.position == 1 or run.iterations[0].chosen.position == 0


def test_the_model_plans_and_the_model_judges():
    steps = iter(
        [
            {"action": "analyse"},
            {"action": "search", "position": 1},
            {"action": "suggest", "edit": 0},
            {"action": "suggest", "edit": 0},
        ]
    )
    verdicts = iter([{"agrees": False}, {"agrees": True}])
    logs: list[str] = []

    def plan(request):
        logs.append(request.messages[-1].content)
        return json.dumps(next(steps))

    judged: list[str] = []

    def judge(request):
        judged.append(request.messages[-1].content)
        return json.dumps(next(verdicts))

    run = formal_hao(
        FLATS,
        QUERY,
        LLMPlanner(ScriptedModel(plan)),
        LLMJudge(ScriptedModel(judge), "The district may change."),
    )
    assert run.status is Status.SAT_AFTER_RELAXATION
    assert len(judged) == 2
    assert "The district may change." in judged[0]
    assert "possible at 1" in logs[2]
    assert "refused" in logs[3]


@pytest.mark.parametrize("reply", HOSTILE)
def test_planner_and_judge_survive_hostile_replies(reply):
    planner, judge = (ScriptedModel(lambda _: reply) for _ in range(2))
    run = formal_hao(FLATS, QUERY, LLMPlanner(planner), LLMJudge(judge, "?"))
    assert run.status is Status.UNSAT_EVEN_AFTER_RELAXATION
    refused = formal_hao(FLATS, QUERY, judge=LLMJudge(judge, "?"))
    assert refused.status is Status.UNSAT_EVEN_AFTER_RELAXATION
