"""What rows are measured by, as SQL: met or not, distances, shares and scores.

The same operations in the same order as NumPy's (`numpy_ranking`), so that rows come in nearly the
same order; what is shown of them is measured here. Guarded where engines raise errors instead of
giving infinities and zeros. Ibis writes the SELECT that gives columns our meaning, once; what
stands over it is arithmetic that all engines write alike.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ...catalogs.cached_attribute import cached_attribute
from ...catalogs.query.predicate import Predicate
from ...catalogs.query.schema import Column
from ...catalogs.remote.libraries import ibis
from ..bound_query import BoundQuery
from ..scoring_terms import JUST_OUTSIDE, Term

if TYPE_CHECKING:
    from ...catalogs.remote.engines import Engine
    from ...catalogs.remote.remote_snapshot import RemoteSnapshot

INFINITY = float("inf")

NO_WEIGHT = 1e-20
"""Weights below add nothing to what the engine computes, whose products would become zero."""

TINY = 1e-300
"""Shares below are zero for the engine."""

EXACT_TYPES = ("DECIMAL", "HUGEINT", "UHUGEINT")
"""Types whose doubles the engine may round otherwise: rows are told apart by the values."""

FLOAT_TYPES = ("FLOAT", "DOUBLE")
"""Types that have infinities."""


def every(conditions: Iterable[str]) -> str:
    """Return the condition that all of some hold."""
    return " AND ".join(f"({each})" for each in conditions) or "TRUE"


def some(conditions: Iterable[str]) -> str:
    """Return the condition that one of some holds."""
    return " OR ".join(f"({each})" for each in conditions) or "FALSE"


def among(keys: Iterable[int]) -> str:
    """Return the condition that a row has one of some keys."""
    listed = ", ".join(str(int(key)) for key in keys)
    return f"k IN ({listed})" if listed else "FALSE"


def where(rows: str, condition: str) -> str:
    """Return the rows of a SELECT that meet a condition, as a SELECT."""
    return f"SELECT * FROM ({rows}) AS r WHERE {condition}"


def adding(rows: str, named: Mapping[str, str]) -> str:
    """Return the rows of a SELECT with more columns, as a SELECT."""
    more = "".join(f", {text} AS {name}" for name, text in named.items())
    return f"SELECT *{more} FROM ({rows}) AS r"


class Measures:
    """SQL over the columns of `table`: rows of the base slice with key `k`, constraints met `m0`…,
    columns as they are `c0`…, and ordered ones as doubles `v0`….

    Those that meet some moved bounds, too.
    """

    def __init__(self, bound: BoundQuery, moved: Sequence[Predicate] = ()) -> None:
        self.bound, self.moved = bound, moved
        self.catalog = cast("RemoteSnapshot", bound.catalog)
        self.columns = self.catalog.columns
        self._place = {name: place for place, name in enumerate(self.columns)}
        self._double = self.catalog.engine.double_type

    @cached_attribute
    def table(self) -> str:
        """The rows of the base slice, as a SELECT."""
        return self._rows(range(0))

    def rows_without(self, changed: Iterable[int]) -> str:
        """Return the rows of `table` that meet everything but what is changed, as a SELECT.

        Met constraints stand in it as they are, so that an engine may look them up.
        """
        gone = set(changed)
        return self._rows([at for at in range(self.bound.width) if at not in gone])

    def _rows(self, kept: Sequence[int]) -> str:
        catalog, predicates = self.catalog, self.bound.problem.predicates
        base = (*self.bound.problem.base_predicates, *self.moved)
        rows: Any = catalog.where((*base, *(predicates[position] for position in kept)))
        named = {"k": rows[catalog.key].cast("int64")}
        for position, predicate in enumerate(predicates):
            met = position in kept
            named[f"m{position}"] = ibis.literal(True) if met else catalog.expression(predicate)
        for name, place in self._place.items():
            named[f"c{place}"] = rows[name]
        for name in self.bound.measured:
            column = catalog.schema.find(name)
            named[f"v{self._place[name]}"] = _as_double(rows[name], column, catalog.engine)
        return catalog.compiled(rows.select(**named))

    @cached_attribute
    def brought(self) -> tuple[str, ...]:
        """The columns that come here: key, constraints met, and cells."""
        met = [f"m{position}" for position in range(self.bound.width)]
        return ("k", *met, *(f"c{place}" for place in range(len(self.columns))))

    def number(self, value: float) -> str:
        """Return a double as text that the engine reads to the bit."""
        return f"CAST('{float(value)!r}' AS {self._double})"

    def cell(self, name: str) -> str:
        """Return a column as it is."""
        return f"c{self._place[name]}"

    def value(self, name: str) -> str:
        """Return an ordered column as a double."""
        return f"v{self._place[name]}"

    def met(self, positions: Iterable[int]) -> str:
        """Return whether rows meet all constraints at some positions."""
        return every(f"m{position}" for position in positions)

    def without(self, changed: Iterable[int]) -> str:
        """Return whether rows meet everything but what is changed."""
        gone = set(changed)
        return self.met(at for at in range(self.bound.width) if at not in gone)

    def cost(self) -> str | None:
        """Return what rows cost; None without a cost column, NULL where unknown or infinite."""
        name = self.catalog.cost_column
        if name is None or not self._has_infinities(name):
            return name and self.value(name)
        finite = f"NULLIF({self.value(name)}, {self.number(INFINITY)})"
        return f"NULLIF({finite}, {self.number(-INFINITY)})"

    def is_reachable(self, position: int) -> str:
        """Return whether rows meet a bound or have a finite value to move it to."""
        name = self.bound.bound_at(position).column.name
        finite = [f"{self.value(name)} IS NOT NULL"]
        if self._has_infinities(name):
            ends = (self.number(INFINITY), self.number(-INFINITY))
            finite += [f"{self.value(name)} <> {end}" for end in ends]
        return f"m{position} OR ({every(finite)})"

    def distance(self, position: int) -> str:
        """Return how far rows are from a constraint; see `NumpyRanker`."""
        met, bound = f"m{position}", self.bound.bounds[position]
        if bound is None:
            return f"CASE WHEN {met} THEN {self.number(0.0)} ELSE {self.number(1.0)} END"
        value, span = self.value(bound.column.name), bound.span
        scale, scaled = 1.0, value
        if span >= sys.float_info.max:
            # Differences that would be infinite; what is that near to zero is zero.
            scale, zero = 2.0, self.number(0.0)
            half = f"{value} / {self.number(scale)}"
            scaled = f"CASE WHEN abs({value}) < {self.number(TINY)} THEN {zero} ELSE {half} END"
            scaled, span = f"({scaled})", span / scale
        # No nearer than what becomes `JUST_OUTSIDE`: quotients of less may be too small.
        gaps = [self.number(span * JUST_OUTSIDE / 2)]
        if bound.low > -INFINITY:
            gaps.append(f"{self.number(bound.low / scale)} - {scaled}")
        if bound.high < INFINITY:
            gaps.append(f"{scaled} - {self.number(bound.high / scale)}")
        share = f"greatest({', '.join(gaps)}) / {self.number(span)}"
        share = f"least(greatest({share}, {self.number(JUST_OUTSIDE)}), {self.number(1.0)})"
        return (
            f"CASE WHEN {met} THEN {self.number(0.0)} WHEN {value} IS NULL "
            f"THEN {self.number(1.0)} ELSE {share} END"
        )

    def violation(self, positions: Sequence[int]) -> str:
        """Return weight × distance added up over some constraints."""
        weights = self.bound.weights
        return self._sum((weights[at], self.distance(at)) for at in positions)

    def near(self, positions: Sequence[int], most: float) -> list[str]:
        """Return conditions that every row meets whose `violation` is `most` or less.

        They look at one column each, so that an engine need not add up the violation of all rows.
        """
        conditions: list[str] = []
        for position in positions:
            weight, bound = self.bound.weights[position], self.bound.bounds[position]
            # A little more, so that what is rounded otherwise stays in.
            share = most / weight * (1 + 1e-9) + 1e-9 if weight >= NO_WEIGHT else INFINITY
            if share >= 1.0:
                continue
            if bound is None:
                conditions.append(f"m{position}")
            elif bound.span < sys.float_info.max:
                value, reach = self.value(bound.column.name), share * bound.span
                sides = [f"{value} >= {self.number(bound.low - reach)}"] * (bound.low > -INFINITY)
                sides += [f"{value} <= {self.number(bound.high + reach)}"] * (bound.high < INFINITY)
                conditions.append(every(sides))
        return conditions

    def satisfaction(self, term: Term) -> str:
        """Return the satisfaction of a term; see `NumpyRanker`."""
        zero, one = self.number(0.0), self.number(1.0)
        if term.position is not None and term.direction == 0:
            return f"CASE WHEN m{term.position} THEN {one} ELSE {zero} END"
        value, share = self.value(term.column), one
        if term.low != term.high:
            low, length = self.number(term.low), term.high - term.low
            inside = f"least(greatest({value}, {low}), {self.number(term.high)}) - {low}"
            least = self.number(length * TINY)
            quotient = f"({inside}) / {self.number(length)}"
            share = f"CASE WHEN {inside} < {least} THEN {zero} ELSE {quotient} END"
        share = share if term.direction > 0 else f"{one} - {share}"
        return f"CASE WHEN {value} IS NULL THEN {zero} ELSE {share} END"

    def score(self) -> str:
        """Return the score of rows."""
        return self._sum((term.weight, self.satisfaction(term)) for term in self.bound.terms)

    def scored_by(self, kept: frozenset[int]) -> list[str]:
        """Return what tells apart rows that score differently, if they meet what is kept."""
        told: list[str] = []
        for term in self.bound.terms:
            if term.direction:
                told.append(self._distinguishing(term.column, self.satisfaction(term)))
            elif term.position not in kept:
                told.append(f"m{term.position}")
        return told

    def distant_by(self, positions: Iterable[int]) -> list[str]:
        """Return what tells apart rows of different distances."""
        told: list[str] = []
        for position in positions:
            bound = self.bound.bounds[position]
            told.append(f"m{position}")
            if bound is not None:
                told.append(self._distinguishing(bound.column.name, self.distance(position)))
        return told

    def _distinguishing(self, name: str, measured: str) -> str:
        """Return what is measured of a column; its values where they are rounded by the engine."""
        sql_type = self.catalog.schema.find(name).sql_type
        return self.cell(name) if sql_type.startswith(EXACT_TYPES) else measured

    def _has_infinities(self, name: str) -> bool:
        return self.catalog.schema.find(name).sql_type in FLOAT_TYPES

    def _sum(self, parts: Iterable[tuple[float, str]]) -> str:
        listed = [
            f"{self.number(weight)} * ({measured})"
            for weight, measured in parts
            if weight >= NO_WEIGHT
        ]
        return " + ".join([self.number(0.0), *listed])


def _as_double(values: Any, column: Column, engine: Engine) -> Any:
    if column.sql_type.startswith("DATE"):
        return values.cast("timestamp").epoch_seconds().cast("float64")
    if column.sql_type.startswith("TIMESTAMP"):
        million: Any = ibis.literal("1e6").cast("float64")
        return engine.microseconds(values).cast("float64") / million
    return values.cast("float64")
