"""What people may want of a catalog: values and bounds that some of its items meet, and not all.

Columns that name or place an item, and hours, are left out. A bound lies on a quantile of its
column; which side of it is wanted follows the column's name where that tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...catalogs.query.constraint import Constraint
from ...catalogs.query.opening_hours import parse_hours
from ...catalogs.query.schema import ColumnProfile
from .items import Items, Truths

LEAST_ITEMS = 2
MOST_SHARE = 0.6
"""Items that meet a wish: as many, up to this share of all."""

QUANTILES = (0.2, 0.35, 0.5)
LEAST_NUMBERS = 4

ALIKE = 0.7
"""Two constraints whose items overlap by this much (Jaccard) say the same."""


def overlap(one: Truths, other: Truths) -> float:
    """Return the Jaccard index of two sets of items; 0 where both are empty."""
    either = int((one | other).sum())
    return int((one & other).sum()) / either if either else 0.0


def subject(constraint: Constraint) -> str:
    """Return what a constraint is about: its column, the way there, hours."""
    if constraint.column is not None:
        return constraint.column.casefold()
    return "(distance)" if constraint.op in ("within", "reachable") else f"({constraint.op})"


@dataclass(frozen=True)
class Wishes:
    """The wishes that a catalog's items can meet."""

    items: Items

    @cached_property
    def _all(self) -> Sequence[tuple[Constraint, Truths]]:
        wishes: list[tuple[Constraint, Truths]] = []
        for constraint in self._possible():
            met = self.items.met(constraint)
            if LEAST_ITEMS <= met.sum() <= max(LEAST_ITEMS, MOST_SHARE * len(self.items)):
                wishes.append((constraint, met))
        return wishes

    def _possible(self) -> Iterator[Constraint]:
        places = self.items.catalog.schema.places
        passed = {self.items.key, places.hours, *(places.location or ())}
        for column in self.items.catalog.columns:
            if column in passed:
                continue
            profile = self.items.profile(column)
            if _tells_hours(profile):
                continue
            if profile.kind in ("categorical", "boolean"):
                yield from self._values(column)
            elif profile.kind == "numeric":
                yield from self._bounds(profile)

    def _values(self, column: str) -> Iterator[Constraint]:
        counts: dict[Any, int] = {}
        for row in self.items.rows:
            if isinstance(value := row[column], bool | int | float | str):
                counts[value] = counts.get(value, 0) + 1
        for value in sorted(counts, key=lambda value: (-counts[value], str(value))):
            if counts[value] >= LEAST_ITEMS:
                yield Constraint(column=column, op="==", value=value)

    def _bounds(self, profile: ColumnProfile) -> Iterator[Constraint]:
        numbers = np.array(
            [
                value
                for row in self.items.rows
                if isinstance(value := row[profile.name], int | float) and math.isfinite(value)
            ]
        )
        if len(np.unique(numbers)) < LEAST_NUMBERS:
            return
        sides = {"low": ("<=",), "high": (">=",)}.get(profile.desirable or "", ("<=", ">="))
        for op in sides:
            for share in QUANTILES:
                end = _quantile(numbers, share if op == "<=" else 1 - share)
                yield Constraint(column=profile.name, op=op, value=end)

    @cached_property
    def subjects(self) -> frozenset[str]:
        """What the wishes are about."""
        return frozenset(subject(constraint) for constraint, _ in self._all)

    def of(self, place: int) -> list[tuple[Constraint, Truths]]:
        """Return the wishes that an item meets, with all the items that do."""
        return [(constraint, met) for constraint, met in self._all if met[place]]

    def everything(self) -> Sequence[tuple[Constraint, Truths]]:
        """Return all wishes, with the items that meet each."""
        return self._all


def _quantile(numbers: NDArray[Any], share: float) -> int | float:
    """Return one of the numbers, as JSON has it."""
    value = np.quantile(numbers, share, method="nearest").item()
    return int(value) if float(value).is_integer() else value


def _tells_hours(profile: ColumnProfile) -> bool:
    """Return whether most values of a column are opening hours."""
    texts = [value for value in profile.values if isinstance(value, str)]
    read = sum(parse_hours(text) is not None for text in texts)
    return read > len(texts) / 2 if texts else False
