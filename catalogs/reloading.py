"""A version read from a source, made ready before anybody asks, with what still holds."""

from __future__ import annotations

import numpy as np

from .buckets import Buckets, bucketed
from .column_copies import MAX_TEXTS, Copy, NumberCopy, TextCopy
from .columns import Column
from .history import Change
from .numbering import LongIds
from .snapshot import Snapshot


def ready(now: Snapshot, following: Snapshot) -> Snapshot:
    """Return the version that follows with the columns in memory that the present one has there.

    Where rows stand at the same numbers, whatever is known of columns and rows that are equal
    is taken over.
    """
    held, ends = now.copies.held()
    columns = [one for one in now.schema.columns if one in following.schema.columns]
    following.copies.read_numbers(one for one in columns if one.ordered and one.name in held)
    copies = {
        one.name: _copied(one, held[one.name], following) for one in columns if (one.name in held)
    }
    if not _stand_alike(now, following):
        return _given(now, following, copies)
    differing = {name: _differing(held[name], copy) for name, copy in copies.items()}
    equal = {name for name, places in differing.items() if not len(places)}
    everything = np.arange(following.universe)
    changed = {
        one.name: differing.get(one.name, everything)
        for one in (*now.schema.columns, *following.schema.columns)
        if one.name not in equal
    }
    change = Change(following.version, changed, everything[:0])
    made = Snapshot(following.table, following.facts, now.known.then(change))
    _given(now, made, {name: held[name] if name in equal else copies[name] for name in copies})
    for name in equal & ends.keys():
        made.copies.take_ends(name, ends[name])
    for name in equal & now.known_profiles.keys():
        made.known_profiles[name] = now.known_profiles[name]
    return made


def _stand_alike(now: Snapshot, following: Snapshot) -> bool:
    numberings = now.facts.numbering, following.facts.numbering
    return now.universe == following.universe and not any(one.holes for one in numberings)


def _given(now: Snapshot, made: Snapshot, copies: dict[str, Copy]) -> Snapshot:
    made.reads, made.asked = now.reads, now.asked.copy()
    for name, copy in copies.items():
        made.copies.take(name, copy)
    return made


def _copied(column: Column, before: Copy, following: Snapshot) -> Copy:
    """Return a column's copy, with buckets where the present version has them."""
    copy = following.copies.copy(column)
    if isinstance(copy, NumberCopy) and isinstance(before, NumberCopy) and before.has_buckets:
        edges = before.buckets.edges
        octets = bucketed(np.array(edges), copy.values)
        copy.__dict__["buckets"] = Buckets(edges, octets)
    return copy


def _differing(before: Copy, after: Copy) -> LongIds:
    """Return the numbers at which two copies of as many rows differ, or may."""
    if isinstance(before, NumberCopy) and isinstance(after, NumberCopy):
        if before.exact == after.exact:
            same = (before.values == after.values) | (
                np.isnan(before.values) & np.isnan(after.values)
            )
            return np.flatnonzero(~same)
    elif isinstance(before, TextCopy) and isinstance(after, TextCopy):
        return np.flatnonzero(_translated(before, after) != after.codes)
    return np.arange(len(after.codes if isinstance(after, TextCopy) else after.values))


def _translated(before: TextCopy, after: TextCopy) -> LongIds:
    """Return the codes of one copy in the other's numbering, −1 for a text it does not have."""
    table = np.full(MAX_TEXTS + 1, -1, dtype=np.int64)
    table[: len(before.values)] = [after.places.get(text, -1) for text in before.values]
    table[MAX_TEXTS] = MAX_TEXTS
    return table[before.codes]
