"""The few rows between bounds: listed by the index of one column, compared by those of others.

An index lists its rows by value, so those between two bounds stand side by side. No set with a bit
for each row of the catalog is made, which memory that other questions have used since would take
some 0.1 ms a bound for at 10⁶ rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..query.predicate import Predicate
from ..vectors.bitmap_index import IndexedColumn
from ..vectors.row_set import RowSet
from .base_slice import COMPACT
from .joined_bounds import intervals_by_column
from .snapshot_vectors import SnapshotVectors


def narrow_rows(vectors: SnapshotVectors, predicates: Sequence[Predicate]) -> RowSet | None:
    """Return the rows that meet all predicates; None unless these are bounds, and one keeps few.

    Few are less than one row in sixteen, between the bounds on one column that has an index.
    """
    ranges = None if vectors.numbering.deleted_rows else intervals_by_column(vectors, predicates)
    if not ranges:
        return None
    indexed = dict[str, IndexedColumn]()
    for name in ranges:
        found = vectors.index(name) if vectors.has_index(name) else None
        if found is not None and found.index.has_detail:
            indexed[name] = found
    if not indexed:
        return None
    places = {name: column.index.places(*ranges[name]) for name, column in indexed.items()}
    counts = {name: stop - start for name, (start, stop) in places.items()}
    narrowest = min(counts, key=counts.__getitem__)
    if counts[narrowest] * COMPACT > vectors.universe:
        return None
    ids = indexed[narrowest].listed(*ranges.pop(narrowest), places[narrowest])
    for name, (low, high) in ranges.items():
        ids = ids[vectors.number_copy(name).packed.taken(ids).between(low, high)]
    rows = RowSet.of_ascending(ids, vectors.universe)
    rows.is_quick = True
    return rows
