"""Training data from any catalog: made instances, personas written offline, gold by the engine."""

from __future__ import annotations

from typing import cast

from ...catalogs.catalog import Catalog
from ...catalogs.errors import QueryError
from ..aware_us.gold import gold_of
from ..generation import generate
from ..progress import Counted, uncounted
from .instance_rows import add_instance, deduplicated, prompts, source_of
from .rows import TRAINING_SHARE, Split, TrainingData

LEAST = 2
"""Instances: one to train on, one to test on."""


def generated_data(
    catalog: Catalog, setting: str, count: int, seed: int, progress: Counted = uncounted
) -> TrainingData:
    """Return the rows of `count` made instances of a setting, fewer where there are no more.

    Raises `QueryError` where the catalog gives fewer than two, and as `generate` does.
    """
    records = generate(
        catalog,
        setting,
        count,
        seed,
        split=TRAINING_SHARE if count > 1 else None,
        progress=progress,
    )
    if len(records) < LEAST:
        problem = f"{len(records)} instances of {setting}, and two are the least"
        raise QueryError(problem, hint="ask for more, of another setting or a larger catalog")
    golds = deduplicated(gold_of(r, n) for n, r in enumerate(records))
    source = source_of(golds, catalog, seed)
    data = TrainingData(
        "generated",
        seed,
        sources={"catalog": f"{catalog.name}, {catalog.row_count:,} rows"},
        settings={"setting": setting, "count": count},
        prompts=prompts(),
    )
    for gold in progress(golds, "making rows"):
        add_instance(data, source, gold, cast("Split", gold.split))
    return data.without_repeats()
