"""Questions on columns of every type, judged by exact Python values and by DuckDB's own counts."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from itertools import chain, combinations
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concede import Answer, Catalog, Constraint, Query, RepairEngine
from concede.engine import repair_context
from concede.engine.policies import POLICIES
from example_counts import examples

D = Decimal
EXACT: dict[str, list[Any]] = {
    "TINYINT": [-128, -1, 0, 2, 127],
    "SMALLINT": [-32768, -3, 0, 300, 32767],
    "INTEGER": [-(2**31), -7, 0, 3, 2**31 - 1],
    "BIGINT": [-(2**63), -(2**53) - 1, 0, 2**53, 2**53 + 1, 2**60 + 1, 2**63 - 1],
    "UBIGINT": [0, 2**53, 2**53 + 1, 2**64 - 2, 2**64 - 1],
    "HUGEINT": [-(2**127), -(2**100) - 1, 7, 2**53 + 1, 2**100, 2**100 + 1, 2**127 - 1],
    "DECIMAL(4,1)": [D("-999.9"), D("0.1"), D("0.2"), D("0.3"), D("999.9")],
    "DECIMAL(15,3)": [D("0.1"), D("123456789012.345"), D("123456789012.346"), D(7)],
    "DECIMAL(18,2)": [D("1234567890123456.78"), D("1234567890123456.79"), D("-0.30"), D(7)],
    "DECIMAL(38,10)": [D("1234567890123456789012345678.0000000001"), D("0.1"), D("-0.3")],
    "DECIMAL(38,0)": [D(10**37), D(10**37 + 1), D(-(10**37)), D(5)],
    "DECIMAL(38,38)": [D("0.1"), D("0." + "3" * 38), D("-0.5")],
}
OTHERS: dict[str, list[Any]] = {
    "DOUBLE": [-math.inf, -0.0, 0.0, 0.1, 0.3, 0.1 + 0.2, 1e300, -1e300, math.inf, math.nan],
    "FLOAT": [-math.inf, -0.0, 0.5, 0.1, 16777217.0, math.inf, math.nan],
    "DATE": [date(1850, 5, 5), date(2020, 1, 1), date(2020, 1, 2), date(9999, 12, 31)],
    "TIMESTAMP": [datetime(1850, 1, 1), datetime(2020, 1, 1), datetime(2020, 1, 1, 0, 0, 0, 1)],
    "TIMESTAMPTZ": [datetime(2020, 1, 1), datetime(2020, 1, 1, 0, 0, 0, 1), datetime(2020, 6, 1)],
    "VARCHAR": ["", "a", "A", "a%b", "it's", "é", "日本", "300"],
    "BOOLEAN": [False, True],
}
POOLS = EXACT | OTHERS
WAYS = [("bitset", False), ("sql", False), ("brute", False), ("z3", False), ("bitset", True)]
"""Solvers, and whether kernels rank."""

ORDERED = ["<", "<=", ">", ">=", "between"]
ALWAYS = ["==", "!=", "in", "not in", "is null"]


def _number(value: Any) -> Decimal:
    is_short = isinstance(value, float) and not value.is_integer()
    return D(repr(value) if is_short else value)


def _held(value: Any, sql_type: str) -> Any:
    """Return a value, of a cell or of a constraint, as the column compares it."""
    if sql_type in EXACT:
        return _number(value)
    if sql_type == "FLOAT":
        return struct.unpack("<f", struct.pack("<f", float(value)))[0]
    if type(value) is date:
        return datetime(value.year, value.month, value.day)
    return value


MEANINGS: dict[str, Callable[[Any, list[Any]], bool]] = {
    "==": lambda cell, values: cell == values[0],
    "!=": lambda cell, values: cell != values[0],
    "<": lambda cell, values: cell < values[0],
    "<=": lambda cell, values: cell <= values[0],
    ">": lambda cell, values: cell > values[0],
    ">=": lambda cell, values: cell >= values[0],
    "in": lambda cell, values: cell in values,
    "not in": lambda cell, values: cell not in values,
    "between": lambda cell, values: values[0] <= cell <= values[1],
}


def meets(cell: Any, constraint: Constraint, sql_type: str) -> bool:
    """Whether a cell satisfies a constraint. NaN is NULL."""
    unknown = cell is None or (isinstance(cell, float) and math.isnan(cell))
    if constraint.op == "is null":
        return unknown
    if unknown:
        return constraint.nulls == "match"
    value = constraint.value
    values = [_held(each, sql_type) for each in (value if isinstance(value, tuple) else (value,))]
    return MEANINGS[constraint.op](_held(cell, sql_type), values)


@st.composite
def constraints_on(draw: st.DrawFn, name: str, sql_type: str) -> Constraint:
    """A constraint on a column, its values near those that the column holds."""
    op = draw(st.sampled_from(ALWAYS if sql_type == "BOOLEAN" else [*ALWAYS, *ORDERED * 2]))
    count = {"is null": 0, "between": 2, "in": 3, "not in": 3}.get(op, 1)
    values = [draw(st.sampled_from(POOLS[sql_type])) for _ in range(count)]
    values = [0.25 if isinstance(v, float) and not math.isfinite(v) else v for v in values]
    if sql_type in EXACT:
        steps = st.sampled_from([D(0), D(0), D("0.5"), D("-1E-10"), D("1E-20"), D(1)])
        values = [_exact_or_double(draw, _number(value) + draw(steps)) for value in values]
    given = values if op in ("in", "not in", "between") else values[0] if values else None
    return Constraint(
        column=name,
        op=op,
        value=given,
        weight=draw(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0])),
        nulls=draw(st.sampled_from(["reject", "reject", "match"])),
        group=draw(st.sampled_from([None, None, None, "g"])),
    )


def _exact_or_double(draw: st.DrawFn, number: Decimal) -> int | float | Decimal:
    if not -(2**127) <= number < 2**127:
        return 7
    form = draw(st.sampled_from([D, D, float]))
    return int(number) if number == number.to_integral_value() else form(number)


Rows = list[tuple[Any, ...]]


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[str], Rows, Query]:
    """Types, rows of cells, and a query."""
    types = draw(st.lists(st.sampled_from(sorted(POOLS)), min_size=1, max_size=3))
    cells = [st.none() | st.sampled_from(POOLS[kind]) for kind in types]
    rows: Rows = draw(st.lists(st.tuples(*cells), max_size=8))
    each = st.sampled_from(range(len(types))).flatmap(
        lambda at: constraints_on(f"c{at}", types[at])
    )
    return types, rows, Query(constraints=draw(st.lists(each, min_size=1, max_size=4)))


def opened(types: list[str], rows: Rows) -> Catalog:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        columns = ", ".join(f"c{at} {kind}" for at, kind in enumerate(types))
        connection.execute(f"CREATE TABLE raw ({columns})")
        for row in rows:
            texts = [None if cell is None else str(cell) for cell in row]
            connection.execute(f"INSERT INTO raw VALUES ({', '.join('?' * len(row))})", texts)
        return Catalog.open(connection.table("raw"))


def judge(answer: Answer, catalog: Catalog, types: list[str], rows: Rows, query: Query) -> None:
    """Check every count of an answer against the cells, and against DuckDB."""
    held = [_positions(query, types, row) for row in rows]
    everything = frozenset(range(len(query.constraints)))

    def count(kept: frozenset[int]) -> int:
        return sum(kept <= positions for positions in held)

    if not answer.exit_code:
        assert answer.count == len(catalog.query(answer.sql)) > 0
        gone = frozenset(answer.repairs[0].dropped) if answer.relaxed else frozenset[int]()
        assert answer.policy == "closest" or answer.count == count(everything - gone)
    assert list(answer.drop_one_counts) == [count(everything - {at}) for at in sorted(everything)]
    feasible = [kept for kept in _subsets(everything) if count(kept)]
    # The one policy that may move a bound instead of dropping it.
    moving = [repair for repair in answer.repairs if len(repair.dropped) < len(repair.changes)]
    assert not moving or answer.policy == "closest"
    for repair in answer.repairs:
        if repair in moving:
            continue
        kept = everything - frozenset(repair.dropped)
        assert repair.count == count(kept) == len(catalog.query(repair.sql)) > 0
        if repair.minimal and not any(constraint.group for constraint in query.constraints):
            assert not any(kept < other for other in feasible)
    for shift in (*moving, *answer.shifts):
        matching = catalog.query(shift.sql)
        assert shift.count == len(matching) > 0
        assert shift.witness in matching
        assert math.isfinite(shift.cost)
        assert not count(everything - frozenset(shift.dropped))


def _positions(query: Query, types: list[str], row: tuple[Any, ...]) -> frozenset[int]:
    columns = [int(str(constraint.column).removeprefix("c")) for constraint in query.constraints]
    return frozenset(
        at
        for at, (column, constraint) in enumerate(zip(columns, query.constraints, strict=True))
        if meets(row[column], constraint, types[column])
    )


def _subsets(everything: frozenset[int]) -> list[frozenset[int]]:
    sizes = range(len(everything) + 1)
    return [frozenset(s) for s in chain.from_iterable(combinations(everything, n) for n in sizes)]


@pytest.mark.slow
@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(questions(), st.sampled_from(sorted(POLICIES)), st.integers(1, 6))
def test_every_solver_and_ranker_says_what_the_cells_say(
    question: tuple[list[str], Rows, Query], policy: str, top: int
) -> None:
    types, rows, query = question
    catalog = opened(types, rows)
    answers: list[dict[str, Any]] = []
    for solver, by_kernels in WAYS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(repair_context, "kernels_are_used", lambda rows, yes=by_kernels: yes)
            answer = RepairEngine(catalog, solver=solver).repair(query, policy=policy, top=top)
        judge(answer, catalog, types, rows, query)
        answers.append(json.loads(answer.to_json()) | {"solver": ""})
    assert all(answer == answers[0] for answer in answers)
