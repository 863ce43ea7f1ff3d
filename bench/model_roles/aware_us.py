"""AWARE-US with every part but the solver on a model: it asks, plays the persona, reads, weighs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...catalogs.catalog import Catalog
from ...dialogs.models.chat_model import ChatModel, Request
from ...dialogs.weighters.weighter import get_weighter
from ..aware_us.conversation import SESSION, Components, converse
from ..aware_us.gold import Gold
from ..aware_us.modes import DEFAULT_POLICY, DEFAULT_WEIGHTER
from ..aware_us.outcome import Outcome
from ..aware_us.published_data import labelled, read_golds
from ..aware_us.scoring import score_rows
from .benchmark import ModelBenchmark, ModelFigure
from .stand_in import stand_in

CARS = "cooperunion_cars/data.csv"
TABLES = {"S1": "Table 2", "S2": "Table 3", "S3": "Table 4"}
METHODS = {
    "learned": (SESSION, DEFAULT_WEIGHTER, "; the weights are ours"),
    "global": (SESSION, "global", " and weighing (global)"),
    "local": (SESSION, "local", " and weighing (local)"),
    "pairwise": (SESSION, "pairwise", " and weighing (pairwise)"),
    "formal": ("formal-aware", "uniform", " and choosing an edit (formal)"),
}
"""By name: the method and weighter, and what else the model plays."""

_OFFERED = re.compile(
    r'^- “(.+?)”: (.+?) (==|!=|<=|>=|<|>) ("[^"]*"|-?\d+(?:\.\d+)?)[ ,]', re.MULTILINE
)

MEASURES = {"relax_match": "Relax match (%)", "car_match": "Car match (%)",
            "slot_completion": "Slot Comp. (%)"}  # fmt: skip


def benchmarks(data: Path) -> Iterator[ModelBenchmark]:
    """Yield a benchmark for each setting and method, of the instances with a published persona."""
    catalog = labelled(Catalog.open(data / CARS))
    golds = [gold for gold in read_golds(str(data / "aware_us")) if gold.persona is not None]
    for setting, table in TABLES.items():
        own = {gold.id: gold for gold in golds if gold.setting == setting}
        yield from of_instances(setting, table, catalog, own)


def of_instances(
    setting: str, table: str, catalog: Catalog, golds: dict[str, Gold]
) -> Iterator[ModelBenchmark]:
    """Yield a benchmark for each method, of some instances about a catalog."""
    for name, (method, weighter, parts) in METHODS.items():
        yield ModelBenchmark(
            f"aware-us-{setting}-{name}",
            "AWARE-US",
            table,
            f"asking, the persona, reading{parts}",
            golds,
            partial(_hold, catalog, method, weighter),
            _figures,
            partial(_stand_in, golds),
            f"concede bench run --data DIR/aware_us --catalog DIR/{CARS} --setting {setting} "
            f"--method {method} --weighter {weighter} --model NAME --out RUN.jsonl",
            comparable=True,
            reason="the instances whose persona is published; repair and ranking are ours",
        )


def _hold(catalog: Catalog, method: str, weighter: str, model: ChatModel, gold: Gold) -> Outcome:
    components = Components(catalog, get_weighter(weighter), DEFAULT_POLICY, model, method)
    return converse(components, gold, episode=gold.id)


def _figures(outcomes: Sequence[Outcome]) -> list[ModelFigure]:
    rows = score_rows(outcomes)
    if not rows:
        return []
    row: Any = rows[-1].record()
    return [
        ModelFigure.of(column, row[name], row["intervals"].get(name), 100)
        for name, column in MEASURES.items()
    ]


def _stand_in(golds: Mapping[str, Gold], request: Request) -> str:
    """Say the whole persona, and read what a reading without a model offers to a model."""
    if request.role == "role-player" and request.episode in golds:
        return golds[request.episode].persona or ""
    if request.role == "extractor":
        claims = [
            {"column": column, "op": op, "value": json.loads(value), "quote": quote}
            for quote, column, op, value in _OFFERED.findall(request.messages[-1].content)
        ]
        return json.dumps({"constraints": claims})
    return stand_in(request)
