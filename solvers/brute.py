"""The `brute` solver: plain Python over plain rows, obviously right, to judge the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import chain, combinations
from math import asin, cos, radians, sin, sqrt
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from ..catalogs.deadline import Deadline
from ..catalogs.query.binding import typed
from ..catalogs.query.constraint import NULL_TESTS, Constraint
from ..catalogs.query.exact_numbers import exact, exact_type
from ..catalogs.query.far_dates import FarMoment, far_moment
from ..catalogs.query.opening_hours import is_open
from ..catalogs.query.place_values import EARTH_KM, PLACE_TESTS
from ..catalogs.query.places import Measure, limit_of, measure_of
from ..catalogs.query.schema import MeasuredColumn
from ..catalogs.versions.reader import CatalogReader
from ..catalogs.versions.snapshot import Snapshot
from .cheapest_repairs import PricedRepair, PricedRepairs, price_of, price_units
from .histogram import MaskHistogram
from .limits import Budget
from .masks import positions_of
from .minimal_sets import MinimalSets, at_most
from .problem import Problem
from .solver import Solver

Row = dict[str, Any]
Test = Callable[[Row], bool]

FETCHED = 4_096
"""Rows fetched together."""

# Reading all rows as dictionaries takes longer than judging them, so once per catalog.
_read: WeakKeyDictionary[CatalogReader, tuple[int, list[Row]]] = WeakKeyDictionary()


class BruteSolver(Solver):
    """Every row against every constraint, every subset against every row; ≤ 12 constraints."""

    name = "brute"
    max_constraints = 12

    def histogram(self, problem: Problem, budget: Budget) -> MaskHistogram:
        """Return the mask histogram; stops between rows."""
        self.check_width(problem)
        base = [row_test(problem.catalog, constraint) for constraint in problem.base]
        tests = [row_test(problem.catalog, constraint) for constraint in problem.constraints]
        counted: Counter[int] = Counter()
        stopped = False
        for row in _rows(problem.catalog, budget):
            if stopped := budget.expired:
                break
            if all(test(row) for test in base):
                counted[sum(1 << bit for bit, test in enumerate(tests) if test(row))] += 1
        masks = np.array(sorted(counted), dtype=np.uint64)
        counts = np.array([counted[int(mask)] for mask in masks], dtype=np.int64)
        return MaskHistogram(problem.width, masks, counts, "deadline" if stopped else None)

    def minimal_sets(self, histogram: MaskHistogram, budget: Budget) -> MinimalSets:
        """Return all MUSes, MCSes and MSSes by looking at every subset and its neighbours.

        Nothing is listed when the deadline passes before every subset was looked at.
        """
        return at_most(budget.max_sets, _every_set(histogram, budget))

    def cheapest_repairs(
        self, histogram: MaskHistogram, prices: Sequence[float], top: int, budget: Budget
    ) -> PricedRepairs:
        """Return the cheapest minimal repairs by pricing and sorting all of them."""
        units = price_units(prices, histogram.width)
        every = _every_set(histogram, budget)
        allowed = [repair for repair in every.repairs if all(units[j] is not None for j in repair)]
        allowed.sort(
            key=lambda repair: (sum(units[j] or 0 for j in repair), len(repair), sorted(repair))
        )
        cheapest = tuple(PricedRepair(repair, price_of(repair, prices)) for repair in allowed[:top])
        return PricedRepairs(cheapest, every.stopped_by)


def _every_set(histogram: MaskHistogram, budget: Budget) -> MinimalSets:
    feasible, infeasible = _sorted_out(histogram, budget)
    everything = frozenset(range(histogram.width))
    if len(feasible) + len(infeasible) < 2**histogram.width:
        return MinimalSets.of((), (), histogram.width, "deadline")
    conflicts = [c for c in infeasible if all(c - {j} in feasible for j in c)]
    maximal = [m for m in feasible if not any(m | {j} in feasible for j in everything - m)]
    return MinimalSets.of(
        conflicts if histogram.complete else (),
        [everything - subset for subset in maximal],
        histogram.width,
        histogram.stopped_by,
    )


def _sorted_out(
    histogram: MaskHistogram, budget: Budget
) -> tuple[set[frozenset[int]], list[frozenset[int]]]:
    """Return the subsets that some row meets and those that none does, until the deadline."""
    width = histogram.width
    rows = [positions_of(int(mask)) for mask in histogram.masks]
    feasible: set[frozenset[int]] = set()
    infeasible: list[frozenset[int]] = []
    for members in chain.from_iterable(combinations(range(width), n) for n in range(width + 1)):
        if budget.expired:
            break
        subset = frozenset(members)
        if any(subset <= row for row in rows):
            feasible.add(subset)
        else:
            infeasible.append(subset)
    return feasible, infeasible


def _rows(catalog: Snapshot, until: Deadline) -> Iterator[Row]:
    """Yield every row; fetched some thousands at a time, and kept once all are."""
    read = _read.get(catalog)
    if read is not None and read[0] == catalog.version:
        yield from read[1]
        return
    rows, ids = list[Row](), catalog.slice(()).ids
    for start in range(0, len(ids), FETCHED):
        fetched = catalog.fetch(ids[start : start + FETCHED].tolist(), until)
        yield from fetched
        rows += fetched
    _read[catalog] = catalog.version, rows


def row_test(catalog: CatalogReader, constraint: Constraint) -> Test:
    """Return the constraint as a Python function of a row: the meaning, spelled out."""
    if constraint.op == "sql":
        return _sql_test(catalog, constraint)
    if constraint.op in PLACE_TESTS:
        return _place_test(catalog, constraint)
    column = catalog.schema.find(cast("str", constraint.column))
    value, op = constraint.value, constraint.op
    if isinstance(column, MeasuredColumn):
        return _measured_test(column.measure, constraint)
    if op == "is null":
        return lambda row: row[column.name] is None
    if op == "is not null":
        return lambda row: row[column.name] is not None
    values = value if isinstance(value, tuple) else (value,)
    is_exact = exact_type(column.sql_type) is not None
    is_date = column.family == "date"
    plain = cast("Callable[[Any], Any]", exact if is_exact else _moment if is_date else _as_is)
    bounds: list[Any] = [plain(typed(cast("Any", bound), column)) for bound in values]
    meaning = (_MEANINGS_OF_LISTS if column.family == "list" else _MEANINGS)[op]
    matches_null = constraint.nulls == "match"

    def test(row: Row) -> bool:
        present = row[column.name]
        return matches_null if present is None else meaning(plain(present), bounds)

    return test


def _place_test(catalog: CatalogReader, constraint: Constraint) -> Test:
    """Return the test of a constraint on places or hours, by Python's own sines."""
    value, op, matches_null = constraint.value, constraint.op, constraint.nulls == "match"
    measure = measure_of(op, value, catalog.schema.places)

    def test(row: Row) -> bool:
        if op == "open at":
            text = row[measure.columns[0]]
            found = None if text is None else is_open(text, measure.moment)
            return matches_null if found is None else found
        number = _measured(measure, row)
        return matches_null if number is None else number <= limit_of(op, value)

    return test


