"""What kernels find in several pieces of rows, put together as if they had been read at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.vectors.array_types import Floats, Longs, Records
from .interface import Places


@dataclass(frozen=True, eq=False)
class NearRows:
    """Rows whose violation is at most `radius`, in pieces: places, distances and violations.

    Unless `complete`, rows not read may be as near.
    """

    radius: float
    pieces: Sequence[tuple[Places, Floats, Floats]]
    complete: bool

    @cached_attribute
    def places(self) -> Places:
        """The rows, intp[n] ascending."""
        return joined([places for places, _, _ in self.pieces], np.intp)

    @cached_attribute
    def distances(self) -> Floats:
        """Their distances, float64[k, n]."""
        if len(self.pieces) == 1:
            return self.pieces[0][1]
        return np.concatenate([distances for _, distances, _ in self.pieces], axis=1)

    @cached_attribute
    def violations(self) -> Floats:
        """Their violations, float64[n]."""
        return joined([violations for _, _, violations in self.pieces], np.float64)


def first_and_nearest(found: Sequence[Records]) -> Records:
    """Return what probes find in several pieces of rows taken together, PROBE[m] each."""
    if len(found) == 1:
        return found[0]
    pieces = np.stack(found)
    every = np.arange(len(found[0]))
    is_least = pieces["cost"] == pieces["cost"].min(axis=0)
    nearest = np.where(is_least, pieces["distance"], np.inf).argmin(axis=0)
    together = pieces[nearest, every]
    firsts = pieces["first"]
    together["first"] = firsts[(firsts >= 0).argmax(axis=0), every]
    return together


EVERYWHERE: Longs = np.zeros((0, 5), dtype=np.int64)
"""No ranges, so that rows may lie anywhere."""


def as_bitmaps(ranges: Sequence[tuple[int, ...]]) -> Longs:
    """Return ranges that rows lie in all of as `rows_in_ranges` takes them, int64[m, 5]."""
    return as_groups([[wide] for wide in ranges])


def as_groups(groups: Sequence[Sequence[tuple[int, ...]]]) -> Longs:
    """Return groups of ranges as `rows_in_ranges` takes them, int64[m, 5].

    A row lies in one range of each group at least.
    """
    if not groups:
        return EVERYWHERE
    records = [(*wide, number) for number, group in enumerate(groups) for wide in group]
    return np.array(records, dtype=np.int64).reshape(-1, 5)


def joined(pieces: Sequence[NDArray[Any]], dtype: type[Any] | np.dtype[Any]) -> NDArray[Any]:
    """Return pieces one after another; an empty array of a type for none."""
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=dtype)
