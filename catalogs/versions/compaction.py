"""Rewrite a version's rows into a table of their own: to write to it, or to free dead rows.

Copying the table costs as much as a load; it happens at the first write to a catalog opened to
be read only, and when rows that nobody reads are half as many as the rows there are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..vectors.column_vectors import Copy, NumberCopy
from ..vectors.row_numbering import Numbering
from .snapshot import Snapshot

SPARED = 1_000
"""Up to this many replaced or deleted rows are never compacted away."""

DEAD = 2
"""With more than 1/2 as many unread rows as rows, the table is compacted."""

EMPTY = 4
"""With more than 1/4 of the numbers unused, rows are numbered anew."""


def writable(now: Snapshot) -> Snapshot:
    """Return the version over a table that can be written to."""
    return now if now.table.is_writable else _moved(now)


def compacted(now: Snapshot) -> Snapshot:
    """Return the version over a table without rows that nobody reads, if those are many.

    Row ids stay. Numbers do too, unless many of them are empty.
    """
    if now.metadata.dead <= SPARED + now.row_count // DEAD:
        return now
    deleted = now.numbering.deleted_rows
    return renumbered(now) if deleted and len(deleted) * EMPTY > now.universe else _moved(now)


def _moved(now: Snapshot) -> Snapshot:
    table = now.table.rewritten(now.version)
    moved = Snapshot(table, replace(now.metadata, dead=0), now.shared, now.reads.copy())
    return moved.take_over(*now.vectors.store.in_memory(), now.profiled)


def renumbered(now: Snapshot) -> Snapshot:
    """Return the version without rows that nobody reads, and without empty numbers."""
    before = now.numbering
    kept = before.rows.ids
    numbering = Numbering(len(kept), before.next_id, ids=before.row_ids(kept))
    metadata = replace(now.metadata, dead=0, numbering=numbering)
    following = Snapshot(now.table.rewritten(now.version), metadata, reads=now.reads.copy())
    copies, ends = now.vectors.store.in_memory()
    places = kept.astype(np.intp)
    renumbered: dict[str, Copy] = {
        name: copy.kept(places) if isinstance(copy, NumberCopy) else copy.taken(places)
        for name, copy in copies.items()
    }
    return following.take_over(renumbered, ends, now.profiled)
