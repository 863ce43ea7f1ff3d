"""A query bound to a catalog: all that does not change from one repair of it to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from ..catalogs.base_slice import BaseSlice
from ..catalogs.columns import Column
from ..catalogs.constraint import Scalar, words
from ..catalogs.lazy import lazy
from ..catalogs.predicate import Predicate, ValueTest, where_of
from ..catalogs.query import Query
from ..catalogs.reader import CatalogReader
from ..catalogs.row_set import KERNEL_ROWS, Words
from ..solvers.histogram import mask_of
from ..solvers.problem import Problem
from .kernel_columns import KernelColumns

BOUNDS = ("<", "<=", ">", ">=", "==", "between")
RISING = (">", ">=")
FALLING = ("<", "<=")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bound:
    """The closed interval a constraint allows on an ordered column, and the length of its scale.

    `span` is the range of the base slice and the interval's finite ends together; 1 if empty.
    """

    column: Column
    low: float
    high: float
    span: float


@dataclass(frozen=True)
class Term:
    """One summand of the score: weight × satisfaction.

    `direction` is 1 where more of `column` is better, −1 where less is, 0 where only meeting
    the constraint at `position` counts. `low` and `high` are the ends of the column over the
    base slice.
    """

    column: str
    position: int | None
    weight: float
    direction: int
    low: float = 0.0
    high: float = 0.0


class Plan:
    """A bound query with its row sets, bounds and terms; made once, read by many threads.

    Positions count the additional constraints. Everything costly is computed on first use.
    """

    def __init__(self, query: Query, problem: Problem) -> None:
        self.query = query
        self.problem = problem
        self.catalog: CatalogReader = problem.catalog
        self.width = problem.width
        self.full = (1 << self.width) - 1
        self.is_large = self.catalog.row_count > KERNEL_ROWS

    @property
    def nbytes(self) -> int:
        """An upper estimate of the memory held."""
        return (self.width + 1) * (self.catalog.row_count // 8 + 8192)

    @property
    def base(self) -> BaseSlice:
        """The base slice with its columns."""
        return self.problem.slice

    @property
    def stack(self) -> Words:
        """The words of each additional constraint by place of the base slice, uint64[k, n]."""
        return self.problem.stack

    @lazy
    def units(self) -> tuple[tuple[int, ...], ...]:
        """What gives way together, as positions."""
        return self.query.groups

    @lazy
    def unit_masks(self) -> tuple[int, ...]:
        """What gives way together, as masks."""
        return tuple(mask_of(unit) for unit in self.units)

    @lazy
    def hard(self) -> frozenset[int]:
        """The positions that may not give way."""
        return self.query.hard_positions

    @lazy
    def hard_mask(self) -> int:
        """The hard positions as a mask."""
        return mask_of(self.hard)

    @lazy
    def soft(self) -> tuple[int, ...]:
        """The positions that may give way, ascending."""
        return tuple(i for i in range(self.width) if i not in self.hard)

    @lazy
    def names(self) -> tuple[str, ...]:
        """The constraints in words."""
        return tuple(words(one) for one in self.query.constraints)

    @lazy
    def weights(self) -> tuple[float, ...]:
        """The importance of each constraint."""
        return tuple(one.importance for one in self.query.constraints)

    @lazy
    def unit_prices(self) -> tuple[float, ...]:
        """What dropping each unit costs: its weights added up, infinite for a hard one."""
        return tuple(
            math.inf if self.hard.intersection(unit) else self.cost(unit) for unit in self.units
        )

    def cost(self, positions: Iterable[int]) -> float:
        """Return the weight of some constraints: the same sum in any order."""
        return math.fsum(self.weights[position] for position in positions)

    @lazy
    def bounds(self) -> tuple[Bound | None, ...]:
        """For each constraint the bound it sets on an order; None if it sets none.

        A `between` that nothing can lie between sets none.
        """
        return tuple([self._bound(one) for one in self.problem.predicates])

    def _bound(self, predicate: Predicate) -> Bound | None:
        if predicate.test is None or predicate.test.op not in BOUNDS:
            return None
        column = self.catalog.schema.find(predicate.columns[0])
        if not column.ordered:
            return None
        low, high = interval(predicate.test)
        if low > high:
            return None
        return Bound(column, low, high, _span(self.base.ends(column.name), low, high))

    def bound(self, position: int) -> Bound:
        """Return the bound that a movable constraint sets."""
        found = self.bounds[position]
        assert found is not None
        return found

    @lazy
    def exact(self) -> tuple[bool, ...]:
        """For each constraint whether it sets a bound on a column whose doubles are exact."""
        return tuple(
            bound is not None and self.catalog.number_copy(bound.column.name).exact
            for bound in self.bounds
        )

    @lazy
    def movable(self) -> tuple[int, ...]:
        """The soft constraints that bound a number or a date and are in no group."""
        alone = {unit[0] for unit in self.units if len(unit) == 1} - self.hard
        return tuple(position for position in sorted(alone) if self.bounds[position])

    @lazy
    def terms(self) -> tuple[Term, ...]:
        """The terms of the score: constraints by position, then objectives."""
        objectives = [
            self._graded(
                self.catalog.schema.find(one.column).name,
                None,
                one.weight,
                1 if one.direction == "max" else -1,
            )
            for one in self.query.objectives
        ]
        return (*[self._constraint_term(i) for i in range(self.width)], *objectives)

    def _constraint_term(self, position: int) -> Term:
        constraint = self.query.constraints[position]
        columns = self.problem.predicates[position].columns
        name = columns[0] if len(columns) == 1 else str(constraint.value)
        direction = (constraint.op in RISING) - (constraint.op in FALLING)
        if direction and self.catalog.schema.find(name).ordered:
            return self._graded(name, position, constraint.importance, direction)
        return Term(name, position, constraint.importance, 0)

    def _graded(self, name: str, position: int | None, weight: float, direction: int) -> Term:
        low, high = self.base.ends(name) or (0.0, 0.0)
        return Term(name, position, weight, direction, low, high)

    @lazy
    def columns(self) -> KernelColumns:
        """Bounds and terms as arrays."""
        return KernelColumns(self)

    @lazy
    def _texts(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.problem.predicates)

    @lazy
    def _base_texts(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.problem.base_predicates)

    @lazy
    def _select(self) -> str:
        return self.catalog.select_text([])

    def select_without(self, dropped: int, more: Iterable[str] = ()) -> str:
        """Return a SELECT of the rows that meet the base, all but what is dropped, and more.

        `dropped` is a mask, `more` are conditions as texts.
        """
        kept = [text for i, text in enumerate(self._texts) if not dropped >> i & 1]
        return self._select + where_of([*self._base_texts, *kept, *more])

    def predicates_without(self, dropped: Iterable[int]) -> list[Predicate]:
        """Return base and kept predicates."""
        gone = set(dropped)
        kept = [one for i, one in enumerate(self.problem.predicates) if i not in gone]
        return [*self.problem.base_predicates, *kept]


def interval(test: ValueTest) -> tuple[float, float]:
    """Return the closed interval of numbers a bound allows; strictness is not seen here."""
    low, high = _number(test.values[0]), _number(test.values[-1])
    if test.op in FALLING:
        return -math.inf, low
    if test.op in RISING:
        return low, math.inf
    return low, high


def _number(value: Scalar | Decimal) -> float:
    """Return a bound on the scale of `Catalog.numbers`: dates in seconds since 1970."""
    if isinstance(value, int | float | Decimal):
        return float(value)
    return float(np.datetime64(value, "us").astype(np.int64)) / 1e6


def _span(known: tuple[float, float] | None, *bounds: float) -> float:
    """Return the range of the known values and the finite bounds together; 1 if it is empty."""
    ends = [*(known or ()), *(bound for bound in bounds if math.isfinite(bound))]
    return (max(ends) - min(ends)) or 1.0
