"""Constraints on places and hours: what may be, how they are written, and which rows meet them."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint, ParseError, QueryError
from concede.catalogs.query.constraint import Constraint, words
from concede.catalogs.query.places import box_around, haversines, measure_named
from concede.catalogs.query.where_clause import parse_where
from concede.solvers.brute import great_circle, row_test

LATITUDES = st.floats(-90, 90) | st.sampled_from([-90.0, -89.999, 0.0, 40.75, 90.0])
LONGITUDES = st.floats(-180, 180) | st.sampled_from([-180.0, 179.999, 0.0, 180.0])
POINTS = st.tuples(LATITUDES, LONGITUDES)


def catalog_of(points: list[tuple[float | None, float | None]], **more: list[Any]) -> Catalog:
    latitudes, longitudes = ([point[i] for point in points] for i in range(2))
    columns = {"lat": pa.array(latitudes, pa.float64()), "lon": pa.array(longitudes, pa.float64())}
    return Catalog.open(pa.table(columns | {name: pa.array(v) for name, v in more.items()}))


def within(lat: float, lon: float, km: float, **more: Any) -> Constraint:
    return Constraint(op="within", value=[lat, lon, km], **more)


def three_ways(catalog: Catalog, constraint: Constraint) -> tuple[list[int], int, int, list[int]]:
    """The rows in memory, DuckDB's count, that of the SQL shown, and what the twin says."""
    predicate = catalog.bind(constraint)
    text = f'SELECT * FROM "{catalog.name}" WHERE {predicate.text}'
    test = row_test(catalog, constraint)
    rows = catalog.fetch(list(range(catalog.row_count)))
    return (
        catalog.rows(predicate).ids.tolist(),
        catalog.count([predicate]),
        len(catalog.query(text)),
        [number for number, row in enumerate(rows) if test(row)],
    )


@settings(max_examples=60, deadline=None)
@given(points=st.lists(POINTS, min_size=1, max_size=12), center=POINTS, data=st.data())
def test_rows_within_are_those_of_duckdb_and_of_the_twin(
    points: list[tuple[float, float]], center: tuple[float, float], data: st.DataObject
) -> None:
    reached = [great_circle(center, *point) for point in points]
    exact = st.sampled_from(reached)
    near = exact.map(lambda km: math.nextafter(km, 0)) | exact.map(lambda km: km * (1 + 1e-15))
    km = data.draw(st.floats(0, 20_100) | exact | near)
    found, counted, shown, twin = three_ways(catalog_of([*points]), within(*center, max(0.0, km)))
    assert len(found) == counted == shown
    if all(abs(each - km) > 1e-9 * (1 + km) for each in reached):
        assert found == twin


@settings(max_examples=300, deadline=None)
@given(center=POINTS, point=POINTS, km=st.floats(0, 20_100))
def test_the_box_holds_every_point_so_near(
    center: tuple[float, float], point: tuple[float, float], km: float
) -> None:
    if great_circle(center, *point) > km:
        return
    for value, intervals in zip(point, box_around(center, km), strict=True):
        assert any(low <= value <= high for low, high in intervals)


