"""Bounds on one column taken together, such as a price from and to: one interval, read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ..query.predicate import Predicate
from ..vectors.column_vectors import NumberCopy
from ..vectors.vectorized_predicates import Interval, intervals_of, is_answerable
from .snapshot_vectors import SnapshotVectors

Intervals = dict[str, Interval]
"""What all bounds on each column leave, by its name; closed."""


def intervals_in(vectors: SnapshotVectors, predicate: Predicate) -> list[Interval] | None:
    """Return what a predicate lets through of a column of numbers in memory.

    None where it asks for anything but numbers between ends.
    """
    if predicate.test is None:
        return None
    test, column = predicate.test, vectors.schema.find(predicate.columns[0])
    is_answered = column.ordered and is_answerable(test, column)
    copy = vectors.held(column.name) if is_answered else None
    if not isinstance(copy, NumberCopy):
        return None
    return intervals_of(test, copy, nulls_match=predicate.nulls_match)


def _interval_in(vectors: SnapshotVectors, predicate: Predicate) -> Interval | None:
    """Return the one interval that a bound lets through; None where it is no bound."""
    intervals = intervals_in(vectors, predicate)
    return intervals[0] if intervals is not None and len(intervals) == 1 else None


def joined_bounds(
    vectors: SnapshotVectors, predicates: Iterable[Predicate]
) -> tuple[Intervals, list[Predicate]]:
    """Return an interval for each column with several bounds, and the predicates that are left."""
    listed = [(each, _interval_in(vectors, each)) for each in predicates]
    bounds = Counter(each.columns[0] for each, interval in listed if interval is not None)
    joined, left = Intervals(), list[Predicate]()
    for each, interval in listed:
        if interval is None or bounds[each.columns[0]] == 1:
            left.append(each)
        else:
            joined[each.columns[0]] = overlap(joined.get(each.columns[0], interval), interval)
    return joined, left


def overlap(*intervals: Interval) -> Interval:
    """Return what lies in all of some closed intervals: of none left, low is above high."""
    lows, highs = zip(*intervals, strict=True)
    return max(lows), min(highs)


def intervals_by_column(
    vectors: SnapshotVectors, predicates: Sequence[Predicate]
) -> Intervals | None:
    """Return what all bounds on each column leave; None where some predicate is no bound."""
    intervals = Intervals()
    for predicate in predicates:
        interval = _interval_in(vectors, predicate)
        if interval is None:
            return None
        name = predicate.columns[0]
        intervals[name] = overlap(intervals.get(name, interval), interval)
    return intervals
