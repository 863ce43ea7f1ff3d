"""One query against one catalog while it is being repaired: what every later step reads."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..catalogs.catalog import Catalog, Row
from ..catalogs.predicate import Predicate
from ..catalogs.query import Query
from ..catalogs.row_set import RowSet, intersection
from ..solvers.histogram import MaskHistogram, mask_of
from ..solvers.limits import Budget
from ..solvers.problem import Problem
from ..solvers.solver import Solver


@dataclass(frozen=True)
class Case:
    """A bound query and its mask histogram. Positions count the additional constraints."""

    query: Query
    problem: Problem
    solver: Solver
    budget: Budget
    histogram: MaskHistogram
    _fetched: dict[int, Row] = field(default_factory=dict[int, Row], repr=False, compare=False)

    _ranges: dict[str, tuple[float, float] | None] = field(
        default_factory=dict[str, tuple[float, float] | None], repr=False, compare=False
    )

    @property
    def catalog(self) -> Catalog:
        """The catalog asked."""
        return self.problem.catalog

    @property
    def width(self) -> int:
        """The number of additional constraints."""
        return self.problem.width

    @property
    def base_slice(self) -> RowSet:
        """The rows of the base slice."""
        return self.problem.base_slice

    @cached_property
    def row_sets(self) -> tuple[RowSet, ...]:
        """The rows that satisfy each additional constraint, base slice or not."""
        return tuple(self.catalog.rows(one) for one in self.problem.predicates)

    @property
    def no_rows(self) -> RowSet:
        """The empty set of rows."""
        return RowSet.of_ids([], self.catalog.row_count)

    @cached_property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """What gives way together, as positions."""
        return self.query.groups

    @cached_property
    def hard(self) -> frozenset[int]:
        """The positions that may not give way."""
        return self.query.hard_positions

    @cached_property
    def unit_histogram(self) -> MaskHistogram:
        """The histogram over units, of the rows that meet everything hard."""
        held = self.histogram.with_all(mask_of(self.hard))
        alone = all(len(unit) == 1 for unit in self.units)
        return held if alone else held.by_unit(self.units)

    @cached_property
    def unit_prices(self) -> tuple[float, ...]:
        """What dropping each unit costs: its weights added up, infinite for a hard one."""
        return tuple(
            math.inf if self.hard.intersection(unit) else self.cost(unit) for unit in self.units
        )

    def expand(self, units: Iterable[int]) -> frozenset[int]:
        """Return the constraint positions of some units."""
        return frozenset(position for unit in units for position in self.units[unit])

    def cost(self, positions: Iterable[int]) -> float:
        """Return the weight of some constraints: the same sum in any order."""
        return math.fsum(self.query.constraints[i].importance for i in positions)

    def feasible_without(self, dropped: Iterable[int]) -> bool:
        """Return whether some row read meets everything but what is dropped."""
        return self.histogram.feasible(self.histogram.full & ~mask_of(dropped))

    def rows_without(self, dropped: Iterable[int]) -> RowSet:
        """Return the rows of the base slice that meet everything but what is dropped."""
        gone = set(dropped)
        kept = [rows for i, rows in enumerate(self.row_sets) if i not in gone]
        return intersection([self.base_slice, *kept], self.catalog.row_count)

    def known_range(self, column: str) -> tuple[float, float] | None:
        """Return the least and the greatest finite value of a column over the base slice.

        On the scale of `Catalog.numbers`; None where no row has one.
        """
        if column not in self._ranges:
            values = self.catalog.numbers(column)
            if len(self.base_slice) < len(values):
                values = values[self.base_slice.ids]
            known = values[np.isfinite(values)]
            ends = (float(known.min()), float(known.max())) if len(known) else None
            self._ranges[column] = ends
        return self._ranges[column]

    def fetch(self, row_ids: Iterable[int]) -> list[Row]:
        """Return rows as dictionaries, in the order of the ids; each is read once."""
        wanted = list(row_ids)
        missing = sorted(set(wanted).difference(self._fetched))
        if missing:
            self._fetched.update(zip(missing, self.catalog.fetch(missing), strict=True))
        return [self._fetched[one] for one in wanted]

    def predicates_without(self, dropped: Iterable[int]) -> list[Predicate]:
        """Return base and kept predicates."""
        gone = set(dropped)
        kept = [one for i, one in enumerate(self.problem.predicates) if i not in gone]
        return [*self.problem.base_predicates, *kept]
