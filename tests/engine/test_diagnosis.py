"""Diagnoses with hard constraints and groups, against brute force over plain rows."""

from __future__ import annotations

import json
from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query, QueryError, RepairEngine, Verdict
from shops import met, shop, wish

SHOPS = {size: shop(9, size) for size in (0, 2, 30)}


@given(
    st.sampled_from(sorted(SHOPS)),
    st.integers(0, 10**6),
    st.integers(0, 6),
    st.sampled_from(["bitset", "sql", "z3", "brute"]),
    st.booleans(),
)
def test_conflicts_repairs_and_counts_equal_brute_force(size, seed, count, solver, grouped):
    store, query = SHOPS[size], wish(seed, count, hard=0.25, grouped=grouped)
    found = RepairEngine(store.catalog, solver=solver).diagnose(query)
    base = [row for row in store.rows if all(met(row, constraint) for constraint in query.base)]
    held = [{i for i, one in enumerate(query.constraints) if met(row, one)} for row in base]
    every = frozenset(range(count))
    subsets = [frozenset(c) for n in range(count + 1) for c in combinations(range(count), n)]

    def rows(kept):
        return sum(kept <= entry for entry in held)

    conflicts = {s for s in subsets if not rows(s) and all(rows(s - {i}) for i in s)}
    soft = [unit for unit in query.groups if not query.hard_positions.intersection(unit)]
    droppable = [
        frozenset(i for unit in chosen for i in unit)
        for n in range(len(soft) + 1)
        for chosen in combinations(soft, n)
    ]
    enough = [entry for entry in droppable if rows(every - entry)]
    repairs = {entry for entry in enough if not any(other < entry for other in enough)}
    assert found.complete
    assert set(found.conflicts) == conflicts
    assert set(found.repairs) == repairs
    assert set(found.maximal) == {every - repair for repair in repairs}
    assert all(found.count(subset) == rows(subset) for subset in subsets)
    assert found.drop_one_counts == tuple(rows(every - {i}) for i in range(count))
    assert (found.verdict is Verdict.SAT) == bool(rows(every))


def test_base_constraints_that_conflict_are_named():
    catalog = Catalog.open(pa.table({"a": [1, 2], "b": [2, 1], "c": [1, 1]}))
    query = Query(base={"a": 1, "c": 1, "b": 1}, constraints=[Constraint(column="a", op="is null")])
    for solver in ("bitset", "sql", "z3", "brute"):
        found = RepairEngine(catalog, solver=solver).diagnose(query)
        assert found.base_rows == 0
        assert found.base_conflicts == (frozenset({0, 2}),)
        assert (found.conflicts, found.repairs) == ((frozenset(),), ())
        assert "both a = 1 and b = 1" in found.explanation


def test_a_wide_base_is_diagnosed_even_by_the_narrow_solver():
    catalog = Catalog.open(pa.table({"a": [1]}))
    base = [Constraint(column="a", op="!=", value=i + 2) for i in range(20)]
    base.append(Constraint(column="a", op="==", value=9))
    found = RepairEngine(catalog, solver="brute").diagnose(Query(base=base))
    assert found.base_conflicts == (frozenset({20}),)


def test_limits_make_a_diagnosis_incomplete_and_never_wrong():
    numbers = pa.table({f"c{i}": [int(i != row) for row in range(12)] for i in range(12)})
    query = Query(constraints=[Constraint(column=f"c{i}", op="==", value=1) for i in range(12)])
    engine = RepairEngine(Catalog.open(numbers))
    whole = engine.diagnose(query)
    part = engine.diagnose(query, limit=5)
    assert whole.complete
    assert len(whole.repairs) == 12
    assert (part.complete, part.stopped_by, part.verdict) == (False, "limit", Verdict.UNSAT)
    assert set(part.repairs) < set(whole.repairs)


def test_too_many_constraints_for_a_solver():
    engine = RepairEngine(Catalog.open(pa.table({"a": [1]})))
    query = Query(constraints=[Constraint(column="a", op="==", value=i) for i in range(13)])
    with pytest.raises(QueryError, match="at most 12"):
        engine.diagnose(query, solver="brute")
    assert len(engine.diagnose(query).repairs) == 1


def test_a_diagnosis_is_json():
    engine = RepairEngine(Catalog.open(pa.table({"a": [1, 2]})))
    query = Query(constraints=[Constraint(column="a", op=">", value=i) for i in (0, 1, 2)])
    record = json.loads(engine.diagnose(query).to_json())
    assert record["conflicts"] == [[2]]
    assert (record["repairs"], record["repair_counts"]) == ([[2]], [1])
    assert record["single_counts"] == [2, 1, 0]
    assert record["verdict"] == "UNSAT"
