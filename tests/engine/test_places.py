"""Places and hours in a repair: whichever solver or policy, what moves lets its witness in."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.opening_hours import is_open
from concede.catalogs.query.query import Query
from concede.catalogs.versions.base_slice import MEASURED
from concede.engine.answer import Answer
from concede.engine.policies import POLICIES
from concede.engine.repair_engine import RepairEngine
from concede.solvers.brute import great_circle, row_test

CENTER = (40.75, -73.98)
NIGHT = "2026-11-23 22:30"
HOURS = ["10:00-22:00", "Mo-Fr 08:00-18:00", "24/7", "18:00-02:00", "ask inside", None]


def shops(count: int, seed: int = 3) -> Catalog:
    drawn = random.Random(seed)
    rows: list[dict[str, Any]] = [
        {
            "name": f"shop {number}",
            "latitude": CENTER[0] + drawn.gauss(0, 0.03) if number % 17 else None,
            "longitude": CENTER[1] + drawn.gauss(0, 0.03),
            "opening_hours": drawn.choice(HOURS),
            "price": drawn.randint(5, 60),
            "kind": drawn.choice("ab"),
        }
        for number in range(count)
    ]
    return Catalog.open(pa.Table.from_pylist(rows))


def asked(weight: float | None = None) -> tuple[Constraint, ...]:
    return (
        Constraint(op="within", value=[*CENTER, 0.4], weight=weight),
        Constraint(op="open at", value=NIGHT),
        Constraint(column="price", op="<=", value=9),
        Constraint(op="reachable", value=[*CENTER, "walk", 8]),
    )


def check(catalog: Catalog, answer: Answer) -> None:
    """Every repair's SQL finds as many rows as it says, its witness by plain Python too."""
    rows = catalog.fetch(catalog.slice(()).ids.tolist())
    for repair in (*answer.repairs, *answer.shifts):
        assert len(catalog.query(repair.sql)) == repair.count
        changed = {change.position: change.to for change in repair.changes}
        wanted = [changed.get(i, each) for i, each in enumerate(answer.constraints)]
        tests = [row_test(catalog.snapshot(), each) for each in wanted if each is not None]
        assert all(test(repair.witness) for test in tests), repair.explanation
        assert sum(all(test(row) for test in tests) for row in rows) == repair.count


@pytest.mark.parametrize("solver", ["bitset", "sql", "z3", "brute"])
def test_every_solver_says_the_same(solver: str) -> None:
    catalog = shops(300)
    expected = RepairEngine(catalog).repair(Query(constraints=asked()))
    answer = RepairEngine(catalog, solver=solver).repair(Query(constraints=asked()))
    assert answer.explanation == expected.explanation
    assert answer.shifts == expected.shifts
    assert answer.conflicts == expected.conflicts
    check(catalog, answer)


@pytest.mark.parametrize("policy", [name for name in POLICIES if name != "priority"])
def test_every_policy(policy: str) -> None:
    catalog = shops(300)
    answer = RepairEngine(catalog).repair(Query(constraints=asked()), policy=policy)
    check(catalog, answer)
    assert answer.count == len(catalog.query(answer.sql))


def test_a_small_slice_and_a_large_catalog_say_what_a_small_catalog_says() -> None:
    catalog = shops(70_000)
    base = (Constraint(column="kind", op="==", value="a"),)
    for first in ((), base, (*base, Constraint(column="price", op=">=", value=58))):
        query = Query(base=first, constraints=asked())
        answer = RepairEngine(catalog).repair(query, policy="closest")
        slow = RepairEngine(catalog, solver="sql").repair(query, policy="closest")
        assert answer.explanation == slow.explanation
        for repair in (*answer.repairs, *answer.shifts):
            assert len(catalog.query(repair.sql)) == repair.count


