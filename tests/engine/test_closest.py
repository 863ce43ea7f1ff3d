"""Policy `closest`, against every drop, every move of a bound and every mix of them."""

from __future__ import annotations

import datetime
import math
from collections import Counter
from decimal import Decimal
from itertools import product

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Answer, Catalog, Constraint, Query, RepairEngine
from concede.catalogs.vectors import kernel_use
from concede.engine.answer import MovedConstraint
from shops import DOWN, UP, distance, met, number, shop, wish

SHOPS = {size: shop(seed, size) for seed, size in ((5, 1), (6, 8), (7, 14))}
PLENTY = shop(8, 400)


@pytest.mark.parametrize("large", [False, True], ids=["numpy", "kernels"])
def test_nothing_is_cheaper(monkeypatch, large):
    monkeypatch.setattr(kernel_use, "KERNEL_ROWS", -1 if large else 10**9)

    @given(st.sampled_from(sorted(SHOPS)), st.integers(0, 10**6), st.integers(1, 3), st.booleans())
    def check(size: int, seed: int, count: int, grouped: bool) -> None:
        store, query = SHOPS[size], wish(seed, count, hard=0.1, grouped=grouped)
        answer = RepairEngine(store.catalog).repair(query, policy="closest", top=100, deadline=None)
        if answer.status == "SAT_no_relaxation":
            return
        base = [row for row in store.rows if all(met(row, one) for one in query.base)]
        least = cheapest(query, base)
        if least is None:
            assert answer.status == "UNSAT_even_after_relaxation"
            return
        assert answer.repairs[0].cost == pytest.approx(least, abs=1e-11)
        judge(store.catalog, answer, base)

    check()


def cheapest(query: Query, base: list) -> float | None:
    """Return the least cost of all changes that let some row in; None if none does."""
    units = [
        [[(position, None) for position in unit], *moves(query, unit, base)]
        for unit in query.groups
        if not query.hard_positions.intersection(unit)
    ]
    costs = []
    for chosen in product(*([[], *options] for options in units)):
        changes = dict(change for unit in chosen for change in unit)
        changed = [changes.get(i, one) for i, one in enumerate(query.constraints)]
        if any(all(met(row, one) for one in changed if one is not None) for row in base):
            costs.append(cost_of(query, changes, base))
    return min(costs, default=None)


def moves(query: Query, unit: tuple[int, ...], base: list) -> list:
    """Return the bound of a unit moved to each value that the base slice has."""
    constraint = query.constraints[unit[0]]
    column, op = str(constraint.column), constraint.op
    if len(unit) > 1 or op not in (*UP, *DOWN, "==", "between") or column in ("brand", "fanless"):
        return []
    values = {row[column] for row in base if row[column] is not None and not met(row, constraint)}
    return [[(unit[0], moved_to(constraint, value))] for value in values]


def moved_to(constraint: Constraint, value: object) -> Constraint:
    if constraint.op in (*UP, *DOWN):
        op = constraint.op if constraint.op.endswith("=") else f"{constraint.op}="
        return constraint.changed(op, value)
    ends = constraint.value if constraint.op == "between" else (constraint.value,) * 2
    start, end = ends
    if number(start) > number(end):
        return constraint
    ends = (value, end) if number(value) < number(start) else (start, value)
    return constraint.changed("between", ends)


def cost_of(query: Query, changes: dict, base: list) -> float:
    """Return the weight of what is dropped plus weight × distance of what is moved."""
    costs = []
    for position, to in changes.items():
        constraint = query.constraints[position]
        share = 1.0
        if to is not None:
            ends = to.value if isinstance(to.value, tuple) else (to.value,)
            rows = ({str(constraint.column): end} for end in ends)
            share = max(distance(row, constraint, base) for row in rows if not met(row, constraint))
        costs.append(constraint.importance * share)
    return math.fsum(costs)


def judge(catalog: Catalog, answer: Answer, base: list) -> None:
    """Check what an answer says of its change: by its SQL, and by taking each change back."""
    chosen = answer.repairs[0]
    matching = catalog.query(answer.sql)
    assert len(matching) == answer.count == chosen.count > 0
    assert chosen.sql == answer.sql
    assert chosen.witness in matching
    assert Counter(str(item.row) for item in answer.items) <= Counter(map(str, matching))
    assert len(answer.items) == min(100, answer.count)
    assert answer.proven_minimal
    assert chosen.minimal
    changes = {change.position: change.to for change in chosen.changes}
    given_way = [answer.constraints[position] for position in sorted(changes)]
    assert [getattr(one, "from_", one) for one in answer.relaxed] == given_way
    for constraint, position in zip(answer.relaxed, sorted(changes), strict=True):
        if changes[position] is None:
            assert type(constraint) is Constraint
        else:
            assert isinstance(constraint, MovedConstraint)
            assert constraint.to == changes[position]
    units = Query(constraints=answer.constraints).groups
    for unit in units:
        if not changes.keys() & set(unit):
            continue
        less = {position: to for position, to in changes.items() if position not in unit}
        left = [less.get(i, one) for i, one in enumerate(answer.constraints)]
        assert not any(all(met(row, one) for one in left if one is not None) for row in base)
    assert Answer.model_validate(answer.record()).record() == answer.record()
    assert chosen not in answer.shifts


