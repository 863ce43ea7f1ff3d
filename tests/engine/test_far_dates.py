"""Days and moments outside the years 1 to 9999, and infinite ones: counts are those of the SQL."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import duckdb
import pytest

from concede import Answer, BadConstraint, Catalog, Constraint, Query, RepairEngine
from concede.catalogs.query.far_dates import day_text, far_moment
from concede.solvers.registry import solver_names

DAYS = ["0044-03-15 (BC)", "1066-10-14", "2024-05-05", "20000-01-01", "20000-01-02"]
MOMENTS = [
    *("0044-03-15 (BC) 10:30:00", "1066-10-14 09:00:00", "2024-05-05 12:00:00"),
    *("20000-01-01 00:00:00", "20000-01-01 00:00:00.5"),
]
BOUNDS = [*DAYS, *MOMENTS, "200000-12-31", "0001-01-01", "9999-12-31"]
ASKED = [
    *((op, bound) for op in ("==", "!=", "<", "<=", ">", ">=") for bound in BOUNDS),
    *(("between", [low, high]) for low in BOUNDS[::3] for high in BOUNDS[::4]),
    *((op, bounds) for op in ("in", "not in") for bounds in (BOUNDS, DAYS[:3])),
    *(("is null", None), ("is not null", None)),
]


@pytest.fixture(scope="module", params=["DATE", "TIMESTAMP"])
def catalog(request: pytest.FixtureRequest) -> Catalog:
    cells = DAYS if request.param == "DATE" else MOMENTS
    rows = ", ".join(f"('{cell}'::{request.param}, 'a')" for cell in cells)
    return Catalog.open(duckdb.sql(f"SELECT * FROM (VALUES {rows}, (NULL, 'b')) AS t (day, kind)"))


def condition(op: str, value: Any) -> str:
    """Return a constraint on the column as a person writes it for DuckDB."""
    values = value if isinstance(value, list) else [value] if value else []
    literals = [f"{'TIMESTAMP' if ':' in each else 'DATE'} '{each}'" for each in values]
    sign = {"==": "=", "!=": "<>"}.get(op, op)
    return f"day {sign} " + (
        f"({', '.join(literals)})" if op.endswith("in") else " AND ".join(literals)
    )


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize(("op", "value"), ASKED)
def test_counts(catalog: Catalog, warm: bool, op: str, value: Any) -> None:
    if warm:
        catalog.warm()
    query = Query(constraints=[Constraint(column="day", op=op, value=value)])
    count = len(catalog.query(f"SELECT * FROM catalog WHERE {condition(op, value)}"))
    names = ["bitset"] if warm or op == "between" else solver_names()
    for name in names:
        engine = RepairEngine(catalog, solver=name)
        assert engine.check(query).count == count
        assert engine.check(Query(base=query.constraints, constraints=[])).count == count
    answer = RepairEngine(catalog).repair(query, policy="closest")
    assert Answer.model_validate_json(answer.to_json()).count == answer.count
    for repair in (answer, *answer.repairs, *answer.shifts):
        assert repair.count == len(catalog.query(repair.sql)) > 0


def test_a_bound_moves_there(catalog: Catalog) -> None:
    query = Query(base=[Constraint(column="day", op=">", value="9999-12-31")],
                  constraints=[Constraint(column="day", op="<=", value="2024-01-01")])  # fmt: skip
    (shift,) = RepairEngine(catalog).repair(query).shifts
    (change,) = shift.changes
    assert change.to is not None
    assert str(change.to.value).startswith("20000-01-01")
    assert RepairEngine(catalog).check(Query(constraints=[change.to])).count >= shift.count > 0


@pytest.mark.parametrize("sql_type", ["DATE", "TIMESTAMP"])
def test_infinite_days_are_no_nulls(sql_type: str) -> None:
    cells = ", ".join(f"('{cell}'::{sql_type})" for cell in ("infinity", "-infinity", "2024-05-05"))
    catalog = Catalog.open(duckdb.sql(f"SELECT * FROM (VALUES {cells}, (NULL)) AS t (day)"))
    for warm in (False, True):
        if warm:
            catalog.warm()
        for op, count in (("is null", 1), ("is not null", 3)):
            asked = Query(constraints=[Constraint(column="day", op=op)])
            for name in solver_names():
                assert RepairEngine(catalog, solver=name).check(asked).count == count


def test_days_are_written_as_duckdb_writes_them() -> None:
    for days in (-5_000_000, -719_893, -719_529, -719_528, -719_162, 2_932_896, 2_932_897, 9**8):
        (row,) = duckdb.sql(f"SELECT CAST(DATE '1970-01-01' + {days} AS VARCHAR)").fetchall()
        assert row == (day_text(days),)
        far = far_moment(day_text(days))
        assert (far is None) == (-719_162 <= days <= 2_932_896)
        assert far is None or far.microseconds == days * 86_400_000_000


@pytest.mark.parametrize(
    "value",
    [
        *("20000-13-01", "20000-02-30", "20000-01-01 25:00:00", "0000-01-01 (BC) 1", "20000"),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=5))),
    ],
)
def test_what_there_is_not_is_refused(catalog: Catalog, value: Any) -> None:
    asked = Constraint(column="day", op="<=", value=value)
    with pytest.raises(BadConstraint, match="a date such as '2024-05-31'"):
        RepairEngine(catalog).check(Query(constraints=[asked]))
