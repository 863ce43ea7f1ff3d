"""Rows that tie, or nearly do, come from their database in the order of the file."""

from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.query import Query
from concede.engine.ranking import remote_ranking
from concede.engine.ranking.remote_candidates import Level, are_all
from concede.engine.repair_engine import RepairEngine
from example_counts import examples
from remote_answers import same_keys

STEP = 2.0**-36
"""Less than the 1e-9 within which rows are looked at here, on a scale of 1."""

BACKEND = ibis.duckdb.connect()
PRICES = (0.0, 0.25, 0.5, 0.5 + STEP, 0.5 + 2 * STEP, 0.75, 1.0, None)

rows = st.lists(
    st.tuples(st.sampled_from(PRICES), st.sampled_from(PRICES), st.sampled_from("abc")),
    min_size=1,
    max_size=60,
)
WEIGHTS = (0.1, 0.2, 0.3, 0.3 + 1e-10)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Bounds that few rows or none meet, and texts; some weights are nearly equal."""
    bounds = [
        {"column": column, "op": op, "value": draw(st.sampled_from((0.1, 0.5, 0.9)))}
        for column, op in draw(
            st.lists(
                st.tuples(st.sampled_from(("x", "y")), st.sampled_from(("<=", ">="))),
                min_size=1,
                max_size=3,
            )
        )
    ]
    texts = [
        {"column": "kind", "op": "==", "value": value}
        for value in draw(st.lists(st.sampled_from("abd"), max_size=2))
    ]
    constraints = [each | {"weight": draw(st.sampled_from(WEIGHTS))} for each in (*bounds, *texts)]
    return Query.model_validate({"constraints": constraints})


def table_of(listed: Any) -> pa.Table:
    """Return the rows as a table of Arrow, numbered."""
    x, y, kind = zip(*listed, strict=True)
    cells = {"x": pa.array(x, pa.float64()), "y": pa.array(y, pa.float64()), "kind": kind}
    return pa.table({"id": range(len(listed)), **cells})


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(
    rows,
    queries(),
    st.integers(1, 5),
    st.sampled_from(("least-weight", "closest")),
    st.sampled_from((0, 20)),
)
def test_ties_come_in_the_order_of_the_file(
    listed: Any, query: Query, top: int, policy: str, compared: int
) -> None:
    """Where few rows more than those asked for are brought at first, and none without looking."""
    table = table_of(listed)
    numbers = remote_ranking.FEW, remote_ranking.MORE, remote_ranking.COMPARED
    remote_ranking.FEW, remote_ranking.MORE, remote_ranking.COMPARED = 0, 1, compared
    try:
        with Catalog.open(table, cost_column="y") as file:
            expected = RepairEngine(file).repair(query, top=top, policy=policy)
        BACKEND.con.register("given_rows", table)
        BACKEND.con.execute("CREATE OR REPLACE TABLE kept AS FROM given_rows ORDER BY hash(id)")
        with Catalog.open(BACKEND.table("kept"), key="id", cost_column="y") as remote:
            answer = RepairEngine(remote).repair(query, top=top, policy=policy)
    finally:
        remote_ranking.FEW, remote_ranking.MORE, remote_ranking.COMPARED = numbers
    assert same_keys(answer) == same_keys(expected)


def test_weights_that_add_up_to_nearly_the_same_are_looked_at_again() -> None:
    """Sums of weights are told apart where they are more than 1e-9 apart."""
    assert Level("e0", (), (0.1, 0.2, 0.7)).is_exact
    assert not Level("e0", (), (0.1, 0.2, 0.3 + 1e-10)).is_exact
    assert not Level("e0", (), None).is_exact
    assert not Level("e0", (), (0.5,) * 11).is_exact


def test_rows_behind_the_last_are_no_candidates() -> None:
    """The row after twice as many has to be behind, where levels do not tell rows apart."""
    exact, other = Level("e0", (), (0.1, 0.5)), Level("e1", ())
    near = np.array([0.0, 0.1, 0.1 + 1e-10])
    assert are_all([np.array([0.0, 0.1])], [other], 2, 3)
    assert are_all([np.array([0.0, 0.1, 0.2])], [other], 2, 3)
    assert not are_all([near], [other], 2, 3)
    tied = np.array([0.1, 0.1, 0.1])
    assert are_all([tied], [exact], 2, 3)
    assert are_all([tied, np.array([0.0, 0.1, 0.2])], [exact, other], 2, 3)
    assert not are_all([tied, near], [exact, other], 2, 3)
    assert not are_all([tied, np.array([0.0, 0.1, 0.2])], [other, other], 2, 3)
