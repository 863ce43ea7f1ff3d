"""Rows that there was no time to measure: their base slice is not read for them, either."""

from __future__ import annotations

import pyarrow as pa

from concede.catalogs.catalog import Catalog
from concede.catalogs.query.constraint import Constraint
from concede.catalogs.query.query import Query
from concede.engine.bound_query import bind
from concede.engine.ranking.unmeasured import UnmeasuredRows
from concede.solvers.limits import Budget
from concede.solvers.registry import get_solver


def test_a_slice_that_was_not_read_stays_unread() -> None:
    catalog = Catalog.open(pa.table({"price": range(1_000), "size": [1, 2] * 500}))
    wish = Constraint(column="size", op=">", value=5)
    base = Constraint(column="price", op="<", value=500)
    bound = bind(catalog, Query(base=(base,), constraints=(wish,)))
    histogram = get_solver("sql").histogram(bound.problem, Budget(None))
    other = bind(catalog, Query(base=(base,), constraints=(wish,)))
    rows = UnmeasuredRows(other, Budget(None), histogram)
    assert rows.movable == ()
    assert not other.problem.is_read
    assert "slice" not in vars(other.problem)
