"""The mask histogram of one partition, and how several add up: counts are summed, the least first
key and the outer ends stay.

Adding costs a sort of all masks, some 50 ns each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..histogram import MaskHistogram
from ..masks import Counts, Masks

Ends = tuple[float, float] | None

NO_KEY = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Partial:
    """Distinct row masks of some rows: masks uint64[m], counts and first_keys int64[m], ascending.

    `ends` are the least and greatest finite value of measured columns over the rows that meet the
    base, None without one. `base` counts all the rows by the base constraints they meet: it is
    there where no row meets all of them, which is what it explains.
    """

    width: int
    masks: Masks
    counts: Counts
    first_keys: Counts
    ends: Mapping[str, Ends] = field(default_factory=dict[str, Ends])
    base: Partial | None = None

    @property
    def histogram(self) -> MaskHistogram:
        """The masks and their counts."""
        return MaskHistogram(self.width, self.masks, self.counts)

    @property
    def rows(self) -> int:
        """The number of rows that meet the base."""
        return int(self.counts.sum())

    def first_key(self, mask: int) -> int | None:
        """Return the least key of a row that meets every constraint of a mask; None without one."""
        wanted = np.uint64(mask)
        met = (self.masks & wanted) == wanted
        return int(self.first_keys[met].min()) if met.any() else None


def summed(width: int, masks: Masks, counts: Counts, first_keys: Counts) -> Partial:
    """Return masks that may repeat with their counts added up and the least of their keys."""
    distinct, inverse = np.unique(masks.astype(np.uint64), return_inverse=True)
    totals = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(totals, inverse, counts)
    firsts = np.full(len(distinct), NO_KEY, dtype=np.int64)
    np.minimum.at(firsts, inverse, first_keys)
    return Partial(width, distinct, totals, firsts)


def merged(width: int, partials: Iterable[Partial]) -> Partial:
    """Return the partial of the rows of several partitions, in whichever order they come."""
    parts = list(partials)
    together = _summed(width, parts)
    bases = [part.base for part in parts if part.base is not None]
    # With a row that meets the base nobody asks why there is none.
    base = _summed(bases[0].width, bases) if bases and not len(together.masks) else None
    names = dict.fromkeys(name for part in parts for name in part.ends)
    ends = {name: outer_ends(part.ends.get(name) for part in parts) for name in names}
    return Partial(width, together.masks, together.counts, together.first_keys, ends, base)


def outer_ends(ends: Iterable[Ends]) -> Ends:
    """Return the ends of all values together; None where there is none."""
    known = [each for each in ends if each is not None]
    if not known:
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def partial_record(partial: Partial) -> dict[str, Any]:
    """Return a partial as a JSON object."""
    return {
        "width": partial.width,
        "masks": partial.masks.tolist(),
        "counts": partial.counts.tolist(),
        "first_keys": partial.first_keys.tolist(),
        "ends": dict(partial.ends),
        "base": None if partial.base is None else partial_record(partial.base),
    }


def partial_of_record(record: Mapping[str, Any]) -> Partial:
    """Return the partial of a JSON object; raises `KeyError`, `ValueError`, `TypeError`."""
    return Partial(
        record["width"],
        np.array(record["masks"], dtype=np.uint64),
        np.array(record["counts"], dtype=np.int64),
        np.array(record["first_keys"], dtype=np.int64),
        {name: None if pair is None else tuple(pair) for name, pair in record["ends"].items()},
        None if record["base"] is None else partial_of_record(record["base"]),
    )


def _summed(width: int, parts: Sequence[Partial]) -> Partial:
    def joined(arrays: Iterable[Any], kind: type[np.generic]) -> Any:
        return np.concatenate([np.zeros(0, dtype=kind), *arrays])

    return summed(
        width,
        joined((part.masks for part in parts), np.uint64),
        joined((part.counts for part in parts), np.int64),
        joined((part.first_keys for part in parts), np.int64),
    )
