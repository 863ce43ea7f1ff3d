"""The rows that a histogram was made of in short time, to find one again by what it meets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..catalogs.versions.base_slice import BaseSlice
from .masks import Masks, positions_of


@dataclass(frozen=True, eq=False)
class RowsRead:
    """The first words of a base slice and of each constraint, as far as they were read.

    base: uint64[n], stack: uint64[m] for each constraint, m ≥ n. `slice` tells the row at a
    place; None where places are row numbers. `found` is a row that meets everything, wherever it
    stands. `whole`, uint64[l], are the words of all the base slice where these are known, and
    `known`, at least as long, those of some constraints, by position.
    """

    base: Masks
    stack: Masks | Sequence[Masks]
    slice: BaseSlice | None = None
    found: int | None = None
    whole: Masks | None = None
    known: Mapping[int, Masks] = field(default_factory=dict[int, Masks])

    def first(self, mask: int) -> int | None:
        """Return the number of the first row read that meets a mask; None for none.

        Costs an AND a constraint over words of the rows read.
        """
        stack = [self.stack[position][: len(self.base)] for position in positions_of(mask)]
        place = first_row(self.base, stack)
        if place is None:
            return self.found
        return place if self.slice is None else int(self.slice.row_ids(np.array([place]))[0])


def first_row(base: Masks, stack: Iterable[Masks]) -> int | None:
    """Return the first row of some words that meets everything, None for none.

    base: uint64[n]; stack: uint64[n] each; bit i of word w is row 64·w + i.
    """
    met = base.copy()
    for words in stack:
        met &= words
    occupied = np.flatnonzero(met)
    if not len(occupied):
        return None
    bits = int(met[occupied[0]])
    return 64 * int(occupied[0]) + (bits & -bits).bit_length() - 1