def _measured_test(measure: Measure, constraint: Constraint) -> Test:
    """Return the test of a bound on a distance, or on minutes of travel."""
    value, op = constraint.value, constraint.op
    ends: Sequence[Any] = value if isinstance(value, tuple) else (value,)

    def test(row: Row) -> bool:
        number = _measured(measure, row)
        if op in NULL_TESTS:
            return (number is None) == (op == "is null")
        return constraint.nulls == "match" if number is None else _MEANINGS[op](number, ends)

    return test


def _measured(measure: Measure, row: Row) -> float | None:
    """Return a distance, or minutes, by Python's own sines; None where it is unknown."""
    values = [row[column] for column in measure.columns]
    known = measure.known.minutes.get(str(values.pop())) if measure.known else None
    if known is not None or measure.point is None:
        return known
    if None in values:
        return None
    latitude, longitude = map(float, values)
    if not (abs(latitude) <= 90 and abs(longitude) <= 360):
        return None
    return great_circle(measure.point, latitude, longitude) * measure.factor


def great_circle(point: tuple[float, float], latitude: float, longitude: float) -> float:
    """Return the distance between two points in km, along the sphere."""
    half = sin(radians(latitude - point[0]) / 2) ** 2
    across = sin(radians(longitude - point[1]) / 2) ** 2
    h = half + cos(radians(point[0])) * cos(radians(latitude)) * across
    return 2 * EARTH_KM * asin(sqrt(min(1.0, h)))


def _moment(value: date | str | FarMoment) -> int:
    """Return a moment, of a day its beginning, in microseconds since 1970."""
    far = far_moment(value) if isinstance(value, str) else value
    if isinstance(far, FarMoment):
        return far.microseconds
    day = cast("date", far)
    moment = day if isinstance(day, datetime) else datetime(day.year, day.month, day.day)
    return (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)


def _as_is(value: Any) -> Any:
    return value


def _like(pattern: str, text: str) -> bool:
    expression = "".join(
        ".*" if character == "%" else "." if character == "_" else re.escape(character)
        for character in pattern
    )
    return re.fullmatch(expression, text, re.DOTALL) is not None


def _lower(text: str) -> str:
    """Return the text as DuckDB lowers it: one character at a time, each to one character."""
    return "".join(character.lower()[:1] for character in text)


_MEANINGS: dict[str, Callable[[Any, Sequence[Any]], bool]] = {
    "==": lambda present, bounds: present == bounds[0],
    "!=": lambda present, bounds: present != bounds[0],
    "<": lambda present, bounds: present < bounds[0],
    "<=": lambda present, bounds: present <= bounds[0],
    ">": lambda present, bounds: present > bounds[0],
    ">=": lambda present, bounds: present >= bounds[0],
    "in": lambda present, bounds: present in bounds,
    "not in": lambda present, bounds: present not in bounds,
    "between": lambda present, bounds: bounds[0] <= present <= bounds[1],
    "contains": lambda present, bounds: bounds[0] in present,
    "contains any": lambda present, bounds: any(bound in present for bound in bounds),
    "like": lambda present, bounds: _like(bounds[0], present),
    "ilike": lambda present, bounds: _like(_lower(bounds[0]), _lower(present)),
}


_MEANINGS_OF_LISTS: dict[str, Callable[[Any, Sequence[Any]], bool]] = {
    **dict.fromkeys(("==", "in", "contains", "contains any"), _MEANINGS["contains any"]),
    **dict.fromkeys(("!=", "not in"), lambda present, bounds: not set(bounds) & set(present)),
}


def _sql_test(catalog: CatalogReader, constraint: Constraint) -> Test:
    """Return the test of a SQL expression: only DuckDB knows what SQL means, so it is asked."""
    rows = catalog.rows(catalog.bind(constraint))
    satisfying = {id_key(row) for row in catalog.fetch(rows.ids.tolist())}
    return lambda row: id_key(row) in satisfying


def id_key(row: Row) -> tuple[tuple[str, str], ...]:
    """Return a row as something to look up; rows with equal values satisfy the same things."""
    return tuple((name, repr(value)) for name, value in row.items())
