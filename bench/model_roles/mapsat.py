"""MapSatisfyBench with a model as the agent that calls tools, as the person, and as the judge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...catalogs.catalog import Catalog
from ...dialogs.models.chat_model import ChatModel, Request
from ..mapsat.builder import Builder, build
from ..mapsat.items import Items
from ..mapsat.judge import ModelJudge
from ..mapsat.runner import Held, Roles, held, report
from ..mapsat.task import Task
from ..mapsat.tool_agent import ToolAgent
from ..mapsat.user import FINISHED, ModelUser
from .benchmark import ModelBenchmark, ModelFigure
from .stand_in import stand_in

TASKS = 150
JUDGEMENTS = 3
CALLS = 4
"""Tools that a stand-in calls before it answers."""

COLUMNS = ("ECR", "IISR", "AR", "TS", "SES", "IFS")


def benchmarks(data: Path) -> Iterator[ModelBenchmark]:
    """Yield the benchmark of tasks made from the bundled catalog; it reads no data."""
    items = Items(Catalog.open("sample:cars"), "Model")
    yield of_tasks(items, build(Builder(items), TASKS, 0))


def of_tasks(items: Items, tasks: Sequence[Task]) -> ModelBenchmark:
    """Return the benchmark of some tasks about items."""
    return ModelBenchmark(
        "mapsat",
        "MapSatisfyBench",
        "Table 1",
        "the agent that calls tools, the person, and the judge (three verdicts)",
        {task.id: task for task in tasks},
        partial(_hold, items),
        partial(_figures, items),
        partial(_stand_in, {task.id: task for task in tasks}),
        "concede bench mapsat --tasks TASKS.jsonl --catalog sample:cars --key Model "
        "--agent model --model NAME",
        reason="tasks made here, as theirs are not published; judged by this model",
    )


def _hold(items: Items, model: ChatModel, task: Task) -> Held:
    roles = Roles(ToolAgent(model, items), ModelUser(model), ModelJudge(model, JUDGEMENTS))
    return held(roles, task)


def _figures(items: Items, results: Sequence[Held]) -> list[ModelFigure]:
    means: Any = report("model", results, items)["means"]
    return [ModelFigure.of(name, means.get(name)) for name in COLUMNS]


def _stand_in(tasks: dict[str, Task], request: Request) -> str:
    """Call a tool some times, answer, and judge that nothing is met."""
    if request.role == "agent":
        called = request.messages[-1].content.count(" -> ")
        answer = {"action": "answer", "text": "This one."}
        return json.dumps({"action": "call", "tool": "none"} if called < CALLS else answer)
    if request.role == "user":
        return FINISHED
    if request.role == "judge":
        task = tasks[request.episode.rpartition(" ")[0]]
        lists = {"explicit": task.explicit, "implicit": task.implicit, "facts": task.facts}
        none = {name: [0.0 if name == "implicit" else False] * len(own)
                for name, own in lists.items()}  # fmt: skip
        return json.dumps(none)
    return stand_in(request)
