"""Every repair an answer lists is executed in DuckDB and counted."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Answer, Catalog, Constraint, Query, RepairEngine, Status, parse_where
from example_counts import examples
from shops import met, shop, wish

SHOPS = {(seed, size): shop(seed, size) for seed in range(3) for size in (0, 3, 40)}


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
    query = Query(
        constraints=[
            Constraint(column="price", op="<", value=15, weight=0.2),
            Constraint(column="name", op="==", value="B", weight=0.8),
        ]
    )
    answer = engine.repair(query)
    assert [constraint.record() for constraint in answer.relaxed] == [query.constraints[0].record()]
    assert duckdb.sql(answer.sql).fetchall() == [("B", 20)]
    for repair in (*answer.repairs, *answer.shifts):
        assert len(duckdb.sql(repair.sql).fetchall()) == repair.count


@pytest.mark.parametrize(
    "constraints",
    [
        parse_where("price > 50 AND (price > 15 OR name = 'A') ; "),
        [
            Constraint(column="price", op=">", value=50, weight=0.2),
            Constraint(op="sql", value="price > 15 OR name = 'A';"),
        ],
    ],
)
def test_a_semicolon_at_the_end_of_a_condition_is_left_out(tmp_path, constraints):
    path = tmp_path / "shop.csv"
    path.write_text("name,price\nA,10\nB,20\nC,\n")
    answer = RepairEngine(Catalog.open(path)).repair(Query(constraints=constraints))
    assert answer.count == len(duckdb.sql(answer.sql).fetchall()) == 2
    assert ";" not in answer.explanation


CELLS = {
    "DOUBLE": (-1e300, 0.1, 0.30000000000000004, 2.5e-9),
    "FLOAT": (0.1, 0.2, 16777217, -3e38),
    "BIGINT": (2**60, 2**60 + 1, 2**60 + 2, -(2**62)),
    "HUGEINT": (2**100, 2**100 + 1, 2**53 + 1, 7),
    "DECIMAL(38,2)": ("12.34", "12.35", "0.10", "-7"),
    "DATE": ("2020-01-01", "1850-05-05", "9999-12-31", "2020-01-02"),
    "TIMESTAMP": ("2020-01-01 00:00:00.000001", "2020-01-01", "1850-01-01", "2262-04-12"),
}


@pytest.mark.parametrize("sql_type", CELLS)
@settings(max_examples=examples(15))
@given(st.data())
def test_bounds_of_any_type_move_to_what_their_sql_says(sql_type: str, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.sampled_from(CELLS[sql_type]), min_size=1, max_size=6))
    kinds = data.draw(st.lists(st.sampled_from("ab"), min_size=len(cells), max_size=len(cells)))
    rows = ", ".join(f"('{one}', '{kind}')" for one, kind in zip(cells, kinds, strict=True))
    catalog = Catalog.open(
        duckdb.sql(f"SELECT x::{sql_type} AS x, kind FROM (VALUES {rows}) AS t (x, kind)")
    )
    given = st.sampled_from(CELLS[sql_type])
    op = data.draw(st.sampled_from(["<", "<=", ">", ">=", "==", "between"]))
    value = data.draw(st.tuples(given, given) if op == "between" else given)
    query = Query(
        constraints=[
            Constraint(column="x", op=op, value=value, nulls=data.draw(NULLS)),
            Constraint(column="kind", op="==", value=data.draw(st.sampled_from("ab"))),
        ]
    )
    answer = RepairEngine(catalog).repair(query)
    for repair in (*answer.repairs, *answer.shifts):
        assert repair.count == len(catalog.query(repair.sql)) > 0


@pytest.mark.parametrize(
    ("sql_type", "cell", "ends"),
    [
        ("BIGINT", 2**60 + 1, (2**60 + 2, 2**60)),
        ("DECIMAL(38,2)", "9007199254740993.01", ("9007199254740993.02", "9007199254740993.00")),
        (
            "TIMESTAMP",
            "9999-12-31 00:00:00.000001",
            ("9999-12-31 00:00:00.000002", "9999-12-31 00:00:00"),
        ),
    ],
)
def test_no_bound_moves_whose_ends_stand_the_wrong_way_round(
    sql_type: str, cell: object, ends: tuple[object, object]
) -> None:
    catalog = Catalog.open(duckdb.sql(f"SELECT '{cell}'::{sql_type} AS x, 'a' AS kind"))
    wishes = [
        Constraint.model_validate({"column": "x", "op": "between", "value": ends}),
        Constraint(column="kind", op="==", value="a"),
    ]
    answer = RepairEngine(catalog).repair(Query(constraints=wishes))
    assert answer.shifts == ()
    for repair in answer.repairs:
        assert repair.count == len(catalog.query(repair.sql)) > 0


NULLS = st.sampled_from(["reject", "match"])
