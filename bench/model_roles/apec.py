"""APEC-Travel with a model as the agent, the traveller, the stenographer and the judge."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...dialogs.elicitation.schema import Schema, travel_schema
from ...dialogs.models.chat_model import ChatModel, Request
from ..apec.report import report_of
from ..apec.roles import drawn_travellers, planner_named, roles_of
from ..apec.run import Dialogue, hold
from ..apec.travellers import TravellerRecord
from .benchmark import ModelBenchmark, ModelFigure
from .stand_in import stand_in

TRAVELLERS, ROUNDS = 100, 12
COLUMNS = {
    "rounds": "Average #Rounds",
    "overall": "Accuracy Overall",
    "critical": "Accuracy Critical",
    "plan_priority": "Plan & Priority",
    "proactive": "Proactive",
    "clarification": "Clarification",
    "total": "Total",
}
_ENTRY = re.compile(r"^- (\S+): ", re.MULTILINE)


def benchmarks(data: Path) -> Iterator[ModelBenchmark]:
    """Yield the benchmark of made travellers; it reads no data."""
    yield of_travellers(
        travel_schema(), drawn_travellers(TRAVELLERS, "published", 0, travel_schema())
    )


def of_travellers(schema: Schema, travellers: Sequence[TravellerRecord]) -> ModelBenchmark:
    """Return the benchmark of some travellers."""
    return ModelBenchmark(
        "apec",
        "APEC-Travel",
        "Table 2",
        "the agent, the traveller, the stenographer and the judge",
        {traveller.id: traveller for traveller in travellers},
        partial(_hold, schema),
        _figures,
        _stand_in,
        "concede bench apec --mode published --planner model --model NAME",
        reason="made travellers, as theirs are not published; judged by this model",
    )


def _hold(schema: Schema, model: ChatModel, traveller: TravellerRecord) -> Dialogue:
    planner = planner_named("model", 0, model, think=False)
    return hold(roles_of(schema, model), planner, traveller, ROUNDS)


def _figures(dialogues: Sequence[Dialogue]) -> list[ModelFigure]:
    report: Any = report_of(dialogues, {})
    return [
        ModelFigure.of(column, report.get(name), report["intervals"].get(name))
        for name, column in COLUMNS.items()
    ]


def _stand_in(request: Request) -> str:
    """Ask about the first entry that is open; all else is whatever fits."""
    if request.role == "agent" and (open_ := _ENTRY.search(request.messages[-1].content)):
        return json.dumps({"entry": open_[1], "question": "What would you like there?"})
    return stand_in(request)
