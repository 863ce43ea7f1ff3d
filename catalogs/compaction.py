"""The same version over a table of its own: made writable, or freed of what nobody reads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .column_copies import Copy, NumberCopy
from .numbering import Numbering
from .snapshot import Snapshot

SPARED = 1_000
"""So many rows replaced or deleted are left where they are in any case."""

DEAD = 2
"""More rows that nobody reads than one for so many rows are left behind."""

EMPTY = 4
"""Where more than one number in so many is empty, rows are numbered anew."""


def writable(now: Snapshot) -> Snapshot:
    """Return the version over a table that can be written to."""
    return now if now.table.marks is not None else _moved(now)


def compacted(now: Snapshot) -> Snapshot:
    """Return the version over a table without rows that nobody reads, if those are many.

    Row ids stay. Numbers do too, unless many of them are empty.
    """
    if now.facts.dead <= SPARED + now.row_count // DEAD:
        return now
    holes = now.facts.numbering.holes
    return renumbered(now) if holes and len(holes) * EMPTY > now.universe else _moved(now)


def _moved(now: Snapshot) -> Snapshot:
    table = now.table.rewritten(now.version)
    made = Snapshot(table, replace(now.facts, dead=0), now.known)
    made.known_profiles = now.known_profiles.copy()
    copies, _ = now.copies.held()
    return _taking_over(now, made, copies)


def renumbered(now: Snapshot) -> Snapshot:
    """Return the version without rows that nobody reads, and without empty numbers."""
    before = now.facts.numbering
    kept = before.rows.ids
    ids = before.row_ids(kept)
    numbering = Numbering(len(kept), before.next_id, ids=ids)
    made = Snapshot(
        now.table.rewritten(now.version), replace(now.facts, dead=0, numbering=numbering)
    )
    made.known_profiles = now.known_profiles.copy()
    copies, _ = now.copies.held()
    places = kept.astype(np.intp)
    renumbered: dict[str, Copy] = {
        name: copy.kept(places) if isinstance(copy, NumberCopy) else copy.taken(places)
        for name, copy in copies.items()
    }
    return _taking_over(now, made, renumbered)


def _taking_over(now: Snapshot, made: Snapshot, copies: dict[str, Copy]) -> Snapshot:
    made.reads, made.asked = now.reads, now.asked.copy()
    for name, copy in copies.items():
        made.copies.take(name, copy)
    for name, ends in now.copies.held()[1].items():
        made.copies.take_ends(name, ends)
    return made
