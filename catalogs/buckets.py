"""A column of numbers as bytes: an eighth of the memory to read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .growing import edited
from .row_set import RowSet

BUCKETS = 254
"""Edges between the buckets of a column; 255 is the bucket of NULL."""

SAMPLE = 16_384

Octets = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Buckets:
    """254 `edges`, ascending, and the bucket of every row, uint8[rows].

    A value lies in bucket b when b edges are at most it, so a bound on values becomes a bound
    on bytes. NULL is 255. Edges are quantiles of every n-th finite value; any edges are right,
    so those of an earlier version stay.
    """

    edges: list[float]
    octets: Octets
    room: Octets | None = field(default=None, repr=False)

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Buckets:
        """Return the buckets of a column, float64[rows]."""
        sample = values[:: max(1, len(values) // SAMPLE)]
        sample = sample[np.isfinite(sample)]
        edges = np.full(BUCKETS, np.inf)
        if len(sample):
            # Values of the sample itself: interpolating between them takes longer than the rest.
            ordered = np.sort(sample)
            found = np.unique(ordered[np.arange(1, BUCKETS + 1) * len(ordered) // (BUCKETS + 1)])
            edges[: len(found)] = found
        return cls(edges.tolist(), bucketed(edges, values))

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return self.octets.nbytes

    def edited(self, places: NDArray[np.integer], replaced: Any, appended: Any) -> Buckets:
        """Return the buckets with some rows' values replaced and others appended."""
        edges = np.array(self.edges)
        new, more = bucketed(edges, replaced), bucketed(edges, appended)
        return Buckets(self.edges, *edited(self.octets, self.room, places, new, more))


@dataclass(frozen=True, eq=False)
class SliceBuckets:
    """The buckets of a small base slice, column by column as they are made, and its rows."""

    rows: RowSet
    columns: dict[str, Buckets] = field(default_factory=dict[str, Buckets])

    @property
    def nbytes(self) -> int:
        """An upper estimate of the memory held with some columns."""
        return self.rows.nbytes + 4 * len(self.rows)

    def renewed(
        self,
        rows: RowSet,
        touched: NDArray[np.int64],
        numbers: Callable[[str], NDArray[np.float64]],
    ) -> SliceBuckets:
        """Return the buckets of the slice in a later version, where it has these rows.

        touched: numbers that may have come, gone or changed; numbers: gives a column by number.
        """
        before = touched[touched < self.rows.universe]
        was = before[self.rows.within(before)]
        now = touched[rows.within(touched)]
        stays = np.ones(len(self.rows), dtype=np.bool_)
        stays[np.searchsorted(self.rows.ids, was)] = False
        fresh = np.searchsorted(rows.ids, now)
        old = np.ones(len(rows), dtype=np.bool_)
        old[fresh] = False
        made = SliceBuckets(rows)
        for name, buckets in list(self.columns.items()):
            octets = np.empty(len(rows), dtype=np.uint8)
            octets[old] = buckets.octets[stays]
            octets[fresh] = bucketed(np.array(buckets.edges), numbers(name)[now])
            made.columns[name] = Buckets(buckets.edges, octets)
        return made


def in_buckets(octets: Octets, start: int, end: int) -> NDArray[np.bool_]:
    """Return which rows lie in buckets `start` to `end`, both included."""
    # Below the start a byte wraps around to more than any range is long.
    return octets - np.uint8(start) <= np.uint8(end - start)


def bucketed(edges: NDArray[np.float64], values: NDArray[np.float64]) -> Octets:
    """Return the bucket of each value, uint8[n]."""
    buckets = np.searchsorted(edges, values, side="right").astype(np.uint8)
    buckets[np.isnan(values)] = 255
    return buckets
