"""What a version is told when it is made, and what versions tell each other."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

from .base_slice import BaseSlice
from .bound_index import BoundIndex
from .columns import ColumnOverride, Schema
from .history import Change, History
from .numbering import Numbering
from .row_set import RowSet
from .versioned_cache import VersionedCache


@dataclass(frozen=True)
class Facts:
    """What is known of a version without asking; bytes are those of each cache.

    `dead` is how many rows of earlier versions stand in the table besides.
    """

    name: str
    schema: Schema
    version: int
    from_clause: str
    row_id: str
    numbering: Numbering
    cost_column: str | None
    overrides: Mapping[str, ColumnOverride]
    cache_bytes: int
    column_bytes: int
    dead: int = 0


class Known:
    """What the versions of a catalog know, each what it was told by the one before.

    Row sets, small slices and indexes are shared, the history is of one version.
    """

    def __init__(self, facts: Facts) -> None:
        self.row_sets: VersionedCache[RowSet] = VersionedCache(facts.cache_bytes)
        self.slices: VersionedCache[BaseSlice] = VersionedCache(facts.cache_bytes)
        self.indexes: dict[str, BoundIndex] = {}
        self.history = History()

    def then(self, change: Change) -> Known:
        """Return what the next version knows."""
        made = copy(self)
        made.history = self.history.then(change)
        return made