@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans())
def test_without_moves_it_is_the_cheapest_drop(seed, count, grouped):
    query = wish(seed, count, hard=0.1, grouped=grouped)
    engine = RepairEngine(PLENTY.catalog)
    closest, dropped = (engine.repair(query, policy=p) for p in ("closest", "least-weight"))
    if not dropped.relaxed:
        assert closest.relaxed == ()
        return
    assert closest.repairs[0].cost <= dropped.repairs[0].cost + 1e-12
    for shift in dropped.shifts:
        assert closest.repairs[0].cost <= shift.cost + 1e-11
    if all(type(one) is Constraint for one in closest.relaxed):
        assert closest.relaxed == dropped.relaxed
        assert closest.items == dropped.items


def test_kernels_and_numpy_choose_the_same(monkeypatch):
    @given(
        st.integers(0, 10**6), st.integers(1, 7), st.booleans(), st.sampled_from(["near", "score"])
    )
    def check(seed: int, width: int, grouped: bool, rank: str) -> None:
        query = wish(seed, width, hard=0.1, grouped=grouped)
        answers = []
        for large in (-1, 10**9):
            monkeypatch.setattr(kernel_use, "KERNEL_ROWS", large)
            answer = RepairEngine(PLENTY.catalog).repair(query, policy="closest", rank=rank)
            answers.append(answer.to_json())
        assert answers[0] == answers[1]

    check()


DAY, NOON = datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12)
TYPES = {
    "whole": (pa.int64(), [3, 9, 2**53 + 1], [0, 2**53], [2**53 + 3]),
    "tiny": (pa.int8(), [3, 9, 12], [0, 5], [100]),
    "double": (pa.float64(), [0.1, 0.3, 2.5], [0.2], [9.75]),
    "money": (pa.decimal128(20, 2), [Decimal("0.10"), Decimal("900719925474099.93")],
              [900719925474099.75], [Decimal("-3.05")]),
    "day": (pa.date32(), [DAY, DAY.replace(day=1)], ["2024-02-20"], [DAY.replace(year=1996)]),
    "moment": (pa.timestamp("us"), [NOON, NOON.replace(microsecond=7)], ["2024-02-29T11:59:59"],
               [NOON.replace(year=2032)]),
    "yes": (pa.bool_(), [True], [False], [True]),
    "name": (pa.string(), ["a", "b"], ["c"], ["d"]),
}  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("op", ["<", "<=", "==", ">", ">=", "between"])
def test_a_bound_of_any_type_moves_to_where_its_sql_counts(name, op):
    if name == "yes" and op != "==":
        pytest.skip("yes and no have no order")
    sql_type, near, asked, far = TYPES[name]
    values = [None, *near, *far]
    table = pa.table({name: pa.array(values, sql_type), "kind": ["a"] * len(values)})
    catalog = Catalog.open(table)
    for value in asked:
        bound = [value, value] if op == "between" else value
        constraint = Constraint(column=name, op=op, value=bound)
        kind = Constraint(column="kind", op="==", value="a", weight=0.6)
        query = Query(constraints=[constraint, kind])
        answer = RepairEngine(catalog).repair(query, policy="closest")
        matching = catalog.query(answer.sql)
        assert len(matching) == answer.count == len(answer.items)
        if answer.status == "SAT_after_relaxation":
            assert answer.repairs[0].witness in [item.row for item in answer.items]


def test_fewest_changes_then_the_first_positions_break_ties():
    table = pa.table({"a": [0, 1, 1], "b": [1, 0, 1], "c": [1, 1, 0]})
    thirds = [Constraint(column=name, op="==", value=1, weight=0.5) for name in "abc"]
    answer = RepairEngine(Catalog.open(table)).repair(Query(constraints=thirds), policy="closest")
    (moved,) = answer.relaxed
    assert (moved.column, moved.to.value) == ("a", (0, 1))
    table = pa.table({"a": ["x", "y"], "b": ["x", "y"], "c": ["y", "x"]})
    weights = {"a": 0.1, "b": 0.2, "c": 0.3}
    tied = [Constraint(column=n, op="==", value="y", weight=w) for n, w in weights.items()]
    answer = RepairEngine(Catalog.open(table)).repair(Query(constraints=tied), policy="closest")
    # 0.1 + 0.2 is more than 0.3 in binary, and as much as it.
    assert [one.column for one in answer.relaxed] == ["c"]


def test_what_is_hard_or_in_a_group_does_not_move():
    table = pa.table({"a": [3, 9], "b": [9, 1], "c": [5, 5]})
    engine = RepairEngine(Catalog.open(table))
    hard = Constraint(column="a", op="<=", value=4, hard=True)
    b, c = (Constraint(column=n, op="<=", value=4, group="both", weight=0.2) for n in "bc")
    answer = engine.repair(Query(constraints=[hard, b, c]), policy="closest")
    assert answer.relaxed == (b, c)
    assert answer.repairs[0].cost == 0.4


def test_a_moved_bound_reads_as_where_it_went():
    table = pa.table({"price": [549, 2_000], "new": [False, True]})
    wishes = [
        Constraint(column="price", op="<=", value=500),
        Constraint(column="new", op="==", value=True, weight=0.01),
    ]
    answer = RepairEngine(Catalog.open(table)).repair(Query(constraints=wishes), policy="closest")
    assert [str(one) for one in answer.relaxed] == ["price ≤ 500 → ≤ 549", "new = True"]
    assert (
        "Without new = True and with price ≤ 500 → ≤ 549 there is 1 match. "
        "Instead of dropping anything: price ≤ 500 → ≤ 2,000: 1 match."
    ) in answer.explanation
    first = answer.record()["relaxed"][0]
    assert first["from"] == {"column": "price", "op": "<=", "value": 500}
    assert first["to"] == {"column": "price", "op": "<=", "value": 549}
    assert [item.row["price"] for item in answer.items] == [549]
