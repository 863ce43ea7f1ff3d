"""An answer is at most 20 times as long as its question, beside the rows that are asked for."""

import json

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede import Answer, Catalog, Query, RepairEngine

ROWS = 40
FLOOR = 64 * 2**10
"""Bytes that any answer may take: both allowances of `engine.answer_size`."""

A_CHANGE, A_REPAIR, A_CONSTRAINT = 1_000, 1_500, 400
"""Bytes of a change, of a repair beside its row, and of what a row is said to meet or miss."""

TABLE = f"""
SELECT i AS a, i % 7 AS b, (i * 13) % 11 AS c, 'name ' || i AS name
FROM range({ROWS}) AS r(i)
"""


@pytest.fixture(scope="module")
def database():
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE items AS {TABLE}")
        yield connection


@pytest.fixture(scope="module")
def engine(database):
    return RepairEngine(Catalog.open(database.table("items")), threads=1)


COLUMNS = st.sampled_from("abc")
LISTS = st.builds(
    lambda column, op, first, length: {
        "column": column, "op": op, "value": list(range(first, first + length)),
    },
    COLUMNS, st.sampled_from(["in", "not in"]), st.integers(0, 50), st.sampled_from([1, 30, 1500]),
)  # fmt: skip
TEXTS = st.builds(
    lambda op, text, length: {"column": "name", "op": op, "value": text * length},
    st.sampled_from(["==", "!=", "like", "contains"]),
    st.sampled_from(["x", "%", "'", '"', "é"]),
    st.sampled_from([1, 150, 1000]),
)
EXPRESSIONS = st.builds(
    lambda column, terms, bound: {"op": "sql", "value": f"{'+'.join([column] * terms)}+b<{bound}"},
    COLUMNS, st.sampled_from([1, 90]), st.integers(-5, 900),
)  # fmt: skip
BOUNDS = st.builds(
    lambda column, op, bound, group: {
        "column": column, "op": op, "value": bound, **({"group": group} if group else {}),
    },
    COLUMNS, st.sampled_from(["<=", ">=", "=="]), st.sampled_from([-1, 3, 8, 1e15, 1e300]),
    st.sampled_from([None, None, "g" * 200]),
)  # fmt: skip
CONSTRAINTS = st.one_of(LISTS, TEXTS, EXPRESSIONS, BOUNDS)


@st.composite
def hostile(draw):
    """A query of up to 64 constraints, each repeated with another weight, and how much to list."""
    some = draw(st.lists(CONSTRAINTS, min_size=1, max_size=6))
    repeated = draw(st.sampled_from([1, 3, 10]))
    many = [part | {"weight": n / 100} for n in range(repeated) for part in some]
    lists = [part for part in many if isinstance(part.get("value"), list)]
    # Together no more values than a query may hold.
    kept = [part for part in many if part not in lists[8:]][:64]
    base = draw(st.lists(st.one_of(LISTS, TEXTS), max_size=1))
    return {"base": base, "constraints": kept}, draw(st.sampled_from([1, 5, 100]))


def written(part):
    return len(json.dumps(part, ensure_ascii=False).encode())


def allowed(question, record):
    """Return how many bytes an answer may take."""
    changed = [*record["repairs"], *record["shifts"]]
    shown = [*record["items"], *record["near_misses"]]
    rows = [*(part["row"] for part in shown), *(part["witness"] for part in changed)]
    changes = sum(len(part["changes"]) for part in changed)
    positions = [record["conflicts"], [part["must_hit"] for part in changed]]
    listed = written(rows) + written(positions) + A_CHANGE * changes + A_REPAIR * len(changed)
    listed += A_CONSTRAINT * (len(record["constraints"]) + 1) * len(shown)
    return 20 * written(question) + FLOOR + listed


@settings(deadline=None, max_examples=10)
@given(asked=hostile())
def test_an_answer_is_bounded_by_its_question(engine, database, asked):
    question, top = asked
    answer = engine.repair(Query.model_validate(question), top=top)
    record = answer.record()
    assert len(answer.to_json().encode()) <= allowed(question, record)
    # What was left out is found by its position, and the SQL runs.
    again = Answer.model_validate_json(answer.to_json())
    assert again.repairs == answer.repairs
    assert again.near_misses == answer.near_misses
    for statement in answer.definitions:
        database.execute(statement)
    for repair in (*answer.repairs[:3], *answer.shifts[:3]):
        sql = repair.sql.replace('FROM "catalog"', "FROM items")
        assert len(database.execute(sql).fetchall()) == repair.count


@settings(deadline=None, max_examples=8)
@given(asked=hostile())
def test_a_diagnosis_is_bounded_by_its_question(engine, asked):
    question, _ = asked
    record = engine.diagnose(Query.model_validate(question), limit=100).record()
    sets = ("conflicts", "repairs", "maximal", "repair_counts", "single_counts", "drop_one_counts")
    listed = sum(written(record[name]) for name in sets)
    assert written(record) <= 20 * written(question) + listed + 4_096


def test_long_conditions_stand_once_and_short_ones_as_ever(engine):
    ids = {"column": "a", "op": "in", "value": list(range(100, 3_000))}
    short = [{"column": "b", "op": "==", "value": 99}, {"column": "c", "op": "<=", "value": -1}]
    answer = engine.repair(Query(constraints=[ids, *short]), top=50)
    assert answer.definitions[0].startswith("CREATE OR REPLACE TEMP MACRO concede_constraint_0(")
    changes = [change for repair in answer.record()["repairs"] for change in repair["changes"]]
    assert {change["from"] is None for change in changes if change["position"] == 0} == {True}
    assert all(change["from"] for change in changes if change["position"] != 0)
    assert answer.repairs[0].changes[0].from_ == answer.constraints[0]
    assert "(2,900 values)" in answer.explanation
    plain = engine.repair(Query(constraints=short), top=50)
    assert plain.definitions == ()
    assert all(change.from_ for repair in plain.repairs for change in repair.changes)
