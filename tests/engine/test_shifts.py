"""Shifted bounds, against a search over plain rows."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query, RepairEngine
from concede.catalogs.vectors import kernel_use
from shops import met, number, shop, wish

SHOPS = {size: shop(5, size) for size in (1, 20, 60)}
MOVABLE = ("<", "<=", ">", ">=", "==", "between")


@given(st.sampled_from(sorted(SHOPS)), st.integers(0, 10**6), st.integers(1, 5))
def test_each_bound_moved_alone_goes_to_the_nearest_feasible_value(size, seed, count):
    store, query = SHOPS[size], wish(seed, count, hard=0.1)
    answer = RepairEngine(store.catalog).repair(query, top=100)
    if answer.count and not answer.relaxed:
        assert answer.shifts == ()
        return
    base = [row for row in store.rows if all(met(row, constraint) for constraint in query.base)]
    alone = {
        shift.changes[0].position: shift
        for shift in answer.shifts
        if len(shift.changes) == 1 and shift.changes[0].action == "shift"
    }
    for position, constraint in enumerate(query.constraints):
        expected = _nearest(position, constraint, query, base)
        if expected is None:
            assert position not in alone
            continue
        change = alone[position].changes[0]
        assert change.distance == pytest.approx(max(expected, 1e-9))
        reached = [row for row in base if _meets_all_but(row, query, position)]
        assert any(met(row, change.to) for row in reached)


def _meets_all_but(row, query, position) -> bool:
    return all(met(row, one) for i, one in enumerate(query.constraints) if i != position)


def _nearest(position, constraint, query, base) -> float | None:
    """Return the least distance of a row that meets all else; None if there is none."""
    column = str(constraint.column)
    if constraint.hard or constraint.op not in MOVABLE or column in ("brand", "fanless"):
        return None
    value = constraint.value
    ends = value if isinstance(value, tuple) else (value,)
    low, high = number(ends[0]), number(ends[-1])
    known = [number(row[column]) for row in base if row[column] is not None]
    spread = [*known, low, high]
    span = (max(spread) - min(spread)) or 1.0
    rows = [r for r in base if _meets_all_but(r, query, position) and r[column] is not None]
    gaps = [max(low - number(r[column]), number(r[column]) - high, 0.0) for r in rows]
    if constraint.op in ("<", "<="):
        gaps = [max(number(r[column]) - high, 0.0) for r in rows]
    if constraint.op in (">", ">="):
        gaps = [max(low - number(r[column]), 0.0) for r in rows]
    return min(gaps) / span if gaps else None


@given(st.sampled_from(sorted(SHOPS)), st.integers(0, 10**6), st.integers(2, 5))
def test_combinations_are_the_pareto_front(size, seed, count):
    store, query = SHOPS[size], wish(seed, count)
    answer = RepairEngine(store.catalog).repair(query, top=100)
    shifted = [shift for shift in answer.shifts if not shift.dropped]
    points = [{change.position: change.distance for change in entry.changes} for entry in shifted]
    for point in points:
        for other in points:
            if other is not point:
                assert not _no_farther(other, point)
    costs = [shift.cost for shift in answer.shifts]
    assert costs == sorted(costs)


def _no_farther(one, other) -> bool:
    return set(one) <= set(other) and all(one[i] <= other[i] + 1e-12 for i in one)


def test_the_example_of_a_price_bound():
    table = pa.table({"price": [25940, 25940, 26000, 30000], "size": ["L", "L", "L", "S"]})
    query = Query(
        constraints=[
            Constraint(column="price", op="<=", value=24515),
            Constraint(column="size", op="==", value="L"),
        ]
    )
    shift = RepairEngine(Catalog.open(table)).repair(query).shifts[0]
    assert shift.changes[0].to.record() == {"column": "price", "op": "<=", "value": 25940}
    assert shift.count == 2
    assert shift.explanation == "price ≤ 24,515 → ≤ 25,940: 2 matches"


def test_bounds_of_every_kind_move():
    day = datetime.date(2024, 5, 1)
    table = pa.table({"n": [10], "d": [day], "x": ["a"]})

    def moved(column, op, value):
        query = Query(constraints=[Constraint(column=column, op=op, value=value)])
        change = RepairEngine(Catalog.open(table)).repair(query).shifts[0].changes[0]
        return change.to.op, change.to.value

    assert moved("n", "<", 10) == ("<=", 10)
    assert moved("n", ">", 12) == (">=", 10)
    assert moved("n", "==", 12) == ("between", (10, 12))
    assert moved("n", "between", [1, 5]) == ("between", (1, 10))
    assert moved("n", "between", [12, 15]) == ("between", (10, 15))
    assert moved("d", ">=", "2024-06-01") == (">=", day)


def test_a_mixed_repair_drops_words_and_moves_numbers():
    table = pa.table({"price": [100, 90], "name": ["x", "y"], "kind": ["k", "k"]})
    query = Query(
        constraints=[
            Constraint(column="price", op="<=", value=50, weight=0.2),
            Constraint(column="name", op="==", value="z", weight=0.2),
            Constraint(column="kind", op="==", value="k", weight=0.9),
        ]
    )
    shift = RepairEngine(Catalog.open(table)).repair(query).shifts[0]
    actions = {change.from_.column: change.action for change in shift.changes}
    assert actions == {"price": "shift", "name": "drop"}
    assert shift.changes[0].to.value == 90


def test_a_range_that_nothing_lies_in_has_no_bound_to_move():
    table = pa.table({"t": [1, 2]})
    query = Query(constraints=[Constraint(column="t", op="between", value=[5, 1])])
    answer = RepairEngine(Catalog.open(table)).repair(query)
    assert answer.shifts == ()
    assert [near.violation for near in answer.near_misses] == [0.5, 0.5]


def test_no_more_shifts_than_asked_for_and_the_cheapest_of_them():
    engine = RepairEngine(SHOPS[60].catalog)
    queries = [wish(seed, 4) for seed in range(60)]
    several = [query for query in queries if len(engine.repair(query, top=100).shifts) > 3]
    assert several
    for query in several:
        every = engine.repair(query, top=100).shifts
        for top in (1, 2, 3):
            shifts = engine.repair(query, top=top).shifts
            assert len(shifts) == top
            assert shifts[0] == every[0]


@pytest.mark.parametrize("kernel_rows", [-1, 10**9])
def test_shifts_of_equal_cost_come_by_bounds_moved_then_by_row(monkeypatch, kernel_rows):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", kernel_rows)
    table = pa.table({"a": [5, 10, 0], "b": [5, 0, 10]})
    asked = [Constraint(column=column, op="<=", value=0, weight=0.5) for column in ("a", "b")]
    shifts = RepairEngine(Catalog.open(table)).repair(Query(constraints=asked)).shifts
    assert [shift.cost for shift in shifts] == [0.5, 0.5, 0.5]
    moved = [[change.position for change in shift.changes] for shift in shifts]
    assert moved == [[0], [1], [0, 1]]
    # The same rows the other way round: the row that comes first decides between equals.
    table = pa.table({"a": [0, 10, 5], "b": [10, 0, 5]})
    shifts = RepairEngine(Catalog.open(table)).repair(Query(constraints=asked)).shifts
    moved = [[change.position for change in shift.changes] for shift in shifts]
    assert moved == [[1], [0], [0, 1]]
