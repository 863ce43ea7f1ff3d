"""What passes a predicate, as intervals of the numbers that columns are held as."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cold_predicates import NEGATED, intervals_of, is_answerable
from .column_copies import Copy, NumberCopy, TextCopy
from .predicate import Predicate, ValueTest
from .touched_rows import read_as

if TYPE_CHECKING:
    from .snapshot import Snapshot

Intervals = list[tuple[float, float]]

ANYTHING: Intervals = [(-math.inf, math.inf)]


@dataclass(frozen=True, eq=False)
class Passing:
    """The numbers in a column (`TouchedRows`) that pass: those in any of the closed intervals,
    or in none of them where `negated`; NaN where `nulls`.

    `place` is the column's in the schema, `read_by` what makes its numbers mean what they do.
    """

    place: int
    intervals: Intervals
    negated: bool
    nulls: bool
    read_by: object


class PassingTests:
    """What passes the predicates of one version's schema, now and in later versions."""

    def __init__(self, catalog: Snapshot) -> None:
        self.places = {
            column.name: (place, column) for place, column in enumerate(catalog.schema.columns)
        }
        self._copies, _ = catalog.copies.held()

    def of(self, predicate: Predicate) -> Passing | None:
        """Return what passes a predicate; None where numbers do not tell."""
        test = predicate.test
        if test is None:
            return None
        place, column = self.places[predicate.columns[0]]
        copy = self._copies.get(column.name)
        read_by = None if copy is None else read_as(copy)
        if copy is None or read_by is None or not is_answerable(test, column):
            return None
        if test.op in ("is null", "is not null"):
            is_null = test.op == "is null"
            return Passing(place, [] if is_null else ANYTHING, False, is_null, read_by)
        negated = NEGATED.get(test.op)
        intervals = _intervals(ValueTest(negated, test.values) if negated else test, copy)
        if intervals is None:
            return None
        return Passing(place, intervals, negated is not None, predicate.nulls_match, read_by)


def _intervals(test: ValueTest, copy: Copy) -> Intervals | None:
    if isinstance(copy, NumberCopy):
        return intervals_of(test, copy, nulls_match=False)
    assert isinstance(copy, TextCopy)
    # A text that no row has yet has no code, and may be given one by a later version.
    if any(one not in copy.places for one in test.values):
        return None
    codes = [float(copy.places[one]) for one in test.values]
    return [(code, code) for code in codes]
