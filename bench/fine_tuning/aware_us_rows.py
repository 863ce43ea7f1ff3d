"""Training data from the published AWARE-US instances and their published split.

97 instances to train on and 25 to test on give 518 and 132 slot rows, and 227 and 57 pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...catalogs.catalog import Catalog
from ...catalogs.errors import UnreadableFile, excerpt
from ...engine.repair_engine import RepairEngine
from ..aware_us.gold import Gold
from ..aware_us.published_data import INSTANCES, labelled, read_golds
from ..progress import Counted, uncounted
from .folder import file_sha256
from .instance_rows import Source, fingerprint_of, preference_rows, prompts, slot_rows
from .rows import SPLITS, Split, TrainingData


def aware_us_data(
    folder: str | Path, catalog: Catalog, seed: int, progress: Counted = uncounted
) -> TrainingData:
    """Return the rows of all instances of a folder, deduplicated by base sentence and persona.

    Instances whose persona the data withholds keep their rows, and `meta` says so. Raises
    `UnreadableFile` for an instance without a split.
    """
    golds = deduplicated(read_golds(folder))
    source = source_of(golds, labelled(catalog), seed)
    data = TrainingData(
        "aware-us",
        seed,
        sources={INSTANCES: file_sha256(Path(folder) / INSTANCES)},
        prompts=prompts(),
    )
    for gold in progress(golds, "making rows"):
        if gold.split not in SPLITS:
            problem = f"{gold.id} has split {excerpt(gold.split)}"
            raise UnreadableFile(str(Path(folder) / INSTANCES), problem, hint="train or test")
        add_instance(data, source, gold, gold.split)
    return data


def source_of(golds: Iterable[Gold], catalog: Catalog, seed: int) -> Source:
    """Return what rows of these instances are made from; any slot of one may be asked of all."""
    slots = sorted({slot for gold in golds for slot in gold.slots})
    return Source(RepairEngine(catalog), catalog, slots, seed)


def add_instance(data: TrainingData, source: Source, gold: Gold, split: Split) -> None:
    """Add the rows and pairs of one instance."""
    data.add("sft", slot_rows(source, gold, split))
    data.add("dpo", preference_rows(source, gold, split))


def deduplicated(golds: Iterable[Gold]) -> list[Gold]:
    """Return the instances without those of the same base sentence and persona as another."""
    first: dict[str, Gold] = {}
    for gold in golds:
        first.setdefault(fingerprint_of(gold), gold)
    return list(first.values())
