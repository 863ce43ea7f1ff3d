"""Every repair an answer lists is executed in DuckDB and counted."""

from __future__ import annotations

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Answer, Catalog, RepairEngine, Status
from shops import met, shop, wish

SHOPS = {(seed, size): shop(seed, size) for seed in range(3) for size in (0, 3, 40)}


@settings(max_examples=150)
@given(
    st.sampled_from(sorted(SHOPS)),
    st.integers(0, 10**6),
    st.integers(0, 6),
    st.sampled_from(["single", "cumulative", "fewest", "least-weight", "priority"]),
    st.booleans(),
)
def test_counts_witnesses_and_sql_agree(key, seed, count, policy, grouped):
    store = SHOPS[key]
    query = wish(seed, count, hard=0.2, grouped=grouped)
    answer = RepairEngine(store.catalog).repair(query, policy=policy, top=4)
    assert answer.count == len(store.catalog.query(answer.sql))
    for repair in (*answer.repairs, *answer.shifts):
        found = store.catalog.query(repair.sql)
        assert repair.count == len(found) > 0
        assert repair.witness in found
    check_answer(answer, query, store)


def check_answer(answer: Answer, query, store) -> None:
    """Check an answer's parts against the rows as plain Python."""
    positions = range(len(query.constraints))
    asked = [r for r in store.rows if all(met(r, c) for c in query.base)]
    satisfied = [{i for i in positions if met(r, query.constraints[i])} for r in asked]
    hard = query.hard_positions
    assert (answer.status is Status.SAT_NO_RELAXATION) == (set(positions) in satisfied)
    assert len(answer.relaxed) + len(answer.kept) == len(query.constraints)
    for repair in (*answer.repairs, *answer.shifts):
        assert not hard.intersection(change.position for change in repair.changes)
    for one, counted in enumerate(answer.drop_one_counts):
        assert counted == sum(set(positions) - {one} <= held for held in satisfied)


def test_sql_of_a_file_runs_on_any_connection(tmp_path):
    path = tmp_path / "it's a [shop]*.csv"
    path.write_text("name,price\nA,10\nB,20\nC,\n")
    engine = RepairEngine(Catalog.open(path))
    from concede import Constraint, Query

    query = Query(
        constraints=[
            Constraint(column="price", op="<", value=15, weight=0.2),
            Constraint(column="name", op="==", value="B", weight=0.8),
        ]
    )
    answer = engine.repair(query)
    assert [one.record() for one in answer.relaxed] == [query.constraints[0].record()]
    assert duckdb.sql(answer.sql).fetchall() == [("B", 20)]
    for repair in (*answer.repairs, *answer.shifts):
        assert len(duckdb.sql(repair.sql).fetchall()) == repair.count
