"""Write batches by column, and several merged into one.

Buffered writes are merged so that DuckDB reads its table once for all of them: each row gets the
versions it came and went with, and the values it keeps of the row it replaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cached_attribute import cached_attribute
from ..vectors.row_numbering import LongIds

NEVER = 2**32 - 1
"""The version that removes a row nobody has removed."""

MAX_WRITES = 1 << 12
"""The most writes merged into one."""

_VERSION_BITS = 13


@dataclass(frozen=True, eq=False)
class BatchColumn:
    """A column's values in the rows written (`duckdb_array`), each None or not where `given`.

    Where it is not given a row keeps the value it had before, NULL if it is new.
    """

    values: NDArray[Any]
    given: NDArray[np.bool_]

    @classmethod
    def empty(cls, rows: int) -> BatchColumn:
        """Return a column for which no row gives a value."""
        return cls(np.full(rows, None, dtype=object), np.zeros(rows, dtype=np.bool_))


@dataclass(frozen=True, eq=False)
class WriteBatch:
    """What a version has instead of the one before: a row that is replaced goes and comes.

    `removed` int64[m] are the row ids of rows that go, `row_ids` int64[n] of those that come,
    of which the first `replaced` go as well. `columns` are those that any row gives, and
    `changed` the ones in which a row that is replaced may get another value.
    """

    version: int
    removed: LongIds
    row_ids: LongIds
    replaced: int
    columns: Mapping[str, BatchColumn]
    changed: frozenset[str]

    @classmethod
    def removing(cls, version: int, row_ids: LongIds) -> WriteBatch:
        """Return a write that only deletes."""
        return cls(version, row_ids, row_ids[:0], 0, {}, frozenset())


@dataclass(frozen=True, eq=False)
class MergedWrites:
    """Several writes as one, on a table that knows none of them.

    Row `gone[i]` leaves the table with version `gone_with[i]`. Of the rows that come `added` and
    `removed`, uint32[n], are the versions they came and went with, and `before`, uint32[n], is
    the version with which the row of the same id left the table, `NEVER` for none.
    """

    gone: LongIds
    gone_with: NDArray[np.uint32]
    row_ids: LongIds
    added: NDArray[np.uint32]
    removed: NDArray[np.uint32]
    before: NDArray[np.uint32]
    columns: dict[str, BatchColumn]

    @cached_attribute
    def keeps(self) -> bool:
        """Whether a row may keep a value of the one it replaces in the table."""
        replaced = self.before != NEVER
        return any((replaced & ~column.given).any() for column in self.columns.values())


def merged(writes: Sequence[WriteBatch], names: Iterable[str]) -> MergedWrites:
    """Return writes, the earliest first and at most `MAX_WRITES`, as one in some columns."""
    first = writes[0].version
    row_ids = np.concatenate([write.row_ids for write in writes])
    added = _versions(writes, [len(write.row_ids) for write in writes])
    ends = np.concatenate([write.removed for write in writes])
    ended = _versions(writes, [len(write.removed) for write in writes])
    order = np.argsort(_event(ends, ended - first))
    ends, ended = ends[order], ended[order]
    is_first = np.diff(ends, prepend=-1) != 0
    gone, gone_with = ends[is_first], ended[is_first]
    next_end = np.searchsorted(_event(ends, ended - first), _event(row_ids, added - first), "right")
    columns = {name: _concatenated(writes, name) for name in names}
    _carry(writes, row_ids, columns)
    return MergedWrites(
        gone,
        gone_with.astype(np.uint32),
        row_ids,
        added.astype(np.uint32),
        _versions_at(row_ids, next_end, ends, ended),
        _versions_at(row_ids, np.searchsorted(gone, row_ids), gone, gone_with),
        columns,
    )


def _versions(writes: Sequence[WriteBatch], counts: Sequence[int]) -> LongIds:
    return np.repeat(np.array([write.version for write in writes], dtype=np.int64), counts)


def _event(row_ids: LongIds, versions: LongIds) -> LongIds:
    """Return numbers in the order of row ids, and of versions for the same."""
    return row_ids << _VERSION_BITS | versions


def _versions_at(
    row_ids: LongIds, places: LongIds, known: LongIds, versions: LongIds
) -> NDArray[np.uint32]:
    """Return the version at each place, where that is of the row id asked for."""
    result = np.full(len(row_ids), NEVER, dtype=np.uint32)
    if len(known):
        inside = np.minimum(places, len(known) - 1)
        same = (places < len(known)) & (known[inside] == row_ids)
        result[same] = versions[inside[same]]
    return result


def _concatenated(writes: Sequence[WriteBatch], name: str) -> BatchColumn:
    """Return a column of all writes, values as text unless all are encoded in the same way."""
    parts = [write.columns.get(name) or BatchColumn.empty(len(write.row_ids)) for write in writes]
    values = [part.values for part in parts]
    if len({array.dtype for array in values}) > 1:
        values = [_texts(array) for array in values]
    return BatchColumn(np.concatenate(values), np.concatenate([part.given for part in parts]))


def _texts(values: NDArray[Any]) -> NDArray[np.object_]:
    if values.dtype == object:
        return values
    return np.array([repr(value) for value in values.tolist()], dtype=object)


def _carry(
    writes: Sequence[WriteBatch], row_ids: LongIds, columns: Mapping[str, BatchColumn]
) -> None:
    """Give rows the values they keep of those they replace among the writes."""
    order = np.argsort(row_ids, kind="stable")
    again = np.flatnonzero(np.diff(row_ids[order]) == 0) + 1
    if not len(again):
        return
    before = np.full(len(row_ids), -1, dtype=np.int64)
    before[order[again]] = order[again - 1]
    ends = np.cumsum([len(write.row_ids) for write in writes]).tolist()
    for start, end in pairwise(ends):
        rows = start + np.flatnonzero(before[start:end] >= 0)
        for column in columns.values():
            kept = rows[~column.given[rows]]
            column.values[kept] = column.values[before[kept]]
            column.given[kept] = column.given[before[kept]]
