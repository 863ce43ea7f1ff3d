"""Bind a query to one version of a catalog: its predicates, row sets, bounds and score terms.

Costs some microseconds a constraint; row sets and whatever else reads rows are made at first use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, cast

from ..catalogs.cached_attribute import cached_attribute
from ..catalogs.deadline import Deadline
from ..catalogs.query.constraint import shown_text, words
from ..catalogs.query.dictionary import labels_of
from ..catalogs.query.exact_numbers import exact
from ..catalogs.query.places import told
from ..catalogs.query.predicate import Predicate, ValueTest, where_of
from ..catalogs.query.query import Query
from ..catalogs.vectors.array_types import Words
from ..catalogs.vectors.kernel_use import want_kernels
from ..catalogs.versions.base_slice import BaseSlice
from ..catalogs.versions.reader import CatalogReader
from ..solvers.masks import mask_of
from ..solvers.problem import Problem, bind_problem
from .said_query import as_said
from .scoring_terms import BOUNDS, FALLING, RISING, Bound, Term, interval, scale, span

LABEL = 60
"""Characters of an expression over several columns where it stands for a column's name."""


STACKED_AT_ONCE = 1 << 26
"""Bits of row sets that are put side by side whatever the time: 8 MB, some milliseconds."""


class BoundQuery:
    """A query bound to one version of a catalog; made once, asked from any thread.

    Positions count the additional constraints. Everything costly is computed on first use.
    """

    def __init__(self, query: Query, problem: Problem) -> None:
        self.query = query
        self.problem = problem
        self.catalog: CatalogReader = problem.catalog
        self.width = problem.width
        self.full = (1 << self.width) - 1

    @property
    def is_remote(self) -> bool:
        """Whether the rows stay in their database."""
        return self.problem.catalog.is_remote

    @property
    def base(self) -> BaseSlice:
        """The base slice with its columns."""
        return self.problem.slice

    @property
    def stack(self) -> Words:
        """The words of each additional constraint by place of the base slice, uint64[k, n]."""
        return self.problem.stack

    @cached_attribute
    def units(self) -> tuple[tuple[int, ...], ...]:
        """What gives way together, as positions."""
        return self.query.groups

    @cached_attribute
    def unit_masks(self) -> tuple[int, ...]:
        """What gives way together, as masks."""
        return tuple(mask_of(unit) for unit in self.units)

    @cached_attribute
    def hard(self) -> frozenset[int]:
        """The positions that may not give way."""
        return self.query.hard_positions

    @cached_attribute
    def hard_mask(self) -> int:
        """The hard positions as a mask."""
        return mask_of(self.hard)

    @cached_attribute
    def soft(self) -> tuple[int, ...]:
        """The positions that may give way, ascending."""
        return tuple(i for i in range(self.width) if i not in self.hard)

    @cached_attribute
    def names(self) -> tuple[str, ...]:
        """The constraints in words."""
        places = self.catalog.schema.places
        return tuple(
            told(words(each, self.labels), each, places) for each in self.query.constraints
        )

    @cached_attribute
    def labels(self) -> dict[str, str]:
        """What columns are called in words, by their names, where somebody said."""
        return labels_of(self.catalog.dictionary)

    @cached_attribute
    def weights(self) -> tuple[float, ...]:
        """The importance of each constraint."""
        return tuple(constraint.importance for constraint in self.query.constraints)

    @cached_attribute
    def unit_prices(self) -> tuple[float, ...]:
        """What dropping each unit costs: its weights added up, infinite for a hard one."""
        return tuple(
            math.inf if self.hard.intersection(unit) else self.cost(unit) for unit in self.units
        )

    def cost(self, positions: Iterable[int]) -> float:
        """Return the weight of some constraints: the same sum in any order."""
        return math.fsum([self.weights[position] for position in positions])

    @cached_attribute
    def bounds(self) -> tuple[Bound | None, ...]:
        """For each constraint the bound it sets on an order; None if it sets none.

        A `between` that nothing can lie between sets none.
        """
        return tuple([self._bound(predicate) for predicate in self.problem.predicates])

    def _bound(self, predicate: Predicate) -> Bound | None:
        if predicate.measured is not None:
            column = self.catalog.schema.find(predicate.measured.column)
            low, high = predicate.measured.least, predicate.measured.most
            if low > high:
                return None
            return Bound(column, low, high, span(self.base.ends(column.name), 0.0, low, high))
        if predicate.test is None or predicate.test.op not in BOUNDS:
            return None
        column = self.catalog.schema.find(predicate.columns[0])
        if not column.ordered:
            return None
        low, high = interval(predicate.test)
        if low > high or (low == high and _is_reversed(predicate.test)):
            return None
        return Bound(column, low, high, span(self.base.ends(column.name), low, high))

    def read(self, until: Deadline) -> None:
        """Have in memory what rows are measured by: row sets, and ordered columns with their ends.

        Raises `DeadlinePassed` where there is something to read and time is short.
        """
        if self.is_remote:
            for name in self.measured:
                self.base.ends(name, until)
            return
        problem = self.problem
        if not problem.is_read or self.width * self.base.size > STACKED_AT_ONCE:
            problem.read(until)
        vectors = self.problem.catalog.vectors
        for name in self.measured:
            if vectors.held(name) is None:
                vectors.number_copy(name, until)
            if not self.base.has_ends(name):
                until.check()
                self.base.ends(name, until)

    @cached_attribute
    def measured(self) -> tuple[str, ...]:
        """The ordered columns that bounds, terms and ties look at."""
        schema, cost = self.catalog.schema, self.catalog.cost_column
        names = [cost] if cost else []
        names += [each.columns[0] for each in self.problem.predicates if len(each.columns) == 1]
        names += [each.measured.column for each in self.problem.predicates if each.measured]
        names += [objective.column for objective in self.query.objectives]
        columns = [schema.find(name) for name in names]
        return tuple(dict.fromkeys(column.name for column in columns if column.ordered))

    def bound_at(self, position: int) -> Bound:
        """Return the bound that a movable constraint sets."""
        bound = self.bounds[position]
        assert bound is not None
        return bound

    @cached_attribute
    def single_columns(self) -> tuple[str | None, ...]:
        """The column that each constraint is about; None where it is several or a measurement."""
        pairs = zip(self.query.constraints, self.problem.predicates, strict=True)
        return tuple(
            [
                predicate.columns[0]
                if constraint.column is not None
                and predicate.measured is None
                and len(predicate.columns) == 1
                else None
                for constraint, predicate in pairs
            ]
        )

    @cached_attribute
    def exact(self) -> tuple[bool, ...]:
        """For each constraint whether it sets a bound on a column whose doubles are exact."""
        if self.is_remote:
            return (False,) * self.width
        number_copy = self.problem.catalog.vectors.number_copy
        return tuple(
            [bound is not None and number_copy(bound.column.name).exact for bound in self.bounds]
        )

    @cached_attribute
    def movable(self) -> tuple[int, ...]:
        """The soft constraints that bound a number or a date and are in no group."""
        alone = {unit[0] for unit in self.units if len(unit) == 1} - self.hard
        return tuple(position for position in sorted(alone) if self.bounds[position])

    @cached_attribute
    def terms(self) -> tuple[Term, ...]:
        """The terms of the score: constraints by position, then objectives."""
        objectives = [
            self._graded(
                self.catalog.schema.find(objective.column).name,
                None,
                objective.weight,
                1 if objective.direction == "max" else -1,
            )
            for objective in self.query.objectives
        ]
        return (*[self._constraint_term(i) for i in range(self.width)], *objectives)

    def _constraint_term(self, position: int) -> Term:
        constraint = self.query.constraints[position]
        columns = self.problem.predicates[position].columns
        measured = self.problem.predicates[position].measured
        if measured is not None and constraint.op != "open at":
            rises = (measured.most == math.inf) - (measured.least == -math.inf)
            return self._graded(measured.column, position, constraint.importance, rises)
        name = columns[0] if len(columns) == 1 else shown_text(words(constraint), LABEL)
        direction = (constraint.op in RISING) - (constraint.op in FALLING)
        if direction and self.catalog.schema.find(name).ordered:
            return self._graded(name, position, constraint.importance, direction)
        return Term(name, position, constraint.importance, 0)

    def _graded(self, name: str, position: int | None, weight: float, direction: int) -> Term:
        low, high = scale(*(self.base.ends(name) or (0.0, 0.0)))
        return Term(name, position, weight, direction, low, high)

    @cached_attribute
    def texts(self) -> tuple[str, ...]:
        """The additional constraints as conditions in SQL."""
        return tuple(map(self.problem.catalog.condition_text, self.problem.predicates))

    @cached_attribute
    def base_texts(self) -> tuple[str, ...]:
        """The base constraints as conditions in SQL."""
        return tuple(map(self.problem.catalog.condition_text, self.problem.base_predicates))

    @cached_attribute
    def select_text(self) -> str:
        """A SELECT of all rows."""
        return self.catalog.select_text([])

    def select_without(self, dropped: int, more: Iterable[str] = ()) -> str:
        """Return a SELECT of the rows that meet the base, all but what is dropped, and more.

        `dropped` is a mask, `more` are conditions as texts.
        """
        kept = [text for i, text in enumerate(self.texts) if not dropped >> i & 1]
        return self.select_text + where_of([*self.base_texts, *kept, *more])

    def predicates_without(self, dropped: Iterable[int]) -> list[Predicate]:
        """Return base and kept predicates."""
        gone = set(dropped)
        kept = [each for i, each in enumerate(self.problem.predicates) if i not in gone]
        return [*self.problem.base_predicates, *kept]


Question = Query | BoundQuery
"""What an engine is asked: a query, or one that `RepairEngine.prepare` has bound."""


def _is_reversed(test: ValueTest) -> bool:
    """Return whether the ends of a `between` that are one double stand the wrong way round."""
    if test.op != "between":
        return False
    start, end = test.values
    if isinstance(start, int | float | Decimal) and isinstance(end, int | float | Decimal):
        return exact(start) > exact(end)
    return type(start) is type(end) and cast("Any", start) > end


def bind(catalog: CatalogReader, question: Question) -> BoundQuery:
    """Return a question bound to a catalog's present version: itself where it is already.

    Raises a `QueryError` for a query that does not fit the catalog.
    """
    present = catalog.snapshot()
    if not present.is_remote:
        want_kernels(present.row_count)
    if isinstance(question, BoundQuery):
        if question.catalog is present and not present.is_remote:
            return question
        question = question.query
    question = as_said(question, present)
    problem = bind_problem(present, question.base, question.constraints)
    for objective in question.objectives:
        present.schema.find(objective.column)
    return BoundQuery(question, problem)
