"""The one statement of the `sql` solver, and its deadline."""

from __future__ import annotations

import pyarrow as pa
import pytest

from concede.catalogs.catalog import Catalog
from concede.catalogs.deadline import DeadlinePassed
from concede.catalogs.interrupts import interrupted_at
from concede.catalogs.query.constraint import Constraint
from concede.solvers.limits import Budget, Verdict
from concede.solvers.problem import bind_problem
from concede.solvers.sql import SqlSolver, histogram_statement

# Half a minute of work, so that the tests fail rather than hang where nothing interrupts it.
LONG = "SELECT count(*) FROM range(1000000) a, range(5000) b WHERE a.range + b.range = -1"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.open(pa.table({"rent": [500, 700, 900], "name": ["a", "b'; DROP", 'c"']}))


def test_one_statement_with_every_value_bound(catalog: Catalog):
    asked = [
        Constraint(column="name", op="==", value="b'; DROP"),
        Constraint(op="sql", value="rent < 800"),
    ]
    problem = bind_problem(catalog, [Constraint(column="rent", op=">", value=600)], asked)
    statement, values = histogram_statement(problem)
    assert "DROP" not in statement
    assert values == ["b'; DROP", 800, 600]
    assert statement.count("?") == 3


def test_a_statement_is_interrupted_at_the_deadline(catalog: Catalog):
    cursor = catalog.cursor()
    with pytest.raises(DeadlinePassed), interrupted_at(cursor, Budget(deadline=0.2)):
        cursor.execute(LONG).fetchall()
    assert cursor.execute("SELECT 1").fetchall() == [(1,)]


def test_an_interrupt_before_the_statement_is_not_lost(catalog: Catalog):
    cursor, budget = catalog.cursor(), Budget(deadline=0.01)

    def begin_late() -> None:
        while not budget.expired:
            pass
        cursor.execute(LONG).fetchall()

    with pytest.raises(DeadlinePassed), interrupted_at(cursor, budget):
        begin_late()


def test_past_the_deadline_no_statement_begins(catalog: Catalog):
    problem = bind_problem(catalog, [], [Constraint(column="rent", op=">", value=600)])
    histogram = SqlSolver().histogram(problem, Budget(deadline=0.0))
    assert histogram.verdict is Verdict.UNKNOWN
    assert histogram.stopped_by == "deadline"


def test_without_a_deadline_no_thread_watches(catalog: Catalog):
    with interrupted_at(catalog.cursor(), Budget(deadline=None)):
        assert catalog.cursor().execute("SELECT 1").fetchall() == [(1,)]
