"""The rows a write touched, as they were and as they became."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .column_copies import MAX_TEXTS, Copy, NumberCopy, TextCopy
from .columns import Column
from .numbering import LongIds

MAX_TOUCHED = 16_384
"""Writes of more rows are not looked at row by row afterwards."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TouchedRows:
    """Rows that went and rows that came; one that was replaced is among both.

    `before` float64[c, n] and `after` float64[c, m] have a row for each column of the schema:
    numbers as they are compared, texts by their codes, NaN for NULL. `known[i]` is what column
    i is read by: its list of texts, True for numbers, None where it was not in memory.
    """

    before: Numbers
    after: Numbers
    known: tuple[object, ...]

    @property
    def count(self) -> int:
        """The number of rows to look at."""
        return self.before.shape[1] + self.after.shape[1]

    @classmethod
    def of(
        cls,
        columns: tuple[Column, ...],
        held: tuple[Mapping[str, Copy], Mapping[str, Copy]],
        numbers: tuple[LongIds, LongIds],
    ) -> TouchedRows | None:
        """Return the rows of some numbers, before and after, from copies; None for too many."""
        if sum(map(len, numbers)) > MAX_TOUCHED:
            return None
        before, after = (np.full((len(columns), len(one)), np.nan) for one in numbers)
        known: list[object] = []
        for place, column in enumerate(columns):
            copies = [one.get(column.name) for one in held]
            read_by = [None if one is None else read_as(one) for one in copies]
            is_known = read_by[0] is read_by[1] and read_by[0] is not None
            known.append(read_by[0] if is_known else None)
            if is_known:
                for out, copy, taken in zip((before, after), copies, numbers, strict=True):
                    out[place] = _numbers(copy, taken)
        return cls(before, after, tuple(known))


def read_as(copy: Copy) -> object:
    """Return what tells whether numbers of two copies mean the same; None for no numbers."""
    if isinstance(copy, TextCopy):
        return copy.values
    return True if isinstance(copy, NumberCopy) and copy.exact else None


def _numbers(copy: Any, taken: LongIds) -> Numbers:
    if isinstance(copy, NumberCopy):
        return copy.values[taken]
    codes = copy.codes[taken]
    return np.where(codes == MAX_TEXTS, np.nan, codes)
