"""Masks counted over Arrow batches equal those that DuckDB counts."""

from __future__ import annotations

from decimal import Decimal

import duckdb
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concede import CatalogError, Constraint, Query, QueryError
from concede.catalogs.partitions.reading import connected, read_as
from concede.catalogs.query.predicate import quoted
from concede.catalogs.query.schema import Column, Schema
from concede.catalogs.sources.loading import described
from concede.solvers.partials.arrow_masks import partial_of_batches
from concede.solvers.partials.by_file import bound_question
from concede.solvers.partials.counting import count_partition
from concede.solvers.partials.partial import Partial
from example_counts import examples
from parquet_parts import KEY, keyed
from random_problems import problems, table

MOMENTS = [None, 0, 1, 2, 10**15, -(10**15), 3, 4]
EDGES = pa.table(
    {
        KEY: pa.array(range(8), pa.int32()),
        "whole": pa.array([2**53, 2**53 + 1, -(2**63), 2**63 - 1, 0, None, 1, 7], pa.int64()),
        "unsigned": pa.array([2**64 - 1, 0, 1, 2**53, None, 5, 6, 7], pa.uint64()),
        "single": pa.array(
            [0.1, float("nan"), -0.0, 0.0, None, float("inf"), 3.4e38, 1], pa.float32()
        ),
        "money": pa.array(
            [Decimal("0.10"), None, Decimal(3), *[Decimal("9.99")] * 5], pa.decimal128(10, 2)
        ),
        "at": pa.array(MOMENTS, pa.timestamp("us", "America/New_York")),
        "plain": pa.array(MOMENTS, pa.timestamp("us")),
        "day": pa.array([0, -719162, 2932896, None, 1, 2, 3, 2**31 - 1], pa.date32()),
        "text": pa.array(["Z", "a", None, "", "\\", "a%", "é", "E"], pa.large_string()),
    }
)
ASKED = [
    ("whole", "==", 2**53 + 1), ("whole", ">", 2**53), ("whole", "in", (0, 2**63 - 1)),
    ("whole", ">=", 0.5), ("whole", "<", 10**30), ("unsigned", ">=", 2**64 - 1),
    ("unsigned", "!=", 0), ("single", "==", 0.1), ("single", "==", 0), ("single", ">=", 4.8),
    ("single", "not in", (0.0, 1.0)), ("money", "==", 0.1), ("money", "between", (0.1, 9.99)),
    ("at", ">=", "1970-01-01T00:00:00.000001"), ("plain", "<=", "1970-01-01"),
    ("day", ">=", "1970-01-02"), ("day", "==", "0001-01-01"), ("text", "<", "a"),
    ("text", "like", "a\\%"), ("text", "==", "\\"), ("text", "!=", "a"), ("text", "ilike", "e"),
]  # fmt: skip


def reading(connection: duckdb.DuckDBPyConnection, data: pa.Table) -> tuple[str, Schema]:
    """Rows as DuckDB reads them in place, and the columns."""
    connection.from_arrow(data).create("data")
    types = described(connection, "SELECT * FROM data")
    read = [f"{read_as(quoted(name), kind)} AS {quoted(name)}" for name, kind in types.items()]
    clause = f"(SELECT {', '.join(read)} FROM data)"
    kinds = described(connection, f"SELECT * FROM {clause}")
    return clause, Schema(tuple(Column(name, kind) for name, kind in kinds.items()))


def content(partial: Partial | None) -> object:
    """Everything a partial says."""
    if partial is None:
        return None
    arrays = (partial.masks, partial.counts, partial.first_keys)
    return [partial.width, *[each.tolist() for each in arrays], partial.ends, content(partial.base)]


def judged(data: pa.Table, query: Query, rows: int) -> Partial:
    with connected() as connection:
        clause, schema = reading(connection, data)
        question = bound_question(query, schema, KEY)
        ours = partial_of_batches(data.to_batches(max_chunksize=rows), question)
        assert content(ours) == content(count_partition(connection, clause, question))
    return ours


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(problems(), st.sampled_from([1, 7, 100]), st.sampled_from([0, 16]))
def test_random_queries(problem, rows, table_width):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("concede.solvers.partials.arrow_masks.TABLE_WIDTH", table_width)
        patch.setattr("concede.solvers.partials.arrow_masks.PENDING", 2)
        found = judged(keyed(table(problem.number)[1]), problem.query, rows)
        counts = dict(zip(found.masks.tolist(), found.counts.tolist(), strict=True))
        assert counts == problem.twin().masks()


@pytest.mark.parametrize("nulls", ["reject", "match"])
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_edges_of_types(asked, nulls):
    column, op, value = asked
    constraint = Constraint(column=column, op=op, value=value, nulls=nulls)
    judged(EDGES, Query(constraints=[constraint]), 3)
    judged(EDGES, Query(base=[constraint], constraints=[constraint]), 100)


def test_sixty_four_constraints():
    bounds = [Constraint(column="whole", op=">=", value=value) for value in range(64)]
    found = judged(EDGES, Query(constraints=bounds), 100)
    assert 2**64 - 1 in found.masks.tolist()


def test_no_rows_and_no_keys():
    query = Query(constraints=[Constraint(column="whole", op=">=", value=1)])
    assert judged(EDGES.slice(0, 0), query, 3).rows == 0
    lacking = EDGES.set_column(0, KEY, pa.nulls(8, pa.int32()))
    question = bound_question(
        query, Schema((Column(KEY, "INTEGER"), Column("whole", "BIGINT"))), KEY
    )
    with pytest.raises(CatalogError, match="'id' is NULL"):
        partial_of_batches(lacking.to_batches(), question)


def test_what_cannot_be_evaluated():
    query = Query(constraints=[Constraint(op="sql", value="CAST(text AS INTEGER) > 1")])
    schema = Schema((Column(KEY, "INTEGER"), Column("text", "VARCHAR")))
    with pytest.raises(QueryError, match="cannot evaluate"):
        partial_of_batches(EDGES.to_batches(), bound_question(query, schema, KEY))
