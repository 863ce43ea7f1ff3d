"""After a reload, read the columns that were in memory before, and keep what is equal.

The columns are compared where as many rows stand at the same numbers. The writer pays for it,
and no question after the reload waits for a column.
"""

from __future__ import annotations

import numpy as np

from ..query.schema import Column
from ..vectors.column_store import ColumnStore
from ..vectors.column_vectors import MAX_TEXTS, Copy, NumberCopy, TextCopy
from ..vectors.quantized_column import Buckets, bucketed
from ..vectors.row_numbering import LongIds
from .change_log import Change
from .snapshot import Snapshot


def prewarmed(now: Snapshot, following: Snapshot) -> Snapshot:
    """Return the version that follows with the columns in memory that the present one has there.

    Where rows stand at the same numbers, whatever is known of columns and rows that are equal
    is taken over.
    """
    before, ends = now.vectors.store.in_memory()
    columns = [
        column
        for column in now.schema.columns
        if column in following.schema.columns and column.name in before
    ]
    store = following.vectors.store
    store.read_numbers(column for column in columns if column.ordered)
    copies = {column.name: _copied(column, before[column.name], store) for column in columns}
    if not _rows_correspond(now, following):
        anew = Snapshot(following.table, following.metadata, reads=now.reads.copy())
        return anew.take_over(copies, {}, {})
    differing = {name: _differing(before[name], copy) for name, copy in copies.items()}
    equal = {name for name, places in differing.items() if not len(places)}
    everything = np.arange(following.universe)
    changed = {
        column.name: differing.get(column.name, everything)
        for column in (*now.schema.columns, *following.schema.columns)
        if column.name not in equal
    }
    shared = now.shared.then(Change(following.version, changed, everything[:0]))
    return Snapshot(following.table, following.metadata, shared, now.reads.copy()).take_over(
        {name: before[name] if name in equal else copy for name, copy in copies.items()},
        {name: ends[name] for name in equal & ends.keys()},
        {name: now.profiled[name] for name in equal & now.profiled.keys()},
    )


def _rows_correspond(now: Snapshot, following: Snapshot) -> bool:
    has_gaps = now.numbering.deleted_rows or following.numbering.deleted_rows
    return now.universe == following.universe and not has_gaps


def _copied(column: Column, before: Copy, store: ColumnStore) -> Copy:
    """Return a column's copy, with buckets where the present version has them."""
    copy = store.copy(column)
    if isinstance(copy, NumberCopy) and isinstance(before, NumberCopy) and before.has_buckets:
        edges = before.buckets.edges
        octets = bucketed(np.array(edges), copy.values)
        copy.__dict__["buckets"] = Buckets(edges, octets)
    return copy


def _differing(before: Copy, after: Copy) -> LongIds:
    """Return the numbers at which two copies of as many rows differ, or may."""
    if isinstance(before, NumberCopy) and isinstance(after, NumberCopy):
        if before.exact == after.exact:
            old, new = before.values, after.values
            return np.flatnonzero(~((old == new) | (np.isnan(old) & np.isnan(new))))
    elif isinstance(before, TextCopy) and isinstance(after, TextCopy):
        return np.flatnonzero(_translated(before, after) != after.codes)
    return np.arange(len(after.codes if isinstance(after, TextCopy) else after.values))


def _translated(before: TextCopy, after: TextCopy) -> LongIds:
    """Return the codes of one copy in the other's numbering, −1 for a text it does not have."""
    table = np.full(MAX_TEXTS + 1, -1, dtype=np.int64)
    table[: len(before.values)] = [after.places.get(text, -1) for text in before.values]
    table[before.null] = after.null
    return table[before.codes]
