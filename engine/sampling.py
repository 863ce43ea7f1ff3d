"""A histogram of a sample, and what is counted exactly beside it on the whole table.

Masks that a sample has exist, so that whatever it finds to drop does help; how many rows match
is counted on all rows, in one statement for everything an answer shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import TYPE_CHECKING, cast

from ..catalogs.deadline import DeadlinePassed
from ..catalogs.errors import QueryError, excerpt
from ..solvers.histogram import MaskHistogram
from ..solvers.limits import Budget
from ..solvers.masks import positions_of
from .bound_query import BoundQuery

if TYPE_CHECKING:
    from ..catalogs.remote.remote_slice import RemoteSlice
    from ..catalogs.remote.remote_snapshot import RemoteSnapshot

MOST_COUNTED = 300
"""Masks counted exactly for one diagnosis."""


class SampleCounts:
    """Rows of the whole base slice by the mask of what they meet at least, as far as counted."""

    def __init__(self, bound: BoundQuery) -> None:
        self._bound = bound
        self._base = cast("RemoteSlice", bound.base)
        self._catalog = cast("RemoteSnapshot", bound.catalog)
        self.known: dict[int, int] = {}
        self.is_late = False

    def count(self, masks: Iterable[int], until: Budget) -> None:
        """Have counts of some masks known, unless the deadline comes first."""
        missing = [mask for mask in dict.fromkeys(masks) if mask not in self.known]
        wanted = [
            self._bound.predicates_without(positions_of(self._bound.full & ~mask))
            for mask in missing[:MOST_COUNTED]
        ]
        try:
            counts = self._catalog.counts(wanted, until)
        except DeadlinePassed:
            self.is_late = True
            return
        self.known.update(zip(missing, counts, strict=False))

    def read_ends(self, until: Budget) -> None:
        """Have the ends of the whole base slice, instead of the sample's."""
        names = self._base.wanted
        try:
            ends = self._catalog.ends(names, self._base.predicates, until)
            self._base.take_ends(ends)
        except DeadlinePassed:
            self.is_late = True


def check_share(bound: BoundQuery, share: float | None) -> None:
    """Raise `QueryError` for a share that is none, and for a sample of rows in memory."""
    if share is None:
        return
    if not isinstance(share, Real) or not 0.0 < share <= 1.0:
        hint = "give a share of the rows, such as 0.01"
        raise QueryError(f"sample is {excerpt(share)}", hint=hint)
    if not bound.is_remote:
        raise QueryError(
            "a sample of rows in memory", hint="leave the sample out: all of them are read"
        )


def judged(
    bound: BoundQuery, histogram: MaskHistogram, until: Budget
) -> tuple[MaskHistogram, SampleCounts]:
    """Return a sample's histogram with what is known of all rows: whether any meets everything."""
    counts, full = SampleCounts(bound), bound.full
    if histogram.stopped_by != "sample":
        counts.is_late = True
        return histogram, counts
    ones = [1 << at for at in range(bound.width)]
    counts.count([0, full, *[full ^ one for one in ones], *ones], until)
    counts.read_ends(until)
    if full not in counts.known:
        return histogram, counts
    return histogram.with_verdict(counts.known[full] > 0), counts
