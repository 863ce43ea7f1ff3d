"""A column of numbers as bytes: an eighth of the memory to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .growing import edited

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
            found = np.unique(np.quantile(sample, np.arange(1, BUCKETS + 1) / (BUCKETS + 1)))
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


def bucketed(edges: NDArray[np.float64], values: NDArray[np.float64]) -> Octets:
    """Return the bucket of each value, uint8[n]."""
    buckets = np.searchsorted(edges, values, side="right").astype(np.uint8)
    buckets[np.isnan(values)] = 255
    return buckets
