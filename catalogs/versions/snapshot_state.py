"""Snapshot metadata, and the caches snapshots share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Generic

from ..query.dictionary import Dictionary
from ..query.presentation import NOTHING_SAID, Presentation
from ..query.schema import ColumnOverride, Schema
from ..vectors.bitmap_index import BitmapIndex
from ..vectors.byte_bounded_cache import Cached, VersionedCache
from ..vectors.row_numbering import Numbering
from ..vectors.row_set import RowSet
from .change_log import Change, ChangeLog


@dataclass(frozen=True)
class SnapshotMetadata:
    """Metadata of one snapshot; `cache_bytes` and `column_bytes` bound its caches.

    `dead` counts the rows of earlier versions that are still in the table; `hidden` are the columns
    that no reader is shown.
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
    dictionary: Dictionary
    dead: int = 0
    hidden: frozenset[str] = frozenset()
    presentation: Presentation = NOTHING_SAID


WARM_READS = 2
"""Rows and texts are read from DuckDB so many times before their columns are copied."""


@dataclass
class ReadCounts:
    """How often rows were fetched, and each column was asked about, in this version and earlier."""

    fetches: int = 0
    by_column: Counter[str] = field(default_factory=Counter[str])

    def copy(self) -> ReadCounts:
        """Return counts that go on by themselves."""
        return ReadCounts(self.fetches, self.by_column.copy())


ASKED = 3
"""A column is indexed when it was asked for more often than that. An index of 10⁶ rows takes 15 to
60 ms to make, and spares each question that reads it up to 0.5 ms a column."""


class ColumnIndexes(dict[str, BitmapIndex]):
    """The newest index of each column that has one, and how often the others were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: Counter[str] = Counter()

    def is_due(self, name: str) -> bool:
        """Return whether a column has an index, or was asked for often enough, now included."""
        self._asked[name] += 1
        return name in self or self._asked[name] > ASKED

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return sum(index.nbytes for index in list(self.values()))


class SharedCaches(Generic[Cached]):
    """Row sets, base slices and indexes, shared by the versions of a catalog.

    The change log is that of one version: it says how far what is shared holds there.
    """

    def __init__(self, cache_bytes: int) -> None:
        self.row_sets: VersionedCache[RowSet] = VersionedCache(cache_bytes)
        self.slices: VersionedCache[Cached] = VersionedCache(cache_bytes)
        self.indexes = ColumnIndexes()
        self.change_log = ChangeLog()

    def then(self, change: Change) -> SharedCaches[Cached]:
        """Return the same caches for the next version."""
        following = copy(self)
        following.change_log = self.change_log.then(change)
        return following
