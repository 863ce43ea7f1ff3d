"""Quantized copy of a column of numbers: the quantile each value lies in, as a byte.

A bound on values becomes a bound on bytes, with an eighth of the memory to read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .array_types import Floats, Octets
from .bitmap_index import quantiles
from .buffer_pool import VersionedArray
from .kernel_use import kernels_are_used

BUCKETS = 254
"""Edges between the buckets of a column; 255 is the bucket of NULL."""


@dataclass(frozen=True, eq=False)
class Buckets:
    """254 `edges`, float64 ascending, and the bucket of every row, uint8[rows].

    A value lies in bucket b when b edges are at most it, so a bound on values becomes a bound
    on bytes. NULL is 255. Edges are quantiles of every n-th finite value; any edges are right,
    so those of an earlier version stay.
    """

    edges: Floats
    octets: Octets
    versions: VersionedArray[np.uint8] = field(default_factory=VersionedArray[np.uint8], repr=False)

    @classmethod
    def of(cls, values: Floats) -> Buckets:
        """Return the buckets of a column, float64[rows]."""
        edges = np.full(BUCKETS, np.inf)
        known = quantiles(values, BUCKETS)
        edges[: len(known)] = known
        return cls(edges, bucketed(edges, values))

    @property
    def nbytes(self) -> int:
        """The memory held."""
        return self.octets.nbytes

    @property
    def has_all_edges(self) -> bool:
        """Whether there were as many different quantiles as edges when these were made."""
        return bool(self.edges[-1] < np.inf)

    def edited(self, places: NDArray[np.integer], replaced: Any, appended: Any) -> Buckets:
        """Return the buckets with some rows' values replaced and others appended."""
        new, more = bucketed(self.edges, replaced), bucketed(self.edges, appended)
        return Buckets(
            self.edges, self.versions.edited(self.octets, places, new, more), self.versions
        )


def bucketed(edges: Floats, values: Floats) -> Octets:
    """Return the bucket of each value, uint8[n]."""
    if kernels_are_used(len(values)):
        from .bitmap_kernels import write_buckets

        octets = np.empty(len(values), dtype=np.uint8)
        write_buckets(values, edges, octets)
        return octets
    buckets = np.searchsorted(edges, values, side="right").astype(np.uint8)
    buckets[np.isnan(values)] = 255
    return buckets