def test_a_place_moves_to_the_metre_and_a_moment_by_quarters() -> None:
    rows = {
        "lat": [CENTER[0] + 0.012, CENTER[0] + 0.02],
        "lon": [CENTER[1]] * 2,
        "hours": ["10:00-22:00", "24/7"],
    }
    catalog = Catalog.open(pa.table(rows))
    near = Constraint(op="within", value=[*CENTER, 1])
    answer = RepairEngine(catalog).repair(Query(constraints=(near,)))
    (change,) = answer.shifts[0].changes
    assert change.to is not None
    value = change.to.value
    assert isinstance(value, tuple)
    reached = great_circle(CENTER, rows["lat"][0], rows["lon"][0])
    assert reached <= float(value[2]) <= reached + 0.001
    assert answer.shifts[0].explanation.startswith("within 1 km of 40.75, -73.98 → within 1.33")
    hard = Constraint(op="within", value=[*CENTER, 1.5], hard=True)
    late = Constraint(op="open at", value=NIGHT)
    answer = RepairEngine(catalog).repair(Query(constraints=(hard, late)))
    assert "open at 2026-11-23 22:30 → open at 2026-11-23 21:45" in answer.shifts[0].explanation
    violation = answer.near_misses[0].violates[0]
    assert violation.actual == {"hours": "10:00-22:00"}


def test_what_never_opens_or_is_nowhere_does_not_move() -> None:
    rows = {"lat": [None, None], "lon": [1.0, 1.0], "hours": ["off", "ask inside"]}
    catalog = Catalog.open(pa.table({**rows, "lat": pa.array([None, None], pa.float64())}))
    both = (
        Constraint(op="open at", value=NIGHT),
        Constraint(op="within", value=[*CENTER, 1]),
    )
    answer = RepairEngine(catalog).repair(Query(constraints=both))
    assert answer.shifts == ()
    assert answer.count == 2


def test_weights_decide_and_nearer_comes_first() -> None:
    catalog = shops(300)
    near = Constraint(op="within", value=[*CENTER, 3], weight=0.9)
    cheap = Constraint(column="price", op="<=", value=4, weight=0.1)
    answer = RepairEngine(catalog).repair(Query(constraints=(near, cheap)))
    assert [each.column for each in answer.relaxed] == ["price"]
    plenty = RepairEngine(catalog).repair(Query(constraints=(near,)))
    reached = [
        great_circle(CENTER, float(item.row["latitude"]), float(item.row["longitude"]))
        for item in plenty.items
    ]
    assert reached == sorted(reached)


def test_sixty_shops_at_eight_times() -> None:
    catalog = shops(60)
    rows = catalog.fetch(range(60))
    for hour in range(0, 24, 3):
        moment = datetime(2026, 11, 24, hour, 5)
        constraint = Constraint(op="open at", value=f"{moment:%Y-%m-%d %H:%M}")
        predicate = catalog.bind(constraint)
        texts = [row["opening_hours"] for row in rows]
        expected = [i for i, text in enumerate(texts) if text and is_open(text, moment)]
        assert catalog.rows(predicate).ids.tolist() == expected


def test_a_short_deadline_only_leaves_out() -> None:
    answer = RepairEngine(shops(300)).repair(Query(constraints=asked()), deadline=0.0)
    assert answer.status in ("UNKNOWN", "SAT_after_relaxation")


def test_a_slice_forgets_the_places_of_questions_long_ago() -> None:
    catalog = shops(2_000)
    engine = RepairEngine(catalog)
    base = (
        Constraint(column="price", op=">=", value=59),
        Constraint(column="kind", op="==", value="a"),
    )
    for number in range(3 * MEASURED):
        near = Constraint(op="within", value=[CENTER[0] + number / 1_000, CENTER[1], 0.01])
        late = Constraint(op="open at", value="2026-11-24 03:00")
        engine.repair(Query(base=base, constraints=(near, late)))
    kept = catalog.snapshot().base_slice([catalog.bind(each) for each in base])
    for columns in (kept._numbers, kept._ends, kept._sampled, kept._octets):
        assert sum("(" in name for name in columns) <= MEASURED
