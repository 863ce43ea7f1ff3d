"""Measured minutes: read, used where they are known, and an estimate or NULL where they are not."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.errors import BadConstraint, QueryError, UnknownColumn, UnreadableFile
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.catalogs.query.travel_times import read_travel_times
from concede.catalogs.query.where_clause import parse_where
from concede.engine.repair_engine import RepairEngine
from concede.solvers.brute import great_circle

HOME = (40.75, -73.98)
ROWS: list[dict[str, Any]] = [
    {
        "id": None if number % 13 == 0 else f"s{number}",
        "number": number,
        "lat": None if number % 7 == 0 else HOME[0] + number / 2_000,
        "lon": HOME[1],
        "price": number % 10,
    }
    for number in range(60)
]
MEASURED = {f"s{number}": 4.0 + number % 9 for number in range(0, 60, 2)}
TIMES = [
    {"origin": "home", "lat": HOME[0], "lon": HOME[1], "id": item, "mode": "walk", "minutes": spent}
    for item, spent in MEASURED.items()
]
CATALOG = Catalog.open(pa.Table.from_pylist(ROWS), travel_times=TIMES)


def walk(row: dict[str, Any]) -> float | None:
    if row["id"] in MEASURED:
        return MEASURED[row["id"]]
    return None if row["lat"] is None else great_circle(HOME, row["lat"], row["lon"]) * 16.25


def check(constraint: Constraint, catalog: Catalog, expected: list[int]) -> None:
    predicate = catalog.bind(constraint)
    assert catalog.rows(predicate).ids.tolist() == expected
    assert catalog.count([predicate]) == len(expected)
    text = f'SELECT * FROM "{catalog.name}" WHERE {predicate.text}'
    assert len(catalog.query(text)) == len(expected)


@settings(max_examples=40, deadline=None)
@given(most=st.floats(0, 40), named=st.booleans())
def test_minutes_are_those_measured_else_the_estimate(most: float, named: bool) -> None:
    value = ["home", "walk", most] if named else [*HOME, "walk", most]
    expected = [n for n, row in enumerate(ROWS) if (m := walk(row)) is not None and m <= most]
    check(Constraint(op="reachable", value=value), CATALOG, expected)
    numbers = CATALOG.numbers("travel_minutes('home', 'walk')").tolist()
    assert [None if number != number else number for number in numbers] == pytest.approx(
        [walk(row) for row in ROWS]
    )


@pytest.mark.parametrize("solver", ["sql", "z3", "brute"])
def test_every_solver_says_the_same_and_what_is_shown_runs(solver: str) -> None:
    text = (
        "travel_minutes('home', 'walk') <= 0.5 AND price < 3 AND "
        "(travel_minutes(40.75, -73.98, 'walk') > 5 OR price = 1)"
    )
    query = Query(constraints=tuple(parse_where(text, CATALOG.schema)))
    answer = RepairEngine(CATALOG).repair(query)
    other = RepairEngine(CATALOG, solver=solver).repair(query)
    assert (other.explanation, other.repairs, other.shifts) == (
        answer.explanation,
        answer.repairs,
        answer.shifts,
    )
    assert answer.shifts
    for repair in (*answer.repairs, *answer.shifts):
        assert len(CATALOG.query(repair.sql)) == repair.count


def explained(where: str) -> str:
    query = Query(constraints=tuple(parse_where(f"{where} AND price > 99", CATALOG.schema)))
    return RepairEngine(CATALOG).repair(query).explanation


def test_the_explanation_says_what_minutes_are() -> None:
    known = explained("travel_minutes(40.75, -73.98, 'walk') <= 3")
    assert "walk from 40.75, -73.98 ≤ 3 min (measured, else estimate)" in known
    assert "bike from 40.75, -73.98 ≤ 3 min (estimate)" in explained(
        "travel_minutes(40.75, -73.98, 'bike') <= 3"
    )
    assert "walk from home > 3 min (measured, else estimate)" in explained(
        "travel_minutes('home', 'walk') > 3"
    )


def test_a_moved_bound_does_not_claim_to_be_an_estimate() -> None:
    only = Query(constraints=tuple(parse_where("travel_minutes('home', 'walk') <= 0.1")))
    assert (
        RepairEngine(CATALOG)
        .repair(only)
        .shifts[0]
        .explanation.startswith("walk from home ≤ 0.1 min (measured, else estimate) → ≤ ")
    )


def test_without_a_place_only_minutes_measured_are_known() -> None:
    times = [
        {"origin": "home", "number": item, "mode": "bike", "minutes": item} for item in (1, 2, 5)
    ]
    catalog = Catalog.open(pa.Table.from_pylist(ROWS), travel_times=times)
    check(Constraint(op="reachable", value=["home", "bike", 2]), catalog, [1, 2])
    far = Constraint(column="travel_minutes('home', 'bike')", op=">", value=1)
    check(far, catalog, [2, 5])
    unknown = Constraint(op="reachable", value=["home", "bike", 2], nulls="match")
    check(unknown, catalog, [n for n in range(60) if n != 5])
    answer = RepairEngine(catalog).repair(
        Query(constraints=(Constraint(op="reachable", value=["home", "bike", 0]),))
    )
    assert "(measured)" in answer.explanation
    with pytest.raises(BadConstraint, match="no minutes from home"):
        catalog.bind(Constraint(op="reachable", value=["home", "walk", 2]))
    plain = pa.table({"number": [1, 9]})
    check(Constraint(op="reachable", value=["home", "bike", 2]),
          Catalog.open(plain, travel_times=times), [0])  # fmt: skip


def test_a_write_changes_who_is_near() -> None:
    table = pa.table({"id": ["a", "b"], "price": [1, 2]})
    times = [{"origin": "x", "id": "c", "mode": "walk", "minutes": 3}]
    catalog = Catalog.open(table, key="id", travel_times=times)
    near = Constraint(op="reachable", value=["x", "walk", 5])
    assert catalog.rows(catalog.bind(near)).ids.tolist() == []
    catalog.upsert([{"id": "c", "price": 1}])
    assert catalog.rows(catalog.bind(near)).ids.tolist() == [2]


def test_files(tmp_path: Path) -> None:
    rows = [{"lat": 1.0, "lon": 2.0, "id": "a", "mode": "walk", "minutes": 3.5}]
    (tmp_path / "t.csv").write_text("lat,lon,id,mode,minutes\n1,2,a,walk,3.5\n")
    (tmp_path / "t.json").write_text(json.dumps(rows))
    (tmp_path / "t.jsonl").write_text(json.dumps(rows[0]) + "\n\n")
    for name in ("t.csv", "t.json", "t.jsonl"):
        read = read_travel_times(tmp_path / name)
        assert read.column == "id"
        known = read.known((1.000004, 2), "walk")
        assert known is not None
        assert known.minutes == {"a": 3.5}
    (tmp_path / "k.csv").write_text("origin,key,mode,minutes\nhome,a,walk,3.5\n")
    assert read_travel_times(tmp_path / "k.csv", "sku").column == "sku"
    assert read_travel_times(tmp_path / "k.csv").column == "key"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("91,2,a,walk,3", "91"), ("1,2,a,fly,3", "fly"), ("1,2,a,walk,-3", "-3"),
        ("1,2,a,walk,nan", "nan"), ("1,,a,walk,3", "no origin"), ("1,2,a,walk,", "no number"),
        ("1,2,,walk,3", "columns"), ("1,2,b,walk,3\n1,2,b,walk,4", "two times"),
        ("1,2,a,walk,3,4", "columns"),
    ],
)  # fmt: skip
def test_bad_lines_are_named(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"lat,lon,id,mode,minutes\n5,6,z,walk,1\n{line}\n")
    with pytest.raises(UnreadableFile) as caught:
        read_travel_times(path)
    message = str(caught.value)
    assert f"line {3 + line.count(chr(10))}" in message
    assert why in message
    assert "\n" not in message


def test_bad_tables(tmp_path: Path) -> None:
    for name, text in (("a.json", "{}"), ("a.jsonl", "{"), ("a.csv", ""), ("a.json", "[3]")):
        (tmp_path / name).write_text(text)
        with pytest.raises(UnreadableFile):
            read_travel_times(tmp_path / name)
    with pytest.raises(UnreadableFile):
        read_travel_times(tmp_path / "none.csv")
    with pytest.raises(QueryError, match="travel times"):
        read_travel_times([{"origin": "a(b", "id": 1, "mode": "walk", "minutes": 2}])
    table, row = pa.table({"a": [1.5]}), {"origin": "x", "mode": "walk", "minutes": 2}
    with pytest.raises(UnknownColumn):
        Catalog.open(table, travel_times=[{**row, "id": 1}])
    with pytest.raises(BadConstraint, match="names no items"):
        Catalog.open(table, travel_times=[{**row, "a": 1}]).bind(
            Constraint(op="reachable", value=["x", "walk", 5])
        )
    for value in (
        ["nowhere", "walk", 5],
        ["home", "fly", 5],
        ["home", "walk", -5],
        ["", "walk", 5],
    ):
        with pytest.raises(BadConstraint):
            CATALOG.bind(Constraint(op="reachable", value=value))


def test_large_tables_agree_with_plain_python() -> None:
    drawn = random.Random(4)
    count = 3_000
    table = pa.table({"id": list(range(count)), "lat": [HOME[0]] * count, "lon": [HOME[1]] * count})
    spent = {item: drawn.uniform(0, 60) for item in range(0, count, 2)}
    times = [{"lat": 1, "lon": 1, "id": i, "mode": "drive", "minutes": m} for i, m in spent.items()]
    catalog = Catalog.open(table, travel_times=times)
    expected = [item for item, minutes in spent.items() if minutes <= 30]
    check(Constraint(op="reachable", value=[1, 1, "drive", 30]), catalog, expected)
