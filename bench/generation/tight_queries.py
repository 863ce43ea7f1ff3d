"""Queries from hits of the enumeration: base slice, members as constraints, drop-one counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from ...catalogs.query.query import Query
from ...solvers.enumeration.candidates import Hits
from ...solvers.enumeration.search import Sought
from .slices import Slice


@dataclass(frozen=True)
class TightQuery:
    """A query that no row meets, and what is known of it.

    `drop_counts[j]` rows remain when constraint j alone is dropped; their sum is the
    `tightness` (AWARE-US, section 2.3). With `sought` "MUS-k" the constraints are one minimal
    conflict, so each can be dropped; with "unique-repair" only the one at `unique_repair` can,
    and the conflicts are smaller than the query.
    """

    query: Query
    sought: Sought
    drop_counts: tuple[int, ...]

    @property
    def tightness(self) -> int:
        """The sum of the drop-one counts."""
        return sum(self.drop_counts)

    @property
    def unique_repair(self) -> int | None:
        """The position of the one constraint whose dropping leaves rows; None for a MUS."""
        return len(self.drop_counts) - 1 if self.sought == "unique-repair" else None


def tight_queries(part: Slice, hits: Hits, sought: Sought) -> Iterator[TightQuery]:
    """Yield the queries of hits among a slice's candidates, in the order of the hits.

    The base constraints define the slice, the members of a hit are the additional ones.
    """
    members_of_hits = cast("list[list[int]]", hits.members.tolist())
    remaining = cast("list[list[int]]", hits.drop_counts.tolist())
    for members, drop_counts in zip(members_of_hits, remaining, strict=True):
        constraints = tuple(part.constraints[member] for member in members)
        query = Query(base=part.base, constraints=constraints)
        yield TightQuery(query, sought, tuple(drop_counts))
