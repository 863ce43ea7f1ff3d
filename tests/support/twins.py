"""Slow twins, obviously right: plain Python over plain rows and all subsets.

Nothing here imports the package under test. A row is a dictionary, a test a function of a row,
a set of constraints a frozenset of positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import Any

Row = Mapping[str, Any]
Test = Callable[[Row], bool]
Positions = frozenset[int]


def subsets(positions: Iterable[int]) -> list[Positions]:
    """All subsets, smallest first, then by position."""
    listed = sorted(positions)
    sizes = range(len(listed) + 1)
    return [
        frozenset(chosen) for chosen in chain.from_iterable(combinations(listed, n) for n in sizes)
    ]


class Twin:
    """Everything there is to say about constraints over the rows of a base slice."""

    def __init__(self, met: Sequence[Positions], width: int) -> None:
        self.met = Counter(met)
        self.width = width
        self.everything = frozenset(range(width))

    @classmethod
    def of_rows(cls, rows: Iterable[Row], base: Sequence[Test], tests: Sequence[Test]) -> Twin:
        """The twin of a query: its base and its additional constraints as functions."""
        inside = [row for row in rows if all(test(row) for test in base)]
        met = [frozenset(j for j, test in enumerate(tests) if test(row)) for row in inside]
        return cls(met, len(tests))

    def by_unit(self, units: Sequence[Sequence[int]]) -> Twin:
        """The twin over units: a unit is met when all its members are."""
        met = [
            frozenset(u for u, unit in enumerate(units) if set(unit) <= row)
            for row in self.met.elements()
        ]
        return Twin(met, len(units))

    def masks(self) -> dict[int, int]:
        """Row masks with their counts, ascending."""
        counted = {sum(2**j for j in row): count for row, count in self.met.items()}
        return dict(sorted(counted.items()))

    @cached_property
    def counts(self) -> dict[Positions, int]:
        """For every subset, how many rows meet it."""
        return {subset: self.count(subset) for subset in subsets(self.everything)}

    def count(self, subset: Positions) -> int:
        return sum(count for row, count in self.met.items() if subset <= row)

    def drop_one(self) -> list[int]:
        return [self.count(self.everything - {j}) for j in range(self.width)]

    @cached_property
    def conflicts(self) -> list[Positions]:
        """MUSes: no row meets all members, and without any one member some row does."""
        counts = self.counts
        return [
            subset
            for subset, count in counts.items()
            if not count and all(counts[subset - {member}] for member in subset)
        ]

    @cached_property
    def maximal(self) -> list[Positions]:
        """MSSes: some row meets all members, and none meets one more."""
        counts = self.counts
        return [
            subset
            for subset, count in counts.items()
            if count and not any(counts[subset | {other}] for other in self.everything - subset)
        ]

    @cached_property
    def repairs(self) -> list[Positions]:
        """MCSes, smallest first, then by position."""
        return sorted((self.everything - subset for subset in self.maximal), key=_in_order)

    def cheapest(self, prices: Sequence[Fraction | None]) -> list[tuple[Positions, Fraction]]:
        """All repairs that drop nothing priced None: by price, then size, then position."""
        priced = [
            (repair, sum((prices[j] or Fraction(0) for j in repair), Fraction(0)))
            for repair in self.repairs
            if all(prices[j] is not None for j in repair)
        ]
        return sorted(priced, key=lambda pair: (pair[1], *_in_order(pair[0])))


def _in_order(positions: Positions) -> tuple[int, list[int]]:
    return len(positions), sorted(positions)


def minimal_hitting_sets(family: Iterable[Positions]) -> set[Positions]:
    """All sets that meet every set of the family, and do not without any one member."""
    listed = list(family)
    members: Positions = frozenset().union(*listed)
    hitting = {subset for subset in subsets(members) if all(subset & other for other in listed)}
    return {
        subset for subset in hitting if not any(subset - {member} in hitting for member in subset)
    }
