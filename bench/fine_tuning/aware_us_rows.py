"""Training data from the published AWARE-US instances and their published split.

97 instances to train on and 25 to test on give 518 and 132 slot rows, and 227 and 57 pairs.
"""

from __future__ import annotations

from pathlib import Path

from ...catalogs.catalog import Catalog
from ...catalogs.errors import UnreadableFile, excerpt
from ..aware_us.published_data import INSTANCES, labelled, read_golds
from ..progress import Counted, uncounted
from .folder import file_sha256
from .instance_rows import add_instance, deduplicated, prompts, source_of
from .rows import SPLITS, TrainingData


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
