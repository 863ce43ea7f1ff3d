"""Places and hours inside OR and NOT, and with every bound: beside three-valued logic in Python."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint, ParseError
from concede.catalogs.query.constraint import Constraint, words
from concede.catalogs.query.opening_hours import is_open
from concede.catalogs.query.place_values import moment_of
from concede.catalogs.query.query import Query
from concede.catalogs.query.where_clause import parse_where
from concede.engine.repair_engine import RepairEngine
from concede.solvers.brute import great_circle, row_test

CENTER = (40.75, -73.98)
HERE = "distance_km(40.75, -73.98)"
WALK = "travel_minutes(40.75, -73.98, 'walk')"
HOURS = ["10:00-22:00", "Mo-Fr 08:00-18:00", "24/7", "18:00-02:00", "ask inside", None]
MOMENTS = ("2026-11-23 22:30", "2026-11-28 09:00", "2026-11-24 01:15")
Row = dict[str, Any]


def rows(count: int, seed: int) -> list[Row]:
    drawn = random.Random(seed)
    return [
        {
            "lat": drawn.choice([None, 95.0]) if number % 7 == 0 else drawn.gauss(CENTER[0], 0.02),
            "lon": None if number % 11 == 0 else drawn.gauss(CENTER[1], 0.02),
            "opening_hours": drawn.choice(HOURS),
            "price": None if number % 5 == 0 else drawn.randint(1, 9),
        }
        for number in range(count)
    ]


ROWS = rows(60, 7)
CATALOG = Catalog.open(pa.Table.from_pylist(ROWS))


@dataclass(frozen=True)
class Said:
    """A condition as SQL, and the number or truth it stands for; None where it is unknown."""

    sql: str
    truths: tuple[bool | None, ...]


def km(row: Row) -> float | None:
    known = row["lat"] is not None and row["lon"] is not None and abs(row["lat"]) <= 90
    return great_circle(CENTER, row["lat"], row["lon"]) if known else None


def compared(number: float | None, op: str, ends: list[float]) -> bool | None:
    if number is None:
        return None
    return {
        "<": lambda: number < ends[0],
        "<=": lambda: number <= ends[0],
        ">": lambda: number > ends[0],
        ">=": lambda: number >= ends[0],
        "between": lambda: ends[0] <= number <= ends[-1],
    }[op]()


@st.composite
def bounds(draw: st.DrawFn) -> Said:
    name, factor, column = draw(
        st.sampled_from([(HERE, 1.0, ""), (WALK, 16.25, ""), ("price", 1.0, "price")])
    )
    # No end is so near to a row that libraries of sines could differ.
    end = st.integers(0, 40).map(lambda n: round(n / 10 * factor, 3))
    op, ends = draw(st.sampled_from(["<", "<=", ">", ">=", "between"])), [draw(end), draw(end)]
    told = f"BETWEEN {ends[0]} AND {ends[1]}" if op == "between" else f"{op} {ends[0]}"
    numbers = [row["price"] if column else km(row) for row in ROWS]
    scaled = [None if number is None else number * factor for number in numbers]
    return Said(f"{name} {told}", tuple(compared(number, op, ends) for number in scaled))


def is_opened(moment: str) -> Said:
    at = moment_of(moment)
    hours = [row["opening_hours"] for row in ROWS]
    truths = tuple(None if text is None else is_open(text, at) for text in hours)
    return Said(f"open_at('{moment}')", truths)


def negated(said: Said) -> Said:
    return Said(f"NOT ({said.sql})", tuple(None if t is None else not t for t in said.truths))


def joined(pair: tuple[Said, Said, bool]) -> Said:
    left, right, either = pair
    decides = either
    truths = tuple(
        decides if decides in both else None if None in both else not decides
        for both in zip(left.truths, right.truths, strict=True)
    )
    return Said(f"({left.sql}) {'OR' if either else 'AND'} ({right.sql})", truths)


ATOMS = bounds() | st.sampled_from(MOMENTS).map(is_opened)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: inner.map(negated) | st.tuples(inner, inner, st.booleans()).map(joined),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(said=CONDITIONS, nulls=st.sampled_from(["reject", "match"]))
def test_any_condition_is_that_of_three_valued_logic(said: Said, nulls: str) -> None:
    wanted = (True,) if nulls == "reject" else (True, None)
    expected = [number for number, truth in enumerate(said.truths) if truth in wanted]
    constraint = Constraint(op="sql", value=said.sql, nulls=nulls)
    predicate = CATALOG.bind(constraint)
    assert CATALOG.rows(predicate).ids.tolist() == expected
    assert CATALOG.count([predicate]) == len(expected)
    text = f'SELECT * FROM "{CATALOG.name}" WHERE {predicate.text}'
    assert len(CATALOG.query(text)) == len(expected)


@settings(max_examples=100, deadline=None)
@given(said=CONDITIONS)
def test_a_where_text_means_the_same_in_parts(said: Said) -> None:
    expected = [number for number, truth in enumerate(said.truths) if truth]
    found = set(range(len(ROWS)))
    twin = set(range(len(ROWS)))
    for constraint in parse_where(said.sql, CATALOG.schema):
        found &= set(CATALOG.rows(CATALOG.bind(constraint)).ids.tolist())
        test = row_test(CATALOG.snapshot(), constraint)
        twin &= {n for n, row in enumerate(CATALOG.fetch(list(range(len(ROWS))))) if test(row)}
    assert sorted(found) == sorted(twin) == expected


@settings(max_examples=25, deadline=None)
@given(said=st.lists(CONDITIONS, min_size=2, max_size=4))
def test_solvers_agree_and_what_is_shown_runs(said: list[Said]) -> None:
    parts = [part for each in said for part in parse_where(each.sql, CATALOG.schema)]
    query = Query(constraints=tuple(parts))
    answer = RepairEngine(CATALOG).repair(query)
    for solver in ("sql", "z3", "brute"):
        other = RepairEngine(CATALOG, solver=solver).repair(query)
        assert other.explanation == answer.explanation
        assert other.shifts == answer.shifts
        assert other.repairs == answer.repairs
    for repair in (*answer.repairs, *answer.shifts):
        assert len(CATALOG.query(repair.sql)) == repair.count
    assert len(CATALOG.query(answer.sql)) == answer.count


def test_bounds_are_structured_and_not_of_one_is_its_opposite() -> None:
    text = (
        f"{HERE} > 2 AND 3 > {HERE} AND {WALK} BETWEEN 5 AND 10 AND NOT ({HERE} <= 1) "
        f"AND NOT {WALK} > 20 AND {HERE} <= 4"
    )
    assert [(each.column, each.op, each.value) for each in parse_where(text)] == [
        (HERE, ">", 2),
        (HERE, "<", 3),
        (WALK, "between", (5, 10)),
        (HERE, ">", 1),
        (None, "reachable", (40.75, -73.98, "walk", 20)),
        (None, "within", (40.75, -73.98, 4)),
    ]


def test_as_json_and_in_words() -> None:
    far = Constraint(column="Distance_KM(40.750,-73.98)", op=">", value=2.5)
    expected = [n for n, row in enumerate(ROWS) if (km(row) or 0) > 2.5]
    assert CATALOG.rows(CATALOG.bind(far)).ids.tolist() == expected
    assert words(Constraint(column=HERE, op=">", value=2)) == "distance from 40.75, -73.98 > 2 km"
    told = words(Constraint(column=WALK, op="between", value=[5, 10]))
    assert told == "walk from 40.75, -73.98 between 5 and 10 min (estimate)"
    assert CATALOG.count([CATALOG.bind(Constraint(column=HERE, op="is null"))]) == sum(
        km(row) is None for row in ROWS
    )


@pytest.mark.parametrize("op", ["<", ">", ">=", "between"])
def test_a_bound_moves_outwards_to_the_metre(op: str) -> None:
    known = sorted(number for row in ROWS if (number := km(row)) is not None)
    value = {"<": 0.001, ">": 30, ">=": 30, "between": [30, 40]}[op]
    asked = Constraint(column=HERE, op=op, value=value)
    answer = RepairEngine(CATALOG).repair(Query(constraints=(asked,)))
    (change,) = answer.shifts[0].changes
    assert change.to is not None
    assert change.to.op == {"<": "<=", ">": ">="}.get(op, op)
    nearest = known[0] if op == "<" else known[-1]
    moved = change.to.value
    assert isinstance(moved, tuple | int | float)
    first = moved[0] if isinstance(moved, tuple) else moved
    assert abs(float(first) - nearest) <= 0.001
    assert len(CATALOG.query(answer.shifts[0].sql)) == answer.shifts[0].count == 1


@pytest.mark.parametrize(
    "column",
    [
        "distance_km(91, 0)", "distance_km(1)", "distance_km()", "distance_km(a, b)",
        "travel_minutes(1, 2, 'fly')", "travel_minutes(1, 2)", "distance_km(nan, 0)",
        "minutes_from_open('2026-05-01 22:30')",
    ],
)  # fmt: skip
def test_what_is_no_measure(column: str) -> None:
    with pytest.raises(BadConstraint):
        CATALOG.bind(Constraint(column=column, op="<", value=3))


def test_what_does_not_fit_a_measure() -> None:
    for op, value in (("<", "near"), ("<", -1), (">", 1e9), ("==", 3), ("like", "3%")):
        with pytest.raises(BadConstraint):
            CATALOG.bind(Constraint(column=HERE, op=op, value=value))
    for text in ("distance_km(91, 0) < 2 OR price > 1", "NOT open_at('2026-02-30 10:00')",
                 f"{HERE} < -1", f"{HERE} BETWEEN -1 AND 2"):  # fmt: skip
        with pytest.raises(BadConstraint):
            parse_where(text, CATALOG.schema)
    with pytest.raises(ParseError, match="without quotes"):
        parse_where(f'"{HERE}" < 2 OR price > 1', CATALOG.schema)


def apart(point: tuple[float, float], other: tuple[float, float]) -> float:
    """The distance in km by the angle between two vectors, which shares nothing with haversines."""
    (a, b), (c, d) = (tuple(map(math.radians, each)) for each in (point, other))
    one = (math.cos(a) * math.cos(b), math.cos(a) * math.sin(b), math.sin(a))
    two = (math.cos(c) * math.cos(d), math.cos(c) * math.sin(d), math.sin(c))
    x, y, z = (one[i - 2] * two[i - 1] - one[i - 1] * two[i - 2] for i in range(3))
    across = math.hypot(x, y, z)
    return 6371.0088 * math.atan2(across, sum(p * q for p, q in zip(one, two, strict=True)))


def test_forty_random_queries_beside_a_distance_of_our_own() -> None:
    drawn = random.Random(8)
    points = [(drawn.uniform(40.4, 41.0), drawn.uniform(-74.3, -73.6)) for _ in range(2_000)]
    prices = [drawn.randint(1, 9) for _ in points]
    table = pa.table({"lat": [p[0] for p in points], "lon": [p[1] for p in points], "p": prices})
    catalog = Catalog.open(table)
    for number in range(40):
        center = (round(drawn.uniform(40.4, 41), 6), round(drawn.uniform(-74.3, -73.6), 6))
        low, high = sorted(round(drawn.uniform(0.5, 40), 3) for _ in range(2))
        here = f"distance_km({center[0]}, {center[1]})"
        km = [apart(center, point) for point in points]
        both = list(zip(km, prices, strict=True))
        walk = f"travel_minutes({center[0]}, {center[1]}, 'walk')"
        text, meant = [
            (f"{here} <= {high}", [d <= high for d in km]),
            (f"{here} < {high} AND NOT {here} < {low}", [low <= d < high for d in km]),
            (f"{here} BETWEEN {low} AND {high}", [low <= d <= high for d in km]),
            (f"{here} > {high} OR p = 3", [d > high or p == 3 for d, p in both]),
            (f"NOT ({here} <= {low} OR p > 5)", [d > low and p <= 5 for d, p in both]),
            (f"{here} >= {low} AND p <> 4", [d >= low and p != 4 for d, p in both]),
            (f"{walk} > {16.25 * low}", [16.25 * d > 16.25 * low for d in km]),
            (f"{here} + p < {high}", [d + p < high for d, p in both]),
        ][number % 8]
        answer = RepairEngine(catalog).repair(
            Query(constraints=tuple(parse_where(text, catalog.schema)))
        )
        assert answer.count == sum(meant) == len(catalog.query(answer.sql))