def test_forty_random_queries_beside_a_haversine(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = random.Random(5)
    points = [(drawn.uniform(40.4, 41.0), drawn.uniform(-74.3, -73.6)) for _ in range(3_000)]
    catalog = catalog_of([*points, (None, 1.0), (2.0, None), (95.0, 0.0), (math.inf, 0.0)])
    for _ in range(40):
        center, km = drawn.choice(points), drawn.uniform(0.1, 30)
        center = center[0] + drawn.gauss(0, 0.05), center[1]
        expected = sum(great_circle(center, *point) <= km for point in points)
        found, counted, shown, _ = three_ways(catalog, within(*center, km))
        assert len(found) == counted == shown == expected


def test_longitudes_go_round() -> None:
    catalog = catalog_of([(0, 179.9), (0, -179.9), (0, 180.1), (89.99, 10), (89.99, -170)])
    assert len(catalog.rows(catalog.bind(within(0, 180, 12)))) == 3
    assert len(catalog.rows(catalog.bind(within(89.99, 100, 3)))) == 2


def test_unknown_places_match_only_where_nulls_do() -> None:
    catalog = catalog_of([(1.0, 1.0), (None, 1.0), (95.0, 1.0), (2.0, 1.0)])
    found, *_ = three_ways(catalog, within(1, 1, 5))
    assert found == [0]
    found, counted, shown, twin = three_ways(catalog, within(1, 1, 5, nulls="match"))
    assert found == twin == [0, 1, 2]
    assert counted == shown == 3


def test_a_write_moves_rows_in_and_out() -> None:
    columns = {"id": [1, 2], "lat": [1.0, 2.0], "lon": [1.0, 1.0], "hours": ["24/7", "off"]}
    catalog = Catalog.open(pa.table(columns), key="id")
    near, now = within(1, 1, 5), Constraint(op="open at", value="2026-05-01 22:30")
    assert catalog.rows(catalog.bind(near)).ids.tolist() == [0]
    assert catalog.rows(catalog.bind(now)).ids.tolist() == [0]
    catalog.upsert([{"id": 1, "lat": 5.0, "hours": "10:00-12:00"}, {"id": 2, "lat": 1.001}])
    catalog.upsert([{"id": 2, "hours": "22:00-23:00"}])
    assert catalog.rows(catalog.bind(near)).ids.tolist() == [1]
    assert catalog.rows(catalog.bind(now)).ids.tolist() == [1]
    catalog.upsert([{"id": 3, "lat": 1.0, "lon": 1.0}])
    catalog.delete([1])
    far = within(1, 1, 6)
    assert catalog.rows(catalog.bind(far)).ids.tolist() == [2]
    assert catalog.rows(catalog.bind(near)).ids.tolist() == [2]


def test_open_is_a_list_of_texts_in_sql() -> None:
    hours = ["Mo-Fr 10:00-22:00", "24/7", "by appointment", None, "18:00-02:00"]
    catalog = catalog_of([(1.0, 1.0)] * 5, opening_hours=hours)
    for moment, expected in (
        ("2026-11-23 12:00", [0, 1]),
        ("2026-11-23 23:00", [1, 4]),
        ("2026-11-28 01:59", [1, 4]),
    ):
        asked = Constraint(op="open at", value=moment)
        found, counted, shown, twin = three_ways(catalog, asked)
        assert found == twin == expected
        assert counted == shown == len(expected)
    unknown = Constraint(op="open at", value="2026-11-23 05:00", nulls="match")
    found, counted, shown, twin = three_ways(catalog, unknown)
    assert found == twin == [1, 2, 3]
    assert counted == shown == 3


def test_nothing_open_is_sql_too() -> None:
    catalog = catalog_of([(1.0, 1.0)] * 2, hours=["off", None])
    assert three_ways(catalog, Constraint(op="open at", value="2026-11-23 05:00")) == ([], 0, 0, [])


def test_travel_is_an_estimate_by_distance() -> None:
    catalog = catalog_of([(40.75, -73.98), (40.759, -73.98), (40.9, -73.98)])
    asked = Constraint(op="reachable", value=[40.75, -73.98, "walk", 20])
    assert three_ways(catalog, asked) == ([0, 1], 2, 2, [0, 1])
    assert "estimate" in words(asked)


def test_where_texts() -> None:
    text = (
        "distance_km(40.75, -73.98) <= 1.5 AND OPEN_AT('2026-05-01 22:30') "
        "AND 15 >= travel_minutes(40.75, -73.98, 'bike') AND price < 10"
    )
    assert [(each.op, each.value) for each in parse_where(text)] == [
        ("within", (40.75, -73.98, 1.5)),
        ("open at", "2026-05-01 22:30"),
        ("reachable", (40.75, -73.98, "bike", 15)),
        ("<", 10),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "distance_km(1) <= 3", "distance_km(lat, lon) <= 3", "distance_km(1, 2)", "open_at()",
        "open_at('2026-05-01 22:30') <= 1", "distance_km(1) <= 3 OR a > 1",
        "NOT open_at(now)", "distance_km(NaN, 2) <= 1", "distance_km(NaN, 2) > 1",
        "a = 1 OR open_at()",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(ParseError, match="write "):
        parse_where(text)


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("within", [91, 0, 1]), ("within", [0, 181, 1]), ("within", [0, 0, -1]),
        ("within", [0, 0]), ("within", 3), ("within", [math.nan, 0, 1]), ("within", ["1", 0, 1]),
        ("within", [0, 0, math.inf]), ("within", [True, 0, 1]), ("open at", "2026-02-30 10:00"),
        ("open at", "tomorrow"), ("open at", 3), ("open at", ["2026-02-01 10:00"]),
        ("reachable", [0, 0, "fly", 3]), ("reachable", [0, 0, "walk", -3]),
        ("reachable", [0, 0, 3]),
        ("reachable", [0, 0, ["walk"], 3]), ("within", None),
    ],
)  # fmt: skip
def test_bad_values(op: str, value: Any) -> None:
    with pytest.raises(BadConstraint):
        Constraint(op=op, value=value)


def test_a_column_is_refused_and_missing_ones_are_named() -> None:
    with pytest.raises(BadConstraint, match="takes no column"):
        Constraint(column="lat", op="within", value=[0, 0, 1])
    plain = Catalog.open(pa.table({"a": [1], "name": ["x"]}))
    with pytest.raises(BadConstraint, match="--location"):
        plain.bind(within(0, 0, 1))
    with pytest.raises(BadConstraint, match="--hours"):
        plain.bind(Constraint(op="open at", value="2026-05-01 22:30"))
    table = pa.table({"a": [1], "name": ["x"]})
    with pytest.raises(BadConstraint, match="no degrees"):
        Catalog.open(table, location=("a", "name")).bind(within(0, 0, 1))
    with pytest.raises(BadConstraint, match="no texts"):
        Catalog.open(table, hours="a").bind(Constraint(op="open at", value="2026-05-01 22:30"))
    with pytest.raises(QueryError, match="unknown column"):
        Catalog.open(table, location=("a", "b"))


def test_named_columns_and_names_that_come_back() -> None:
    table = pa.table({"y": [1.0], "x": [1.0], "times": ["24/7"]})
    catalog = Catalog.open(table, location=("Y", "X"), hours="times")
    assert catalog.schema.places.location == ("y", "x")
    for constraint in (
        within(1, 1, 5),
        Constraint(op="open at", value="2026-05-01 22:30"),
        Constraint(op="reachable", value=[1, 1, "drive", 5]),
    ):
        predicate = catalog.bind(constraint)
        assert len(catalog.rows(predicate)) == 1
        assert predicate.measured is not None
        measure = measure_named(predicate.measured.column, catalog.schema.places)
        assert measure is not None
        assert measure.name == predicate.measured.column
        assert catalog.numbers(measure.name).tolist() == [0.0]


def test_haversines_of_no_place() -> None:
    latitudes = np.array([np.nan, 91.0, np.inf, 0.0])
    assert np.isnan(haversines((0, 0), latitudes, np.zeros(4))).tolist() == [
        True,
        True,
        True,
        False,
    ]
