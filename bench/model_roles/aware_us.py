"""AWARE-US with every part but the solver on a model: it asks, plays the persona, reads, weighs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...catalogs.catalog import Catalog
from ...dialogs.models.chat_model import ChatModel
from ...dialogs.weighters.weighter import get_weighter
from ..aware_us.conversation import Components, converse
from ..aware_us.gold import Gold
from ..aware_us.modes import DEFAULT_POLICY, DEFAULT_WEIGHTER
from ..aware_us.outcome import Outcome
from ..aware_us.published_data import labelled, read_golds
from ..aware_us.scoring import score_rows
from .benchmark import ModelBenchmark, ModelFigure
from .stand_in import stand_in

CARS = "cooperunion_cars/data.csv"
TABLES = {"S1": "Table 2", "S2": "Table 3", "S3": "Table 4"}
MEASURES = {"relax_match": "Relax match (%)", "car_match": "Car match (%)",
            "slot_completion": "Slot Comp. (%)"}  # fmt: skip


def benchmarks(data: Path) -> Iterator[ModelBenchmark]:
    """Yield a benchmark for each setting, of the instances whose persona is published."""
    catalog = labelled(Catalog.open(data / CARS))
    golds = [gold for gold in read_golds(str(data / "aware_us")) if gold.persona is not None]
    for setting, table in TABLES.items():
        own = {gold.id: gold for gold in golds if gold.setting == setting}
        yield of_instances(f"aware-us-{setting}", table, catalog, own)


def of_instances(name: str, table: str, catalog: Catalog, golds: dict[str, Gold]) -> ModelBenchmark:
    """Return the benchmark of some instances about a catalog."""
    return ModelBenchmark(
        name,
        "AWARE-US",
        table,
        "asking, the persona, reading; weighing, repair and ranking are ours",
        golds,
        partial(_hold, catalog),
        _figures,
        stand_in,
        "concede bench run --data DIR/aware_us --catalog DIR/cooperunion_cars/data.csv "
        "--model NAME --out RUN.jsonl",
        reason="the personas that are published, asked and read by this model",
    )


def _hold(catalog: Catalog, model: ChatModel, gold: Gold) -> Outcome:
    components = Components(catalog, get_weighter(DEFAULT_WEIGHTER), DEFAULT_POLICY, model)
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
