"""Bounds moved to a row: as a change, in words and in SQL.

What is the same wherever a bound moves, its column in quotes and its operator, is put together once
a question: an answer moves some thirty bounds, a few microseconds each.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from ..catalogs.json_values import Row
from ..catalogs.query.binding import is_own, text_to
from ..catalogs.query.constraint import SYMBOLS, Constraint, spoken
from ..catalogs.query.exact_numbers import exact
from ..catalogs.query.places import widened
from ..catalogs.query.predicate import literal, quoted
from ..catalogs.query.schema import MeasuredColumn
from ..catalogs.unchecked_model import unchecked
from .answer import Change
from .bound_query import BoundQuery
from .explanation import bound_words

ONE_SIDED: dict[str, str] = {"<": "<=", "<=": "<=", ">": ">=", ">=": ">="}
"""What a bound on one side becomes."""

PLAIN = frozenset((int, float, str))
"""Types that a constraint holds as they are."""


class SaidChange(NamedTuple):
    """A change, in words, and the condition in SQL that takes a moved bound's place."""

    change: Change
    words: str
    sql: str = ""

    @property
    def to(self) -> Constraint | None:
        """What a bound has become; None for a constraint dropped."""
        return self.change.to


class MovableBound:
    """A constraint, by position, whose bound may move to the value of any row."""

    def __init__(self, bound: BoundQuery, position: int) -> None:
        self._bound, self._position = bound, position
        self._constraint = constraint = bound.query.constraints[position]
        self._column = column = bound.bound_at(position).column
        self._op = op = ONE_SIDED.get(constraint.op)
        is_held = not (bound.is_remote or isinstance(column, MeasuredColumn))
        self._plain_op = op if is_held and constraint.nulls != "match" else None
        self._to_sql = text_to if is_held else self._bound_sql
        self._name = bound.names[position]
        self._words = f"{self._name} → {SYMBOLS.get(op or '', op)} "
        self._sql = f"{quoted(column.name)} {op} "

    def moved(self, distance: float, witness: int, row: Row) -> SaidChange:
        """Return the bound moved to the witness, a row at a place, so far over its range."""
        column = self._column
        if self._plain_op is not None and is_own(value := row[column.name], column):
            to = self._constraint.changed(self._plain_op, value)
            words, sql = self._words + spoken(value, column.name), self._sql + literal(value)
        else:
            to = self._to(witness, row)
            words, sql = f"{self._name} → {bound_words(to)}", self._to_sql(column, to)
        change = unchecked(
            Change,
            position=self._position,
            action="shift",
            from_=self._constraint,
            to=to,
            distance=distance,
            brief=False,
        )
        return SaidChange(change, words, sql)

    def _to(self, witness: int, row: Row) -> Constraint:
        """Return the constraint with its bound moved just far enough to let the witness in.

        A strict bound becomes one that includes the value; an exact value becomes a range.
        """
        constraint, column = self._constraint, self._column
        if isinstance(column, MeasuredColumn):
            return constraint.changed(*widened(constraint, column.measure, row))
        moved, op = row[column.name], self._op
        if op is not None:
            is_plain = type(moved) in PLAIN
        else:
            op, old = "between", constraint.value
            start, end = old if isinstance(old, tuple) else (old, old)
            moved: Any = (moved, end) if self._is_below(witness, moved) else (start, moved)
            is_plain = PLAIN.issuperset(map(type, moved))
        if is_plain:
            # Nothing else has changed, so it is as valid as it was.
            return constraint.changed(op, moved)
        return Constraint.model_validate(constraint.record() | {"op": op, "value": moved})

    def _is_below(self, witness: int, value: Any) -> bool:
        """Return whether a row's value lies below a bound rather than above it."""
        bound = self._bound.bound_at(self._position)
        test = self._bound.problem.predicates[self._position].test
        if test is not None and bound.column.family == "numeric":
            # Doubles do not tell large whole numbers apart.
            return exact(value) < exact(cast("float", test.values[0]))
        number = self._bound.base.packed(bound.column.name).at(np.array([witness]))
        return bool(number[0] < bound.low)

    def _bound_sql(self, column: object, to: Constraint) -> str:
        catalog = self._bound.problem.catalog
        return catalog.condition_text(catalog.bind(to))
