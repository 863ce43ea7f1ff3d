"""What a write changes, and the next version made from the present one and that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from pyroaring import BitMap

from .column_copies import Copy, NumberCopy, ObjectCopy
from .column_store import Ends
from .columns import Column
from .history import Change
from .numbering import LongIds, Numbering
from .predicate import quoted
from .row_set import RowSet
from .snapshot import Snapshot

NONE: LongIds = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Edit:
    """A write, by numbers of the version it is made on.

    `removed` are numbers that become empty. `places` int64[n] has the number of each row
    written, `new` the positions of rows that are new, `changed` for each column the positions
    of rows that replace one with another value there. `copies` has the columns of the rows
    written, by position; a column that is not in it is NULL in the rows that are new.
    """

    removed: LongIds = field(default_factory=lambda: NONE)
    places: LongIds = field(default_factory=lambda: NONE)
    new: LongIds = field(default_factory=lambda: NONE)
    changed: dict[str, LongIds] = field(default_factory=dict[str, LongIds])
    copies: Mapping[str, NumberCopy | ObjectCopy] = field(
        default_factory=dict[str, "NumberCopy | ObjectCopy"]
    )

    @property
    def added(self) -> int:
        """The number of new rows."""
        return len(self.new)

    @property
    def replaced(self) -> LongIds:
        """The positions of the rows that replace another with other values."""
        return np.unique(np.concatenate([NONE, *self.changed.values()]))

    def positions(self, column: str) -> LongIds:
        """Return the positions of the rows that replace another with a new value."""
        return self.changed.get(column, NONE)


def succeed(now: Snapshot, edit: Edit) -> Snapshot:
    """Return the version after an edit, which takes over whatever is known and still true."""
    facts = replace(
        now.facts,
        version=now.version + 1,
        from_clause=quoted(now.name),
        numbering=renumbered(now.facts.numbering, edit),
        dead=now.facts.dead + len(edit.removed) + len(edit.replaced),
    )
    following = Snapshot(now.table, facts, now.known)
    following.reads, following.asked = now.reads, now.asked.copy()
    if not (edit.added or len(edit.removed)):
        following.known_profiles = {
            name: profile
            for name, profile in now.known_profiles.copy().items()
            if not len(edit.positions(name))
        }
    copies, ends = now.copies.held()
    for name, copy in copies.items():
        column = now.schema.find(name)
        after = _edited(copy, column, edit)
        if after is None:
            continue
        following.copies.take(name, after)
        if isinstance(copy, NumberCopy) and isinstance(after, NumberCopy) and name in ends:
            _take_ends(following, copy, after, ends[name], name, edit)
    following.known = now.known.then(_change(following.version, edit))
    return following


def _change(version: int, edit: Edit) -> Change:
    changed = {
        name: edit.places[positions] for name, positions in edit.changed.items() if len(positions)
    }
    return Change(version, changed, np.concatenate([edit.removed, edit.places[edit.new]]))


def renumbered(numbering: Numbering, edit: Edit) -> Numbering:
    """Return the numbering after an edit."""
    universe = numbering.universe + edit.added
    next_id = numbering.next_id + edit.added
    ids = numbering.ids
    if ids is not None and edit.added:
        ids = np.concatenate([ids, np.arange(numbering.next_id, next_id)])
    holes = numbering.holes.bitmap if numbering.holes else BitMap()
    holes = holes | BitMap(edit.removed.tolist())
    emptied = RowSet(holes, universe) if holes else None
    return Numbering(universe, next_id, numbering.first_id, ids, emptied)


def _edited(copy: Copy, column: Column, edit: Edit) -> Copy | None:
    """Return a column's copy after an edit, the same one where nothing changes in it."""
    changed = edit.positions(column.name)
    if not (len(changed) or edit.added):
        return copy
    places = edit.places[changed]
    written = edit.copies.get(column.name)
    if isinstance(copy, NumberCopy):
        if not isinstance(written, NumberCopy):
            written = NumberCopy(np.full(len(edit.places), np.nan), exact=True)
        return copy.edited(places, written.taken(changed), written.taken(edit.new))
    if not isinstance(written, ObjectCopy):
        written = ObjectCopy(np.full(len(edit.places), None, dtype=object))
    return copy.edited(places, written.taken(changed), written.taken(edit.new))


def _take_ends(
    following: Snapshot, before: NumberCopy, after: NumberCopy, ends: Ends, name: str, edit: Edit
) -> None:
    """Take over a column's ends, unless a value that was one of them is gone."""
    places = edit.places[edit.positions(name)]
    gone = before.values[np.concatenate([places, edit.removed])]
    if ends is not None and np.isin(gone, ends).any():
        return
    arrived = np.concatenate([after.values[places], after.values[len(before.values) :]])
    known = [*(ends or ()), *arrived[np.isfinite(arrived)].tolist()]
    following.copies.take_ends(name, (min(known), max(known)) if known else None)
