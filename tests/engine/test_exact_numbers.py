"""Numbers that a double cannot hold, NaN, and weights that tie: every count is what SQL counts."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from concede import Answer, Catalog, Constraint, Query, RepairEngine
from concede.catalogs.query.where_clause import parse_where
from concede.solvers.registry import solver_names

LARGEST = 2**127 - 1
UNSIGNED = [0, 1, LARGEST, LARGEST + 1, 2**128 - 1]
NEAR_ZERO = "0.0" + "4" * 36
LONG = "1234567890123456789012345678.0000000001"


def catalog_of(sql_type: str, *cells: object) -> Catalog:
    """Return a catalog of one column `x`, and `kind`, which is `a` in every row."""
    rows = ", ".join(f"('{cell}'::{sql_type}, 'a')" for cell in cells)
    return Catalog.open(duckdb.sql(f"SELECT * FROM (VALUES {rows}) AS t (x, kind)"))


def asked(op: str, value: Any) -> Query:
    return Query(constraints=[Constraint(column="x", op=op, value=value)])


def check_sql(answer: Answer, catalog: Catalog) -> None:
    for repair in (*answer.repairs, *answer.shifts):
        found = catalog.query(repair.sql)
        assert repair.count == len(found) > 0
        assert repair.witness in found


@pytest.mark.parametrize("solver", solver_names())
@pytest.mark.parametrize(
    ("sql_type", "cells", "op", "value", "count"),
    [
        ("DECIMAL(18,2)", ["1234567890123456.78", "1234567890123456.79"], "<=", "9", 0),
        (
            "DECIMAL(18,2)",
            ["1234567890123456.78", "1234567890123456.79"],
            "==",
            Decimal("1234567890123456.79"),
            1,
        ),
        ("DECIMAL(18,2)", ["1234567890123456.78"], ">", "1234567890123456.775", 1),
        ("DECIMAL(38,10)", [LONG, "2"], "==", LONG, 1),
        ("DECIMAL(38,10)", [LONG, "2"], "<", 1e300, 2),
        ("DECIMAL(38,0)", [10**37, 10**37 + 1], "<=", Decimal(10**37) + Decimal("0.5"), 1),
        ("DECIMAL(38,0)", [10**37, 0], "in", [0.5, 10**37], 1),
        ("DECIMAL(38,0)", [10**37, 0], "not in", [0.5, 10**37], 1),
        ("DECIMAL(38,0)", [10**37, 0], "==", 0.5, 0),
        ("DECIMAL(38,38)", ["0.1", "-0.5"], "between", [-5, 5], 2),
        ("DECIMAL(38,38)", ["0.1", "-0.5"], "between", [2, 5], 0),
        # The client takes a decimal below 0.1 with 38 decimals for a double.
        *(
            ("DECIMAL(38,38)", [f"{NEAR_ZERO}{digit}" for digit in "123"], *asks)
            for asks in [
                *(("==", NEAR_ZERO + "2", 1), ("<", NEAR_ZERO + "2", 1)),
                *((">=", NEAR_ZERO + "2", 2), ("!=", NEAR_ZERO + "2", 2)),
                ("between", [NEAR_ZERO + "2", NEAR_ZERO + "2"], 1),
                ("in", [NEAR_ZERO + "2", "0.5"], 1),
            ]
        ),
        ("DECIMAL(4,4)", ["0.0100", "0.0200"], "<", f"0.01{'0' * 35}1", 1),
        ("DECIMAL(4,4)", ["0.0100", "0.0200"], "<=", f"0.00{'9' * 36}", 0),
        ("DECIMAL(4,4)", ["0.0100", "0.0200"], "<=", f"0.01{'0' * 36}", 1),
        ("BIGINT", [2**53, 2**53 + 1], "<=", 2**53, 1),
        ("BIGINT", [2**63 - 1], "<", 1e-20, 0),
        ("UBIGINT", [2**64 - 1, 2**64 - 2], ">", 2**64 - 2, 1),
        ("HUGEINT", [2**100, 2**100 + 1, LARGEST], ">", 2**100, 2),
        ("HUGEINT", [LARGEST, 7], "<", 1e300, 2),
        ("HUGEINT", [LARGEST, 7], "==", 1e300, 0),
        ("HUGEINT", [LARGEST, 7], "<=", 7.5, 1),
        ("HUGEINT", [-(2**127), 7], "<=", -5, 1),
        ("DECIMAL(4,1)", ["0.1", "0.3"], "==", 0.1 + 0.2, 0),
        *(
            ("UHUGEINT", UNSIGNED, *asks)
            for asks in [
                *(("<=", 5, 2), ("<=", LARGEST, 3), ("<", LARGEST + 1, 3), ("<", 0.5, 1)),
                *((">", LARGEST, 2), (">=", 2**128 - 1, 1), (">=", -1, 5), ("<=", -1, 0)),
                *(("==", LARGEST, 1), ("!=", LARGEST, 4), ("==", -2.5, 0), (">", 1e300, 0)),
                *(("between", [1, LARGEST], 2), ("between", [2, 5], 0)),
                *(("in", [5, LARGEST + 1], 1), ("not in", [5, LARGEST + 1], 4)),
                ("in", [*range(20), 2**128 - 1], 3),
            ]
        ),
    ],
)
def test_counts_are_exact(
    solver: str, sql_type: str, cells: list[object], op: str, value: Any, count: int
) -> None:
    catalog = catalog_of(sql_type, *cells)
    answer = RepairEngine(catalog, solver=solver).repair(asked(op, value))
    assert answer.count == (count or len(cells))
    assert answer.drop_one_counts == (len(cells),)
    assert bool(answer.relaxed) == (not count)
    assert len(catalog.query(answer.sql)) == answer.count
    check_sql(answer, catalog)


@pytest.mark.parametrize(
    ("sql_type", "cell"),
    [
        ("DECIMAL(18,2)", "1234567890123456.78"),
        ("DECIMAL(38,10)", LONG),
        ("DECIMAL(38,38)", "0." + "3" * 38),
        ("DECIMAL(38,38)", NEAR_ZERO + "2"),
        ("HUGEINT", str(LARGEST)),
        ("HUGEINT", str(-(2**127))),
        ("UHUGEINT", str(2**128 - 1)),
        ("BIGINT", str(2**53 + 1)),
    ],
)
@pytest.mark.parametrize("op", ["inequality", "==", "between"])
def test_a_bound_moves_to_the_last_digit(sql_type: str, cell: str, op: str) -> None:
    catalog = catalog_of(sql_type, cell, cell)
    if op == "inequality":
        op = ">=" if cell.startswith("-") else "<="
    value = [-1, 0] if op == "between" else 0
    answer = RepairEngine(catalog).repair(asked(op, value))
    (shift,) = answer.shifts
    assert shift.count == 2
    check_sql(answer, catalog)
    (change,) = shift.changes
    assert change.to is not None
    assert RepairEngine(catalog).check(Query(constraints=[change.to])).count == 2
    # As JSON says it, too.
    again = Constraint.model_validate(json.loads(answer.to_json())["shifts"][0]["changes"][0]["to"])
    assert RepairEngine(catalog).check(Query(constraints=[again])).count == 2


def test_unsigned_numbers_in_an_expression():
    catalog = catalog_of("UHUGEINT", *UNSIGNED)
    expression = Constraint(op="sql", value="x <= 5 OR x + 1 = 3")
    answer = RepairEngine(catalog).repair(Query(constraints=[expression]))
    assert answer.count == len(catalog.query(answer.sql)) == 2


def test_a_row_holds_a_decimal_where_no_double_stands_for_it():
    catalog = catalog_of("DECIMAL(18,2)", "1234567890123456.78", "0.10", "5.00")
    assert [row["x"] for row in catalog.fetch([0, 1, 2])] == [
        Decimal("1234567890123456.78"),
        0.1,
        5,
    ]
    answer = RepairEngine(catalog).repair(Query(constraints=[]))
    rows = [item["row"]["x"] for item in json.loads(answer.to_json())["items"]]
    assert rows == ["1234567890123456.78", 0.1, 5]
    assert catalog.profile("x").record()["maximum"] == "1234567890123456.78"


def test_a_literal_is_read_to_the_last_digit():
    catalog = catalog_of("DECIMAL(18,2)", "1234567890123456.78", "1234567890123456.79")
    constraints = parse_where("x = 1234567890123456.79 AND x > -1234567890123456.79")
    assert RepairEngine(catalog).check(Query(constraints=constraints)).count == 1


def test_sql_shown_reads_nan_as_null(tmp_path):
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(
            "CREATE TABLE items AS SELECT * FROM (VALUES ('nan'::DOUBLE), (1.5), ('inf'), (NULL)) "
            "AS t (x)"
        )
    for op, value, count in [(">", 1, 2), ("!=", 1.5, 1), ("is null", None, 2)]:
        with Catalog.open(path) as catalog:
            answer = RepairEngine(catalog).repair(asked(op, value))
            assert answer.count == len(catalog.query(answer.sql)) == count
        with duckdb.connect(path, read_only=True) as connection:
            assert len(connection.execute(answer.sql).fetchall()) == count


@pytest.mark.parametrize("policy", ["single", "cumulative"])
def test_weights_tie_as_decimals(policy: str):
    # A group of 0.1 and 0.2 weighs as much as one constraint of 0.3, and comes first.
    catalog = Catalog.open(duckdb.sql("SELECT 0 AS a, 0 AS b, 1 AS c UNION ALL SELECT 1, 1, 0"))
    constraints = [
        Constraint(column="a", op="==", value=1, weight=0.1, group="g"),
        Constraint(column="b", op="==", value=1, weight=0.2, group="g"),
        Constraint(column="c", op="==", value=1, weight=0.3),
    ]
    answer = RepairEngine(catalog).repair(Query(constraints=constraints), policy=policy)
    assert [constraint.column for constraint in answer.relaxed] == ["a", "b"]
