"""An OR that DuckDB answers without its second side is answered here, NULLs matching or not."""

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede import Catalog, Constraint, Query, RepairEngine

GUARDED = ["i >= 0 OR i % 0 = 1", "i >= 0 OR 1 % i = 1", "(i >= 1 OR (i < 0 AND 1 % i = 5))"]
ROWS = "SELECT * FROM (VALUES (0, 'a'), (1, 'b'), (2, NULL), (NULL, 'd')) AS t(i, s)"


@pytest.fixture(scope="module")
def rows():
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS {ROWS}")
        yield connection


@pytest.fixture(scope="module")
def catalog(rows):
    return Catalog.open(rows.table("t"))


@pytest.mark.parametrize("solver", ["bitset", "sql", "brute"])
@pytest.mark.parametrize("nulls", ["reject", "match"])
@pytest.mark.parametrize("text", GUARDED)
def test_what_duckdb_answers_is_answered(catalog, rows, text, nulls, solver):
    guarded = Constraint(op="sql", value=text, nulls=nulls)
    nothing = Constraint(column="s", op="==", value="z")
    answer = RepairEngine(catalog, solver=solver).repair(Query(constraints=[guarded, nothing]))
    unknown = " OR i IS NULL" if nulls == "match" else ""
    expected = rows.execute(f"SELECT count(*) FROM t WHERE ({text}){unknown}").fetchall()[0][0]
    assert answer.count == expected
    # So is the SQL that people are given.
    assert len(catalog.query(answer.sql)) == expected


LEAVES = st.sampled_from(
    ["i > 0", "i = 1", "s = 'a'", "s IS NULL", "i IN (0, 2)", "NULL", "TRUE", "NOT s = 'b'"]
)
TREES = st.recursive(
    LEAVES,
    lambda parts: st.one_of(
        st.builds("{} AND {}".format, parts, parts),
        st.builds("{} OR {}".format, parts, parts),
        st.builds("({})".format, parts),
        st.builds("NOT ({})".format, parts),
    ),
    max_leaves=8,
)


# A bare NULL has no type, and is refused as no condition.
@given(text=TREES.filter(lambda text: text.strip("()") != "NULL"))
def test_nulls_match_means_true_or_null(catalog, rows, text):
    predicate = catalog.bind(Constraint(op="sql", value=text, nulls="match"))
    expected = rows.execute(f"SELECT count(*) FROM t WHERE coalesce({text}, TRUE)").fetchall()
    assert catalog.count([predicate]) == len(catalog.rows(predicate)) == expected[0][0]
    written = rows.execute(f"SELECT count(*) FROM t WHERE {predicate.text}").fetchall()
    assert written == expected


def test_a_long_chain_is_not_nested(catalog):
    text = " OR ".join(f"i = {n} AND i < 5" for n in range(400))
    predicate = catalog.bind(Constraint(op="sql", value=text, nulls="match"))
    assert catalog.count([predicate]) == 4


def test_what_is_no_condition_is_refused_where_nulls_match(catalog):
    with pytest.raises(Exception, match="not yes or no"):
        catalog.bind(Constraint(op="sql", value="i + 1", nulls="match"))
