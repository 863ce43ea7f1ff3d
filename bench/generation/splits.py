"""Training and test part, split by whole base slices, so that no slice stands in both."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence

from ...catalogs.errors import QueryError
from .balanced_sampling import seed_of
from .records import Record

TRAIN, TEST = "train", "test"


def with_split(records: Sequence[Record], share: float, seed: int) -> list[Record]:
    """Return the records with a `split` each: about `share` of them "train", the others "test".

    Whole slices go to a part, in random order, so the shares are as near as slices allow, and
    two slices or more give neither part nothing. Raises `QueryError` for a share outside 0..1.
    """
    if not 0 < share < 1:
        raise QueryError(f"split is {share}", hint="give the training share, such as 0.8")
    sizes = Counter(map(_base, records))
    order = sorted(sizes)
    random.Random(seed_of(seed, "split")).shuffle(order)
    train: set[str] = set()
    filled = 0
    # The last slice is left for the test part, and the first taken for training.
    for base in order[:-1] or order:
        if not train or filled + sizes[base] / 2 <= share * len(records):
            train.add(base)
            filled += sizes[base]
    return [{**record, "split": TRAIN if _base(record) in train else TEST} for record in records]


def _base(record: Record) -> str:
    return _written(record["base"])


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
