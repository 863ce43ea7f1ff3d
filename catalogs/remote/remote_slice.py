"""The rows of a remote catalog that meet the base constraints: their ends, and those brought here.

A place of such a slice is the key of a row. Only rows that the engine was asked for are here, each
with the constraints it meets; whatever is measured of them is measured as of a slice in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..deadline import NEVER, Deadline
from ..json_values import Row
from ..query.predicate import Predicate

Ends = tuple[float, float] | None
Places = NDArray[np.intp]
Floats = NDArray[np.float64]


class EndsReader(Protocol):
    """What reads the ends of columns among rows that satisfy some predicates."""

    def ends(
        self, columns: Sequence[str], predicates: Sequence[Predicate], until: Deadline
    ) -> dict[str, Ends]: ...


class KeyedNumbers(NamedTuple):
    """A column of the rows that are here, as doubles by key; NaN for NULL."""

    by_key: Mapping[int, float]

    def at(self, places: Places) -> Floats:
        """Return the values of some rows, float64[n]."""
        return np.array([self.by_key[key] for key in places.tolist()], dtype=np.float64)


class RemoteSlice:
    """The rows that meet some predicates, of which few are here.

    `wanted` are the columns whose ends the next histogram brings along, `share` the part of the
    rows that it looks at (1: all).
    """

    is_compact = False

    def __init__(self, catalog: EndsReader, predicates: Sequence[Predicate]) -> None:
        self._catalog, self.predicates = catalog, tuple(predicates)
        self.wanted: tuple[str, ...] = ()
        self.share = 1.0
        self.words, self.size = np.zeros(0, dtype=np.uint64), 0
        self.met: dict[int, int] = {}
        self.rows: dict[int, Row] = {}
        self._numbers: dict[str, dict[int, float]] = {}
        self._ends: dict[str, Ends] = {}

    def take_ends(self, ends: Mapping[str, Ends]) -> None:
        """Keep the ends of some columns, read with something else."""
        self._ends.update(ends)

    def has_ends(self, column: str) -> bool:
        """Return whether the ends of a column are known."""
        return column in self._ends

    def ends(self, column: str, until: Deadline = NEVER) -> Ends:
        """Return the least and the greatest finite value of a column; None without one."""
        if column not in self._ends:
            self.take_ends(self._catalog.ends([column], self.predicates, until))
        return self._ends[column]

    def take(
        self, keys: Sequence[int], met: Sequence[int], rows: Sequence[Row], numbers: dict[str, Any]
    ) -> None:
        """Keep rows: what each meets as a mask, its values, and ordered columns as doubles."""
        self.met.update(zip(keys, met, strict=True))
        self.rows.update(zip(keys, rows, strict=True))
        for name, values in numbers.items():
            self._numbers.setdefault(name, {}).update(zip(keys, values, strict=True))

    def packed(self, column: str) -> KeyedNumbers:
        """Return an ordered column of the rows that are here."""
        return KeyedNumbers(self._numbers.get(column, {}))

    def row_ids(self, places: Places) -> Places:
        """Return the keys as they are."""
        return places
