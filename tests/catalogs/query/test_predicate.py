"""Predicates: values beside the SQL, and literals that mean exactly the value."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concede.catalogs.query.constraint import Scalar
from concede.catalogs.query.predicate import (
    FEW_VALUES,
    Predicate,
    Slot,
    SlotList,
    conjunction,
    literal,
    quoted,
    where_text,
)
from concede.catalogs.query.schema import Column, Schema
from concede.catalogs.query.sql_expression import bind_expression

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**126), 2**126),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dates(date(1, 1, 1)),
    st.datetimes(datetime(1, 1, 1)),
    TEXT,
)
SCHEMA = Schema((Column("a", "INTEGER"), Column("b c", "DOUBLE")))


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@given(value=VALUES)
def test_a_literal_is_the_value(connection: duckdb.DuckDBPyConnection, value: Scalar) -> None:
    target = {bool: "BOOLEAN", int: "HUGEINT", float: "DOUBLE", str: "VARCHAR", date: "DATE"}
    sql_type = target.get(type(value), "TIMESTAMP")
    found = connection.execute(f"SELECT {literal(value)}::{sql_type}").fetchone()
    assert found == (value,)


NUMBERS = st.one_of(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40),
    st.lists(st.floats(-1e6, 1e6) | st.sampled_from([7.0, -0.0, 5e-5, 1e-5]), max_size=40),
    st.lists(st.decimals(-9, 9, places=3).map(float), min_size=9, max_size=40),
    st.lists(st.integers(-(2**127), 2**127), min_size=1, max_size=40),
    st.lists(VALUES, min_size=1, max_size=12),
)


@given(NUMBERS)
def test_a_list_is_written_and_bound_as_its_values_are(values: list[Scalar]) -> None:
    listed = Predicate(("a IN (", SlotList(tuple(values)), ")"), ("a",))
    single = [each for value in values for each in (", ", Slot(value))][1:]
    one_by_one = Predicate(("a IN (", *single, ")"), ("a",))
    assert listed.text == one_by_one.text
    assert listed.sql == one_by_one.sql
    assert listed.values == one_by_one.values == values
    assert tuple(listed.single_parts) == one_by_one.parts


CELLS: dict[str, st.SearchStrategy[Scalar]] = {
    "INTEGER": st.integers(-3, 9),
    "BIGINT": st.integers(-3, 9) | st.just(2**53 + 1),
    "UTINYINT": st.integers(0, 9),
    "DECIMAL(9,2)": st.integers(-3, 9),
    "DOUBLE": st.sampled_from([0.0, -0.0, 0.1, 2.5, 2.0**53, math.nan, math.inf, 1, 7]),
    "DATE": st.dates(date(2026, 1, 1), date(2026, 1, 9)),
    "TIMESTAMP": st.datetimes(datetime(2026, 1, 1), datetime(2026, 1, 1, 0, 0, 0, 9)),
    "FLOAT": st.sampled_from([0.0, 0.1, 2.5, 16777217.0]),
    "VARCHAR": st.sampled_from(["", "a", "b", "é", "'", "10"]),
}


@given(
    kind=st.sampled_from(sorted(CELLS)),
    negated=st.booleans(),
    nulls_match=st.booleans(),
    data=st.data(),
)
def test_a_list_bound_as_one_value_says_the_same(
    connection: duckdb.DuckDBPyConnection,
    kind: str,
    negated: bool,
    nulls_match: bool,
    data: st.DataObject,
) -> None:
    values = data.draw(st.lists(CELLS[kind], min_size=1, max_size=20))
    cells = data.draw(st.lists(st.none() | CELLS[kind], min_size=1, max_size=20))
    connection.execute(f"CREATE OR REPLACE TEMP TABLE t (i INTEGER, a {kind})")
    connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(cells)))
    opening = "a NOT IN (" if negated else "a IN ("
    wish = Predicate((opening, SlotList(tuple(values)), ")"), ("a",), nulls_match)
    found = [
        connection.execute(f"SELECT i FROM t WHERE {sql} ORDER BY i", bound).fetchall()
        for sql, bound in (wish.fewest_marks, (wish.sql, wish.values))
    ]
    assert found[0] == found[1]
    assert (wish.fewest_marks[0] == wish.sql) == (len(values) <= FEW_VALUES)


def test_values_of_several_types_are_bound_one_by_one() -> None:
    odd: list[tuple[Scalar | Decimal, ...]] = [
        (2**53 + 1, 2.0), ("1", 2), (Decimal("0.1"), Decimal("0.2")), (True, False),
        (date(2026, 1, 1), datetime(2026, 1, 1)),
    ]  # fmt: skip
    for values in odd:
        wish = Predicate(("a IN (", SlotList(values * 9), ")"), ("a",))
        assert wish.fewest_marks == (wish.sql, wish.values)


def test_keys_tell_lists_apart() -> None:
    values: list[tuple[Scalar | Decimal, ...]] = [
        (1, 2), (1, 2.0), (2, 1), (1,), (Decimal("0.1"),), (Decimal("0.10"),), ("1", "2"), (),
    ]  # fmt: skip
    keys = {Predicate(("a IN (", SlotList(some), ")"), ("a",)).key for some in values}
    assert len(keys) == len(values)
    again = Predicate(("a IN (", SlotList((1, 2)), ")"), ("a",)).key
    assert again in keys
    digits = Decimal("0." + "0" * 37 + "1")
    written = Predicate(("a IN (", SlotList((digits, 5)), ")"), ("a",))
    assert written.values == [5]
    assert written.sql.count("?") == 1


@given(name=TEXT.filter(bool))
def test_a_quoted_name_is_the_name(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    assert connection.execute(f"SELECT 1 AS {quoted(name)}").description[0][0] == name


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (1, 1.0), (0, False), (Decimal("0.1"), Decimal("0.10")), ("1", 1)],
)
def test_keys_tell_values_of_other_types_apart(one: Scalar, other: Scalar) -> None:
    first, second = (Predicate(("a = ", Slot(value)), ("a",)) for value in (one, other))
    assert first.key != second.key
    assert hash(first.key) != hash(second.key) or first.key != second.key
    assert first.key == Predicate(("a = ", Slot(one)), ("a",)).key
    assert first.key != Predicate(("a = ", Slot(one)), ("a",), nulls_match=True).key


def test_values_stay_apart_and_nulls_are_decided() -> None:
    reject = Predicate(("a = ", Slot("x'y")), ("a",))
    match = Predicate(("a = ", Slot(1)), ("a",), nulls_match=True)
    assert reject.sql == "coalesce(a = ?, FALSE)"
    assert match.text == "coalesce(a = 1, TRUE)"
    assert conjunction([reject, match]) == (f"{reject.sql} AND {match.sql}", ["x'y", 1])
    assert conjunction([]) == ("TRUE", [])
    assert where_text([reject, match]) == "\nWHERE a = 'x''y'\n  AND coalesce(a = 1, TRUE)"
    assert where_text([]) == ""


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("A=1 or a=2", '("a" = 1 or "a" = 2)'),
        ("a - -5 > --x\n 0", '("a" - -5 > 0)'),
        ("a-5 < 0", '("a" - 5 < 0)'),
        ("- -a = .50", '(- - "a" = .50)'),
        ("a::int=1e0", '("a"::int = 1e0)'),
        ('round("B C", 1) = 0.10 OR a IN (1,2)', '(round("b c", 1) = 0.10 OR "a" IN (1, 2))'),
        ("a = 9223372036854775808", '("a" = CAST(9223372036854775808 AS HUGEINT))'),
    ],
)
def test_expressions_keep_the_authors_words(text: str, rendered: str) -> None:
    predicate = bind_expression(text, SCHEMA)
    assert predicate.text == rendered
    assert not any(character.isdigit() for character in predicate.sql)
