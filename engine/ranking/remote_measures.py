"""What rows are measured by, as Ibis expressions: met or not, distances, shares and scores.

The same operations in the same order as NumPy's (`numpy_ranking`), so that rows come in nearly the
same order; what is shown of them is measured here. Guarded where engines raise errors instead of
giving infinities and zeros.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.query.predicate import Predicate
from ...catalogs.query.schema import Column
from ..bound_query import BoundQuery
from ..scoring_terms import JUST_OUTSIDE, Term

if TYPE_CHECKING:
    from ...catalogs.remote.engines import Engine
    from ...catalogs.remote.remote_snapshot import RemoteSnapshot

ibis: Any = import_module("ibis")
"""Loaded with this module, which is loaded where rows stay in their database; it has no types."""

INFINITY = float("inf")

NO_WEIGHT = 1e-20
"""Weights below add nothing to what the engine computes, whose products would become zero."""

TINY = 1e-300
"""Shares below are zero for the engine."""

EXACT_TYPES = ("DECIMAL", "HUGEINT", "UHUGEINT")
"""Types whose doubles the engine may round otherwise: rows are told apart by the values."""


def number(value: float) -> Any:
    """Return a double as a literal that every engine reads to the bit."""
    return ibis.literal(repr(float(value))).cast("float64")


class Measures:
    """Expressions over `table`: rows of the base slice with key `k`, constraints met `m0`…,
    columns as they are `c0`…, and ordered ones as doubles `v0`….

    Those that meet some moved bounds, too.
    """

    def __init__(self, bound: BoundQuery, moved: Sequence[Predicate] = ()) -> None:
        self.bound, self.moved = bound, moved
        self.catalog = cast("RemoteSnapshot", bound.catalog)
        self.columns = self.catalog.columns
        self._place = {name: place for place, name in enumerate(self.columns)}

    @cached_attribute
    def table(self) -> Any:
        """The rows of the base slice."""
        catalog = self.catalog
        rows: Any = catalog.where((*self.bound.problem.base_predicates, *self.moved))
        named = {"k": rows[catalog.key].cast("int64")}
        for position, predicate in enumerate(self.bound.problem.predicates):
            named[f"m{position}"] = catalog.expression(predicate)
        for name, place in self._place.items():
            named[f"c{place}"] = rows[name]
        for name in self.bound.measured:
            column = catalog.schema.find(name)
            named[f"v{self._place[name]}"] = _as_double(rows[name], column, catalog.engine)
        return rows.select(**named)

    def value(self, table: Any, name: str) -> Any:
        """Return an ordered column as a double."""
        return table[f"v{self._place[name]}"]

    def met(self, table: Any, positions: Iterable[int]) -> Any:
        """Return whether rows meet all constraints at some positions."""
        listed = [table[f"m{position}"] for position in positions]
        return ibis.and_(*listed) if listed else ibis.literal(True)

    def without(self, table: Any, changed: Iterable[int]) -> Any:
        """Return whether rows meet everything but what is changed."""
        gone = set(changed)
        return self.met(table, [at for at in range(self.bound.width) if at not in gone])

    def cost(self, table: Any) -> Any:
        """Return what rows cost; None without a cost column, NULL where unknown or infinite."""
        name = self.catalog.cost_column
        return None if name is None else _finite(self.value(table, name))

    def is_reachable(self, table: Any, position: int) -> Any:
        """Return whether rows meet a bound or have a finite value to move it to."""
        values = self.value(table, self.bound.bound_at(position).column.name)
        return table[f"m{position}"] | _finite(values).notnull()

    def distance(self, table: Any, position: int) -> Any:
        """Return how far rows are from a constraint; see `NumpyRanker`."""
        met, bound = table[f"m{position}"], self.bound.bounds[position]
        if bound is None:
            return met.ifelse(number(0.0), number(1.0))
        values, span = _finite(self.value(table, bound.column.name)), bound.span
        scale = 2.0 if span >= sys.float_info.max else 1.0
        if scale > 1.0:
            # Differences that would be infinite; what is that near to zero is zero.
            values = (values.abs() < number(TINY)).ifelse(number(0.0), values) / number(scale)
        sides = [number(0.0)]
        if bound.low > -INFINITY:
            sides.append(number(bound.low / scale) - values)
        if bound.high < INFINITY:
            sides.append(values - number(bound.high / scale))
        gap, span = ibis.greatest(*sides), span / scale
        share = ibis.least(ibis.greatest(gap / number(span), number(JUST_OUTSIDE)), number(1.0))
        near = gap < number(span * JUST_OUTSIDE / 2)
        return ibis.cases(
            (met, number(0.0)),
            (values.isnull(), number(1.0)),
            (near, number(JUST_OUTSIDE)),
            else_=share,
        )

    def violation(self, table: Any, positions: Sequence[int]) -> Any:
        """Return weight × distance added up over some constraints."""
        weights = self.bound.weights
        return _sum((weights[at], self.distance(table, at)) for at in positions)

    def satisfaction(self, table: Any, term: Term) -> Any:
        """Return the satisfaction of a term; see `NumpyRanker`."""
        if term.position is not None and term.direction == 0:
            return table[f"m{term.position}"].ifelse(number(1.0), number(0.0))
        values = self.value(table, term.column)
        share: Any = number(1.0)
        if term.low != term.high:
            low, high = number(term.low), number(term.high)
            inside = ibis.least(ibis.greatest(values, low), high) - low
            length = term.high - term.low
            tiny = inside < number(length * TINY)
            share = tiny.ifelse(number(0.0), inside / number(length))
        share = share if term.direction > 0 else number(1.0) - share
        return values.isnull().ifelse(number(0.0), share)

    def score(self, table: Any) -> Any:
        """Return the score of rows."""
        terms = self.bound.terms
        return _sum((term.weight, self.satisfaction(table, term)) for term in terms)

    def scored_by(self, table: Any, kept: frozenset[int]) -> list[Any]:
        """Return what tells apart rows that score differently, if they meet what is kept."""
        told: list[Any] = []
        for term in self.bound.terms:
            if term.direction:
                told.append(self._told(table, term.column, self.satisfaction(table, term)))
            elif term.position not in kept:
                told.append(table[f"m{term.position}"])
        return told

    def distant_by(self, table: Any, positions: Iterable[int]) -> list[Any]:
        """Return what tells apart rows of different distances."""
        told: list[Any] = []
        for position in positions:
            bound = self.bound.bounds[position]
            told.append(table[f"m{position}"])
            if bound is not None:
                told.append(self._told(table, bound.column.name, self.distance(table, position)))
        return told

    def _told(self, table: Any, name: str, measured: Any) -> Any:
        """Return what is measured of a column; its values where they are rounded by the engine."""
        sql_type = self.catalog.schema.find(name).sql_type
        return table[f"c{self._place[name]}"] if sql_type.startswith(EXACT_TYPES) else measured


def _sum(parts: Iterable[tuple[float, Any]]) -> Any:
    total: Any = number(0.0)
    for weight, measured in parts:
        if weight >= NO_WEIGHT:
            total = total + number(weight) * measured
    return total


def _finite(values: Any) -> Any:
    """Return values, NULL where they are infinite."""
    return values.nullif(number(INFINITY)).nullif(number(-INFINITY))


def _as_double(values: Any, column: Column, engine: Engine) -> Any:
    if column.sql_type.startswith("DATE"):
        return values.cast("timestamp").epoch_seconds().cast("float64")
    if column.sql_type.startswith("TIMESTAMP"):
        return engine.microseconds(values).cast("float64") / number(1e6)
    return values.cast("float64")
