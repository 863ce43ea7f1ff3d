"""Bitmap indexes after a write: the writer makes the oldest anew, so that no question waits.

One index a write at most, 45 ms for 10⁶ rows: a write costs about as much as the next.
"""

from __future__ import annotations

from .change_log import KEPT
from .snapshot import Snapshot

MISSED = KEPT // 2
"""An index that has missed so many writes is made anew; long before, more would be unknown."""


def reindexed(now: Snapshot, following: Snapshot) -> Snapshot:
    """Return the version that follows, with indexes wherever the present one has them."""
    copies, _ = following.vectors.store.in_memory()
    indexes = now.shared.indexes
    names = [
        column.name
        for column in following.schema.columns
        if column.ordered
        and column.name in copies
        and column.name in indexes
        and column in now.schema.columns
    ]
    for name in names:
        # Whoever still asks the present version keeps its index.
        now.vectors.bounds(name)
    oldest = min(names, key=lambda name: indexes[name].version, default=None)
    if oldest is not None and indexes[oldest].version + MISSED <= now.version:
        following.vectors.reindex(oldest)
    for name in names:
        following.vectors.bounds(name)
    return following
